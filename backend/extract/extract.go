// Package extract turns a file into documents: text with positions. It reads plain text, source code, Markdown,
// HTML, XML, JSON, CSV, PDF, rich text (RTF), the documents, sheets and presentations of Office (DOCX, XLSX,
// PPTX; DOC since Word 97) and of OpenDocument (ODT, ODS, ODP), e-books (EPUB), messages (EML, MSG), saved web
// pages (MHTML), calendars (ICS) and address books (VCF), and knows pictures. Archives (ZIP, TAR, GZIP, BZIP2, TNEF),
// mailboxes (MBOX, MMDF) and signed files (CMS) are read as the documents in them, attachments as documents beside their
// message. What a file is follows from its content first
// and from its name last.
//
// Text comes out in logical order, as valid UTF-8, with the characters of the original. Originals
// are only ever read, and nothing that they name is fetched.
//
// Limits: what is read whole (text, a message, RTF) may have 256 MiB, a PDF or a document made of parts 1 GiB,
// of which 512 MiB may be inflated; a million rows are kept of tables. An archive or mailbox may be of any size;
// reading.go says what may be in it. What exceeds the limits ends in an error or a warning that says so.
package extract

import (
	"cmp"
	"context"
	"errors"
	"fmt"
	"io"
	"slices"
	"strings"
	"unicode"

	"fanous/backend/domain"
)

// Version names what is read and how. Change it with every format that is added and every change of the text
// that comes out: the files of an index that another version made are read again.
const Version = "9"

// Errors that say more about a file than that reading it failed. Test with errors.Is; the message
// of the whole error is a sentence for the analyst.
var (
	ErrUnsupported   = errors.New("this kind of file is not read")
	ErrNeedsPassword = errors.New("the file needs a password")
	ErrNoText        = errors.New("the file has no text")

	errOnlyImages = fmt.Errorf("%w, only pictures: what is written in them can be recognised (OCR)", ErrNoText)
)

const (
	maxTextFile   = 256 << 20
	maxBinaryFile = 1 << 30
)

// Options of an Extractor. The zero value is usable.
type Options struct {
	// Parallel is how many PDF files may be read at a time; 0: one.
	Parallel int
	// Memory is how many bytes of it pdfium may take for one PDF, of which Go does not know; 0, or more than that: 1 GiB.
	Memory int64
}

// Extractor reads files. It is safe for concurrent use. The PDF reader is started by the first PDF.
type Extractor struct {
	pdf pdfReader
}

// New makes an Extractor. It does no work yet.
func New(opt Options) *Extractor {
	return &Extractor{pdf: pdfReader{memory: min(cmp.Or(opt.Memory, pdfMemory), pdfMemory), slots: make(chan struct{}, max(opt.Parallel, 1))}}
}

// Held is how many bytes of memory the PDF reader has for the files that are being read, beside what Go knows of.
func (x *Extractor) Held() int64 { return x.pdf.held() }

// Close ends the PDF reader, if it was started.
func (x *Extractor) Close() { x.pdf.close() }

// extract reads a document of a format; none of those that hold others, and not PDF.
func (x *Extractor) extract(ctx context.Context, src source, format format) (domain.Content, error) {
	content, err := x.read(ctx, src, format)
	return finished(content, format, err)
}

// finished is what reading a document comes to.
func finished(content domain.Content, format format, err error) (domain.Content, error) {
	content.Format = string(format)
	if !visible(content.Blocks) {
		content.Blocks = nil
	}
	switch {
	case err != nil:
		return domain.Content{Format: content.Format}, err
	case len(content.Blocks) > 0:
	case len(content.Images) > 0:
		return content, errOnlyImages
	default:
		return content, ErrNoText
	}
	if content.Title == "" && format.titled() {
		content.Title = firstHeading(content.Blocks)
	}
	return content, nil
}

func (x *Extractor) read(ctx context.Context, src source, format format) (domain.Content, error) {
	switch format {
	case formatDOCX:
		return readDOCX(ctx, src)
	case formatXLSX:
		return readXLSX(ctx, src)
	case formatPPTX:
		return readPPTX(ctx, src)
	case formatEPUB:
		return readEPUB(ctx, src)
	case formatODT, formatODS, formatODP:
		return readODF(ctx, src)
	case formatDOC:
		return readDOC(ctx, src)
	case formatImage:
		return readImage(src)
	}
	data, err := src.all()
	if err != nil {
		return domain.Content{}, err
	}
	switch format {
	case formatHTML:
		return readMarked(ctx, data, src.charset)
	case formatMHTML:
		return readMHTML(ctx, data)
	case formatRTF:
		return readRTF(ctx, data)
	}
	text := decodeDeclared(data, src.charset)
	switch format {
	case formatJSON:
		return readJSON(ctx, text)
	case formatXML:
		return readXML(ctx, text)
	case formatTeX:
		return readText(ctx, fromTeX(text))
	case formatCode:
		return readCode(ctx, text)
	case formatCSV:
		return readCSV(ctx, text)
	case formatMarkdown:
		return readMarkdown(ctx, text)
	case formatICS, formatVCF:
		return readCards(ctx, text)
	default:
		return readText(ctx, text)
	}
}

// readMarked reads a page whose encoding may be declared around it or in it.
func readMarked(ctx context.Context, data []byte, declared string) (domain.Content, error) {
	if declared == "" {
		declared = declaredCharset(data)
	}
	return readHTML(ctx, decodeDeclared(data, declared))
}

// source is a file being read.
type source struct {
	io.ReaderAt
	name    string // without its folder; of an attachment, what the message calls it
	size    int64
	charset string // what is said of its encoding around it, if anything
}

// all reads the whole file; the file may have grown since its size was asked.
func (s source) all() ([]byte, error) {
	data, err := io.ReadAll(io.NewSectionReader(s.ReaderAt, 0, maxTextFile+1))
	if err != nil {
		return nil, fmt.Errorf("the file could not be read: %w", err)
	}
	if len(data) > maxTextFile {
		return nil, tooLarge(maxTextFile)
	}
	return data, nil
}

// damaged is what a parser that panicked comes to.
func damaged(panicked any) error {
	return fmt.Errorf("the file is damaged in a way that stopped its reader: %v", panicked)
}

func tooLarge(limit int64) error {
	return fmt.Errorf("the file is larger than the %d MiB that are read of this kind", limit>>20)
}

// visible says that there is something to be seen.
func visible(blocks []domain.Block) bool {
	return slices.ContainsFunc(blocks, func(b domain.Block) bool {
		return strings.ContainsFunc(b.Text, func(r rune) bool { return !unicode.IsSpace(r) && !unicode.In(r, unicode.Cf, unicode.Cc) })
	})
}

// titled says that the first heading of a document names it. That of a table names a sheet or columns.
func (f format) titled() bool {
	switch f {
	case formatXLSX, formatODS, formatCSV:
		return false
	}
	return true
}

func firstHeading(blocks []domain.Block) string {
	for i := range blocks {
		if blocks[i].Kind == domain.KindHeading {
			return blocks[i].Text
		}
	}
	return ""
}
