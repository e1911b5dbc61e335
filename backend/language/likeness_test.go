package language_test

import (
	"fmt"
	"strings"
	"testing"

	"fanous/backend/language"
)

// TestWordsAreCounted: how each word of a query stands in a text, as often as it does, or how like it another word is.
func TestWordsAreCounted(t *testing.T) {
	for _, c := range []struct{ kind, query, text, want string }{
		{"times", "lantern", "a lantern and Lanterns", "2"},
		{"not there", "lantern bridge", "a bridge", "0 1"},
		{"in parts", "e-mail", "an e-mail", "1 1"},
		{"joined form", "e-mail", "an email", "like like"},
		{"plural", "کتاب", "کتاب‌ها و کتاب", "2"},
		{"root", "آزمایشگاه", "آزمایش بزرگ", "like"},
		{"pronoun", "کتاب", "کتابش خوب است", "like"},
		{"pronoun", "کتابش", "کتاب خوب است", "like"},
		{"root", "استحواذات", "المستحوذون واستحواذهم", "like"},
		{"root", "دانشمند", "ایرانشناس", "0"},
		{"stem of a language", "Häuser und Straßen", "das alte Haus und die Straße", "like 1 like"},
		{"compound", "Donaudampfschiff", "die Dampfschifffahrt und der Fluss", "like"},
		{"numbers are not alike", "140212", "140213", "0"},
		{"a number of several groups", "2,100,000 euros", "2.100.000 and 2 of 100 euros", "1 1"},
		{"a number of several groups", "2,100,000", "2100000", "like"},
		{"a range", "1914-1918", "1914 to 1918", "1 1 0"},
		{"a range", "1914-1918", "1914-1918", "1 1 1"},
		{"names with numbers", "abcde1402", "abcde1403", "like"},
		{"short words are not alike", "cat", "cart catch", "0"},
		{"excluded words do not count", "lantern -bridge", "bridge", "0"},
		{"quoted ones do", `"old lantern"`, "lantern", "0 1"},
		{"pairs", "北京大学", "北京的大学", "1 0 1"},
	} {
		words := language.ParseQuery(c.query).Words()
		counts := make([]language.Count, words.Len())
		words.Count(c.text, counts)
		var got []string
		for _, n := range counts {
			switch {
			case n.Times > 0:
				got = append(got, fmt.Sprint(n.Times))
			case n.Like > 0:
				got = append(got, "like")
			default:
				got = append(got, "0")
			}
			if n.Like < 0 || n.Like >= 1 {
				t.Errorf("%s: %q in %q: likeness %g", c.kind, c.query, c.text, n.Like)
			}
		}
		if s := strings.Join(got, " "); s != c.want {
			t.Errorf("%s: %q (%q) in %q: %s, want %s", c.kind, c.query, words.Matches(), c.text, s, c.want)
		}
	}
}

func BenchmarkWords(b *testing.B) {
	for _, c := range corpora() {
		b.Run(c.name, func(b *testing.B) {
			query := language.PlainQuery(c.chunks[0][:min(len(c.chunks[0]), 120)])
			b.ReportAllocs()
			for b.Loop() {
				words := query.Words()
				for _, text := range c.chunks[1:41] {
					words.Count(text, make([]language.Count, words.Len()))
				}
			}
		})
	}
}
