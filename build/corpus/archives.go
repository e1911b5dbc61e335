package corpus

import (
	"archive/tar"
	"archive/zip"
	"bytes"
	"compress/gzip"
	"time"

	"golang.org/x/text/encoding/charmap"

	"fanous/backend/domain"
)

// archives writes archives of files and of archives, with names in several encodings.
func (m *maker) archives() error {
	inner, err := zipped(part{"notes.txt", "dotterel in the inner archive"})
	if err != nil {
		return err
	}
	message := attached("Packed", "godwit in a message", part{"a.txt", "knot attached"})
	outer, err := zipped(part{"folder/گزارش.txt", "فانوس در بایگانی"}, part{"inner.zip", string(inner)}, part{"letters/packed.eml", message}, part{"../climbs.txt", "ruff climbs"})
	if err != nil {
		return err
	}
	const indexed, container = domain.StateIndexed, domain.StateContainer
	found := func(query, member string) Sought {
		return Sought{Query: query, Marked: []string{query}, Member: member}
	}
	if err := m.put(File{Name: "archives/outer.zip", State: container,
		Members: map[string]domain.DocumentState{"folder/گزارش.txt": indexed, "inner.zip": container, "inner.zip/notes.txt": indexed,
			"letters/packed.eml": indexed, "letters/packed.eml/a.txt": indexed, "climbs.txt": indexed},
		Sought: []Sought{found("فانوس", "folder/گزارش.txt"), found("dotterel", "inner.zip/notes.txt"), found("godwit", "letters/packed.eml"), found("knot", "letters/packed.eml/a.txt"), found("ruff", "climbs.txt")},
	}, outer); err != nil {
		return err
	}
	old, err := oldNames("نامه.txt", "stint in an archive of an old program")
	if err != nil {
		return err
	}
	if err := m.put(File{Name: "archives/old-names.zip", State: container, Members: map[string]domain.DocumentState{"نامه.txt": indexed}, Sought: []Sought{found("stint", "نامه.txt")}}, old); err != nil {
		return err
	}
	tape, err := tape(part{"docs/چراغ.txt", "turnstone on the tape"}, part{"docs/b.md", "# Head\n\ntwite below"})
	if err != nil {
		return err
	}
	return m.put(File{Name: "archives/tape.tar.gz", State: container,
		Members: map[string]domain.DocumentState{"docs/چراغ.txt": indexed, "docs/b.md": indexed},
		Sought:  []Sought{found("turnstone", "docs/چراغ.txt"), {Query: "twite", Marked: []string{"twite"}, Member: "docs/b.md", Place: domain.Place{Heading: "Head"}}},
	}, tape)
}

// oldNames is an archive whose one name is in windows-1256 and does not say so.
func oldNames(name, content string) ([]byte, error) {
	raw, err := charmap.Windows1256.NewEncoder().String(name)
	if err != nil {
		return nil, err
	}
	var out bytes.Buffer
	z := zip.NewWriter(&out)
	w, err := z.CreateHeader(&zip.FileHeader{Name: raw, NonUTF8: true, Method: zip.Deflate})
	if err == nil {
		_, err = w.Write([]byte(content))
	}
	if err == nil {
		err = z.Close()
	}
	return out.Bytes(), err
}

func tape(files ...part) ([]byte, error) {
	var out bytes.Buffer
	packed := gzip.NewWriter(&out)
	t := tar.NewWriter(packed)
	for _, f := range files {
		err := t.WriteHeader(&tar.Header{Name: f.name, Mode: 0o644, Size: int64(len(f.content)), ModTime: time.Date(2024, 1, 2, 3, 4, 5, 0, time.UTC), Format: tar.FormatPAX})
		if err == nil {
			_, err = t.Write([]byte(f.content))
		}
		if err != nil {
			return nil, err
		}
	}
	if err := t.Close(); err != nil {
		return nil, err
	}
	err := packed.Close()
	return out.Bytes(), err
}
