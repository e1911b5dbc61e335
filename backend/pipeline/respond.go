package pipeline

import (
	"slices"
	"time"

	"fanous/backend/domain"
	"fanous/backend/language"
)

// respond groups the ranking by document and makes the hits of the first documents.
func (r Ranking) respond(req domain.SearchRequest, query language.Query) domain.SearchResponse {
	start := time.Now()
	resp := domain.SearchResponse{
		Query: req.Query, Method: r.Method, Requested: req.Method, Collection: req.Collection,
		Rerank: r.Rerank, Stages: slices.Clone(r.Stages), Degraded: r.Degraded,
		Searchable: !query.Empty(), Hits: []domain.Hit{},
	}
	firstOf := map[int64]int{} // document -> its first hit
	shownOf := map[int64]int{}
	for _, e := range r.Entries {
		id := e.Document.ID
		at, seen := firstOf[id]
		switch {
		case seen && shownOf[id] >= req.PerDocument:
			resp.Hits[at].MoreInDocument++
			resp.Hits[at].More = append(resp.Hits[at].More, e.folded())
		case len(resp.Hits) < req.Top:
			if !seen {
				firstOf[id] = len(resp.Hits)
			}
			shownOf[id]++
			resp.Hits = append(resp.Hits, e.hit(len(resp.Hits)+1, query))
		case seen: // the list is full, but this document is on it
			resp.Hits[at].MoreInDocument++
			resp.Hits[at].More = append(resp.Hits[at].More, e.folded())
		}
	}
	resp.Verdict = r.verdict(resp.Hits)
	resp.Stages = append(resp.Stages, since(domain.StageGroup, start, len(r.Entries), len(resp.Hits)))
	return resp
}

// score is what people see, and what it means.
func (e Entry) score() (float64, domain.ScoreKind) {
	if e.Scored {
		return e.Score.Normalized, domain.ScoreRelevance
	}
	return *e.Scores.Fused, domain.ScoreRank
}

func (e Entry) hit(rank int, query language.Query) domain.Hit {
	h := domain.Hit{
		Rank: rank, Path: e.Document.Path, Title: e.Document.Title, Format: e.Document.Format,
		Page: e.Chunk.Place.Page, Heading: e.Chunk.Place.Heading, Line: e.Chunk.Place.Line,
		ChunkID: e.Chunk.ID, DocumentID: e.Document.ID,
		Text: e.Chunk.Text, Highlights: query.Highlights(e.Chunk.Text),
		Ranks: e.Ranks, Scores: e.Scores, RawScore: e.Scores.Rerank,
	}
	if h.Highlights == nil {
		h.Highlights = [][2]int{}
	}
	h.Score, h.ScoreKind = e.score()
	if e.Scored {
		delta := *e.Ranks.Fused - *e.Ranks.Final
		h.RerankDelta = &delta
	}
	return h
}

func (e Entry) folded() domain.MoreHit {
	score, _ := e.score()
	return domain.MoreHit{
		ChunkID: e.Chunk.ID, Text: e.Chunk.Text, Page: e.Chunk.Place.Page, Heading: e.Chunk.Place.Heading, Score: score,
	}
}

// verdict says whether the best hit is good enough for the backend that scored it.
func (r Ranking) verdict(hits []domain.Hit) domain.Verdict {
	v := domain.Verdict{Clear: len(hits) > 0, Threshold: r.Threshold}
	if len(hits) == 0 {
		return v
	}
	best := hits[0].Score
	v.Best = &best
	if r.Threshold != nil && hits[0].ScoreKind == domain.ScoreRelevance && best < *r.Threshold {
		v.Clear = false
		v.Message = "Nothing here clearly answers the query; these are the nearest passages."
	}
	return v
}
