package store

import (
	"context"
	"errors"
	"fmt"

	"modernc.org/sqlite"
	sqlite3 "modernc.org/sqlite/lib"

	"fanous/backend/domain"
)

// explain gives an error of SQLite its code and what to do about it. nil stays nil; an error that already
// has a code, and a cancelled context, stay what they are.
func (s *Store) explain(what string, err error) error {
	if err == nil {
		return nil
	}
	var known *domain.Error
	if errors.As(err, &known) || errors.Is(err, context.Canceled) || errors.Is(err, context.DeadlineExceeded) {
		return fmt.Errorf("%s: %w", what, err)
	}
	var e *sqlite.Error
	if !errors.As(err, &e) {
		return fmt.Errorf("%s: %w", what, err)
	}
	switch e.Code() & 0xff { // the low byte is the primary code
	case sqlite3.SQLITE_BUSY, sqlite3.SQLITE_LOCKED:
		return &domain.Error{Code: domain.CodeLocked, Err: err,
			Message: what + ": another program is writing to the index",
			Hint:    "wait until it has finished, then try again"}
	case sqlite3.SQLITE_CORRUPT, sqlite3.SQLITE_NOTADB:
		return damaged(what, s.path, err)
	case sqlite3.SQLITE_FULL:
		return &domain.Error{Code: domain.CodeInternal, Err: err,
			Message: what + ": the disk is full; what was indexed before is kept",
			Hint:    "free some space and index again"}
	case sqlite3.SQLITE_READONLY, sqlite3.SQLITE_CANTOPEN, sqlite3.SQLITE_PERM, sqlite3.SQLITE_AUTH:
		return notWritable(s.path, err)
	case sqlite3.SQLITE_INTERRUPT:
		return fmt.Errorf("%s: %w", what, errors.Join(context.Canceled, err))
	}
	return fmt.Errorf("%s: %w", what, err)
}

func indexing(path string) error {
	return &domain.Error{Code: domain.CodeLocked,
		Message: "another program is indexing into " + path,
		Hint:    "wait until it has finished, then try again; searching works meanwhile"}
}

func damaged(what, path string, err error) error {
	return &domain.Error{Code: domain.CodeDamaged, Err: err,
		Message: fmt.Sprintf("%s: the index %s is damaged", what, path),
		Hint:    "repair it in the window, or close that and run `fanous repair`; your files are untouched"}
}

func notWritable(path string, err error) error {
	return &domain.Error{Code: domain.CodeInternal, Err: err,
		Message: fmt.Sprintf("the index %s can not be opened for writing", path),
		Hint:    "check the permissions of its folder, or choose another with --data"}
}

func notFound(what, hint string) error {
	return &domain.Error{Code: domain.CodeNotFound, Message: what, Hint: hint}
}
