package backend

import (
	"context"
	"fmt"
	"strings"

	"fanous/backend/domain"
	"fanous/backend/language"
)

// History gives the searches that are kept, the latest first; a limit of 0 is none.
func (b *Backend) History(ctx context.Context, limit int) ([]domain.HistoryEntry, error) {
	b.recorder.Wait(ctx)
	return b.store.History(ctx, limit)
}

// FindHistory is History of the queries that have all of these words or their beginnings, in any form that a search would
// find.
func (b *Backend) FindHistory(ctx context.Context, words string, limit int) ([]domain.HistoryEntry, error) {
	b.recorder.Wait(ctx)
	terms := strings.Fields(string(language.AppendTerms(nil, words)))
	return b.store.FindHistory(ctx, limit, func(query string) bool {
		if len(terms) == 0 {
			return true
		}
		has := " " + string(language.AppendTerms(nil, query))
		for _, term := range terms {
			if !strings.Contains(has, " "+term) {
				return false
			}
		}
		return true
	})
}

// PastSearch is the answer to a search that is kept, as it was, with the passages as they are now. What is not in the
// index any more is left out, and the answer says so. Nothing is searched.
func (b *Backend) PastSearch(ctx context.Context, id int64) (domain.SearchResponse, error) {
	e, err := b.store.HistoryEntry(ctx, id)
	if err != nil {
		return domain.SearchResponse{}, err
	}
	t := e.Trace
	resp := domain.SearchResponse{
		Query: e.Query, Method: t.Method, Requested: t.Requested, Collection: e.Collection, Rerank: t.Rerank, Verdict: t.Verdict,
		Stages: t.Stages, Degraded: t.Degraded, Searchable: true, Hits: []domain.Hit{},
	}
	gone := 0
	for _, h := range t.Hits {
		view, err := b.store.ChunkView(ctx, h.ChunkID)
		if domain.CodeOf(err) == domain.CodeNotFound {
			gone++
			continue
		}
		if err != nil {
			return domain.SearchResponse{}, err
		}
		resp.Hits = append(resp.Hits, pastHit(h, view))
	}
	if gone > 0 {
		resp.Degraded = append(resp.Degraded, fmt.Sprintf("Passages of this search that are not in the index any more: %d.", gone))
	}
	return resp, nil
}

func pastHit(h domain.HistoryHit, view domain.ChunkView) domain.Hit {
	c, d := view.Chunk, view.Document
	hit := domain.Hit{
		Rank: h.Rank, Path: d.Path, Member: d.Member, Title: d.Title, Format: d.Format, Also: d.Also,
		Page: c.Place.Page, Heading: c.Place.Heading, Line: c.Place.Line, Cells: c.Place.Cells, OCR: c.OCR,
		ChunkID: c.ID, DocumentID: d.ID, Text: c.Text, Highlights: [][2]int{}, Duplicates: []domain.Duplicate{},
		Score: h.Score, ScoreKind: h.ScoreKind, Ranks: h.Ranks, Scores: h.Scores, RawScore: h.Scores.Rerank, RerankDelta: h.RerankDelta,
	}
	return hit
}

// ForgetSearch forgets one search.
func (b *Backend) ForgetSearch(ctx context.Context, id int64) error {
	return b.store.ForgetSearch(ctx, id)
}

// ClearHistory forgets every search.
func (b *Backend) ClearHistory(ctx context.Context) error {
	b.recorder.Wait(ctx)
	return b.store.ClearHistory(ctx)
}
