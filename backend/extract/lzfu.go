package extract

import (
	"encoding/binary"
	"errors"
)

const (
	lzfuCompressed = 0x75465a4c // "LZFu"
	lzfuPlain      = 0x414c454d // "MELA"

	// lzfuStart is what the window of a compressed text begins with.
	lzfuStart = `{\rtf1\ansi\mac\deff0\deftab720{\fonttbl;}{\f0\fnil \froman \fswiss \fmodern \fscript \fdecor MS Sans SerifSymbolArialTimes New RomanCourier` +
		`{\colortbl\red0\green0\blue0` + "\r\n" + `\par \pard\plain\f0\fs20\b\i\u\tab\tx`
)

// inflateRTF undoes the compression of rich text in messages of Outlook (MS-OXRTFCP). Text that is cut comes as
// far as it goes.
func inflateRTF(data []byte) ([]byte, error) {
	const head = 16
	if len(data) == 0 {
		return nil, nil
	}
	if len(data) < head {
		return nil, errors.New("the text of the message is damaged")
	}
	in := data[head:]
	switch binary.LittleEndian.Uint32(data[8:]) {
	case lzfuPlain:
		return in, nil
	case lzfuCompressed:
	default:
		return nil, errors.New("the text of the message is compressed in a way that is not known here")
	}
	var window [4096]byte
	at := copy(window[:], lzfuStart)
	var out []byte
	put := func(c byte) {
		out = append(out, c)
		window[at] = c
		at = (at + 1) % len(window)
	}
	for len(in) > 0 && len(out) < maxMailText {
		flags := in[0]
		in = in[1:]
		for bit := range 8 {
			if flags>>bit&1 == 0 {
				if len(in) == 0 {
					return out, nil
				}
				put(in[0])
				in = in[1:]
				continue
			}
			if len(in) < 2 {
				return out, nil
			}
			from, n := int(in[0])<<4|int(in[1]>>4), int(in[1]&15)+2
			in = in[2:]
			if from == at {
				return out, nil // the mark of the end
			}
			for i := range n {
				put(window[(from+i)%len(window)])
			}
		}
	}
	return out, nil
}
