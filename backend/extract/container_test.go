package extract

import (
	"archive/zip"
	"bytes"
	"context"
	"io"
	"testing"
)

// archive makes an archive of parts.
func archive(t testing.TB, files map[string]string) []byte {
	t.Helper()
	var b bytes.Buffer
	z := zip.NewWriter(&b)
	for name, content := range files {
		w, err := z.Create(name)
		if err != nil {
			t.Fatal(err)
		}
		if _, err := io.WriteString(w, content); err != nil {
			t.Fatal(err)
		}
	}
	if err := z.Close(); err != nil {
		t.Fatal(err)
	}
	return b.Bytes()
}

// parts opens a document that is an archive of parts and may inflate to limit bytes.
func parts(t testing.TB, ctx context.Context, data []byte, limit int64) *container {
	t.Helper()
	z, err := zip.NewReader(bytes.NewReader(data), int64(len(data)))
	if err != nil {
		t.Fatal(err)
	}
	return newContainer(ctx, z, limit)
}
