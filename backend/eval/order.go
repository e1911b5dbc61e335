package eval

import (
	"cmp"
	"slices"

	"fanous/backend/pipeline"
)

// rrfK is the constant of reciprocal rank fusion, from its authors.
const rrfK = 60

// reranks says whether a stage needs the reranked order.
func reranks(stage string) bool { return stage == StageRerank || stage == StageRerankRRF }

// inputs are the stages whose order a stage works on.
func inputs(stage string) []string {
	switch stage {
	case StageHybrid, StageRRF:
		return []string{StageBM25, StageSemantic}
	case StageRerank, StageRerankRRF:
		return []string{StageHybrid}
	}
	return nil
}

// worth is what an entry is worth to a stage, higher is better; false: it is not in the stage's list.
func worth(stage string, e pipeline.Entry) (float64, bool) {
	var ranks []*int
	switch stage {
	case StageBM25:
		ranks = []*int{e.Ranks.BM25}
	case StageSemantic:
		ranks = []*int{e.Ranks.Dense}
	case StageHybrid:
		ranks = []*int{e.Ranks.Fused}
	case StageRRF:
		ranks = []*int{e.Ranks.BM25, e.Ranks.Dense}
	case StageRerankRRF:
		ranks = []*int{e.Ranks.Fused, e.Ranks.Final}
	default:
		ranks = []*int{e.Ranks.Final}
	}
	sum, found := 0.0, false
	for _, rank := range ranks {
		if rank != nil {
			sum, found = sum+1/float64(rrfK+*rank), true
		}
	}
	return sum, found
}

// documentsBy lists the documents in the order of a stage, each by its best passage. Ties keep the final order where
// the stage reranks, and else the order before that.
func documentsBy(stage string, entries []pipeline.Entry) []string {
	type ranked struct {
		document string
		worth    float64
	}
	if !reranks(stage) {
		entries = slices.Clone(entries)
		slices.SortFunc(entries, func(a, b pipeline.Entry) int { return cmp.Compare(*a.Ranks.Fused, *b.Ranks.Fused) })
	}
	var list []ranked
	for _, e := range entries {
		if w, found := worth(stage, e); found {
			list = append(list, ranked{e.Document.Path, w})
		}
	}
	slices.SortStableFunc(list, func(a, b ranked) int { return cmp.Compare(b.worth, a.worth) })
	var out []string
	for _, r := range list {
		if !slices.Contains(out, r.document) {
			out = append(out, r.document)
		}
	}
	return out
}
