package extract

import (
	"context"
	"path/filepath"
	"testing"
)

func TestSmoke(t *testing.T) {
	x := New(Options{CacheDir: "/tmp/pdfcache"})
	defer x.Close()
	files, _ := filepath.Glob("testdata/*.pdf")
	for _, f := range files {
		c, err := x.Extract(context.Background(), f)
		t.Logf("%s: %v %q %q %v", f, err, c.Title, c.Author, c.Warnings)
		for _, b := range c.Blocks {
			t.Logf("   %d %d %+v %q", b.Kind, b.Level, b.Place, b.Text)
		}
	}
}
