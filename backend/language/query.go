package language

import (
	"math"
	"slices"
	"strings"
	"unicode"
)

const (
	// maxQueryWords bounds how many words of a query are looked at.
	maxQueryWords = 1024
	// maxMatchTerms bounds how many alternatives a MATCH expression asks for, the commonest left out first.
	maxMatchTerms = 160
	// maxPhraseTerms bounds a phrase; its beginning counts.
	maxPhraseTerms = 64
)

// phrase is terms that must stand one after the other; most have one.
type phrase []string

// Query is what an analyst typed, understood. Quotes around words ask for the phrase, a minus before a word excludes it
// where another word is asked for; nothing else is syntax.
type Query struct {
	wanted   []phrase   // any of them; they order the results
	required [][]phrase // each must be there, in one of its spellings
	excluded []phrase   // none of them may be there
	plain    string
}

// ParseQuery understands any string.
func ParseQuery(q string) Query {
	pieces := cutQuery(q)
	positive := false
	for _, p := range pieces {
		positive = positive || !p.minus && hasWord(p.text)
	}
	a := analysers.Get().(*analyser)
	defer analysers.Put(a)
	var out Query
	var words []string
	for _, p := range pieces {
		if p.minus && positive {
			out.excluded = append(out.excluded, a.exact(p.text)...)
			continue
		}
		words = append(words, strings.TrimSpace(p.text))
		if p.quoted {
			if spellings := a.exact(p.text); len(spellings) > 0 {
				out.required = append(out.required, spellings)
			}
			continue
		}
		out.wanted = append(out.wanted, a.anyOf(p.text)...)
	}
	out.wanted = distinct(out.wanted)
	out.excluded = distinct(out.excluded)
	out.plain = strings.Join(words, " ")
	return out
}

// piece is a part of a query with one meaning.
type piece struct {
	text          string
	quoted, minus bool
}

// cutQuery finds the quoted phrases and the excluded words. A quote that is never closed, and one inside a word, is
// ordinary punctuation.
func cutQuery(q string) []piece {
	var out []piece
	text := 0 // start of the ordinary text not yet taken
	take := func(end int) {
		if strings.TrimSpace(q[text:end]) != "" {
			out = append(out, piece{text: q[text:end]})
		}
	}
	atStart := true // of a word
	for i := 0; i < len(q); {
		switch c := q[i]; {
		case atStart && (c == '"' || c == '-' && i+1 < len(q) && q[i+1] == '"'):
			open := i
			if c == '-' {
				open++
			}
			if n := strings.IndexByte(q[open+1:], '"'); n >= 0 {
				take(i)
				out = append(out, piece{q[open+1 : open+1+n], true, c == '-'})
				i = open + n + 2
				text = i
				continue
			}
			i = open + 1
		case atStart && c == '-' && i+1 < len(q) && startsWord(q[i+1:]):
			take(i)
			end := len(q)
			if n := strings.IndexFunc(q[i:], unicode.IsSpace); n >= 0 {
				end = i + n
			}
			out = append(out, piece{q[i+1 : end], false, true})
			i, text = end, end
			continue
		default:
			atStart = c == ' ' || c == '\t' || c == '\n' || c == '\r' || c == '('
			i++
			continue
		}
		atStart = false
	}
	take(len(q))
	return out
}

// startsWord reports whether text begins with something other than space or punctuation.
func startsWord(text string) bool {
	a := classes{planeClasses()}
	for i := 0; i < len(text); {
		_, n, c := a.at(text, i)
		switch c {
		case ignorable:
			i += n
			continue
		case separator, apostrophe:
			return false
		case connector:
			return text[i] == '.'
		}
		return true
	}
	return false
}

func hasWord(text string) bool {
	a := analysers.Get().(*analyser)
	defer analysers.Put(a)
	a.scan(text)
	return len(a.tokens) > 0
}

// exact gives the spellings in which a phrase stands in the index: its main terms in sequence, and for a single word its
// alternatives too.
func (a *analyser) exact(text string) []phrase {
	a.scan(text)
	var main phrase
	for i := range a.tokens {
		for _, p := range a.parts(text, i) {
			if p.role == inPlace && len(main) < maxPhraseTerms {
				main = append(main, p.text)
			}
		}
	}
	if len(main) == 0 {
		return nil
	}
	out := []phrase{main}
	if len(a.tokens) == 1 && len(main) > 1 {
		for _, p := range a.parts(text, 0) {
			if p.role == alias {
				out = append(out, phrase{p.text})
			}
		}
	}
	return out
}

// anyOf gives everything that the words of a text may be found by.
func (a *analyser) anyOf(text string) []phrase {
	a.scan(text)
	if len(a.tokens) > maxQueryWords {
		a.tokens = a.tokens[:maxQueryWords]
	}
	guesses := a.guesses()
	var out []phrase
	for i := range a.tokens {
		w := a.tokens[i].word
		var main phrase
		for _, p := range a.parts(text, i) {
			switch {
			case p.role == inPlace && w != nil && w.shape != anyPart:
				main = append(main, p.text)
				if w.shape == both {
					out = append(out, phrase{p.text})
				}
			case p.role != indexed:
				out = append(out, phrase{p.text})
			}
		}
		if len(main) > 0 {
			out = append(out, main[:min(len(main), maxPhraseTerms)])
		}
		if w != nil {
			for _, p := range w.stems(guesses) {
				out = append(out, phrase{p.text})
			}
		}
	}
	return out
}

func distinct(ps []phrase) []phrase {
	seen := make(map[string]bool, len(ps))
	out := ps[:0]
	for _, p := range ps {
		if key := strings.Join(p, " "); !seen[key] {
			seen[key] = true
			out = append(out, p)
		}
	}
	return out
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
