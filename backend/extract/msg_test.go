package extract

import (
	"encoding/binary"
	"fmt"
	"strings"
	"testing"
	"time"
	"unicode/utf16"

	"golang.org/x/text/encoding/charmap"

	"fanous/backend/domain"
)

// mapi makes the streams of a message, recipient or attachment: values of a fixed size, and of texts and bytes
// by property and type.
func mapi(head int, fixed map[uint16]uint64, values map[uint32]string, in ...node) []node {
	list := make([]byte, head)
	for id, v := range fixed {
		list = binary.LittleEndian.AppendUint32(list, uint32(id)<<16|3)
		list = binary.LittleEndian.AppendUint32(list, 6)
		list = binary.LittleEndian.AppendUint64(list, v)
	}
	nodes := []node{{mapiProperties, list, nil}}
	for tag, v := range values {
		data := []byte(v)
		if tag&0xffff == mapiTypeText {
			data = nil
			for _, u := range utf16.Encode([]rune(v)) {
				data = binary.LittleEndian.AppendUint16(data, u)
			}
		}
		nodes = append(nodes, node{fmt.Sprintf("__substg1.0_%08X", tag), data, nil})
	}
	return append(nodes, in...)
}

func unicodeTag(id uint16) uint32 { return uint32(id)<<16 | mapiTypeText }
func bytesTag(id uint16) uint32   { return uint32(id)<<16 | mapiTypeBytes8 }
func binaryTag(id uint16) uint32  { return uint32(id)<<16 | mapiTypeBinary }

func numbered(kind string, n int, in []node) node {
	return node{fmt.Sprintf("__%s_version1.0_#%08X", kind, n), nil, in}
}

func filetime(t time.Time) uint64 { return uint64(t.Unix()+11644473600) * 1e7 }

// lzfu compresses as little as can be: into single characters.
func lzfu(s string) string {
	out := binary.LittleEndian.AppendUint32(nil, 0)
	out = binary.LittleEndian.AppendUint32(out, uint32(len(s)))
	out = binary.LittleEndian.AppendUint32(out, lzfuCompressed)
	out = binary.LittleEndian.AppendUint32(out, 0)
	for i := range len(s) {
		if i%8 == 0 {
			out = append(out, 0)
		}
		out = append(out, s[i])
	}
	return string(out)
}

