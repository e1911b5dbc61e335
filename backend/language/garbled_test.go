package language

import (
	"bytes"
	"cmp"
	"flag"
	"fmt"
	"maps"
	"math/rand/v2"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"
	"unicode"

	"github.com/blevesearch/bleve/v2/analysis"
)

var update = flag.Bool("update", false, "write the generated files anew")

// sampleTexts are the texts of the sample collection, which are ours.
func sampleTexts(t *testing.T) []string {
	t.Helper()
	var out []string
	for _, pattern := range []string{"docs/*.txt", "docs/*.md", "source/*.md"} {
		files, err := filepath.Glob(filepath.Join("../../build/sample", pattern))
		if err != nil || len(files) == 0 {
			t.Fatalf("%s: no sample: %v", pattern, err)
		}
		for _, name := range files {
			text, err := os.ReadFile(name)
			if err != nil {
				t.Fatal(err)
			}
			out = append(out, string(text))
		}
	}
	return out
}

// TestBigrams: the counts are those of the sample collection and of the function words.
// go test ./backend/language -run Bigrams -update
func TestBigrams(t *testing.T) {
	counts := map[script]map[string]int{inLatin: {}, inArabicScript: {}}
	texts := sampleTexts(t)
	for _, known := range tongues() {
		words := analysis.NewTokenMap()
		if err := words.LoadBytes(known.stops); err != nil {
			t.Fatal(err)
		}
		for w := range words {
			texts = append(texts, w)
		}
	}
	for _, text := range texts {
		for s, word := range plainWords(text) {
			for pair := range bigrams(spelling(word, s)) {
				counts[s][string(pair[:])]++
			}
		}
	}
	var out bytes.Buffer
	for _, of := range []struct {
		script script
		name   string
	}{{inLatin, "latin"}, {inArabicScript, "arabic"}} {
		fmt.Fprintln(&out, of.name)
		pairs := slices.SortedFunc(maps.Keys(counts[of.script]), func(a, b string) int {
			return cmp.Or(counts[of.script][b]-counts[of.script][a], strings.Compare(a, b))
		})
		for _, pair := range pairs {
			fmt.Fprintln(&out, pair, counts[of.script][pair])
		}
	}
	if *update {
		if err := os.WriteFile("bigrams.txt", out.Bytes(), 0o644); err != nil {
			t.Fatal(err)
		}
	} else if out.String() != bigramCounts {
		t.Error("bigrams.txt is not what the sample and the function words give: run with -update")
	}
}

// exchanged gives a text in which each letter is always another one of its script, as a font with a wrong map has it.
func exchanged(text string, r *rand.Rand) string {
	letters := map[rune]bool{}
	text = strings.ToLower(text)
	for _, c := range text {
		if unicode.IsLetter(c) {
			letters[c] = true
		}
	}
	from := slices.Sorted(maps.Keys(letters))
	to := slices.Clone(from)
	r.Shuffle(len(to), func(i, j int) { to[i], to[j] = to[j], to[i] })
	return strings.Map(func(c rune) rune {
		if i, ok := slices.BinarySearch(from, c); ok {
			return to[i]
		}
		return c
	}, text)
}

// TestGarbled tries texts that are right, and the same with letters exchanged.
func TestGarbled(t *testing.T) {
	r := rand.New(rand.NewPCG(1, 2))
	right, caught, all := 0, 0, 0
	for _, text := range sampleTexts(t) {
		if Garbled(text) {
			t.Errorf("garbled: %.200q", text)
		}
		right++
		for range 20 {
			all++
			if Garbled(exchanged(text, r)) {
				caught++
			}
		}
	}
	if right < 20 || caught*20 < all*17 {
		t.Errorf("%d of %d exchanged texts are told from %d right ones", caught, all, right)
	}
}

// TestNotGarbled: text that is not that of a language, or of one that is not in the counts, is let pass.
func TestNotGarbled(t *testing.T) {
	for _, c := range []struct{ kind, text string }{
		{"nothing", ""},
		{"numbers", strings.Repeat("12,480.50 1402/03/15 7B 38.101 ", 100)},
		{"digests", strings.Repeat("h1:Xq9sKzPvWjGfRbHxTdQmZwLkVcYpBn+ZxJqWvKzGfH8= ", 40)},
		{"a short page", "Xqzjk vwqpz kjxqw"},
		{"names", strings.Repeat("Nguyen Thi Minh Khai, Wojciech Szczęsny, Þórður Guðjónsson, Zbigniew Brzezinski, Mbwana Samatta, Xochitl Ixchel. ", 10)},
		{"Persian names", strings.Repeat("قزوین، خوزستان، چهارمحال، کهگیلویه، ثلاث باباجانی، ژاله، مظفرالدین، غضنفر. ", 10)},
		{"code", strings.Repeat("func (x *index) find(p []string) []posting { for i := range x.rows { if err != nil { return nil, fmt.Errorf(\"wrap: %w\", err) } } } ", 10)},
		{"Latin", strings.Repeat("Gallia est omnis divisa in partes tres, quarum unam incolunt Belgae, aliam Aquitani, tertiam qui ipsorum lingua Celtae. ", 5)},
		{"Polish", strings.Repeat("Wszczął się wśród mieszkańców Szczebrzeszyna zgiełk, gdyż chrząszcz brzmiał w trzcinie i wszyscy przyszli słuchać. ", 5)},
		{"another script", strings.Repeat("Щур цькує ґжегжьку, жмих їхній хрущ. ", 20)},
	} {
		if Garbled(c.text) {
			t.Errorf("%s is garbled: %.100q", c.kind, c.text)
		}
	}
}
