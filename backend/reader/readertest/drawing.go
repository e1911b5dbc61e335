package readertest

import (
	"context"
	"errors"
	"image"
	"image/color"
	"image/png"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"fanous/backend/domain"
	"fanous/backend/extract"
	"fanous/backend/extract/pdftest"
	"fanous/backend/reader"
)

// ConformPages holds what everything that draws pages must do.
func ConformPages(t *testing.T, r reader.Files) {
	dir := t.TempDir()
	letter := filepath.Join(dir, "letter.pdf")
	write := func(path string, data []byte) {
		t.Helper()
		if err := os.WriteFile(path, data, 0o600); err != nil {
			t.Fatal(err)
		}
	}
	write(letter, pdftest.Letter([]string{"The lantern."}, []string{"A second page."}))
	grey := extract.Raster{DPI: 72, MaxPixels: 1_000_000}
	t.Run("a PDF", func(t *testing.T) {
		pages := drawnBy(t, r, letter, []int{2, 9, 1}, grey)
		for i, number := range []int{2, 9, 1} {
			if p := pages[i]; p.Page != number || p.Of != 2 || (p.Pixels == nil) != (number == 9) || (p.Err == nil) != (number != 9) {
				t.Errorf("%+v", p)
			}
		}
		m, ok := pages[0].Pixels.(*image.Gray)
		if !ok || m.Rect.Dx() != 612 || m.Rect.Dy() != 792 || m.GrayAt(10, 10).Y != 255 || len(pages[0].Text) != 0 {
			t.Errorf("%T %+v", pages[0].Pixels, pages[0].Text)
		}
	})
	t.Run("in colour, with its text", func(t *testing.T) {
		page := drawnBy(t, r, letter, []int{1}, extract.Raster{Width: 300, Height: 2000, MaxPixels: 1_000_000, Colour: true, Text: true})[0]
		m, ok := page.Pixels.(*image.RGBA)
		if !ok || m.Rect.Dx() != 300 || m.RGBAAt(5, 5) != (color.RGBA{255, 255, 255, 255}) {
			t.Fatalf("%T %+v", page.Pixels, page)
		}
		var text strings.Builder
		for _, p := range page.Text {
			text.WriteString(p.Text)
			if strings.TrimSpace(p.Text) != "" && (p.Box.W <= 0 || p.Box.X < 0.1 || p.Box.Y > 0.2) {
				t.Errorf("%+v", p)
			}
		}
		if strings.TrimSpace(text.String()) != "The lantern." {
			t.Errorf("%q", text.String())
		}
	})
	t.Run("a picture", func(t *testing.T) {
		path := filepath.Join(dir, "a.png")
		f, err := os.Create(path)
		if err != nil {
			t.Fatal(err)
		}
		m := image.NewGray(image.Rect(0, 0, 30, 20))
		m.SetGray(3, 4, color.Gray{200})
		if err := errors.Join(png.Encode(f, m), f.Close()); err != nil {
			t.Fatal(err)
		}
		page := drawnBy(t, r, path, []int{1}, grey)[0]
		got, ok := page.Pixels.(*image.Gray)
		if !ok || got.Rect.Dx() != 30 || got.GrayAt(3, 4).Y != 200 || got.GrayAt(4, 3).Y != 0 || page.Of != 1 {
			t.Errorf("%+v", page)
		}
	})
	for name, path := range map[string]string{"absent": filepath.Join(dir, "none"), "a folder": dir} {
		t.Run(name, func(t *testing.T) {
			var lost *reader.Lost
			err := r.Pages(t.Context(), path, "", []int{1}, grey, func(extract.Drawn) error { return nil })
			if err == nil || errors.As(err, &lost) {
				t.Errorf("%v", err)
			}
		})
	}
	t.Run("each has the last word", func(t *testing.T) {
		mine := errors.New("mine")
		if err := r.Pages(t.Context(), letter, "", []int{1, 2}, grey, func(extract.Drawn) error { return mine }); !errors.Is(err, mine) {
			t.Error(err)
		}
	})
	t.Run("cancelled", func(t *testing.T) {
		ctx, cancel := context.WithCancel(t.Context())
		err := r.Pages(ctx, letter, "", []int{1, 2}, grey, func(extract.Drawn) error {
			cancel()
			return nil
		})
		if !errors.Is(err, context.Canceled) {
			t.Error(err)
		}
	})
}

func drawnBy(t *testing.T, r reader.Files, path string, pages []int, size extract.Raster) []extract.Drawn {
	t.Helper()
	var out []extract.Drawn
	err := r.Pages(t.Context(), path, "", pages, size, func(d extract.Drawn) error {
		out = append(out, d)
		return nil
	})
	if err != nil || len(out) != len(pages) {
		t.Fatalf("%d pages of %d: %v", len(out), len(pages), err)
	}
	return out
}

// Pages draws pages, and badly those of a file with a Trick.
func (x tricks) Pages(ctx context.Context, path, member string, pages []int, size extract.Raster, each func(extract.Drawn) error) error {
	name, ok := trickIn(path)
	if !ok {
		return x.Extractor.Pages(ctx, path, member, pages, size, each)
	}
	page := extract.Drawn{Page: pages[0], Of: 1, Pixels: image.NewGray(image.Rect(0, 0, 10, 10))}
	switch strings.TrimSpace(name) {
	case "spin":
		for n := 0; ; n++ {
			_ = n
		}
	case "exit":
		os.Exit(0)
	case "one page, then the end":
		if err := each(page); err != nil {
			return err
		}
		os.Exit(7)
	case "another page":
		page.Page++
	case "no page":
		return nil
	case "a page too many":
		if err := each(page); err != nil {
			return err
		}
	case "too many pixels":
		page.Pixels = image.NewGray(image.Rect(0, 0, size.MaxPixels, 2))
	case "another colour":
		page.Pixels = image.NewRGBA(image.Rect(0, 0, 10, 10))
	case "beside the page":
		page.Text = []domain.Placed{{Text: "x", Box: domain.Box{X: 0.9, W: 0.2}}}
	case "an endless page":
		page.Text = []domain.Placed{{Text: strings.Repeat("x", 400<<20)}}
	}
	return each(page)
}
