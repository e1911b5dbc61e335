package languagetest

import "strings"

// Odds gives queries that are punctuation, broken, huge or empty.
func Odds() []Odd {
	var os []Odd
	for _, q := range []string{
		"what's up?", "C++", "C#", ".NET", "38.101", "(foo", `"foo`, `foo"`, "foo AND", "AND", "OR OR", "NOT foo", "NEAR(foo bar)",
		"-foo", "- foo", "--foo", "foo:bar", "foo : bar", "*foo", "foo*", "^foo", "foo^2", "state-of-the-art", "foo + bar", "{foo bar}: x",
		"a\x00b", "foo\x00", "\xff\xfefoo", "foo\xc3", "' OR 1=1 --", "foo;bar", `foo\`, "`foo`", "%foo%", "foo_bar", "🙂", "foo 🙂",
		`"foo" "`, `"" foo`, `"foo""bar"`, `-"foo bar" baz`, `-"foo`, "the", "ًٌٍ", "ـ", "中", "٪۵",
		"\u200f\u202bfoo\u202c", "foo\u2028bar", strings.Repeat("(", 300) + "foo", strings.Repeat("word ", 9000),
		strings.Repeat("\"a ", 500), strings.Repeat("-a ", 500), strings.Repeat("x", 1<<20), strings.Repeat("a-", 5000) + "a",
		strings.Repeat("中", 5000), strings.Repeat("می ", 3000), "\"" + strings.Repeat("many words ", 3000) + "\"",
	} {
		os = append(os, Odd{"searchable", q, false})
	}
	var b strings.Builder
	for i := range 9000 {
		for n := i + 1; n > 0; n /= 26 {
			b.WriteByte('a' + byte(n%26))
		}
		b.WriteByte(' ')
	}
	os = append(os, Odd{"searchable", b.String(), false})
	for _, q := range []string{
		"", " ", "\x00", "?", "...", "\"", "\"\"", "\"\"\"", "-", "--", "()", "(((", "***", "؟", "،", "«»", "\u200c", "\u200f\u202b", "\ufeff",
		"\u00ad", "\xff\xfe", strings.Repeat("(", 300), "\" \"", `-""`, `"-"`, "\n\t", "\u3000", "。", "::", "$",
	} {
		os = append(os, Odd{"not searchable", q, true})
	}
	return os
}

// Syntax is one case of the deliberate syntax: which of the documents a query finds.
type Syntax struct {
	Kind  string
	Docs  []string
	Query string
	Found []int // indexes of Docs, ascending
}

// Syntaxes gives the cases of quoted phrases and excluded words.
func Syntaxes() []Syntax {
	english := []string{"the quick brown fox", "a brown quick fox", "a slow fox", "nothing here"}
	persian := []string{"من می‌خواهم بروم", "بروم که میخواهم", "من می خواهم بروم"}
	chinese := []string{"我们去了北京大学", "北京的大学", "大学在北京"}
	return []Syntax{
		{"words", english, "quick fox", []int{0, 1, 2}},
		{"phrase", english, `"quick brown"`, []int{0}},
		{"phrase", english, `"Quick-Brown"`, []int{0}},
		{"phrase and word", english, `"brown" slow`, []int{0, 1}},
		{"two phrases", english, `"quick" "brown fox"`, []int{0}},
		{"phrase of one word", english, `"foxes"`, []int{0, 1, 2}},
		{"phrase not there", english, `"fox brown"`, nil},
		{"open quote", english, `"quick brown`, []int{0, 1}},
		{"quote inside a word", english, `quick" slow`, []int{0, 1, 2}},
		{"exclusion", english, "fox -quick", []int{2}},
		{"exclusion of a phrase", english, `fox -"quick brown"`, []int{1, 2}},
		{"exclusion first", english, "-slow fox", []int{0, 1}},
		{"only an exclusion", english, "-slow", []int{2}},
		{"only exclusions", english, "-slow -quick", []int{0, 1, 2}},
		{"a dash is no exclusion", english, "fox - quick", []int{0, 1, 2}},
		{"two dashes are no exclusion", english, "fox --quick", []int{0, 1, 2}},
		{"a hyphen is no exclusion", english, "brown-quick", []int{0, 1}},
		{"capitals are words", []string{"not and or", "near"}, "NOT", []int{0}},
		{"capitals are words", []string{"this and that", "near by"}, "foo AND NEAR", []int{0, 1}},
		{"phrase across joining", persian, `"می خواهم بروم"`, []int{0, 2}},
		{"phrase across joining", persian, `"میخواهم بروم"`, []int{0, 2}},
		{"phrase with an acronym", []string{"אמר כי צה\"ל חזר", "חזר צה\"ל"}, "\"צה\"ל חזר\"", []int{0}},
		{"exclusion of a joined word", persian, "بروم -می‌خواهم", nil},
		{"phrase without spaces", chinese, `"北京大学"`, []int{0}},
		{"words without spaces", chinese, "北京大学", []int{0, 1, 2}},
		{"exclusion without spaces", chinese, "北京 -京大", []int{1, 2}},
		{"phrase of mixed scripts", []string{"买iPhone手机壳 now", "手机 iPhone"}, `"iphone手机"`, []int{0}},
		{"phrase with a compound", []string{"the state-of-the-art museum", "art museum state"}, `"the art museum"`, []int{0}},
		{"phrase with a number", []string{"it cost 1,000.50 euros", "1000 euros 50"}, `"1,000.50 euros"`, []int{0}},
		{"phrase over a line end", []string{"the quick\nbrown fox"}, `"quick brown"`, []int{0}},
		{"phrase in another spelling", []string{"قالَ مُحَمَّدٌ لنا"}, `"قال محمد"`, []int{0}},
		{"excluded hyphenated word", []string{"an e-mail came", "a letter came"}, "came -e-mail", []int{1}},
		{"phrase of a hyphenated word", []string{"an email came", "an e-mail came", "mail came"}, `"e-mail"`, []int{0, 1}},
		{"excluded hyphenated word", []string{"an email came", "a letter came"}, "came -e-mail", []int{1}},
		{"one or the other", english, "quick OR slow", []int{0, 1, 2}},
		{"one or the other beside a word", english, "fox nothing OR slow", []int{2, 3}},
		{"one or the other phrase", english, `"quick brown" | "slow fox"`, []int{0, 2}},
		{"three ways", []string{"a cat", "two dogs", "cows", "a hen"}, "cats OR dog OR cow", []int{0, 1, 2}},
		{"no operand", english, "slow OR", []int{2}},
		{"small letters are words", english, "quick or nothing slow", []int{0, 1, 2, 3}},
		{"excluded beside an or", english, "quick OR slow -brown", []int{2}},
		{"an operator without a use for its value", []string{"type it", "a pdf"}, "type:nonsense", []int{0}},
		{"excluded name", []string{"C++ code", "C# code", "C code"}, "code -C++", []int{1, 2}},
	}
}
