//go:build browser

package webtest

import (
	"bytes"
	"flag"
	"image"
	"image/color"
	"image/png"
	"os"
	"path/filepath"
	"testing"
)

var update = flag.Bool("update", false, "keep the pictures of this run as those that later runs are compared with")

// pictures are what the window looked like when somebody last looked at it, small.
const pictures = "testdata/pictures"

// A picture is compared in squares: what a square shows on average tells a panel, a direction and a theme apart, and not a
// time, a score, a path or how a font is drawn.
const (
	square     = 10   // pixels
	farApart   = 40   // of 255, in any colour: another square
	mostOthers = 0.04 // of the squares, in pictures that show the same
)

// compare fails the test where the page has changed since its picture was kept. What moves with the machine (a progress, a
// number of milliseconds) stays below what is noticed.
func compare(t testing.TB, name string, shown []byte) {
	t.Helper()
	now, err := png.Decode(bytes.NewReader(shown))
	if err != nil {
		t.Fatal(err)
	}
	path := filepath.Join(pictures, name+".png")
	small := shrink(now)
	if *update {
		keep(t, path, small)
		return
	}
	kept, err := os.ReadFile(path)
	if err != nil {
		t.Errorf("there is no picture of %s: look at it, and run the test with -update", name)
		return
	}
	before, err := png.Decode(bytes.NewReader(kept))
	if err != nil {
		t.Fatalf("%s: %v", path, err)
	}
	if part := difference(before, small); part > mostOthers {
		t.Errorf("%s: %.0f%% of it look otherwise than in %s; see build/artifacts, and where it is right run the test with -update",
			name, 100*part, path)
	}
}

// shrink makes one pixel of each square.
func shrink(img image.Image) *image.RGBA {
	size := img.Bounds().Size()
	out := image.NewRGBA(image.Rect(0, 0, (size.X+square-1)/square, (size.Y+square-1)/square))
	for y := range out.Rect.Dy() {
		for x := range out.Rect.Dx() {
			part := image.Rect(x*square, y*square, (x+1)*square, (y+1)*square).Intersect(img.Bounds())
			out.Set(x, y, mean(img, part))
		}
	}
	return out
}

func mean(img image.Image, part image.Rectangle) color.Color {
	var r, g, b, n uint32
	for y := part.Min.Y; y < part.Max.Y; y++ {
		for x := part.Min.X; x < part.Max.X; x++ {
			c := color.RGBAModel.Convert(img.At(x, y)).(color.RGBA)
			r, g, b, n = r+uint32(c.R), g+uint32(c.G), b+uint32(c.B), n+1
		}
	}
	return color.RGBA{uint8(r / n), uint8(g / n), uint8(b / n), 255}
}

// difference is the share of squares that differ; all of them where the sizes do.
func difference(a, b image.Image) float64 {
	if a.Bounds().Size() != b.Bounds().Size() {
		return 1
	}
	others, size := 0, a.Bounds().Size()
	for y := range size.Y {
		for x := range size.X {
			one, two := color.RGBAModel.Convert(a.At(x, y)).(color.RGBA), color.RGBAModel.Convert(b.At(x, y)).(color.RGBA)
			if apart(one.R, two.R) || apart(one.G, two.G) || apart(one.B, two.B) {
				others++
			}
		}
	}
	return float64(others) / float64(size.X*size.Y)
}

func apart(a, b uint8) bool { return max(a, b)-min(a, b) > farApart }

func keep(t testing.TB, path string, img image.Image) {
	t.Helper()
	var file bytes.Buffer
	if err := png.Encode(&file, img); err != nil {
		t.Fatal(err)
	}
	if err := os.MkdirAll(filepath.Dir(path), 0o755); err != nil {
		t.Fatal(err)
	}
	if err := os.WriteFile(path, file.Bytes(), 0o644); err != nil {
		t.Fatal(err)
	}
}

// TestPicturesTellTheWindowsApart: another language, theme or screen is another picture, and a few changed lines are not.
func TestPicturesTellTheWindowsApart(t *testing.T) {
	names, err := filepath.Glob(filepath.Join(pictures, "results-*.png"))
	if err != nil || len(names) < 4 {
		t.Fatalf("%d pictures of results, %v", len(names), err)
	}
	var all []image.Image
	for _, name := range names {
		data, err := os.ReadFile(name)
		if err != nil {
			t.Fatal(err)
		}
		img, err := png.Decode(bytes.NewReader(data))
		if err != nil {
			t.Fatalf("%s: %v", name, err)
		}
		for i, other := range all {
			if part := difference(other, img); part <= mostOthers {
				t.Errorf("%s and %s differ in %.1f%% of their squares", names[i], name, 100*part)
			}
		}
		if part := difference(img, img); part != 0 {
			t.Errorf("%s differs from itself", name)
		}
		all = append(all, img)
	}
}
