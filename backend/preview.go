package backend

import (
	"context"

	"fanous/backend/domain"
)

// Preview shows a passage where it stands in its document.
func (b *Backend) Preview(ctx context.Context, req domain.PreviewRequest) (domain.Preview, error) {
	return b.preview.Preview(ctx, req)
}

// Matches gives the passages of a passage's document in which words of a query stand.
func (b *Backend) Matches(ctx context.Context, chunkID int64, query string) (domain.PreviewMatches, error) {
	return b.preview.Matches(ctx, chunkID, query)
}
