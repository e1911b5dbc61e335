package child

import (
	"errors"
	"strings"
	"testing"
)

func TestSecretsStayHere(t *testing.T) {
	if !isSecret("CO_API_KEY=x") || isSecret("PATH=x") {
		t.Error("the key goes to the child, or the path does not")
	}
}

func TestLastWords(t *testing.T) {
	for said, want := range map[string]string{
		"":                                 "it said nothing",
		"a library speaks\nSIGSEGV: bad\n": "SIGSEGV: bad",
		"panic: x\n\ngoroutine 1":          "panic: x",
		strings.Repeat("a", 1<<20) + "\npanic: x": "it said nothing",
	} {
		var w Words
		if n, err := w.Write([]byte(said)); n != len(said) || err != nil {
			t.Error(n, err)
		}
		if got := w.Epitaph(errors.New("no exit")); got != want {
			t.Errorf("%.40q: %q", said, got)
		}
	}
}
