package language

import (
	"slices"
	"testing"
)

func TestFunctionWordsAreMarkedOnlyAlone(t *testing.T) {
	for _, tt := range []struct {
		query, text string
		want        []string
	}{
		{"they signed the contract", "The men and they who signed the contract", []string{"signed", "contract"}},
		{"the", "The man and the sea", []string{"The", "the"}},
		{"they and the", "The men and they", []string{"The", "and", "they"}},
		{`"the contract" was`, "It was the contract", []string{"the contract"}},
		{"دریاچه در کجاست", "دریاچه در شمال است", []string{"دریاچه"}},
		{"ما هو العقد", "هذا هو العقد", []string{"العقد"}},
		{"در", "در شمال", []string{"در"}},
	} {
		var got []string
		for _, r := range ParseQuery(tt.query).Highlights(tt.text) {
			got = append(got, tt.text[r[0]:r[1]])
		}
		if !slices.Equal(got, tt.want) {
			t.Errorf("%q in %q: marked %q, want %q", tt.query, tt.text, got, tt.want)
		}
	}
}
