package retrieve

import (
	"context"
	"math"
	"slices"

	"fanous/backend/domain"
	"fanous/backend/language"
	"fanous/backend/store"
)

// limits bound what the words of a query cost.
type limits struct {
	// rows is how many matching rows a query may rank: each takes one to three microseconds, whatever it is worth.
	rows int
	// rowsBeside is the same where the vector arm runs too: it finds most of what fewer words miss, and needs the cores.
	rowsBeside int
	// sample is how many are ranked where nothing in a query is rare enough to fit. It is less, for there going
	// through the rows takes its time too.
	sample int
	// counted is how many of the rarest terms count in the ranking, however common they are, as long as they
	// stand in no more rows than countedRows.
	counted, countedRows int
	// joined is how many terms must stand together where all are too common.
	joined int
	// frequency is how many rows are counted, over all terms, to know how common each is.
	frequency int
}

func defaultLimits() limits {
	return limits{rows: 30_000, rowsBeside: 10_000, sample: 10_000, counted: 6, countedRows: 120_000, joined: 2, frequency: 300_000}
}

// of are the limits of one request.
func (l limits) of(req Request) limits {
	if req.Method == domain.Hybrid && req.Embed != nil {
		l.rows = min(l.rows, l.rowsBeside)
	}
	return l
}

// byWords searches for the words of a query and bounds what that costs. In a small collection every term finds. In a
// large one the rarest terms find, as far as all of them together find no more rows than the limit; a few more common
// ones only count where those are; the commonest, which say least, are left out. Where that finds less than was asked
// for, and where every term is too common, common ones are searched: together, then apart, and some of the rows are
// ranked for all.
//
// Under a filter terms are as common as the share that it leaves of their rows, and in the end all of them find: what is
// common in the collection need not be there.
func (r *Retriever) byWords(ctx context.Context, req Request, left store.Selection) ([]store.Scored, error) {
	terms := req.Query.Terms()
	if len(terms) == 0 {
		return nil, nil
	}
	l := r.limits.of(req)
	in, err := r.store.TermFrequency(ctx, req.CollectionID, terms, min(l.rows, l.frequency/len(terms)))
	if err != nil {
		return nil, err
	}
	if !left.All() {
		all, selected, err := left.Count(ctx)
		if err != nil || selected == 0 {
			return nil, err
		}
		for term, rows := range in {
			in[term] = int(math.Ceil(float64(rows) * float64(selected) / float64(all)))
		}
	}
	steps := l.steps(req.Query, in)
	if len(steps) == 0 {
		return left.Lexical(ctx, req.Query.Match(nil), req.K, 1)
	}
	if !left.All() && !req.Query.Quoted() {
		steps = append(steps, finding(terms))
	}
	var list []store.Scored
	var done []string
	for _, step := range steps {
		match := req.Query.Match(step.of)
		if slices.Contains(done, match) {
			continue
		}
		done = append(done, match)
		every, err := l.sampled(ctx, left, match, req.Query.Rows(step.of, func(term string) int { return in[term] }))
		if err != nil {
			return nil, err
		}
		more, err := left.Lexical(ctx, match, req.K, every)
		if err != nil {
			return nil, err
		}
		if list = merge(list, more, req.K); len(list) == req.K {
			break
		}
	}
	return list, nil
}

// sampled says of one in how many rows that match is to be ranked, where they are no more than atMost.
func (l limits) sampled(ctx context.Context, left store.Selection, match string, atMost int) (int, error) {
	if atMost <= l.rows {
		return 1, nil
	}
	rows, err := left.MatchFrequency(ctx, []string{match}, l.rows)
	if err != nil || rows[0] <= l.rows {
		return 1, err
	}
	return (rows[0] + l.sample - 1) / l.sample, nil
}

// parts says what each term of a query does in one search.
type parts map[string]language.Part

func (p parts) of(term string) language.Part { return p[term] }

// finding are terms that all find.
func finding(terms []string) parts {
	p := parts{}
	for _, term := range terms {
		p[term] = language.Finds
	}
	return p
}

// steps are the searches for a query's words, from the number of rows that each stands in, until enough is found.
// None: all of them are searched at once.
func (l limits) steps(q language.Query, in map[string]int) []parts {
	terms := q.Terms()
	finding, common := l.split(terms, in)
	if len(common) == 0 {
		return nil
	}
	main, order, together, apart := parts{}, parts{}, parts{}, parts{}
	for i, term := range append(finding, common...) {
		main[term], order[term], together[term], apart[term] = language.Idle, language.Idle, language.Idle, language.Idle
		if i < len(finding) {
			main[term] = language.Finds
		} else if i < l.counted && in[term] <= l.countedRows {
			main[term] = language.Orders
		}
		if main[term] != language.Idle {
			order[term] = language.Orders
		}
	}
	for _, term := range common[:min(l.joined, len(common))] {
		together[term], apart[term] = language.Joins, language.Finds
	}
	if q.Quoted() { // words order what holds the phrases; the rare ones first find what must not be missed
		return []parts{main, order}
	}
	var steps []parts
	if len(finding) > 0 {
		steps = append(steps, main)
	}
	if len(common) > 1 {
		steps = append(steps, together)
	}
	return append(steps, apart)
}

// split divides terms in those that are rare enough to find and those that are not, the rarest first.
func (l limits) split(terms []string, in map[string]int) (finding, common []string) {
	sorted := slices.Clone(terms)
	slices.SortStableFunc(sorted, func(a, b string) int { return in[a] - in[b] })
	rows := 0
	for i, term := range sorted {
		if rows += in[term]; rows > l.rows {
			return sorted[:i], sorted[i:]
		}
	}
	return sorted, nil
}

// merge joins two lists for words of one query; what is in both keeps its score in the first.
func merge(a, b []store.Scored, k int) []store.Scored {
	have := make(map[int64]bool, len(a))
	for _, s := range a {
		have[s.ChunkID] = true
	}
	for _, s := range b {
		if !have[s.ChunkID] {
			a = append(a, s)
		}
	}
	slices.SortFunc(a, store.CompareScored)
	return a[:min(k, len(a))]
}
