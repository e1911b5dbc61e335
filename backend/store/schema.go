package store

import (
	"context"
	"database/sql"
	"errors"
	"fmt"

	"fanous/backend/domain"
)

// SchemaVersion is the schema that this program writes; the file has it in user_version.
const SchemaVersion = 7

// migration is a step from one schema to the next. Foreign keys are not enforced meanwhile, so that a table can be
// replaced.
type migration struct {
	all  string
	each string // for every collection, with its id
}

// migrations[i] brings a file from version i to i+1.
var migrations = [SchemaVersion]migration{
	// Identifiers are never used twice (AUTOINCREMENT): an old chunk id names the old chunk or nothing.
	{all: `
CREATE TABLE stamp (
	key   TEXT PRIMARY KEY,
	value TEXT NOT NULL
) WITHOUT ROWID;

CREATE TABLE collections (
	id     INTEGER PRIMARY KEY AUTOINCREMENT,
	name   TEXT NOT NULL UNIQUE,
	policy TEXT NOT NULL
);

CREATE TABLE roots (
	collection_id INTEGER NOT NULL REFERENCES collections ON DELETE CASCADE,
	path          TEXT NOT NULL,
	PRIMARY KEY (collection_id, path)
) WITHOUT ROWID;

CREATE TABLE documents (
	id            INTEGER PRIMARY KEY AUTOINCREMENT,
	collection_id INTEGER NOT NULL REFERENCES collections,
	path          TEXT NOT NULL,
	format        TEXT NOT NULL,
	title         TEXT NOT NULL,
	author        TEXT NOT NULL,
	size          INTEGER NOT NULL,
	mod_time      INTEGER NOT NULL, -- nanoseconds since 1970, 0: not known
	hash          TEXT NOT NULL,
	state         TEXT NOT NULL,
	reason        TEXT NOT NULL,
	chunks        INTEGER NOT NULL, -- how many rows it has in chunks
	UNIQUE (collection_id, path)
);

CREATE TABLE chunks (
	id          INTEGER PRIMARY KEY AUTOINCREMENT,
	document_id INTEGER NOT NULL REFERENCES documents,
	ordinal     INTEGER NOT NULL,
	page        INTEGER NOT NULL,
	line        INTEGER NOT NULL,
	heading     TEXT NOT NULL,
	text        TEXT NOT NULL,
	UNIQUE (document_id, ordinal)
);

-- Chunks without a vector. It is empty where every chunk has one, so that asking costs nothing.
CREATE TABLE unembedded (
	collection_id INTEGER NOT NULL REFERENCES collections,
	chunk_id      INTEGER NOT NULL REFERENCES chunks,
	PRIMARY KEY (collection_id, chunk_id)
) WITHOUT ROWID;
CREATE INDEX unembedded_chunk ON unembedded (chunk_id);
`},
	// None of these tables holds text of a document; the scores go with their chunks.
	{all: `
-- What a reranker gave a passage. The key is a digest of the model, its precision, its limit, the query and
-- the text that was read.
CREATE TABLE scores (
	key      BLOB PRIMARY KEY,
	chunk_id INTEGER NOT NULL REFERENCES chunks ON DELETE CASCADE,
	raw      REAL NOT NULL,
	used     INTEGER NOT NULL -- seconds since 1970 of the last use, for the bound
) WITHOUT ROWID;
CREATE INDEX scores_chunk ON scores (chunk_id);
CREATE INDEX scores_used ON scores (used);

-- Pairs of scores that two rerankers gave the same passage for the same query.
CREATE TABLE calibration (
	id        INTEGER PRIMARY KEY,
	remote    TEXT NOT NULL, -- backend and model
	local     TEXT NOT NULL, -- backend, model and precision
	search    INTEGER NOT NULL, -- pairs of one search have the same number
	remote_score REAL NOT NULL,
	local_raw REAL NOT NULL
);
CREATE INDEX calibration_pair ON calibration (remote, local, search);

-- What was asked, and how the search went.
CREATE TABLE history (
	id            INTEGER PRIMARY KEY AUTOINCREMENT,
	at            INTEGER NOT NULL, -- nanoseconds since 1970
	collection_id INTEGER NOT NULL REFERENCES collections ON DELETE CASCADE,
	query         TEXT NOT NULL,
	trace         TEXT NOT NULL -- JSON, without the text of any passage
);
`},
	{all: `
ALTER TABLE chunks ADD COLUMN cells TEXT NOT NULL DEFAULT ''; -- of a sheet, "A2:D40"
`},
	// From here on a vector has a code, in the tables of its collection: an older program must not write any more.
	// Writer makes those of the vectors that are there already.
	{all: `SELECT 1`},
	// The key of a document grows by its member, for which its table is made again. Documents whose bytes are the same
	// share the chunks of one of them: the others name it in same_as and have none.
	{all: `
CREATE TABLE documents_5 (
	id            INTEGER PRIMARY KEY AUTOINCREMENT,
	collection_id INTEGER NOT NULL REFERENCES collections,
	path          TEXT NOT NULL,
	member        TEXT NOT NULL, -- path within the file, '' for the file itself
	format        TEXT NOT NULL,
	title         TEXT NOT NULL,
	author        TEXT NOT NULL,
	dated         INTEGER NOT NULL, -- what it says of itself; nanoseconds since 1970, 0: not known
	size          INTEGER NOT NULL,
	mod_time      INTEGER NOT NULL, -- as dated
	hash          TEXT NOT NULL, -- '' where its bytes could not be read
	cut           TEXT NOT NULL, -- name of what read and cut it
	state         TEXT NOT NULL,
	reason        TEXT NOT NULL,
	warnings      TEXT NOT NULL, -- JSON, an array of sentences
	ocr           TEXT NOT NULL, -- '' | wanted | done | none | failed
	attempts      INTEGER NOT NULL, -- how often reading it ended the process that read
	same_as       INTEGER NOT NULL, -- the document that has its chunks; 0: its own are its own
	chunks        INTEGER NOT NULL, -- how many rows it has in chunks
	UNIQUE (collection_id, path, member)
);
INSERT INTO documents_5 SELECT id, collection_id, path, '', format, title, author, 0, size, mod_time, hash,
	coalesce((SELECT value FROM stamp WHERE key = 'chunker'), ''), state, CASE state WHEN 'indexed' THEN '' ELSE reason END,
	CASE WHEN state = 'indexed' AND reason <> '' THEN json_array(reason) ELSE '[]' END, '', 0, 0, chunks
	FROM documents;
INSERT INTO sqlite_sequence (name, seq) SELECT 'documents_5', 0 WHERE NOT EXISTS (SELECT 1 FROM sqlite_sequence WHERE name = 'documents_5');
UPDATE sqlite_sequence SET seq = coalesce((SELECT seq FROM sqlite_sequence WHERE name = 'documents'), 0) WHERE name = 'documents_5';
DROP TABLE documents;
PRAGMA legacy_alter_table = on; -- leaves the views alone
ALTER TABLE documents_5 RENAME TO documents;
PRAGMA legacy_alter_table = off;
CREATE INDEX documents_content ON documents (collection_id, hash);
CREATE INDEX documents_same ON documents (same_as) WHERE same_as <> 0;
CREATE INDEX documents_ocr ON documents (collection_id) WHERE ocr = 'wanted';

ALTER TABLE chunks ADD COLUMN language TEXT NOT NULL DEFAULT ''; -- BCP 47
ALTER TABLE chunks ADD COLUMN ocr REAL NOT NULL DEFAULT 0; -- 0: the file's own text; else the confidence in it
ALTER TABLE collections ADD COLUMN settings TEXT NOT NULL DEFAULT '{}'; -- JSON
`, each: `DROP TABLE terms_%[1]d`},
	// Filters by language read this index only, not the texts.
	{all: `CREATE INDEX chunks_language ON chunks (document_id, language)`},
	// Each page that was recognised is kept by itself, so that a cancelled document goes on, and for where its words stand.
	{all: `
CREATE TABLE recognised (
	document_id INTEGER NOT NULL REFERENCES documents ON DELETE CASCADE,
	page        INTEGER NOT NULL,
	maker       TEXT NOT NULL, -- what recognised it
	words       BLOB NOT NULL, -- compressed JSON
	PRIMARY KEY (document_id, page)
) WITHOUT ROWID;
CREATE TRIGGER recognised_stale AFTER UPDATE OF hash ON documents WHEN new.hash <> old.hash
BEGIN
	DELETE FROM recognised WHERE document_id = old.id;
END;
`},
}

