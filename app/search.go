package app

import (
	"context"
	"sync"

	"fanous/backend"
	"fanous/backend/domain"
)

// SearchService searches as the analyst types: each search cancels the one before it.
type SearchService struct {
	engine *engine
	shell  Shell

	mu     sync.Mutex
	latest int64
	cancel context.CancelFunc
}

// Partial is the order so far of a search that is still being reranked: first the fused one, then others
// as scores come.
type Partial struct {
	ID       int64                 `json:"id"` // of the search that it belongs to
	Response domain.SearchResponse `json:"response"`
}

// Search answers one request. The window numbers its searches upwards; one that arrives after a
// newer one has begun is refused as canceled, for calls may overtake one another on their way here.
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
func (s *SearchService) Cancel() {
	s.mu.Lock()
	defer s.mu.Unlock()
	if s.cancel != nil {
		s.cancel()
	}
}

func (s *SearchService) begin(id int64) (context.Context, context.CancelFunc, error) {
	s.mu.Lock()
	defer s.mu.Unlock()
	if id < s.latest {
		return nil, nil, domain.Errorf(domain.CodeCanceled, "", "a newer search has begun")
	}
	if s.cancel != nil {
		s.cancel()
	}
	ctx, cancel := context.WithCancel(context.Background())
	s.latest, s.cancel = id, cancel
	return ctx, cancel, nil
}
