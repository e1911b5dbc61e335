package extract

import (
	"bytes"
	"encoding/binary"
	"strings"
	"testing"
	"unicode/utf16"
)

// tnef makes a stream of attributes and their values in turn.
func tnef(parts ...any) []byte {
	out := []byte(tnefSign + "\x01\x00")
	for i := 0; i < len(parts); i += 2 {
		value := parts[i+1].(string)
		out = append(out, 2)
		out = binary.LittleEndian.AppendUint16(out, uint16(parts[i].(int)))
		out = binary.LittleEndian.AppendUint16(out, 1)
		out = binary.LittleEndian.AppendUint32(out, uint32(len(value)))
		out = append(append(out, value...), 0, 0)
	}
	return out
}

// tnefList makes a list of properties; values that are no texts have their size and kind in their tags.
func tnefList(parts ...any) string {
	out := binary.LittleEndian.AppendUint32(nil, uint32(len(parts)/2))
	for i := 0; i < len(parts); i += 2 {
		tag, value := uint32(parts[i].(int)), parts[i+1].(string)
		out = binary.LittleEndian.AppendUint32(out, tag)
		if tag>>16 >= 0x8000 {
			out = append(append(out, make([]byte, 16)...), "\x01\x00\x00\x00\x04\x00\x00\x00n\x00\x00\x00"...)
		}
		if kind := tag & 0xffff; kind == mapiTypeText || kind == mapiTypeBytes8 || kind == mapiTypeBinary || kind == mapiTypeObject {
			out = binary.LittleEndian.AppendUint32(out, 1)
			out = binary.LittleEndian.AppendUint32(out, uint32(len(value)))
			value += strings.Repeat("\x00", -len(value)&3)
		}
		out = append(out, value...)
	}
	return string(out)
}

func wide(s string) string {
	var out []byte
	for _, u := range utf16.Encode([]rune(s + "\x00")) {
		out = binary.LittleEndian.AppendUint16(out, u)
	}
	return string(out)
}

// TestTNEFProperties: the text of the message is in the wrapping, too, as are the long names of its attachments and
// messages that are attached.
func TestTNEFProperties(t *testing.T) {
	text := tnefList(0x00170003, "1234", 0x80010040, "12345678", mapiBody<<16|mapiTypeText, wide("in short"), mapiRTF<<16|mapiTypeBinary, lzfu(`{\rtf1 the text}`))
	inner := tnef(tnefProperties, tnefList(mapiBody<<16|mapiTypeText, wide("further in")))
	data := tnef(tnefProperties, text, tnefBegin, "x", tnefTitle, "GOZARE~1.TXT\x00", tnefData, "a report", tnefAbout, tnefList(mapiLongName<<16|mapiTypeText, wide("گزارش.txt")),
		tnefBegin, "x", tnefTitle, "Re: it\x00", tnefAbout, tnefList(mapiData<<16|mapiTypeObject, strings.Repeat("i", 16)+string(inner)))
	want := "message.rtf (rtf, indexed)\np [] the text\nگزارش.txt (text, indexed)\np [] a report\n" +
		"Re: it/message.txt (text, indexed)\np [] further in\nRe: it (tnef, container) it holds 1 file\n(tnef, container) it holds 3 files\n"
	if got := listOf(readAll(t, "winmail.dat", data)); got != want {
		t.Errorf("got\n%swant\n%s", got, want)
	}
	for cut := range data {
		readAll(t, "winmail.dat", data[:cut])
	}
}

func FuzzTNEF(f *testing.F) {
	f.Add([]byte(tnefList(0x80010040, "12345678", mapiBody<<16|mapiTypeText, wide("a"), 0x1003101f, "\x00")))
	f.Add(tnef(tnefProperties, tnefList(mapiBody<<16|mapiTypeBytes8, "b"), tnefTitle, "a.txt", tnefData, "x"))
	f.Fuzz(func(t *testing.T, data []byte) {
		for _, value := range tnefValues(data) {
			if len(value) > len(data) {
				t.Errorf("%d bytes of %d", len(value), len(data))
			}
		}
		if !bytes.Contains(data, []byte("%PDF-")) {
			fuzzDocument(t, formatTNEF, data)
		}
	})
}

func TestTNEF(t *testing.T) {
	data := tnef(0x9006, "\x00\x00\x01\x00", tnefBegin, "x", tnefTitle, "plan.csv\x00", tnefData, "ship,tons\nTern,7\n",
		tnefBegin, "x", tnefTitle, "..\\"+arabic1256(t, "نامه")+".txt\x00", tnefData, "a letter", tnefBegin, "x", tnefData, "without a name")
	want := "plan.csv (csv, indexed)\nh1 [ship | tons] ship | tons\ntr [ship | tons] Tern | 7\nنامه.txt (text, indexed)\np [] a letter\nattachment (text, indexed)\np [] without a name\n(tnef, container) it holds 3 files\n"
	if got := listOf(readAll(t, "winmail.dat", data)); got != want {
		t.Errorf("got\n%swant\n%s", got, want)
	}
	letter := "Subject: s\nContent-Type: multipart/mixed; boundary=b\n\n--b\n\nthe text\n--b\nContent-Type: application/ms-tnef\nContent-Disposition: attachment; filename=winmail.dat\n\n" + string(data[:60]) + "\n--b--\n"
	if got := listOf(readAll(t, "a.eml", []byte(letter))); !strings.Contains(got, "winmail.dat (tnef, ") {
		t.Errorf("in a message: %s", got)
	}
	for cut := range data {
		readAll(t, "winmail.dat", data[:cut])
	}
	huge := tnef(tnefTitle, "a.txt", tnefData, "x")
	binary.LittleEndian.PutUint32(huge[len(huge)-7:], 0xffffffff)
	if got := listOf(readAll(t, "winmail.dat", huge)); !strings.Contains(got, "a.txt (text, indexed)") {
		t.Errorf("a size that is only claimed: %s", got)
	}
}
