package store

import (
	"cmp"
	"context"
	"database/sql"
	"encoding/json"
	"errors"
	"fmt"
	"io/fs"
	"os"

	"github.com/gofrs/flock"

	"fanous/backend/domain"
)

// Repair checks the index at path and makes again what is damaged, the least first: terms from the stored text, then room for
// new vectors, then the whole index, with the collections that can still be read and nothing in them. What it repairs the next run
// of each collection has to fill, and to compare with the files: terms that do not fit the text may be right. Nobody else may have
// the index open.
func Repair(ctx context.Context, path, analyser string) (domain.RepairReport, error) {
	report, err := repairInPlace(ctx, path, analyser)
	if domain.CodeOf(err) != domain.CodeDamaged {
		return report, err
	}
	return remake(ctx, path, err)
}

// repairInPlace fails with domain.CodeDamaged where nothing that the index holds can be made again.
func repairInPlace(ctx context.Context, path, analyser string) (domain.RepairReport, error) {
	s, err := Open(ctx, path, Options{})
	if err != nil {
		return domain.RepairReport{}, err
	}
	defer s.Close()
	found := s.Check(ctx)
	if domain.CodeOf(found) != domain.CodeDamaged {
		return domain.RepairReport{Repair: domain.RepairNone, Collections: []domain.Collection{}}, found
	}
	w, err := s.Writer(ctx)
	if err != nil {
		return domain.RepairReport{}, err
	}
	defer w.Close()
	have, err := s.Stamp(ctx)
	if err != nil {
		return domain.RepairReport{}, err
	}
	for _, try := range []struct {
		repair domain.Repair
		do     func() error
	}{
		{domain.RepairTerms, func() error { return w.RebuildTerms(ctx, analyser) }},
		{domain.RepairVectors, func() error { return w.DropVectors(ctx, have.Embedder, have.Dim) }},
	} {
		if err = try.do(); err == nil {
			err = s.Check(ctx)
		}
		if err == nil {
			err = w.doubt(ctx)
		}
		if err == nil {
			list, err := s.Collections(ctx)
			return domain.RepairReport{Repair: try.repair, Found: found.Error(), Collections: list}, err
		}
		if domain.CodeOf(err) != domain.CodeDamaged {
			break
		}
	}
	return domain.RepairReport{}, err
}

// doubted is the cut of documents, and the chunker of an index, whose text may not be what their files have. The next run reads them
// again, and compares; so does the one after where that was stopped.
const doubted = "doubted"

func (w *Writer) doubt(ctx context.Context) error {
	return w.s.write(ctx, "have the text compared", func(tx *sql.Tx) error {
		if _, err := tx.ExecContext(ctx, "UPDATE documents SET cut = ?", doubted); err != nil {
			return err
		}
		return writeStamp(ctx, tx, Stamp{Chunker: doubted})
	})
}

// holds says whether the chunks of doc are stored under old already.
func (p *putter) holds(ctx context.Context, old known, doc DocumentRows) (bool, error) {
	if doc.Anew || old.holds(doc.Document) {
		return !doc.Anew, nil
	}
	return p.confirmed(ctx, old, doc)
}

// confirmed compares the stored chunks of a document whose text is in doubt with those just read of the same bytes. Where they are
// equal the doubt ends, and what hangs on them stays.
func (p *putter) confirmed(ctx context.Context, old known, doc DocumentRows) (bool, error) {
	if old.id == 0 || old.cut != doubted || old.hash != doc.Hash || !shared(old.state) {
		return false, nil
	}
	rows, err := p.tx.QueryContext(ctx, "SELECT page, line, heading, cells, text FROM chunks WHERE document_id = ? ORDER BY ordinal",
		cmp.Or(old.sameAs, old.id))
	if err != nil {
		return false, err
	}
	defer rows.Close()
	n := 0
	for ; rows.Next(); n++ {
		var have domain.Chunk
		if err := rows.Scan(&have.Place.Page, &have.Place.Line, &have.Place.Heading, &have.Place.Cells, &have.Text); err != nil {
			return false, err
		}
		if n >= len(doc.Chunks) || have.Text != doc.Chunks[n].Text || have.Place != doc.Chunks[n].Place {
			return false, nil
		}
	}
	if err := rows.Err(); err != nil || n != len(doc.Chunks) {
		return false, err
	}
	_, err = p.tx.ExecContext(ctx, "UPDATE documents SET cut = ? WHERE id = ?", doc.Cut, old.id)
	return err == nil, err
}

