package store

import (
	"context"
	"database/sql"

	"fanous/backend/domain"
)

// MaxScorePairs is how many pairs of scores are kept of every two rerankers: those of the latest searches.
const MaxScorePairs = 5000

// AddScorePairs keeps the pairs of one search that a remote and a local reranker gave. A pair whose ID is
// there already is passed over. The oldest searches go where there are more than MaxScorePairs.
func (s *Store) AddScorePairs(ctx context.Context, remote, local string, pairs []domain.ScorePair) error {
	return s.write(ctx, "keep scores", func(tx *sql.Tx) error {
		var search int64
		if err := tx.QueryRowContext(ctx, "SELECT coalesce(max(search), 0) + 1 FROM calibration").Scan(&search); err != nil {
			return err
		}
		for _, p := range pairs {
			_, err := tx.ExecContext(ctx, `
				INSERT INTO calibration (id, remote, local, search, remote_score, local_raw) VALUES (?, ?, ?, ?, ?, ?)
				ON CONFLICT (id) DO NOTHING`, p.ID, remote, local, search, p.Remote, p.Local)
			if err != nil {
				return err
			}
		}
		_, err := tx.ExecContext(ctx, `
			DELETE FROM calibration WHERE remote = ?1 AND local = ?2 AND search <= (
				SELECT search FROM calibration WHERE remote = ?1 AND local = ?2 ORDER BY search DESC LIMIT 1 OFFSET ?3)`,
			remote, local, MaxScorePairs)
		return err
	})
}

// ScorePairs gives the pairs that a remote and a local reranker gave, in no order.
func (s *Store) ScorePairs(ctx context.Context, remote, local string) ([]domain.ScorePair, error) {
	rows, err := s.readers.QueryContext(ctx,
		"SELECT id, search, remote_score, local_raw FROM calibration WHERE remote = ? AND local = ?", remote, local)
	if err != nil {
		return nil, s.explain("read scores", err)
	}
	defer rows.Close()
	var out []domain.ScorePair
	for rows.Next() {
		var p domain.ScorePair
		if err := rows.Scan(&p.ID, &p.Search, &p.Remote, &p.Local); err != nil {
			return nil, s.explain("read scores", err)
		}
		out = append(out, p)
	}
	return out, s.explain("read scores", rows.Err())
}

// HasScorePair says whether a pair of this ID is there.
func (s *Store) HasScorePair(ctx context.Context, id int64) (bool, error) {
	var has bool
	err := s.readers.QueryRowContext(ctx, "SELECT EXISTS (SELECT 1 FROM calibration WHERE id = ?)", id).Scan(&has)
	return has, s.explain("read scores", err)
}

// ScoredModels lists every two rerankers, remote and local, of which there are pairs.
func (s *Store) ScoredModels(ctx context.Context) ([][2]string, error) {
	rows, err := s.readers.QueryContext(ctx, "SELECT DISTINCT remote, local FROM calibration ORDER BY remote, local")
	if err != nil {
		return nil, s.explain("read scores", err)
	}
	defer rows.Close()
	var out [][2]string
	for rows.Next() {
		var models [2]string
		if err := rows.Scan(&models[0], &models[1]); err != nil {
			return nil, s.explain("read scores", err)
		}
		out = append(out, models)
	}
	return out, s.explain("read scores", rows.Err())
}
