package pipeline

import (
	"context"
	"errors"
	"os"
	"slices"
	"strings"
	"sync"

	"fanous/backend/chunk"
	"fanous/backend/domain"
	"fanous/backend/extract"
	"fanous/backend/language"
	"fanous/backend/reader"
	"fanous/backend/store"
)

// Previewer shows passages where they stand in their documents. It is safe for concurrent use.
type Previewer struct {
	Store *store.Store
	// Pages draws pages; see extract.Extractor.Pages.
	Pages func(ctx context.Context, path, member string, pages []int, size extract.Raster, each func(extract.Drawn) error) error

	lost sync.Map // documents whose drawing was lost, by id: the error; they are not drawn again
}

const (
	// nearText is how much text is shown before and behind a passage, in bytes, and nearChunks in how many passages at the
	// most.
	nearText   = 12 << 10
	nearChunks = 40
	// maxMatches is how many passages of a document are looked through for the words of a query.
	maxMatches = 2000
)

// Preview gives a passage with the text around it and, if a picture is asked for and the document has pages, its page.
// Where the file cannot be shown, a notice says why: the indexed text is shown all the same.
func (p *Previewer) Preview(ctx context.Context, req domain.PreviewRequest) (domain.Preview, error) {
	view, err := p.Store.ChunkView(ctx, req.ChunkID)
	if err != nil {
		return domain.Preview{}, err
	}
	query := language.ParseQuery(req.Query)
	doc, passage := view.Document, view.Chunk
	out := domain.Preview{
		ChunkID: passage.ID, DocumentID: doc.ID, Ordinal: passage.Ordinal, Path: doc.Path, Member: doc.Member, Title: doc.Title,
		Format: doc.Format, Place: passage.Place, OCR: passage.OCR, Paged: doc.Format == "pdf" || doc.Format == "image",
	}
	if out.Text, err = p.text(ctx, passage, req.Near, query); err != nil {
		return domain.Preview{}, err
	}
	if out.Notice, err = p.notice(ctx, doc); err != nil {
		return domain.Preview{}, err
	}
	if out.Notice == nil && out.Paged && req.Width > 0 {
		out.Page, err = p.page(ctx, doc, passage, req, query)
		switch {
		case ctx.Err() != nil:
			return domain.Preview{}, ctx.Err()
		case err != nil:
			out.Notice = notDrawn(err)
		}
	}
	return out, nil
}

// text gives what is indexed around a passage, or around another one of its document.
func (p *Previewer) text(ctx context.Context, passage domain.Chunk, near int64, query language.Query) (domain.PreviewText, error) {
	centre := passage
	if near != 0 && near != passage.ID {
		view, err := p.Store.ChunkView(ctx, near)
		if err != nil {
			return domain.PreviewText{}, err
		}
		if view.Chunk.DocumentID != passage.DocumentID {
			return domain.PreviewText{}, domain.Errorf(domain.CodeUsage, "", "the passages %d and %d are of two documents", passage.ID, near)
		}
		centre = view.Chunk
	}
	chunks, err := p.Store.ChunksBetween(ctx, passage.DocumentID, centre.Ordinal-nearChunks-1, centre.Ordinal+nearChunks+1)
	if err != nil {
		return domain.PreviewText{}, err
	}
	at := slices.IndexFunc(chunks, func(c domain.Chunk) bool { return c.ID == centre.ID })
	if at < 0 {
		return domain.PreviewText{}, domain.Errorf(domain.CodeNotFound, "search again", "the document has just been indexed again")
	}
	from, to := within(chunks, at)
	out := join(chunks[from:to], passage.ID)
	if from > 0 {
		out.Earlier = chunks[from-1].ID
	}
	if to < len(chunks) {
		out.Later = chunks[to].ID
	}
	if out.Marks = query.Highlights(out.Text); out.Marks == nil {
		out.Marks = [][2]int{}
	}
	return out, nil
}

