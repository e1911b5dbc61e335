package extract

import (
	"bufio"
	"bytes"
	"context"
	"crypto/sha256"
	"encoding/hex"
	"errors"
	"fmt"
	"hash"
	"io"
	"os"
	"path/filepath"
	"strings"
	"time"

	"fanous/backend/domain"
)

const (
	// maxDepth is how deep archives, mailboxes and messages may lie in one another.
	maxDepth = 10
	// maxMembers is how many files the archives in a file may have, together.
	maxMembers = 100_000
	// maxMessages is how many messages the mailboxes in a file may have, together.
	maxMessages = 800_000
	// maxMember is how many bytes a member may have that has to be held whole.
	maxMember = maxTextFile
	// The archives in a file may inflate to freeInflation, or to maxRatio times the file's size if that is
	// more: honest archives of text reach a hundred, deflate ends at a thousand.
	freeInflation = 1 << 30
	maxRatio      = 200
)

var (
	errInflation   = errors.New("what it holds inflates without end, or nearly: the rest was left out")
	errMembers     = fmt.Errorf("it holds more than %d files: the rest was left out", maxMembers)
	errMessages    = fmt.Errorf("it holds more than %d messages: the rest was left out", maxMessages)
	errMemberDepth = fmt.Errorf("%w: it lies deeper than %d archives and messages in one another", ErrUnsupported, maxDepth)
	errMemberSize  = fmt.Errorf("it is larger than the %d MiB that are read of a file in an archive or a message", maxMember>>20)
	// errUsed ends a reading that has come to the wanted member.
	errUsed = errors.New("the member was used")
)

// reading is a file being read with all that is in it.
type reading struct {
	x    *Extractor
	ctx  context.Context
	each func(Found) error
	stop error // why no more is read: ctx ended, each returned an error, or the wanted member was used

	names    memberNames
	left     int64 // bytes that archives may still inflate to
	entries  int   // files that archives may still have
	messages int   // and mailboxes messages

	wanted string                        // with use: only what leads to this member is read
	use    func(*io.SectionReader) error // nil: everything is read
	used   error                         // what use returned
}

func newReading(ctx context.Context, x *Extractor, each func(Found) error) *reading {
	return &reading{x: x, ctx: ctx, each: each, names: newMemberNames(), entries: maxMembers, messages: maxMessages}
}

// document is what is about to be read: the file itself or a member of it.
type document struct {
	source            // its ReaderAt is nil where stream has the bytes, which then come only once
	stream  io.Reader // nil: as source has them
	format  format    // "": its content tells
	member  string
	modTime time.Time
	depth   int
}

// held makes a document of bytes in memory.
func held(name, member string, data []byte, depth int) document {
	return document{source: source{ReaderAt: bytes.NewReader(data), name: name, size: int64(len(data))}, member: member, depth: depth}
}

// done says that no more is to be read.
func (r *reading) done() bool {
	if r.stop == nil {
		r.stop = r.ctx.Err()
	}
	return r.stop != nil
}

// leads says whether the wanted member may be this one or in it.
func (r *reading) leads(member string) bool {
	return r.use == nil || member == "" || member == r.wanted || strings.HasPrefix(r.wanted, member+"/")
}

// give hands a document on.
func (r *reading) give(f Found, content domain.Content, err error) {
	if r.done() {
		return
	}
	f.Content = content
	f.State, f.Reason = StateOf(err)
	r.stop = r.each(f)
}

// file reads the file itself.
func (r *reading) file(path string) {
	// Asked before opening, for opening a pipe waits until somebody writes.
	info, err := os.Stat(path)
	if err == nil && !info.Mode().IsRegular() {
		r.give(Found{}, domain.Content{}, unsupported("it is not a regular file"))
		return
	}
	var f *os.File
	if err == nil {
		f, err = os.Open(path)
	}
	if err != nil {
		r.give(Found{}, domain.Content{}, fmt.Errorf("the file could not be opened: %w", err))
		return
	}
	defer f.Close()
	r.left = max(freeInflation, maxRatio*info.Size())
	r.document(document{source: source{ReaderAt: f, name: filepath.Base(path), size: info.Size()}, modTime: info.ModTime()})
}

// document reads a document and what is in it, and gives each.
func (r *reading) document(d document) {
	if r.done() || !r.leads(d.member) {
		return
	}
	found := Found{Member: d.member, Size: d.size, ModTime: d.modTime}
	if d.depth > maxDepth {
		r.give(found, domain.Content{}, errMemberDepth)
		return
	}
	sum := newDigest(d)
	body := bufio.NewReaderSize(sum, headSize)
	head, err := body.Peek(headSize)
	if err != nil && !errors.Is(err, io.EOF) {
		r.give(found, domain.Content{}, unreadable(err))
		return
	}
	if d.format == "" {
		d.format = detectStream(head, d.name)
	}
	if d.format.streams() && !r.wants(d) {
		r.container(d, found, sum, body)
		return
	}
	src, err := d.whole(body)
	if err != nil {
		r.give(found, domain.Content{}, unreadable(err))
		return
	}
	found.Size = src.size
	found.Hash = sum.hex(body)
	if r.wants(d) {
		r.used, r.stop = r.use(io.NewSectionReader(src, 0, src.size)), errUsed
		return
	}
	d.source = src
	r.whole(d, found)
}

