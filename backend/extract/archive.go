package extract

import (
	"archive/tar"
	"archive/zip"
	"bufio"
	"compress/bzip2"
	"compress/gzip"
	"errors"
	"fmt"
	"io"
	"path"
	"strings"
)

const (
	zipEncrypted = 1  // flag of an entry
	zipBZIP2     = 12 // method of an entry
)

// entry reads a file of an archive, of which rest has been set; it returns false when there are too many.
func (r *reading) entry(parent document, name string, rest document) bool {
	if r.entries--; r.entries < 0 {
		return false
	}
	rest.name = path.Base(name)
	rest.member = r.names.unique(parent.member, name)
	rest.depth = parent.depth + 1
	r.document(rest)
	return true
}

// zip reads the files of a ZIP archive and says how many it has.
func (r *reading) zip(d document) (n int, err error) {
	z, err := zip.NewReader(d.source, d.size)
	if err != nil {
		return 0, fmt.Errorf("the archive is damaged: %w", err)
	}
	z.RegisterDecompressor(zipBZIP2, func(in io.Reader) io.ReadCloser { return io.NopCloser(bzip2.NewReader(in)) })
	names := zipNames(z.File)
	for i, f := range z.File {
		name := entryPath(names[i])
		// What macOS keeps beside the files of an archive is about them, not of them.
		if name == "" || strings.HasSuffix(names[i], "/") || strings.HasPrefix(name, "__MACOSX/") {
			continue
		}
		if r.done() {
			return n, nil
		}
		n++
		ok, err := r.zipped(d, f, name)
		if err != nil {
			return n, err
		}
		if !ok {
			return n, errMembers
		}
	}
	return n, nil
}

// zipped reads a file of a ZIP archive.
func (r *reading) zipped(d document, f *zip.File, name string) (ok bool, err error) {
	e := document{modTime: f.Modified}
	switch {
	case f.Flags&zipEncrypted != 0:
		e.stream = broken{ErrNeedsPassword}
	case f.Method == zip.Store && f.CompressedSize64 == f.UncompressedSize64 && int64(f.CompressedSize64) <= d.size:
		// It lies in the archive as it is and need not be held in memory.
		offset, err := f.DataOffset()
		if err != nil {
			e.stream = broken{fmt.Errorf("the archive is damaged: %w", err)}
			break
		}
		e.size = int64(f.CompressedSize64)
		e.ReaderAt = io.NewSectionReader(d.source, offset, e.size)
		r.left -= e.size
	default:
		in, err := f.Open()
		if errors.Is(err, zip.ErrAlgorithm) {
			err = unsupported("it is compressed in a way that is not known here")
		}
		if err != nil {
			e.stream = broken{err}
			break
		}
		defer in.Close()
		e.stream = &metered{r: in, left: &r.left, over: errInflation}
	}
	ok = r.entry(d, name, e)
	if r.left <= 0 {
		return ok, errInflation
	}
	return ok, nil
}

// broken is a stream that cannot be read.
type broken struct{ err error }

func (b broken) Read([]byte) (int, error) { return 0, b.err }

// tar reads the files of a tape archive. Links and devices are not files; they lead out of it.
func (r *reading) tar(d document, body io.Reader) (n int, err error) {
	t := tar.NewReader(body)
	for !r.done() {
		h, err := t.Next()
		if errors.Is(err, io.EOF) {
			return n, nil
		}
		if r.left <= 0 {
			return n, errInflation
		}
		if err != nil {
			return n, fmt.Errorf("the archive is damaged: %w", err)
		}
		name := entryPath(decodeName(h.Name))
		if name == "" || h.Typeflag != tar.TypeReg && h.Typeflag != tar.TypeGNUSparse {
			continue
		}
		n++
		e := document{stream: t, modTime: h.ModTime}
		if h.Typeflag == tar.TypeGNUSparse || h.PAXRecords["GNU.sparse.major"] != "" || h.PAXRecords["GNU.sparse.size"] != "" {
			e.stream = broken{unsupported("it has holes, whose size is only claimed")}
		}
		if !r.entry(d, name, e) {
			return n, errMembers
		}
	}
	return n, nil
}

// compressed reads the one file that was compressed, or those of a tape archive.
func (r *reading) compressed(d document, body io.Reader) (n int, err error) {
	name := strings.TrimSuffix(d.name, path.Ext(d.name))
	e := document{}
	inflated := bzip2.NewReader(body)
	if d.format == formatGZIP {
		z, err := gzip.NewReader(body)
		if err != nil {
			return 0, fmt.Errorf("the archive is damaged: %w", err)
		}
		if z.Name != "" {
			name = decodeName(z.Name)
		}
		e.modTime = z.ModTime
		inflated = z
	}
	inner := bufio.NewReaderSize(&metered{r: inflated, left: &r.left, over: errInflation}, headSize)
	if head, _ := inner.Peek(headSize); isTar(head) {
		return r.tar(d, inner)
	}
	e.stream = inner
	if name = entryPath(name); name == "" {
		name = "content"
	}
	if !r.entry(d, name, e) {
		return 1, errMembers
	}
	if r.left <= 0 {
		return 1, errInflation
	}
	return 1, nil
}

func isTar(head []byte) bool { return len(head) >= 512 && string(head[257:262]) == "ustar" }
