package store

import (
	"context"
	"database/sql/driver"
	"errors"
	"fmt"
	"net/url"
	"path/filepath"
	"strings"
	"time"

	"modernc.org/sqlite"
	sqlite3 "modernc.org/sqlite/lib"
	_ "modernc.org/sqlite/vec" // vec0 on every connection

	"fanous/backend/language"
)

// connector opens connections of our own driver, which carries our SQL function without registering it for
// the whole process.
type connector struct {
	driver *sqlite.Driver
	dsn    string
	busy   time.Duration
}

// Connect opens a connection. Where several make a new file at once, each may stand in the way of the others' change to a
// write-ahead log; SQLite then gives up at once, so it is tried again until the busy timeout.
func (c connector) Connect(ctx context.Context) (driver.Conn, error) {
	const pause = 10 * time.Millisecond
	for end := time.Now().Add(c.busy); ; {
		if err := ctx.Err(); err != nil {
			return nil, err
		}
		conn, err := c.driver.Open(c.dsn)
		var e *sqlite.Error
		if !errors.As(err, &e) || e.Code()&0xff != sqlite3.SQLITE_BUSY || time.Now().After(end) {
			return conn, err
		}
		select {
		case <-ctx.Done():
		case <-time.After(pause):
		}
	}
}

func (c connector) Driver() driver.Driver { return c.driver }

// newDriver makes a driver with the SQL function fanous_terms(text), the analysed terms of a text. The
// content views of the FTS5 tables call it, so that deleting, rebuilding and checking the index need no
// second copy of the text.
func newDriver() *sqlite.Driver {
	d := new(sqlite.Driver)
	d.MustRegisterDeterministicScalarFunction("fanous_terms", 1,
		func(_ *sqlite.FunctionContext, args []driver.Value) (driver.Value, error) {
			text, ok := args[0].(string)
			if !ok {
				return nil, fmt.Errorf("fanous_terms: want text, have %T", args[0])
			}
			return string(language.AppendTerms(nil, text)), nil
		})
	d.MustRegisterDeterministicScalarFunction("fanous_lower", 1, // SQLite's own knows ASCII
		func(_ *sqlite.FunctionContext, args []driver.Value) (driver.Value, error) {
			text, _ := args[0].(string)
			return strings.ToLower(text), nil
		})
	registerPath(d)
	registerCodes(d)
	return d
}

// writerDSN has what a writer needs: every commit synced, freed content overwritten, temporary data in
// memory only.
func writerDSN(path string, busy time.Duration) string {
	return dsn(path, busy, url.Values{
		"_txlock":       {"immediate"},
		"_journal_mode": {"WAL"},
		"_synchronous":  {"FULL"},
		"_foreign_keys": {"on"},
		"_pragma": {
			// Of a new file. Vectors are long: on pages of 8 KiB they are read in about 3/4 of the time.
			"page_size(8192)",
			"secure_delete(on)",
			fmt.Sprintf("journal_size_limit(%d)", logLimit),
			"cache_size(-65536)",
			"temp_store(memory)",
		},
	})
}

const (
	// readerCache and codesCache are what a connection of each pool may keep of the file in memory, in KiB.
	readerCache = 16 << 10
	codesCache  = 2 << 10
)

func readerDSN(path string, busy time.Duration, cache int) string {
	return dsn(path, busy, url.Values{
		"_query_only": {"on"},
		"_pragma":     {fmt.Sprintf("cache_size(-%d)", cache), "temp_store(memory)"},
	})
}

func dsn(path string, busy time.Duration, q url.Values) string {
	q.Set("_busy_timeout", fmt.Sprint(busy.Milliseconds()))
	q.Set("_dqs", "0")
	p := filepath.ToSlash(path)
	if !strings.HasPrefix(p, "/") { // a drive letter
		p = "/" + p
	}
	u := url.URL{Scheme: "file", Path: p, RawQuery: q.Encode()}
	return u.String()
}
