package language_test

import (
	"math/rand/v2"
	"slices"
	"strings"
	"testing"

	"github.com/rivo/uniseg"

	"fanous/backend/language"
	"fanous/backend/language/languagetest"
)

// kinds of characters that stand beside one another in real text or in that of an adversary.
var characters = []string{
	"abcdefgXYZ ßéœﬁ", "ابپتكکيیةهأآؤئءـ", "\u064B\u064E\u0650\u0651\u0652\u0654\u0670\u06D6", "\u200C\u200D\u200B\u00AD\u200E\u202B\u2067\uFEFF\u061C\uFE0F\u2060",
	"0123۱۲۳٤٥٦²₂½Ⅷ", " \n\t  .,:-_/&'’\"«»()[]،؟", "+#=<≠^`¨΅|~$", "\u0301\u0308\u0338\u20DD\u0489\u1AB0", "कखगषक्षज्ञत्रि़ी्\u200D", "বাংলক্ষ্মীத்தமிழ்కృష్ణ", "中国人大学北京々〆", "かがきゃカガッーﾊﾟﾞ゙",
	"한국어각\u1100\u1161\u11A8\u1100\u1100\u1175\uD7B0", "ไทยน้ำกำเแ", "မြန်မာဘာသာက္ကကြောင်း", "ខ្មែរភ្នំ", "👍🏽👨\u200D👩\u200D👧❤️🏴\U000E0067\U000E007F☎✈", "🇮🇷🇩🇪🇺", "\u0600\u06DD\u0605\U000110BD", "שָׁלוֹם־צה\"ל", "žščđłøæþ", "ёйњўґ", "ᄀ각ힱ",
	"\x00\x1b\r\n\u2028\u0085", "ཀྵབོད་", "\U0001D400𝑥\U00010000\U000E0100\uE000\uFFFD\uFFFE",
}

// randomText is of a few of the kinds, in runs, as words are.
func randomText(r *rand.Rand) string {
	kinds := make([][]rune, 1+r.IntN(4))
	for i := range kinds {
		kinds[i] = []rune(characters[r.IntN(len(characters))])
	}
	var b strings.Builder
	for range 1 + r.IntN(12) {
		if r.IntN(3) == 0 {
			b.WriteByte(' ')
		}
		kind := kinds[r.IntN(len(kinds))]
		for range 1 + r.IntN(5) {
			b.WriteRune(kind[r.IntN(len(kind))])
		}
	}
	return b.String()
}

// TestHighlightsAreWhole tries what is marked on random text: it begins and ends between characters as a reader sees them,
// and what is marked has, by itself, a term that was asked for.
func TestHighlightsAreWhole(t *testing.T) {
	r := rand.New(rand.NewPCG(6, 1))
	for range 8_000 {
		doc := randomText(r)
		query := randomText(r)
		if ts := language.Terms(doc); len(ts) > 0 && r.IntN(4) > 0 {
			some := ts[r.IntN(len(ts))]
			query = doc[some.Start:some.End]
		}
		checkHighlights(t, query, doc)
		if t.Failed() {
			return
		}
	}
}

// FuzzHighlight tries the same.
func FuzzHighlight(f *testing.F) {
	for _, c := range languagetest.Words() {
		f.Add(c.Query, c.Doc)
	}
	f.Fuzz(checkHighlights)
}

func checkHighlights(t *testing.T, query, doc string) {
	q := language.ParseQuery(query)
	marked := q.Highlights(doc)
	if len(marked) == 0 {
		return
	}
	asked := q.Terms()
	between := map[int]bool{0: true}
	for i, g := 0, uniseg.NewGraphemes(doc); g.Next(); {
		i += len(g.Str())
		between[i] = true
	}
	end := 0
	for _, h := range marked {
		if h[0] < end || h[1] <= h[0] || h[1] > len(doc) {
			t.Fatalf("%q marks %v of %q", query, marked, doc)
		}
		end = h[1]
		piece := doc[h[0]:h[1]]
		if !between[h[0]] || !between[h[1]] {
			t.Errorf("%+q marks %+q of %+q: not between characters", query, piece, doc)
		}
		has := func(term string) bool { return slices.Contains(asked, term) }
		again := slices.ContainsFunc(language.Terms(piece), func(w language.Term) bool { return has(w.Text) })
		stem := slices.ContainsFunc(language.Terms(doc), func(w language.Term) bool { // in the language of the whole
			return has(w.Text) && w.Text[0] == '~' && w.Start >= h[0] && w.End <= h[1]
		})
		if !again && !stem {
			t.Errorf("%+q marks %+q of %+q: it has none of %+q", query, piece, doc, asked)
		}
	}
}
