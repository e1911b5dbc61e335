package fetch

import (
	"context"
	"crypto/sha256"
	"encoding/hex"
	"encoding/json"
	"errors"
	"fmt"
	"hash"
	"io"
	"os"
	"path/filepath"

	"fanous/models"
)

// part is the file as far as it has arrived, with the digest of that.
type part struct {
	want   Want
	file   *os.File
	append func([]byte) (int, error)
	sum    hash.Hash
	size   int64
	tag    tag
}

// tag is what the last source said of its bytes. It is a hint, kept beside the part: without it, or with a wrong one,
// the digest finds out later what it would have told at once.
type tag struct {
	Source    string `json:"source"`
	Validator string `json:"validator"` // a strong ETag, or empty
}

func (w Want) part() string { return w.Path + ".part" }
func (w Want) tag() string  { return w.Path + ".part.json" }

// openPart takes up what an earlier call left. Its bytes are read once, for the digest.
func openPart(ctx context.Context, want Want) (*part, error) {
	f, err := os.OpenFile(want.part(), os.O_RDWR|os.O_CREATE, 0o644)
	if err != nil {
		return nil, local{err}
	}
	p := &part{want: want, file: f, append: f.Write, sum: sha256.New()}
	if data, err := os.ReadFile(want.tag()); err == nil && json.Unmarshal(data, &p.tag) != nil {
		p.tag = tag{}
	}
	p.size, err = io.Copy(p.sum, interruptible{ctx, f})
	if err == nil && want.Bytes > 0 && p.size > want.Bytes {
		err = p.reset()
	}
	if err != nil {
		p.close()
		return nil, fmt.Errorf("read what was here of %s: %w", p.name(), err)
	}
	return p, nil
}

// interruptible ends reading with ctx.
type interruptible struct {
	ctx context.Context
	io.Reader
}

func (r interruptible) Read(b []byte) (int, error) {
	if err := r.ctx.Err(); err != nil {
		return 0, err
	}
	return r.Reader.Read(b)
}

func (p *part) name() string { return filepath.Base(p.want.Path) }

func (p *part) digest() string { return hex.EncodeToString(p.sum.Sum(nil)) }

func (p *part) matches() bool {
	return p.size > 0 && (p.want.Bytes == 0 || p.size == p.want.Bytes) && p.digest() == p.want.SHA256
}

func (p *part) write(b []byte) error {
	n, err := p.append(b)
	p.sum.Write(b[:n])
	p.size += int64(n)
	if isFull(err) {
		err = fmt.Errorf("%w: %w", ErrDiskFull, err)
	}
	if err != nil {
		return local{err}
	}
	return nil
}

// reset forgets what has arrived.
func (p *part) reset() error {
	err := p.file.Truncate(0)
	if err == nil {
		_, err = p.file.Seek(0, io.SeekStart)
	}
	if err != nil {
		return local{err}
	}
	p.sum.Reset()
	p.size, p.tag = 0, tag{}
	return nil
}

func (p *part) saveTag() error {
	data, err := json.Marshal(p.tag)
	if err == nil {
		err = os.WriteFile(p.want.tag(), data, 0o644)
	}
	if isFull(err) {
		return local{fmt.Errorf("%w: %w", ErrDiskFull, err)}
	}
	if err != nil {
		return local{err}
	}
	return nil
}

// install gives the whole file its name.
func (p *part) install() error {
	err := p.file.Sync()
	if cerr := p.file.Close(); err == nil {
		err = cerr
	}
	if err == nil {
		err = os.Rename(p.want.part(), p.want.Path)
	}
	if err == nil {
		err = models.SyncDir(filepath.Dir(p.want.Path))
	}
	if err != nil {
		return local{fmt.Errorf("put %s in its place: %w", p.name(), err)}
	}
	if err := os.Remove(p.want.tag()); err != nil && !errors.Is(err, os.ErrNotExist) {
		return local{err}
	}
	return nil
}

// close leaves the part for the next call; an empty one is none.
func (p *part) close() {
	p.file.Close()
	if p.size == 0 {
		os.Remove(p.want.part())
		os.Remove(p.want.tag())
	}
}
