package app

import (
	"context"

	"fanous/backend"
	"fanous/backend/domain"
)

// PreviewService shows passages as they stand in their documents: each preview cancels the one before it.
type PreviewService struct {
	engine *engine
	latest
	matching latest
}

// Show gives a passage with its page or the text around it; of requests that the window numbers upwards, the last one.
func (s *PreviewService) Show(id int64, req domain.PreviewRequest) (domain.Preview, error) {
	ctx, done, err := s.begin(id)
	if err != nil {
		return domain.Preview{}, err
	}
	defer done()
	return with(ctx, s.engine, func(ctx context.Context, b *backend.Backend) (domain.Preview, error) {
		return b.Preview(ctx, req)
	})
}

// Matches gives the passages of a passage's document in which words of a query stand. It, too, cancels the one before.
func (s *PreviewService) Matches(chunkID int64, query string) (domain.PreviewMatches, error) {
	ctx, done, err := s.matching.begin(0) // whichever comes last
	if err != nil {
		return domain.PreviewMatches{}, err
	}
	defer done()
	return with(ctx, s.engine, func(ctx context.Context, b *backend.Backend) (domain.PreviewMatches, error) {
		return b.Matches(ctx, chunkID, query)
	})
}

// Cancel ends the preview that is being made, if one is.
func (s *PreviewService) Cancel() {
	s.stop()
	s.matching.stop()
}
