package language_test

import (
	"testing"

	"fanous/backend/language"
)

func TestDirection(t *testing.T) {
	for _, c := range []struct{ text, want string }{
		{"English then فارسی", "ltr"},
		{"فارسی then English", "rtl"},
		{"עברית", "rtl"},
		{"«۱۴۰۲» سال", "rtl"},
		{"12. (عربي)", "rtl"},
		{"\u200fabc", "rtl"},
		{"日本語", "ltr"},
		{"123 …", "ltr"},
		{"", "ltr"},
	} {
		if got := language.Direction(c.text); got != c.want {
			t.Errorf("%q runs %s, want %s", c.text, got, c.want)
		}
	}
}
