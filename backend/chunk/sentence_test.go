package chunk

import (
	"math/rand/v2"
	"strings"
	"testing"
	"unicode"

	"github.com/rivo/uniseg"
)

// TestMayEndHasEveryEnd asks the rules whether a sentence ends with a character, for all that there are.
func TestMayEndHasEveryEnd(t *testing.T) {
	for r := rune(0); r <= unicode.MaxRune; r++ {
		for _, before := range []string{"a", "A", ""} {
			text := before + string(r) + " B"
			if sentence, _, _ := uniseg.FirstSentenceInString(text, -1); sentence != text && !mayEnd(r) {
				t.Errorf("%q ends with %q, %U", text, sentence, r)
			}
		}
	}
}

// TestSentencesAreUnicodes compares with a reading of every character, one sentence after the other.
func TestSentencesAreUnicodes(t *testing.T) {
	parts := []string{"a", "A", "b. c", "U.S.", "3.14", "etc.)", ".", "?!", "...", "\u00AD", "\u0301", " ", "  ", "\u00A0", "\n",
		"\r\n", "\u2028", "\"", "»", ",", "؟", "سلام", "۔", "。", "漢字", "۱۲", "1", "\xff", "\uFFFD", "\u200C", "😀", "Dr. No", ":", "।"}
	random := rand.New(rand.NewPCG(3, 4))
	for range 200_000 {
		var b strings.Builder
		for range random.IntN(12) {
			b.WriteString(parts[random.IntN(len(parts))])
		}
		rest, state := b.String(), -1
		for rest != "" {
			n := nextSentence(rest)
			var sentence, after string
			sentence, after, state = uniseg.FirstSentenceInString(rest, state)
			if n != len(sentence) {
				t.Fatalf("of %q, %q is %q and should be %q", b.String(), rest, rest[:n], sentence)
			}
			rest = after
		}
	}
}
