package app

import (
	"context"

	"fanous/backend"
	"fanous/backend/domain"
)

// SearchService searches as the analyst types: each search cancels the one before it.
type SearchService struct {
	engine *engine
	shell  Shell
	latest
}

// Partial is the order so far of a search that is still being reranked: first the fused one, then others
// as scores come.
type Partial struct {
	ID       int64                 `json:"id"` // of the search that it belongs to
	Response domain.SearchResponse `json:"response"`
}

// Search answers one request; of requests that the window numbers upwards, the last one.
func (s *SearchService) Search(id int64, req domain.SearchRequest) (domain.SearchResponse, error) {
	ctx, done, err := s.begin(id)
	if err != nil {
		return domain.SearchResponse{}, err
	}
	defer done()
	return with(ctx, s.engine, func(ctx context.Context, b *backend.Backend) (domain.SearchResponse, error) {
		resp, err := b.Search(ctx, req, func(p domain.SearchResponse) {
			if ctx.Err() == nil {
				emit(s.shell, EventSearchPartial, Partial{ID: id, Response: encodable(p)})
			}
		})
		return encodable(resp), err
	})
}

// encodable is an answer without figures that are no numbers, which it then says.
func encodable(resp domain.SearchResponse) domain.SearchResponse {
	if finite(&resp) > 0 {
		resp.Degraded = append(resp.Degraded, "Some scores of this search could not be worked out; they are shown as 0 or left out.")
	}
	return resp
}

// Cancel ends the search that runs, if one does.
func (s *SearchService) Cancel() { s.stop() }
