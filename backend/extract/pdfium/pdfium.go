// Package pdfium reads and draws PDF files with pdfium, which runs in a WebAssembly sandbox: it sees the one file that it
// reads, and neither other files, the network nor the memory of this process. The sandbox is wasmtime's, and pdfium is
// compiled to machine code when Fanous is built (build/native); the functions of this package are those of pdfium's
// public headers. Pages and characters count from 0. Lengths are points.
package pdfium

// #include "sandbox.h"
import "C"

import (
	"errors"
	"fmt"
	"io"
	"math"
)

// Errors of Open.
var (
	ErrPassword   = errors.New("the PDF needs a password")
	ErrEncryption = errors.New("the PDF is encrypted in a way that is not known")
)

// Library is pdfium. It may be used by several goroutines.
type Library struct {
	c      *C.fanous_pdfium_library
	memory int64
}

// Load makes pdfium ready for documents of which each may take so many bytes of memory. It is to be closed, after all
// documents.
func Load(memory int64) (*Library, error) {
	var failure *C.char
	l := &Library{C.fanous_pdfium_load(&failure), memory}
	if l.c == nil {
		return nil, take(failure)
	}
	return l, nil
}

// Close frees what Load has made.
func (l *Library) Close() { C.fanous_pdfium_unload(l.c) }

// Held gives the bytes of memory that all open documents have, beside what Go knows of.
func (l *Library) Held() int64 { return int64(C.fanous_pdfium_held(l.c)) }

// Document is an open document. Only one goroutine may use it at a time.
type Document struct {
	s  *sandbox
	at uint64
}

// Open opens a document in a sandbox of its own. It is to be closed. The errors are ErrPassword, ErrEncryption and others.
func (l *Library) Open(file io.ReaderAt, size int64) (*Document, error) {
	if size <= 0 || size > math.MaxUint32 {
		return nil, fmt.Errorf("a PDF cannot have %d bytes", size)
	}
	s, err := l.start(file)
	if err != nil {
		return nil, fmt.Errorf("the PDF reader did not start: %w", err)
	}
	d := &Document{s: s}
	if d.at, err = s.open(size); err != nil {
		s.end()
		return nil, err
	}
	return d, nil
}

func (s *sandbox) open(size int64) (uint64, error) {
	access, err := s.handle("FPDF_FILEACCESS_Create", uint64(size), s.room) // its second argument comes back to the reading side, which has one file only
	if err != nil {
		return 0, err
	}
	at, err := s.call("FPDF_LoadCustomDocument", access, 0)
	if err != nil || uint32(at) != 0 {
		return uint64(uint32(at)), err
	}
	code, err := s.integer("FPDF_GetLastError")
	if err != nil {
		return 0, err
	}
	switch code {
	case 2:
		return 0, errors.New("the file cannot be read")
	case 3:
		return 0, errors.New("it is not a PDF, or its structure is broken")
	case 4:
		return 0, ErrPassword
	case 5:
		return 0, ErrEncryption
	}
	return 0, fmt.Errorf("pdfium's error %d", code)
}

// Close ends the document with its sandbox.
func (d *Document) Close() { d.s.end() }

// WantedMore says whether the document was refused memory beyond what it may take, so that errors may come from that.
func (d *Document) WantedMore() bool { return bool(C.fanous_pdfium_wanted_more(d.s.c)) }

// PageCount gives the number of pages, which a damaged file may say at will.
func (d *Document) PageCount() (int, error) { return d.s.integer("FPDF_GetPageCount", d.at) }

// Meta gives an entry of the document's own description, such as Title; "" where there is none.
func (d *Document) Meta(tag string) (text string, err error) {
	err = d.s.name(tag, func(at uint64) (err error) {
		text, err = d.s.text("FPDF_GetMetaText", d.at, at)
		return err
	})
	return text, err
}

// Bookmark is an entry of the outline.
type Bookmark struct {
	d  *Document
	at uint64 // 0: the outline itself
}

// Outline gives the outline, whose children are the first entries.
func (d *Document) Outline() Bookmark { return Bookmark{d: d} }

// Child gives the first entry below this one, if there is one.
func (b Bookmark) Child() (Bookmark, bool) { return b.other("FPDFBookmark_GetFirstChild") }

// Next gives the entry behind this one, if there is one. In a damaged file it may be an earlier one.
func (b Bookmark) Next() (Bookmark, bool) { return b.other("FPDFBookmark_GetNextSibling") }

func (b Bookmark) other(function string) (Bookmark, bool) {
	at, err := b.d.s.handle(function, b.d.at, b.at)
	return Bookmark{b.d, at}, err == nil
}

// Title gives its title.
func (b Bookmark) Title() (string, error) { return b.d.s.text("FPDFBookmark_GetTitle", b.at) }

// Page gives the index of the page it leads to, if it leads to one.
func (b Bookmark) Page() (int, bool) {
	s := b.d.s
	to, err := s.handle("FPDFBookmark_GetDest", b.d.at, b.at)
	if err != nil { // perhaps it is written as an action
		action, err := s.handle("FPDFBookmark_GetAction", b.at)
		if err != nil {
			return 0, false
		}
		if to, err = s.handle("FPDFAction_GetDest", b.d.at, action); err != nil {
			return 0, false
		}
	}
	page, err := s.integer("FPDFDest_GetDestPageIndex", b.d.at, to)
	return page, err == nil && page >= 0
}
