package extract

import (
	"bufio"
	"bytes"
	"io"
	"regexp"
	"strings"
	"unicode"
	"unicode/utf8"

	"golang.org/x/net/html/charset"
	"golang.org/x/text/encoding"
	"golang.org/x/text/encoding/japanese"
	xunicode "golang.org/x/text/encoding/unicode"
	"golang.org/x/text/encoding/unicode/utf32"
	"golang.org/x/text/transform"
)

// decodeText gives the characters of a text file that says nothing about its encoding.
func decodeText(data []byte) string { return decode(data, "") }

// decodeHTML gives the characters of an HTML file, which may name its encoding anywhere, rightly
// or wrongly.
func decodeHTML(data []byte) string { return decode(data, declaredCharset(data)) }

// decode turns bytes into valid UTF-8 without NULs. A byte-order mark is believed first, then
// what the bytes can only be, then the declaration, then what the letters look like.
func decode(data []byte, declared string) string {
	return tidy(decodeBytes(data, declared))
}

func decodeBytes(data []byte, declared string) string {
	enc, mark := encodingOf(data, declared)
	return convert(data[mark:], enc)
}

// encodingOf gives the encoding of data and the size of the mark that it begins with.
func encodingOf(data []byte, declared string) (enc encoding.Encoding, mark int) {
	if enc, size := byteOrderMark(data); enc != nil {
		return enc, size
	}
	if enc := wideEncoding(data); enc != nil {
		return enc, 0
	}
	if bytes.Contains(data, []byte("\x1b$")) && (bytes.Contains(data, []byte("\x1b(B")) || bytes.Contains(data, []byte("\x1b(J"))) {
		return japanese.ISO2022JP, 0 // in ASCII characters
	}
	if mostlyUTF8(data) {
		return encoding.Nop, 0
	}
	enc, name := charset.Lookup(declared)
	switch name {
	case "", "utf-8", "utf-16le", "utf-16be", "replacement", "x-user-defined", "windows-1252", "windows-1256":
		// Nothing, or what the bytes already contradict, or what is most often declared wrongly.
	default:
		if text := convert(data, enc); !strings.ContainsRune(text, utf8.RuneError) {
			return enc, 0
		}
	}
	return guess(data, false), 0
}

// decodedXML gives the characters of an XML part, in valid UTF-8. Its start decides: a part is written by one
// program, in one encoding.
func decodedXML(r io.Reader) io.Reader {
	in := bufio.NewReaderSize(r, headSize)
	head, _ := in.Peek(headSize)
	if len(head) == headSize { // it may end within a character
		head = head[:bytes.LastIndexByte(head, '>')+1]
	}
	enc, mark := encodingOf(head, declaredCharset(head))
	_, _ = in.Discard(mark)
	if enc == encoding.Nop {
		enc = xunicode.UTF8
	}
	return transform.NewReader(in, enc.NewDecoder())
}

func convert(data []byte, enc encoding.Encoding) string {
	out, err := enc.NewDecoder().Bytes(data)
	if err != nil { // the decoders replace what they cannot read, so this is not to be expected
		return string(data)
	}
	return string(out)
}

// tidy makes text valid UTF-8 and removes NULs, a byte-order mark and carriage returns.
func tidy(text string) string {
	text = strings.ToValidUTF8(text, string(utf8.RuneError))
	text = strings.TrimPrefix(text, "\ufeff")
	if strings.ContainsAny(text, "\x00\r") {
		text = strings.NewReplacer("\x00", "", "\r\n", "\n", "\r", "\n").Replace(text)
	}
	return text
}

// byteOrderMark gives the encoding that a mark announces and the size of the mark.
func byteOrderMark(data []byte) (encoding.Encoding, int) {
	switch {
	case bytes.HasPrefix(data, []byte("\xef\xbb\xbf")):
		return encoding.Nop, 3
	case bytes.HasPrefix(data, []byte("\xff\xfe\x00\x00")) && len(data)%4 == 0:
		return utf32.UTF32(utf32.LittleEndian, utf32.IgnoreBOM), 4
	case bytes.HasPrefix(data, []byte("\x00\x00\xfe\xff")):
		return utf32.UTF32(utf32.BigEndian, utf32.IgnoreBOM), 4
	case bytes.HasPrefix(data, []byte("\xff\xfe")):
		return xunicode.UTF16(xunicode.LittleEndian, xunicode.IgnoreBOM), 2
	case bytes.HasPrefix(data, []byte("\xfe\xff")):
		return xunicode.UTF16(xunicode.BigEndian, xunicode.IgnoreBOM), 2
	}
	return nil, 0
}

