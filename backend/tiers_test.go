package backend

import (
	"context"
	"errors"
	"fmt"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"fanous/backend/domain"
	"fanous/backend/rerank"
	"fanous/backend/store"
	"fanous/backend/trial"
)

// named scores everything alike, or fails, and notes that it was asked.
type named struct {
	name  string
	fail  bool
	asked *[]string
}

func (n named) Info() rerank.Info { return rerank.Info{Backend: domain.Backend(n.name), Model: n.name} }

func (n named) Rerank(_ context.Context, req rerank.Request) (rerank.Result, error) {
	*n.asked = append(*n.asked, fmt.Sprint(n.name, len(req.Passages)))
	r := rerank.Result{Scores: make([]rerank.Score, len(req.Passages)), Scored: make([]bool, len(req.Passages))}
	for i := range r.Scored {
		r.Scored[i] = true
	}
	if n.fail {
		return r, errors.New("made-up fault")
	}
	return r, nil
}

// rerankRequest has n passages, all different.
func rerankRequest(n int) rerank.Request {
	req := rerank.Request{Query: "q"}
	for i := range n {
		req.Passages = append(req.Passages, fmt.Sprint(i))
	}
	return req
}

// TestTiers: who is asked about a pool of 20, by what is installed.
func TestTiers(t *testing.T) {
	for _, c := range []struct{ installed, failing, asked string }{
		{"late", "", "[late20]"},
		{"fast", "", "[fast20]"},
		{"fast", "fast", "[fast20]"},
		{"late fast", "", "[fast20]"},
		{"late fast", "fast", "[fast20 late20]"},
		{"precise", "", "[precise20]"},
		{"late precise", "", "[late20 precise12]"},
		{"late precise", "late", "[late20 precise12]"},
		{"fast precise", "", "[fast20 precise12]"},
		{"late fast precise", "", "[fast20 precise12]"},
		{"late fast precise", "precise", "[fast20 precise12]"},
		{"late fast precise", "fast precise", "[fast20 precise12 late20]"},
	} {
		asked := []string{}
		tier := func(name string) rerank.Reranker {
			if !slices.Contains(strings.Fields(c.installed), name) {
				return nil
			}
			return named{name, slices.Contains(strings.Fields(c.failing), name), &asked}
		}
		local := tiers(tier("late"), tier("fast"), tier("precise"), rerank.CascadeOptions{})
		_, _ = local.Rerank(t.Context(), rerankRequest(20))
		if fmt.Sprint(asked) != c.asked {
			t.Errorf("%s installed, %q failing: asked %v, want %s", c.installed, c.failing, asked, c.asked)
		}
	}
	if local := tiers(nil, nil, nil, rerank.CascadeOptions{}); local != nil {
		t.Errorf("%v of nothing", local)
	}
}

// TestAnEvaluationKeepsNoScores: its passages are not in the index, and a score that was kept would make the next
// evaluation quicker than any search.
func TestAnEvaluationKeepsNoScores(t *testing.T) {
	s, err := store.Open(t.Context(), filepath.Join(t.TempDir(), "index.db"), store.Options{})
	if err != nil {
		t.Fatal(err)
	}
	defer s.Close()
	cfg := Config{DataDir: t.TempDir(), RuntimeLibrary: os.Getenv("FANOUS_RUNTIME"), ModelDirs: []string{os.Getenv("FANOUS_MODELS")}}
	in := newInference(t.Context(), cfg, s, trial.NewTester(trial.OpenBook(filepath.Join(t.TempDir(), selfTestsName)), trial.Runner{}))
	defer in.close()
	_, searched := in.local.(*rerank.Cached)
	_, evaluated := in.measured.(*rerank.Cached)
	if !searched || evaluated || in.measured.Info().Model != in.local.Info().Model {
		t.Errorf("searches keep scores: %v, evaluations: %v (%s %s)", searched, evaluated, in.noEmbedder, in.noLocal)
	}
}
