package backend_test

import (
	"bufio"
	"bytes"
	"encoding/json"
	"flag"
	"fmt"
	"os"
	"path/filepath"
	"strings"
	"testing"
	"time"

	"fanous/backend"
	"fanous/backend/domain"
)

var update = flag.Bool("update", false, "write the golden files anew")

const (
	sampleDir  = "../build/sample"
	goldenPath = "testdata/sample-ranks.golden"
)

// TestSampleRanks asks every judged query of the sample collection and compares where the first right
// document stands at each stage with the golden file. A change of ranking changes the file, and the change
// is reviewed: go test ./backend -run SampleRanks -update
func TestSampleRanks(t *testing.T) {
	b := openSample(t)
	relevant := judgements(t)
	var out bytes.Buffer
	fmt.Fprintln(&out, "# Rank of the first right document at each stage (-: not in the list), and the verdict; by kind of query.")
	stages := []string{"bm25", "dense", "fused", "final"}
	sums := map[string]map[string]float64{}
	counts := map[string]int{}
	for _, q := range queries(t) {
		resp, err := b.Search(t.Context(), domain.SearchRequest{Query: q.Text, Rerank: domain.RerankLocal, Top: 40, Candidates: 40}, nil)
		if err != nil {
			t.Fatalf("%s: %v", q.ID, err)
		}
		ranks := firstRight(resp.Hits, relevant[q.ID])
		fmt.Fprintf(&out, "%s %-6s", q.ID, q.Kind)
		if sums[q.Kind] == nil {
			sums[q.Kind] = map[string]float64{}
		}
		counts[q.Kind]++
		for _, s := range stages {
			if ranks[s] == 0 {
				fmt.Fprintf(&out, " %s -", s)
				continue
			}
			fmt.Fprintf(&out, " %s %d", s, ranks[s])
			sums[q.Kind][s] += 1 / float64(ranks[s])
		}
		fmt.Fprintf(&out, " clear %v  %s\n", resp.Verdict.Clear, q.Text)
	}
	for _, kind := range []string{"same", "cross", "name", "number"} {
		fmt.Fprintf(&out, "mrr %-6s", kind)
		for _, s := range stages {
			fmt.Fprintf(&out, " %s %.3f", s, sums[kind][s]/float64(counts[kind]))
		}
		fmt.Fprintln(&out)
		if sums[kind]["final"] < sums[kind]["fused"]-0.01*float64(counts[kind]) {
			t.Errorf("%s: reranking is worse than the fused order", kind)
		}
	}
	if *update {
		if err := os.WriteFile(goldenPath, out.Bytes(), 0o644); err != nil {
			t.Fatal(err)
		}
	}
	golden, err := os.ReadFile(goldenPath)
	if err != nil {
		t.Fatal(err)
	}
	diffLines(t, string(golden), out.String())
}

func diffLines(t *testing.T, want, got string) {
	t.Helper()
	w, g := strings.Split(want, "\n"), strings.Split(got, "\n")
	for i := range max(len(w), len(g)) {
		var a, b string
		if i < len(w) {
			a = w[i]
		}
		if i < len(g) {
			b = g[i]
		}
		if a != b {
			t.Errorf("line %d\nwant %s\ngot  %s", i+1, a, b)
		}
	}
}

// firstRight gives the best rank that a right document has at each stage.
func firstRight(hits []domain.Hit, relevant map[string]bool) map[string]int {
	best := map[string]int{}
	note := func(stage string, rank *int) {
		if rank != nil && (best[stage] == 0 || *rank < best[stage]) {
			best[stage] = *rank
		}
	}
	for _, h := range hits {
		if relevant[filepath.Base(h.Path)] {
			note("bm25", h.Ranks.BM25)
			note("dense", h.Ranks.Dense)
			note("fused", h.Ranks.Fused)
			note("final", h.Ranks.Final)
		}
	}
	return best
}

type judgedQuery struct {
	ID   string `json:"_id"`
	Kind string `json:"kind"`
	Text string `json:"text"`
}

func queries(t *testing.T) []judgedQuery {
	t.Helper()
	raw, err := os.ReadFile(filepath.Join(sampleDir, "queries.jsonl"))
	if err != nil {
		t.Fatal(err)
	}
	var out []judgedQuery
	for line := range bytes.Lines(raw) {
		var q judgedQuery
		if err := json.Unmarshal(line, &q); err != nil {
			t.Fatal(err)
		}
		out = append(out, q)
	}
	if len(out) < 60 {
		t.Fatalf("only %d judged queries", len(out))
	}
	return out
}

func judgements(t *testing.T) map[string]map[string]bool {
	t.Helper()
	f, err := os.Open(filepath.Join(sampleDir, "qrels", "test.tsv"))
	if err != nil {
		t.Fatal(err)
	}
	defer f.Close()
	out := map[string]map[string]bool{}
	for in := bufio.NewScanner(f); in.Scan(); {
		fields := strings.Split(in.Text(), "\t")
		if out[fields[0]] == nil {
			out[fields[0]] = map[string]bool{}
		}
		out[fields[0]][fields[1]] = true
	}
	return out
}

// openSample indexes the sample collection with the models of this machine.
func openSample(t *testing.T) *backend.Backend {
	t.Helper()
	if os.Getenv("FANOUS_RUNTIME") == "" || os.Getenv("FANOUS_MODELS") == "" {
		t.Fatal("FANOUS_RUNTIME and FANOUS_MODELS are not set: run `go tool mage test`, or see `go tool mage env`")
	}
	t.Setenv("CO_API_KEY", "")
	cfg, err := backend.LoadConfig("", t.TempDir())
	if err != nil {
		t.Fatal(err)
	}
	cfg.LocalBudget = time.Hour // the golden holds the ranking, not the speed of this machine
	b, err := backend.Open(t.Context(), cfg)
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() {
		if err := b.Close(); err != nil {
			t.Error(err)
		}
	})
	report, err := b.Index(t.Context(), domain.IndexRequest{Paths: []string{filepath.Join(sampleDir, "docs")}}, nil)
	if err != nil {
		t.Fatal(err)
	}
	if report.Indexed != 40 || report.NotIndexed != 0 {
		t.Fatalf("the sample is not indexed whole: %+v", report)
	}
	return b
}
