package eval

import (
	"context"
	"errors"
	"fmt"
	"path/filepath"
	"slices"
	"strings"
	"time"

	"fanous/backend/chunk"
	"fanous/backend/domain"
	"fanous/backend/embed"
	"fanous/backend/language"
	"fanous/backend/pipeline"
	"fanous/backend/rerank"
	"fanous/backend/store"
)

// Options of an evaluation.
type Options struct {
	Stages     []string // empty: those of Stages that can run here
	Candidates int      // 0: the default of a search
	Top        int      // results that a search would show; 0: the default of a search, or Candidates where that is less
	MMR        *float64 // lambda; every stage that a search can show is measured with it, too. nil: none is
	// LexicalWeight is that of the convex fusion; nil: the default.
	LexicalWeight *float64
	// ChunkTokens is the size that documents are cut to; 0: that of indexing.
	ChunkTokens int
	// Wide has every ranker score all that was found, not only Candidates of it, so that other depths and weights can be
	// worked out from the pools.
	Wide bool

	// Embedder and Local are what a search would use; without them only bm25 can be measured.
	Embedder   *embed.Embedder
	NoEmbedder string
	Local      rerank.Reranker
	NoLocal    string
	// Tiers are the local rankers that are installed, each alone, by the name of their stage.
	Tiers map[string]rerank.Reranker
	// Cohere is the chain that asks Cohere; nil: NoCohere says why it may not be asked, in one plain sentence.
	Cohere      *rerank.Chain
	NoCohere    string
	CohereModel string

	Place  *Place          // where the documents are indexed already; nil: they are indexed for this evaluation
	Reader pipeline.Reader // of a dataset of files
	// Work is the folder in which an evaluation that was cut off goes on; empty: it begins anew.
	Work string
	// Progress is told how far a phase ("index", "query") has come; it may be nil.
	Progress func(phase string, done, of int)
}

// Place is a collection that is asked where it is.
type Place struct {
	Store      *store.Store
	Collection domain.Collection
	// Name says what a passage of a document counts as in the judgements.
	Name func(domain.Document, domain.Chunk) string
	// Typed says that the queries were typed into the search box, where quotes, dashes and filters mean something.
	Typed bool
	// State names what is indexed, so that an evaluation does not go on with the pools of another one.
	State string
}

// Result is a report and what it was worked out from.
type Result struct {
	Report  Report
	Request domain.SearchRequest // what every query was asked with
	Queries []Query
	Pools   []Pool // one a query, in their order
}

// Run asks every query once, through the same ingest and search that the program uses, and lets every ranker order what
// that has found. What is cut off goes on where it was the next time.
func Run(ctx context.Context, set Dataset, o Options) (Result, error) {
	stages, skipped, err := o.stages()
	if err != nil {
		return Result{}, err
	}
	req, err := o.request()
	if err != nil {
		return Result{}, err
	}
	if o.Progress == nil {
		o.Progress = func(string, int, int) {}
	}
	if o.Place == nil && !slices.ContainsFunc(stages, func(name string) bool { return name != StageBM25 }) {
		o.Embedder, o.NoEmbedder = nil, "Only keyword search is measured." // which saves the vectors
	}
	shop, err := openWorkshop(ctx, o.Work, o.indexName(set))
	if err != nil {
		return Result{}, err
	}
	set.Queries = digested(set.Queries)
	pools, silent, err := runIn(ctx, shop.dir, set, o, req, stages)
	if err = errors.Join(err, shop.close(err == nil && silent == "")); err != nil {
		return Result{}, err
	}
	if silent != "" {
		stages = slices.DeleteFunc(stages, func(stage string) bool { return rankerOf(stage) == StageCohere })
		skipped = append(skipped, Skipped{StageCohere, unfinished(silent, pools)})
	}
	return Result{Report: summarise(set, req, stages, skipped, pools), Request: req, Queries: set.Queries, Pools: pools}, nil
}

// digested names what is judged as the pools do.
func digested(queries []Query) []Query {
	out := slices.Clone(queries)
	for i, q := range out {
		out[i].Relevant = make(Judgement, len(q.Relevant))
		for name, grade := range q.Relevant {
			out[i].Relevant[nameOf(name)] = grade
		}
	}
	return out
}

// unfinished says why there is no number of Cohere, and that what it has answered is not asked again.
func unfinished(why string, pools []Pool) string {
	answered := 0
	for _, p := range pools {
		if _, has := p.Ranked[StageCohere]; has {
			answered++
		}
	}
	return fmt.Sprintf("%s It has answered %d of %d queries; the same evaluation asks for the others only, if it is made within a week.", why, answered, len(pools))
}

