package main

import (
	"os"
	"strings"
	"unicode"

	"fanous/backend/domain"
)

// output is standard output. It knows whether anything was written, and the first thing that stood in the way: an
// answer that did not arrive is no success.
type output struct {
	file    *os.File
	written bool
	err     error
}

func (o *output) Write(p []byte) (int, error) {
	o.written = true
	n, err := o.file.Write(p)
	if o.err == nil {
		o.err = err
	}
	return n, err
}

// Fd lets a printer see whether it is a terminal.
func (o *output) Fd() uintptr { return o.file.Fd() }

func (o *output) failure() error {
	if o.err == nil {
		return nil
	}
	return domain.Errorf(domain.CodeInternal, "see that there is room where it goes", "standard output cannot be written: %w", o.err)
}

// plain is text of a document without what a terminal would obey: a control character can move the cursor, colour what
// follows and hide what stands beside.
func plain(s string) string { return withoutControls(s, "\n\t") }

// plainName is the same of a name or a path, which is one line.
func plainName(s string) string { return withoutControls(s, "") }

func withoutControls(s, but string) string {
	return strings.Map(func(r rune) rune {
		if unicode.IsControl(r) && !strings.ContainsRune(but, r) {
			return unicode.ReplacementChar
		}
		return r
	}, s)
}
