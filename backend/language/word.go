package language

import (
	"slices"
	"strings"
	"unicode"
	"unicode/utf8"

	"golang.org/x/text/unicode/norm"
)

// kind is how a token is analysed.
type kind uint8

const (
	general  kind = iota // scripts that put spaces between words
	inArabic             // the Arabic script
	pictured             // symbols
	kinds
)

// role is where a term of a word goes.
type role uint8

const (
	inPlace role = iota // into the stream, in reading order
	alias               // after the stream, and a query for the word asks for it too
	indexed             // after the stream; a query for the word does not ask for it
	asked               // not in the index; a query for the word asks for it
)

// part is a term of a word and the range of the word that it stands for.
type part struct {
	text       string
	start, end int
	role       role
}

// shape is how a query asks for a word that has several main terms.
type shape uint8

const (
	anyPart  shape = iota // any of them
	sequence              // all, one after the other: 38.101
	both                  // any of them, better all in sequence: 2019-2020
)

// word is an analysed token. It is immutable but for the stems it has been asked for. What every look-up reads comes
// first, to lie on one line of the processor's cache.
type word struct {
	raw    string
	main   string    // the main terms, each followed by a space
	aside  string    // the other terms likewise
	hints  languages // languages that it points to
	shape  shape
	script script
	// function says that it is a function word.
	function bool
	tag      string // the language of its script, where that is enough to tell
	arabicWord

	marks     markSet
	parts     []part
	bodies    []part // lowered spellings of what languages may stem differently
	stemmed   []part // its stems in the languages of the last guess
	stemmedIn languages
}

// analyse finds the terms of a token. Text beyond maxAnalysed bytes of it is not looked at.
func analyse(raw string, k kind) *word {
	const maxAnalysed = 1024
	whole := len(raw)
	if len(raw) > maxAnalysed {
		n := maxAnalysed
		for !utf8.RuneStart(raw[n]) {
			n--
		}
		raw = raw[:n]
	}
	w := &word{raw: raw}
	w.setScript(raw)
	switch k {
	case inArabic:
		w.analyseArabic(raw)
	case pictured:
		w.add(inPlace, plain(lower(raw)), 0, whole)
	default:
		if inGroups(raw) {
			w.analyseGroups(raw)
		} else {
			w.analyseGeneral(raw)
		}
	}
	if len(w.parts) == 0 { // only marks: they are the term then
		s := onlyMarks(raw)
		w.add(inPlace, s, 0, whole)
		for r := range marksOf(s).each {
			w.add(alias, string(r), 0, whole)
		}
	} else {
		w.marks = marksOf(raw)
	}
	for i := range w.parts {
		if p := &w.parts[i]; p.end == len(raw) {
			p.end = whole
		}
	}
	w.render()
	return w
}

// onlyMarks is the term of a token that has nothing but marks.
func onlyMarks(raw string) string {
	s := strings.TrimLeft(lower(raw), ".")
	if t := strings.TrimLeft(s, string(tatweel)); t != s {
		s = string(tatweel) + t
	}
	return s
}

func (w *word) add(r role, text string, start, end int) {
	text = cut(text)
	if text == "" {
		return
	}
	if r != inPlace {
		for _, p := range w.parts {
			if p.text == text {
				return
			}
		}
	}
	w.parts = append(w.parts, part{text, start, end, r})
}

// render writes the terms out once, next to the token itself.
func (w *word) render() {
	var b strings.Builder
	b.WriteString(w.raw)
	for _, p := range w.parts {
		if p.role == inPlace {
			b.WriteString(p.text)
			b.WriteByte(' ')
		}
	}
	main := b.Len()
	for _, p := range w.parts {
		if p.role == alias || p.role == indexed {
			b.WriteString(p.text)
			b.WriteByte(' ')
		}
	}
	all := b.String()
	w.raw, w.main, w.aside = all[:len(w.raw)], all[len(w.raw):main], all[main:]
}

