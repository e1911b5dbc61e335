package language

import (
	"strings"
	"unicode"
	"unicode/utf8"
)

// maxJoined bounds, in bytes, how far connectors may lengthen one word; what follows starts a new word.
const maxJoined = 128

// token is a stretch of text that is analysed as one: a word with what is joined to it, a run of a script without
// spaces (word is nil then), or a symbol.
type token struct {
	start, end int
	word       *word
	arabic     bool
}

// scan cuts text into tokens. Where a token ends depends on the runes around it and, in the Arabic script, on a closed
// list of affixes; never on the language of the text.
func (a *analyser) scan(text string) {
	a.tokens = a.tokens[:0]
	plane := a.classes.plane
	for i := 0; i < len(text); {
		if b := text[i]; b < utf8.RuneSelf && plane[b] == separator {
			i++
			continue
		}
		r, n, c := a.classes.at(text, i)
		switch c {
		case letter, digit:
			i = a.scanWord(text, i)
		case mark:
			if r, size := utf8.DecodeLastRuneInString(text[:i]); size > 0 && unicode.IsSymbol(r) {
				i = a.skipMarks(text, i)
				continue
			}
			i = a.scanWord(text, i)
		case arabic:
			i = a.scanArabic(text, i)
		case spaceless:
			i = a.scanSpaceless(text, i)
		case symbol:
			i = a.scanSymbol(text, i, r)
		case connector:
			if r == '.' && a.leadingDot(text, i) {
				i = a.scanWord(text, i)
				continue
			}
			i = max(i+n, a.scanTelephone(text, i, r))
		default:
			i += n
		}
	}
}

// skipMarks passes the marks on a sign: they make another sign of it (≠ is = with a stroke), where those on a space stand
// for themselves.
func (a *analyser) skipMarks(text string, i int) int {
	for {
		_, n, c := a.classes.at(text, i)
		if c != mark {
			return i
		}
		i += n
	}
}

// scanWord takes the word that begins at start and returns where it ends.
func (a *analyser) scanWord(text string, start int) int {
	i, end := start, start
	if text[i] == '.' {
		i++
	}
	var last class // of the rune before i, marks and invisible ones aside
loop:
	for i < len(text) {
		if b := text[i]; b < utf8.RuneSelf {
			c := a.classes.plane[b]
			if c == letter || c == digit {
				i++
				end, last = i, c
				continue
			}
			if c == separator && b != '"' {
				break
			}
		}
		r, n, c := a.classes.at(text, i)
		switch c {
		case letter, digit:
			end, last = i+n, c
		case mark:
			end = i + n
		case ignorable:
		default:
			if i-start > maxJoined || !a.joins(text, i, i+n, r, last) {
				break loop
			}
		}
		i += n
	}
	switch last {
	case letter:
		end = plusOrSharp(a.classes, text, end)
	case digit:
		end = a.groupsEnd(text, start, end)
	}
	a.tokens = append(a.tokens, token{start: start, end: end, word: a.memory.lookup(text[start:end], general)})
	return max(end, start+1)
}

// joins reports whether the punctuation r at text[i:next] holds a word together.
func (a *analyser) joins(text string, i, next int, r rune, last class) bool {
	following, _, c := a.classes.at(text, next)
	if last != letter && last != digit || c != letter && c != digit {
		return false
	}
	digits := last == digit && c == digit
	switch {
	case isApostrophe(r):
		return c == letter || digits
	case r == '"':
		return marksAcronym(text, i)
	case !isConnector(r):
		return false
	case r == '&':
		return last == letter && c == letter
	case r == '\u00B7': // of Catalan
		before, _ := utf8.DecodeLastRuneInString(text[:i])
		return unicode.ToLower(before) == 'l' && unicode.ToLower(following) == 'l'
	case r == ',', r == ':', r == '/', r == '\u066B', r == '\u066C', r == '\u060C', r == '\uFF0C', r == '\uFF0E':
		return digits
	}
	return true
}

