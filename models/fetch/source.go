package fetch

import (
	"context"
	"errors"
	"fmt"
	"io"
	"net/http"
	"net/url"
	"os"
)

// Source is where a file may be had: a URL, a Path or an Index.
type Source interface {
	// String names the source for people, without a password.
	String() string
	// open gives the file from byte at on, or from an earlier one. The validator is what an earlier stream of the
	// same source had; empty: none.
	open(ctx context.Context, f *Fetcher, at int64, validator string) (*stream, error)
}

// stream is a file that a source gives.
type stream struct {
	body      io.ReadCloser
	head      []byte // read ahead of body
	at        int64  // of the first byte
	size      int64  // of the whole file; 0: not known
	validator string
	digest    string // that the source states; empty: none
	page      bool   // it says itself that it is a web page
	changed   bool   // it is not the file that the validator was of
}

func (s *stream) read(b []byte) (int, error) {
	if len(s.head) > 0 {
		n := copy(b, s.head)
		s.head = s.head[n:]
		return n, nil
	}
	return s.body.Read(b)
}

// errBeyond says that there is nothing at the byte that was asked for.
var errBeyond = errors.New("the file ends before what is here")

// Path is a file of this machine, of a USB stick or of a mounted server.
type Path string

func (p Path) String() string { return string(p) }

func (p Path) open(ctx context.Context, _ *Fetcher, at int64, _ string) (*stream, error) {
	f, err := os.Open(string(p))
	if err != nil {
		return nil, final{err}
	}
	info, err := f.Stat()
	if err == nil && !info.Mode().IsRegular() {
		err = errors.New("it is no file")
	}
	if err == nil && at > info.Size() {
		f.Close()
		return nil, errBeyond
	}
	if err == nil {
		_, err = f.Seek(at, io.SeekStart)
	}
	if err != nil {
		f.Close()
		return nil, final{err}
	}
	body := struct {
		io.Reader
		io.Closer
	}{steady{interruptible{ctx, f}}, f}
	return &stream{body: body, at: at, size: info.Size()}, nil
}

// steady makes a file's errors final: unlike a network's, they do not go away by themselves.
type steady struct{ io.Reader }

func (s steady) Read(b []byte) (int, error) {
	n, err := s.Reader.Read(b)
	if err != nil && !errors.Is(err, io.EOF) {
		err = final{err}
	}
	return n, err
}

// URL is an address. A server that has the file under another one may redirect to it.
type URL string

func (u URL) String() string { return redact(string(u)) }

// redact takes the password out of an address, and a query, which may be a key too.
func redact(address string) string {
	parsed, err := url.Parse(address)
	if err != nil {
		return "an address that cannot be read"
	}
	if parsed.RawQuery != "" {
		parsed.RawQuery = "..."
	}
	return parsed.Redacted()
}

// CheckURL refuses what is no address to fetch from, without repeating it: it may hold a password.
func CheckURL(address string) error {
	u, err := url.Parse(address)
	if err != nil || u.Host == "" || u.Scheme != "http" && u.Scheme != "https" {
		return errors.New("it is no http or https address")
	}
	return nil
}

func (u URL) open(ctx context.Context, f *Fetcher, at int64, validator string) (*stream, error) {
	header := http.Header{"Accept-Encoding": {"identity"}}
	if at > 0 {
		header.Set("Range", fmt.Sprintf("bytes=%d-", at))
		if validator != "" {
			header.Set("If-Range", validator)
		}
	}
	answer, err := f.follow(ctx, http.MethodGet, string(u), header)
	if err != nil {
		return nil, err
	}
	s, err := answer.stream(at, validator)
	if err != nil {
		answer.Body.Close()
		return nil, err
	}
	return s, nil
}
