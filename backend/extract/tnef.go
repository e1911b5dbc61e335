package extract

import (
	"bufio"
	"encoding/binary"
	"errors"
	"fmt"
	"io"
	"strings"
)

// Attributes of a TNEF stream (MS-OXTNEF) that are read.
const (
	tnefBegin = 0x9002 // of an attachment
	tnefTitle = 0x8010
	tnefData  = 0x800f

	tnefSign = "x\x9f>\""
	// maxTitle is how many bytes of a name are read.
	maxTitle = 4096
)

// wrapped reads the attachments in Outlook's own wrapping of them (TNEF, "winmail.dat") and says how many there are. The
// message that they belong to stands around them.
func (r *reading) wrapped(d document, body *bufio.Reader) (n int, err error) {
	if _, err := body.Discard(len(tnefSign) + 2); err != nil {
		return 0, fmt.Errorf("the wrapping is damaged: %w", err)
	}
	name := ""
	for !r.done() {
		var head [9]byte // level, attribute and its kind, size
		if _, err := io.ReadFull(body, head[:]); errors.Is(err, io.EOF) {
			return n, nil
		} else if err != nil {
			return n, fmt.Errorf("the wrapping is damaged: %w", err)
		}
		value := &io.LimitedReader{R: body, N: int64(binary.LittleEndian.Uint32(head[5:]))}
		switch binary.LittleEndian.Uint16(head[1:]) {
		case tnefBegin:
			name = ""
		case tnefTitle:
			title, _ := io.ReadAll(io.LimitReader(value, maxTitle))
			name = entryPath(decodeName(strings.TrimRight(string(title), "\x00")))
		case tnefData:
			n++
			if name == "" {
				name = "attachment"
			}
			if !r.entry(d, name, document{stream: &metered{r: value, left: &r.left, over: errInflation}}) {
				return n, errMembers
			}
		}
		value.N += 2 // a sum, which is not compared
		if _, err := io.Copy(io.Discard, value); err != nil {
			return n, fmt.Errorf("the wrapping is damaged: %w", err)
		}
	}
	return n, nil
}
