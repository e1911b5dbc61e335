package extract

import (
	"bytes"
	"context"
	"errors"
	"fmt"
	"strings"

	"fanous/backend/domain"
)

const (
	// maxMailDepth is how deep parts, attached messages and their attachments nest.
	maxMailDepth = 20
	// maxMailParts is how many parts of a message or mailbox are read.
	maxMailParts = 100_000
	// maxMailText is how much text of a message or mailbox is kept; an attachment may stand for more.
	maxMailText = maxTextFile
	// maxMailWarnings keeps a mailbox from warning of each of its attachments.
	maxMailWarnings = 20
)

// readMail reads a message: its subject, who wrote it to whom and when, its text, and its
// attachments, each under its name.
func (x *Extractor) readMail(ctx context.Context, data []byte) (domain.Content, error) {
	m := mailbox{extractor: x, ctx: ctx}
	err := m.messages(data, formatEML, 0)
	return m.content(), err
}

// readMbox reads a mailbox, its messages in order. To make each message a document of its own, the
// pipeline would call splitMbox and readMail.
func (x *Extractor) readMbox(ctx context.Context, data []byte) (domain.Content, error) {
	m := mailbox{extractor: x, ctx: ctx}
	err := m.messages(data, formatMBOX, 0)
	m.title, m.author = "", ""
	return m.content(), err
}

// readMHTML reads a saved web page: its first page of HTML.
func (x *Extractor) readMHTML(ctx context.Context, data []byte) (domain.Content, error) {
	m := mailbox{extractor: x, ctx: ctx, page: true}
	header, body := splitHeader(data)
	err := m.part(header, body, 0, 0)
	content := m.content()
	content.Title = header.text("subject")
	return content, err
}

// mailbox is messages being read.
type mailbox struct {
	extractor *Extractor
	ctx       context.Context
	page      bool // only the first page of HTML counts

	out           outline
	title, author string // of the first message
	parts, text   int
	warnings      []string
}

func (m *mailbox) content() domain.Content {
	return domain.Content{Title: m.title, Author: m.author, Blocks: m.out.blocks, Warnings: m.warnings}
}

func (m *mailbox) warn(format string, args ...any) {
	if len(m.warnings) < maxMailWarnings {
		m.warnings = append(m.warnings, fmt.Sprintf(format, args...))
	}
}

// messages adds the message, or those of the mailbox, that data is.
func (m *mailbox) messages(data []byte, format format, depth int) error {
	if format != formatMBOX {
		return m.message(data, 1, depth)
	}
	for message := range splitMbox(data) {
		if err := m.message(message, 1, depth); err != nil {
			return err
		}
	}
	return nil
}

// message adds a message, its subject as a heading of this level.
func (m *mailbox) message(data []byte, level, depth int) error {
	header, body := splitHeader(data)
	subject, author := header.text("subject"), header.text("from")
	if len(m.out.blocks) == 0 {
		m.title, m.author = subject, author
	}
	m.out.climb(level)
	if subject != "" {
		m.out.heading(level, subject, domain.Place{})
	}
	var lines []string
	for _, name := range []string{"From", "To", "Cc", "Date"} {
		if value := header.text(strings.ToLower(name)); value != "" {
			lines = append(lines, name+": "+value)
		}
	}
	m.out.add(domain.KindParagraph, strings.Join(lines, "\n"), domain.Place{})
	return m.part(header, body, level, depth)
}

// part adds a message's body or one part of it.
func (m *mailbox) part(header mailHeader, body []byte, level, depth int) error {
	if err := m.ctx.Err(); err != nil {
		return err
	}
	if m.parts++; m.parts > maxMailParts || depth > maxMailDepth || m.text > maxMailText {
		m.warn("parts of the message were left out: there are too many, or too much in them")
		return nil
	}
	kind, params := header.media("content-type")
	disposition, _ := header.media("content-disposition")
	name := header.fileName()
	switch {
	case strings.HasPrefix(kind, "multipart/") && params["boundary"] != "":
		return m.multipart(kind, splitParts(body, params["boundary"], maxMailParts), level, depth+1)
	case kind == "message/rfc822":
		return m.message(header.transferred(body), level+1, depth+1)
	case disposition != "attachment" && (kind == "" || kind == "text/plain" && name == "" || strings.HasPrefix(kind, "multipart/")):
		if m.page {
			return nil
		}
		content, err := readText(m.ctx, decodeDeclared(header.transferred(body), params["charset"]))
		m.nest(content.Blocks, level)
		return err
	case disposition != "attachment" && (kind == "text/html" || kind == "application/xhtml+xml"):
		if m.page && len(m.out.blocks) > 0 {
			return nil // a frame of the page
		}
		data := header.transferred(body)
		declared := params["charset"]
		if declared == "" {
			declared = declaredCharset(data)
		}
		content, err := readHTML(m.ctx, decodeDeclared(data, declared))
		m.nest(content.Blocks, level)
		return err
	}
	if m.page {
		return nil
	}
	return m.attachment(name, kind, header.transferred(body), level+1, depth+1)
}

