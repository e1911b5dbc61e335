package judgements

import (
	"bufio"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"os"
	"path/filepath"
	"strings"

	"fanous/backend/domain"
)

// Row is a judged passage in the corpus of an exported folder: BEIR's three fields, and by what the document is found again.
type Row struct {
	ID      string `json:"_id"`
	Title   string `json:"title"`
	Text    string `json:"text"`
	Content string `json:"content,omitempty"`
	Place   string `json:"place,omitempty"`
	Ordinal int    `json:"ordinal,omitempty"`
}

// Export writes judgements into a new folder as BEIR has it: queries.jsonl, qrels/test.tsv and corpus.jsonl with the texts of
// the judged passages, which passage gives; a document that is gone has no row. The folder must be empty or not there yet.
func Export(dir string, all []Judgement, passage func(Judgement) (Row, bool)) error {
	if entries, err := os.ReadDir(dir); err == nil && len(entries) > 0 {
		return domain.Errorf(domain.CodeUsage, "choose another folder, or empty it", "the folder %s is not empty", dir)
	}
	if err := os.MkdirAll(filepath.Join(dir, "qrels"), 0o755); err != nil {
		return fmt.Errorf("export the judgements: %w", err)
	}
	ids := map[string]string{}
	rows := map[string]bool{}
	return errors.Join(
		writeFile(filepath.Join(dir, "queries.jsonl"), func(w io.Writer) error {
			for _, j := range all {
				if ids[j.Query] != "" {
					continue
				}
				ids[j.Query] = fmt.Sprintf("q%d", len(ids)+1)
				if err := writeLine(w, map[string]string{"_id": ids[j.Query], "text": j.Query}); err != nil {
					return err
				}
			}
			return nil
		}),
		writeFile(filepath.Join(dir, "qrels", "test.tsv"), func(w io.Writer) error {
			fmt.Fprintln(w, "query-id\tcorpus-id\tscore")
			for _, j := range all {
				fmt.Fprintf(w, "%s\t%s\t%d\n", ids[j.Query], rowID(j), j.Grade)
			}
			return nil
		}),
		writeFile(filepath.Join(dir, "corpus.jsonl"), func(w io.Writer) error {
			for _, j := range all {
				row, found := passage(j)
				if !found || rows[rowID(j)] {
					continue
				}
				rows[rowID(j)] = true
				row.ID, row.Content, row.Place, row.Ordinal = rowID(j), j.Content, j.Place, j.Ordinal
				if err := writeLine(w, row); err != nil {
					return err
				}
			}
			return nil
		}),
	)
}

// rowID names a judged passage in an exported folder.
func rowID(j Judgement) string { return digest(j.Place + j.Text)[:16] }

func writeLine(w io.Writer, v any) error {
	out := json.NewEncoder(w)
	out.SetEscapeHTML(false)
	return out.Encode(v)
}

func writeFile(path string, write func(io.Writer) error) error {
	f, err := os.Create(path)
	if err != nil {
		return fmt.Errorf("export the judgements: %w", err)
	}
	w := bufio.NewWriter(f)
	return errors.Join(write(w), w.Flush(), f.Close())
}

// Rows reads the corpus of a folder, by id; a folder of another kind has none.
func Rows(dir string) (map[string]Row, error) {
	f, err := os.Open(filepath.Join(dir, "corpus.jsonl"))
	if errors.Is(err, os.ErrNotExist) {
		return nil, nil
	}
	if err != nil {
		return nil, fmt.Errorf("read the corpus: %w", err)
	}
	defer f.Close()
	rows := map[string]Row{}
	for in := json.NewDecoder(bufio.NewReader(f)); ; {
		var row Row
		if err := in.Decode(&row); errors.Is(err, io.EOF) {
			return rows, nil
		} else if err != nil {
			return nil, domain.Errorf(domain.CodeUsage, "give a BEIR folder", "the corpus of %s cannot be read: %w", dir, err)
		}
		rows[row.ID] = row
	}
}

// Documents finds documents of a collection: by the digests of an exported row, or by the name of a file.
type Documents struct {
	all                        []domain.Document
	byContent, byPlace, byName map[string]domain.Document
}

// DocumentsOf makes them findable. A name that several files have finds none.
func DocumentsOf(all []domain.Document) Documents {
	d := Documents{all: all, byContent: map[string]domain.Document{}, byPlace: map[string]domain.Document{}, byName: map[string]domain.Document{}}
	var twice []string
	for _, doc := range all {
		d.byPlace[Place(doc.Path, doc.Member)] = doc
		if _, has := d.byContent[doc.Hash]; !has && doc.Hash != "" {
			d.byContent[doc.Hash] = doc
		}
		if doc.Member != "" {
			continue
		}
		name := filepath.Base(doc.Path)
		if _, has := d.byName[name]; has {
			twice = append(twice, name)
		}
		d.byName[name] = doc
	}
	for _, name := range twice {
		delete(d.byName, name)
	}
	return d
}

// Len is how many there are.
func (d Documents) Len() int { return len(d.all) }

// State names what they hold, whatever they are called.
func (d Documents) State() string {
	var all strings.Builder
	for _, doc := range d.all {
		fmt.Fprintln(&all, doc.ID, doc.Hash, doc.Cut, doc.State)
	}
	return digest(all.String())
}

// Find is the document of a judgement.
func (d Documents) Find(content, place string) (domain.Document, bool) {
	if doc, found := d.byContent[content]; found && content != "" {
		return doc, true
	}
	doc, found := d.byPlace[place]
	return doc, found
}

// Named is the one file of that name.
func (d Documents) Named(name string) (domain.Document, bool) {
	doc, found := d.byName[name]
	return doc, found
}
