package backend

import (
	"context"
	"maps"
	"math"
	"slices"

	"fanous/backend/domain"
	"fanous/backend/eval"
	"fanous/backend/eval/judgements"
)

// judgementsName is the file in the data folder of what the analyst judged.
const judgementsName = "judgements.jsonl"

// Judge keeps how well a passage answers a query of its collection; a nil grade withdraws what was said of it.
func (b *Backend) Judge(ctx context.Context, collection, query string, chunk int64, grade *domain.Grade) error {
	switch {
	case judgements.Query(query) == "":
		return domain.Errorf(domain.CodeUsage, "search first, then judge what was found", "there is no query to judge a passage for")
	case grade != nil && (*grade < domain.GradeNot || *grade > domain.GradeRelevant):
		return domain.Errorf(domain.CodeUsage, "choose 0 (not), 1 (partly) or 2 (relevant)", "the grade is %d", *grade)
	}
	if _, err := b.store.Collection(ctx, collection); err != nil {
		return err
	}
	view, err := b.store.ChunkView(ctx, chunk)
	if err != nil {
		return err
	}
	if grade == nil {
		return b.judged.Withdraw(judgements.Of(collection, query, 0, view.Document, view.Chunk))
	}
	return b.judged.Put(judgements.Of(collection, query, *grade, view.Document, view.Chunk))
}

// Grades says what was judged of passages for a query, by chunk.
func (b *Backend) Grades(ctx context.Context, collection, query string, chunks []int64) (map[int64]domain.Grade, error) {
	all, err := b.judged.Of(collection)
	if err != nil {
		return nil, err
	}
	all = slices.DeleteFunc(all, func(j judgements.Judgement) bool { return j.Query != judgements.Query(query) })
	grades := map[int64]domain.Grade{}
	if len(all) == 0 {
		return grades, nil
	}
	passages, err := b.store.Passages(ctx, chunks)
	if err != nil {
		return nil, err
	}
	for _, p := range passages {
		for _, j := range all {
			if j.Same(judgements.Of(collection, query, 0, p.Document, p.Chunk)) {
				grades[p.Chunk.ID] = j.Grade
			}
		}
	}
	return grades, nil
}

// Judged is all that was judged in a collection.
func (b *Backend) Judged(ctx context.Context, collection string) (domain.JudgedSet, error) {
	all, documents, err := b.judgedIn(ctx, collection)
	if err != nil {
		return domain.JudgedSet{}, err
	}
	return judgements.SetOf(collection, all, documents), nil
}

// ForgetJudged forgets what was judged for a query, or for every query of the collection where it is empty.
func (b *Backend) ForgetJudged(ctx context.Context, collection, query string) error {
	if _, err := b.store.Collection(ctx, collection); err != nil {
		return err
	}
	return b.judged.Forget(collection, query)
}

// ExportJudged writes the judgements of a collection into a folder as BEIR has it, with the texts of the judged passages.
func (b *Backend) ExportJudged(ctx context.Context, collection, dir string) error {
	all, documents, err := b.judgedIn(ctx, collection)
	if err != nil {
		return err
	}
	if len(all) == 0 {
		return domain.Errorf(domain.CodeNotFound, "judge some results first", "nothing was judged in %q", collection)
	}
	return judgements.Export(dir, all, func(j judgements.Judgement) (judgements.Row, bool) {
		doc, found := documents.Find(j.Content, j.Place)
		if !found {
			return judgements.Row{}, false
		}
		text, err := b.judgedText(ctx, doc, j)
		return judgements.Row{Title: doc.Title, Text: text}, err == nil
	})
}

// judgedText finds the text of a judged passage, or of the whole document where that was judged; empty: it is not there any
// more.
func (b *Backend) judgedText(ctx context.Context, doc domain.Document, j judgements.Judgement) (text string, err error) {
	holder := doc.ID
	if doc.SameAs != 0 {
		holder = doc.SameAs
	}
	chunks, err := b.store.ChunksBetween(ctx, holder, 0, math.MaxInt32)
	for _, c := range chunks {
		if j.Text == "" {
			text += c.Text + "\n"
		} else if judgements.Passage(c.Text) == j.Text {
			text = c.Text
		}
	}
	return text, err
}

// ImportJudged takes over the judgements of a folder as BEIR has it: one that was exported here or on another machine, or one
// that names files.
func (b *Backend) ImportJudged(ctx context.Context, collection, dir string) (domain.JudgedImport, error) {
	_, documents, err := b.judgedIn(ctx, collection)
	if err != nil {
		return domain.JudgedImport{}, err
	}
	queries, err := eval.LoadQueries(dir)
	if err != nil {
		return domain.JudgedImport{}, err
	}
	rows, err := judgements.Rows(dir)
	if err != nil {
		return domain.JudgedImport{}, err
	}
	var report domain.JudgedImport
	var all []judgements.Judgement
	for _, q := range queries {
		found := len(all)
		for _, id := range slices.Sorted(maps.Keys(q.Relevant)) {
			j, known := judgements.Imported(collection, q.Text, domain.Grade(q.Relevant[id]), id, rows, documents)
			if !known {
				report.Unknown++
				continue
			}
			all = append(all, j)
		}
		if len(all) > found {
			report.Queries++
		}
	}
	report.Judgements = len(all)
	return report, b.judged.Put(all...)
}

// judgedIn gives the judgements of a collection and its documents.
func (b *Backend) judgedIn(ctx context.Context, collection string) ([]judgements.Judgement, judgements.Documents, error) {
	c, err := b.store.Collection(ctx, collection)
	if err != nil {
		return nil, judgements.Documents{}, err
	}
	all, err := b.judged.Of(collection)
	if err != nil {
		return nil, judgements.Documents{}, err
	}
	page, err := b.store.Documents(ctx, c.ID, domain.DocumentFilter{})
	if err != nil {
		return nil, judgements.Documents{}, err
	}
	documents := make([]domain.Document, len(page.Documents))
	for i, d := range page.Documents {
		documents[i] = d.Document
	}
	return all, judgements.DocumentsOf(documents), nil
}