// multipart adds parts; of alternatives only the best: the last that has text, for they stand in
// the order of their richness.
func (m *mailbox) multipart(kind string, parts [][]byte, level, depth int) error {
	if kind != "multipart/alternative" {
		for _, p := range parts {
			header, body := splitHeader(p)
			if err := m.part(header, body, level, depth); err != nil {
				return err
			}
		}
		return nil
	}
	before := len(m.out.blocks)
	for i := len(parts) - 1; i >= 0 && len(m.out.blocks) == before; i-- {
		header, body := splitHeader(parts[i])
		if kind, _ := header.media("content-type"); kind == "text/calendar" {
			continue // what it says stands in the others, too
		}
		if err := m.part(header, body, level, depth); err != nil {
			return err
		}
	}
	return nil
}

// attachment adds what a file within the message says.
func (m *mailbox) attachment(name, kind string, data []byte, level, depth int) error {
	if strings.HasPrefix(kind, "image/") || len(data) == 0 {
		return nil
	}
	content, err := m.read(name, data, depth)
	if m.ctx.Err() != nil {
		return m.ctx.Err()
	}
	if name == "" {
		name = kind
	}
	switch {
	case errors.Is(err, ErrNoText):
		return nil
	case err != nil:
		m.warn("the attachment %s was not read: %v", name, err)
		return nil
	}
	m.out.climb(level)
	m.out.heading(level, name, domain.Place{})
	m.nest(content.Blocks, level)
	for _, w := range content.Warnings {
		m.warn("%s: %s", name, w)
	}
	return nil
}

// read reads a file within the message; one that makes its reader panic costs nothing else.
func (m *mailbox) read(name string, data []byte, depth int) (content domain.Content, err error) {
	defer func() {
		if p := recover(); p != nil {
			content, err = domain.Content{}, damaged(p)
		}
	}()
	src := source{ReaderAt: bytes.NewReader(data), name: name, size: int64(len(data))}
	format, err := detect(src)
	if err == nil && (format == formatEML || format == formatMBOX) {
		inner := mailbox{extractor: m.extractor, ctx: m.ctx, parts: m.parts, text: m.text}
		err = inner.messages(data, format, depth)
		m.parts = inner.parts
		return inner.content(), err
	}
	if err != nil {
		return domain.Content{}, err
	}
	return m.extractor.extract(m.ctx, src)
}

// nest adds blocks below a heading of this level. Lines are left out: they would be those of the part.
func (m *mailbox) nest(blocks []domain.Block, level int) {
	for i := range blocks {
		m.text += len(blocks[i].Text)
		blocks[i].Place.Line = 0
	}
	m.out.nest(level, blocks)
}

// splitMbox gives the messages of a mailbox. One begins with a line "From ..." after an empty line and
// before a header; a line of text that happens to begin so is not followed by one.
func splitMbox(data []byte) func(yield func([]byte) bool) {
	return func(yield func([]byte) bool) {
		from, empty := -1, true
		for at := 0; at < len(data); {
			end := len(data)
			if i := bytes.IndexByte(data[at:], '\n'); i >= 0 {
				end = at + i + 1
			}
			line := data[at:end]
			if empty && bytes.HasPrefix(line, []byte("From ")) && startsHeader(data[end:]) {
				if from >= 0 && !yield(data[from:at]) {
					return
				}
				from = end
			}
			empty = len(bytes.TrimSpace(line)) == 0
			at = end
		}
		if from >= 0 {
			yield(data[from:])
		}
	}
}

func startsHeader(data []byte) bool {
	line, _, _ := bytes.Cut(data[:min(len(data), 200)], []byte("\n"))
	name, _, ok := bytes.Cut(line, []byte(":"))
	return ok && isFieldName(string(name))
}

// detectMail tells messages, mailboxes and saved pages by the fields at their start.
func detectMail(head []byte, ext string) format {
	head = bytes.TrimPrefix(head, []byte("\xef\xbb\xbf"))
	found := formatEML
	if bytes.HasPrefix(head, []byte("From ")) {
		_, rest, _ := bytes.Cut(head, []byte("\n"))
		head, found = rest, formatMBOX
	}
	header, _ := splitHeader(head)
	known := 0
	for _, name := range []string{"from", "to", "subject", "date", "received", "return-path", "message-id", "mime-version", "content-type", "delivered-to"} {
		if _, ok := header[name]; ok {
			known++
		}
	}
	needed := 3
	switch ext {
	case ".eml", ".mbox", ".mht", ".mhtml":
		needed = 1
	}
	kind, _ := header.media("content-type")
	_, saved := header["snapshot-content-location"]
	switch {
	case known < needed:
		return ""
	case found == formatEML && (saved || (ext == ".mht" || ext == ".mhtml") && (kind == "multipart/related" || kind == "text/html")):
		return formatMHTML
	}
	return found
}
