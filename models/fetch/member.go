package fetch

import (
	"archive/zip"
	"context"
	"fmt"
	"io"
)

// Member is a file in a zip archive that lies on this machine.
type Member struct {
	Archive string // its name, for people
	File    *zip.File
}

func (m Member) String() string { return fmt.Sprintf("%s in %s", m.File.Name, m.Archive) }

func (m Member) open(ctx context.Context, _ *Fetcher, _ int64, _ string) (*stream, error) {
	r, err := m.File.Open()
	if err != nil {
		return nil, final{err}
	}
	body := struct {
		io.Reader
		io.Closer
	}{steady{interruptible{ctx, r}}, r}
	return &stream{body: body, size: int64(m.File.UncompressedSize64)}, nil
}
