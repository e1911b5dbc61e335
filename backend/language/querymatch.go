package language

import (
	"math"
	"slices"
	"strings"

	"fanous/backend/domain"
)

// maxMatchTerms bounds how many alternatives a MATCH expression asks for, the commonest left out first.
const maxMatchTerms = 160

// Filters are the conditions that every hit meets, in the order of the query.
func (q Query) Filters() []domain.QueryFilter { return q.filters }

// Names says whether the filters by file let a name pass.
func (q Query) Names(name string) bool {
	passes := true // one of the alternatives so far
	for _, f := range q.filters {
		if !f.Or && !passes {
			return false
		}
		holds := f.Kind != domain.FilterFile || NewPathPattern(f.Value).Matches(name) != f.Not
		passes = holds || f.Or && passes
	}
	return passes
}

// Phrases are what Match says of phrases, alternatives and excluded words, for who searches by other means: FTS5 expressions,
// each of which a passage must match, and one that it must not, or "".
func (q Query) Phrases() (with []string, without string) {
	return conditions(q.required, q.excluded, "")
}

// Headings are likewise what the query says of the title and the headings, in the column head. It is not part of Match.
func (q Query) Headings() (with []string, without string) {
	return conditions(q.heading, q.barred, "head : ")
}

func conditions(required [][]phrase, excluded []phrase, column string) (with []string, without string) {
	for _, spellings := range required[:min(len(required), maxMatchTerms)] {
		with = append(with, column+anyMatch(spellings))
	}
	if len(excluded) > 0 {
		without = column + anyMatch(excluded[:min(len(excluded), maxMatchTerms)])
	}
	return with, without
}

// Empty reports that nothing in the query can be searched for.
func (q Query) Empty() bool { return len(q.wanted) == 0 && len(q.required) == 0 }

// Plain is what was asked for in the analyst's own words, for models: without quotes, operators and exclusions.
func (q Query) Plain() string { return q.plain }

// Terms lists the terms that are asked for, each once.
func (q Query) Terms() []string {
	seen := make(map[string]bool)
	var out []string
	for p := range q.positive {
		for _, t := range p {
			if !seen[t] {
				seen[t] = true
				out = append(out, t)
			}
		}
	}
	return out
}

// positive yields every phrase that is asked for.
func (q Query) positive(yield func(phrase) bool) {
	for _, spellings := range q.required {
		for _, p := range spellings {
			if !yield(p) {
				return
			}
		}
	}
	for _, p := range q.wanted {
		if !yield(p) {
			return
		}
	}
}

// Part is what a term does in a search.
type Part int

const (
	Finds  Part = iota // passages that hold it are found
	Orders             // it counts in passages that others find
	Joins              // it finds passages that hold all terms of this part
	Idle               // it is left out
)

// Match is the query as an FTS5 expression of quoted terms, empty where the query is. part tells what each term does,
// for common ones cost more than they are worth; without it all find, or order what holds the phrases in quotes, where there
// are any. It is asked about single words outside of quotes, a word that stands in the index as a phrase always
// finds, and it is overruled where nothing would be left.
func (q Query) Match(part func(term string) Part) string {
	parts := map[Part][]string{}
	total := 0
	for _, p := range q.wanted {
		does := Finds
		switch {
		case part == nil && q.Quoted():
			does = Orders
		case part != nil && len(p) == 1:
			does = part(p[0])
		}
		if does == Idle {
			continue
		}
		parts[does] = append(parts[does], p.match())
		if total++; total == maxMatchTerms {
			break
		}
	}
	if total == 0 && len(q.required) == 0 {
		for _, p := range q.wanted[:min(len(q.wanted), maxMatchTerms)] {
			parts[Finds] = append(parts[Finds], p.match())
		}
	}
	m := allMatch(q.required, parts)
	if m != "" && len(q.excluded) > 0 {
		m = "(" + m + ") NOT " + anyMatch(q.excluded[:min(len(q.excluded), maxMatchTerms)])
	}
	return m
}

// allMatch joins what must be there with the single words.
func allMatch(required [][]phrase, parts map[Part][]string) string {
	var all []string
	for _, spellings := range required[:min(len(required), maxMatchTerms)] {
		all = append(all, anyMatch(spellings))
	}
	find := parts[Finds]
	if len(parts[Joins]) > 0 {
		find = append(find, "("+strings.Join(parts[Joins], " AND ")+")")
	}
	order := parts[Orders]
	if len(find) > 0 && len(order) > 0 {
		order = slices.Concat(find, order)
	}
	if len(order) > 0 && len(all) > 0 {
		order = append(order, all[0])
	}
	for _, ms := range [][]string{find, order} {
		if len(ms) > 0 {
			all = append(all, anyOf(ms))
		}
	}
	return strings.Join(all, " AND ")
}

// Quoted says whether a phrase must be there.
func (q Query) Quoted() bool { return len(q.required) > 0 }

// Rows is how many passages Match finds at most, told in how many each term stands.
func (q Query) Rows(part func(term string) Part, in func(term string) int) int {
	rarest := func(p phrase) int {
		least := math.MaxInt
		for _, t := range p {
			least = min(least, in(t))
		}
		return least
	}
	sum, finding := 0, false
	var joined phrase
	for _, p := range q.wanted {
		switch {
		case len(p) > 1 || part(p[0]) == Finds:
			sum, finding = sum+rarest(p), true
		case part(p[0]) == Joins:
			joined, finding = append(joined, p[0]), true
		}
	}
	if len(joined) > 0 {
		sum += rarest(joined)
	}
	if !finding {
		sum = math.MaxInt
	}
	for _, spellings := range q.required {
		all := 0
		for _, p := range spellings {
			all += rarest(p)
		}
		sum = min(sum, all)
	}
	return sum
}

func anyOf(ms []string) string { return "(" + strings.Join(ms, " OR ") + ")" }

func anyMatch(ps []phrase) string {
	ms := make([]string, len(ps))
	for i, p := range ps {
		ms[i] = p.match()
	}
	return anyOf(ms)
}

func (p phrase) match() string {
	quoted := make([]string, len(p))
	for i, t := range p {
		quoted[i] = `"` + strings.ReplaceAll(t, `"`, `""`) + `"`
	}
	return strings.Join(quoted, " + ")
}