// runIn makes the pools, in a folder that it goes on in. silent is why Cohere did not answer every query; empty: it did, or was
// not to.
func runIn(ctx context.Context, dir string, set Dataset, o Options, req domain.SearchRequest, stages []string) (pools []Pool, silent string, err error) {
	if o.Place == nil {
		s, err := store.Open(ctx, filepath.Join(dir, indexFile), store.Options{})
		if err != nil {
			return nil, "", err
		}
		defer s.Close()
		if o.Place, err = index(ctx, s, set, o); err != nil {
			return nil, "", err
		}
	}
	j, err := openJournal(filepath.Join(dir, o.poolsName(set, req, stages)+".jsonl"))
	if err != nil {
		return nil, "", err
	}
	defer j.file.Close()
	a := newAsker(o, req, stages)
	pools, err = a.ask(ctx, set.Queries, j)
	return pools, a.silent, err
}

// indexName names what is asked: the documents, and all that the index depends on.
func (o Options) indexName(set Dataset) string {
	if o.Place != nil {
		return nameOf("place", o.Place.Collection.Name, o.Place.State)
	}
	return nameOf("index", set.Documents, set.Files, o.ChunkTokens, o.embedder(), language.Version, chunk.Version)
}

// poolsName names all that the pools depend on beside the index.
func (o Options) poolsName(set Dataset, req domain.SearchRequest, stages []string) string {
	weight := "default"
	if o.LexicalWeight != nil {
		weight = nameOf(*o.LexicalWeight)
	}
	mmr := "off"
	if req.MMR != nil {
		mmr = nameOf(*req.MMR)
	}
	name := []any{"pools by digests", set.Queries, stages, req.Candidates, weight, mmr, o.Wide, o.embedder(), o.CohereModel}
	for _, tier := range []rerank.Reranker{o.Local, o.Tiers[StageLate], o.Tiers[StageFast], o.Tiers[StagePrecise]} {
		if tier != nil {
			info := tier.Info()
			name = append(name, info.Backend, info.Model, info.Precision, info.Device, info.Digest)
		}
	}
	return nameOf(name...)
}

func (o Options) embedder() string {
	if o.Embedder == nil {
		return ""
	}
	return o.Embedder.Digest()
}

// stages are those to measure, in order, and those that were asked for and cannot be.
func (o Options) stages() (can []string, cannot []Skipped, err error) {
	wanted := o.Stages
	if len(wanted) == 0 {
		wanted = Stages()
	}
	for _, name := range wanted {
		if !slices.Contains(AllStages(), name) {
			return nil, nil, domain.Errorf(domain.CodeUsage, "choose among "+strings.Join(AllStages(), ", "), "there is no stage %q", name)
		}
	}
	for _, name := range AllStages() {
		if !slices.Contains(wanted, name) {
			continue
		}
		if reason := o.missing(name); reason != "" {
			cannot = append(cannot, Skipped{name, reason})
			continue
		}
		can = append(can, name)
		if o.MMR != nil && diversifiable(name) {
			can = append(can, name+withMMR)
		}
	}
	if len(can) == 0 {
		return nil, nil, domain.Errorf(domain.CodeUsage, cannot[0].Reason, "the stage %s cannot be measured here", cannot[0].Stage)
	}
	return can, cannot, nil
}

// missing is what a stage lacks, one plain sentence; empty: nothing.
func (o Options) missing(stage string) string {
	switch {
	case stage != StageBM25 && o.Embedder == nil:
		return o.NoEmbedder
	case stage == StageCohere && o.Cohere == nil:
		return o.NoCohere
	case rankerOf(stage) == StageRerank && o.Local == nil:
		return o.NoLocal
	case slices.Contains([]string{StageLate, StageFast, StagePrecise}, stage) && o.Tiers[stage] == nil:
		return "This tier is not installed, or it cannot be used here."
	}
	return ""
}

// request is what every query is asked with.
func (o Options) request() (domain.SearchRequest, error) {
	req := domain.SearchRequest{
		Collection: o.collection(), Method: domain.BM25, Rerank: domain.RerankOff, Candidates: o.Candidates, Top: o.Top, MMR: o.MMR,
	}
	if o.Embedder != nil {
		req.Method = domain.Hybrid
	}
	if req.Top == 0 && req.Candidates > 0 {
		req.Top = min(domain.DefaultTop, req.Candidates)
	}
	req = req.WithDefaults()
	return req, req.Validate()
}

func (o Options) collection() string {
	if o.Place != nil {
		return o.Place.Collection.Name
	}
	return datasetCollection
}

// noBudget lets a reranker score every candidate: an evaluation measures the ranker, not this machine.
const noBudget = time.Hour