// Each collection has tables of its own for terms and vectors: a search touches just its collection, BM25
// knows just its documents, and removal is a drop.
//
// The FTS5 table holds analysed terms separated by spaces, so that its tokenizer only splits; it stores no
// text. Where it needs the text of a row again (to delete it, to rebuild, to check) it asks the view.
// secure-delete takes a deleted row's terms out at once instead of marking them. hashsize is the memory, in
// bytes, that new terms may take before they are written as a segment; with the 1 MiB that it has otherwise a
// large Put makes many segments and merges them again.
const collectionSchema = `
CREATE VIEW fts_%[1]d_source AS
	SELECT c.id AS id, fanous_terms(d.title || ' ' || c.heading) AS head, fanous_terms(c.text) AS body
	FROM chunks c JOIN documents d ON d.id = c.document_id
	WHERE d.collection_id = %[1]d;
CREATE VIRTUAL TABLE fts_%[1]d USING fts5(head, body,
	content='fts_%[1]d_source', content_rowid='id',
	tokenize="ascii tokenchars '!""#$%%&''()*+,-./:;<=>?@[\]^_` + "`" + `{|}~'");
INSERT INTO fts_%[1]d(fts_%[1]d, rank) VALUES ('secure-delete', 1);
INSERT INTO fts_%[1]d(fts_%[1]d, rank) VALUES ('hashsize', 16777216);
`

