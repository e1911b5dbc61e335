package extract

import (
	"iter"
	"strings"
)

// cardLine is a field of a calendar or an address book.
type cardLine struct {
	name   string // in capitals
	params map[string]string
	value  string
	number int // of its first line
}

// cardLines gives the fields of a file, with long lines put together again.
func cardLines(text string) iter.Seq[cardLine] {
	return func(yield func(cardLine) bool) {
		var pieces []string // of one field
		number, first, quoted := 0, 0, false
		give := func() bool {
			l, ok := parseCardLine(strings.Join(pieces, ""))
			l.number = first
			return !ok || yield(l)
		}
		for line := range strings.Lines(text) {
			number++
			line = strings.TrimRight(line, "\r\n")
			last := len(pieces) - 1
			switch {
			case last >= 0 && line != "" && (line[0] == ' ' || line[0] == '\t'):
				pieces = append(pieces, line[1:])
				continue
			case quoted && strings.HasSuffix(pieces[last], "="): // as vCard 2.1 breaks its lines
				pieces[last] = strings.TrimSuffix(pieces[last], "=")
				pieces = append(pieces, line)
				continue
			}
			if !give() {
				return
			}
			head, _, _ := strings.Cut(line, ":")
			pieces, first, quoted = []string{line}, number, strings.Contains(strings.ToUpper(head), "QUOTED-PRINTABLE")
		}
		give()
	}
}

// parseCardLine reads "group.NAME;PARAMETER=value;...:value".
func parseCardLine(s string) (l cardLine, ok bool) {
	head, value, ok := cutUnquoted(s, ':')
	if !ok {
		return l, false
	}
	l.value = value
	name, rest, more := cutUnquoted(head, ';')
	if _, after, grouped := strings.Cut(name, "."); grouped {
		name = after
	}
	l.name, l.params = strings.ToUpper(strings.TrimSpace(name)), map[string]string{}
	for more {
		var param string
		param, rest, more = cutUnquoted(rest, ';')
		key, v, _ := strings.Cut(param, "=")
		l.params[strings.ToUpper(key)] = strings.Trim(v, `"`)
		if strings.EqualFold(param, "QUOTED-PRINTABLE") { // as the oldest programs write it
			l.params["ENCODING"] = param
		}
	}
	if strings.EqualFold(l.params["ENCODING"], "QUOTED-PRINTABLE") {
		l.value = decode(fromQuoted([]byte(value)), l.params["CHARSET"])
	}
	return l, true
}

// cutUnquoted is strings.Cut at the first of a character that does not stand in quotes.
func cutUnquoted(s string, sep byte) (before, after string, found bool) {
	quoted := false
	for i := range len(s) {
		switch {
		case s[i] == '"':
			quoted = !quoted
		case s[i] == sep && !quoted:
			return s[:i], s[i+1:], true
		}
	}
	return s, "", false
}
