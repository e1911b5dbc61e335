package extract

import (
	"bytes"
	"context"
	"encoding/binary"
	"errors"
	"image"
	"image/color"
	"image/png"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"golang.org/x/image/tiff"

	"fanous/backend/extract/pdftest"
)

var raster = Raster{DPI: 300, MaxPixels: 4_000_000}

// rendered are the pages of a file of these bytes.
func rendered(t *testing.T, data []byte, pages ...int) []Drawn {
	t.Helper()
	return drawn(t, data, raster, pages...)
}

func drawn(t *testing.T, data []byte, size Raster, pages ...int) []Drawn {
	t.Helper()
	path := filepath.Join(t.TempDir(), "file")
	if err := os.WriteFile(path, data, 0o600); err != nil {
		t.Fatal(err)
	}
	var out []Drawn
	err := reader.Pages(t.Context(), path, "", pages, size, func(d Drawn) error {
		out = append(out, d)
		return nil
	})
	if err != nil || len(out) != len(pages) {
		t.Fatalf("%d pages: %v", len(out), err)
	}
	return out
}

// TestPagesOfPDF: each page is drawn by itself, black on white; one that there is not costs only itself.
func TestPagesOfPDF(t *testing.T) {
	p := &pdftest.Hand{Pages: []string{"0 0 400 300 re f", "0 300 400 300 re f"}}
	pages := rendered(t, p.Bytes(), 2, 9, 1)
	for _, i := range []int{0, 2} {
		m, _ := pages[i].Pixels.(*image.Gray)
		if m == nil || m.Rect.Dx() < 1600 || m.Rect.Dx() > 1700 || m.Rect.Dx()*m.Rect.Dy() > raster.MaxPixels {
			t.Fatalf("%+v", pages[i])
		}
		above, below := m.GrayAt(800, 100).Y, m.GrayAt(800, m.Rect.Dy()-100).Y
		if black := pages[i].Page == 2; black != (above == 0 && below == 255) || black == (above == 255 && below == 0) {
			t.Errorf("page %d: %d above, %d below", pages[i].Page, above, below)
		}
	}
	if pages[1].Err == nil {
		t.Error("page 9 was drawn")
	}
}

func TestPagesOfPicture(t *testing.T) {
	m := image.NewNRGBA(image.Rect(0, 0, 40, 20)) // transparent: white
	m.Set(3, 4, color.Black)
	var b bytes.Buffer
	if err := png.Encode(&b, m); err != nil {
		t.Fatal(err)
	}
	pages := rendered(t, b.Bytes(), 1, 2)
	if got, _ := pages[0].Pixels.(*image.Gray); got == nil || got.GrayAt(3, 4).Y != 0 || got.GrayAt(9, 9).Y != 255 {
		t.Errorf("%+v", pages[0])
	}
	if pages[1].Err == nil {
		t.Error("a PNG file has a second page")
	}
	big, err := onWhite(image.NewGray(image.Rect(0, 0, 3000, 2000)), Raster{MaxPixels: 60_000})
	if err != nil {
		t.Fatal(err)
	}
	if n := big.Bounds().Dx() * big.Bounds().Dy(); n > 60_000 || n < 58_000 {
		t.Errorf("made smaller to %v", big.Bounds())
	}
}

// TestPagesOfTIFF: the pages of a file are a chain.
func TestPagesOfTIFF(t *testing.T) {
	var one bytes.Buffer
	m := image.NewGray(image.Rect(0, 0, 10, 10))
	if err := tiff.Encode(&one, m, nil); err != nil {
		t.Fatal(err)
	}
	data := bytes.Clone(one.Bytes())
	first := binary.LittleEndian.Uint32(data[4:])
	entries := uint32(binary.LittleEndian.Uint16(data[first:]))
	next := data[first+2+12*entries:]
	second := bytes.Clone(data[first : first+2+12*entries+4])
	binary.LittleEndian.PutUint32(next, uint32(len(data)))
	data = append(data, second...)
	pages := rendered(t, data, 1, 2, 3)
	if pages[0].Pixels == nil || pages[1].Pixels == nil || pages[2].Err == nil {
		t.Errorf("%+v", pages)
	}
}

// TestHostilePictures: what is too large is known before it is decoded.
func TestHostilePictures(t *testing.T) {
	var b bytes.Buffer
	if err := png.Encode(&b, image.NewGray(image.Rect(0, 0, 1, 1))); err != nil {
		t.Fatal(err)
	}
	huge := bytes.Clone(b.Bytes())
	binary.BigEndian.PutUint32(huge[16:], 1<<30)
	for name, data := range map[string][]byte{"huge": huge, "cut": b.Bytes()[:40], "text": []byte("no picture"), "empty": nil} {
		if s := rendered(t, data, 1)[0]; s.Err == nil || s.Pixels != nil {
			t.Errorf("%s: %+v", name, s)
		}
	}
}

func TestPagesStops(t *testing.T) {
	path := filepath.Join(t.TempDir(), "file")
	if err := os.WriteFile(path, (&pdftest.Hand{Pages: []string{"", ""}}).Bytes(), 0o600); err != nil {
		t.Fatal(err)
	}
	enough := errors.New("enough")
	each := func(Drawn) error { return enough }
	if err := reader.Pages(t.Context(), path, "", []int{1, 2}, raster, each); !errors.Is(err, enough) {
		t.Errorf("%v", err)
	}
	ctx, cancel := context.WithCancel(t.Context())
	cancel()
	if err := reader.Pages(ctx, path, "", []int{1, 2}, raster, each); !errors.Is(err, context.Canceled) {
		t.Errorf("%v", err)
	}
	if err := reader.Pages(t.Context(), path+"x", "", []int{1}, raster, each); err == nil || strings.Contains(err.Error(), "panic") {
		t.Errorf("%v", err)
	}
}
