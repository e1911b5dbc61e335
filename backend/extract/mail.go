package extract

import (
	"bytes"
	"context"
	"errors"
	"regexp"
	"strconv"
	"strings"

	"fanous/backend/domain"
)

const (
	// maxParts is how many parts of a message are read, and maxPartDepth how deep they nest.
	maxParts     = 100_000
	maxPartDepth = 20
	// maxMailText is how much text of a message is kept.
	maxMailText = maxTextFile
)

// readMail reads a message in the form in which it travels.
func readMail(ctx context.Context, data []byte) (*message, error) {
	header, body := splitHeader(withoutCount(data))
	m := &message{format: formatEML, subject: header.text("subject"), from: header.text("from"), dated: parseMailDate(header.text("date"))}
	m.begin(header.text("to"), header.text("cc"), header.text("date"))
	r := mailReader{ctx: ctx, message: m}
	err := r.part(header, body, 0)
	return m, err
}

// readMHTML reads a saved web page: its first page of HTML.
func readMHTML(ctx context.Context, data []byte) (domain.Content, error) {
	header, body := splitHeader(data)
	m := &message{}
	r := mailReader{ctx: ctx, message: m, page: true}
	err := r.part(header, body, 0)
	return domain.Content{Title: header.text("subject"), Author: r.author, Dated: parseMailDate(header.text("date")), Blocks: m.out.blocks, Warnings: m.warnings}, err
}

// mailReader adds the parts of a message to it.
type mailReader struct {
	*message
	ctx    context.Context
	page   bool   // only the first page of HTML counts
	author string // of that page
	parts  int
}

// part adds a message's body or one part of it.
func (r *mailReader) part(header mailHeader, body []byte, depth int) error {
	if err := r.ctx.Err(); err != nil {
		return err
	}
	if r.parts++; r.parts > maxParts || depth > maxPartDepth || r.text > maxMailText {
		r.warn("parts of the message were left out: there are too many, or too much in them")
		return nil
	}
	kind, params := header.media("content-type")
	disposition, _ := header.media("content-disposition")
	name := header.fileName()
	shown := disposition != "attachment"
	switch {
	case strings.HasPrefix(kind, "multipart/") && params["boundary"] != "":
		if kind == "multipart/encrypted" {
			r.warn(encryptedMail)
		}
		return r.multipart(kind, splitParts(body, params["boundary"], maxParts), depth+1)
	case r.page && (kind != "text/html" && kind != "application/xhtml+xml" || len(r.out.blocks) > 0): // beside the page, or a frame of it
		return nil
	case shown && (kind == "" || kind == "text/plain" && name == "" || strings.HasPrefix(kind, "multipart/")):
		return r.plain(decodeDeclared(header.transferred(body), params["charset"]), strings.EqualFold(params["delsp"], "yes"))
	case shown && kind == "text/calendar":
		content, err := readCards(r.ctx, decodeDeclared(header.transferred(body), params["charset"]))
		r.add(content.Blocks)
		return err
	case kind == "application/pkcs7-mime" || kind == "application/x-pkcs7-mime":
		if unwrapped, err := r.unwrap(header.transferred(body), depth+1); unwrapped {
			return err
		}
	case kind == "application/pgp-encrypted": // says only that the next part is
		return nil
	case shown && (kind == "text/html" || kind == "application/xhtml+xml"):
		content, err := readMarked(r.ctx, header.transferred(body), params["charset"])
		r.author = content.Author
		r.add(content.Blocks)
		return err
	}
	r.attach(header, kind, name, body)
	return nil
}

const pgpMessage = "-----BEGIN PGP MESSAGE-----"

// pgpArmour is what nobody reads in a text: what is encrypted, and the signature below a signed one.
var pgpArmour = regexp.MustCompile(`(?s)-----BEGIN PGP (MESSAGE|SIGNATURE|PUBLIC KEY BLOCK)-----.*?(-----END PGP [A-Z ]+-----|$)`)

