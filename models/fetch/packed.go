package fetch

import (
	"archive/tar"
	"archive/zip"
	"bufio"
	"compress/gzip"
	"context"
	"errors"
	"fmt"
	"io"
	"os"
	"path/filepath"
	"strings"
)

// Packed is a file in an archive that lies on this machine: a tar archive compressed by gzip where its name ends with
// .tgz, else a zip archive such as a wheel. What stands in an archive is compared with Member and is never a path here.
type Packed struct {
	Archive string // path
	Member  string // path in the archive
}

func (p Packed) String() string { return fmt.Sprintf("%s in %s", p.Member, filepath.Base(p.Archive)) }

func (p Packed) open(ctx context.Context, _ *Fetcher, _ int64, _ string) (*stream, error) {
	body, size, err := p.Open(ctx)
	if err != nil {
		return nil, final{err}
	}
	return &stream{body: opened{steady{interruptible{ctx, body}}, []io.Closer{body}}, size: size}, nil
}

// Open gives the file and its size.
func (p Packed) Open(ctx context.Context) (io.ReadCloser, int64, error) {
	if strings.HasSuffix(p.Archive, ".tgz") {
		return p.untar(ctx)
	}
	return p.unzip()
}

func (p Packed) unzip() (io.ReadCloser, int64, error) {
	archive, err := zip.OpenReader(p.Archive)
	if err != nil {
		return nil, 0, err
	}
	for _, member := range archive.File {
		if member.Name != p.Member {
			continue
		}
		body, err := member.Open()
		if err != nil {
			return nil, 0, errors.Join(err, archive.Close())
		}
		return opened{body, []io.Closer{body, archive}}, int64(member.UncompressedSize64), nil
	}
	return nil, 0, errors.Join(errNoMember, archive.Close())
}

// untar reads what lies before the file, for a tar archive has no list of its files.
func (p Packed) untar(ctx context.Context) (io.ReadCloser, int64, error) {
	f, err := os.Open(p.Archive)
	if err != nil {
		return nil, 0, err
	}
	body, size, err := p.seek(interruptible{ctx, f})
	if err != nil {
		return nil, 0, errors.Join(err, f.Close())
	}
	return opened{body, []io.Closer{f}}, size, nil
}

func (p Packed) seek(r io.Reader) (io.Reader, int64, error) {
	unpacked, err := gzip.NewReader(bufio.NewReader(r))
	if err != nil {
		return nil, 0, err
	}
	archive := tar.NewReader(io.LimitReader(unpacked, maxBytes))
	for {
		header, err := archive.Next()
		switch {
		case errors.Is(err, io.EOF):
			return nil, 0, errNoMember
		case err != nil:
			return nil, 0, err
		case header.Name != p.Member:
			continue
		case header.Typeflag != tar.TypeReg: // a link, for example
			return nil, 0, errors.New("it is no file there")
		}
		return archive, header.Size, nil
	}
}

var errNoMember = errors.New("the archive has no such file")

// opened is something to read that several things have to be closed for.
type opened struct {
	io.Reader
	closers []io.Closer
}

func (o opened) Close() error {
	var err error
	for _, c := range o.closers {
		err = errors.Join(err, c.Close())
	}
	return err
}
