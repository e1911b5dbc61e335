package store

import (
	"context"

	"fanous/backend/domain"
)

// Named gives documents by their ids; those that are gone are left out.
func (s *Store) Named(ctx context.Context, ids []int64) (map[int64]domain.Document, error) {
	named := make(map[int64]domain.Document, len(ids))
	err := s.documents(ctx, func(d domain.Document) { named[d.ID] = d },
		"SELECT "+documentColumns+" FROM json_each(?) j JOIN documents d ON d.id = j.value", jsonIDs(ids))
	return named, s.explain("name documents", err)
}
