// Package vecconformance holds the vectors of an index against the reference: what the C build of sqlite-vec
// finds in the same file. It is the only package that needs SQLite in C, so its test is behind a tag:
//
//	CGO_CFLAGS="-I$(go list -m -f '{{.Dir}}' github.com/mattn/go-sqlite3) -I$PWD/backend/store/vecconformance/include" \
//	go test -tags vecconformance ./backend/store/vecconformance
package vecconformance
