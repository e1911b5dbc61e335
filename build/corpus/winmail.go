package corpus

import (
	"encoding/binary"
	"strings"
	"unicode/utf16"
)

// Outlook's own wrapping of a message (TNEF, "winmail.dat").

const (
	tnefProperties = 0x9003
	tnefBegin      = 0x9002 // of an attachment
	tnefTitle      = 0x8010
	tnefData       = 0x800f
	tnefAbout      = 0x9005

	mapiBody     = 0x1000_001f
	mapiLongName = 0x3707_001f
)

// attribute is one of a wrapping.
type attribute struct {
	id    uint16
	value string
}

func winmail(attributes ...attribute) string {
	out := []byte("x\x9f>\"\x01\x00")
	for _, a := range attributes {
		out = binary.LittleEndian.AppendUint16(append(out, 2), a.id)
		out = binary.LittleEndian.AppendUint32(binary.LittleEndian.AppendUint16(out, 1), uint32(len(a.value)))
		out = append(append(out, a.value...), 0, 0)
	}
	return string(out)
}

// property is a list of one property, which is a text.
func property(tag uint32, text string) string {
	var value []byte
	for _, u := range utf16.Encode([]rune(text + "\x00")) {
		value = binary.LittleEndian.AppendUint16(value, u)
	}
	var out []byte
	for _, n := range []uint32{1, tag, 1, uint32(len(value))} {
		out = binary.LittleEndian.AppendUint32(out, n)
	}
	return string(out) + string(value) + strings.Repeat("\x00", -len(value)&3)
}
