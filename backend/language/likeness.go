package language

import (
	"strings"
	"unicode/utf8"
)

// Words are the words of a query, to be counted in passages that a search has found. An index says only whether a term
// stands in a passage; whoever reads it can also see how like a word is that is not the same: of the same root, in a
// form that no stemmer joins.
type Words struct {
	words []phrase
	exact map[string]int        // the place of each, by its terms
	also  map[string][]int      // other terms by which words are found: their stems, their joined form
	grams map[string][]int      // runs of letters, and the words that have them
	runs  []int                 // how many each word has
	known map[string][]likeness // of terms that have been met
}

// Count is how a word stands in a text.
type Count struct {
	Times int
	Like  float64 // in [0,1): how like to it the likest other word is
}

// likeness is how like a term is to a word, 1 where it is the same.
type likeness struct {
	word int
	like float64
}

const (
	// gramLength is how many letters words must have in a row to be alike: most roots have three or four.
	gramLength = 4
	// leastAlike is the share of their runs that alike words have in common.
	leastAlike = 0.4
	// whollyAlike is the likeness of words that have all runs in common, sameStem of those that a stemmer joins: less
	// than the same word.
	whollyAlike = 0.6
	sameStem    = 0.9
)

// Words prepares the words of a query. They are not safe for concurrent use.
func (q Query) Words() *Words {
	w := &Words{exact: map[string]int{}, also: map[string][]int{}, grams: map[string][]int{}, known: map[string][]likeness{}}
	a := analysers.Get().(*analyser)
	defer analysers.Put(a)
	a.scan(q.plain)
	a.tokens = a.tokens[:min(len(a.tokens), maxQueryWords)]
	guesses := a.guesses()
	for i := range a.tokens {
		word := a.tokens[i].word
		var main phrase
		var others []part
		for _, p := range a.parts(q.plain, i) {
			switch p.role {
			case inPlace:
				main = append(main, p.text)
			case alias, asked:
				others = append(others, p)
			}
		}
		own := w.addAll(main, word)
		if word != nil {
			others = append(others, word.stems(guesses)...)
		}
		for _, p := range others {
			w.also[p.text] = append(w.also[p.text], own...)
		}
	}
	return w
}

// Clone gives the same words for use by another goroutine.
func (w *Words) Clone() *Words {
	c := *w
	c.known = map[string][]likeness{}
	return &c
}

// addAll adds the main terms of a token, each by itself or as a sequence, as a search asks for them.
func (w *Words) addAll(main phrase, word *word) (added []int) {
	if word == nil || word.shape != sequence {
		for _, term := range main {
			added = append(added, w.add(phrase{term}))
		}
	}
	if word != nil && word.shape != anyPart && len(main) > 1 {
		added = append(added, w.add(main))
	}
	return added
}

// add gives a word its place.
func (w *Words) add(p phrase) int {
	key := strings.Join(p, " ")
	if i, ok := w.exact[key]; ok {
		return i
	}
	i := len(w.words)
	w.exact[key] = i
	w.words = append(w.words, p)
	w.runs = append(w.runs, 0)
	for g := range grams(key) {
		w.grams[g] = append(w.grams[g], i)
		w.runs[i]++
	}
	return i
}

// Len is how many words there are.
func (w *Words) Len() int { return len(w.words) }

// Matches gives for each word the FTS5 expression that finds it, in the order of the query, each once.
func (w *Words) Matches() []string {
	out := make([]string, len(w.words))
	for i, p := range w.words {
		out[i] = p.match()
	}
	return out
}

// Count counts the words in a text, adding to what counts has for each word, and says how many words the text has.
func (w *Words) Count(text string, counts []Count) (length int) {
	a := analysers.Get().(*analyser)
	defer analysers.Put(a)
	a.scan(text)
	guessed := a.guess()
	for i := range a.tokens {
		t := &a.tokens[i]
		if t.word == nil {
			length += w.countPairs(a, text[t.start:t.end], counts)
			continue
		}
		for _, p := range t.word.parts {
			if p.role != asked {
				w.count(p.text, counts)
			}
			if p.role == inPlace {
				length++
			}
		}
		if t.word.shape != anyPart {
			w.count(strings.TrimSuffix(t.word.main, " "), counts)
		}
		if guessed != 0 {
			for _, p := range t.word.stems(guessed) {
				w.count(p.text, counts)
			}
		}
	}
	return length
}

func (w *Words) count(term string, counts []Count) {
	for _, l := range w.alike(term) {
		if c := &counts[l.word]; l.like == 1 {
			c.Times++
		} else {
			c.Like = max(c.Like, l.like)
		}
	}
}

// countPairs counts in a run of a script without spaces, where nothing is like another.
func (w *Words) countPairs(a *analyser, run string, counts []Count) int {
	a.units = appendUnits(a.units[:0], run)
	for i, u := range a.units {
		if at, ok := w.exact[u.text]; ok {
			counts[at].Times++
		}
		if i > 0 {
			before := a.units[i-1]
			if at, ok := w.exact[before.text+u.text]; ok {
				counts[at].Times++
			}
		}
	}
	return max(len(a.units)-1, 1)
}

// alike gives the words that a term stands for, wholly or in part.
func (w *Words) alike(term string) []likeness {
	found, ok := w.known[term]
	if ok {
		return found
	}
	if i, ok := w.exact[term]; ok {
		found = append(found, likeness{i, 1})
	}
	for _, i := range w.also[term] {
		found = append(found, likeness{i, sameStem})
	}
	shared := map[int]int{}
	runs := 0
	for g := range grams(term) {
		runs++
		for _, i := range w.grams[g] {
			shared[i]++
		}
	}
	for i, n := range shared {
		if share := 2 * float64(n) / float64(runs+w.runs[i]); share >= leastAlike {
			found = append(found, likeness{i, whollyAlike * share})
		}
	}
	w.known[term] = found
	return found
}

// grams yields every run of gramLength letters of a term. Numbers have none: one is not like another.
func grams(term string) func(yield func(string) bool) {
	return func(yield func(string) bool) {
		var starts [gramLength]int // of the last letters
		n := 0
		for i, r := range term {
			if r < '@' || r == '~' {
				n = 0
				continue
			}
			starts[n%gramLength] = i
			if n++; n >= gramLength && !yield(term[starts[n%gramLength]:i+utf8.RuneLen(r)]) {
				return
			}
		}
	}
}
