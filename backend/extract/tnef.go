package extract

import (
	"bufio"
	"bytes"
	"encoding/binary"
	"errors"
	"fmt"
	"io"
	"strings"
)

// Attributes of a TNEF stream (MS-OXTNEF) that are read.
const (
	tnefBegin      = 0x9002 // of an attachment
	tnefTitle      = 0x8010 // short, and in a code page
	tnefData       = 0x800f
	tnefAbout      = 0x9005 // properties of the attachment, which come last
	tnefProperties = 0x9003 // of the message

	tnefSign = "x\x9f>\""
	// maxTitle is how many bytes of a name are read.
	maxTitle = 4096
)

// wrapping is Outlook's own form of the attachments of a message, and of its text (TNEF, "winmail.dat").
type wrapping struct {
	*reading
	parent document
	open   bool // an attachment waits for what is still said of it
	name   string
	data   []byte
	n      int // documents given
}

// wrapped reads what is wrapped and says how many documents that is. The message that they belong to stands around them.
func (r *reading) wrapped(d document, body *bufio.Reader) (n int, err error) {
	if _, err := body.Discard(len(tnefSign) + 2); err != nil {
		return 0, fmt.Errorf("the wrapping is damaged: %w", err)
	}
	w := wrapping{reading: r, parent: d}
	for !r.done() {
		err := w.next(body)
		if err == nil {
			continue
		}
		if !w.end() {
			return w.n, errMembers
		}
		if errors.Is(err, io.EOF) {
			return w.n, nil
		}
		return w.n, err
	}
	return w.n, nil
}

// next reads an attribute; io.EOF: there is none.
func (w *wrapping) next(body io.Reader) error {
	var head [9]byte // level, attribute and its kind, size
	if _, err := io.ReadFull(body, head[:]); errors.Is(err, io.EOF) {
		return err
	} else if err != nil {
		return fmt.Errorf("the wrapping is damaged: %w", err)
	}
	value := &io.LimitedReader{R: body, N: int64(binary.LittleEndian.Uint32(head[5:]))}
	attribute := binary.LittleEndian.Uint16(head[1:])
	if attribute == tnefBegin && !w.end() {
		return errMembers
	}
	limit := int64(maxTitle)
	switch attribute {
	case tnefData, tnefAbout, tnefProperties:
		limit = min(maxMember, w.left)
	case tnefTitle:
	default:
		limit = 0
	}
	const sum = 2 // bytes, which are not compared
	rest := int64(0)
	data, err := io.ReadAll(io.LimitReader(value, limit))
	w.left -= int64(len(data))
	if err == nil {
		w.attribute(attribute, data)
		value.N += sum
		rest, err = io.Copy(io.Discard, value)
	}
	switch {
	case err == nil && limit == maxMember && rest > sum:
		return errMemberSize
	case err != nil:
		return fmt.Errorf("the wrapping is damaged: %w", err)
	case w.left <= 0:
		return errInflation
	}
	return nil
}

func (w *wrapping) attribute(attribute uint16, data []byte) {
	switch attribute {
	case tnefTitle:
		w.name = decodeName(strings.TrimRight(string(data), "\x00"))
	case tnefData:
		w.open, w.data = true, data
	case tnefAbout:
		about := tnefValues(data)
		if name := tnefText(about, mapiLongName); name != "" {
			w.name = name
		}
		const interfaceID = 16
		if object := about[mapiData<<16|mapiTypeObject]; len(object) > interfaceID && bytes.HasPrefix(object[interfaceID:], []byte(tnefSign)) {
			w.open, w.data = true, object[interfaceID:]
		}
	case tnefProperties:
		w.message(tnefValues(data))
	}
}

// message makes a document of the text of the message.
func (w *wrapping) message(of map[uint32][]byte) {
	rtf, err := inflateRTF(of[mapiRTF<<16|mapiTypeBinary])
	switch text := tnefText(of, mapiBody); {
	case len(of[mapiHTML<<16|mapiTypeBinary]) > 0:
		w.name, w.data = "message.html", of[mapiHTML<<16|mapiTypeBinary]
	case err == nil && len(rtf) > 0:
		w.name, w.data = "message.rtf", rtf
	case text != "":
		w.name, w.data = "message.txt", []byte(text)
	default:
		return
	}
	w.open = true
}

// end gives the attachment of which all is said; it returns false when there are too many.
func (w *wrapping) end() bool {
	name, data, open := entryPath(w.name), w.data, w.open
	w.name, w.data, w.open = "", nil, false
	if !open {
		return true
	}
	if name == "" {
		name = "attachment"
	}
	w.n++
	return w.entry(w.parent, name, document{source: source{ReaderAt: bytes.NewReader(data), size: int64(len(data))}})
}

func tnefText(of map[uint32][]byte, property uint32) string {
	if wide := of[property<<16|mapiTypeText]; len(wide) > 0 {
		return wideText(wide)
	}
	return strings.TrimRight(decode(of[property<<16|mapiTypeBytes8], ""), "\x00")
}

// tnefValues reads a list of properties: values of single texts, bytes and objects by property and type. A list that is
// damaged ends there.
func tnefValues(data []byte) map[uint32][]byte {
	out := map[uint32][]byte{}
	take := func(n uint32) []byte {
		if uint64(n) > uint64(len(data)) {
			data = nil
			return nil
		}
		v := data[:n:n]
		data = data[n:]
		return v
	}
	number := func() uint32 {
		v := take(4)
		if v == nil {
			return 0
		}
		return binary.LittleEndian.Uint32(v)
	}
	padded := func() []byte {
		size := number()
		v := take(size)
		take(-size & 3)
		return v
	}
	for left := number(); left > 0 && len(data) > 0; left-- {
		tag := number()
		if tag>>16 >= 0x8000 { // one with a name
			take(16)
			if number() == 0 {
				take(4)
			} else {
				padded()
			}
		}
		const several = 0x1000
		count := uint32(1)
		if tag&several != 0 {
			count = number()
		}
		for ; count > 0 && len(data) > 0; count-- {
			switch tag &^ several & 0xffff {
			case mapiTypeText, mapiTypeBytes8, mapiTypeBinary, mapiTypeObject:
				if tag&several == 0 {
					number() // one
				}
				out[tag] = padded()
			case 0x05, 0x06, 0x07, 0x14, 0x40: // of eight bytes
				take(8)
			case 0x48: // of sixteen
				take(16)
			default:
				take(4)
			}
		}
	}
	return out
}
