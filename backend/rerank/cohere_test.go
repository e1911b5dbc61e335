package rerank_test

import (
	"errors"
	"slices"
	"testing"
	"time"

	"fanous/backend/cohere"
	"fanous/backend/cohere/coheretest"
	"fanous/backend/rerank"
)

func openCohere(tb testing.TB, s *coheretest.Server) *rerank.Cohere {
	tb.Helper()
	client, err := cohere.New(cohere.Options{Key: coheretest.Key, URL: s.URL})
	if err != nil {
		tb.Fatal(err)
	}
	tb.Cleanup(client.Close)
	return rerank.NewCohere(client)
}

func standIn(t *testing.T) *coheretest.Server {
	t.Helper()
	s := coheretest.Start()
	t.Cleanup(s.Close)
	return s
}

func TestCohereConforms(t *testing.T) {
	s := standIn(t)
	conformance(t, subject{Reranker: openCohere(t, s), calls: s.Requests, whole: true})
}

func TestCohereSendsEachTextOnceAndNoBlankOne(t *testing.T) {
	s := standIn(t)
	result, err := openCohere(t, s).Rerank(t.Context(), rerank.Request{
		Query: "lantern", Passages: []string{"a lantern", " ", "a door", "a lantern", ""},
	})
	if err != nil {
		t.Fatal(err)
	}
	if sent := s.Calls()[0].Documents; !slices.Equal(sent, []string{"a lantern", "a door"}) {
		t.Errorf("sent %q", sent)
	}
	one := rerank.Score{Raw: 1, Normalized: 1}
	if want := []rerank.Score{one, {}, {}, one, {}}; !slices.Equal(result.Scores, want) || slices.Contains(result.Scored, false) {
		t.Errorf("got %v", result)
	}
}

func TestCohereMarksOurFaultsAsPermanent(t *testing.T) {
	s := standIn(t)
	c := openCohere(t, s)
	for _, tt := range []struct {
		behaviour coheretest.Behaviour
		permanent bool
	}{
		{coheretest.BadRequest(), true},
		{coheretest.Unprocessable(), true},
		{coheretest.Failing(500), false},
		{coheretest.Unauthorized(), false},
	} {
		s.Behave(tt.behaviour)
		_, err := c.Rerank(t.Context(), rerank.Request{Query: "q", Passages: []string{"p"}})
		var e *cohere.Error
		if !errors.As(err, &e) || errors.Is(err, rerank.ErrPermanent) != tt.permanent {
			t.Errorf("%s: %v", tt.behaviour.Name, err)
		}
	}
}

func TestCohereWithASpentBudgetScoresNothing(t *testing.T) {
	s := standIn(t)
	s.Behave(coheretest.Hang())
	result, err := openCohere(t, s).Rerank(t.Context(), rerank.Request{
		Query: "q", Passages: []string{"p"}, Budget: 20 * time.Millisecond,
	})
	if err != nil || len(result.Scored) != 1 || result.Scored[0] {
		t.Errorf("got %v, %v", result, err)
	}
}
