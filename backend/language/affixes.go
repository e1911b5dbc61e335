package language

import "strings"

// The affixes that stems lose, in the order in which they are tried, in folded letters. One prefix goes, and every suffix
// in turn. Short endings that many stems have themselves ask for three letters before them, the others for two.
var (
	arabicPrefixes = []string{"وال", "بال", "کال", "فال", "ال", "لل"}
	arabicSuffixes = []string{
		"هایشان", "هایمان", "هایتان", "هایی", "هایش", "هایم", "هایت", "های", "ها", // Persian plurals
		"ات", "ان", "یه", // plurals of both languages, Arabic adjectives
	}
	shortSuffixes = []string{"ون", "ین", "ه", "ی"} // Arabic masculine plural, feminine and adjective, Persian indefinite
)

// Every letter of the folded Arabic script takes two bytes.
const (
	twoLetters   = 4
	threeLetters = 6
	fourLetters  = 8
)

// stemArabic strips the Arabic article with its particles, and plural and adjective endings of Arabic and Persian. One
// stemmer serves both: a word does not tell which of them it is.
func stemArabic(s string) string {
	switch s {
	case "الله", "والله", "بالله", "تالله", "فالله", "لله", "ولله", "فلله": // it has no article to lose
		return "الله"
	}
	article := false
	for _, p := range arabicPrefixes {
		if rest, ok := strings.CutPrefix(s, p); ok && len(rest) >= twoLetters {
			s, article = rest, true
			break
		}
	}
	s = singular(s)
	for _, p := range arabicSuffixes {
		if rest, ok := strings.CutSuffix(s, p); ok && len(rest) >= twoLetters {
			if own := ownEnding(s, article); own != "" {
				return own
			}
			s = rest
		}
	}
	s = singular(s)
	for _, p := range shortSuffixes {
		if rest, ok := strings.CutSuffix(s, p); ok && len(rest) >= threeLetters {
			s = rest
		}
	}
	return s
}

// ownEnding gives the stem of words whose ending is their own and no plural's, though a hamza that is seldom written hides it.
func ownEnding(s string, article bool) string {
	switch {
	case s == "هیات" && !article, s == "هییه": // of الهیات it is a plural's
		return "هییت"
	case s == "جرات":
		return "جریت"
	case s == "نشات":
		return "نشیت"
	case s == "شوون":
		return s
	}
	return ""
}

// singular undoes the Persian plural of words in ه: ستارگان is of ستاره.
func singular(s string) string {
	if rest, ok := strings.CutSuffix(s, "گان"); ok && len(rest) >= threeLetters {
		return rest + "ه"
	}
	return s
}

// Endings that may as well be the end of a stem, so that they only give another term: the persons of Persian verbs, the degrees
// of its adjectives, and the pronouns of both languages that are written on a noun.
var (
	comparatives  = []string{"ترین", "تری", "تر"}
	persons       = []string{"یم", "ید", "ند", "م", "د"}
	pronouns      = []string{"شان", "مان", "تان", "هما", "کما", "هم", "هن", "کم", "نا"}
	shortPronouns = []string{"ش", "م", "ت", "ک"}
)

// looseArabic strips a stem further than a main term can bear.
func looseArabic(s string) string {
	for _, p := range []string{"نمی", "می"} {
		if rest, ok := strings.CutPrefix(s, p); ok && len(rest) >= twoLetters {
			return withoutOne(rest, persons, twoLetters)
		}
	}
	s = withoutOne(s, comparatives, fourLetters)
	short := withoutOne(s, pronouns, threeLetters)
	if short == s {
		short = withoutOne(s, shortPronouns, fourLetters)
	} else if rest, ok := strings.CutSuffix(short, "ت"); ok && len(rest) >= threeLetters {
		short = rest + "ه" // سیارتهم is of سیاره
	}
	return stemArabic(short)
}

// withoutOne strips one of the endings, where so many bytes remain.
func withoutOne(s string, endings []string, least int) string {
	for _, p := range endings {
		if rest, ok := strings.CutSuffix(s, p); ok && len(rest) >= least {
			return rest
		}
	}
	return s
}

// loosen adds the term that a word has when it is stripped further. The index has it where it says more than the main
// term; a query asks for both kinds, so that each form of a word finds the others.
func (w *word) loosen(folded string, start, end int) {
	main, loose := stemArabic(folded), looseArabic(folded)
	if len(main) < threeLetters {
		return
	}
	if loose == main {
		w.add(asked, "~"+main, start, end)
		return
	}
	w.add(alias, "~"+loose, start, end)
	w.add(asked, loose, start, end)
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
