package eval

import (
	"cmp"
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
)

// Stages is every stage, in order.
func Stages() []string { return []string{StageBM25, StageSemantic, StageHybrid, StageRerank} }

// Options of an evaluation.
type Options struct {
	Stages     []string // empty: all
	Candidates int      // 0: the default of a search
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
	Stages    []StageReport `json:"stages"`
}

// StageReport is the quality of one stage's lists and what a query cost up to and including it.
type StageReport struct {
	Name    string             `json:"name"`
	Metrics map[string]float64 `json:"metrics"` // means over the queries
	Latency Latency            `json:"latency_ms"`
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
		case !slices.Contains(Stages(), name):
			return nil, domain.Errorf(domain.CodeUsage, "choose among "+strings.Join(Stages(), ", "), "there is no stage %q", name)
		case name == StageRerank && o.Local == nil:
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
	req := domain.SearchRequest{Method: domain.BM25, Rerank: domain.RerankOff, Candidates: o.Candidates}
	if o.Embedder != nil {
		searcher.Embed = o.Embedder.Query
		req.Method = domain.Hybrid
	}
	if slices.Contains(stages, StageRerank) {
		req.Rerank = domain.RerankLocal
	}
	req = req.WithDefaults()
	report := Report{Dataset: set.Name, Queries: len(set.Queries), Documents: len(set.Documents)}
	if o.Local != nil && slices.Contains(stages, StageRerank) {
		info := o.Local.Info()
		report.Reranker = string(info.Backend) + " " + info.Model
	}
	sums := map[string]*tally{}
	for _, name := range stages {
		sums[name] = &tally{metrics: map[string]float64{}}
	}
	for i, q := range set.Queries {
		ranking, err := searcher.Rank(ctx, req, language.ParseQuery(q.Text), nil)
		if err != nil {
			return Report{}, fmt.Errorf("query %s: %w", q.ID, err)
		}
		for _, name := range stages {
			sums[name].add(documentsBy(name, ranking.Entries), q.Relevant, latencyOf(name, ranking.Stages))
		}
		o.Progress("query", i+1, len(set.Queries))
	}
	for _, name := range stages {
		report.Stages = append(report.Stages, sums[name].report(name))
	}
	return report, nil
}

// noBudget lets a reranker score every candidate: an evaluation measures the ranker, not this machine.
const noBudget = time.Hour

// documentsBy lists the documents in the order of a stage, each by its best passage.
func documentsBy(stage string, entries []pipeline.Entry) []string {
	rank := func(e pipeline.Entry) *int {
		switch stage {
		case StageBM25:
			return e.Ranks.BM25
		case StageSemantic:
			return e.Ranks.Dense
		case StageHybrid:
			return e.Ranks.Fused
		}
		return e.Ranks.Final
	}
	var ranked []pipeline.Entry
	for _, e := range entries {
		if rank(e) != nil {
			ranked = append(ranked, e)
		}
	}
	slices.SortStableFunc(ranked, func(a, b pipeline.Entry) int { return cmp.Compare(*rank(a), *rank(b)) })
	var out []string
	for _, e := range ranked {
		if !slices.Contains(out, e.Document.Path) {
			out = append(out, e.Document.Path)
		}
	}
	return out
}

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
	return hybrid + ms[domain.StageRerank]
}

// tally adds up the queries of one stage.
type tally struct {
	metrics   map[string]float64
	latencies []float64
}

func (t *tally) add(ranked []string, relevant Judgement, ms float64) {
	for _, k := range cutoffs {
		t.metrics[fmt.Sprintf("recall@%d", k)] += recallAt(ranked, relevant, k)
	}
	t.metrics[fmt.Sprintf("mrr@%d", metricDepth)] += reciprocalRankAt(ranked, relevant, metricDepth)
	t.metrics[fmt.Sprintf("ndcg@%d", metricDepth)] += ndcgAt(ranked, relevant, metricDepth)
	t.latencies = append(t.latencies, ms)
}

func (t *tally) report(name string) StageReport {
	r := StageReport{Name: name, Metrics: map[string]float64{}}
	for metric, sum := range t.metrics {
		r.Metrics[metric] = sum / float64(len(t.latencies))
	}
	slices.Sort(t.latencies)
	r.Latency = Latency{P50: quantile(t.latencies, 0.5), P95: quantile(t.latencies, 0.95)}
	return r
}
