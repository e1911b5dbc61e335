package eval

import (
	"cmp"
	"slices"

	"fanous/backend/domain"
	"fanous/backend/pipeline"
)

// Pool is what one query found and what each ranker made of it: all that the lists of the stages are worked out from.
// It holds no text.
type Pool struct {
	Query    string             `json:"query"`    // a digest of its id, which may be its text
	Passages []Passage          `json:"passages"` // in fused order
	MS       map[string]float64 `json:"ms"`       // by stage of the search
	Ranked   map[string]Ranked  `json:"ranked,omitempty"`
	Diverse  map[string]Diverse `json:"diverse,omitempty"` // by the stage that MMR followed
}

// Passage is one passage of a pool.
type Passage struct {
	Document string `json:"document"` // what is judged: a digest of its name
	Chunk    int64  `json:"chunk"`
	BM25     *Found `json:"bm25,omitempty"` // nil: the arm did not find it
	Dense    *Found `json:"dense,omitempty"`
}

// Found is where an arm had a passage.
type Found struct {
	Rank  int     `json:"rank"`
	Score float64 `json:"score"`
}

// Ranked is what a ranker made of a pool. Numbers of passages are places in Pool.Passages.
type Ranked struct {
	Backend   domain.Backend `json:"backend"`
	Model     string         `json:"model"`
	Device    string         `json:"device"`
	Precision string         `json:"precision"`
	Reason    string         `json:"reason,omitempty"` // why Backend is none
	Order     []int          `json:"order"`
	Scores    []*float64     `json:"scores"` // raw, in the pool's order; nil: it was not scored
	Best      *float64       `json:"best"`   // normalised, of the first; nil: that was not scored
	In        int            `json:"in"`
	Out       int            `json:"out"`
	Tiers     bool           `json:"tiers,omitempty"` // two rankers worked on it, so that a score depends on the others
	MS        float64        `json:"ms"`
}

// Diverse is the order that MMR made.
type Diverse struct {
	Order []int   `json:"order"`
	MS    float64 `json:"ms"`
}

// poolOf keeps what was found; name says which document an entry counts as.
func poolOf(query string, found pipeline.Ranking, name func(pipeline.Entry) string) Pool {
	p := Pool{Query: nameOf(query), MS: map[string]float64{}, Ranked: map[string]Ranked{}, Diverse: map[string]Diverse{}}
	for _, s := range found.Stages {
		p.MS[s.Name] = s.MS
	}
	for _, e := range found.Entries {
		p.Passages = append(p.Passages, Passage{
			Document: nameOf(name(e)), Chunk: e.Chunk.ID, BM25: foundAt(e.Ranks.BM25, e.Scores.BM25), Dense: foundAt(e.Ranks.Dense, e.Scores.Dense),
		})
	}
	return p
}

func foundAt(rank *int, score *float64) *Found {
	if rank == nil {
		return nil
	}
	return &Found{Rank: *rank, Score: *score}
}

// orderOf gives the places that the entries of a ranking have in the pool.
func (p Pool) orderOf(r pipeline.Ranking) []int {
	at := make(map[int64]int, len(p.Passages))
	for i, passage := range p.Passages {
		at[passage.Chunk] = i
	}
	order := make([]int, len(r.Entries))
	for i, e := range r.Entries {
		order[i] = at[e.Chunk.ID]
	}
	return order
}

// rankedOf keeps what a ranker made of the pool.
func (p Pool) rankedOf(r pipeline.Ranking) Ranked {
	t := r.Rerank
	out := Ranked{
		Backend: t.Backend, Model: t.Model, Device: t.Device, Precision: t.Precision, Reason: t.Reason,
		Order: p.orderOf(r), Scores: make([]*float64, len(p.Passages)), In: t.CandidatesIn, Out: t.CandidatesOut, MS: t.ElapsedMS,
		Tiers: t.Stage1N > 0,
	}
	for i, e := range r.Entries {
		if e.Scored {
			raw := e.Score.Raw
			out.Scores[out.Order[i]] = &raw
		}
	}
	if len(r.Entries) > 0 && r.Entries[0].Scored {
		best := r.Entries[0].Score.Normalized
		out.Best = &best
	}
	return out
}

// rrfK is the constant of reciprocal rank fusion, from its authors.
const rrfK = 60

// order lists the passages of the pool as a stage has them, depth being how many of hybrid a reranker gets.
func (p Pool) order(stage string, depth int) []int {
	if base(stage) != stage {
		return p.Diverse[base(stage)].Order
	}
	fused := make([]int, len(p.Passages))
	for i := range fused {
		fused[i] = i
	}
	switch stage {
	case StageBM25:
		return byWorth(fused, func(i int) float64 { return reciprocal(p.Passages[i].BM25) })
	case StageSemantic:
		return byWorth(fused, func(i int) float64 { return reciprocal(p.Passages[i].Dense) })
	case StageRRF:
		return byWorth(fused, func(i int) float64 { return reciprocal(p.Passages[i].BM25) + reciprocal(p.Passages[i].Dense) })
	case StageHybrid:
		return fused
	case StageDepth:
		return fused[:min(depth, len(fused))]
	case StageRerankRRF:
		final := p.Ranked[StageRerank].Order
		after := make([]int, len(final))
		for rank, i := range final {
			after[i] = rank
		}
		return byWorth(final, func(i int) float64 { return 1/float64(rrfK+1+i) + 1/float64(rrfK+1+after[i]) })
	}
	return p.Ranked[stage].Order
}

func reciprocal(f *Found) float64 {
	if f == nil {
		return 0
	}
	return 1 / float64(rrfK+f.Rank)
}

// byWorth sorts what is worth anything, the most first; what is worth the same stays in its order.
func byWorth(order []int, worth func(int) float64) []int {
	out := slices.DeleteFunc(slices.Clone(order), func(i int) bool { return worth(i) == 0 })
	slices.SortStableFunc(out, func(a, b int) int { return cmp.Compare(worth(b), worth(a)) })
	return out
}

// documents lists the documents of an order, each where its best passage stands.
func (p Pool) documents(order []int) []string {
	var out []string
	seen := map[string]bool{}
	for _, i := range order {
		if d := p.Passages[i].Document; !seen[d] {
			seen[d] = true
			out = append(out, d)
		}
	}
	return out
}

// latency is what the query cost up to and including a stage, in milliseconds. The arms run in parallel, so hybrid waits
// for the slower one; a reranker's whole call is in its stage.
func (p Pool) latency(stage string) float64 {
	bm25, semantic := p.MS[domain.StageBM25], p.MS[domain.StageEmbed]+p.MS[domain.StageDense]
	switch stage {
	case StageBM25:
		return bm25
	case StageSemantic:
		return semantic
	}
	ms := max(bm25, semantic) + p.MS[domain.StageFuse]
	if ranker := rankerOf(stage); ranker != "" {
		ms += p.Ranked[ranker].MS
	}
	if base(stage) != stage {
		ms += p.Diverse[base(stage)].MS
	}
	return ms
}
