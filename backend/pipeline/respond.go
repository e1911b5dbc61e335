package pipeline

import (
	"slices"
	"time"

	"fanous/backend/domain"
	"fanous/backend/language"
)

// respond groups the ranking and makes the hits of the first groups.
func (r Ranking) respond(req domain.SearchRequest, query language.Query) domain.SearchResponse {
	start := time.Now()
	resp := domain.SearchResponse{
		Query: req.Query, Method: r.Method, Requested: req.Method, Collection: req.Collection, Filters: filters(query),
		Rerank: r.Rerank, Stages: slices.Clone(r.Stages), Degraded: r.Degraded,
		Searchable: !query.Empty() || len(query.Filters()) > 0, Hits: []domain.Hit{},
	}
	for i, g := range groups(r.Entries, req.Top, req.PerDocument) {
		h := r.Entries[g.first].hit(i+1, query)
		h.MoreInDocument = len(g.more)
		for _, m := range g.more {
			h.More = append(h.More, r.Entries[m].folded())
		}
		for _, d := range g.duplicates {
			h.Duplicates = append(h.Duplicates, r.Entries[d.entry].duplicate(d.similarity))
		}
		resp.Hits = append(resp.Hits, h)
	}
	resp.Verdict = r.verdict(resp.Hits)
	resp.Stages = append(resp.Stages, domain.StageSince(domain.StageGroup, start, len(r.Entries), len(resp.Hits)))
	return resp
}

// filters are those of a query, [] where it has none.
func filters(query language.Query) []domain.QueryFilter {
	return append([]domain.QueryFilter{}, query.Filters()...)
}

// score is what people see, and what it means.
func (e Entry) score() (float64, domain.ScoreKind) {
	switch {
	case e.Scored:
		return e.Score.Normalized, domain.ScoreRelevance
	case e.Scores.Fused == nil:
		return 0, domain.ScoreNone
	}
	return *e.Scores.Fused, domain.ScoreRank
}

func (e Entry) hit(rank int, query language.Query) domain.Hit {
	h := domain.Hit{
		Rank: rank, Title: e.Document.Title, Format: e.Document.Format, Date: e.Document.Date(),
		Page: e.Chunk.Place.Page, Heading: e.Chunk.Place.Heading, Line: e.Chunk.Place.Line, Cells: e.Chunk.Place.Cells, OCR: e.Chunk.OCR,
		ChunkID: e.Chunk.ID, DocumentID: e.Document.ID,
		Text: e.Chunk.Text, Highlights: query.Highlights(e.Chunk.Text),
		Ranks: e.Ranks, Scores: e.Scores, RawScore: e.Scores.Rerank, Duplicates: []domain.Duplicate{},
	}
	if h.Highlights == nil {
		h.Highlights = [][2]int{}
	}
	h.Path, h.Member, h.Also = placed(e.Document, query)
	h.Score, h.ScoreKind = e.score()
	if e.Scored {
		delta := *e.Ranks.Fused - e.reranked
		h.RerankDelta = &delta
	}
	return h
}

// placed says where a document is, and where else: first a place that the query's file: filters speak of.
func placed(d domain.Document, query language.Query) (path, member string, also []domain.Location) {
	at, also := domain.Location{Path: d.Path, Member: d.Member}, d.Also
	if !query.Names(at.String()) {
		if i := slices.IndexFunc(also, func(l domain.Location) bool { return query.Names(l.String()) }); i >= 0 {
			also = slices.Clone(also)
			at, also[i] = also[i], at
		}
	}
	return at.Path, at.Member, also
}

func (e Entry) folded() domain.MoreHit {
	score, kind := e.score()
	return domain.MoreHit{
		ChunkID: e.Chunk.ID, Text: e.Chunk.Text, Page: e.Chunk.Place.Page, Heading: e.Chunk.Place.Heading,
		Score: score, ScoreKind: kind,
	}
}

func (e Entry) duplicate(similarity float64) domain.Duplicate {
	return domain.Duplicate{
		ChunkID: e.Chunk.ID, DocumentID: e.Document.ID, Path: e.Document.Path, Title: e.Document.Title, Similarity: similarity,
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
	if c := r.Rerank.Calibration; c != nil && c.Applied {
		v.Basis = c.Reason
	}
	if r.Threshold != nil && hits[0].ScoreKind == domain.ScoreRelevance && best < *r.Threshold {
		v.Clear = false
		v.Message = "Nothing here clearly answers the query; these are the nearest passages."
	}
	return v
}
