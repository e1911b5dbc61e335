package extract

import (
	"bytes"
	"encoding/base64"
	"mime"
	"regexp"
	"strings"

	"golang.org/x/net/html/charset"
)

// maxField is how much of a header field is read, about, in bytes.
const maxField = 64 << 10

// mailHeader is the fields of a message or part by lower-case name, the first of each, undecoded.
type mailHeader map[string]string

// splitHeader reads the fields at the start of data, whatever ends its lines, and gives the rest.
func splitHeader(data []byte) (mailHeader, []byte) {
	h := mailHeader{}
	last := ""
	for len(data) > 0 {
		line, rest, _ := bytes.Cut(data, []byte("\n"))
		text := strings.TrimRight(string(line), "\r")
		if text == "" {
			return h, rest
		}
		name, value, ok := strings.Cut(text, ":")
		name = strings.TrimRight(name, " \t") // as in the mail of the eighties
		switch {
		case text[0] == ' ' || text[0] == '\t':
			if last != "" && len(h[last]) < maxField {
				h[last] += " " + strings.TrimSpace(text)
			}
		case ok && isFieldName(name):
			last = strings.ToLower(name)
			if _, twice := h[last]; twice {
				last = ""
			} else {
				h[last] = strings.TrimSpace(value)
			}
		default: // no header any more, though no empty line said so
			return h, data
		}
		data = rest
	}
	return h, nil
}

func isFieldName(s string) bool {
	for i := range len(s) {
		if s[i] <= ' ' || s[i] > '~' {
			return false
		}
	}
	return s != ""
}

var (
	wordPattern      = regexp.MustCompile(`=\?([^?\s]+)\?([bBqQ])\?([^?]*)\?=`)
	parameterPattern = regexp.MustCompile(`(?i)[;\s](boundary|charset|name|filename)\s*=\s*("[^"]*"|[^;\s]+)`)
)

// text gives a field as people read it. Words of one encoding that follow each other are decoded
// together, for some programs cut a character in two between them.
func (h mailHeader) text(name string) string {
	raw := h[name]
	var b strings.Builder
	var bytes []byte
	declared, at := "", 0
	flush := func() {
		b.WriteString(decodeDeclared(bytes, declared))
		bytes, declared = nil, ""
	}
	for _, m := range wordPattern.FindAllStringSubmatchIndex(raw, -1) {
		between := raw[at:m[0]]
		label, word := strings.ToLower(raw[m[2]:m[3]]), raw[m[6]:m[7]]
		label, _, _ = strings.Cut(label, "*") // a language may follow
		if at == 0 || strings.TrimSpace(between) != "" {
			flush()
			b.WriteString(decode([]byte(between), ""))
		}
		if label != declared {
			flush()
			declared = label
		}
		if raw[m[4]]|0x20 == 'b' {
			bytes = append(bytes, fromBase64([]byte(word))...)
		} else {
			bytes = append(bytes, fromQuoted([]byte(strings.ReplaceAll(word, "_", "=20")))...)
		}
		at = m[1]
	}
	flush()
	b.WriteString(decode([]byte(raw[at:]), ""))
	return strings.Join(strings.Fields(clean(b.String())), " ")
}

// media gives the type that a field declares and its parameters, as far as they can be made out.
func (h mailHeader) media(name string) (kind string, params map[string]string) {
	kind, params, err := mime.ParseMediaType(h[name])
	if err != nil || params == nil {
		kind, _, _ = strings.Cut(h[name], ";")
		kind, params = strings.ToLower(strings.TrimSpace(kind)), map[string]string{}
		for _, m := range parameterPattern.FindAllStringSubmatch(h[name], -1) {
			params[strings.ToLower(m[1])] = strings.Trim(m[2], `"`)
		}
	}
	return kind, params
}

// fileName is what the sender calls a part.
func (h mailHeader) fileName() string {
	for _, field := range []struct{ header, parameter string }{{"content-disposition", "filename"}, {"content-type", "name"}} {
		if _, params := h.media(field.header); params[field.parameter] != "" {
			return mailHeader{"": params[field.parameter]}.text("")
		}
	}
	return ""
}

// decodeDeclared decodes what names its encoding, rightly or wrongly. The Japanese one of mail, and UTF-7, are
// all of ASCII characters, and so are not to be told by their bytes.
func decodeDeclared(data []byte, declared string) string {
	if isUTF7(declared) {
		return tidy(fromUTF7(string(data)))
	}
	if enc, name := charset.Lookup(declared); name == "iso-2022-jp" {
		return tidy(convert(data, enc))
	}
	return decode(data, declared)
}

// transferred undoes the encoding in which a part travelled.
func (h mailHeader) transferred(body []byte) []byte {
	switch strings.ToLower(h["content-transfer-encoding"]) {
	case "base64":
		return fromBase64(body)
	case "quoted-printable":
		return fromQuoted(body)
	}
	return body
}

// fromBase64 decodes what it can: other characters are passed over, and the end may be missing.
func fromBase64(data []byte) []byte {
	kept := make([]byte, 0, len(data))
	for _, c := range data {
		switch {
		case c|0x20 >= 'a' && c|0x20 <= 'z', c >= '0' && c <= '9', c == '+', c == '/':
			kept = append(kept, c)
		}
	}
	if len(kept)%4 == 1 {
		kept = kept[:len(kept)-1]
	}
	n, _ := base64.RawStdEncoding.Decode(kept, kept)
	return kept[:n]
}

// fromQuoted decodes quoted-printable; what is no valid escape stays as it is.
func fromQuoted(data []byte) []byte {
	out := make([]byte, 0, len(data))
	for i := 0; i < len(data); i++ {
		if data[i] != '=' {
			out = append(out, data[i])
			continue
		}
		rest := data[i+1:]
		switch {
		case len(rest) >= 2 && unhex(rest[0]) >= 0 && unhex(rest[1]) >= 0:
			out = append(out, byte(unhex(rest[0])<<4|unhex(rest[1])))
			i += 2
		case len(rest) >= 2 && rest[0] == '\r' && rest[1] == '\n': // a line that goes on
			i += 2
		case len(rest) >= 1 && rest[0] == '\n':
			i++
		default:
			out = append(out, '=')
		}
	}
	return out
}

// unhex gives the value of a digit of base 16, or -1.
func unhex(c byte) int {
	switch {
	case c >= '0' && c <= '9':
		return int(c - '0')
	case c|0x20 >= 'a' && c|0x20 <= 'f':
		return int(c|0x20-'a') + 10
	}
	return -1
}

// splitParts cuts the body of a multipart at its boundary lines. The last part may lack its end.
func splitParts(body []byte, boundary string, limit int) [][]byte {
	mark := []byte("--" + boundary)
	var parts [][]byte
	from := -1
	for at := 0; at < len(body); {
		end := len(body)
		if i := bytes.IndexByte(body[at:], '\n'); i >= 0 {
			end = at + i + 1
		}
		if after, ok := bytes.CutPrefix(body[at:end], mark); ok && len(bytes.Trim(after, "- \t\r\n")) == 0 {
			if from >= 0 {
				parts = append(parts, bytes.TrimRight(body[from:at], "\r\n"))
			}
			from = end
			if bytes.HasPrefix(after, []byte("--")) || len(parts) == limit {
				return parts
			}
		}
		at = end
	}
	if from >= 0 {
		parts = append(parts, body[from:])
	}
	return parts
}
