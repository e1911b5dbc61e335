package extract

import (
	"regexp"
	"strconv"
	"strings"
	"unicode"
	"unicode/utf16"

	"golang.org/x/text/unicode/norm"
)

var (
	unicodeEscape = regexp.MustCompile(`\\+u(?:[0-9a-fA-F]{4}|\{[0-9a-fA-F]{1,6}\})`)

	texBraced  = regexp.MustCompile("\\\\(?:([\"'`^~=.])|([cvHkrubd]) ?)\\{\\\\?([A-Za-z])\\}")
	texAccent  = regexp.MustCompile("\\\\([\"'`^~=.])\\\\?([A-Za-z])")
	texSpecial = regexp.MustCompile(`\\(ss|ae|AE|oe|OE|aa|AA|o|O|l|L|i|j)(?:\{\}|[ \t]|\b)`)
	texLetter  = regexp.MustCompile(`(\\[A-Za-z]+)?\{(\pL)\}`) // in braces alone, if it is not what a command is about
)

// unescape gives the letters that programs, their settings and their logs write by number (\u0633): others than those of
// ASCII, which need not be written so.
func unescape(text string) string {
	if !strings.Contains(text, `\u`) {
		return text
	}
	return unicodeEscape.ReplaceAllStringFunc(text, func(s string) string {
		slashes := strings.IndexByte(s, 'u')
		c, err := strconv.ParseUint(strings.Trim(s[slashes+1:], "{}"), 16, 32)
		r := rune(c)
		if slashes%2 == 0 || err != nil || c < 0x80 || utf16.IsSurrogate(r) || !unicode.In(r, unicode.L, unicode.M, unicode.Nd, unicode.Cf) {
			return s
		}
		return s[:slashes-1] + string(r)
	})
}

// texMarks are the marks that TeX's commands set upon a letter.
var texMarks = map[string]string{
	`"`: "\u0308", "'": "\u0301", "`": "\u0300", "^": "\u0302", "~": "\u0303", "=": "\u0304", ".": "\u0307",
	"c": "\u0327", "v": "\u030c", "H": "\u030b", "k": "\u0328", "r": "\u030a", "u": "\u0306", "b": "\u0331", "d": "\u0323",
}

var texLetters = map[string]string{
	"ss": "ß", "ae": "æ", "AE": "Æ", "oe": "œ", "OE": "Œ", "aa": "å", "AA": "Å", "o": "ø", "O": "Ø", "l": "ł", "L": "Ł", "i": "ı", "j": "ȷ",
}

// fromTeX gives the letters that TeX writes by commands (M\"uller, M{\"u}ller, stra\ss e). All other commands stay.
func fromTeX(text string) string {
	for _, accent := range []*regexp.Regexp{texBraced, texAccent} {
		text = accent.ReplaceAllStringFunc(text, func(s string) string {
			m := accent.FindStringSubmatch(s)
			letter := m[len(m)-1]
			return norm.NFC.String(letter + texMarks[m[1]+strings.Join(m[2:len(m)-1], "")])
		})
	}
	text = texSpecial.ReplaceAllStringFunc(text, func(s string) string { return texLetters[texSpecial.FindStringSubmatch(s)[1]] })
	return texLetter.ReplaceAllStringFunc(text, func(s string) string {
		if m := texLetter.FindStringSubmatch(s); m[1] == "" {
			return m[2]
		}
		return s
	})
}
