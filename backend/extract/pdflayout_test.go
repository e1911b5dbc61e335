package extract

import (
	"math"
	"slices"
	"strings"
	"testing"
	"unicode"
)

// FuzzPDFLayout puts characters anywhere on a page: none may be lost, none made up.
func FuzzPDFLayout(f *testing.F) {
	f.Add([]byte("abc سلام ۱۲۳ (x) 字"), uint64(1))
	f.Add([]byte("one two three four five six seven eight nine ten"), uint64(77))
	f.Add([]byte("\u0651\u064e\u0301 مُ"), uint64(3))
	f.Fuzz(func(t *testing.T, data []byte, seed uint64) {
		var l layer
		next := func(n uint64) float64 {
			seed = seed*6364136223846793005 + 1442695040888963407
			return float64(seed >> 33 % n)
		}
		for i, r := range []rune(strings.ToValidUTF8(string(data), "")) {
			if !isKnown(r) || unicode.IsSpace(r) || r == '-' || r == '|' || r == '‐' || r == '\u00ad' || mirrored[string(r)] != "" {
				continue
			}
			g := glyph{text: string(r), x0: next(400), y: 12 * next(40), size: 8 + next(3), order: i}
			g.x1, g.origin = g.x0+next(12), g.x0-float64(i)/1e6
			if next(50) == 0 {
				g.x1 = math.Inf(1)
			}
			if g.isMark() {
				l.marks = append(l.marks, g)
			} else {
				l.glyphs = append(l.glyphs, g)
			}
		}
		var in, out []rune
		for _, g := range l.glyphs {
			in = append(in, []rune(g.text)...)
		}
		for _, b := range l.blocks(1) {
			for _, r := range strings.ReplaceAll(b.Text, cellSeparator, "") {
				if !unicode.IsSpace(r) && !unicode.Is(unicode.Mn, r) && !unicode.Is(unicode.Me, r) {
					out = append(out, r)
				}
			}
		}
		slices.Sort(in)
		slices.Sort(out)
		// The same character twice in one place is one that looks bold.
		if !slices.Equal(slices.Compact(in), slices.Compact(out)) {
			t.Errorf("in %q\nout %q", string(in), string(out))
		}
	})
}
