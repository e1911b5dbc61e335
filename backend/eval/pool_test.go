package eval

import (
	"strings"
	"testing"
)

func at(rank int) *Found {
	if rank == 0 {
		return nil
	}
	return &Found{Rank: rank}
}

func TestEachStageHasItsOrder(t *testing.T) {
	p := Pool{Passages: []Passage{ // fused order
		{Document: "a", BM25: at(3), Dense: at(4)},
		{Document: "d", BM25: at(2), Dense: at(1)},
		{Document: "b", BM25: at(1)},
		{Document: "a", Dense: at(3)},
		{Document: "c", Dense: at(2)},
	}, Ranked: map[string]Ranked{StageRerank: {Order: []int{1, 2, 0, 3, 4}}}, Diverse: map[string]Diverse{StageRerank: {Order: []int{1, 4, 0, 2, 3}}}}
	for stage, want := range map[string]string{
		StageBM25: "b d a", StageSemantic: "d c a", StageHybrid: "a d b c", StageDepth: "a d", StageRerank: "d b a c",
		StageRRF: "d a b c", StageRerankRRF: "d a b c", StageRerank + withMMR: "d c a b",
	} {
		if got := strings.Join(p.documents(p.order(stage, 2)), " "); got != want {
			t.Errorf("%s: %s, want %s", stage, got, want)
		}
	}
	tied := Pool{Passages: []Passage{{Document: "y", Dense: at(1)}, {Document: "x", BM25: at(1)}}}
	if got := strings.Join(tied.documents(tied.order(StageRRF, 2)), " "); got != "y x" {
		t.Errorf("a tie of the arms is not in fused order: %s", got)
	}
}
