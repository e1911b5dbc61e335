package extract

import (
	"archive/zip"
	"encoding/binary"
	"hash/crc32"
	"strings"
	"unicode"
	"unicode/utf8"

	"golang.org/x/text/encoding/charmap"
)

// cp720 is the upper half of the code page that Windows uses for names in archives where it speaks Arabic or
// Persian, which the encodings of Go lack.
const cp720 = "\u0080\u0081éâ\u0084à\u0086çêëèïî\u008d\u008e\u008f\u0090\u0651\u0652ô¤ـûùءآأؤ£إئابةتثجحخدذرزسشص«»" +
	"░▒▓│┤╡╢╖╕╣║╗╝╜╛┐└┴┬├─┼╞╟╚╔╩╦╠═╬╧╨╤╥╙╘╒╓╫╪┘┌█▄▌▐▀ضطظعغفµقكلمنهوىي≡\u064b\u064c\u064d\u064e\u064f\u0650≈°∙·√ⁿ²■\u00a0"

// zipNames gives the names of the files of an archive. One that is no UTF-8 does not say what it is: the
// names decide together, by which encoding makes words of them.
func zipNames(files []*zip.File) []string {
	names := make([]string, len(files))
	var all strings.Builder
	for i, f := range files {
		names[i] = f.Name
		if f.NonUTF8 && !utf8.ValidString(f.Name) {
			if name := unicodeName(f); name != "" {
				names[i] = name
			} else if all.Len() < headSize {
				all.WriteString(f.Name + "/")
			}
		}
	}
	if all.Len() == 0 {
		return names
	}
	decoder := nameDecoder(all.String())
	for i, name := range names {
		if !utf8.ValidString(name) {
			names[i] = decoder(name)
		}
	}
	return names
}

// unicodeName reads a name that stands beside the one of the archive, in UTF-8 (field 0x7075 of Info-ZIP).
func unicodeName(f *zip.File) string {
	for extra := f.Extra; len(extra) >= 4; {
		id, size := binary.LittleEndian.Uint16(extra), int(binary.LittleEndian.Uint16(extra[2:]))
		extra = extra[4:]
		if size > len(extra) {
			break
		}
		if field := extra[:size]; id == 0x7075 && size > 5 && field[0] == 1 && binary.LittleEndian.Uint32(field[1:]) == crc32.ChecksumIEEE([]byte(f.Name)) {
			if name := string(field[5:]); utf8.ValidString(name) {
				return name
			}
		}
		extra = extra[size:]
	}
	return ""
}

// decodeName decodes one name on its own.
func decodeName(name string) string {
	if utf8.ValidString(name) {
		return name
	}
	return nameDecoder(name)(name)
}

// nameDecoder finds the encoding in which names look most like names.
func nameDecoder(names string) func(string) string {
	single := func(page *charmap.Charmap) func(string) string {
		return func(s string) string { return convert([]byte(s), page) }
	}
	decoders := []func(string) string{
		single(charmap.CodePage437), single(charmap.Windows1256), decode720, single(charmap.CodePage866),
		single(charmap.Windows1251), single(charmap.Windows1252),
	}
	best, most := decoders[0], plausible(decoders[0](names))
	for _, d := range decoders[1:] {
		if p := plausible(d(names)); p > most {
			best, most = d, p
		}
	}
	return best
}

func decode720(s string) string {
	upper := []rune(cp720)
	var b strings.Builder
	for i := range len(s) {
		if s[i] < 0x80 {
			b.WriteByte(s[i])
		} else {
			b.WriteRune(upper[s[i]-0x80])
		}
	}
	return b.String()
}

// plausible is higher the more of the letters beyond ASCII stand in words as people write them: of one script,
// Western ones mostly of ASCII letters.
func plausible(text string) int {
	score := 0
	for _, w := range strings.FieldsFunc(text, func(r rune) bool { return !unicode.IsLetter(r) && !unicode.Is(unicode.Mn, r) }) {
		var latin, arabic, cyrillic, ascii, other int
		for _, r := range w {
			switch {
			case r < utf8.RuneSelf:
				ascii++
			case unicode.Is(unicode.Arabic, r) || unicode.Is(unicode.Mn, r):
				arabic++
			case unicode.Is(unicode.Cyrillic, r):
				cyrillic++
			case unicode.Is(unicode.Latin, r):
				latin++
			default:
				other++
			}
		}
		high := latin + arabic + cyrillic + other
		if other == 0 && (high == arabic && ascii == 0 || high == cyrillic && ascii == 0 || high == latin && latin <= ascii+1) {
			score += high
		} else {
			score -= high
		}
	}
	return score
}
