package language

import (
	"strings"
	"unicode"
	"unicode/utf8"

	"fanous/backend/domain"
)

// pieceKind is what a piece of a query is.
type pieceKind uint8

const (
	aWord pieceKind = iota // what stands between spaces, and is no syntax
	aPhrase
	aFilter
	inHeading // what follows is to stand in a heading
	anOr
)

// piece is a part of a query with one meaning.
type piece struct {
	kind       pieceKind
	minus      bool
	text       string // of a word or phrase, without its quotes and minus
	start, end int    // in the query
	filter     domain.QueryFilter
	group      int // pieces that OR joins have the same number, from 1
	scope      scope
}

// scope is where words are to stand.
type scope uint8

const (
	anywhere scope = iota
	heading
	notHeading
)

// asks says whether a piece asks for something, and not only for less.
func (p piece) asks() bool {
	switch p.kind {
	case aFilter, inHeading:
		return true
	}
	return !p.minus && p.scope != notHeading && hasWord(p.text)
}

// maxSyntax bounds how many pieces of syntax a query has; what comes then is words.
const maxSyntax = 64

// cutQuery finds the syntax in a query: quoted phrases, excluded words, filters and OR, each where a word can begin. A
// quote that is never closed, and one inside a word, is ordinary punctuation.
func cutQuery(q string) []piece {
	var out []piece
	syntax := 0
	for i := 0; i < len(q); {
		r, n := utf8.DecodeRuneInString(q[i:])
		if unicode.IsSpace(r) || r == '(' || r == ')' {
			i += n
			continue
		}
		p, ok := piece{}, false
		if syntax < maxSyntax {
			p, ok = cutSyntax(q, i)
		}
		if ok {
			syntax++
		} else {
			p = piece{end: wordEnd(q, i)}
			p.text = q[i:p.end]
		}
		p.start = i
		out = append(out, p)
		i = p.end
	}
	return out
}

// wordEnd is where the word at i ends: at a space or a bracket.
func wordEnd(q string, i int) int {
	n := strings.IndexFunc(q[i+1:], func(r rune) bool { return unicode.IsSpace(r) || r == '(' })
	if n < 0 {
		return len(q)
	}
	return i + 1 + n
}

// cutSyntax reads a phrase, a filter, an excluded word or an OR at i.
func cutSyntax(q string, i int) (piece, bool) {
	if end := wordEnd(q, i); isOr(q[i:end]) {
		return piece{kind: anOr, text: q[i:end], end: end}, true
	}
	minus := q[i] == '-'
	at := i
	if minus {
		at++
	}
	if text, end, ok := cutQuoted(q, at); ok {
		return piece{kind: aPhrase, minus: minus, text: text, end: end}, true
	}
	if p, ok := cutFilter(q, at); ok {
		p.minus = minus
		return p, true
	}
	if !minus || !startsWord(q[at:]) {
		return piece{}, false
	}
	end := len(q)
	if n := strings.IndexFunc(q[at:], unicode.IsSpace); n >= 0 {
		end = at + n
	}
	return piece{minus: true, text: q[at:end], end: end}, true
}

// cutQuoted reads a text in quotes at i, be they straight or what a system makes of them while they are typed. The mark of
// an acronym within it ends no text: "צה"ל חזר".
func cutQuoted(q string, i int) (text string, end int, ok bool) {
	if inside, opened := strings.CutPrefix(q[i:], "“"); opened {
		text, _, ok = strings.Cut(inside, "”")
		return text, i + len("“") + len(text) + len("”"), ok
	}
	if i == len(q) || q[i] != '"' {
		return "", 0, false
	}
	for end = i + 1; end < len(q); end++ {
		if q[end] == '"' && !marksAcronym(q, end) {
			return q[i+1 : end], end + 1, true
		}
	}
	return "", 0, false
}

// maxOperator is the length of the longest name of an operator, in bytes.
const maxOperator = 24