// plain adds text, and attaches the files that stand in it. flowed says that a space before the end of a line is there only
// to be taken away with it.
func (r *mailReader) plain(text string, flowed bool) error {
	if flowed {
		text = strings.ReplaceAll(text, " \n", "")
	}
	if strings.Contains(text, pgpMessage) {
		r.warn(encryptedMail)
	}
	text, files := withoutUU(pgpArmour.ReplaceAllString(text, ""))
	r.attached = append(r.attached, files...)
	content, err := readText(r.ctx, text)
	r.add(content.Blocks)
	return err
}

// attach adds what is no text of the message itself, to be read as a document of its own.
func (r *mailReader) attach(header mailHeader, kind, name string, body []byte) {
	switch kind {
	case "application/pkcs7-signature", "application/x-pkcs7-signature", "application/pgp-signature":
		return
	case "message/rfc822", "message/global":
		if name == "" {
			inner, _ := splitHeader(header.transferred(body))
			name = inner.text("subject")
		}
	}
	data := func() []byte { return header.transferred(body) }
	disposition, _ := header.media("content-disposition")
	if strings.HasPrefix(kind, "image/") && disposition != "attachment" && isOrnament(data()) {
		return
	}
	_, params := header.media("content-type")
	a := attachment{name: name, data: data, charset: params["charset"]}
	if kind == "message/rfc822" || kind == "message/global" {
		a.format = formatEML
	}
	r.attached = append(r.attached, a)
}

// multipart adds parts; of alternatives only the best: the last that has text, for they stand in
// the order of their richness.
func (r *mailReader) multipart(kind string, parts [][]byte, depth int) error {
	if kind != "multipart/alternative" {
		for _, p := range parts {
			header, body := splitHeader(p)
			if kind == "multipart/digest" && header["content-type"] == "" {
				header["content-type"] = "message/rfc822"
			}
			if err := r.part(header, body, depth); err != nil {
				return err
			}
		}
		return nil
	}
	before := len(r.out.blocks)
	var invitations [][]byte
	for i := len(parts) - 1; i >= 0 && len(r.out.blocks) == before; i-- {
		header, body := splitHeader(parts[i])
		if kind, _ := header.media("content-type"); kind == "text/calendar" {
			invitations = append(invitations, parts[i])
			continue // the others may say why, and not when and where
		}
		if err := r.part(header, body, depth); err != nil {
			return err
		}
	}
	return r.multipart("", invitations, depth)
}

// unwrap adds the parts of what is signed in one piece with its signature, and says whether this was such.
func (r *mailReader) unwrap(data []byte, depth int) (bool, error) {
	content, err := signedContent(data)
	if errors.Is(err, errEncrypted) {
		r.warn(encryptedMail)
	}
	header, body := splitHeader(content)
	if err != nil || header["content-type"] == "" {
		return false, nil
	}
	return true, r.part(header, body, depth)
}

// withoutCount takes away what Apple Mail keeps around a message (EMLX): how many bytes it has, and what is known of it.
func withoutCount(data []byte) []byte {
	line, rest, _ := bytes.Cut(data[:min(len(data), 20)], []byte("\n"))
	n, err := strconv.Atoi(strings.TrimSpace(string(line)))
	if err != nil || n <= 0 || len(rest) == 0 {
		return data
	}
	rest = data[len(line)+1:]
	return rest[:min(n, len(rest))]
}

func startsHeader(data []byte) bool {
	line, _, _ := bytes.Cut(data[:min(len(data), 200)], []byte("\n"))
	name, _, ok := bytes.Cut(line, []byte(":"))
	return ok && isFieldName(string(name))
}

// detectMail tells messages, mailboxes and saved pages by the fields at their start.
func detectMail(head []byte, ext string) format {
	head = withoutCount(bytes.TrimPrefix(head, []byte("\xef\xbb\xbf")))
	found := formatEML
	if bytes.HasPrefix(head, []byte("From ")) && !bytes.HasPrefix(head, []byte("From :")) {
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
