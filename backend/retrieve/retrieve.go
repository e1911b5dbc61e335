// Package retrieve finds the candidates of a search: the lexical arm, the vector arm, and their fusion.
package retrieve

import (
	"context"
	"sync"
	"time"

	"fanous/backend/domain"
	"fanous/backend/language"
	"fanous/backend/store"
)

// Retriever searches the collections of one store.
type Retriever struct {
	store *store.Store
	// LexicalWeight is the share of the lexical arm in a convex fusion, in [0,1].
	LexicalWeight float64
	limits        limits
}

// New makes a retriever over an open store, with the default weights.
func New(s *store.Store) *Retriever {
	return &Retriever{store: s, LexicalWeight: DefaultLexicalWeight, limits: defaultLimits()}
}

// Request is what to find.
type Request struct {
	CollectionID int64
	Query        language.Query
	Method       domain.Method
	Fusion       domain.Fusion
	K            int // candidates taken from each arm
	// Embed gives the query's vector; the lexical arm runs meanwhile. nil: there is no embedder.
	Embed func(context.Context) ([]float32, error)
}

// Candidate is a passage that at least one arm found. Ranks and scores of BM25, Dense and Fused are set where
// the chunk was in that list.
type Candidate struct {
	store.Passage
	Ranks  domain.Ranks
	Scores domain.Scores
}

// Result is the fused list with what each stage cost.
type Result struct {
	Candidates []Candidate    // fused order
	Stages     []domain.Stage // filter, embed, bm25, dense, fuse: those that ran, in this order
	Method     domain.Method  // what ran: BM25 where a hybrid search had no vectors to use, Listed where the query is filters alone
	// EmbedError is why the query has no vector though an embedder was given; the lexical arm served alone.
	EmbedError error
	// NoVectors is true where the vector arm was wanted and the collection has no vectors.
	NoVectors bool
}

// arm is the outcome of one arm.
type arm struct {
	list     []store.Scored
	read     []store.Passage // that were read to order the list
	stages   []domain.Stage
	ran      bool
	embedErr error
	err      error
}

// Retrieve runs the arms that the method asks for, in parallel, over what the query's filters leave, and fuses them. A
// query that cannot be embedded is searched by its words whatever the method, and the result says so.
func (r *Retriever) Retrieve(ctx context.Context, req Request) (Result, error) {
	if req.Query.Empty() && len(req.Query.Filters()) > 0 {
		return r.list(ctx, req)
	}
	var lexical, dense arm
	var arms sync.WaitGroup
	defer arms.Wait()
	ctx, cancel := context.WithCancel(ctx)
	defer cancel()
	var query chan embedding
	if req.Method != domain.BM25 && req.Embed != nil && !req.Query.Empty() {
		query = make(chan embedding, 1)
		arms.Go(func() { query <- embed(ctx, req) }) // while the filters are read
	}
	left, stages, err := r.filter(ctx, req)
	if err != nil {
		return Result{}, err
	}
	if req.Method != domain.Semantic {
		arms.Go(func() {
			if lexical = r.lexical(ctx, req, left); lexical.err != nil {
				cancel()
			}
		})
	}
	if query != nil {
		if dense = r.dense(ctx, req, left, <-query); dense.err != nil {
			cancel()
		}
	}
	arms.Wait()
	for _, a := range []arm{lexical, dense} {
		if a.err != nil {
			return Result{}, a.err
		}
	}
	if req.Method == domain.Semantic && !dense.ran {
		if lexical = r.lexical(ctx, req, left); lexical.err != nil {
			return Result{}, lexical.err
		}
	}
	res, err := r.join(ctx, req, lexical, dense)
	res.Stages = append(stages, res.Stages...)
	return res, err
}

func (r *Retriever) lexical(ctx context.Context, req Request, left store.Selection) arm {
	a := arm{ran: true}
	start := time.Now()
	wider := req
	wider.K = max(req.K, refined)
	if a.list, a.err = r.byWords(ctx, wider, left); a.err != nil {
		return a
	}
	if a.list, a.read, a.err = r.refine(ctx, req, a.list); a.err != nil {
		return a
	}
	a.list = a.list[:min(req.K, len(a.list))]
	a.stages = []domain.Stage{domain.StageSince(domain.StageBM25, start, req.K, len(a.list))}
	return a
}

// embedding is a query's vector, or why there is none.
type embedding struct {
	vector []float32
	stage  domain.Stage
	err    error
}

func embed(ctx context.Context, req Request) embedding {
	start := time.Now()
	v, err := req.Embed(ctx)
	return embedding{v, domain.StageSince(domain.StageEmbed, start, 1, 1), err}
}