// vectorsDrop drops what a collection has of vectors.
const vectorsDrop = `
DROP TABLE IF EXISTS vec_%[1]d;
` + codesDrop

// vectorSchema is apart because the dimension is known only when the first vector comes. 256 vectors a block
// cost nothing against the 1024 of the default, and a small collection takes less room.
const vectorSchema = "CREATE VIRTUAL TABLE IF NOT EXISTS vec_%d USING vec0(embedding float[%d], chunk_size=256)"

func ftsTable(collection int64) string { return fmt.Sprintf("fts_%d", collection) }
func vecTable(collection int64) string { return fmt.Sprintf("vec_%d", collection) }

// migrate brings the file to SchemaVersion, one transaction a step.
func (s *Store) migrate(ctx context.Context) error {
	var version int
	if err := s.writer.QueryRowContext(ctx, "PRAGMA user_version").Scan(&version); err != nil {
		return err
	}
	if version > SchemaVersion {
		return &domain.Error{Code: domain.CodeInternal,
			Message: fmt.Sprintf("the index %s has schema %d, this program knows up to %d", s.path, version, SchemaVersion),
			Hint:    "use the newer program, or index again in another folder with --data"}
	}
	if version == SchemaVersion {
		return nil
	}
	if _, err := s.writer.ExecContext(ctx, "PRAGMA foreign_keys = off"); err != nil {
		return err
	}
	for version < SchemaVersion {
		err := s.write(ctx, "migrate", func(tx *sql.Tx) (err error) {
			version, err = migrateOne(ctx, tx)
			return err
		})
		if err != nil {
			return fmt.Errorf("schema %d: %w", version, err)
		}
	}
	_, err := s.writer.ExecContext(ctx, "PRAGMA foreign_keys = on")
	return err
}

// migrateOne takes the file one version further, and says which it has then. Another process may have done that in
// the meantime.
func migrateOne(ctx context.Context, tx *sql.Tx) (version int, err error) {
	if err := tx.QueryRowContext(ctx, "PRAGMA user_version").Scan(&version); err != nil || version >= SchemaVersion {
		return version, err
	}
	m := migrations[version]
	if _, err := tx.ExecContext(ctx, m.all); err != nil {
		return version, err
	}
	if m.each != "" {
		ids, err := queryIDs(ctx, tx, "SELECT id FROM collections")
		if err != nil {
			return version, err
		}
		for _, id := range ids {
			if _, err := tx.ExecContext(ctx, fmt.Sprintf(m.each, id)); err != nil {
				return version, err
			}
		}
	}
	version++
	_, err = tx.ExecContext(ctx, fmt.Sprintf("PRAGMA user_version = %d", version))
	return version, err
}

// hasTable says whether the schema has a table of this name.
func hasTable(ctx context.Context, q querier, name string) (bool, error) {
	var one int
	err := q.QueryRowContext(ctx, "SELECT 1 FROM sqlite_schema WHERE type = 'table' AND name = ?", name).Scan(&one)
	if errors.Is(err, sql.ErrNoRows) {
		return false, nil
	}
	return err == nil, err
}

// queryIDs reads one column of identifiers.
func queryIDs(ctx context.Context, q querier, query string, args ...any) ([]int64, error) {
	rows, err := q.QueryContext(ctx, query, args...)
	if err != nil {
		return nil, err
	}
	defer rows.Close()
	var ids []int64
	for rows.Next() {
		var id int64
		if err := rows.Scan(&id); err != nil {
			return nil, err
		}
		ids = append(ids, id)
	}
	return ids, rows.Err()
}

// querier is what *sql.DB and *sql.Tx have in common for reading.
type querier interface {
	QueryContext(ctx context.Context, query string, args ...any) (*sql.Rows, error)
	QueryRowContext(ctx context.Context, query string, args ...any) *sql.Row
}
