package reader

import (
	"bufio"
	"errors"
	"fmt"
	"io"
	"sync"
	"time"
	"unicode/utf8"

	"github.com/go-json-experiment/json"
	"github.com/go-json-experiment/json/jsontext"

	"fanous/backend/domain"
	"fanous/backend/extract"
)

// A child gets requests and answers with messages; both are JSON values, one after the other. A document is a Found
// without its blocks, then the blocks, then End; a page is a Drawn; a file ends with Done. JSON is read value by value, so that nothing a
// child says makes its parent hold more than the limits allow.
type (
	request struct {
		Path []byte   // as the system has it, which need not be UTF-8
		Draw *drawing `json:",omitzero"` // pages of it are wanted; nil: its documents
	}
	message struct {
		Ready bool           `json:",omitzero"` // for the first file
		Found *extract.Found `json:",omitzero"`
		Block *domain.Block  `json:",omitzero"`
		End   bool           `json:",omitzero"`
		Drawn *drawn         `json:",omitzero"`
		Done  *done          `json:",omitzero"`
	}
	done struct {
		Spent bool   // the child has had its time and takes no other file
		Err   string `json:",omitzero"` // why no pages, or no more, are drawn; a sentence
	}
)

// sender writes messages. What it writes goes out at the end of a document, of a file or where its buffer is full.
type sender struct {
	enc *jsontext.Encoder
	out *bufio.Writer
}

func newSender(out io.Writer) sender {
	buffered := bufio.NewWriterSize(out, 64<<10)
	// Text that is no UTF-8 must not cost a file: it arrives with U+FFFD in those places.
	return sender{jsontext.NewEncoder(buffered, jsontext.AllowInvalidUTF8(true)), buffered}
}

func (s sender) say(m message) error {
	// What is zero arrives as zero without being said: most of a block is.
	if err := json.MarshalEncode(s.enc, m, json.OmitZeroStructFields(true)); err != nil {
		return err
	}
	if m.Block != nil || m.Found != nil { // more comes at once
		return nil
	}
	return s.out.Flush()
}

func (s sender) found(f extract.Found) error {
	blocks := f.Content.Blocks
	f.Content.Blocks = nil
	// JSON knows years of four digits.
	f.ModTime, f.Content.Dated = datable(f.ModTime), datable(f.Content.Dated)
	if err := s.say(message{Found: &f}); err != nil {
		return err
	}
	for i := range blocks {
		if err := s.say(message{Block: &blocks[i]}); err != nil {
			return err
		}
	}
	return s.say(message{End: true})
}

func datable(t time.Time) time.Time {
	if t = t.UTC(); t.Year() < 0 || t.Year() > 9999 {
		return time.Time{}
	}
	return t
}

const (
	// overhead is what a value costs its parent beside its text, in bytes.
	overhead = 256
	// large is from what size on documents come in one at a time.
	large = 32 << 20
)

// receiver reads messages within limits. The limits are those of the file at hand.
type receiver struct {
	in   io.Reader
	pace pace
	big  *sync.Mutex // held while a large document comes in
	dec  *jsontext.Decoder

	limit            Limits
	document, output int64 // bytes so far
	members          int
	alone            bool // big is held
}

// pace is told when the parent waits for its child and when not.
type pace interface {
	wait()
	pause()
}

func newReceiver(in io.Reader, p pace, big *sync.Mutex, limit Limits) *receiver {
	r := &receiver{in: in, pace: p, big: big, limit: limit}
	r.dec = jsontext.NewDecoder(r)
	return r
}

// Read is for the decoder: it counts what goes through, and waits with a large document until others are done.
func (r *receiver) Read(p []byte) (int, error) {
	if r.document > large && !r.alone {
		r.big.Lock()
		r.alone = true
	}
	r.pace.wait()
	n, err := r.in.Read(p)
	r.pace.pause()
	if counted := r.count(int64(n)); counted != nil {
		return 0, counted
	}
	return n, err
}

func (r *receiver) count(bytes int64) error {
	r.document += bytes
	r.output += bytes
	switch {
	case r.document > r.limit.Document:
		return errDocument
	case r.output > r.limit.Output:
		return errOutput
	}
	return nil
}

// settle ends the account of a document.
func (r *receiver) settle() {
	if r.alone {
		r.big.Unlock()
	}
	r.document, r.alone = 0, false
}

func (r *receiver) next() (message, error) {
	var m message
	if err := json.UnmarshalDecode(r.dec, &m); err != nil {
		return message{}, err
	}
	return m, r.count(overhead)
}

// file reads the messages of one file and gives each its documents.
func (r *receiver) file(limit Limits, each func(extract.Found) error) (done, error) {
	r.limit, r.output, r.members = limit, 0, 0
	for itself := false; ; {
		m, err := r.next()
		switch {
		case err != nil:
			return done{}, err
		case m.Done != nil && !itself:
			return done{}, errors.New("it did not say what became of the file")
		case m.Done != nil:
			return *m.Done, nil
		case m.Found == nil:
			return done{}, errors.New("it gave a part of no document")
		}
		f := *m.Found
		if f.Content.Blocks, err = r.blocks(); err != nil {
			return done{}, err
		}
		if err := r.check(f, itself); err != nil {
			return done{}, err
		}
		itself = itself || f.Member == ""
		if err := each(f); err != nil {
			return done{}, &refusal{err}
		}
	}
}

// refusal is an error of each.
type refusal struct{ error }

// blocks reads the blocks of a document.
func (r *receiver) blocks() ([]domain.Block, error) {
	defer r.settle()
	var blocks []domain.Block
	for {
		m, err := r.next()
		switch {
		case err != nil:
			return nil, err
		case m.Block != nil:
			blocks = append(blocks, *m.Block)
		case m.End:
			return blocks, nil
		default:
			return nil, errors.New("it did not end a document")
		}
	}
}

// check holds a document to what an Extractor promises.
func (r *receiver) check(f extract.Found, itself bool) error {
	if r.members++; r.members > r.limit.Members {
		return errMembers
	}
	switch f.State {
	case domain.StateIndexed, domain.StateNoText, domain.StateNeedsPassword, domain.StateUnsupported, domain.StateFailed, domain.StateContainer:
	default:
		return fmt.Errorf("it gave a state that there is not: %.40q", f.State)
	}
	switch {
	case itself && f.Member == "":
		return errors.New("it gave the file twice")
	case f.Size < 0 || !utf8.ValidString(f.Member):
		return errors.New("it gave a document that there cannot be")
	}
	return nil
}