func (r *Retriever) dense(ctx context.Context, req Request, left store.Selection, query embedding) arm {
	var a arm
	if query.err != nil {
		a.embedErr, a.err = query.err, ctx.Err()
		return a
	}
	a.stages = []domain.Stage{query.stage}
	start := time.Now()
	if left, a.err = narrow(ctx, left, req.Query); a.err != nil {
		return a
	}
	if a.list, a.err = left.Nearest(ctx, query.vector, req.K); a.err != nil {
		return a
	}
	if a.ran = len(a.list) > 0; !a.ran {
		a.ran, a.err = r.store.HasVectors(ctx, req.CollectionID)
	}
	a.stages = append(a.stages, domain.StageSince(domain.StageDense, start, req.K, len(a.list)))
	return a
}

// join fuses the lists and reads the passages that nobody has read yet.
func (r *Retriever) join(ctx context.Context, req Request, lexical, dense arm) (Result, error) {
	start := time.Now()
	res := Result{EmbedError: dense.embedErr, Method: domain.BM25}
	var fused []Fused
	switch {
	case lexical.ran && dense.ran && req.Fusion == domain.FusionRRF:
		res.Method, fused = domain.Hybrid, RRF(lexical.list, dense.list)
	case lexical.ran && dense.ran:
		res.Method, fused = domain.Hybrid, Convex(lexical.list, dense.list, r.LexicalWeight)
	case dense.ran:
		res.Method, fused = domain.Semantic, Single(dense.list)
	default:
		fused = Single(lexical.list)
	}
	res.NoVectors = req.Method != domain.BM25 && req.Embed != nil && dense.embedErr == nil && !dense.ran
	passages, err := r.passages(ctx, fused, lexical.read)
	if err != nil {
		return Result{}, err
	}
	res.Candidates = candidates(fused, lexical.list, dense.list, passages)
	res.Stages = orderedStages(lexical, dense)
	res.Stages = append(res.Stages, domain.StageSince(domain.StageFuse, start, len(lexical.list)+len(dense.list), len(res.Candidates)))
	return res, nil
}

// passages gives those of a list, in its order, reading what is not read. One that is gone by now is left out.
func (r *Retriever) passages(ctx context.Context, fused []Fused, read []store.Passage) ([]store.Passage, error) {
	known := make(map[int64]store.Passage, len(fused))
	for _, p := range read {
		known[p.Chunk.ID] = p
	}
	var missing []int64
	for _, f := range fused {
		if _, ok := known[f.ChunkID]; !ok {
			missing = append(missing, f.ChunkID)
		}
	}
	if len(missing) > 0 {
		more, err := r.store.Passages(ctx, missing)
		if err != nil {
			return nil, err
		}
		for _, p := range more {
			known[p.Chunk.ID] = p
		}
	}
	list := make([]store.Passage, 0, len(fused))
	for _, f := range fused {
		if p, ok := known[f.ChunkID]; ok {
			list = append(list, p)
		}
	}
	return list, nil
}

// candidates puts the trace of each arm on the passages. A passage that was deleted since the arms ran is
// left out of the list and of the ranks.
func candidates(fused []Fused, lexical, dense []store.Scored, passages []store.Passage) []Candidate {
	score := make(map[int64]float64, len(fused))
	for _, f := range fused {
		score[f.ChunkID] = f.Score
	}
	bm25, cosine := positions(lexical), positions(dense)
	list := make([]Candidate, len(passages))
	for i, p := range passages {
		c := Candidate{Passage: p}
		c.Ranks.Fused, c.Scores.Fused = ref(i+1), ref(score[p.Chunk.ID])
		if at, ok := bm25[p.Chunk.ID]; ok {
			c.Ranks.BM25, c.Scores.BM25 = ref(at+1), ref(lexical[at].Score)
		}
		if at, ok := cosine[p.Chunk.ID]; ok {
			c.Ranks.Dense, c.Scores.Dense = ref(at+1), ref(dense[at].Score)
		}
		list[i] = c
	}
	return list
}

func positions(list []store.Scored) map[int64]int {
	at := make(map[int64]int, len(list))
	for i, s := range list {
		at[s.ChunkID] = i
	}
	return at
}

// orderedStages lists the stages in the order of the work, whichever finished first.
func orderedStages(lexical, dense arm) []domain.Stage {
	var list []domain.Stage
	for _, name := range []string{domain.StageEmbed, domain.StageBM25, domain.StageDense} {
		for _, st := range append(lexical.stages, dense.stages...) {
			if st.Name == name {
				list = append(list, st)
			}
		}
	}
	return list
}

func ref[T any](v T) *T { return &v }