func (r *reading) wants(d document) bool { return r.use != nil && d.member == r.wanted }

// whole reads a document whose bytes can be read at any place.
func (r *reading) whole(d document, found Found) {
	if d.format == "" {
		var err error
		if d.format, err = detect(d.source); err != nil {
			r.give(found, domain.Content{Format: string(d.format)}, err)
			return
		}
	}
	switch d.format {
	case formatZIP, formatCMS:
		r.container(d, found, nil, nil)
	case formatEML, formatMSG:
		m := &message{}
		_, err := guard(func() (content domain.Content, err error) {
			m, err = readMessage(r.ctx, d.source, d.format)
			return
		})
		if err != nil {
			r.give(found, domain.Content{Format: string(d.format)}, err)
			return
		}
		r.message(m, found, d.depth)
	case formatPDF:
		r.pdf(d, found)
	default:
		content, err := guard(func() (domain.Content, error) { return r.x.extract(r.ctx, d.source, d.format) })
		r.give(found, content, err)
	}
}

// container reads what an archive or mailbox holds, and then gives the container itself.
func (r *reading) container(d document, found Found, sum *digest, body *bufio.Reader) {
	var n int
	var err error
	what := "file"
	switch d.format {
	case formatMBOX:
		what = "message"
		n, err = r.mailbox(d, body)
	case formatTAR:
		n, err = r.tar(d, body)
	case formatGZIP, formatBZIP2:
		n, err = r.compressed(d, body)
	case formatTNEF:
		n, err = r.wrapped(d, body)
	case formatZIP:
		n, err = r.zip(d)
	case formatCMS:
		n, err = r.signed(d)
	}
	if r.done() {
		return
	}
	if sum != nil && err == nil {
		found.Hash = sum.hex(body)
		found.Size = sum.n
	}
	found.Content = domain.Content{Format: string(d.format)}
	if err != nil && (n == 0 || errors.Is(err, errInflation) || errors.Is(err, errMembers) || errors.Is(err, errMessages)) {
		r.give(found, found.Content, err)
		return
	}
	if err != nil {
		found.Content.Warnings = append(found.Content.Warnings, "it is damaged: only what stands before the damage was read")
	}
	if n != 1 {
		what += "s"
	}
	found.State, found.Reason = domain.StateContainer, fmt.Sprintf("it holds %d %s", n, what)
	r.stop = r.each(found)
}

// unreadable is what an error comes to that a document's bytes ended with.
func unreadable(err error) error {
	switch {
	case errors.Is(err, errMemberSize), errors.Is(err, errInflation), errors.Is(err, ErrUnsupported):
		return err
	}
	return fmt.Errorf("the file could not be read: %w", err)
}

// whole gives a document's bytes at any place, from memory if they come only once.
func (d document) whole(body io.Reader) (source, error) {
	if d.ReaderAt != nil {
		return d.source, nil
	}
	data, err := io.ReadAll(io.LimitReader(body, maxMember+1))
	switch {
	case len(data) > maxMember:
		return source{}, errMemberSize
	case err != nil:
		return source{}, err
	}
	src := d.source
	src.ReaderAt, src.size = bytes.NewReader(data), int64(len(data))
	return src, nil
}

// digest counts and hashes the bytes of a member on their way.
type digest struct {
	io.Reader
	hash hash.Hash // nil: of the file itself, whose hash is not asked for
	n    int64
}

func newDigest(d document) *digest {
	g := &digest{Reader: d.stream}
	if d.stream == nil {
		g.Reader = io.NewSectionReader(d.source, 0, d.size)
	}
	if d.member != "" {
		g.hash = sha256.New()
	}
	return g
}

func (g *digest) Read(p []byte) (int, error) {
	n, err := g.Reader.Read(p)
	g.n += int64(n)
	if g.hash != nil {
		g.hash.Write(p[:n])
	}
	return n, err
}

// hex reads what is left of the bytes, through the reader that has them, and gives the hash of all; "" where
// they do not end well.
func (g *digest) hex(rest io.Reader) string {
	if g.hash == nil {
		return ""
	}
	if _, err := io.Copy(io.Discard, rest); err != nil {
		return ""
	}
	return hex.EncodeToString(g.hash.Sum(nil))
}

// guard makes a panic of a parser the error of its document.
func guard(read func() (domain.Content, error)) (content domain.Content, err error) {
	defer func() {
		if p := recover(); p != nil {
			content, err = domain.Content{}, damaged(p)
		}
	}()
	return read()
}
