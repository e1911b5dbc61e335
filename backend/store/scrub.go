package store

import (
	"context"
	"database/sql"
	"encoding/binary"
	"slices"
)

// Where SQLite moves rows to another page it leaves their bytes in the free room of the page they came from. Its secure_delete
// overwrites a row where it stands, and nothing of such copies, so that a text would outlive its deletion: of a thousand
// documents some do. The free room of every page is overwritten here after a deletion.

// copiesKey is the key of the stamp that says that something was deleted and the free room was not overwritten yet.
const copiesKey = "copies"

// scrubPages is how many pages are overwritten in one transaction: others write between two of them.
const scrubPages = 1024

// maxScrubbed is the size of a file, in pages, up to which every page that is none of a tree begins with a zero: it begins with the
// number of another page, in four bytes. At 8 KB a page these are 128 GB.
const maxScrubbed = 1<<24 - 1

// noteCopies says that the free room is to be overwritten. It comes with a deletion.
func noteCopies(ctx context.Context, tx *sql.Tx) error {
	_, err := tx.ExecContext(ctx, "INSERT INTO stamp (key, value) VALUES (?, '') ON CONFLICT DO NOTHING", copiesKey)
	return err
}

// scrub overwrites the free room of the pages where something was deleted. What is cut off is done again by the next call.
func (s *Store) scrub(ctx context.Context) error {
	const what = "overwrite what was deleted"
	var due bool
	err := s.readers.QueryRowContext(ctx, "SELECT EXISTS (SELECT 1 FROM stamp WHERE key = ?)", copiesKey).Scan(&due)
	if err != nil || !due {
		return s.explain(what, err)
	}
	used, err := s.usedRoom(ctx)
	if err != nil {
		return s.explain(what, err)
	}
	for pages := range slices.Chunk(used, scrubPages) {
		if err := s.write(ctx, what, func(tx *sql.Tx) error { return overwriteRoom(ctx, tx, pages) }); err != nil {
			return err
		}
	}
	return s.write(ctx, what, func(tx *sql.Tx) error {
		_, err := tx.ExecContext(ctx, "DELETE FROM stamp WHERE key = ?", copiesKey)
		return err
	})
}

// usedRoom gives the pages that have anything in their free room, from one pass over the file. Pages of other kinds, which
// hold the greater part of a large index, are told by their first byte and not brought here.
func (s *Store) usedRoom(ctx context.Context) (used []int64, err error) {
	rows, err := s.readers.QueryContext(ctx, `
		SELECT pgno, data FROM sqlite_dbpage WHERE (SELECT page_count FROM pragma_page_count) <= ?
			AND (pgno = 1 OR substr(data, 1, 1) IN (x'02', x'05', x'0A', x'0D'))`, maxScrubbed)
	if err != nil {
		return nil, err
	}
	defer rows.Close()
	for rows.Next() {
		var number int64
		var page sql.RawBytes
		if err := rows.Scan(&number, &page); err != nil {
			return nil, err
		}
		if slices.ContainsFunc(freeRoom(page, number), func(b byte) bool { return b != 0 }) {
			used = append(used, number)
		}
	}
	return used, rows.Err()
}

func overwriteRoom(ctx context.Context, tx *sql.Tx, pages []int64) error {
	for _, number := range pages {
		var page []byte
		if err := tx.QueryRowContext(ctx, "SELECT data FROM sqlite_dbpage WHERE pgno = ?", number).Scan(&page); err != nil {
			return err
		}
		clear(freeRoom(page, number)) // which may be another one by now
		if _, err := tx.ExecContext(ctx, "UPDATE sqlite_dbpage SET data = ? WHERE pgno = ?", page, number); err != nil {
			return err
		}
	}
	return nil
}

// freeRoom is the part of a page of a tree between the places of its rows and the first of them; nil: it is no such page. The
// format is that of section 1.6 of SQLite's description of its files.
func freeRoom(page []byte, number int64) []byte {
	if len(page) < 512 { // SQLite has none
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
