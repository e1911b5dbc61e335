package extract

import (
	"context"
	"fmt"
	"slices"
	"strings"
	"time"

	"fanous/backend/domain"
)

const (
	// maxRecipients is how many people a message may be to.
	maxRecipients = 10_000

	// How long the heads of lists of properties are.
	mapiTopHead   = 32
	mapiInnerHead = 24
	mapiPartHead  = 8
)

// readMSG reads a message as Outlook saves it.
func readMSG(ctx context.Context, src source) (*message, error) {
	file, err := openCompound(src)
	if err != nil {
		return nil, err
	}
	return outlookMessage(ctx, file.object("", mapiTopHead, 0))
}

// outlookMessage reads a message, which may be one within another.
func outlookMessage(ctx context.Context, o *mapiObject) (*message, error) {
	m := &message{format: formatMSG, subject: outlookSubject(o.text(mapiSubject)), dated: o.time(mapiSubmitted)}
	headers, _ := splitHeader([]byte(o.text(mapiHeaders)))
	date := headers.text("date")
	if m.dated.IsZero() {
		m.dated = o.time(mapiDelivered)
	}
	if m.dated.IsZero() {
		m.dated = parseMailDate(date)
	}
	if date == "" && !m.dated.IsZero() {
		date = m.dated.Format(time.RFC1123Z)
	}
	m.from = person(o.first(mapiFromName, mapiSenderName), o.first(mapiFromSMTP, mapiSenderSMTP, mapiSenderAddress))
	if m.from == "" {
		m.from = headers.text("from")
	}
	to, cc := recipients(o)
	m.begin(to, cc, date)
	content, err := outlookBody(ctx, o)
	if err != nil {
		return nil, err
	}
	m.add(content.Blocks)
	sealed := strings.Contains(strings.ToUpper(o.text(mapiClass)), "SMIME")
	for _, storage := range o.parts("__ATTACH_VERSION1.0_#", maxParts) {
		part := o.file.object(storage, mapiPartHead, o.page)
		if sealed && m.unseal(ctx, part.raw(mapiData, mapiTypeBinary)) {
			continue
		}
		m.attachFrom(ctx, part)
	}
	return m, ctx.Err()
}

// unseal adds the message that is signed, and comes as the attachment of one that has nothing else.
func (m *message) unseal(ctx context.Context, data []byte) bool {
	r := mailReader{message: m, ctx: ctx}
	if unwrapped, err := r.unwrap(data, 0); unwrapped {
		return err == nil
	}
	header, body := splitHeader(data)
	return m.text == 0 && strings.HasPrefix(header["content-type"], "multipart/signed") && r.part(header, body, 0) == nil
}

// outlookSubject takes away the mark that says how long the "Re:" is.
func outlookSubject(s string) string {
	if runes := []rune(s); len(runes) > 2 && runes[0] == 1 {
		s = string(runes[2:])
	}
	return clean(s)
}

func person(name, address string) string {
	switch {
	case !strings.Contains(address, "@") || strings.Contains(name, address): // within an office addresses are of another kind
		return name
	case name == "":
		return address
	}
	return name + " <" + address + ">"
}

func recipients(o *mapiObject) (to, cc string) {
	var lists [2][]string
	for _, storage := range o.parts("__RECIP_VERSION1.0_#", maxRecipients) {
		r := o.file.object(storage, mapiPartHead, o.page)
		kind := r.number(mapiRecipientKind) & 0xf
		if who := person(r.text(mapiName), r.first(mapiSMTP, mapiAddress)); who != "" && kind >= 0 && kind <= 2 {
			list := &lists[max(0, kind-1)]
			*list = append(*list, who)
		}
	}
	return strings.Join(lists[0], ", "), strings.Join(lists[1], ", ")
}

// parts gives the storages in this one whose names begin so, in their order.
func (o *mapiObject) parts(prefix string, limit int) []string {
	var out []string
	for name := range o.file.storages[o.storage] {
		if strings.HasPrefix(name, prefix) {
			out = append(out, o.inner(name))
		}
	}
	slices.Sort(out)
	return out[:min(len(out), limit)]
}

func (o *mapiObject) inner(name string) string {
	if o.storage == "" {
		return name
	}
	return o.storage + "/" + name
}

// outlookBody reads the richest of the forms that a message keeps its text in.
func outlookBody(ctx context.Context, o *mapiObject) (domain.Content, error) {
	page := pageLabel(o.number(mapiInternetPage))
	html := o.raw(mapiHTML, mapiTypeBinary)
	if html == nil {
		html = []byte(o.text(mapiHTML))
	}
	if len(html) > 0 {
		if content, err := readMarked(ctx, html, page); err != nil || len(content.Blocks) > 0 {
			return content, err
		}
	}
	if text := o.text(mapiBody); text != "" {
		return readText(ctx, text)
	}
	rtf, err := inflateRTF(o.raw(mapiRTF, mapiTypeBinary))
	if err != nil || len(rtf) == 0 {
		return domain.Content{}, err
	}
	return readRTF(ctx, rtf)
}

// attachFrom adds an attachment.
func (m *message) attachFrom(ctx context.Context, o *mapiObject) {
	a := attachment{name: o.first(mapiLongName, mapiShortName, mapiName)}
	switch o.number(mapiMethod) {
	case mapiByMessage:
		storage := o.inner(fmt.Sprintf("__SUBSTG1.0_%04X%04X", mapiData, mapiTypeObject))
		a.inner = func() (*message, error) {
			return outlookMessage(ctx, o.file.object(storage, mapiInnerHead, o.page))
		}
		if a.name == "" {
			a.name = outlookSubject(o.file.object(storage, mapiInnerHead, o.page).text(mapiSubject))
		}
	case mapiByOLE:
		m.warn("an object that was pasted into the message was not read")
		return
	default:
		a.data = func() []byte { return o.raw(mapiData, mapiTypeBinary) }
		if strings.HasPrefix(o.text(mapiMediaType), "image/") && o.text(mapiContentID) != "" && isOrnament(a.data()) {
			return
		}
	}
	m.attached = append(m.attached, a)
}
