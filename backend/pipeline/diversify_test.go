package pipeline_test

import (
	"context"
	"errors"
	"fmt"
	"math"
	"math/rand/v2"
	"slices"
	"strings"
	"testing"

	"fanous/backend/domain"
	"fanous/backend/language"
	"fanous/backend/pipeline"
)

// madeUpVectors gives each text the direction of its first letter: texts with the same one are the same.
func madeUpVectors(_ context.Context, texts []string) ([][]float32, error) {
	out := make([][]float32, len(texts))
	for i, text := range texts {
		angle := float64(text[0]) / 8
		out[i] = []float32{float32(math.Cos(angle)), float32(math.Sin(angle))}
	}
	return out, nil
}

// lengthReranker prefers the longest; a, b and c of fruit are then c, b, a.
var lengthReranker = fixedReranker{score: func(p string) float64 { return float64(len(p)) / 200 }, reaches: 40}

func TestMMRPutsDifferentPassagesForward(t *testing.T) {
	f := newFixture(t, map[string]string{
		"apple one.txt":   "apple fruit with very many words about it, the longest of all",
		"apple two.txt":   "apple fruit with very many words, nearly the longest",
		"zebra three.txt": "zebra fruit and few words",
	})
	f.run(t.Context(), nil)
	s := f.searcher(lengthReranker)
	s.EmbedPassages = madeUpVectors
	for _, tt := range []struct {
		lambda *float64
		want   string
	}{
		{nil, "apple one apple two zebra three"},
		{new(1.0), "apple one apple two zebra three"},
		{new(0.5), "apple one zebra three apple two"},
		{new(0.0), "apple one zebra three apple two"},
	} {
		resp := f.search(s, domain.SearchRequest{Query: "fruit", MMR: tt.lambda})
		f.want("hits", titles(resp.Hits), tt.want)
		f.want("applied", resp.Rerank.MMRApplied, tt.lambda != nil)
		f.want("lambda in the trace", resp.Rerank.MMRLambda != nil, tt.lambda != nil)
		f.want("a stage of it", slices.ContainsFunc(resp.Stages, func(s domain.Stage) bool { return s.Name == domain.StageMMR }), tt.lambda != nil)
		for i, h := range resp.Hits {
			f.want("final rank", *h.Ranks.Final, i+1)
			f.want("what reranking did to "+h.Title, *h.RerankDelta, map[string]int{"apple one": 2, "apple two": 0, "zebra three": -2}[h.Title])
		}
	}
}

func TestWithoutVectorsMMRSaysSoAndTheSearchGoesOn(t *testing.T) {
	f := fruit(t)
	failing := func(context.Context, []string) ([][]float32, error) { return nil, errors.New("made-up fault") }
	for name, tt := range map[string]struct {
		embed func(context.Context, []string) ([][]float32, error)
		want  string
	}{
		"no embedder":  {nil, "mmr: 3 of 3 passages have no vector, and there is no embedder to make one. The order is by relevance alone."},
		"a faulty one": {failing, "made-up fault"},
	} {
		s := f.searcher(lengthReranker)
		s.EmbedPassages = tt.embed
		resp := f.search(s, domain.SearchRequest{Query: "fruit", MMR: new(0.3)})
		f.want("hits", titles(resp.Hits), "c b a")
		f.want(name+": applied", resp.Rerank.MMRApplied, false)
		if said := strings.Join(resp.Degraded, "\n"); !strings.Contains(said, tt.want) {
			t.Errorf("%s: %q is not said in %q", name, tt.want, said)
		}
	}
}

// TestMMRWeighsOneKindOfScore: what a reranker did not reach has another kind of score and stays below.
func TestMMRWeighsOneKindOfScore(t *testing.T) {
	f := newFixture(t, map[string]string{"a.txt": "fruit", "b.txt": "fruit and", "z.txt": "fruit and bread and more"})
	f.run(t.Context(), nil)
	s := f.searcher(fixedReranker{score: func(p string) float64 { return 1 / float64(len(p)) }, reaches: 2})
	s.EmbedPassages = madeUpVectors
	resp := f.search(s, domain.SearchRequest{Query: "fruit", MMR: new(0.0)})
	f.want("last", resp.Hits[2].ScoreKind, domain.ScoreRank)
}

