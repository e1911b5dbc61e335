package language

import (
	"regexp"
	"strings"
	"unicode/utf8"

	"golang.org/x/text/unicode/norm"
)

// PathPattern is what file: asks for: a part of a name, or with * and ? in it whole steps of its path. A star stands for
// anything within a step, two for anything at all.
type PathPattern struct {
	part    string
	steps   *regexp.Regexp // nil: part
	literal string         // the longest part that steps has without stars
}

// NewPathPattern understands any string.
func NewPathPattern(value string) PathPattern {
	p := PathPattern{part: foldPath(value)}
	if !strings.ContainsAny(p.part, "*?") {
		return p
	}
	var b strings.Builder
	if strings.HasPrefix(p.part, "/") {
		b.WriteString("^")
	} else {
		b.WriteString("(^|/)")
	}
	for rest := p.part; rest != ""; {
		switch {
		case strings.HasPrefix(rest, "**"):
			b.WriteString(".*")
			rest = strings.TrimLeft(rest, "*")
		case rest[0] == '*':
			b.WriteString("[^/]*")
			rest = rest[1:]
		case rest[0] == '?':
			b.WriteString("[^/]")
			rest = rest[1:]
		default:
			n := strings.IndexAny(rest, "*?")
			if n < 0 {
				n = len(rest)
			}
			b.WriteString(regexp.QuoteMeta(rest[:n]))
			if n > len(p.literal) {
				p.literal = rest[:n]
			}
			rest = rest[n:]
		}
	}
	if !strings.HasSuffix(p.part, "/") {
		b.WriteString("(/|$)")
	}
	steps, err := regexp.Compile("(?s)" + b.String())
	if err != nil { // too long a value
		return p
	}
	p.steps = steps
	return p
}

// Matches says whether a name has the part, or the steps. A name is a path, and what domain.Location makes of one with a path
// within the file.
func (p PathPattern) Matches(name string) bool {
	name = foldPath(name)
	if p.steps != nil {
		return strings.Contains(name, p.literal) && p.steps.MatchString(name)
	}
	return strings.Contains(name, p.part)
}

// usable says whether the pattern tells any names from others.
func (p PathPattern) usable() bool { return strings.Trim(p.part, "*?/ ") != "" }

// foldPath is the form in which names are compared: of any case, composed, with one kind of letters, digits and slashes.
func foldPath(s string) string {
	if isASCII(s) {
		return strings.ReplaceAll(strings.ToLower(s), `\`, "/")
	}
	return strings.Map(func(r rune) rune {
		switch {
		case r == '\\':
			return '/'
		case r >= '۰' && r <= '۹':
			return '0' + r - '۰'
		case r >= '٠' && r <= '٩':
			return '0' + r - '٠'
		case r == utf8.RuneError:
			return r
		}
		return r
	}, hintKey(norm.NFC.String(strings.ToLower(s)), inArabicScript))
}
