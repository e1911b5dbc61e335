package extract

import (
	"bufio"
	"bytes"
	"errors"
	"io"
	"iter"
)

// mailbox reads the messages of a mailbox, each a member of it, and says how many there are. One message
// is held at a time.
func (r *reading) mailbox(d document, body *bufio.Reader) (n int, err error) {
	for data, err := range splitMbox(body, maxMember) {
		if r.done() {
			return n, nil
		}
		tooLong := errors.Is(err, errMemberSize)
		if err != nil && !tooLong {
			return n, unreadable(err)
		}
		if r.messages--; r.messages < 0 {
			return n, errMessages
		}
		n++
		header, _ := splitHeader(data[:min(len(data), headSize)])
		e := held("", r.names.unique(d.member, memberNumber(n, header.text("subject"))), data, d.depth+1)
		e.format = formatEML
		if tooLong {
			e.source, e.stream = source{}, broken{errMemberSize}
		}
		r.document(e)
	}
	return n, nil
}

// mmdfLine stands before and behind each message of a mailbox of another kind (MMDF).
const mmdfLine = "\x01\x01\x01\x01"

func isMMDF(line []byte) bool { return string(bytes.TrimRight(line, "\r\n")) == mmdfLine }

// splitMbox gives the messages of a mailbox. One begins with a line "From ..." after an empty line and
// before a header; a line of text that happens to begin so is not followed by one. In MMDF they stand between lines of its
// own. Of a message that is longer than limit the start comes, with errMemberSize. The bytes are good until the next
// message.
func splitMbox(in *bufio.Reader, limit int) iter.Seq2[[]byte, error] {
	return func(yield func([]byte, error) bool) {
		var data []byte
		var failed error // of the message at hand
		begun, empty, start := false, true, true
		first, _ := in.Peek(len(mmdfLine))
		mmdf := isMMDF(first)
		for {
			line, err := in.ReadSlice('\n')
			blank := len(bytes.TrimSpace(line)) == 0
			border := start && mmdf && isMMDF(line)
			if from := start && bytes.HasPrefix(line, []byte("From ")); from && mmdf && len(data) == 0 {
				line = nil
			} else if from && !mmdf && empty {
				line = bytes.Clone(line) // looking ahead may move what it lies in
				border = nextIsHeader(in)
			}
			if border {
				if begun && len(data) > 0 && !yield(data, failed) {
					return
				}
				if data = data[:0]; cap(data) > 16<<20 {
					data = nil
				}
				begun, failed, line = true, nil, nil
			}
			if len(data)+len(line) > limit {
				line, failed = nil, errMemberSize
			}
			if begun {
				data = append(data, line...)
			}
			start, empty = !errors.Is(err, bufio.ErrBufferFull), start && blank
			if err == nil || !start {
				continue // what follows a full buffer is the rest of its line
			}
			if begun && len(data) > 0 && !yield(data, failed) {
				return
			}
			if !errors.Is(err, io.EOF) {
				yield(nil, err)
			}
			return
		}
	}
}

// nextIsHeader says whether the line to come is a field of a header.
func nextIsHeader(in *bufio.Reader) bool {
	next, _ := in.Peek(200)
	return startsHeader(next)
}
