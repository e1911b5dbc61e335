package eval

import (
	"context"
	"fmt"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"time"

	"fanous/backend/domain"
	"fanous/backend/embed"
	"fanous/backend/language"
	"fanous/backend/pipeline"
	"fanous/backend/rerank"
	"fanous/backend/retrieve"
	"fanous/backend/store"
)

// Names of the stages that can be measured, in the order of the pipeline.
const (
	StageBM25     = "bm25"
	StageSemantic = "semantic"
	StageHybrid   = "hybrid"
	StageRerank   = "rerank"
	// The two below are fusions by reciprocal rank, at the depth of the rerank stage. They are measured only
	// where they are asked for.
	StageRRF       = "rrf"        // of the two arms
	StageRerankRRF = "rerank-rrf" // of the reranked order and the order that it had before
)

// Stages is every stage that is measured unless others are asked for, in order.
func Stages() []string { return []string{StageBM25, StageSemantic, StageHybrid, StageRerank} }

// AllStages is every stage that can be measured, in order.
func AllStages() []string { return append(Stages(), StageRRF, StageRerankRRF) }

// Options of an evaluation.
type Options struct {
	Stages     []string // empty: all
	Candidates int      // 0: the default of a search
	Top        int      // results that a search would show; 0: the default of a search, or Candidates where that is less
	// ChunkTokens is the size that documents are cut to; 0: that of indexing.
	ChunkTokens int
	// Embedder and Local are what a search would use; without them only bm25 can be measured.
	Embedder   *embed.Embedder
	NoEmbedder string
	Local      rerank.Reranker
	NoLocal    string
	// Progress is told how far a phase ("index", "query") has come; it may be nil.
	Progress func(phase string, done, of int)
}

// Report is what an evaluation measured.
type Report struct {
	Dataset   string        `json:"dataset"`
	Queries   int           `json:"queries"`
	Documents int           `json:"documents"`
	Reranker  string        `json:"reranker,omitempty"` // backend and model of the rerank stage
	Rerank    *RerankReport `json:"rerank,omitempty"`   // nil: no reranked stage was measured
	Stages    []StageReport `json:"stages"`
	Warnings  []string      `json:"warnings"` // plain sentences
}

// RerankReport says what reranked. It is there with all its fields or not at all.
type RerankReport struct {
	Backend       domain.Backend `json:"backend"`
	Model         string         `json:"model"`
	Device        string         `json:"device"`
	Precision     string         `json:"precision"`
	Candidates    int            `json:"candidates"` // the depth: how many of each arm, and how many at most were reranked
	Top           int            `json:"top"`
	CandidatesIn  float64        `json:"candidates_in"`  // mean over the queries
	CandidatesOut float64        `json:"candidates_out"` // the same, of those scored
	NotReranked   int            `json:"not_reranked"`   // queries that kept the order of the stage before
	LatencyMS     Latency        `json:"latency_ms"`     // of reranking alone
}

// StageReport is the quality of one stage's lists and what a query cost up to and including it.
type StageReport struct {
	Name    string             `json:"name"`
	Metrics map[string]float64 `json:"metrics"` // means over the queries
	Latency Latency            `json:"latency_ms"`
	// Against compares the stage with its own input and with BM25, where those were measured.
	Against []Comparison `json:"against"`
}

// Latency is in milliseconds.
type Latency struct {
	P50 float64 `json:"p50"`
	P95 float64 `json:"p95"`
}

// Run indexes the dataset in a temporary index and asks every query once, through the same ingest and
// search that the program uses.
func Run(ctx context.Context, set Dataset, o Options) (Report, error) {
	stages, err := o.stages()
	if err != nil {
		return Report{}, err
	}
	if _, err := o.request(); err != nil {
		return Report{}, err
	}
	if o.Progress == nil {
		o.Progress = func(string, int, int) {}
	}
	if !slices.ContainsFunc(stages, func(name string) bool { return name != StageBM25 }) {
		o.Embedder, o.NoEmbedder = nil, "Only keyword search is measured."
	}
	dir, err := os.MkdirTemp("", "fanous-eval-")
	if err != nil {
		return Report{}, fmt.Errorf("a folder for the evaluation's index: %w", err)
	}
	defer os.RemoveAll(dir)
	s, err := store.Open(ctx, filepath.Join(dir, "eval.db"), store.Options{})
	if err != nil {
		return Report{}, err
	}
	defer s.Close()
	if err := index(ctx, s, set, o); err != nil {
		return Report{}, err
	}
	return ask(ctx, s, set, o, stages)
}

