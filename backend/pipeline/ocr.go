package pipeline

import (
	"cmp"
	"context"
	"errors"
	"fmt"
	"image"
	"maps"
	"os"
	"slices"

	"fanous/backend/domain"
	"fanous/backend/extract"
	"fanous/backend/language"
	"fanous/backend/ocr"
)

// Recognition is what reads the text in pictures.
type Recognition struct {
	// Pages gives the pages of a file as pixels; see extract.Extractor.Pages.
	Pages func(ctx context.Context, path, member string, pages []int, size extract.Raster, each func(extract.Drawn) error) error
	// Read reads a page; see ocr.Program.Read.
	Read func(ctx context.Context, page *image.Gray, languages []string) (ocr.Page, error)
	// Maker names what reads pages beside text in these languages: pages of another maker are read again.
	Maker func(languages []string) string
}

// recognise reads the pictures of the documents that wait for it and says whether that gave new passages. What came of a
// document is stored before the next one begins; of one that is not finished the next run reads the pages that are missing.
func (r *ingestRun) recognise(ctx context.Context) (found bool, err error) {
	waiting, err := r.Store.WaitingForOCR(ctx, r.collection.ID, r.Retry)
	if err != nil || len(waiting) == 0 {
		return false, err
	}
	if r.OCR == nil {
		if r.NoOCR != "" {
			r.report.Degraded = append(r.report.Degraded, fmt.Sprintf("The pictures of %d documents were not read: %s", len(waiting), r.NoOCR))
		}
		return false, nil
	}
	r.state.Phase, r.state.ToOCR, r.state.Current = domain.PhaseOCR, len(waiting), ""
	r.state.Rate, r.state.Remaining = 0, 0
	r.tell(r.state)
	clock := newClock(len(waiting))
	for i, doc := range waiting {
		r.state.Current = placeOf(doc)
		some, err := r.recogniseDocument(ctx, doc)
		found = found || some
		switch {
		case ctx.Err() != nil:
			return found, ctx.Err()
		case errors.Is(err, errNoProgram):
			r.report.Degraded = append(r.report.Degraded, fmt.Sprintf("The pictures of %d documents were not read: %v.", len(waiting)-i, err))
			return found, nil
		case err != nil:
			return found, err
		}
		r.state.OCRDone++
		r.state.Rate, r.state.Remaining = clock.at(r.state.OCRDone)
		r.tell(r.state)
	}
	return found, nil
}

// errNoProgram says that no picture can be read, whatever it is.
var errNoProgram = errors.New("the program that reads them could not be run")

// recogniseDocument reads the pictures of one document and stores what they say; its error is none of the document's.
func (r *ingestRun) recogniseDocument(ctx context.Context, doc domain.Document) (found bool, err error) {
	content, err := r.reread(ctx, doc)
	switch {
	case ctx.Err() != nil:
		return false, ctx.Err()
	case errors.Is(err, errChanged):
		return false, nil // the next run reads it as it is then
	case err != nil:
		return false, r.noneRecognised(ctx, doc, domain.OCRFailed, append(doc.Warnings, "the text in its pictures was not recognised: "+err.Error()))
	}
	pages := slices.Concat(content.Images, content.Unreliable)
	slices.Sort(pages)
	read, failed, err := r.readPages(ctx, doc, pages, languagesOf(content))
	warnings := slices.Concat(content.Warnings, failed)
	content = withRecognised(content, read)
	some := slices.ContainsFunc(content.Blocks, func(b domain.Block) bool { return b.OCR > 0 })
	switch {
	case ctx.Err() != nil || errors.Is(err, errNoProgram) || errors.Is(err, errIndex):
		return false, err
	case err != nil:
		return false, r.noneRecognised(ctx, doc, domain.OCRFailed, append(warnings, "the text in its pictures was not recognised: "+err.Error()))
	case !some && len(failed) > 0:
		return false, r.noneRecognised(ctx, doc, domain.OCRFailed, warnings)
	case !some:
		return false, r.noneRecognised(ctx, doc, domain.OCRNothing, warnings)
	}
	before := doc
	doc.OCR, doc.Warnings, doc.State, doc.Reason = domain.OCRDone, warnings, domain.StateIndexed, ""
	rows := r.cut(doc, content)
	rows.Anew = true
	// As in reading: what was worked out is stored even when the run has just been cancelled.
	if err := r.w.Put(context.WithoutCancel(ctx), rows); err != nil {
		return false, err
	}
	r.countRecognised(before, len(rows.Chunks))
	return true, nil
}

