package extract

import (
	"image"
	"math"
	"os"
	"path/filepath"
	"strings"
	"testing"
	"unicode"

	"fanous/backend/domain"
	"fanous/backend/extract/pdftest"
)

// lettersOf is a text without what parts its words or may stand otherwise on the page.
func lettersOf(text string) string {
	return strings.Map(func(r rune) rune {
		if unicode.IsLetter(r) || unicode.IsNumber(r) {
			return r
		}
		return -1
	}, text)
}

// found gives the box around the first occurrence of letters on a page.
func found(t *testing.T, text []domain.Placed, letters string) domain.Box {
	t.Helper()
	var all strings.Builder
	var boxes []domain.Box // by byte of all
	for _, p := range text {
		own := lettersOf(p.Text)
		all.WriteString(own)
		for range len(own) {
			boxes = append(boxes, p.Box)
		}
	}
	at := strings.Index(all.String(), letters)
	if at < 0 {
		t.Fatalf("no %q in %q", letters, all.String())
	}
	var box domain.Box
	for _, b := range boxes[at : at+len(letters)] {
		box = box.Union(b)
	}
	return box
}

// TestPlaced: characters are where the file puts them, whichever way page and text are turned.
func TestPlaced(t *testing.T) {
	const width, height = 400, 600
	for name, test := range map[string]struct {
		rotate int
		turned bool       // the text runs upwards
		want   domain.Box // in points of the page as it is shown
	}{
		"upright":     {0, false, domain.Box{X: 100, Y: height - 500 - 17, W: 40, H: 22}},
		"turned page": {90, false, domain.Box{X: 500 - 5, Y: 100, W: 22, H: 40}},
		"turned text": {0, true, domain.Box{X: 100 - 17, Y: height - 500 - 40, W: 22, H: 40}},
		"both turned": {90, true, domain.Box{X: 500, Y: 100 - 17, W: 40, H: 22}},
	} {
		t.Run(name, func(t *testing.T) {
			p := &pdftest.Hand{Rotate: test.rotate}
			content := p.Show(100, 500, 20, pdftest.Glyphs("four")...)
			if test.turned {
				content = strings.ReplaceAll(content, "1 0 0 1", "0 1 -1 0")
			}
			p.Pages = []string{content}
			size := raster
			size.Text = true
			page := drawn(t, p.Bytes(), size, 1)[0]
			w, h := float64(width), float64(height)
			if test.rotate == 90 {
				w, h = h, w
			}
			got := found(t, page.Text, "four")
			for what, d := range map[string]float64{
				"x": got.X*w - test.want.X, "y": got.Y*h - test.want.Y, "w": got.W*w - test.want.W, "h": got.H*h - test.want.H,
			} {
				if math.Abs(d) > 1.5 {
					t.Errorf("%s is off by %.2f points: %+v", what, d, got)
				}
			}
		})
	}
}

// TestPlacedOnPages: on real pages, what is read stands in the text of the page, and what it is said to stand on is ink.
func TestPlacedOnPages(t *testing.T) {
	paths, err := filepath.Glob(filepath.Join("..", "..", "build", "sample", "docs", "*.pdf"))
	if err != nil || len(paths) == 0 {
		t.Fatal("there is no sample collection", err)
	}
	for _, path := range paths {
		t.Run(filepath.Base(path), func(t *testing.T) {
			data, err := os.ReadFile(path)
			if err != nil {
				t.Fatal(err)
			}
			content, err := extractBytes(t, data)
			if err != nil {
				t.Fatal(err)
			}
			pages := drawn(t, data, Raster{Width: 900, Height: 2000, MaxPixels: 4_000_000, Text: true}, 1)
			var all strings.Builder
			for _, p := range pages[0].Text {
				all.WriteString(lettersOf(p.Text))
			}
			for _, b := range content.Blocks {
				if b.Place.Page == 1 && !strings.Contains(all.String(), lettersOf(b.Text)) {
					t.Errorf("not on the page: %q", b.Text)
				}
			}
			pixels := pages[0].Pixels.(*image.Gray)
			letters, blank := 0, 0
			for _, p := range pages[0].Text {
				if lettersOf(p.Text) == "" {
					continue
				}
				letters++
				if darkest(pixels, p.Box) > 160 {
					blank++
				}
			}
			if letters < 200 || blank*50 > letters {
				t.Errorf("%d of %d letters stand where nothing is drawn", blank, letters)
			}
		})
	}
}

// darkest is the darkest pixel in a box.
func darkest(m *image.Gray, b domain.Box) uint8 {
	w, h := float64(m.Rect.Dx()), float64(m.Rect.Dy())
	least := uint8(255)
	for y := int(b.Y * h); y < int((b.Y+b.H)*h); y++ {
		for x := int(b.X * w); x < int(math.Ceil((b.X+b.W)*w)); x++ {
			least = min(least, m.GrayAt(x, y).Y)
		}
	}
	return least
}
