package store

import (
	"fmt"
	"math"
	"math/rand/v2"
	"path"
	"slices"
	"strings"
	"testing"
	"time"

	"fanous/backend/domain"
	"fanous/backend/language"
	"fanous/backend/store/codes"
)

// library is a made-up collection, what is in it, and what a plain loop finds.
type library struct {
	*Store
	domain.Collection
	docs    []DocumentRows
	chunks  map[int64]shelved
	vectors map[int64][]float32
}

// shelved is a passage and all the documents that it stands in.
type shelved struct {
	domain.Chunk
	in []domain.Document
}

func pick[T any](rng *rand.Rand, from ...T) T { return from[rng.IntN(len(from))] }

// fill makes documents until there are n passages; a third have copies, under other names and of other days.
func fillLibrary(t testing.TB, rng *rand.Rand, dim, n int) library {
	l := library{Store: open(t, ""), chunks: map[int64]shelved{}, vectors: map[int64][]float32{}}
	l.Collection = collection(t, l.Store, "library")
	w, err := l.Writer(t.Context())
	if err != nil {
		t.Fatal(err)
	}
	defer w.Close()
	if err := w.SetStamp(t.Context(), Stamp{Embedder: "made-up", Dim: dim}); err != nil {
		t.Fatal(err)
	}
	day := func() time.Time {
		if rng.IntN(4) == 0 {
			return time.Time{}
		}
		return time.Date(2020+rng.IntN(6), time.Month(1+rng.IntN(12)), 1, 0, 0, 0, 0, time.Local)
	}
	vectors := map[string][]float32{} // by text
	for len(vectors) < n {
		d := DocumentRows{Document: domain.Document{
			CollectionID: l.ID, Format: pick(rng, "pdf", "docx", "eml", "text"), Title: pick(rng, "plan", "light"),
			State: domain.StateIndexed, Hash: fmt.Sprint(len(l.docs)), Dated: day(), ModTime: day(),
		}}
		place := func() {
			d.Path = fmt.Sprintf("/data/%s/%d.%s", pick(rng, "reports", "old", "گزارش‌ها"), len(l.docs), pick(rng, "pdf", "py"))
			if d.Member = ""; rng.IntN(5) == 0 {
				d.Member = pick(rng, "a/plan.xlsx", "b.py")
			}
		}
		place()
		for i := range 1 + rng.IntN(max(1, n/60)) {
			text := fmt.Sprint(pick(rng, "lantern", "river", "boat"), " ", pick(rng, "light", "dark", "river"), " ", len(vectors))
			v := make([]float32, dim)
			for i := range v {
				v[i] = float32(rng.NormFloat64())
			}
			vectors[text] = v
			d.Chunks = append(d.Chunks, ChunkRow{Vector: v, Chunk: domain.Chunk{
				Ordinal: i, Text: text, Language: pick(rng, "fa", "en", ""), Place: domain.Place{Heading: pick(rng, "river", "the boat", "")},
			}})
		}
		l.docs = append(l.docs, d)
		for range max(0, rng.IntN(5)-2) {
			d.Chunks = slices.Clone(d.Chunks)
			d.ModTime = day()
			place()
			l.docs = append(l.docs, d)
		}
	}
	put(t, w, l.docs...)
	found := must(l.Lexical(t.Context(), l.ID, language.ParseQuery("lantern river boat").Match(nil), len(vectors), 1))
	passages := must(l.Passages(t.Context(), idsOf(found)))
	if len(passages) != len(vectors) {
		t.Fatalf("%d passages of %d", len(passages), len(vectors))
	}
	for _, p := range passages {
		s := shelved{Chunk: p.Chunk}
		for _, d := range l.docs {
			if d.Hash == p.Document.Hash {
				s.in = append(s.in, d.Document)
			}
		}
		l.chunks[p.Chunk.ID], l.vectors[p.Chunk.ID] = s, vectors[p.Chunk.Text]
	}
	return l
}

func must[T any](v T, err error) T {
	if err != nil {
		panic(err)
	}
	return v
}