func (r *ingestRun) noneRecognised(ctx context.Context, doc domain.Document, state domain.OCRState, warnings []string) error {
	return r.w.SetOCR(context.WithoutCancel(ctx), doc.ID, state, warnings)
}

// countRecognised puts a document into the report that may be in it as one without text.
func (r *ingestRun) countRecognised(before domain.Document, chunks int) {
	r.report.Recognised++
	r.report.Chunks += chunks
	r.state.Chunks += chunks
	at := slices.IndexFunc(r.report.Problems, func(p domain.FileProblem) bool {
		return p.Path == placeOf(before) && p.State == domain.StateNoText
	})
	if at >= 0 {
		r.report.Problems = slices.Delete(r.report.Problems, at, at+1)
		r.report.NotIndexed--
		r.report.Indexed++
	}
}

// errChanged says that a file is no longer the one that is indexed.
var errChanged = errors.New("the file has changed")

// errEnough ends the reading of a file of which no more is needed.
var errEnough = errors.New("enough")

// reread reads a document again, for its text is needed beside that of its pictures.
func (r *ingestRun) reread(ctx context.Context, doc domain.Document) (content domain.Content, err error) {
	info, err := os.Stat(doc.Path)
	if err != nil || doc.Member == "" && (info.Size() != doc.Size || !info.ModTime().Equal(doc.ModTime)) {
		return content, errChanged
	}
	found := false
	err = r.Reader.Read(ctx, doc.Path, func(f extract.Found) error {
		if f.Member != doc.Member || f.Hash != "" && f.Hash != doc.Hash {
			return nil
		}
		content, found = doubted(f.Content), true
		if doc.Member != "" {
			return errEnough
		}
		return nil
	})
	switch {
	case errors.Is(err, errEnough):
		return content, nil
	case err == nil && !found:
		return content, errChanged
	}
	return content, err
}

// languagesOf are the languages of a document's own text, the most frequent first.
func languagesOf(content domain.Content) []string {
	letters := map[string]int{}
	for i := range content.Blocks {
		b := &content.Blocks[i]
		if slices.Contains(content.Unreliable, b.Place.Page) {
			continue
		}
		if tag := language.Detect(b.Text); tag != "" {
			letters[tag] += len(b.Text)
		}
	}
	return slices.SortedFunc(maps.Keys(letters), func(a, b string) int {
		return cmp.Or(letters[b]-letters[a], cmp.Compare(a, b))
	})
}

// withRecognised puts what was read of pages into their places. Text that is not to be trusted makes way for it; where
// none was read, it stays. What was read stands under the heading that is open where its page begins.
func withRecognised(content domain.Content, read map[int][]domain.Block) domain.Content {
	var out []domain.Block
	heading := ""
	pages := slices.Sorted(maps.Keys(read))
	upTo := func(page int) { // adds what was read of the pages up to and with this one
		for len(pages) > 0 && pages[0] <= page {
			for _, b := range read[pages[0]] {
				b.Place.Heading = heading
				out = append(out, b)
			}
			pages = pages[1:]
		}
	}
	for _, b := range content.Blocks {
		upTo(b.Place.Page)
		if len(read[b.Place.Page]) > 0 && slices.Contains(content.Unreliable, b.Place.Page) {
			continue
		}
		out = append(out, b)
		heading = b.Place.Heading
	}
	if len(pages) > 0 {
		upTo(pages[len(pages)-1])
	}
	content.Blocks = out
	return content
}
