package store

import (
	"context"
	"database/sql"
	"encoding/json"
	"errors"
	"fmt"
	"slices"

	"fanous/backend/domain"
)

// Collections lists every collection, by name.
func (s *Store) Collections(ctx context.Context) ([]domain.Collection, error) {
	list, err := collections(ctx, s.readers)
	return list, s.explain("list the collections", err)
}

func collections(ctx context.Context, q querier) ([]domain.Collection, error) {
	rows, err := q.QueryContext(ctx, `
		SELECT c.id, c.name, c.policy, c.settings, r.path FROM collections c LEFT JOIN roots r ON r.collection_id = c.id
		WHERE NOT (`+removed+`) ORDER BY c.name, r.path`)
	if err != nil {
		return nil, err
	}
	defer rows.Close()
	list := []domain.Collection{}
	for rows.Next() {
		var c domain.Collection
		var settings string
		var root sql.NullString
		if err := rows.Scan(&c.ID, &c.Name, &c.Policy, &settings, &root); err != nil {
			return nil, err
		}
		if err := json.Unmarshal([]byte(settings), &c.Settings); err != nil {
			return nil, fmt.Errorf("settings of %s: %w", c.Name, err)
		}
		if len(list) == 0 || list[len(list)-1].ID != c.ID {
			c.Roots = []string{}
			list = append(list, c)
		}
		if root.Valid {
			last := &list[len(list)-1]
			last.Roots = append(last.Roots, root.String)
		}
	}
	return list, rows.Err()
}

// Collection finds a collection by name; the error has domain.CodeNotFound where there is none.
func (s *Store) Collection(ctx context.Context, name string) (domain.Collection, error) {
	list, err := s.Collections(ctx)
	if err != nil {
		return domain.Collection{}, err
	}
	i := slices.IndexFunc(list, func(c domain.Collection) bool { return c.Name == name })
	if i < 0 {
		return domain.Collection{}, notFound(fmt.Sprintf("there is no collection %q", name),
			"see `fanous collections list`, or index a folder into it")
	}
	return list[i], nil
}

// AddCollection makes a collection with these roots. Where the name exists already, the collection that
// has it gets the roots too, and its policy stays.
func (s *Store) AddCollection(ctx context.Context, name string, policy domain.Policy, roots ...string) (domain.Collection, error) {
	if name == "" {
		return domain.Collection{}, domain.Errorf(domain.CodeUsage, "give it a name", "a collection needs a name")
	}
	if err := validPolicy(policy); err != nil {
		return domain.Collection{}, err
	}
	err := s.write(ctx, "add the collection", func(tx *sql.Tx) error {
		id, err := collectionID(ctx, tx, name)
		if errors.Is(err, sql.ErrNoRows) {
			id, err = makeCollection(ctx, tx, name, policy)
		}
		if err != nil {
			return err
		}
		return addRoots(ctx, tx, id, roots)
	})
	if err != nil {
		return domain.Collection{}, err
	}
	return s.Collection(ctx, name)
}

func makeCollection(ctx context.Context, tx *sql.Tx, name string, policy domain.Policy) (int64, error) {
	res, err := tx.ExecContext(ctx, "INSERT INTO collections (name, policy) VALUES (?, ?)", name, policy)
	if err != nil {
		return 0, err
	}
	id, err := res.LastInsertId()
	if err != nil {
		return 0, err
	}
	_, err = tx.ExecContext(ctx, fmt.Sprintf(collectionSchema, id))
	return id, err
}

// AddRoots adds folders or files to what a collection is made of.
func (s *Store) AddRoots(ctx context.Context, name string, roots ...string) error {
	return s.write(ctx, "add folders", func(tx *sql.Tx) error {
		id, err := existing(ctx, tx, name)
		if err != nil {
			return err
		}
		return addRoots(ctx, tx, id, roots)
	})
}

func addRoots(ctx context.Context, tx *sql.Tx, id int64, roots []string) error {
	for _, root := range roots {
		_, err := tx.ExecContext(ctx,
			"INSERT INTO roots (collection_id, path) VALUES (?, ?) ON CONFLICT DO NOTHING", id, root)
		if err != nil {
			return fmt.Errorf("root %s: %w", root, err)
		}
	}
	return nil
}

