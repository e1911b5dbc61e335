package extract

import (
	"testing"
	"unicode/utf8"
)

func TestUTF7(t *testing.T) {
	for text, want := range map[string]string{
		"Hi Mom -+Jjo--!":         "Hi Mom -☺-!",
		"A+ImIDkQ.":               "A≢Α.",
		"+ZeVnLIqe-":              "日本語",
		"+BjMGRAYnBkU- +BkYGSA-.": "سلام نو.",
		"1 +- 1 = 2":              "1 + 1 = 2",
		"+2D3eAA- over":           "😀 over",
		"c++ and a+b, +":          "c++ and a+b, +",
		"open +BjMGRAYnBkU":       "open سلام",
		"+BjM-+-+BkQ-":            "س+ل",
	} {
		if got := fromUTF7(text); got != want {
			t.Errorf("%q: %q, want %q", text, got, want)
		}
	}
	mail := "From: a@b.c\nDate: Wed, 1 May 2024 12:00:00 +0330\nSubject: =?utf-7?Q?+BjMGRAYnBkU-?=\nMIME-Version: 1.0\nContent-Type: text/plain; charset=unicode-1-1-utf-7\n\n+BkYGSA- year\n"
	c, err := extractBytes(t, []byte(mail))
	if got := outlineOf(c.Blocks[max(0, len(c.Blocks)-1):]); err != nil || c.Title != "سلام" || got != "p [سلام] نو year\n" {
		t.Errorf("%q %s %v", c.Title, got, err)
	}
}

func FuzzUTF7(f *testing.F) {
	f.Add("Hi +Jjo--+-+ZeVnLIqe")
	f.Fuzz(func(t *testing.T, text string) {
		if utf8.ValidString(text) && !utf8.ValidString(fromUTF7(text)) {
			t.Errorf("%q", text)
		}
	})
}
