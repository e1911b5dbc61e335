package rerank_test

import (
	"context"
	"encoding/json"
	"errors"
	"math"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"fanous/backend/domain"
	"fanous/backend/embed"
	"fanous/backend/onnx"
	"fanous/backend/rerank"
	"fanous/models"
	"fanous/models/tinyxlmr"
)

const starter = "multilingual-e5-small-starter-q4"

func loadRuntime(tb testing.TB) *onnx.Runtime {
	tb.Helper()
	rt, err := onnx.Load(os.Getenv("FANOUS_RUNTIME"))
	if err != nil {
		tb.Fatalf("FANOUS_RUNTIME: %v (go tool mage test sets it)", err)
	}
	return rt
}

func starterDir() string { return filepath.Join(os.Getenv("FANOUS_MODELS"), starter) }

func openEmbedder(tb testing.TB) *embed.Embedder {
	tb.Helper()
	e, err := embed.Open(loadRuntime(tb), starterDir())
	if err != nil {
		tb.Fatalf("FANOUS_MODELS: %v (go tool mage test sets it)", err)
	}
	tb.Cleanup(func() {
		if err := e.Close(); err != nil {
			tb.Error(err)
		}
	})
	return e
}

func tokenModel(e *embed.Embedder) rerank.TokenModel {
	tokens := func(role embed.Role) func(context.Context, string) ([]int64, []float32, error) {
		return func(ctx context.Context, text string) ([]int64, []float32, error) {
			t, err := e.Tokens(ctx, text, role)
			return t.IDs, t.Vectors, err
		}
	}
	return rerank.TokenModel{
		Model: e.Name(), Device: e.Device(), Precision: e.Precision(), Runtime: e.Runtime(), Dim: e.Dim(),
		Query: tokens(embed.Query), Passage: tokens(embed.Passage), Rarity: e.Rarity,
	}
}

// writeTiny makes the folder of the small cross-encoder with made-up weights.
func writeTiny(tb testing.TB) string {
	tb.Helper()
	dir := filepath.Join(tb.TempDir(), tinyxlmr.Name)
	if _, err := tinyxlmr.Write(dir, filepath.Join(starterDir(), models.TokenizerFile)); err != nil {
		tb.Fatal(err)
	}
	return dir
}

func TestLateInteraction(t *testing.T) {
	e := openEmbedder(t)
	l := rerank.NewLateInteraction(tokenModel(e))
	conformance(t, subject{Reranker: l})

	if info := l.Info(); info.Backend != domain.BackendLateInteraction || info.Model != starter || info.Threshold == nil {
		t.Errorf("%+v", info)
	}

	t.Run("it knows an answer in another language", func(t *testing.T) {
		texts := []string{
			"فانوس دریایی هنگام غروب روشن شد.",
			"تهران پایتخت ایران است.",
			"Iran exports carpets and glass.", // nearer by its words' vectors alone
		}
		result, err := l.Rerank(t.Context(), rerank.Request{Query: question, Passages: texts})
		if err != nil {
			t.Fatal(err)
		}
		for i, s := range result.Scores {
			if i != 1 && s.Raw >= result.Scores[1].Raw {
				t.Errorf("%q has %v, the answer %v", texts[i], s, result.Scores[1])
			}
		}
	})

	t.Run("what is remembered scores as if it were not", func(t *testing.T) {
		fresh := rerank.NewLateInteraction(tokenModel(e))
		var first rerank.Result
		for round := range 2 {
			result, err := fresh.Rerank(t.Context(), rerank.Request{Query: question, Passages: passages})
			if err != nil {
				t.Fatal(err)
			}
			if round == 0 {
				first = result
			} else if !slices.Equal(first.Scores, result.Scores) {
				t.Errorf("%v, then %v", first.Scores, result.Scores)
			}
		}
	})
}

// openTiny loads the small cross-encoder with made-up weights.
func openTiny(tb testing.TB) *rerank.CrossEncoder {
	tb.Helper()
	c, err := rerank.OpenCrossEncoder(loadRuntime(tb), writeTiny(tb))
	if err != nil {
		tb.Fatal(err)
	}
	tb.Cleanup(func() {
		if err := c.Close(); err != nil {
			tb.Error(err)
		}
	})
	return c
}

func tinyManifest(tb testing.TB) models.Manifest {
	tb.Helper()
	m, err := models.Load(writeTiny(tb))
	if err != nil {
		tb.Fatal(err)
	}
	return m
}