// SetPolicy says whether passages of the collection may leave the machine.
func (s *Store) SetPolicy(ctx context.Context, name string, policy domain.Policy) error {
	if err := validPolicy(policy); err != nil {
		return err
	}
	return s.write(ctx, "set the policy", func(tx *sql.Tx) error {
		id, err := existing(ctx, tx, name)
		if err != nil {
			return err
		}
		_, err = tx.ExecContext(ctx, "UPDATE collections SET policy = ? WHERE id = ?", policy, id)
		return err
	})
}

// SetSettings says which files belong to the collection. The next index run follows it.
func (s *Store) SetSettings(ctx context.Context, name string, settings domain.CollectionSettings) error {
	value, err := json.Marshal(settings)
	if err != nil {
		return fmt.Errorf("settings of %s: %w", name, err)
	}
	return s.write(ctx, "set the patterns", func(tx *sql.Tx) error {
		id, err := existing(ctx, tx, name)
		if err != nil {
			return err
		}
		_, err = tx.ExecContext(ctx, "UPDATE collections SET settings = ? WHERE id = ?", string(value), id)
		return err
	})
}

// RenameCollection gives a collection another name. What the ledger says of it keeps the one that it had.
func (s *Store) RenameCollection(ctx context.Context, name, to string) error {
	if to == "" {
		return domain.Errorf(domain.CodeUsage, "give it a name", "a collection needs a name")
	}
	return s.write(ctx, "rename the collection", func(tx *sql.Tx) error {
		id, err := existing(ctx, tx, name)
		if err != nil {
			return err
		}
		if other, err := collectionID(ctx, tx, to); err == nil && other != id {
			return domain.Errorf(domain.CodeUsage, "choose another name", "there is a collection %q already", to)
		}
		_, err = tx.ExecContext(ctx, "UPDATE collections SET name = ? WHERE id = ?", to, id)
		return err
	})
}

// RemoveRoot takes a folder or file out of what a collection is made of. The next index run drops what was below it.
func (s *Store) RemoveRoot(ctx context.Context, name, root string) error {
	return s.write(ctx, "remove a folder", func(tx *sql.Tx) error {
		id, err := existing(ctx, tx, name)
		if err != nil {
			return err
		}
		_, err = tx.ExecContext(ctx, "DELETE FROM roots WHERE collection_id = ? AND path = ?", id, root)
		return err
	})
}

func collectionID(ctx context.Context, q querier, name string) (id int64, err error) {
	err = q.QueryRowContext(ctx, "SELECT id FROM collections WHERE name = ?", name).Scan(&id)
	return id, err
}

func existing(ctx context.Context, q querier, name string) (int64, error) {
	id, err := collectionID(ctx, q, name)
	if errors.Is(err, sql.ErrNoRows) {
		return 0, notFound(fmt.Sprintf("there is no collection %q", name), "see `fanous collections list`")
	}
	return id, err
}

func validPolicy(p domain.Policy) error {
	switch p {
	case domain.PolicyNever, domain.PolicyAsk, domain.PolicyAllowed:
		return nil
	}
	return domain.Errorf(domain.CodeUsage, "choose never, ask or allowed", "there is no policy %q", p)
}

// Summaries lists every collection with what is in it.
func (s *Store) Summaries(ctx context.Context) ([]domain.CollectionSummary, error) {
	const what = "sum up the collections"
	list, err := s.Collections(ctx)
	if err != nil {
		return nil, err
	}
	sums := make([]domain.CollectionSummary, len(list))
	index := make(map[int64]*domain.CollectionSummary, len(list))
	for i, c := range list {
		sums[i] = domain.CollectionSummary{Collection: c, States: map[string]int{}}
		index[c.ID] = &sums[i]
	}
	rows, err := s.readers.QueryContext(ctx, `
		SELECT collection_id, state, count(*), sum(size), sum(chunks) FROM documents GROUP BY collection_id, state`)
	if err != nil {
		return nil, s.explain(what, err)
	}
	defer rows.Close()
	for rows.Next() {
		var id, bytes int64
		var state string
		var documents, chunks int
		if err := rows.Scan(&id, &state, &documents, &bytes, &chunks); err != nil {
			return nil, s.explain(what, err)
		}
		sum := index[id]
		if sum == nil { // made since the list was read
			continue
		}
		sum.States[state] = documents
		sum.Documents += documents
		sum.Chunks += chunks
		sum.Bytes += bytes
	}
	if err := rows.Err(); err != nil {
		return nil, s.explain(what, err)
	}
	return sums, s.explain(what, s.updated(ctx, index))
}
