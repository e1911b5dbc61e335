package retrieve

import (
	"context"
	"slices"
)

const (
	// rowBudget is how many matching rows a query may visit: each takes a little over a microsecond, whatever
	// it is worth.
	rowBudget = 30_000
	// rarest is how many of the rarest terms are searched however common they are.
	rarest = 3
)

// common says which terms of a query to leave out: the commonest, as far as all of them together would
// visit more rows than the budget. They are also the ones that say least. A small collection keeps all.
func (r *Retriever) common(ctx context.Context, collectionID int64, terms []string) (func(string) bool, error) {
	if len(terms) <= rarest {
		return nil, nil
	}
	in, err := r.store.TermFrequency(ctx, collectionID, terms)
	if err != nil {
		return nil, err
	}
	return overBudget(terms, in, rowBudget), nil
}

// overBudget keeps terms from the rarest on, as long as the rows that they stand in fit the budget.
func overBudget(terms []string, in map[string]int, budget int) func(string) bool {
	byFrequency := slices.Clone(terms)
	slices.SortStableFunc(byFrequency, func(a, b string) int { return in[a] - in[b] })
	skip := map[string]bool{}
	rows, kept := 0, 0
	for _, term := range byFrequency {
		if in[term] == 0 {
			continue // it costs nothing and finds nothing
		}
		rows += in[term]
		if kept >= rarest && rows > budget {
			skip[term] = true
			continue
		}
		kept++
	}
	return func(term string) bool { return skip[term] }
}
