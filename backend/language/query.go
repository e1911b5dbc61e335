package language

import (
	"strings"

	"fanous/backend/domain"
)

const (
	// maxQueryWords bounds how many words of a query are looked at.
	maxQueryWords = 1024
	// maxPhraseTerms bounds a phrase; its beginning counts.
	maxPhraseTerms = 64
)

// phrase is terms that must stand one after the other; most have one.
type phrase []string

// Query is what an analyst typed, understood: words, of which any may be found, and what else the syntax asks for.
//
//	"a phrase"         its words stand one after the other
//	-word -"a phrase"  not with it, where something else is asked for
//	one OR other       one of them; OR or | between two words or phrases, or two filters
//	file:x type:x lang:x before:x after:x
//	                   filters; with a minus everything else
//	in:heading         the word or phrase behind it stands in the title or the headings above; where there is none, all before it
//
// Everything else is words, an operator with a value that it cannot use too.
type Query struct {
	wanted   []phrase   // any of them; they order the results
	telling  []phrase   // of wanted, what is asked for by other than function words
	required [][]phrase // each must be there, in one of its spellings
	excluded []phrase   // none of them may be there
	heading  [][]phrase // as required, in the title and headings
	barred   []phrase   // as excluded, there
	plain    string
	filters  []domain.QueryFilter
}

// ParseQuery understands any string.
func ParseQuery(q string) Query {
	pieces := joinWords(q, scoped(alternatives(cutQuery(q))))
	a := analysers.Get().(*analyser)
	defer analysers.Put(a)
	b := builder{analyser: a, text: q}
	positive := false
	for _, p := range pieces {
		positive = positive || p.asks()
	}
	for i := 0; i < len(pieces); {
		n := 1
		for pieces[i].group > 0 && i+n < len(pieces) && pieces[i+n].group == pieces[i].group {
			n++
		}
		b.add(pieces[i:i+n], positive)
		i += n
	}
	b.wanted, b.excluded, b.barred = distinct(b.wanted), distinct(b.excluded), distinct(b.barred)
	b.plain = strings.Join(b.words, " ")
	return b.Query
}

// PlainQuery is the query of a text in which nothing is syntax.
func PlainQuery(text string) Query {
	a := analysers.Get().(*analyser)
	defer analysers.Put(a)
	q := Query{plain: strings.TrimSpace(text)}
	q.ask(a, text)
	q.wanted = distinct(q.wanted)
	return q
}

// builder makes a Query of the pieces of a text.
type builder struct {
	Query
	*analyser
	text  string
	words []string // of the plain form
}

// add takes pieces that OR joins, or a single one.
func (b *builder) add(pieces []piece, positive bool) {
	p := pieces[0]
	switch {
	case p.kind == aFilter || p.kind == inHeading:
		for i, p := range pieces {
			p.filter.Not, p.filter.Or = p.minus, i > 0
			b.note(p.filter, p.start, p.end)
		}
	case p.scope == notHeading:
		for _, p := range pieces {
			b.barred = append(b.barred, b.exact(p.text)...)
		}
	case p.minus && positive:
		b.exclude(p)
	default:
		b.want(pieces)
	}
}

// note lists a filter.
func (b *builder) note(f domain.QueryFilter, start, end int) {
	f.Range = [2]int{start, end}
	b.filters = append(b.filters, f)
}

func (b *builder) exclude(p piece) {
	into, kind := &b.excluded, domain.FilterWord
	if p.scope == heading {
		into = &b.barred
	}
	if p.kind == aPhrase {
		kind = domain.FilterPhrase
	}
	if spellings := b.exact(p.text); len(spellings) > 0 {
		*into = append(*into, spellings...)
		b.note(domain.QueryFilter{Kind: kind, Value: p.text, Not: true}, p.start, p.end)
	}
}

// want takes words, a phrase, or alternatives.
func (b *builder) want(pieces []piece) {
	var spellings []phrase
	for _, p := range pieces {
		b.words = append(b.words, strings.TrimSpace(p.text))
		if p.kind == aPhrase {
			spellings = append(spellings, b.exact(p.text)...)
			continue
		}
		b.ask(b.analyser, p.text)
		if len(pieces) > 1 {
			spellings = append(spellings, b.spellings(p.text)...)
		} else if p.scope == heading {
			b.heading = append(b.heading, b.each(p.text)...)
		}
	}
	first, last := pieces[0], pieces[len(pieces)-1]
	switch {
	case len(spellings) == 0:
	case first.scope == heading:
		b.heading = append(b.heading, spellings)
		if len(pieces) == 1 {
			b.wanted = append(b.wanted, spellings...)
		}
	case len(pieces) > 1:
		b.required = append(b.required, spellings)
		b.note(domain.QueryFilter{Kind: domain.FilterAny, Value: b.text[first.start:last.end]}, first.start, last.end)
	default:
		b.required = append(b.required, spellings)
		b.note(domain.QueryFilter{Kind: domain.FilterPhrase, Value: first.text}, first.start, first.end)
	}
}

// spellings are those in which a word outside of quotes can stand.
func (a *analyser) spellings(text string) []phrase {
	out := a.exact(text)
	a.scan(text)
	guesses := a.guesses()
	for i := range a.tokens {
		if w := a.tokens[i].word; w != nil && len(a.tokens) == 1 {
			for _, p := range w.stems(guesses) {
				out = append(out, phrase{p.text})
			}
		}
	}
	return out
}

// each gives the spellings of every word of a text, without function words where there are others.
func (a *analyser) each(text string) [][]phrase {
	var all, telling [][]phrase
	for _, word := range strings.Fields(text) {
		spellings := a.spellings(word)
		if len(spellings) == 0 {
			continue
		}
		all = append(all, spellings)
		if w := a.tokens[0].word; len(a.tokens) > 1 || w == nil || !w.function {
			telling = append(telling, spellings)
		}
	}
	if len(telling) == 0 {
		return all
	}
	return telling
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

// ask adds everything that the words of a text may be found by.
func (q *Query) ask(a *analyser, text string) {
	a.scan(text)
	a.tokens = a.tokens[:min(len(a.tokens), maxQueryWords)]
	guesses := a.guesses()
	for i := range a.tokens {
		w := a.tokens[i].word
		asked := askedBy(w, a.parts(text, i))
		if w != nil {
			for _, p := range w.stems(guesses) {
				asked = append(asked, phrase{p.text})
			}
		}
		q.wanted = append(q.wanted, asked...)
		if w == nil || !w.function {
			q.telling = append(q.telling, asked...)
		}
	}
}

// askedBy gives what a word, or a run without one, may be found by, the stems of languages aside.
func askedBy(w *word, parts []part) (out []phrase) {
	var main phrase
	for _, p := range parts {
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