// wideEncoding finds UTF-16 and UTF-32 without a mark. Other text has no control characters; wide
// text has them as high or low bytes, and read the right way it has none.
func wideEncoding(data []byte) encoding.Encoding {
	sample := data[:min(len(data), headSize)]
	found := controls(sample)
	if len(sample) < 2 || found == 0 || found*20 < len(sample) && utf8.Valid(sample) {
		return nil
	}
	var best encoding.Encoding
	bestScore := 0.85
	for _, c := range []struct {
		enc  encoding.Encoding
		unit int
	}{
		{utf32.UTF32(utf32.LittleEndian, utf32.IgnoreBOM), 4},
		{utf32.UTF32(utf32.BigEndian, utf32.IgnoreBOM), 4},
		{xunicode.UTF16(xunicode.LittleEndian, xunicode.IgnoreBOM), 2},
		{xunicode.UTF16(xunicode.BigEndian, xunicode.IgnoreBOM), 2},
	} {
		whole := sample[:len(sample)/c.unit*c.unit]
		if len(whole) == 0 {
			continue
		}
		if score := ordinary(convert(whole, c.enc)); score > bestScore {
			best, bestScore = c.enc, score
		}
	}
	return best
}

// controls counts the control characters that no text has.
func controls(data []byte) int {
	n := 0
	for _, c := range data {
		if c < ' ' && !bytes.ContainsRune([]byte("\t\n\r\f\v\b\x1a\x1b"), rune(c)) {
			n++
		}
	}
	return n
}

// ordinary is about the share of characters that people write: letters of a script in wide use,
// digits, spaces, punctuation. It is a little less the more the characters are scattered over
// Unicode, as they are when read with their bytes the wrong way round.
func ordinary(text string) float64 {
	good, all := 0, 0
	blocks := map[rune]bool{}
	for _, r := range text {
		all++
		blocks[r>>8] = true
		switch {
		case r == '\n' || r == '\r' || r == '\t' || r == ' ':
			good++
		case r < ' ' || r == utf8.RuneError:
		case unicode.In(r, unicode.Latin, unicode.Arabic, unicode.Cyrillic, unicode.Greek, unicode.Hebrew,
			unicode.Han, unicode.Hiragana, unicode.Katakana, unicode.Hangul, unicode.Thai, unicode.Devanagari,
			unicode.Common, unicode.Inherited):
			good++
		}
	}
	if all == 0 {
		return 0
	}
	return float64(good)/float64(all) - 0.05*float64(len(blocks))/float64(all)
}

// looksBinary says that data is no text in any encoding that is read here. A stray control
// character in a text does not make it binary.
func looksBinary(head []byte) bool {
	if enc, _ := byteOrderMark(head); enc != nil {
		return false
	}
	return controls(head)*20 > len(head) && wideEncoding(head) == nil
}

// mostlyUTF8 says that data is UTF-8, a few damaged places aside.
func mostlyUTF8(data []byte) bool {
	if utf8.Valid(data) {
		return true
	}
	good, bad := 0, 0
	for len(data) > 0 {
		r, size := utf8.DecodeRune(data)
		switch {
		case r == utf8.RuneError && size == 1:
			bad++
		case size > 1:
			good++
		}
		data = data[size:]
	}
	return good > 10*bad
}

var charsetPattern = regexp.MustCompile(`(?i)<(?:meta|\?xml)[^>]{0,500}?(?:charset|encoding)\s*=\s*["']?\s*([a-z0-9_:.-]+)`)

// declaredCharset is the encoding that an HTML or XML file names, however late.
func declaredCharset(data []byte) string {
	if m := charsetPattern.FindSubmatch(data); m != nil {
		return string(m[1])
	}
	return ""
}