func TestMSG(t *testing.T) {
	sent := time.Date(2024, 5, 1, 8, 30, 0, 0, time.UTC)
	inner := mapi(mapiInnerHead, map[uint16]uint64{mapiMessagePage: 1256}, map[uint32]string{
		bytesTag(mapiSubject): arabic1256(t, "سلام"), bytesTag(mapiBody): arabic1256(t, "رسالة داخلية"), bytesTag(mapiSenderName): "Sara",
	}, numbered("attach", 0, mapi(mapiPartHead, nil, map[uint32]string{unicodeTag(mapiLongName): "deep.txt", binaryTag(mapiData): "in the deep"})))
	big := strings.Repeat("a long line that is text\n", 400) // lies outside the small streams
	data := compoundFile(mapi(mapiTopHead, map[uint16]uint64{mapiSubmitted: filetime(sent), mapiInternetPage: 1256}, map[uint32]string{
		unicodeTag(mapiSubject): "\x01\x05Re: گزارش", unicodeTag(mapiFromName): "Ali", unicodeTag(mapiFromSMTP): "ali@example.org",
		binaryTag(mapiHTML): arabic1256(t, "<html><h2>عنوان</h2><p>سلام عليكم"), unicodeTag(mapiBody): "not this",
	},
		numbered("recip", 1, mapi(mapiPartHead, map[uint16]uint64{mapiRecipientKind: 2}, map[uint32]string{unicodeTag(mapiName): "Nader", unicodeTag(mapiSMTP): "nader@example.org"})),
		numbered("recip", 0, mapi(mapiPartHead, map[uint16]uint64{mapiRecipientKind: 1}, map[uint32]string{unicodeTag(mapiName): "Sara", unicodeTag(mapiAddress): "/O=OFFICE/CN=SARA"})),
		numbered("recip", 2, mapi(mapiPartHead, map[uint16]uint64{mapiRecipientKind: 1}, map[uint32]string{unicodeTag(mapiSMTP): "leila@example.org"})),
		numbered("attach", 0, mapi(mapiPartHead, nil, map[uint32]string{unicodeTag(mapiShortName): "PLAN~1.TXT", unicodeTag(mapiLongName): "plan.txt", binaryTag(mapiData): big})),
		numbered("attach", 1, mapi(mapiPartHead, map[uint16]uint64{mapiMethod: mapiByMessage}, nil, node{"__substg1.0_3701000D", nil, inner})),
		numbered("attach", 2, mapi(mapiPartHead, map[uint16]uint64{mapiMethod: mapiByOLE}, map[uint32]string{unicodeTag(mapiName): "x"})),
		numbered("attach", 3, mapi(mapiPartHead, nil, map[uint32]string{unicodeTag(mapiLongName): "logo.png", unicodeTag(mapiMediaType): "image/png", unicodeTag(mapiContentID): "a@b", binaryTag(mapiData): string(madePNG(0))})),
	)...)
	found := readAll(t, "a.msg", data)
	want := `(msg, indexed)
h1 [Re: گزارش] Re: گزارش
p [Re: گزارش] From: Ali <ali@example.org>⏎To: Sara, leila@example.org⏎Cc: Nader <nader@example.org>⏎Date: Wed, 01 May 2024 08:30:00 +0000
h3 [Re: گزارش › عنوان] عنوان
p [Re: گزارش › عنوان] سلام عليكم
p [Re: گزارش] Attachments: plan.txt, سلام
`
	got := listOf(found)
	if !strings.HasPrefix(got, want) {
		t.Errorf("got\n%swant\n%s", got, want)
	}
	if !found[0].Content.Dated.Equal(sent) || found[0].Content.Title != "Re: گزارش" || len(found[0].Content.Warnings) != 1 {
		t.Errorf("%+v", found[0])
	}
	rest := listOf(found[2:])
	if found[1].Member != "plan.txt" || found[1].Size != int64(len(big)) || len(found[1].Content.Blocks) == 0 {
		t.Errorf("%+v", found[1])
	}
	if want := "سلام (msg, indexed)\nh1 [سلام] سلام\np [سلام] From: Sara\np [سلام] رسالة داخلية\np [سلام] Attachments: deep.txt\nسلام/deep.txt (text, indexed)\np [] in the deep\n"; rest != want {
		t.Errorf("got\n%swant\n%s", rest, want)
	}
}

func TestMSGBodies(t *testing.T) {
	rtf := `{\rtf1\ansi\ansicpg1256\fromhtml1 {\*\htmltag64 <p>}\htmlrtf {\htmlrtf0 rich ` + hexes(arabic1256(t, "نص")) + `\htmlrtf }\htmlrtf0\par}`
	greek, err := charmap.Windows1253.NewEncoder().String("καλημέρα κόσμε")
	if err != nil {
		t.Fatal(err)
	}
	found := readAll(t, "a.msg", compoundFile(mapi(mapiTopHead, nil, map[uint32]string{unicodeTag(mapiBody): "x"}, numbered("attach", 0, mapi(mapiPartHead, map[uint16]uint64{mapiMethod: mapiByMessage}, nil,
		node{"__substg1.0_3701000D", nil, mapi(mapiInnerHead, map[uint16]uint64{mapiMessagePage: 1253}, map[uint32]string{bytesTag(mapiSubject): greek})})))...))
	if len(found) != 2 || found[1].Member != "καλημέρα κόσμε" || found[1].Content.Title != found[1].Member {
		t.Errorf("in a code page: %s", listOf(found))
	}
	for name, test := range map[string]struct {
		values map[uint32]string
		want   string
	}{
		"plain":             {map[uint32]string{unicodeTag(mapiBody): "one\r\ntwo\r\n\r\nthree"}, "p [] one⏎two\np [] three\n"},
		"only rich text":    {map[uint32]string{binaryTag(mapiRTF): lzfu(rtf)}, "p [] rich نص\n"},
		"an empty page":     {map[uint32]string{binaryTag(mapiHTML): "<html></html>", unicodeTag(mapiBody): "plain"}, "p [] plain\n"},
		"a page of letters": {map[uint32]string{unicodeTag(mapiHTML): "<p>فانوس"}, "p [] فانوس\n"},
	} {
		found := readAll(t, "a.msg", compoundFile(mapi(mapiTopHead, nil, test.values)...))
		if got := outlineOf(found[0].Content.Blocks); got != test.want || found[0].State != domain.StateIndexed {
			t.Errorf("%s: %s %q, got\n%s", name, found[0].State, found[0].Reason, got)
		}
	}
}

