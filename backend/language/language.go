// Package language turns text into the terms that keyword search compares: the one analyser of both sides, the index's
// and the query's, with the place of every term in the original text.
//
// The term of a word is decided by the word itself, by its script and never by a guess at the document's language, so the
// two sides cannot disagree. A guessed language only adds terms (see stems.go).
//
// Terms come in two kinds. Each word puts its main terms into a stream in reading order, so that phrases can be matched
// on neighbouring terms; the other spellings by which a word can be found (the joined form of a hyphenated word, single
// characters of a Chinese one) come after the whole stream, where they cannot stand between neighbours.
package language

import (
	"sync"
	"unicode/utf8"
)

// Term is an analysed term: valid UTF-8, never empty, without spaces, controls and double quotes.
type Term struct {
	Text       string
	Start, End int // byte range of the original text: whole words, marks included
}

// Terms gives the terms of a text that is to be indexed: those in reading order, then the alternative ones. Several
// terms may stand for one word.
func Terms(text string) []Term {
	a := analysers.Get().(*analyser)
	defer analysers.Put(a)
	a.scan(text)
	ts := a.terms(text)
	out := make([]Term, len(ts))
	for i, t := range ts {
		out[i] = t.Term
	}
	return out
}

// AppendTerms appends the terms that Terms gives, in the same order, separated by single spaces.
func AppendTerms(dst []byte, text string) []byte {
	a := analysers.Get().(*analyser)
	defer analysers.Put(a)
	return a.appendTerms(dst, text)
}

// AppendPassage appends the terms of a passage as AppendTerms does, and names its language as Detect does, from one
// reading.
func AppendPassage(dst []byte, text string) (terms []byte, tongue string) {
	a := analysers.Get().(*analyser)
	defer analysers.Put(a)
	dst = a.appendTerms(dst, text)
	return dst, a.tongue(text)
}

// analysers keeps idle analysers for the next call, because their memory of words is what makes them quick. They hold
// nothing that a result depends on.
var analysers = sync.Pool{New: func() any { return newAnalyser() }}

// analyser holds the scratch space of one analysis and the words it has met. It is not safe for concurrent use.
type analyser struct {
	classes classes
	memory  memory
	tokens  []token
	aside   []byte
	found   []term
	units   []unit
}

// term is a Term and whether it stands in the stream that phrases are matched on.
type term struct {
	Term
	inPlace bool
}

func newAnalyser() *analyser {
	return &analyser{classes: classes{planeClasses()}, memory: newMemory()}
}

// appendTerms renders what terms lists, without building the list.
func (a *analyser) appendTerms(dst []byte, text string) []byte {
	a.scan(text)
	from := len(dst)
	aside := a.aside[:0]
	for i := range a.tokens {
		t := &a.tokens[i]
		if t.word == nil {
			dst, aside = a.appendPairs(dst, aside, text[t.start:t.end])
			continue
		}
		dst = append(dst, t.word.main...)
		if t.word.aside != "" {
			aside = append(aside, t.word.aside...)
		}
	}
	if guessed := a.guess(); guessed != 0 {
		for i := range a.tokens {
			if w := a.tokens[i].word; w != nil {
				for _, s := range w.stems(guessed) {
					aside = append(aside, s.text...)
					aside = append(aside, ' ')
				}
			}
		}
	}
	aside = a.appendMarks(aside)
	dst = append(dst, aside...)
	a.aside = aside
	if len(dst) > from {
		dst = dst[:len(dst)-1]
	}
	return dst
}

// terms lists the terms of the scanned text. The list is good until the next call.
func (a *analyser) terms(text string) []term {
	out := a.found[:0]
	for i := range a.tokens {
		for _, p := range a.parts(text, i) {
			if p.role == inPlace {
				out = append(out, a.tokens[i].term(p))
			}
		}
	}
	for i := range a.tokens {
		for _, p := range a.parts(text, i) {
			if p.role == alias || p.role == indexed {
				out = append(out, a.tokens[i].term(p))
			}
		}
	}
	if guessed := a.guess(); guessed != 0 {
		for i := range a.tokens {
			if w := a.tokens[i].word; w != nil {
				for _, p := range w.stems(guessed) {
					out = append(out, a.tokens[i].term(p))
				}
			}
		}
	}
	a.found = a.markTerms(out)
	return a.found
}

// parts gives the terms of a scanned token.
func (a *analyser) parts(text string, i int) []part {
	t := &a.tokens[i]
	if t.word != nil {
		return t.word.parts
	}
	return pairs(text[t.start:t.end])
}

func (t *token) term(p part) term {
	return term{Term{p.text, t.start + p.start, t.start + p.end}, p.role == inPlace}
}

// cut shortens a term to what an index keeps of one, at a rune's boundary.
func cut(s string) string {
	const most = 120
	if len(s) <= most {
		return s
	}
	n := most
	for !utf8.RuneStart(s[n]) {
		n--
	}
	return s[:n]
}
