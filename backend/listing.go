package backend

import (
	"context"
	"encoding/csv"
	"encoding/json"
	"io"
	"strconv"
	"strings"
	"time"
	"unicode/utf8"

	"fanous/backend/domain"
)

// Document finds a document by its id.
func (b *Backend) Document(ctx context.Context, id int64) (domain.Document, error) {
	return b.store.Document(ctx, id)
}

// listingPage is how many documents are fetched at a time.
const listingPage = 1000

// EveryDocument calls each for all documents of a collection that a filter lets through, however many there are.
func (b *Backend) EveryDocument(ctx context.Context, collection string, filter domain.DocumentFilter, each func(domain.DocumentEntry) error) error {
	filter.Limit = listingPage
	for {
		page, err := b.Documents(ctx, collection, filter)
		if err != nil {
			return err
		}
		for _, d := range page.Documents {
			if err := each(d); err != nil {
				return err
			}
			filter.After = domain.Location{Path: d.Path, Member: d.Member}
		}
		if !page.More {
			return nil
		}
	}
}

// ListJSON writes the documents of a collection, a JSON object a line.
func (b *Backend) ListJSON(ctx context.Context, w io.Writer, collection string, filter domain.DocumentFilter) error {
	enc := json.NewEncoder(w)
	enc.SetEscapeHTML(false)
	return b.EveryDocument(ctx, collection, filter, func(d domain.DocumentEntry) error { return enc.Encode(d) })
}

// ListCSV writes the documents of a collection as a table for a spreadsheet.
func (b *Backend) ListCSV(ctx context.Context, w io.Writer, collection string, filter domain.DocumentFilter) error {
	out := csv.NewWriter(w)
	_ = out.Write([]string{"path", "member", "state", "reason", "format", "title", "author", "dated", "size", "modified", "passages", "ocr", "sha256"})
	err := b.EveryDocument(ctx, collection, filter, func(d domain.DocumentEntry) error {
		return out.Write([]string{cell(d.Path), cell(d.Member), string(d.State), cell(d.Note()), d.Format, cell(d.Title), cell(d.Author), stamp(d.Dated),
			strconv.FormatInt(d.Size, 10), stamp(d.ModTime), strconv.Itoa(d.Chunks), string(d.OCR), d.Hash})
	})
	out.Flush()
	if err == nil {
		err = out.Error()
	}
	return err
}

// cell is a text for a spreadsheet, which would take one that begins like a formula for one: a document could call
// itself =HYPERLINK(...). An apostrophe before it makes it text.
func cell(text string) string {
	const unseen = " \u00a0\u200b\u200e\u200f\ufeff" // what some spreadsheets skip
	first, _ := utf8.DecodeRuneInString(strings.TrimLeft(text, unseen))
	if text != "" && strings.ContainsRune("=+-@\t\r\n|%＝＋－＠", first) {
		return "'" + text
	}
	return text
}

func stamp(t time.Time) string {
	if t.IsZero() {
		return ""
	}
	return t.UTC().Format(time.RFC3339)
}