// segment is a piece of a compound and the connector before it.
type segment struct {
	text       string
	start, end int
	joint      rune // 0 for the first
}

// segments cuts a compound at its joints.
func segments(raw string, isJoint func(rune) bool) []segment {
	var out []segment
	start, joint := 0, rune(0)
	for i, r := range raw {
		if !isJoint(r) {
			continue
		}
		out = append(out, segment{raw[start:i], start, i, joint})
		start, joint = i+utf8.RuneLen(r), r
	}
	return append(out, segment{raw[start:], start, len(raw), joint})
}

func (w *word) analyseGeneral(raw string) {
	body := strings.TrimPrefix(raw, ".")
	dot := len(raw) - len(body)
	stem := strings.TrimRight(body, "+#")
	sign := body[len(stem):]
	segs := segments(stem, isConnector) // apostrophes do not cut
	if len(segs) > 1 && acronym(segs) {
		joined := strings.Map(dropConnectors, lower(stem))
		w.add(inPlace, plain(joined)+sign, 0, len(raw))
		for _, s := range segs {
			w.add(indexed, plain(lower(s.text)), s.start+dot, s.end+dot)
		}
		w.setHints(joined)
		return
	}
	last := len(segs) - 1
	digits := true
	for i, s := range segs {
		start, end := s.start+dot, s.end+dot
		low := lower(s.text)
		joined := strings.Map(dropConnectors, low)
		w.function = last == 0 && functionKeys()[plain(low)]
		digits = digits && allDigits(low)
		switch {
		case i == last && sign != "":
			w.add(inPlace, plain(joined)+sign, start, len(raw))
			if utf8.RuneCountInString(joined) > 1 {
				w.add(alias, w.single(joined), start, len(raw))
			}
		case i == 0 && dot > 0:
			w.add(inPlace, "."+plain(joined), 0, end)
			w.simple(alias, low, 0, end)
		default:
			w.simple(inPlace, low, start, end)
			w.humps(s.text, start, end)
		}
		if s.joint == '.' && !digits {
			w.add(indexed, "."+plain(joined), start, end)
		}
	}
	if len(segs) == 1 {
		return
	}
	if len(segs) <= 6 {
		joined := strings.Map(dropConnectors, lower(stem))
		w.add(alias, w.single(joined), 0, len(raw))
	}
}

func dropConnectors(r rune) rune {
	if isConnector(r) || r == '\'' || r == '"' {
		return -1
	}
	return r
}

// acronym reports single letters with dots between: U.S.A
func acronym(segs []segment) bool {
	for i, s := range segs {
		low := lower(s.text)
		if utf8.RuneCountInString(low) != 1 || strings.ContainsFunc(low, unicode.IsNumber) || i > 0 && s.joint != '.' {
			return false
		}
	}
	return true
}

func allDigits(low string) bool {
	for i := range len(low) {
		if low[i] < '0' || low[i] > '9' {
			return false
		}
	}
	return low != ""
}

// simple adds the terms of a word without connectors, given lowered.
func (w *word) simple(r role, low string, start, end int) {
	if strings.ContainsAny(low, "'\"") {
		w.contracted(r, low, start, end)
		return
	}
	w.spell(r, low, start, end)
	if base := strings.TrimFunc(low, raised); base != low {
		note := indexed
		if utf8.RuneCountInString(base) > 3 { // cm² asks for no cm
			note = alias
		}
		w.add(note, w.single(base), start, end)
	}
	if lowered := strings.Map(unsubscript, low); lowered != low {
		w.add(alias, w.single(lowered), start, end)
	}
	w.body(low, start, end)
}

