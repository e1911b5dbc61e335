package language

import (
	_ "embed"
	"slices"
	"strings"
	"sync"
)

// Arabic plurals that change the vowels inside a word, in Persian too: no ending tells them. The table is ours, of frequent words:
// on each line a singular and its plurals.

//go:embed brokenplurals.txt
var brokenPlurals string

// otherNumber gives for a stem those of the plurals, or of the singulars, of its word.
var otherNumber = sync.OnceValue(func() map[string][]string {
	others := map[string][]string{}
	note := func(from, to string) {
		if from != to && len(from) >= threeLetters && len(to) >= threeLetters && !slices.Contains(others[from], to) {
			others[from] = append(others[from], to)
		}
	}
	for line := range strings.Lines(brokenPlurals) {
		words := strings.Fields(foldArabic(strings.TrimSpace(line)))
		singular := stemArabic(words[0])
		for _, plural := range words[1:] {
			note(singular, stemArabic(plural))
			note(stemArabic(plural), singular)
		}
	}
	return others
})
