package pipeline_test

import (
	"testing"

	"fanous/backend/domain"
	"fanous/backend/pipeline"
	"fanous/backend/store"
)

func TestTheRecorderKeepsFinishedSearches(t *testing.T) {
	f := fruit(t)
	r := pipeline.NewRecorder(f.store, store.MaxHistory)
	resp := f.search(f.searcher(lengthReranker), domain.SearchRequest{Query: "fruit"})
	partial := resp
	partial.Query, partial.Partial = "on the way", true
	for _, finished := range []domain.SearchResponse{
		partial, f.search(f.searcher(nil), domain.SearchRequest{Query: "?!"}), resp,
		f.search(f.searcher(nil), domain.SearchRequest{Query: "zebra"}),
	} {
		r.Record(domain.SearchRequest{Query: finished.Query, Send: true}, finished)
	}
	for range 2 {
		if err := r.Close(); err != nil {
			t.Fatal(err)
		}
	}
	r.Record(domain.SearchRequest{}, resp) // too late, and no harm
	list, err := f.store.History(t.Context(), 0)
	if err != nil {
		t.Fatal(err)
	}
	if len(list) != 2 || list[0].Query != "zebra" || list[1].Query != "fruit" {
		t.Fatalf("kept %+v", list)
	}
	f.want("what was found", asJSON(t, list[1].Trace), asJSON(t, domain.TraceOf(resp).Asked(domain.SearchRequest{Query: resp.Query})))
	m, err := f.store.Movement(t.Context())
	if err != nil {
		t.Fatal(err)
	}
	f.want("searches", m.Searches, 2)
	f.want("hits that were reranked", m.Hits, 3)

	var none *pipeline.Recorder
	none.Record(domain.SearchRequest{}, resp)
	f.want("closing none", none.Close(), error(nil))
}
