package language

import (
	"cmp"
	"slices"
	"unicode/utf8"
)

// Highlights gives the byte ranges of text that the query asks for: sorted, apart from one another, on the boundaries of
// whole words and of characters as a reader sees them. Words of a phrase are marked, together, only where the phrase
// stands; function words ("the", "است") only where the query has nothing else.
func (q Query) Highlights(text string) [][2]int {
	single := make(map[string]bool)
	longer := make(map[string][]phrase) // by first term
	for _, p := range q.marked() {
		if len(p) == 1 {
			single[p[0]] = true
		} else {
			longer[p[0]] = append(longer[p[0]], p)
		}
	}
	if len(single) == 0 && len(longer) == 0 {
		return nil
	}
	a := analysers.Get().(*analyser)
	defer analysers.Put(a)
	a.scan(text)
	ts := a.terms(text)
	var asked markSet
	for t := range single {
		if utf8.RuneCountInString(t) == 1 {
			asked |= marksOf(t)
		}
	}
	out := a.marked(asked)
	for i, t := range ts {
		if single[t.Text] {
			out = append(out, [2]int{t.Start, t.End})
		}
		if !t.inPlace {
			continue
		}
		for _, p := range longer[t.Text] {
			if end, ok := standsAt(p, ts[i:]); ok {
				out = append(out, [2]int{t.Start, end})
			}
		}
	}
	out = merge(out)
	toClusters(text, out)
	return merge(out)
}

// standsAt reports whether the terms begin with the phrase, and where it ends in the text.
func standsAt(p phrase, ts []term) (end int, ok bool) {
	if len(ts) < len(p) {
		return 0, false
	}
	for i, want := range p {
		if ts[i].Text != want || !ts[i].inPlace {
			return 0, false
		}
		end = max(end, ts[i].End)
	}
	return end, true
}

// merge sorts ranges and joins those that touch or overlap.
func merge(rs [][2]int) [][2]int {
	slices.SortFunc(rs, func(a, b [2]int) int { return cmp.Or(cmp.Compare(a[0], b[0]), cmp.Compare(a[1], b[1])) })
	out := rs[:0]
	for _, r := range rs {
		if k := len(out) - 1; k >= 0 && r[0] <= out[k][1] {
			out[k][1] = max(out[k][1], r[1])
		} else {
			out = append(out, r)
		}
	}
	return out
}