// marksAcronym reports whether the straight quote at i stands between two Hebrew letters, where it is typed for gershayim, the mark
// of an acronym.
func marksAcronym(text string, i int) bool {
	before := strings.TrimRightFunc(text[:i], func(r rune) bool { return unicode.Is(unicode.Mn, r) })
	last, _ := utf8.DecodeLastRuneInString(before)
	next, _ := utf8.DecodeRuneInString(text[i+1:])
	return unicode.IsLetter(last) && unicode.Is(unicode.Hebrew, last) && unicode.IsLetter(next) && unicode.Is(unicode.Hebrew, next)
}

// leadingDot reports whether the dot at i begins a name such as .NET.
func (a *analyser) leadingDot(text string, i int) bool {
	if _, _, c := a.classes.at(text, i+1); c != letter {
		return false
	}
	return i == 0 || strings.IndexByte(" \t\r\n([{\"'*,;/", text[i-1]) >= 0
}

// plusOrSharp extends a word by the signs of names such as C++ and F#.
func plusOrSharp(cs classes, text string, end int) int {
	i := end
	for i < len(text) && i-end < 2 && text[i] == '+' {
		i++
	}
	if i == end && i < len(text) && text[i] == '#' {
		i++
	}
	if i == end {
		return end
	}
	if _, _, c := cs.at(text, i); c == letter || c == digit && i-end < 2 || i < len(text) && (text[i] == '+' || text[i] == '#') {
		return end
	}
	return i
}

// scanArabic takes a word of the Arabic script and joins it to the one before where an affix calls for it.
func (a *analyser) scanArabic(text string, start int) int {
	i, end := start, start
	for i < len(text) {
		_, n, c := a.classes.at(text, i)
		if c == arabic || c == mark {
			end = i + n
		} else if c != ignorable {
			break
		}
		i += n
	}
	w := a.memory.lookup(text[start:end], inArabic)
	if k := len(a.tokens) - 1; k >= 0 && a.tokens[k].arabic {
		if before := &a.tokens[k]; before.word.attracts(w) && a.oneSpace(text[before.end:start]) {
			before.end, before.word = end, a.memory.lookup(text[before.start:end], inArabic)
			return end
		}
	}
	a.tokens = append(a.tokens, token{start: start, end: end, word: w, arabic: true})
	return end
}

// oneSpace reports whether a gap is a single space or line end, with or without invisible characters.
func (a *analyser) oneSpace(gap string) bool {
	spaces := 0
	for i := 0; i < len(gap); {
		r, n, c := a.classes.at(gap, i)
		switch {
		case unicode.IsSpace(r):
			if !(r == '\n' && i > 0 && gap[i-1] == '\r') {
				spaces++
			}
		case c != ignorable:
			return false
		}
		i += n
	}
	return spaces == 1
}

func (a *analyser) scanSpaceless(text string, start int) int {
	i, end := start, start
	for i < len(text) {
		_, n, c := a.classes.at(text, i)
		if c == spaceless || c == mark {
			end = i + n
		} else if c != ignorable {
			break
		}
		i += n
	}
	a.tokens = append(a.tokens, token{start: start, end: end})
	return end
}

// scanSymbol takes a symbol with its selectors; two regional indicators make one flag.
func (a *analyser) scanSymbol(text string, start int, r rune) int {
	_, n, _ := a.classes.at(text, start)
	end := start + n
	flag := isRegional(r)
	for i := end; ; {
		r, n, c := a.classes.at(text, i)
		if c != ignorable && c != mark && !(flag && isRegional(r)) {
			break
		}
		flag = false // two that touch make a flag
		i += n
		if c != ignorable || r != '\u200D' {
			end = i
		}
	}
	a.tokens = append(a.tokens, token{start: start, end: end, word: a.memory.lookup(text[start:end], pictured)})
	return end
}

func isRegional(r rune) bool { return r >= 0x1F1E6 && r <= 0x1F1FF }