func TestCrossEncoder(t *testing.T) {
	c := openTiny(t)
	conformance(t, subject{Reranker: c})

	if info := c.Info(); info.Backend != domain.BackendCrossEncoder || info.Model != tinyxlmr.Name || info.Device != "CPU" {
		t.Errorf("%+v", info)
	}

	reference := readReference(t)

	t.Run("logits equal the reference's, alone and in company", func(t *testing.T) {
		inCompany := map[string][]int{} // the pairs that ask the same, to be scored together
		for i, pair := range reference {
			inCompany[pair.Query] = append(inCompany[pair.Query], i)
		}
		together := make([]rerank.Score, len(reference))
		for query, pairs := range inCompany {
			req := rerank.Request{Query: query}
			for _, i := range pairs {
				req.Passages = append(req.Passages, reference[i].Passage)
			}
			result, err := c.Rerank(t.Context(), req)
			if err != nil {
				t.Fatalf("%q: %v", query, err)
			}
			for k, i := range pairs {
				together[i] = result.Scores[k]
			}
		}
		for i, pair := range reference {
			result, err := c.Rerank(t.Context(), rerank.Request{Query: pair.Query, Passages: []string{pair.Passage}})
			if err != nil {
				t.Fatalf("%s: %v", pair.Name, err)
			}
			s := result.Scores[0]
			if s != together[i] {
				t.Errorf("%s: %v alone, %v in company", pair.Name, s, together[i])
			}
			if math.Abs(s.Raw-pair.Logit) > 1e-3 {
				t.Errorf("%s: %v, the reference has %v", pair.Name, s.Raw, pair.Logit)
			}
			if want := 1 / (1 + math.Exp(-s.Raw)); math.Abs(s.Normalized-want) > 1e-12 {
				t.Errorf("%s: normalized %v of %v", pair.Name, s.Normalized, s.Raw)
			}
		}
	})

	t.Run("token ids equal the reference's", func(t *testing.T) {
		tok, err := onnx.OpenTokenizer(filepath.Join(starterDir(), models.TokenizerFile))
		if err != nil {
			t.Fatal(err)
		}
		defer tok.Close()
		for _, pair := range reference {
			query, err := tok.Encode(pair.Query, tinyxlmr.MaxQueryTokens)
			if err != nil {
				t.Fatal(err)
			}
			passage, err := tok.Encode(pair.Passage, tinyxlmr.MaxTokens)
			if err != nil {
				t.Fatal(err)
			}
			if got := tok.Pair(query.IDs, passage.IDs, tinyxlmr.MaxTokens); !slices.Equal(got, pair.IDs) {
				t.Errorf("%s: %v, the reference has %v", pair.Name, got, pair.IDs)
			}
		}
	})
}

type referencePair struct {
	Name, Query, Passage string
	IDs                  []int64
	Logit                float64
}

func readReference(t *testing.T) []referencePair {
	t.Helper()
	var reference struct{ Pairs []referencePair }
	data, err := os.ReadFile("testdata/tiny-xlmr-reference.json")
	if err != nil {
		t.Fatal(err)
	}
	if err := json.Unmarshal(data, &reference); err != nil {
		t.Fatal(err)
	}
	languages := map[string]bool{}
	for _, pair := range reference.Pairs {
		if language, kind, ok := strings.Cut(pair.Name, ": "); ok && kind == "over-long passage" && len(pair.IDs) == tinyxlmr.MaxTokens {
			languages[language] = true
		}
	}
	if len(reference.Pairs) < 200 || len(languages) < 12 {
		t.Fatalf("the reference has %d pairs, over-long ones in %d languages", len(reference.Pairs), len(languages))
	}
	return reference.Pairs
}

func TestCrossEncoderRefusesOtherModels(t *testing.T) {
	rt := loadRuntime(t)

	t.Run("an embedder", func(t *testing.T) {
		_, err := rerank.OpenCrossEncoder(rt, starterDir())
		if !errors.Is(err, rerank.ErrNotCrossEncoder) || !errors.Is(err, rerank.ErrPermanent) {
			t.Errorf("error %v", err)
		}
	})

	t.Run("an embedder whose manifest says reranker", func(t *testing.T) {
		dir := t.TempDir()
		manifest, err := models.Load(starterDir())
		if err != nil {
			t.Fatal(err)
		}
		for _, f := range manifest.Files {
			if err := os.Symlink(filepath.Join(starterDir(), f.Name), filepath.Join(dir, f.Name)); err != nil {
				t.Fatal(err)
			}
		}
		manifest.Role, manifest.MaxQueryTokens = models.Reranker, 256
		if err := manifest.Save(dir); err != nil {
			t.Fatal(err)
		}
		_, err = rerank.OpenCrossEncoder(rt, dir)
		if !errors.Is(err, rerank.ErrNotCrossEncoder) || !errors.Is(err, rerank.ErrPermanent) {
			t.Errorf("error %v", err)
		}
	})

	t.Run("no model", func(t *testing.T) {
		if _, err := rerank.OpenCrossEncoder(rt, t.TempDir()); !errors.Is(err, models.ErrNoManifest) {
			t.Errorf("error %v", err)
		}
	})
}
