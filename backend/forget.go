package backend

import (
	"context"
	"errors"
	"slices"

	"fanous/backend/domain"
	"fanous/backend/eval"
	"fanous/backend/eval/judgements"
	"fanous/backend/ledger"
)

// forgetGone takes what is of documents that are not in the index any more out of what is kept beside it: judgements of
// the collection and the ledger's texts.
func (b *Backend) forgetGone(ctx context.Context, collection string) error {
	return errors.Join(b.forgetJudged(ctx, collection), b.forgetTexts(ctx, ""))
}

// goOn removes what an evaluation was killed in, and completes deletions that were cut off, unless a run of this process does:
// that begins with them. What fails, where another process writes for one, is tried again by the next start.
func (b *Backend) goOn(turns chan struct{}) {
	defer close(b.wentOn)
	eval.Sweep(b.evaluations())
	select {
	case turns <- struct{}{}:
		defer func() { <-turns }()
		_ = b.completeDeletions(b.life)
	default:
	}
}

func (b *Backend) completeDeletions(ctx context.Context) error {
	return b.store.GoOn(ctx, func(name string) error { return b.forgetCollection(ctx, name) })
}

// forgetCollection forgets what is kept beside the index of a collection that is removed.
func (b *Backend) forgetCollection(ctx context.Context, name string) error {
	return errors.Join(b.judged.Forget(name, ""), b.runs.Forget(name), b.forgetTexts(ctx, name), b.savedIn(name, ""))
}

func (b *Backend) forgetJudged(ctx context.Context, collection string) error {
	if list, err := b.judged.Of(collection); err != nil || len(list) == 0 {
		return err
	}
	_, documents, err := b.judgedIn(ctx, collection)
	if err != nil {
		return err
	}
	return b.judged.Keep(collection, func(j judgements.Judgement) bool {
		_, found := documents.Find(j.Content, j.Place)
		return found
	})
}

// forgetTexts forgets the texts of sendings from a collection, "" for none, and of those with a document whose bytes no
// collection has any more.
func (b *Backend) forgetTexts(ctx context.Context, collection string) error {
	var failed error
	err := b.ledger.ForgetTexts(ctx, func(t ledger.Texts) bool {
		there, err := b.store.Hashes(ctx, t.Documents)
		if err != nil {
			failed = err
			return true
		}
		return !slices.Contains(t.Collections, collection) && !slices.ContainsFunc(t.Documents, func(hash string) bool { return !there[hash] })
	})
	return errors.Join(failed, err)
}

// afterRun forgets what a run has made unnecessary. What cannot be forgotten now is tried again by the next run that
// removes or changes something.
func (b *Backend) afterRun(ctx context.Context, r domain.IndexReport) error {
	if r.Removed == 0 && r.Indexed == 0 && r.NotIndexed == 0 {
		return nil
	}
	return b.forgetGone(context.WithoutCancel(ctx), r.Collection)
}
