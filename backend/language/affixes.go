package language

import "strings"

// The affixes that stems lose, in the order in which they are tried, in folded letters. One prefix goes, and every suffix
// in turn. Short endings that many stems have themselves ask for three letters before them, the others for two.
var (
	arabicPrefixes = []string{"وال", "بال", "کال", "فال", "ال", "لل"}
	arabicSuffixes = []string{
		"هایشان", "هایمان", "هایتان", "هایی", "هایش", "هایم", "هایت", "های", "ها", // Persian plurals
		"ات", "ون", "ین", "ان", "یه", // plurals of both languages, Arabic adjectives
	}
	shortSuffixes = []string{"ه", "ی"} // Arabic feminine and adjective, Persian indefinite
)

// Every letter of the folded Arabic script takes two bytes.
const (
	twoLetters   = 4
	threeLetters = 6
)

// stemArabic strips the Arabic article with its particles, and plural and adjective endings of Arabic and Persian. One
// stemmer serves both: a word does not tell which of them it is.
func stemArabic(s string) string {
	switch s {
	case "الله", "والله", "بالله", "تالله", "فالله", "لله", "ولله", "فلله": // it has no article to lose
		return "الله"
	}
	for _, p := range arabicPrefixes {
		if rest, ok := strings.CutPrefix(s, p); ok && len(rest) >= twoLetters {
			s = rest
			break
		}
	}
	for _, p := range arabicSuffixes {
		if rest, ok := strings.CutSuffix(s, p); ok && len(rest) >= twoLetters {
			s = rest
		}
	}
	for _, p := range shortSuffixes {
		if rest, ok := strings.CutSuffix(s, p); ok && len(rest) >= threeLetters {
			s = rest
		}
	}
	return s
}

// withoutAnd is an Arabic word without the "and" that is written on it, if it may have one. Too many words of both
// languages begin with that letter to strip it from the main term.
func withoutAnd(s string) (string, bool) {
	rest, ok := strings.CutPrefix(s, "و")
	return rest, ok && len(rest) >= threeLetters
}

var greekSuffixes = []string{
	"ματων", "ματοσ", "ματα", "εων", "εισ", "ουσ", "ων", "οσ", "ησ", "ασ", "εσ", "οι", "ου", "ον",
	"α", "ε", "η", "ι", "ο", "υ", "ω",
}

// stemGreek strips one case ending of a plain Greek word.
func stemGreek(s string) string {
	for _, p := range greekSuffixes {
		if rest, ok := strings.CutSuffix(s, p); ok && len(rest) >= threeLetters {
			return rest
		}
	}
	return s
}