// TestEveryCandidateIsAtOnePlace: however they are asked for, diversified and folded, the candidates are shown,
// folded under a hit or below the list, once each, the best first; and the same again gives the same.
func TestEveryCandidateIsAtOnePlace(t *testing.T) {
	const rounds = 300
	words := []string{"fruit", "bread", "cheese", "wine", "میوه", "نان", "12", "۱۲"}
	random := rand.New(rand.NewPCG(3, 4))
	files := map[string]string{}
	for i := range 30 {
		var text strings.Builder
		for section := range 1 + random.IntN(3) {
			fmt.Fprintf(&text, "# Section %d\n\n", section)
			for range 1 + random.IntN(3) { // short, so that many are the same
				text.WriteString(words[random.IntN(len(words))] + " ")
			}
			text.WriteString("\n\n")
		}
		files[fmt.Sprintf("%02d.md", i)] = text.String()
		if i%5 == 0 {
			files[fmt.Sprintf("copy of %02d.md", i)] = text.String()
		}
	}
	f := newFixture(t, files)
	f.run(t.Context(), nil)
	folded := map[string]int{}
	for round := range rounds {
		req := domain.SearchRequest{
			Query:      words[random.IntN(len(words))] + " " + words[random.IntN(len(words))],
			Candidates: 1 + random.IntN(60), PerDocument: 1 + random.IntN(3),
		}
		req.Top = 1 + random.IntN(req.Candidates)
		if random.IntN(2) == 0 {
			req.MMR = new(random.Float64())
		}
		ask := func() (pipeline.Ranking, domain.SearchResponse) {
			s := f.searcher(fixedReranker{score: func(p string) float64 { return float64(len(p)%5) / 5 }, reaches: req.Candidates / 2})
			s.EmbedPassages = madeUpVectors
			ranking, err := s.Rank(t.Context(), req.WithDefaults(), language.ParseQuery(req.Query), nil)
			if err != nil {
				t.Fatal(err)
			}
			return ranking, f.search(s, req)
		}
		ranking, resp := ask()
		again, respAgain := ask()
		if !slices.Equal(order(ranking.Entries), order(again.Entries)) || asJSON(t, resp.Hits) != asJSON(t, respAgain.Hits) {
			t.Fatalf("round %d, %+v: the same again gave another answer", round, req)
		}
		if problem := placeProblem(ranking.Entries, resp.Hits); problem != "" {
			t.Fatalf("round %d, %+v: %s", round, req, problem)
		}
		if len(resp.Hits) > req.Top {
			t.Fatalf("round %d: %d hits of at most %d", round, len(resp.Hits), req.Top)
		}
		shown := map[int64]int{}
		for _, h := range resp.Hits {
			if shown[h.DocumentID]++; shown[h.DocumentID] > req.PerDocument {
				t.Fatalf("round %d: %d passages of one document are shown, not %d", round, shown[h.DocumentID], req.PerDocument)
			}
			folded["more"] += len(h.More)
			folded["duplicates"] += len(h.Duplicates)
		}
		if req.MMR != nil && len(ranking.Entries) > 1 && *ranking.Entries[0].Scores.Fused == 1 && !ranking.Entries[0].Scored {
			folded["unscored first"]++
		}
	}
	t.Logf("folded %v", folded)
	if folded["more"] == 0 || folded["duplicates"] == 0 {
		t.Error("nothing was folded")
	}
}

// placeProblem says what is wrong with where the entries of a ranking are in a list of hits; empty: nothing is.
func placeProblem(entries []pipeline.Entry, hits []domain.Hit) string {
	final := map[int64]int{}
	for i, e := range entries {
		if *e.Ranks.Final != i+1 {
			return fmt.Sprintf("entry %d has the final rank %d", i, *e.Ranks.Final)
		}
		final[e.Chunk.ID] = i
	}
	if len(final) != len(entries) {
		return "an entry is there twice"
	}
	place := map[int64]int{} // chunk -> hit
	last := -1
	for n, h := range hits {
		if final[h.ChunkID] <= last {
			return fmt.Sprintf("hit %d is better than the one above it", n)
		}
		last = final[h.ChunkID]
		ids := []int64{h.ChunkID}
		under := last
		for _, m := range h.More {
			ids = append(ids, m.ChunkID)
			if final[m.ChunkID] <= under {
				return fmt.Sprintf("what is folded under hit %d is not in order, or better than it", n)
			}
			under = final[m.ChunkID]
		}
		if h.MoreInDocument != len(h.More) {
			return fmt.Sprintf("hit %d counts %d more and lists %d", n, h.MoreInDocument, len(h.More))
		}
		under = last
		for _, d := range h.Duplicates {
			ids = append(ids, d.ChunkID)
			if final[d.ChunkID] <= under || d.DocumentID == h.DocumentID || !(d.Similarity > 0 && d.Similarity <= 1) {
				return fmt.Sprintf("hit %d has the duplicate %+v", n, d)
			}
			under = final[d.ChunkID]
		}
		for _, id := range ids {
			if _, known := final[id]; !known {
				return fmt.Sprintf("passage %d was not a candidate", id)
			}
			if at, twice := place[id]; twice {
				return fmt.Sprintf("passage %d is at hit %d and at hit %d", id, at, n)
			}
			place[id] = n
		}
	}
	for i, e := range entries {
		if _, placed := place[e.Chunk.ID]; !placed && i < last {
			return fmt.Sprintf("entry %d is below the list and better than its last hit", i)
		}
	}
	return ""
}