// keeps says of a passage, by a plain loop, whether a filter leaves it.
func (s shelved) keeps(f Filter) bool {
	var languages []string
	for _, c := range f.Conditions {
		switch {
		case c.Kind != domain.FilterLanguage:
		case c.Not && slices.Contains(c.Languages, s.Language):
			return false
		case !c.Not:
			languages = append(languages, c.Languages...)
		}
	}
	if len(languages) > 0 && !slices.Contains(languages, s.Language) {
		return false
	}
	words := s.in[0].Title + " " + s.Place.Heading + " " + s.Text
	for _, word := range f.With {
		if !strings.Contains(words, strings.Trim(word, `"`)) {
			return false
		}
	}
	for _, word := range f.Without {
		if strings.Contains(words, strings.Trim(word, `"`)) {
			return false
		}
	}
	return slices.ContainsFunc(s.in, func(d domain.Document) bool {
		types, wanted := false, false
		for i, c := range f.Conditions {
			if c.Kind == domain.FilterLanguage || c.Or {
				continue
			}
			holds := of(d, c)
			if i+1 < len(f.Conditions) && f.Conditions[i+1].Or {
				holds = holds || of(d, f.Conditions[i+1])
			}
			if c.Kind == domain.FilterType && !c.Not {
				types, wanted = types || holds, true
			} else if !holds {
				return false
			}
		}
		return types || !wanted
	})
}

func of(d domain.Document, c domain.QueryFilter) bool {
	at := d.Dated
	if at.IsZero() {
		at = d.ModTime
	}
	holds := false
	switch c.Kind {
	case domain.FilterFile:
		holds = strings.Contains(d.Path+"/"+d.Member, c.Value)
	case domain.FilterType:
		holds = slices.Contains(c.Formats, d.Format)
		for _, ext := range c.Extensions {
			holds = holds || path.Ext(d.Path) == "."+ext || path.Ext(d.Member) == "."+ext
		}
	case domain.FilterBefore:
		holds = !at.IsZero() && at.Format(time.DateOnly) < c.Date
	case domain.FilterAfter:
		holds = !at.IsZero() && at.Format(time.DateOnly) >= c.Date
	}
	return holds != c.Not
}

func randomFilter(rng *rand.Rand) (f Filter) {
	for range rng.IntN(4) {
		c := pick(rng,
			domain.QueryFilter{Kind: domain.FilterFile, Value: pick(rng, "reports", "/1", "plan", "b.py", "nowhere")},
			domain.QueryFilter{Kind: domain.FilterType, Formats: pick(rng, []string{"pdf"}, []string{"docx", "eml"}, nil), Extensions: pick(rng, []string{"py"}, nil)},
			domain.QueryFilter{Kind: domain.FilterLanguage, Languages: pick(rng, []string{"fa"}, []string{"fa", "en"})},
			domain.QueryFilter{Kind: domain.FilterBefore, Date: pick(rng, "2022-01-01", "2024-06-02", "2500-01-01", "1600-01-01")},
			domain.QueryFilter{Kind: domain.FilterAfter, Date: pick(rng, "2022-01-01", "2024-06-02", "2500-01-01", "1600-01-01")},
		)
		c.Not = rng.IntN(3) == 0
		f.Conditions = append(f.Conditions, c)
		if rng.IntN(4) == 0 && c.Kind != domain.FilterLanguage && c.Kind != domain.FilterType {
			f.Conditions = append(f.Conditions, domain.QueryFilter{Kind: domain.FilterFile, Value: "old", Or: true})
		}
	}
	if rng.IntN(4) == 0 {
		f.With = []string{pick(rng, `"lantern"`, `"light"`)}
	}
	if rng.IntN(4) == 0 {
		f.Without = []string{pick(rng, `"river"`, `"dark"`)}
	}
	return f
}

