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

// Doctor tests the models on this machine's devices, as far as that was not done before, and says how everything stands.
// With again, earlier tests do not count. It may take a while; searches go on meanwhile.
func (s *StatusService) Doctor(again bool) (domain.Doctor, error) {
	return with(context.Background(), s.engine, func(ctx context.Context, b *backend.Backend) (domain.Doctor, error) {
		return b.Doctor(ctx, again)
	})
}

// Retry opens the backend again after it could not be opened, and then answers as Status does.
func (s *StatusService) Retry() (domain.Status, error) {
	s.engine.retry()
	return s.Status()
}
