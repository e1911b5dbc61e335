package app

import (
	"context"

	"fanous/backend"
	"fanous/backend/domain"
)

// StatusService tells what is running and what is degraded.
type StatusService struct{ engine *engine }

// Status answers once the backend is open, which is how the window knows that it has started, and
// fails where it could not be opened.
func (s *StatusService) Status() (domain.Status, error) {
	return with(context.Background(), s.engine, func(ctx context.Context, b *backend.Backend) (domain.Status, error) {
		return b.Status(ctx)
	})
}

// Retry opens the backend again after it could not be opened, and then answers as Status does.
func (s *StatusService) Retry() (domain.Status, error) {
	s.engine.retry()
	return s.Status()
}