// remake puts an empty index with the collections of the damaged one in its place.
func remake(ctx context.Context, path string, found error) (domain.RepairReport, error) {
	report := domain.RepairReport{Repair: domain.RepairAnew, Found: found.Error()}
	lock := flock.New(path + ".lock")
	if ok, err := lock.TryLock(); err != nil {
		return report, notWritable(path, err)
	} else if !ok {
		return report, indexing(path)
	}
	defer lock.Unlock()
	report.Collections, report.Lost = salvage(ctx, path)
	fresh := path + ".new"
	if err := removeFiles(fresh, fresh+"-wal", fresh+"-shm"); err != nil {
		return report, notWritable(path, err)
	}
	s, err := Open(ctx, fresh, Options{})
	if err != nil {
		return report, err
	}
	for _, c := range report.Collections {
		if _, err = s.AddCollection(ctx, c.Name, c.Policy, c.Roots...); err == nil {
			err = s.SetSettings(ctx, c.Name, c.Settings)
		}
		if err != nil {
			break
		}
	}
	if err = errors.Join(err, s.Close()); err != nil {
		return report, fmt.Errorf("make a new index: %w", err)
	}
	// The log before the file that it belongs to: a new index with an old log would be another one.
	if err := removeFiles(path+"-wal", path+"-shm"); err != nil {
		return report, notWritable(path, err)
	}
	if err := os.Rename(fresh, path); err != nil {
		return report, notWritable(path, err)
	}
	return report, nil
}

// salvage reads what collections a damaged index has, as far as it can. lost says that there may be more, or more of them.
func salvage(ctx context.Context, path string) (list []domain.Collection, lost bool) {
	list = []domain.Collection{}
	s := unopened(path, Options{BusyTimeout: busyTimeout, Readers: 1})
	defer s.Close()
	rows, err := s.readers.QueryContext(ctx, "SELECT id, name, policy, settings FROM collections WHERE NOT ("+removed+")")
	if err != nil {
		return list, true
	}
	defer rows.Close()
	for rows.Next() {
		var c domain.Collection
		var settings string
		if err := rows.Scan(&c.ID, &c.Name, &c.Policy, &settings); err != nil {
			lost = true
			continue
		}
		if err := validPolicy(c.Policy); err != nil { // whatever it was, nothing leaves that should not
			c.Policy, lost = domain.PolicyNever, true
		}
		if err := json.Unmarshal([]byte(settings), &c.Settings); err != nil {
			c.Settings, lost = domain.CollectionSettings{}, true
		}
		if c.Name != "" {
			list = append(list, c)
		}
	}
	lost = lost || rows.Err() != nil
	for i := range list {
		roots, err := s.rootsOf(ctx, list[i].ID)
		list[i].Roots, lost = roots, lost || err != nil
	}
	return list, lost
}

// rootsOf gives what it could read of the folders of a collection, also where it fails.
func (s *Store) rootsOf(ctx context.Context, id int64) (roots []string, err error) {
	rows, err := s.readers.QueryContext(ctx, "SELECT path FROM roots WHERE collection_id = ?", id)
	if err != nil {
		return nil, err
	}
	defer rows.Close()
	for rows.Next() {
		var root string
		if err := rows.Scan(&root); err != nil {
			return roots, err
		}
		roots = append(roots, root)
	}
	return roots, rows.Err()
}

func removeFiles(paths ...string) error {
	for _, path := range paths {
		if err := os.Remove(path); err != nil && !errors.Is(err, fs.ErrNotExist) {
			return err
		}
	}
	return nil
}
