package pipeline

import (
	"context"
	"path/filepath"
	"strings"

	"fanous/backend/domain"
	"fanous/backend/store"
	"fanous/backend/tree"
)

// reconcile brings the index in line with what the folders hold, before anything is read: what moved keeps its passages
// under its new path, what is gone is dropped, and what cannot be read has a state. stored is changed with the index.
func (r *ingestRun) reconcile(ctx context.Context, found *tree.Tree, stored map[string]domain.Document) error {
	r.report.Problems = append(r.report.Problems, found.Problems...)
	present := make(map[string]bool, len(found.Files))
	for _, f := range found.Files {
		present[f.Path] = true
	}
	// What stands below a folder that cannot be read now is kept: an unplugged drive is not a deletion.
	gone := map[string]domain.Document{}
	for path, doc := range stored {
		if !present[path] && !found.Covers(path) {
			gone[path] = doc
		}
	}
	if err := r.move(ctx, found.Files, stored, gone); err != nil {
		return err
	}
	emptied := keepEmptied(found.Empty, gone)
	r.report.Problems = append(r.report.Problems, emptied...)
	if err := r.drop(ctx, gone); err != nil {
		return err
	}
	return r.markUnreadable(ctx, append(found.Problems, emptied...), stored)
}

// keepEmptied takes out of gone what stood below roots that are now empty: where a drive was mounted an empty folder
// stays behind.
func keepEmptied(roots []string, gone map[string]domain.Document) (problems []domain.FileProblem) {
	for _, root := range roots {
		kept := false
		below := strings.TrimSuffix(root, string(filepath.Separator)) + string(filepath.Separator)
		for path := range gone {
			if strings.HasPrefix(path, below) {
				delete(gone, path)
				kept = true
			}
		}
		if kept {
			delete(gone, root) // which has said so before
			problems = append(problems, domain.FileProblem{Path: root, State: domain.StateFailed,
				Reason: "it is empty, as a drive is that is not connected; what was indexed from it is kept until there is a file in it, or it is removed from the collection"})
		}
	}
	return problems
}

// move finds the new files that are gone ones under another path, and takes them out of gone.
func (r *ingestRun) move(ctx context.Context, files []tree.File, stored, gone map[string]domain.Document) error {
	bySize := map[int64]bool{}
	byHash := map[string][]domain.Document{}
	for _, doc := range gone {
		if settled(doc) {
			bySize[doc.Size] = true
			byHash[doc.Hash] = append(byHash[doc.Hash], doc)
		}
	}
	var moves []store.Move
	room := make([]byte, hashRoom)
	for _, f := range files {
		if _, known := stored[f.Path]; known || !bySize[f.Size] {
			continue
		}
		if ctx.Err() != nil {
			return ctx.Err()
		}
		hash, err := hashFile(f.Path, room)
		if err != nil || len(byHash[hash]) == 0 {
			continue // the reading will say what is wrong with it
		}
		i := likeliest(byHash[hash], f.Path)
		doc := byHash[hash][i]
		byHash[hash] = append(byHash[hash][:i], byHash[hash][i+1:]...)
		delete(gone, doc.Path)
		delete(stored, doc.Path)
		if doc.Title == titleOf(doc.Path) {
			doc.Title = titleOf(f.Path)
		}
		doc.Path, doc.Size, doc.ModTime = f.Path, f.Size, f.ModTime
		stored[doc.Path] = doc
		moves = append(moves, store.Move{Document: doc.ID, Path: doc.Path, Title: doc.Title, ModTime: doc.ModTime})
	}
	r.report.Moved = len(moves)
	return r.w.Move(ctx, moves...)
}

// likeliest chooses which of some files with the same bytes has come to a path: one of the same name, else the first.
func likeliest(docs []domain.Document, path string) int {
	best := 0
	for i, doc := range docs {
		same, bestSame := filepath.Base(doc.Path) == filepath.Base(path), filepath.Base(docs[best].Path) == filepath.Base(path)
		if same && !bestSame || same == bestSame && doc.ID < docs[best].ID {
			best = i
		}
	}
	return best
}

func (r *ingestRun) drop(ctx context.Context, gone map[string]domain.Document) error {
	var ids []int64
	for _, doc := range gone {
		ids = append(ids, doc.ID)
		if doc.Hash != "" { // else it was no more than a note that something could not be read
			r.report.Removed++
		}
	}
	if len(ids) == 0 {
		return nil
	}
	r.state.Phase, r.state.Files = domain.PhaseDrop, len(ids)
	r.tell(r.state)
	return r.w.Delete(ctx, ids...)
}

// markUnreadable gives what the walk could not read a state, where the index holds nothing of it.
func (r *ingestRun) markUnreadable(ctx context.Context, problems []domain.FileProblem, stored map[string]domain.Document) error {
	var rows []store.DocumentRows
	for _, p := range problems {
		if doc, known := stored[p.Path]; known && (doc.Hash != "" || doc.Reason == p.Reason) {
			continue
		}
		rows = append(rows, store.DocumentRows{Document: domain.Document{
			CollectionID: r.collection.ID, Path: p.Path, Title: titleOf(p.Path), State: p.State, Reason: p.Reason,
		}})
	}
	if len(rows) == 0 {
		return nil
	}
	return r.w.Put(ctx, rows...)
}