// cutFilter reads an operator with a value that it can use.
func cutFilter(q string, at int) (piece, bool) {
	colon := strings.IndexByte(q[at:min(at+maxOperator, len(q))], ':')
	if colon <= 0 {
		return piece{}, false
	}
	kind, ok := operators[foldName(q[at:at+colon])]
	if !ok {
		return piece{}, false
	}
	from := at + colon + 1
	value, end, quoted := cutQuoted(q, from)
	if !quoted {
		end = len(q)
		if n := strings.IndexFunc(q[from:], unicode.IsSpace); n >= 0 {
			end = from + n
		}
		if strings.HasSuffix(q[from:end], ")") && !strings.Contains(q[from:end], "(") {
			end = from + len(strings.TrimRight(q[from:end], ")"))
		}
		value = strings.Trim(q[from:end], "\"“”")
	}
	f, ok := understand(kind, value)
	if !ok {
		return piece{}, false
	}
	p := piece{kind: aFilter, text: q[at:end], end: end, filter: f}
	if kind == domain.FilterHeading {
		p.kind = inHeading
	}
	return p, true
}

// alternatives numbers the pieces that OR joins, and makes words of every OR that stands between anything but two words or
// phrases, two filters of documents or two of languages.
func alternatives(pieces []piece) []piece {
	var out []piece
	groups, last := 0, 0
	for i, p := range pieces {
		switch {
		case p.kind == anOr && len(out) > 0 && i+1 < len(pieces) && joinable(out[len(out)-1], pieces[i+1]):
			if last = out[len(out)-1].group; last == 0 {
				groups++
				last = groups
				out[len(out)-1].group = last
			}
			continue
		case p.kind == anOr:
			p.kind = aWord
		default:
			p.group = last
		}
		last = 0
		out = append(out, p)
	}
	return out
}

func isOr(word string) bool { return word == "OR" || word == "|" }

// joinable says whether an OR between two pieces is one.
func joinable(a, b piece) bool {
	if a.kind == aFilter || b.kind == aFilter {
		return a.kind == b.kind && (a.filter.Kind == domain.FilterLanguage) == (b.filter.Kind == domain.FilterLanguage)
	}
	return a.alternative() && b.alternative()
}

func (p piece) alternative() bool {
	return (p.kind == aWord || p.kind == aPhrase) && !p.minus && !isOr(p.text) && hasWord(p.text)
}

// scoped says of words and phrases where they are to stand: the one behind in:heading there, with those that OR joins to it.
// Where there is none, all before it; where there are none either it is a word.
func scoped(pieces []piece) []piece {
	for i := range pieces {
		if pieces[i].kind != inHeading {
			continue
		}
		in := heading
		if pieces[i].minus {
			in = notHeading
		}
		words := setScope(pieces[i+1:], in, true)
		if words == "" {
			words = setScope(pieces[:i], in, false)
		}
		if pieces[i].filter.Value = words; words == "" {
			pieces[i].kind, pieces[i].minus = aWord, false
		}
	}
	return pieces
}

// setScope says of words and phrases, up to the next in:heading, where they are to stand: of all, or of the first and its
// alternatives. It gives what they are.
func setScope(pieces []piece, in scope, first bool) string {
	var words []string
	group := 0
	for i := range pieces {
		p := &pieces[i]
		if p.kind == inHeading || first && len(words) > 0 && (p.group == 0 || p.group != group) {
			break
		}
		if p.kind != aFilter && p.scope == anywhere && hasWord(p.text) {
			p.scope, group = in, p.group
			words = append(words, strings.TrimSpace(p.text))
		}
	}
	return strings.Join(words, " ")
}

// joinWords makes one piece of words that stand side by side: what they say can depend on one another.
func joinWords(q string, pieces []piece) []piece {
	var out []piece
	for _, p := range pieces {
		if k := len(out) - 1; k >= 0 && p.joins(out[k]) {
			out[k].end = p.end
			out[k].text = q[out[k].start:p.end]
			continue
		}
		out = append(out, p)
	}
	return out
}

func (p piece) joins(before piece) bool {
	return p.kind == aWord && before.kind == aWord && p.scope == before.scope && p.group+before.group == 0 && !p.minus && !before.minus
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
