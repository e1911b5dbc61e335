package extract

import (
	"strings"
	"time"
)

// dated is when the document says that it was made, else when it was changed last.
func (d *pdfDocument) dated() time.Time {
	for _, tag := range []string{"CreationDate", "ModDate"} {
		if t := parsePDFDate(d.meta(tag)); !t.IsZero() {
			return t
		}
	}
	return time.Time{}
}

// parsePDFDate reads "D:YYYYMMDDHHmmSSOHH'mm'", of which everything behind the year may be left out; zero: it is none.
// Without a zone it is taken for universal time.
func parsePDFDate(text string) time.Time {
	text = strings.ReplaceAll(strings.TrimPrefix(strings.TrimSpace(text), "D:"), "'", "")
	digits, zone := text, ""
	if i := strings.IndexAny(text, "+-Zz"); i >= 0 {
		digits, zone = text[:i], text[i:]
	}
	const layout = "20060102150405"
	if len(digits) < len("2006") || len(digits) > len(layout) {
		return time.Time{}
	}
	t, err := time.Parse(layout[:len(digits)], digits)
	if err != nil || t.Year() < 1 {
		return time.Time{}
	}
	if len(zone) < len("+07") || zone[0] == 'Z' || zone[0] == 'z' {
		return t
	}
	offset, err := time.Parse("-0700"[:min(len(zone), len("-0700"))], zone[:min(len(zone), len("-0700"))])
	if err != nil {
		return t
	}
	_, seconds := offset.Zone()
	return t.Add(-time.Duration(seconds) * time.Second)
}
