package embed_test

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

	"fanous/backend/embed"
	"fanous/backend/onnx"
)

const starter = "multilingual-e5-small-starter-q4"

// open loads the starter embedder from where the build tool put it.
func open(tb testing.TB) *embed.Embedder {
	tb.Helper()
	rt, err := onnx.Load(os.Getenv("FANOUS_RUNTIME"))
	if err != nil {
		tb.Fatalf("FANOUS_RUNTIME: %v (go tool mage test sets it)", err)
	}
	e, err := embed.Open(rt, filepath.Join(os.Getenv("FANOUS_MODELS"), starter))
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

func TestEmbedder(t *testing.T) {
	e := open(t) // once for all: loading is what takes time
	ctx := context.Background()

	t.Run("equals the reference", func(t *testing.T) {
		var reference struct {
			Texts []struct {
				Role, Text string
				Tokens     int
				Vector     []float32
			}
		}
		data, err := os.ReadFile("testdata/vectors-reference.json")
		if err != nil {
			t.Fatal(err)
		}
		if err := json.Unmarshal(data, &reference); err != nil {
			t.Fatal(err)
		}
		for _, want := range reference.Texts {
			vector := passage(t, e, want.Text)
			if want.Role == "query" {
				vector = query(t, e, want.Text)
			}
			if got := dot(vector, want.Vector); got < 0.9999 {
				t.Errorf("%s %.40q: cosine with the reference %.5f", want.Role, want.Text, got)
			}
		}
	})

	t.Run("a vector does not depend on its company", func(t *testing.T) {
		texts := []string{"تهران", "a much longer passage about the harbour and its lanterns, lit at dusk", "", "تهران", "x"}
		together, err := e.Passages(ctx, texts)
		if err != nil {
			t.Fatal(err)
		}
		slices.Reverse(texts)
		reversed, err := e.Passages(ctx, texts)
		if err != nil {
			t.Fatal(err)
		}
		slices.Reverse(reversed)
		slices.Reverse(texts)
		for i, text := range texts {
			if alone := passage(t, e, text); !slices.Equal(alone, together[i]) || !slices.Equal(alone, reversed[i]) {
				t.Errorf("%q: another vector in company", text)
			}
		}
	})

	t.Run("any text has a vector", func(t *testing.T) {
		for name, text := range map[string]string{
			"empty":                "",
			"a space":              " ",
			"an emoji":             "😀",
			"a NUL":                "\x00",
			"not UTF-8":            "\xff\xfe",
			"a special token":      "</s>",
			"a million letters":    strings.Repeat("a", 1e6),
			"a million characters": strings.Repeat("فانوس دریایی ", 1_000_000/13),
			"a million spaces":     strings.Repeat(" ", 1e6),
		} {
			for role, vector := range map[string][]float32{"query": query(t, e, text), "passage": passage(t, e, text)} {
				if len(vector) != e.Dim() || math.Abs(dot(vector, vector)-1) > 1e-4 {
					t.Errorf("%s of %s: %d numbers of length %v", role, name, len(vector), dot(vector, vector))
				}
			}
		}
	})

	t.Run("what is past the window does not count", func(t *testing.T) {
		window := strings.Repeat("word ", 2*e.MaxTokens())
		if !slices.Equal(passage(t, e, window), passage(t, e, window+"another ending")) {
			t.Error("another vector")
		}
	})

	t.Run("tokens", func(t *testing.T) {
		const text = "Lanterns of تهران"
		tokens, err := e.Tokens(ctx, text, embed.Passage)
		if err != nil {
			t.Fatal(err)
		}
		if len(tokens.IDs) != e.CountTokens(text) || len(tokens.Vectors) != len(tokens.IDs)*e.Dim() {
			t.Fatalf("%d ids and %d numbers for %d tokens", len(tokens.IDs), len(tokens.Vectors), e.CountTokens(text))
		}
		covered := ""
		for i, place := range tokens.Offsets {
			covered += text[place[0]:place[1]]
			vector := tokens.Vectors[i*e.Dim() : (i+1)*e.Dim()]
			if math.Abs(dot(vector, vector)-1) > 1e-4 {
				t.Errorf("token %d has length %v", i, dot(vector, vector))
			}
		}
		if strings.ReplaceAll(covered, " ", "") != strings.ReplaceAll(text, " ", "") {
			t.Errorf("the tokens cover %q of %q", covered, text)
		}
		if !slices.Equal(tokens.Pooled, passage(t, e, text)) {
			t.Error("the text's vector is another than Passages gives")
		}
	})

	t.Run("cancelled", func(t *testing.T) {
		ctx, cancel := context.WithCancel(ctx)
		cancel()
		if _, err := e.Query(ctx, "x"); !errors.Is(err, context.Canceled) {
			t.Errorf("Query: %v", err)
		}
		if _, err := e.Passages(ctx, []string{"x", "y"}); !errors.Is(err, context.Canceled) {
			t.Errorf("Passages: %v", err)
		}
	})

	t.Run("closed", func(t *testing.T) {
		closed := open(t)
		if err := closed.Close(); err != nil {
			t.Fatal(err)
		}
		if _, err := closed.Query(ctx, "x"); !errors.Is(err, onnx.ErrClosed) {
			t.Errorf("Query: %v", err)
		}
		if n := closed.CountTokens("two words"); n < 2 {
			t.Errorf("CountTokens: %d", n)
		}
	})
}

func query(t *testing.T, e *embed.Embedder, text string) []float32 {
	t.Helper()
	v, err := e.Query(t.Context(), text)
	if err != nil {
		t.Fatal(err)
	}
	return v
}

func passage(t *testing.T, e *embed.Embedder, text string) []float32 {
	t.Helper()
	v, err := e.Passages(t.Context(), []string{text})
	if err != nil {
		t.Fatal(err)
	}
	return v[0]
}

func dot(a, b []float32) (sum float64) {
	for i := range a {
		sum += float64(a[i]) * float64(b[i])
	}
	return sum
}

// Nobody notices that an idle model was freed: loaded again it gives the same vectors.
func TestLoadingAgainChangesNoVector(t *testing.T) {
	const text = "the lantern of the harbour"
	if !slices.Equal(query(t, open(t), text), query(t, open(t), text)) {
		t.Error("the vector is another one")
	}
}
