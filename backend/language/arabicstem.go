package language

import "strings"

var arabicPrefixes = []string{"وال", "بال", "کال", "فال", "ال", "لل"}
var arabicSuffixes = []string{"هایشان", "هایمان", "هایتان", "هایی", "هایش", "هایم", "هایت", "های", "ها", "ات", "ون", "ین", "ان", "یه", "ه", "ی"}

// stemArabic strips the Arabic article with its particles, and plural and adjective endings of Arabic and Persian.
func stemArabic(s string) string {
	for _, p := range arabicPrefixes {
		if rest, ok := strings.CutPrefix(s, p); ok && len(rest) >= 4 {
			s = rest
			break
		}
	}
	for _, p := range arabicSuffixes {
		if rest, ok := strings.CutSuffix(s, p); ok && len(rest) >= 4 {
			s = rest
		}
	}
	return s
}
