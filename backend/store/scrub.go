package store

import (
	"context"
	"database/sql"
	"encoding/binary"
)

// Where SQLite moves rows to another page it leaves their bytes in the free room of the page they came from. Its secure_delete
// overwrites a row where it stands, and nothing of such copies, so that a text would outlive its deletion: of a thousand
// documents some do. The free room of every page is overwritten here after a deletion.

// copiesKey is the key of the stamp that says that something was deleted and the free room was not overwritten yet.
const copiesKey = "copies"

// scrubPages is how many pages are looked at before those with something in their free room are overwritten.
const scrubPages = 4096

// noteCopies says that the free room is to be overwritten. It comes with a deletion.
func noteCopies(ctx context.Context, tx *sql.Tx) error {
	_, err := tx.ExecContext(ctx, "INSERT INTO stamp (key, value) VALUES (?, '') ON CONFLICT DO NOTHING", copiesKey)
	return err
}

// scrub overwrites the free room of the pages where something was deleted. What is cut off is done again by the next call.
func (s *Store) scrub(ctx context.Context) error {
	const what = "overwrite what was deleted"
	var due bool
	var pages int64
	err := s.readers.QueryRowContext(ctx, "SELECT EXISTS (SELECT 1 FROM stamp WHERE key = ?)", copiesKey).Scan(&due)
	if err != nil || !due {
		return s.explain(what, err)
	}
	if err := s.readers.QueryRowContext(ctx, "PRAGMA page_count").Scan(&pages); err != nil {
		return s.explain(what, err)
	}
	for first := int64(1); first <= pages; first += scrubPages {
		used, err := s.usedRoom(ctx, first, min(first+scrubPages-1, pages))
		if err != nil {
			return s.explain(what, err)
		}
		if len(used) == 0 {
			continue
		}
		if err := s.write(ctx, what, func(tx *sql.Tx) error { return overwriteRoom(ctx, tx, used) }); err != nil {
			return err
		}
	}
	return s.write(ctx, what, func(tx *sql.Tx) error {
		_, err := tx.ExecContext(ctx, "DELETE FROM stamp WHERE key = ?", copiesKey)
		return err
	})
}

const pageData = "SELECT data FROM sqlite_dbpage WHERE pgno = ?"

// usedRoom gives those of some pages that have anything in their free room.
func (s *Store) usedRoom(ctx context.Context, first, last int64) (used []int64, err error) {
	read, err := s.readers.PrepareContext(ctx, pageData)
	if err != nil {
		return nil, err
	}
	defer read.Close()
	for number := first; number <= last; number++ {
		var page []byte
		if err := read.QueryRowContext(ctx, number).Scan(&page); err != nil {
			return nil, err
		}
		if overwrite(freeRoom(page, number)) {
			used = append(used, number)
		}
	}
	return used, nil
}

func overwriteRoom(ctx context.Context, tx *sql.Tx, pages []int64) error {
	for _, number := range pages {
		var page []byte
		if err := tx.QueryRowContext(ctx, pageData, number).Scan(&page); err != nil {
			return err
		}
		if !overwrite(freeRoom(page, number)) {
			continue // it has changed meanwhile
		}
		if _, err := tx.ExecContext(ctx, "UPDATE sqlite_dbpage SET data = ? WHERE pgno = ?", page, number); err != nil {
			return err
		}
	}
	return nil
}

// overwrite makes zeros of what is there, and says whether it was anything else.
func overwrite(room []byte) (changed bool) {
	for i, b := range room {
		changed = changed || b != 0
		room[i] = 0
	}
	return changed
}

// freeRoom is the part of a page of a tree between the places of its rows and the first of them; nil: it is no such page. The
// format is that of the file format's section 1.6. A page of another kind begins with the number of a page, whose first byte
// is 0 in every file below 128 GB.
func freeRoom(page []byte, number int64) []byte {
	if number > 1<<24 || len(page) < 512 {
		return nil
	}
	at := 0
	if number == 1 {
		at = 100 // the header of the file
	}
	header := 8
	switch page[at] {
	case 2, 5:
		header = 12
	case 10, 13:
	default:
		return nil
	}
	from := at + header + 2*int(binary.BigEndian.Uint16(page[at+3:]))
	to := int(binary.BigEndian.Uint16(page[at+5:]))
	if to == 0 {
		to = 1 << 16
	}
	if from >= to || to > len(page) {
		return nil
	}
	return page[from:to]
}
