package extract

import (
	"cmp"
	"slices"
)

const (
	columnLines    = 3   // a column has at least so many lines, the last one aside
	columnFill     = 0.5 // and they fill at least so much of its width, as prose does and tables do not
	columnGlyphs   = 12  // and have at least so many characters
	gutterWidth    = 0.8 // ems
	gutterCrossing = 0.3 // share of lines, titles and the like, that may cross a gutter
)

// columns parts the fragments of a page into the groups that are read one after the other: all
// of one column before the next, what crosses the columns in its place above or below them.
func columns(fragments []*fragment, rtl bool) [][]*fragment {
	gutters := findGutters(fragments)
	if len(gutters) == 0 {
		return [][]*fragment{fragments}
	}
	sorted := slices.Clone(fragments)
	slices.SortStableFunc(sorted, func(a, b *fragment) int { return cmp.Compare(b.y, a.y) })
	var out [][]*fragment
	var band, full []*fragment // what stands in columns; what crosses them
	endBand := func() {
		groups := split(band, gutters)
		if !areColumns(groups) {
			full = append(full, band...)
			band = nil
			return
		}
		if len(full) > 0 {
			out = append(out, full)
		}
		if rtl {
			slices.Reverse(groups)
		}
		for _, g := range groups {
			if len(g) > 0 {
				out = append(out, g)
			}
		}
		band, full = nil, nil
	}
	for _, f := range sorted {
		if crosses(f, gutters) {
			endBand()
			full = append(full, f)
			continue
		}
		band = append(band, f)
	}
	endBand()
	if len(full) > 0 {
		out = append(out, full)
	}
	return out
}

// gutter is a strip of the page that hardly any text crosses.
type gutter struct{ x0, x1 float64 }

func (g gutter) middle() float64 { return (g.x0 + g.x1) / 2 }

func crosses(f *fragment, gutters []gutter) bool {
	for _, g := range gutters {
		if f.x0 < g.middle() && f.x1 > g.middle() {
			return true
		}
	}
	return false
}

// findGutters looks for strips in the inner part of the page.
func findGutters(fragments []*fragment) []gutter {
	if len(fragments) < 2*columnLines {
		return nil
	}
	sizes := make([]float64, len(fragments))
	x0, x1 := fragments[0].x0, fragments[0].x1
	for i, f := range fragments {
		sizes[i] = f.size
		x0, x1 = min(x0, f.x0), max(x1, f.x1)
	}
	slices.Sort(sizes)
	em := max(sizes[len(sizes)/2], 1)
	bin := em / 5
	if !((x1-x0)/bin < 10_000) { // coordinates of no paper
		return nil
	}
	n := int((x1-x0)/bin) + 1
	// Coverage by differences: +1 where a fragment begins, -1 behind its end.
	cover := make([]int, n+1)
	for _, f := range fragments {
		cover[int((f.x0-x0)/bin)]++
		cover[min(int((f.x1-x0)/bin)+1, n)]--
	}
	most, sum := 0, 0
	for i := range cover {
		sum += cover[i]
		cover[i] = sum
		most = max(most, sum)
	}
	limit := int(gutterCrossing * float64(most))
	var out []gutter
	for i := n * 15 / 100; i < n*85/100; i++ {
		if cover[i] > limit {
			continue
		}
		least, from := cover[i], i
		for i < n && cover[i] <= limit {
			least = min(least, cover[i])
			i++
		}
		// The emptiest part of the strip.
		for from < i && cover[from] > least {
			from++
		}
		to := from
		for to < i && cover[to] == least {
			to++
		}
		if float64(to-from)*bin >= gutterWidth*em && to < n {
			out = append(out, gutter{x0 + float64(from)*bin, x0 + float64(to)*bin})
		}
	}
	return out
}

// split gives the fragments between the gutters, from left to right.
func split(band []*fragment, gutters []gutter) [][]*fragment {
	groups := make([][]*fragment, len(gutters)+1)
	for _, f := range band {
		i := 0
		for i < len(gutters) && f.x0 >= gutters[i].middle() {
			i++
		}
		groups[i] = append(groups[i], f)
	}
	return groups
}

// areColumns tells columns of prose from those of a table. The last column may be a short one.
func areColumns(groups [][]*fragment) bool {
	filled, long := 0, 0
	for _, g := range groups {
		if len(g) == 0 {
			continue
		}
		filled++
		ls := lines(g)
		widths, counts := make([]float64, len(ls)), make([]int, len(ls))
		x0, x1 := ls[0].x0, ls[0].x1
		for i, l := range ls {
			widths[i] = l.x1 - l.x0
			for _, f := range l.fragments {
				counts[i] += len(f.glyphs)
			}
			x0, x1 = min(x0, l.x0), max(x1, l.x1)
		}
		slices.Sort(widths)
		slices.Sort(counts)
		if widths[len(ls)/2] < columnFill*(x1-x0) || counts[len(ls)/2] < columnGlyphs {
			return false
		}
		if len(ls) >= columnLines {
			long++
		}
	}
	return filled > 1 && long > 0
}
