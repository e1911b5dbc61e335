package app

import (
	"slices"
	"testing"
)

func TestUnderstand(t *testing.T) {
	var s SearchService
	var without []string
	for _, u := range s.Understand("lantern type:pdf OR type:docx -draft") {
		without = append(without, u.Without)
	}
	if want := []string{"lantern type:docx -draft", "lantern type:pdf -draft", "lantern type:pdf OR type:docx"}; !slices.Equal(without, want) {
		t.Errorf("%q", without)
	}
	if got := s.Understand("what's up?"); got == nil || len(got) > 0 {
		t.Errorf("%v, which would be no list in the window", got)
	}
}
