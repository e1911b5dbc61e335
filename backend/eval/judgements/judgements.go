// Package judgements keeps what the analyst judged: how well passages answer queries.
//
// The judgements are in a file of their own beside the index, because an index can be thrown away and rebuilt and they
// cannot. Nothing of a document is in it: the document is named by the digest of its bytes and that of its path, the
// passage by that of its text. So a judgement survives that a file is indexed again, moved or edited, and of a document that is
// deleted it keeps no word.
package judgements

import (
	"bytes"
	"cmp"
	"crypto/sha256"
	"encoding/hex"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"io/fs"
	"os"
	"slices"
	"strings"
	"sync"
	"time"

	"github.com/gofrs/flock"

	"fanous/backend/domain"
	"fanous/models"
)

// Judgement is the grade of one passage for one query of a collection.
type Judgement struct {
	Collection string       `json:"collection"`
	Query      string       `json:"query"`
	Grade      domain.Grade `json:"grade"`
	At         time.Time    `json:"at"`
	Content    string       `json:"content,omitempty"` // digest of the document's bytes; empty: they could not be read
	Place      string       `json:"place"`             // digest of its path
	Text       string       `json:"text,omitempty"`    // digest of the passage; empty: the whole document was judged
	Ordinal    int          `json:"ordinal"`           // of the passage in its document
}

// Of is the judgement of a passage.
func Of(collection, query string, grade domain.Grade, doc domain.Document, c domain.Chunk) Judgement {
	return Judgement{
		Collection: collection, Query: Query(query), Grade: grade, At: time.Now().UTC().Truncate(time.Second),
		Content: doc.Hash, Place: Place(doc.Path, doc.Member), Text: digest(c.Text), Ordinal: c.Ordinal,
	}
}

// Query is a query as judgements have it: two that differ in spaces alone are one.
func Query(text string) string { return strings.Join(strings.Fields(text), " ") }

// Place names the path of a document.
func Place(path, member string) string { return digest(path + "\x00" + member) }

// Passage names the text of a passage.
func Passage(text string) string { return digest(text) }

func digest(text string) string {
	sum := sha256.Sum256([]byte(text))
	return hex.EncodeToString(sum[:])
}

// Same says whether two judgements are of one passage for one query, so that the later one counts.
func (j Judgement) Same(other Judgement) bool {
	return j.Collection == other.Collection && j.Query == other.Query && j.Text == other.Text && j.document(other)
}

// document says whether two judgements are of one document.
func (j Judgement) document(other Judgement) bool {
	return j.Place == other.Place || j.Content != "" && j.Content == other.Content
}

// Book is the file of the judgements, which processes share. It is safe for concurrent use.
type Book struct {
	path string
	mu   sync.Mutex
}

// Open names the file; it is made by the first judgement.
func Open(path string) *Book { return &Book{path: path} }

// Of gives the judgements of a collection, the oldest first.
func (b *Book) Of(collection string) ([]Judgement, error) {
	all, err := b.read()
	return slices.DeleteFunc(all, func(j Judgement) bool { return j.Collection != collection }), err
}

// Put writes judgements down, each in place of an earlier one of the same passage.
func (b *Book) Put(new ...Judgement) error {
	return b.change(func(all []Judgement) []Judgement {
		for _, j := range new {
			all = append(slices.DeleteFunc(all, j.Same), j)
		}
		return all
	})
}

// Withdraw forgets a judgement.
func (b *Book) Withdraw(j Judgement) error {
	return b.change(func(all []Judgement) []Judgement { return slices.DeleteFunc(all, j.Same) })
}

// Forget forgets a query with its judgements, or everything of the collection where query is empty.
func (b *Book) Forget(collection, query string) error {
	return b.change(func(all []Judgement) []Judgement {
		return slices.DeleteFunc(all, func(j Judgement) bool {
			return j.Collection == collection && (query == "" || j.Query == Query(query))
		})
	})
}

// Rename follows a collection that has another name now.
func (b *Book) Rename(collection, to string) error {
	return b.change(func(all []Judgement) []Judgement {
		for i := range all {
			if all[i].Collection == collection {
				all[i].Collection = to
			}
		}
		return all
	})
}

func (b *Book) change(with func([]Judgement) []Judgement) (err error) {
	b.mu.Lock()
	defer b.mu.Unlock()
	lock := flock.New(b.path + ".lock")
	if err := lock.Lock(); err != nil {
		return fmt.Errorf("judgements: %w", err)
	}
	defer func() { err = errors.Join(err, lock.Unlock()) }()
	all, err := b.read()
	if err != nil {
		return err
	}
	before := slices.Clone(all)
	if all = with(all); slices.Equal(all, before) {
		return nil
	}
	return b.write(all)
}

func (b *Book) read() ([]Judgement, error) {
	text, err := os.ReadFile(b.path)
	if errors.Is(err, fs.ErrNotExist) {
		return nil, nil
	}
	if err != nil {
		return nil, fmt.Errorf("judgements: %w", err)
	}
	var all []Judgement
	n := 0
	for line := range bytes.Lines(text) {
		n++
		var j Judgement
		if err := json.Unmarshal(line, &j); err != nil {
			return nil, domain.Errorf(domain.CodeDamaged, "correct line "+fmt.Sprint(n)+" of the file, or put a copy of it in its place",
				"the judgements in %s cannot be read: %w", b.path, err)
		}
		all = append(all, j)
	}
	slices.SortStableFunc(all, func(x, y Judgement) int { return cmp.Compare(x.At.UnixNano(), y.At.UnixNano()) })
	return all, nil
}

// write puts the file in place whole or not at all.
func (b *Book) write(all []Judgement) error {
	err := models.WritePrivate(b.path, func(w io.Writer) error {
		out := json.NewEncoder(w)
		out.SetEscapeHTML(false)
		for _, j := range all {
			if err := out.Encode(j); err != nil {
				return err
			}
		}
		return nil
	})
	if err != nil {
		return fmt.Errorf("judgements: %w", err)
	}
	return nil
}
