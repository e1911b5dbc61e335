package retrieve

import (
	"context"
	"slices"
)

const (
	// shortQuery is the number of terms up to which every term is searched.
	shortQuery = 6
	// longQuery is the number of terms above which the commonest go, whatever their frequency.
	longQuery = 32
	// commonShare is the share of the chunks above which a term of a longer query says too little to be worth
	// its rows: the cost of a query is a visit to every row that matches any term.
	commonShare = 0.2
)

// common says which terms of a query to leave out. It keeps the rarest where all are common.
func (r *Retriever) common(ctx context.Context, collectionID int64, terms []string) (func(string) bool, error) {
	if len(terms) <= shortQuery {
		return nil, nil
	}
	in, chunks, err := r.store.TermFrequency(ctx, collectionID, terms)
	if err != nil {
		return nil, err
	}
	byFrequency := slices.Clone(terms)
	slices.SortStableFunc(byFrequency, func(a, b string) int { return in[a] - in[b] })
	keep := map[string]bool{}
	for _, term := range byFrequency {
		rare := float64(in[term]) <= commonShare*float64(chunks)
		// A term that no chunk has costs nothing and finds nothing.
		if in[term] > 0 && len(keep) < longQuery && (rare || len(keep) < shortQuery/2) {
			keep[term] = true
		}
	}
	return func(term string) bool { return !keep[term] }, nil
}
