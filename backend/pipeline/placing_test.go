package pipeline

import (
	"slices"
	"strings"
	"testing"

	"fanous/backend/domain"
)

// onLines places the characters of lines, each a tenth of the page high and each character as wide as a hundredth.
func onLines(lines ...string) placing {
	var page []domain.Placed
	for y, line := range lines {
		for x, r := range []rune(line) {
			page = append(page, domain.Placed{Text: string(r), Box: domain.Box{X: float64(x) / 100, Y: float64(y) / 10, W: 0.01, H: 0.08}})
		}
		page = append(page, domain.Placed{Text: " "})
	}
	return newPlacing(page)
}

func TestPlacing(t *testing.T) {
	for name, test := range map[string]struct {
		page   []string
		text   string
		mark   string
		starts []float64 // x of each box of the mark, in characters
		lines  int       // boxes of the passage
	}{
		"a word":                    {[]string{"the lantern shines"}, "the lantern shines", "lantern", []float64{4}, 1},
		"parted at a line's end":    {[]string{"a light-", "house there"}, "a lighthouse there", "lighthouse", []float64{2, 0}, 2},
		"brackets turned around":    {[]string{")the( lantern"}, "(the) lantern", "lantern", []float64{6}, 1},
		"two paragraphs":            {[]string{"first one", "lantern light"}, "first one\nlantern light", "lantern", []float64{0}, 2},
		"a running head between":    {[]string{"first one", "- 7 -", "lantern light"}, "first one\nlantern light", "lantern", []float64{0}, 2},
		"the sentence before twice": {[]string{"It rains. The lantern."}, "It rains. The lantern.\nIt rains.", "lantern", []float64{14}, 2},
		"a sign":                    {[]string{"5 € a lantern"}, "5 € a lantern", "€", []float64{2}, 1},
		"nothing to compare":        {[]string{"— — —"}, "— — —", "—", nil, 0},
		"elsewhere":                 {[]string{"the lantern"}, "the harbour", "harbour", nil, 0},
	} {
		t.Run(name, func(t *testing.T) {
			from := strings.Index(test.text, test.mark)
			whole, marked := onLines(test.page...).passage(test.text, [][2]int{{from, from + len(test.mark)}})
			var starts []float64
			for _, b := range marked {
				starts = append(starts, float64(int(b.X*100+0.5)))
			}
			if !slices.Equal(starts, test.starts) || len(whole) != test.lines {
				t.Errorf("marked from %v, want %v; on %d lines, want %d", starts, test.starts, len(whole), test.lines)
			}
		})
	}
}

// FuzzPlacing: whatever stands on a page and in a passage, boxes are the page's.
func FuzzPlacing(f *testing.F) {
	f.Add("the lantern shines", "lantern", 0, 7)
	f.Add("چراغ\nدریا", "چراغ دریا", 2, 9)
	f.Fuzz(func(t *testing.T, page, text string, from, to int) {
		whole, marked := onLines(strings.Split(page, "\n")...).passage(text, [][2]int{{from, to}})
		for _, b := range slices.Concat(whole, marked) {
			if !(b.W > 0 && b.H > 0) {
				t.Errorf("%+v", b)
			}
		}
		if len(marked) > 0 && len(whole) == 0 {
			t.Error("marked without a passage")
		}
	})
}
