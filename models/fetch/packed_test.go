package fetch

import (
	"archive/tar"
	"bytes"
	"compress/gzip"
	"context"
	"errors"
	"io"
	"os"
	"path/filepath"
	"testing"
)

// entry is a file of a tar archive; to makes it a link.
type entry struct {
	name    string
	content []byte
	to      string
}

// tgz makes an archive of these files.
func tgz(t testing.TB, entries ...entry) []byte {
	t.Helper()
	var b bytes.Buffer
	packed := gzip.NewWriter(&b)
	w := tar.NewWriter(packed)
	for _, e := range entries {
		h := &tar.Header{Name: e.name, Typeflag: tar.TypeReg, Size: int64(len(e.content)), Mode: 0o644}
		if e.to != "" {
			h.Typeflag, h.Linkname = tar.TypeSymlink, e.to
		}
		if err := w.WriteHeader(h); err != nil {
			t.Fatal(err)
		}
		if _, err := w.Write(e.content); err != nil {
			t.Fatal(err)
		}
	}
	if err := w.Close(); err != nil {
		t.Fatal(err)
	}
	if err := packed.Close(); err != nil {
		t.Fatal(err)
	}
	return b.Bytes()
}

// promising is an archive whose only file is said to have more bytes than follow.
func promising(t testing.TB, name string, content []byte, size int64) []byte {
	t.Helper()
	var b bytes.Buffer
	packed := gzip.NewWriter(&b)
	if err := tar.NewWriter(packed).WriteHeader(&tar.Header{Name: name, Typeflag: tar.TypeReg, Size: size}); err != nil {
		t.Fatal(err)
	}
	if _, err := packed.Write(content); err != nil {
		t.Fatal(err)
	}
	if err := packed.Close(); err != nil {
		t.Fatal(err)
	}
	return b.Bytes()
}

func TestPacked(t *testing.T) {
	file := content(size)
	other := bytes.Clone(file)
	other[size/2] ^= 1
	whole := tgz(t, entry{name: "package/a", content: file[:99]}, entry{name: "../b"}, entry{name: "/b"}, entry{name: "b", to: "/b"},
		entry{name: "package/b", content: file}, entry{name: "package/b", content: other})
	flipped := bytes.Clone(whole)
	flipped[len(flipped)/2] ^= 1
	for name, test := range map[string]struct {
		archive []byte
		want    string // in the error; empty: it is had
	}{
		"whole":                 {whole, ""},
		"cut":                   {whole[:len(whole)/2], "unexpected EOF"},
		"cut at the beginning":  {whole[:5], "unexpected EOF"},
		"a flipped bit":         {flipped, "package/b in archive.tgz"},
		"no such file":          {tgz(t, entry{name: "package/a", content: file}), "has no such file"},
		"its name, above":       {tgz(t, entry{name: "../package/b", content: file}), "has no such file"},
		"its name, from /":      {tgz(t, entry{name: "/package/b", content: file}), "has no such file"},
		"nothing":               {tgz(t), "has no such file"},
		"a link":                {tgz(t, entry{name: "package/b", to: "/etc/passwd"}), "no file there"},
		"other bytes":           {tgz(t, entry{name: "package/b", content: other}), ErrWrongBytes.Error()},
		"fewer bytes":           {tgz(t, entry{name: "package/b", content: file[:99]}), "it has 99 bytes, not"},
		"more bytes":            {tgz(t, entry{name: "package/b", content: append(bytes.Clone(file), 0)}), "bytes, not"},
		"a size that lies":      {promising(t, "package/b", file[:99], size), "unexpected EOF"},
		"a size beyond all":     {promising(t, "package/b", file, 1<<50), "bytes, not"},
		"another's beyond all":  {promising(t, "package/a", file, 1<<50), "unexpected EOF"},
		"a zip archive":         {[]byte("PK\x03\x04 and more that is no gzip"), "invalid header"},
		"a web page, not found": {[]byte("<html>"), "package/b in archive.tgz"},
	} {
		t.Run(name, func(t *testing.T) {
			want := wanted(t, file)
			archive := filepath.Join(t.TempDir(), "archive.tgz")
			if err := os.WriteFile(archive, test.archive, 0o644); err != nil {
				t.Fatal(err)
			}
			partOf(t, want, file[:size/3]) // of an earlier call
			err := fetcher().Get(t.Context(), want, []Source{Packed{archive, "package/b"}}, nil)
			if test.want == "" {
				if err != nil {
					t.Fatal(err)
				}
				got, err := os.ReadFile(want.Path)
				if err != nil || !bytes.Equal(got, file) {
					t.Errorf("the file has %d bytes, or others (%v)", len(got), err)
				}
				return
			}
			if !contains(err, test.want) {
				t.Errorf("error %v", err)
			}
			absent(t, want)
		})
	}
}

func TestPackedEndsWithItsContext(t *testing.T) {
	archive := filepath.Join(t.TempDir(), "archive.tgz")
	if err := os.WriteFile(archive, tgz(t, entry{name: "a", content: content(size)}, entry{name: "b"}), 0o644); err != nil {
		t.Fatal(err)
	}
	ctx, cancel := context.WithCancel(t.Context())
	cancel()
	if _, _, err := (Packed{archive, "b"}).Open(ctx); !errors.Is(err, context.Canceled) {
		t.Errorf("error %v", err)
	}
}

// FuzzTar: whatever an archive is, reading it ends, and gives no more than it says.
func FuzzTar(f *testing.F) {
	f.Add(tgz(f, entry{name: "a"}, entry{name: "../b", content: []byte("x")}, entry{name: "b", content: []byte("content")}))
	f.Add(tgz(f, entry{name: "b", to: "/etc"}))
	f.Add(promising(f, "b", []byte("content"), 1<<40))
	f.Fuzz(func(t *testing.T, data []byte) {
		r, size, err := Packed{Member: "b"}.seek(bytes.NewReader(data))
		if err != nil {
			return
		}
		const enough = 1 << 20 // holes of a sparse file cost nothing to write down
		if n, err := io.Copy(io.Discard, io.LimitReader(r, enough)); n > size || err == nil && n < min(size, enough) {
			t.Errorf("%d bytes of %d, %v", n, size, err)
		}
	})
}
