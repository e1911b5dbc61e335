package extract

import (
	"context"
	"fmt"
	"net/mail"
	"strings"
	"time"

	"fanous/backend/domain"
)

const (
	// maxMailWarnings keeps a message from warning of each of its parts.
	maxMailWarnings = 20
	// ornament is how many bytes a picture within a message may have to be a logo, a smiley or a spy.
	ornament = 10 << 10

	encryptedMail = "the message, or a part of it, is encrypted"
)

// message is a message as it is read, whatever its format.
type message struct {
	format        format
	subject, from string
	dated         time.Time
	out           outline // its text
	text          int     // bytes of text so far
	attached      []attachment
	warnings      []string
}

// attachment is a document within a message.
type attachment struct {
	name    string
	format  format        // "": its content tells
	charset string        // see source
	data    func() []byte // nil if it is a message
	inner   func() (*message, error)
}

// readMessage reads a message of one of the two formats.
func readMessage(ctx context.Context, src source, format format) (*message, error) {
	if format == formatMSG {
		return readMSG(ctx, src)
	}
	data, err := src.all()
	if err != nil {
		return nil, err
	}
	return readMail(ctx, data)
}

func (m *message) warn(sentence string) {
	if len(m.warnings) < maxMailWarnings && (len(m.warnings) == 0 || m.warnings[len(m.warnings)-1] != sentence) {
		m.warnings = append(m.warnings, sentence)
	}
}

// begin adds the subject, as a heading, and who wrote to whom and when.
func (m *message) begin(to, cc, date string) {
	if m.subject != "" {
		m.out.heading(1, m.subject, domain.Place{})
	}
	var lines []string
	for _, field := range [][2]string{{"From", m.from}, {"To", to}, {"Cc", cc}, {"Date", date}} {
		if field[1] != "" {
			lines = append(lines, field[0]+": "+field[1])
		}
	}
	m.out.add(domain.KindParagraph, strings.Join(lines, "\n"), domain.Place{})
}

// add adds text below the subject. Lines are left out: they would be those of a part.
func (m *message) add(blocks []domain.Block) {
	for i := range blocks {
		m.text += len(blocks[i].Text)
		blocks[i].Place.Line = 0
	}
	level := 1
	if m.subject == "" {
		level = 0
	}
	m.out.nest(level, blocks)
}

// content is the message as a document: its text, and what else is attached to it.
func (m *message) content() domain.Content {
	var names []string
	for _, a := range m.attached {
		if a.name != "" {
			names = append(names, a.name)
		}
	}
	if len(names) > 0 {
		m.out.climb(2)
		m.out.add(domain.KindParagraph, "Attachments: "+strings.Join(names, ", "), domain.Place{})
	}
	return domain.Content{Format: string(m.format), Title: m.subject, Author: m.from, Dated: m.dated, Blocks: m.out.blocks, Warnings: m.warnings}
}

// message gives a message, then what is attached to it.
func (r *reading) message(m *message, found Found, depth int) {
	content := m.content()
	var err error
	if len(content.Blocks) == 0 {
		err = ErrNoText
	}
	r.give(found, content, err)
	r.attachments(m.attached, found, depth)
}

// attachments reads the files that are attached to a document.
func (r *reading) attachments(all []attachment, found Found, depth int) {
	for _, a := range all {
		if r.done() {
			return
		}
		r.attachment(a, r.names.unique(found.Member, flatName(a.name, "attachment")), depth+1)
	}
}

func (r *reading) attachment(a attachment, member string, depth int) {
	if !r.leads(member) {
		return
	}
	if a.data != nil {
		d := held(a.name, member, a.data(), depth)
		d.format, d.charset = a.format, a.charset
		r.document(d)
		return
	}
	found := Found{Member: member}
	if depth > maxDepth {
		r.give(found, domain.Content{}, errMemberDepth)
		return
	}
	m := &message{}
	_, err := guard(func() (content domain.Content, err error) {
		m, err = a.inner()
		return
	})
	if err != nil {
		r.give(found, domain.Content{Format: string(formatMSG)}, err)
		return
	}
	r.message(m, found, depth)
}

// isOrnament says that a picture within a message is too small for anybody to have written in it.
func isOrnament(data []byte) bool { return len(data) < ornament }

// parseMailDate reads the date of a message, in the ways in which programs write it; zero for any other.
func parseMailDate(s string) time.Time {
	if i := strings.Index(s, " ("); i > 0 { // a remark
		s = s[:i]
	}
	if t, err := mail.ParseDate(s); err == nil {
		return believable(t)
	}
	for _, layout := range []string{time.RFC3339, "2006-01-02 15:04:05 -0700", "2006-01-02 15:04:05", "Mon, 2 Jan 2006 15:04:05", "2 Jan 2006 15:04:05",
		time.ANSIC, "Mon Jan 2 15:04:05 MST 2006", "Mon Jan 2 15:04:05 -0700 2006", "Mon, 2 Jan 2006 15:04:05 -07:00", "1/2/2006 15:04:05", "2006/01/02 15:04:05"} {
		if t, err := time.Parse(layout, s); err == nil {
			return believable(t)
		}
	}
	return time.Time{}
}

// memberNumber names a message of a mailbox so that the names sort as the messages stand.
func memberNumber(n int, subject string) string {
	return flatName(strings.TrimSpace(fmt.Sprintf("%04d %s", n, subject)), "")
}
