package domain

import "time"

// HistoryEntry is one finished search, as it is kept: without the text of any passage.
type HistoryEntry struct {
	ID         int64        `json:"id"`
	At         time.Time    `json:"at"`
	Collection string       `json:"collection"`
	Query      string       `json:"query"`
	Trace      HistoryTrace `json:"trace"`
}

// HistoryTrace is how a search went.
type HistoryTrace struct {
	Method    Method       `json:"method"`
	Requested Method       `json:"requested_method"`
	Rerank    RerankTrace  `json:"rerank"`
	Verdict   Verdict      `json:"verdict"`
	Stages    []Stage      `json:"stages"`
	Degraded  []string     `json:"degraded"`
	Hits      []HistoryHit `json:"hits"`

	// Request is what was asked for, without a leave to send; nil in searches of earlier versions.
	Request *SearchRequest `json:"request,omitempty"`
}

// HistoryHit is a hit that was shown. Ids are never used twice, so that one of a passage that is gone names nothing.
type HistoryHit struct {
	Rank        int       `json:"rank"`
	ChunkID     int64     `json:"chunk_id"`
	DocumentID  int64     `json:"document_id"`
	Score       float64   `json:"score"`
	ScoreKind   ScoreKind `json:"score_kind"`
	Ranks       Ranks     `json:"ranks"`
	Scores      Scores    `json:"scores"`
	RerankDelta *int      `json:"rerank_delta"`
}

// Asked is the trace with what was asked for. Leave to send was for that once, and is not kept.
func (t HistoryTrace) Asked(req SearchRequest) HistoryTrace {
	req.Send, req.Once = false, false
	t.Request = &req
	return t
}

// TraceOf is what is kept of a response.
func TraceOf(r SearchResponse) HistoryTrace {
	t := HistoryTrace{
		Method: r.Method, Requested: r.Requested, Rerank: r.Rerank, Verdict: r.Verdict, Stages: r.Stages, Degraded: r.Degraded,
		Hits: make([]HistoryHit, len(r.Hits)),
	}
	for i, h := range r.Hits {
		t.Hits[i] = HistoryHit{
			Rank: h.Rank, ChunkID: h.ChunkID, DocumentID: h.DocumentID, Score: h.Score, ScoreKind: h.ScoreKind,
			Ranks: h.Ranks, Scores: h.Scores, RerankDelta: h.RerankDelta,
		}
	}
	return t
}

// Movement says how far reranking moved the hits that were shown, over all searches in the history.
type Movement struct {
	Searches int              `json:"searches"` // in the history
	Hits     int              `json:"hits"`     // of them, those that were reranked
	Buckets  []MovementBucket `json:"buckets"`  // from the furthest down to the furthest up, none left out
}

// MovementBucket counts the hits with From <= rerank_delta <= To; nil is without end.
type MovementBucket struct {
	From  *int `json:"from"`
	To    *int `json:"to"`
	Count int  `json:"count"`
}

// movementEdges are the lowest rerank_delta of each bucket but the first, which has no lower end.
var movementEdges = [...]int{-19, -9, -4, -1, 0, 1, 2, 5, 10, 20}

// MovementOf sorts the counted deltas into buckets.
func MovementOf(searches int, counts map[int]int) Movement {
	m := Movement{Searches: searches, Buckets: make([]MovementBucket, len(movementEdges)+1)}
	for i := range m.Buckets {
		if i > 0 {
			m.Buckets[i].From = new(movementEdges[i-1])
		}
		if i < len(movementEdges) {
			m.Buckets[i].To = new(movementEdges[i] - 1)
		}
	}
	for delta, count := range counts {
		m.Hits += count
		at := 0
		for at < len(movementEdges) && delta >= movementEdges[at] {
			at++
		}
		m.Buckets[at].Count += count
	}
	return m
}

// SavedSearch is a search that was given a name, to be made again.
type SavedSearch struct {
	Name       string     `json:"name"`
	Query      string     `json:"query"`
	Collection string     `json:"collection"`
	Method     Method     `json:"method"`
	Rerank     RerankMode `json:"rerank"`
	Variety    bool       `json:"variety"`
}
