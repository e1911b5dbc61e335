package store

import (
	"context"
	"maps"

	"fanous/backend/domain"
)

// memberSet are the members that have been stored of files whose own rows have not come yet.
type memberSet map[fileKey]map[int64]bool

type fileKey struct {
	collection int64
	path       string
}

// clone copies what a transaction may change and then give up.
func (m memberSet) clone() memberSet {
	c := make(memberSet, len(m))
	for key, ids := range m {
		c[key] = maps.Clone(ids)
	}
	return c
}

// follow does what comes after the row of a document: a member is remembered, and its file marked; a file loses the
// members that did not come again.
func (p *putter) follow(ctx context.Context, id int64, d domain.Document) error {
	key := fileKey{d.CollectionID, d.Path}
	if d.Member != "" {
		if p.members[key] == nil {
			p.members[key] = map[int64]bool{}
			if err := p.begin(ctx, key); err != nil {
				return err
			}
		}
		p.members[key][id] = true
		return nil
	}
	kept := p.members[key]
	delete(p.members, key)
	ids, err := queryIDs(ctx, &p.often, "SELECT id FROM documents WHERE collection_id = ? AND path = ? AND member <> ''", d.CollectionID, d.Path)
	if err != nil {
		return err
	}
	going := map[int64]known{}
	for _, member := range ids {
		if kept[member] {
			continue
		}
		if going[member], err = readStored(ctx, p.tx, member); err != nil {
			return err
		}
	}
	if len(going) == 0 {
		return nil
	}
	if err := p.finish(ctx); err != nil {
		return err
	}
	return deleteDocuments(ctx, p.tx, d.CollectionID, going, going)
}

// begin marks a file whose members are being stored, so that a run that ends before the file's own row comes is seen.
func (p *putter) begin(ctx context.Context, key fileKey) error {
	file := domain.Document{CollectionID: key.collection, Path: key.path, State: domain.StateReading,
		Reason: "reading it has not come to its end yet"}
	old, err := findStored(ctx, &p.often, file)
	if err != nil {
		return err
	}
	if old.id == 0 {
		_, err = writeRow(ctx, &p.often, 0, file, 0, 0)
		return err
	}
	_, err = p.tx.ExecContext(ctx, "UPDATE documents SET state = ?, reason = ? WHERE id = ?", file.State, file.Reason, old.id)
	return err
}