// checkFilters compares both arms, under random filters, with a plain loop over what the filters leave. near says how many of
// the k nearest must be among those that are found, in thousandths.
func (l library) checkFilters(t *testing.T, rng *rand.Rand, dim, rounds int) (recall float64) {
	const k = 30
	all := must(l.Lexical(t.Context(), l.ID, `"river" OR "light"`, len(l.chunks), 1))
	found, wanted, sizes := 0, 0, map[int]int{}
	for range rounds {
		f := randomFilter(rng)
		sel := must(l.Select(t.Context(), l.ID, f))
		left := 0
		for _, c := range l.chunks {
			if c.keeps(f) {
				left++
			}
		}
		sizes[min(left*4/len(l.chunks), 3)]++
		if all, selected, err := sel.Count(t.Context()); err != nil || all != len(l.chunks) || selected != left {
			t.Fatalf("%+v leaves %d of %d, and counts %d of %d, %v", f, left, len(l.chunks), selected, all, err)
		}
		words := slices.DeleteFunc(slices.Clone(all), func(s Scored) bool { return !l.chunks[s.ChunkID].keeps(f) })
		got := must(sel.Lexical(t.Context(), `"river" OR "light"`, k, 1))
		if !slices.Equal(got, words[:min(k, len(words))]) {
			t.Fatalf("%+v: by words %v, want %v", f, got, words)
		}
		if n := must(sel.MatchFrequency(t.Context(), []string{`"river" OR "light"`}, len(all)))[0]; n != len(words) {
			t.Fatalf("%+v: %d match, and %d are counted", f, len(words), n)
		}

		query := make([]float32, dim)
		for i := range query {
			query[i] = float32(rng.NormFloat64())
		}
		var exact []Scored
		for id, v := range l.vectors {
			if l.chunks[id].keeps(f) {
				exact = append(exact, Scored{id, cosine(query, v)})
			}
		}
		slices.SortFunc(exact, CompareScored)
		exact = exact[:min(k, len(exact))]
		near := must(sel.Nearest(t.Context(), query, k))
		if len(near) != len(exact) {
			t.Fatalf("%+v: %d of %d nearest", f, len(near), len(exact))
		}
		for _, n := range near {
			if math.Abs(n.Score-cosine(query, l.vectors[n.ChunkID])) > 1e-4 || !l.chunks[n.ChunkID].keeps(f) {
				t.Fatalf("%+v: %v is near", f, n)
			}
			if slices.ContainsFunc(exact, func(s Scored) bool { return s.ChunkID == n.ChunkID }) {
				found++
			}
		}
		wanted += len(exact)
	}
	for quarter := range 4 {
		if sizes[quarter] == 0 {
			t.Errorf("no filter leaves about %d quarters: %v", quarter, sizes)
		}
	}
	return float64(found) / float64(wanted)
}

// What the arms find under a filter is what a plain loop finds among the passages that the filter leaves.
func TestFiltersLeaveWhatALoopLeaves(t *testing.T) {
	for seed := range uint64(4) {
		rng := rand.New(rand.NewPCG(seed, 6))
		l := fillLibrary(t, rng, testDim, 200+int(seed)*100)
		check(t, l.Store)
		if recall := l.checkFilters(t, rng, testDim, 100); recall != 1 {
			t.Errorf("recall %.4f", recall)
		}
	}
}

// In a collection that is searched by codes too: no filter finds less than there is.
func TestFiltersLeaveNoLessByCodes(t *testing.T) {
	rng := rand.New(rand.NewPCG(1, 7))
	l := fillLibrary(t, rng, codedDim, (scannedBlocks+1)*codes.BlockSize)
	if parts := must(l.codeParts(t.Context(), l.ID, codedDim)); len(parts) == 0 {
		t.Fatal("the collection is not searched by codes")
	}
	if recall := l.checkFilters(t, rng, codedDim, 60); recall < 0.8 { // vectors in no order at all are the hardest
		t.Errorf("recall %.4f", recall)
	}
}

// The newest documents are listed by their own dates, else by their files'.
func TestNewest(t *testing.T) {
	rng := rand.New(rand.NewPCG(2, 8))
	l := fillLibrary(t, rng, testDim, 300)
	for range 50 {
		f := randomFilter(rng)
		list := must(must(l.Select(t.Context(), l.ID, f)).Newest(t.Context(), 1000))
		left := map[string]bool{}
		for _, c := range l.chunks {
			if c.keeps(f) {
				left[c.in[0].Hash] = true
			}
		}
		last := time.Date(3000, 1, 1, 0, 0, 0, 0, time.UTC)
		for _, p := range must(l.Passages(t.Context(), list)) {
			at := p.Document.Dated
			if at.IsZero() {
				at = p.Document.ModTime
			}
			if at.After(last) || !left[p.Document.Hash] || !l.chunks[p.Chunk.ID].keeps(f) {
				t.Fatalf("%+v lists %v behind %v", f, at, last)
			}
			last = at
			delete(left, p.Document.Hash)
		}
		if len(left) > 0 {
			t.Fatalf("%+v does not list %v", f, left)
		}
	}
}
