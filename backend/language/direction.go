package language

import "golang.org/x/text/unicode/bidi"

// Direction is "rtl" or "ltr", by the first character that has a direction of its own (rule P2 of
// Unicode Standard Annex 9); "ltr" where none has.
func Direction(text string) string {
	for _, r := range text {
		p, _ := bidi.LookupRune(r)
		switch p.Class() {
		case bidi.R, bidi.AL:
			return "rtl"
		case bidi.L:
			return "ltr"
		}
	}
	return "ltr"
}