// TestInflateRTF reads the two examples of MS-OXRTFCP.
func TestInflateRTF(t *testing.T) {
	if len(lzfuStart) != 207 {
		t.Fatalf("the window begins with %d bytes", len(lzfuStart))
	}
	for _, test := range []struct{ data, want string }{
		{"\x2d\x00\x00\x00\x2b\x00\x00\x00LZFu\xf1\xc5\xc7\xa7\x03\x00\x0a\x00rcpg125\x42\x32\x0a\xf3\x20hel\x09\x00\x20bw\x05\xb0ld\x7d\x0a\x80\x0f\xa0", "{\\rtf1\\ansi\\ansicpg1252\\pard hello world}\r\n"},
		{"\x1a\x00\x00\x00\x1c\x00\x00\x00LZFu\xe2\xd4\x4b\x51\x41\x00\x04\x20WXYZ\x0d\x6e\x7d\x01\x0e\xb0", "{\\rtf1 WXYZWXYZWXYZWXYZWXYZ}"},
		{"\x08\x00\x00\x00\x08\x00\x00\x00MELA\x00\x00\x00\x00{\\rtf1}", "{\\rtf1}"},
		{lzfu("{\\rtf1 as it is}"), "{\\rtf1 as it is}"},
	} {
		if got, err := inflateRTF([]byte(test.data)); err != nil || string(got) != test.want {
			t.Errorf("%q %v, want %q", got, err, test.want)
		}
	}
	for _, data := range []string{"x", strings.Repeat("x", 40)} {
		if _, err := inflateRTF([]byte(data)); err == nil {
			t.Errorf("%q gave no error", data)
		}
	}
}

func FuzzMSG(f *testing.F) {
	f.Add(compoundFile(mapi(mapiTopHead, map[uint16]uint64{mapiSubmitted: 1 << 57}, map[uint32]string{unicodeTag(mapiSubject): "s", binaryTag(mapiRTF): lzfu("{\\rtf1 x}")},
		numbered("attach", 0, mapi(mapiPartHead, map[uint16]uint64{mapiMethod: mapiByMessage}, nil, node{"__substg1.0_3701000D", nil, mapi(mapiInnerHead, nil, nil)})))...))
	f.Fuzz(func(t *testing.T, data []byte) {
		if strings.Contains(string(data), "%PDF-") {
			return // a reader of its own, that takes seconds to start
		}
		fuzzDocument(t, "", data)
	})
}

func FuzzInflateRTF(f *testing.F) {
	f.Add([]byte(lzfu("{\\rtf1 x}")))
	f.Add([]byte("\x1a\x00\x00\x00\x1c\x00\x00\x00LZFu\xe2\xd4\x4b\x51\x41\x00\x04\x20WXYZ\x0d\x6e\x7d\x01\x0e\xb0"))
	f.Fuzz(func(t *testing.T, data []byte) {
		if out, err := inflateRTF(data); err == nil && len(out) > 20*len(data) {
			t.Errorf("%d bytes of %d", len(out), len(data))
		}
	})
}
