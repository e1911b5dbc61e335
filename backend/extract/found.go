package extract

import (
	"context"
	"errors"
	"fmt"
	"io"
	"runtime"
	"time"

	"fanous/backend/domain"
)

// Found is a document that reading a file came upon: the file itself or one of its members.
type Found struct {
	// Member is "" for the file itself, else the member's path within it: names joined by "/". It names
	// nothing in the file system and is never to be opened as such; see Extractor.Open.
	Member  string
	Size    int64
	Hash    string    // SHA-256 of a member's bytes, hex; "" of the file itself, and where a member has none or was not read whole
	ModTime time.Time // zero: unknown
	State   domain.DocumentState
	Reason  string // one sentence, for every state but indexed
	Content domain.Content
}

// Read reads a file and gives each the documents in it as soon as they are read: every member once, and
// once the file itself, first or last. The member of an archive or mailbox comes before it, an attachment
// after its message. What cannot be read is a Found that says so. Read stops at an error of each and
// returns it; its own only means that ctx ended.
func (x *Extractor) Read(ctx context.Context, path string, each func(Found) error) error {
	r := newReading(ctx, x, each)
	r.file(path)
	return r.stop
}

// Parallel is how many files are worth reading at a time.
func (x *Extractor) Parallel() int { return runtime.GOMAXPROCS(0) }

// Open gives use the bytes of a member as Read found it, or of the file itself where member is "". It
// reads no more of the file than leads there.
func (x *Extractor) Open(ctx context.Context, path, member string, use func(data *io.SectionReader) error) error {
	var failed error
	r := newReading(ctx, x, func(f Found) error {
		if f.Member == member { // instead of being used
			failed = errors.New(f.Reason)
		}
		return nil
	})
	r.wanted, r.use = member, use
	r.file(path)
	switch {
	case errors.Is(r.stop, errUsed):
		return r.used
	case r.stop != nil:
		return r.stop
	case failed != nil:
		return failed
	}
	return fmt.Errorf("the file has no member %q", member)
}

// StateOf says where a file with this error ends, and why; without one it is indexed.
func StateOf(err error) (domain.DocumentState, string) {
	switch {
	case err == nil:
		return domain.StateIndexed, ""
	case errors.Is(err, ErrNoText):
		return domain.StateNoText, err.Error()
	case errors.Is(err, ErrNeedsPassword):
		return domain.StateNeedsPassword, err.Error()
	case errors.Is(err, ErrUnsupported):
		return domain.StateUnsupported, err.Error()
	}
	return domain.StateFailed, err.Error()
}