// within gives the range of chunks around one that is shown with it.
func within(chunks []domain.Chunk, at int) (from, to int) {
	from, to = at, at+1
	for size := 0; from > 0 && at-from < nearChunks; from-- {
		if size += len(chunks[from-1].Text); size > nearText {
			break
		}
	}
	for size := 0; to < len(chunks) && to-at-1 < nearChunks; to++ {
		if size += len(chunks[to].Text); size > nearText {
			break
		}
	}
	return from, to
}

// join makes one text of chunks that follow each other, each sentence once, and says where one of them is in it.
func join(chunks []domain.Chunk, passage int64) domain.PreviewText {
	var text strings.Builder
	out := domain.PreviewText{Passage: []int{}}
	for i, c := range chunks {
		repeated := 0
		if i > 0 {
			if repeated = chunk.Repeated(chunks[i-1], c); repeated == 0 {
				text.WriteString("\n")
			}
		}
		start := text.Len() - repeated
		text.WriteString(c.Text[repeated:])
		if c.ID == passage {
			out.Passage = []int{start, text.Len()}
		}
	}
	out.Text = text.String()
	return out
}

// notice says why a document's file is not what is indexed; nil: it is, as far as its size and time tell.
func (p *Previewer) notice(ctx context.Context, doc domain.Document) (*domain.PreviewNotice, error) {
	file := doc
	if doc.Member != "" {
		var err error
		if file, err = p.Store.File(ctx, doc.CollectionID, doc.Path); err != nil {
			return nil, err
		}
	}
	info, err := os.Stat(doc.Path)
	switch {
	case errors.Is(err, os.ErrNotExist):
		return &domain.PreviewNotice{Code: domain.CodeFileGone, Message: "The file is not there any more. This is its text as it was indexed.",
			Hint: "Connect its drive, or index the folder again."}, nil
	case err != nil:
		return &domain.PreviewNotice{Code: domain.CodeFileGone, Message: "The file cannot be read. This is its text as it was indexed.",
			Hint: err.Error()}, nil
	case file.State == domain.StateQuarantined:
		return &domain.PreviewNotice{Code: domain.CodeFileAside,
			Message: "Reading the file ended the process that read it, so that it is left alone. This is what was indexed of it."}, nil
	case info.Size() != file.Size || !info.ModTime().Equal(file.ModTime):
		return &domain.PreviewNotice{Code: domain.CodeFileChanged,
			Message: "The file has changed since it was indexed. This is its text as it was indexed.", Hint: "Index the folder again."}, nil
	}
	return nil, nil
}

// notDrawn says why a page is not shown.
func notDrawn(err error) *domain.PreviewNotice {
	var lost *reader.Lost
	if errors.As(err, &lost) {
		return &domain.PreviewNotice{Code: domain.CodeFileBusy, Message: "The page could not be drawn within bounds of time and memory. This is its text.",
			Hint: lost.Reason}
	}
	return &domain.PreviewNotice{Code: domain.CodePageFailed, Message: "The page could not be drawn. This is its text.", Hint: err.Error()}
}

// Matches gives the passages of a passage's document in which words of a query stand.
func (p *Previewer) Matches(ctx context.Context, chunkID int64, query string) (domain.PreviewMatches, error) {
	out := domain.PreviewMatches{Matches: []domain.PreviewMatch{}}
	view, err := p.Store.ChunkView(ctx, chunkID)
	if err != nil {
		return out, err
	}
	q := language.ParseQuery(query)
	chunks, err := p.Store.MatchingChunks(ctx, view.Document, q.Match(nil), maxMatches+1)
	if err != nil {
		return out, err
	}
	out.More = len(chunks) > maxMatches
	for _, c := range chunks[:min(len(chunks), maxMatches)] {
		if ctx.Err() != nil {
			return out, ctx.Err()
		}
		if len(q.Highlights(c.Text)) > 0 { // the title, too, makes a passage match
			out.Matches = append(out.Matches, domain.PreviewMatch{ChunkID: c.ID, Ordinal: c.Ordinal, Page: c.Place.Page})
		}
	}
	return out, nil
}
