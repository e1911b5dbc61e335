package reader_test

import (
	"errors"
	"image"
	"os"
	"path/filepath"
	"reflect"
	"strings"
	"testing"
	"time"

	"fanous/backend/extract"
	"fanous/backend/reader"
	"fanous/backend/reader/readertest"
)

func TestConformanceOfPages(t *testing.T) {
	for name, r := range readers(t) {
		t.Run(name, func(t *testing.T) { readertest.ConformPages(t, r) })
	}
}

// TestDrawnTheSameHereAndApart: every pixel and every place of a real page is the same.
func TestDrawnTheSameHereAndApart(t *testing.T) {
	r := readers(t)
	size := extract.Raster{Width: 500, Height: 1000, MaxPixels: 1_000_000, Colour: true, Text: true}
	for _, name := range []string{"qarardad-ejareh.pdf", "vaccine-trial.pdf"} {
		path := filepath.Join("..", "..", "build", "sample", "docs", name)
		both := map[string]extract.Drawn{}
		for how, r := range r {
			if err := r.Pages(t.Context(), path, "", []int{1}, size, func(d extract.Drawn) error {
				both[how] = d
				return nil
			}); err != nil {
				t.Fatal(err)
			}
		}
		if !reflect.DeepEqual(both["here"], both["apart"]) || len(both["here"].Text) < 100 {
			t.Errorf("%s is drawn otherwise apart", name)
		}
	}
}

// TestBadDrawing: whatever a child does when it is to draw costs the file, and the next one is drawn.
func TestBadDrawing(t *testing.T) {
	exe, err := os.Executable()
	if err != nil {
		t.Fatal(err)
	}
	open := func(limits reader.Limits) *reader.Reader {
		r := reader.New(reader.Options{Program: exe, Limits: limits})
		t.Cleanup(func() {
			if err := r.Close(); err != nil {
				t.Error(err)
			}
		})
		return r
	}
	// A busy machine must end none of the others.
	patient, hasty := open(reader.Limits{}), open(reader.Limits{Stall: time.Second})
	size := extract.Raster{DPI: 72, MaxPixels: 10_000}
	dir := t.TempDir()
	for name, says := range map[string]string{
		"spin": "did not come to an end", "exit": "ended", "one page, then the end": "ended", "another page": "nobody wanted", "no page": "every page",
		"a page too many": "nobody wanted", "too many pixels": "pixels", "another colour": "pixels", "beside the page": "beside the page",
		"an endless page": "larger than",
	} {
		path := filepath.Join(dir, "file")
		if err := os.WriteFile(path, []byte(readertest.Trick+name), 0o600); err != nil {
			t.Fatal(err)
		}
		r := patient
		if name == "spin" {
			r = hasty
		}
		var lost *reader.Lost
		err := r.Pages(t.Context(), path, "", []int{1}, size, func(d extract.Drawn) error {
			if m, ok := d.Pixels.(*image.Gray); !ok || m.Rect.Dx() != 10 {
				t.Errorf("%s: %+v", name, d)
			}
			return nil
		})
		if !errors.As(err, &lost) || !strings.Contains(lost.Reason, says) {
			t.Errorf("%s: %v", name, err)
		}
	}
	readertest.ConformPages(t, patient)
}
