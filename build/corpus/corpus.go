// Package corpus makes files of every kind that analysts have, with the programs that such files come from, and says
// what must be found in each: the proof of "Words" and "Files" of the field cases. Its texts are made up.
//
// LibreOffice and Chromium must be installed. The first folder of a file's name is a collection: the same text stands in
// many formats, and in one collection these would be folded into one hit.
package corpus

import (
	"context"
	"os"
	"path/filepath"

	"fanous/backend/domain"
)

// File is a file of the corpus and what must come of it.
type File struct {
	Name    string                          `json:"name"` // slash-separated, below the corpus' folder
	State   domain.DocumentState            `json:"state"`
	Members map[string]domain.DocumentState `json:"members,omitempty"` // all that is in it
	Warning string                          `json:"warning,omitempty"` // part of one that it must have
	Title   string                          `json:"title,omitempty"`   // empty: any
	Sought  []Sought                        `json:"sought,omitempty"`
}

// Sought is what is asked for, and what must be found of it in the file.
type Sought struct {
	Query string `json:"query"`
	// Marked are whole words of the file, each of which must be highlighted somewhere in it.
	Marked []string     `json:"marked,omitempty"`
	Absent bool         `json:"absent,omitempty"` // the file must not be found
	Once   bool         `json:"once,omitempty"`   // nothing else of the file may be highlighted
	Member string       `json:"member,omitempty"`
	Place  domain.Place `json:"place,omitzero"` // where the first of them stands, as far as it is said
}

// missing says that a query must not find the file.
func missing(query string) Sought { return Sought{Query: query, Absent: true} }

// Make writes the corpus into a folder that is empty or not there.
func Make(ctx context.Context, dir string) ([]File, error) {
	m := &maker{ctx: ctx, dir: dir}
	for _, part := range []func() error{m.texts, m.words, m.plain, m.byHand, m.pdfs, m.encodings, m.mail, m.archives, m.hostile, m.trees, m.converted, m.printed} {
		if err := part(); err != nil {
			return nil, err
		}
	}
	return m.files, nil
}

// maker writes files and keeps what must come of them.
type maker struct {
	ctx   context.Context
	dir   string
	files []File
}

func (m *maker) path(name string) string { return filepath.Join(m.dir, filepath.FromSlash(name)) }

// expect keeps what must come of a file, which is indexed unless it says otherwise.
func (m *maker) expect(f File) {
	if f.State == "" {
		f.State = domain.StateIndexed
	}
	m.files = append(m.files, f)
}

// put writes a file.
func (m *maker) put(f File, data []byte) error {
	m.expect(f)
	return m.write(f.Name, data)
}

func (m *maker) write(name string, data []byte) error {
	path := m.path(name)
	if err := os.MkdirAll(filepath.Dir(path), 0o755); err != nil {
		return err
	}
	return os.WriteFile(path, data, 0o644)
}
