package extract

import (
	"context"
	"strings"
	"time"

	"fanous/backend/domain"
)

// cardFields are what people read of an event or a person, by their names in a file, with what they are called in the text.
var cardFields = map[string]string{
	"DTSTART": "Start", "DTEND": "End", "DUE": "Due", "LOCATION": "Place", "ORGANIZER": "Organizer", "ATTENDEE": "Attendee", "CONTACT": "Contact",
	"CATEGORIES": "Categories", "URL": "URL", "N": "Name", "NICKNAME": "Nickname", "ORG": "Organization", "TITLE": "Title", "ROLE": "Role",
	"TEL": "Phone", "EMAIL": "Mail", "ADR": "Address", "BDAY": "Born", "IMPP": "Chat",
}

// readCards reads the events of a calendar (iCalendar) or the people of an address book (vCard): each under its name.
func readCards(ctx context.Context, text string) (domain.Content, error) {
	r := cardReader{}
	for l := range cardLines(text) {
		if err := ctx.Err(); err != nil {
			return domain.Content{}, err
		}
		r.field(l)
	}
	r.end()
	return domain.Content{Title: r.title, Blocks: r.out.blocks}, nil
}

// cardReader collects what is said of one event or person after the other.
type cardReader struct {
	out   outline
	title string // of the calendar

	open   string // what is being read, VEVENT or such; "" between them
	inner  int    // parts of it that are open
	place  domain.Place
	name   string
	fields []string
	notes  []string
}

func (r *cardReader) field(l cardLine) {
	kind := strings.ToUpper(l.value)
	switch {
	case l.name == "BEGIN" && r.open != "":
		r.inner++
	case l.name == "BEGIN" && (kind == "VEVENT" || kind == "VTODO" || kind == "VJOURNAL" || kind == "VCARD"):
		r.open, r.place = kind, domain.Place{Line: l.number}
	case l.name == "END" && r.inner > 0:
		r.inner--
	case l.name == "END" && kind == r.open:
		r.end()
	case l.name == "X-WR-CALNAME":
		r.title = l.text()
	case r.open != "" && r.inner == 0: // an alarm says nothing new
		r.about(l)
	}
}

// about adds a field of what is being read.
func (r *cardReader) about(l cardLine) {
	switch l.name {
	case "SUMMARY", "FN":
		r.name = l.text()
	case "DESCRIPTION", "NOTE", "COMMENT":
		r.notes = append(r.notes, l.text())
	default:
		label, value := cardFields[l.name], l.shown()
		if label != "" && value != "" && value != r.name {
			r.fields = append(r.fields, label+": "+value)
		}
	}
}

// end gives what was read of one event or person.
func (r *cardReader) end() {
	r.out.leave()
	if r.name != "" {
		r.out.heading(1, r.name, r.place)
	}
	r.out.add(domain.KindParagraph, strings.Join(r.fields, "\n"), r.place)
	for _, note := range r.notes {
		r.out.add(domain.KindParagraph, note, r.place)
	}
	r.open, r.inner, r.name, r.fields, r.notes = "", 0, "", nil, nil
}

// shown is the value of a field as people read it.
func (l cardLine) shown() string {
	switch l.name {
	case "DTSTART", "DTEND", "DUE", "BDAY":
		return l.date()
	case "ORGANIZER", "ATTENDEE":
		return person(clean(l.params["CN"]), l.address())
	case "N", "ORG", "ADR": // parts, of which some are empty
		var parts []string
		for _, part := range splitEscaped(l.value) {
			if part = (cardLine{value: part}).text(); part != "" {
				parts = append(parts, part)
			}
		}
		return strings.Join(parts, ", ")
	}
	return l.text()
}

// address is a mail address without what says that it is one.
func (l cardLine) address() string {
	const scheme = "mailto:"
	if text := l.text(); len(text) > len(scheme) && strings.EqualFold(text[:len(scheme)], scheme) {
		return text[len(scheme):]
	}
	return l.text()
}

// date shows a date as other formats do; one of an unknown form stays as it is.
func (l cardLine) date() string {
	zone := l.params["TZID"]
	if zone != "" {
		zone = " " + zone
	}
	for _, form := range []struct{ layout, shown string }{
		{"20060102T150405Z", "2006-01-02 15:04 UTC"}, {"20060102T150405", "2006-01-02 15:04"}, {"20060102", time.DateOnly},
	} {
		if t, err := time.Parse(form.layout, l.value); err == nil {
			return t.Format(form.shown) + zone
		}
	}
	return l.text()
}

// text is a value without the marks that keep its commas and line ends apart from those of the file.
func (l cardLine) text() string {
	return clean(cardEscapes.Replace(l.value))
}

var cardEscapes = strings.NewReplacer(`\\`, `\`, `\n`, "\n", `\N`, "\n", `\,`, ",", `\;`, ";")

// splitEscaped cuts at semicolons, unless one has a backslash before it.
func splitEscaped(s string) []string {
	var parts []string
	from := 0
	for i := 0; i < len(s); i++ {
		switch s[i] {
		case '\\':
			i++
		case ';':
			parts = append(parts, s[from:i])
			from = i + 1
		}
	}
	return append(parts, s[from:])
}
