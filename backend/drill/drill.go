// Package drill answers "if the network went now": it replays queries on every local tier, compares with what Cohere had
// answered, and says in one sentence what would become of searching. It does not search or check by itself: package
// backend gives it what can.
package drill

import (
	"context"
	"slices"
	"time"

	"fanous/backend/domain"
)

// depth is how far a list is judged.
const depth = 10

// Query is what is replayed.
type Query struct {
	ID         string
	Text       string
	Collection string
	Method     domain.Method
	// Right says whether a document answers the query; nil: nobody has judged it.
	Right  func(domain.Location) bool
	Online *Online // nil: Cohere was not asked
}

// Online is Cohere's last answer to a query.
type Online struct {
	At        time.Time
	Model     string
	Documents []int64                   // that are still there, as they were shown, each once
	Places    map[int64]domain.Location // of these
	MS        float64                   // of the whole search
}

// Tier is one local ranker to replay on.
type Tier struct {
	Report domain.DrillTier // who it is; Skipped: it is not replayed
	Load   func(ctx context.Context) error
	// Search asks for as many hits as Cohere had shown, and at least depth.
	Search func(ctx context.Context, q Query, top int) (domain.SearchResponse, error)
}

// answer is what one tier gave for one query.
type answer struct {
	documents []int64 // each once
	right     int     // rank of the first right one; 0: none
}

// Replay asks every query of every tier. It gives the tiers' figures, in their order, and the queries that suffer with the
// first tier, worst first. The error is that of ctx; a search that fails is a finding.
func Replay(ctx context.Context, queries []Query, tiers []Tier, progress func(tier string, done, of int)) (Outcome, error) {
	out := Outcome{}
	for i, t := range tiers {
		r := t.Report
		if r.Skipped == "" {
			answers, err := out.replay(ctx, queries, t, &r, progress)
			if err != nil {
				return out, err
			}
			if i == 0 {
				out.Suffer = suffering(queries, answers)
			}
		}
		out.Tiers = append(out.Tiers, r)
	}
	return out, nil
}

// Outcome is what a replay has found.
type Outcome struct {
	Tiers    []domain.DrillTier
	Suffer   []domain.DrillQuery
	Findings []domain.DrillFinding
}

// replay fills in the figures of one tier. A tier that cannot be loaded, or fails, is skipped with a finding.
func (o *Outcome) replay(ctx context.Context, queries []Query, t Tier, r *domain.DrillTier, progress func(string, int, int)) ([]answer, error) {
	progress(r.Tier, 0, len(queries))
	failed := func(err error) {
		r.Skipped = err.Error()
		o.Findings = append(o.Findings, domain.DrillFinding{
			Weight: weightOfTier(r.Tier), Code: domain.CodeSearchFailed, What: r.Tier, Reason: sentence(err), Hint: domain.HintOf(err),
		})
	}
	start := time.Now()
	if err := t.Load(ctx); err != nil {
		failed(err)
		return nil, ctx.Err()
	}
	r.LoadMS = new(domain.StageSince("", start, 0, 0).MS)
	answers := make([]answer, len(queries))
	var took []float64
	for i, q := range queries {
		top := depth
		if q.Online != nil {
			top = max(top, len(q.Online.Documents))
		}
		start := time.Now()
		resp, err := t.Search(ctx, q, top)
		if ctx.Err() != nil {
			return nil, ctx.Err()
		}
		if err != nil {
			failed(err)
			return nil, nil
		}
		took = append(took, domain.StageSince("", start, 0, 0).MS)
		answers[i] = answerOf(resp, q)
		r.Queries++
		if resp.Rerank.Backend != r.Backend && len(resp.Hits) > 0 {
			r.Lower++
		}
		progress(r.Tier, i+1, len(queries))
	}
	if len(took) > 0 {
		slices.Sort(took)
		r.P50, r.P95 = new(domain.Quantile(took, 0.5)), new(domain.Quantile(took, 0.95))
	}
	r.Judged, r.Agreement = judged(queries, answers), agreement(queries, answers)
	return answers, nil
}

// weightOfTier: where the tier that serves fails, so do searches.
func weightOfTier(tier string) domain.DrillWeight {
	if tier == domain.DrillTierServing || tier == domain.DrillTierNone {
		return domain.DrillFatal
	}
	return domain.DrillWarning
}

func sentence(err error) string { return err.Error() + "." }

func answerOf(resp domain.SearchResponse, q Query) answer {
	var a answer
	for _, h := range resp.Hits {
		if q.Right != nil && a.right == 0 && h.Rank <= depth && q.Right(domain.Location{Path: h.Path, Member: h.Member}) {
			a.right = h.Rank
		}
		if !slices.Contains(a.documents, h.DocumentID) {
			a.documents = append(a.documents, h.DocumentID)
		}
	}
	return a
}