// contracted adds the terms of a word with apostrophes: a possessive s and an elided article go, all else is one word.
func (w *word) contracted(r role, low string, start, end int) {
	low = strings.TrimSuffix(low, "'s")
	if head, rest, ok := strings.Cut(low, "'"); ok && elided(head) && utf8.RuneCountInString(rest) > 1 {
		w.spell(r, strings.Map(dropConnectors, rest), start, end)
		w.add(indexed, w.single(strings.Map(dropConnectors, low)), start, end)
		w.body(strings.Map(dropConnectors, rest), start, end)
		return
	}
	joined := strings.Map(dropConnectors, low)
	w.spell(r, joined, start, end)
	w.body(joined, start, end)
	if joined == low {
		return
	}
	pieces := strings.Split(low, "'")
	for i, piece := range pieces {
		piece = strings.Map(dropConnectors, piece)
		switch n := utf8.RuneCountInString(piece); {
		case i == 0 && n > 2 && len(pieces) == 2 && !englishEnding(pieces[1]): // İstanbul'da
			w.add(alias, w.single(piece), start, end)
		case n > 1:
			w.add(indexed, w.single(piece), start, end)
		}
	}
}

// englishEnding reports what English writes after an apostrophe: such a word is not asked for by its beginning.
func englishEnding(s string) bool {
	switch s {
	case "t", "re", "ve", "ll", "d", "m", "s":
		return true
	}
	return false
}

// elided reports French, Catalan and Italian words that lose their vowel before another.
func elided(head string) bool {
	switch head {
	case "l", "d", "j", "m", "t", "s", "n", "c", "qu", "jusqu", "lorsqu", "puisqu", "quoiqu",
		"un", "all", "dall", "dell", "nell", "sull", "coll", "quell", "bell":
		return true
	}
	return false
}

// raised reports superscripts and subscripts, which stand at many a word as a note's number.
func raised(r rune) bool {
	return r > unicode.MaxLatin1 && unicode.Is(unicode.No, r) || r == '²' || r == '³' || r == '¹'
}

func unsubscript(r rune) rune {
	if r >= 0x2080 && r <= 0x2089 {
		return '0' + r - 0x2080
	}
	return r
}

// humps notes the words of which a name such as getUserName or AnnualReportFinal is made. JavaScript and iPhone are one word.
// A letter counts as one and keeps its case whether or not its marks are composed with it.
func (w *word) humps(raw string, start, end int) {
	raw = norm.NFC.String(raw)
	var words []string
	begun := 0
	before := rune(0)
	for i, r := range raw {
		_, size := utf8.DecodeRuneInString(raw[i:])
		next, _ := utf8.DecodeRuneInString(raw[i+size:])
		if i > 0 && unicode.IsUpper(r) && (unicode.IsLower(before) || unicode.IsUpper(before) && unicode.IsLower(next)) {
			words = append(words, raw[begun:i])
			begun = i
		}
		before = r
	}
	if words == nil {
		return
	}
	words = append(words, raw[begun:])
	if len(words) == 2 && unicode.IsUpper(firstRune(raw)) ||
		slices.ContainsFunc(words, func(s string) bool { return utf8.RuneCountInString(s) < 2 }) {
		return
	}
	for _, s := range words {
		w.add(indexed, w.single(strings.Map(dropConnectors, lower(s))), start, end)
	}
}

// spell adds the term of a plain lowered word. Who lacks its letters may have written others for them.
func (w *word) spell(r role, low string, start, end int) {
	w.add(r, w.single(low), start, end)
	if isASCII(low) {
		return
	}
	if other := inTwoLetters.Replace(low); other != low {
		if r == inPlace {
			r = alias
		}
		w.add(r, stemByScript(plain(other)), start, end)
	}
}

// inTwoLetters spells German and Scandinavian letters as those do who lack them.
var inTwoLetters = strings.NewReplacer("ä", "ae", "ö", "oe", "ü", "ue", "å", "aa", "ø", "oe")

// single is the term of a plain lowered word.
func (w *word) single(low string) string {
	w.setHints(low)
	return stemByScript(plain(low))
}
