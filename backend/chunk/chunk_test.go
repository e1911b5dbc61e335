package chunk

import (
	"testing"

	"fanous/backend/domain"
)

func para(heading, text string) domain.Block {
	return domain.Block{Text: text, Place: domain.Place{Heading: heading}}
}

func TestSplitSmoke(t *testing.T) {
	got := Split([]domain.Block{
		{Kind: domain.KindHeading, Level: 1, Text: "A", Place: domain.Place{Heading: "A"}},
		para("A", "One two three. Four five six. Seven eight nine."),
	}, Options{MaxTokens: 7})
	for _, c := range got {
		t.Logf("%q %+v", c.Text, c.Place)
	}
	if len(got) != 2 {
		t.Fatal(len(got))
	}
}
