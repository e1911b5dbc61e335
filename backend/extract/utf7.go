package extract

import (
	"encoding/base64"
	"strings"
	"unicode/utf16"
)

// isUTF7 says that this is what UTF-7 is called, the encoding of old mail that is all of ASCII characters (RFC 2152).
func isUTF7(label string) bool {
	label = strings.ToLower(label)
	return label == "utf-7" || label == "utf7" || label == "unicode-1-1-utf-7"
}

// fromUTF7 decodes UTF-7: what stands between "+" and "-", or the first character that is none of base64, is UTF-16. What
// is no valid run stays as it is.
func fromUTF7(s string) string {
	var out strings.Builder
	for {
		before, rest, found := strings.Cut(s, "+")
		out.WriteString(before)
		if !found {
			return out.String()
		}
		n := 0
		for n < len(rest) && isBase64(rest[n]) {
			n++
		}
		text, ok := utf16Run(rest[:n])
		switch {
		case n == 0 && strings.HasPrefix(rest, "-"):
			text = "+"
		case !ok:
			text = "+" + rest[:n]
		}
		out.WriteString(text)
		if s = rest[n:]; n == 0 || ok {
			s = strings.TrimPrefix(s, "-")
		}
	}
}

func isBase64(c byte) bool {
	return c|0x20 >= 'a' && c|0x20 <= 'z' || c >= '0' && c <= '9' || c == '+' || c == '/'
}

// utf16Run decodes one run, whose last bits may be left over.
func utf16Run(run string) (text string, ok bool) {
	data, err := base64.RawStdEncoding.DecodeString(run)
	if err != nil || len(data) < 2 {
		return "", false
	}
	units := make([]uint16, len(data)/2)
	for i := range units {
		units[i] = uint16(data[2*i])<<8 | uint16(data[2*i+1])
	}
	return string(utf16.Decode(units)), true
}
