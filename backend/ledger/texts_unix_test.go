//go:build unix

package ledger

import (
	"os"
	"strings"
	"testing"
)

// TestForgettingTextsKeepsTheOthersPrivate: what is left of the texts is still read by its owner alone.
func TestForgettingTextsKeepsTheOthersPrivate(t *testing.T) {
	l := Open(t.TempDir(), true)
	for _, query := range []string{"lantern", "harbour"} {
		if err := send(t, l, query)(Outcome{Code: "ok"}); err != nil {
			t.Fatal(err)
		}
	}
	mode := func() os.FileMode {
		t.Helper()
		info, err := os.Stat(l.textsPath())
		if err != nil {
			t.Fatal(err)
		}
		return info.Mode().Perm()
	}
	before := mode()
	if err := l.ForgetTexts(t.Context(), func(kept Texts) bool { return kept.Query == "harbour" }); err != nil {
		t.Fatal(err)
	}
	if after := mode(); before != 0o600 || after != before {
		t.Errorf("the texts had the permissions %o and have %o", before, after)
	}
	if text, err := os.ReadFile(l.textsPath()); err != nil || strings.Contains(string(text), "lantern") || !strings.Contains(string(text), "harbour") {
		t.Errorf("%s, %v", text, err)
	}
}
