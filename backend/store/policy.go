package store

import (
	"context"
	"database/sql"
	"errors"
	"fmt"

	"fanous/backend/domain"
)

// Policy is the policy of a collection as it is now, for these documents of it: where one of them has the same bytes as
// a document of a collection that lets nothing leave, nothing leaves. A collection that is gone lets nothing leave.
func (s *Store) Policy(ctx context.Context, collection int64, documents []int64) (domain.Policy, error) {
	var policy domain.Policy
	var restricted bool
	err := s.readers.QueryRowContext(ctx, `
		SELECT policy, EXISTS (
			SELECT 1 FROM json_each(?) asked JOIN documents d ON d.id = asked.value AND d.hash <> ''
				JOIN collections c ON c.policy = 'never' JOIN documents o ON o.collection_id = c.id AND o.hash = d.hash)
		FROM collections WHERE id = ?`, jsonIDs(documents), collection).Scan(&policy, &restricted)
	switch {
	case errors.Is(err, sql.ErrNoRows):
		return domain.PolicyNever, nil
	case err != nil:
		return domain.PolicyNever, fmt.Errorf("policy: %w", err)
	case restricted:
		return domain.PolicyNever, nil
	}
	return policy, nil
}