func (o Options) stages() ([]string, error) {
	if len(o.Stages) == 0 {
		if o.Embedder == nil {
			return []string{StageBM25}, nil
		}
		return Stages(), nil
	}
	for _, name := range o.Stages {
		switch {
		case !slices.Contains(AllStages(), name):
			return nil, domain.Errorf(domain.CodeUsage, "choose among "+strings.Join(AllStages(), ", "), "there is no stage %q", name)
		case reranks(name) && o.Local == nil:
			return nil, domain.Errorf(domain.CodeUsage, o.NoLocal, "the stage %s cannot be measured here", name)
		case name != StageBM25 && o.Embedder == nil:
			return nil, domain.Errorf(domain.CodeUsage, o.NoEmbedder, "the stage %s cannot be measured here", name)
		}
	}
	return o.Stages, nil
}

func index(ctx context.Context, s *store.Store, set Dataset, o Options) error {
	c, err := s.AddCollection(ctx, domain.DefaultCollection, domain.PolicyNever)
	if err != nil {
		return err
	}
	in := pipeline.Ingest{Store: s, Embedder: o.Embedder, NoEmbedder: o.NoEmbedder, ChunkTokens: o.ChunkTokens}
	return in.Add(ctx, c, func(yield func(pipeline.Source) bool) {
		for _, d := range set.Documents {
			content := domain.Content{Format: "text", Title: d.Title}
			for text := range strings.SplitSeq(d.Text, "\n\n") {
				content.Blocks = append(content.Blocks, domain.Block{Text: text})
			}
			if !yield(pipeline.Source{Path: d.ID, Content: content}) {
				return
			}
		}
	}, func(p domain.IndexProgress) { o.Progress("index", p.Embedded, p.ToEmbed) })
}

// ask sends every query through the pipeline once; the ranks that the trace keeps of each stage give the
// lists of all stages at once.
func ask(ctx context.Context, s *store.Store, set Dataset, o Options, stages []string) (Report, error) {
	searcher := pipeline.Searcher{
		Store: s, Retriever: retrieve.New(s), NoEmbedder: o.NoEmbedder,
		Chain: rerank.NewChain(nil, o.Local, o.NoLocal, rerank.ChainOptions{LocalBudget: noBudget}),
	}
	req, err := o.request()
	if err != nil {
		return Report{}, err
	}
	if o.Embedder != nil {
		searcher.Embed = o.Embedder.Query
		req.Method = domain.Hybrid
	}
	report := Report{Dataset: set.Name, Queries: len(set.Queries), Documents: len(set.Documents)}
	var reranked *rerankTally
	if slices.ContainsFunc(stages, reranks) {
		req.Rerank = domain.RerankLocal
		reranked = &rerankTally{info: o.Local.Info()}
		report.Reranker = string(reranked.info.Backend) + " " + reranked.info.Model
	}
	sums := map[string]*tally{}
	for _, name := range stages {
		sums[name] = newTally()
	}
	for i, q := range set.Queries {
		ranking, err := searcher.Rank(ctx, req, language.ParseQuery(q.Text), nil)
		if err != nil {
			return Report{}, fmt.Errorf("query %s: %w", q.ID, err)
		}
		for _, name := range stages {
			sums[name].add(documentsBy(name, ranking.Entries), q.Relevant, latencyOf(name, ranking.Stages))
		}
		if reranked != nil {
			reranked.add(ranking)
		}
		o.Progress("query", i+1, len(set.Queries))
	}
	for _, name := range stages {
		report.Stages = append(report.Stages, sums[name].report(name, sums))
	}
	if reranked != nil {
		report.Rerank = reranked.report(req)
	}
	report.Warnings = warnings(report)
	return report, nil
}

// request is what every query is asked with.
func (o Options) request() (domain.SearchRequest, error) {
	req := domain.SearchRequest{Method: domain.BM25, Rerank: domain.RerankOff, Candidates: o.Candidates, Top: o.Top}
	if req.Top == 0 && req.Candidates > 0 {
		req.Top = min(domain.DefaultTop, req.Candidates)
	}
	req = req.WithDefaults()
	return req, req.Validate()
}

// noBudget lets a reranker score every candidate: an evaluation measures the ranker, not this machine.
const noBudget = time.Hour

// latencyOf is what a query cost up to and including a stage. The arms run in parallel, so hybrid
// waits for the slower one.
func latencyOf(stage string, stages []domain.Stage) float64 {
	ms := map[string]float64{}
	for _, s := range stages {
		ms[s.Name] = s.MS
	}
	bm25, semantic := ms[domain.StageBM25], ms[domain.StageEmbed]+ms[domain.StageDense]
	hybrid := max(bm25, semantic) + ms[domain.StageFuse]
	switch stage {
	case StageBM25:
		return bm25
	case StageSemantic:
		return semantic
	case StageHybrid:
		return hybrid
	}
	if stage == StageRRF {
		return hybrid // fusing is a thousandth of it, whatever the rule
	}
	return hybrid + ms[domain.StageRerank]
}
