package app

import (
	"context"

	"fanous/backend"
	"fanous/backend/domain"
	"fanous/backend/eval"
)

// MeasureService judges results and measures the search on them, one evaluation at a time.
type MeasureService struct {
	engine *engine
	shell  Shell
	work   work[MeasureWork]
}

// MeasureWork is the evaluation that goes on, as EventMeasureWork tells it.
type MeasureWork struct {
	Collection string                 `json:"collection"` // empty: none goes on
	Progress   domain.MeasureProgress `json:"progress"`
}

// Judge keeps how well a passage answers a query; a nil grade withdraws it.
func (s *MeasureService) Judge(collection, query string, chunk int64, grade *int) error {
	_, err := with(context.Background(), s.engine, func(ctx context.Context, b *backend.Backend) (struct{}, error) {
		return struct{}{}, b.Judge(ctx, collection, query, chunk, gradeOf(grade))
	})
	return err
}

// Grades says what was judged of passages for a query, by chunk.
func (s *MeasureService) Grades(collection, query string, chunks []int64) (map[int64]int, error) {
	return with(context.Background(), s.engine, func(ctx context.Context, b *backend.Backend) (map[int64]int, error) {
		grades, err := b.Grades(ctx, collection, query, chunks)
		plain := make(map[int64]int, len(grades))
		for chunk, grade := range grades {
			plain[chunk] = int(grade)
		}
		return plain, err
	})
}

// Judged is all that was judged in a collection.
func (s *MeasureService) Judged(collection string) (domain.JudgedSet, error) {
	return with(context.Background(), s.engine, func(ctx context.Context, b *backend.Backend) (domain.JudgedSet, error) {
		return b.Judged(ctx, collection)
	})
}

// Forget forgets what was judged for a query, or for every query where it is empty. The window asks before.
func (s *MeasureService) Forget(collection, query string) (domain.JudgedSet, error) {
	return with(context.Background(), s.engine, func(ctx context.Context, b *backend.Backend) (domain.JudgedSet, error) {
		if err := b.ForgetJudged(ctx, collection, query); err != nil {
			return domain.JudgedSet{}, err
		}
		return b.Judged(ctx, collection)
	})
}

// Export asks for a folder and writes the judgements into it; empty when the analyst changed their mind.
func (s *MeasureService) Export(collection string) (string, error) {
	dir, err := s.shell.ChooseFolder()
	if err != nil || dir == "" {
		return "", err
	}
	return with(context.Background(), s.engine, func(ctx context.Context, b *backend.Backend) (string, error) {
		return dir, b.ExportJudged(ctx, collection, dir)
	})
}

// JudgedImport is what an import has done. Its Path is empty where the analyst changed their mind.
type JudgedImport struct {
	Path string `json:"path"`
	domain.JudgedImport
}

// Import asks for a folder and takes its judgements over.
func (s *MeasureService) Import(collection string) (JudgedImport, error) {
	dir, err := s.shell.ChooseFolder()
	if err != nil || dir == "" {
		return JudgedImport{}, err
	}
	return with(context.Background(), s.engine, func(ctx context.Context, b *backend.Backend) (JudgedImport, error) {
		report, err := b.ImportJudged(ctx, collection, dir)
		return JudgedImport{dir, report}, err
	})
}

// Run measures the stages on what was judged and returns the report; EventMeasureWork tells how far it is.
func (s *MeasureService) Run(req domain.MeasureRequest) (eval.Kept, error) {
	return measured(s, req.Collection, func(ctx context.Context, b *backend.Backend, progress func(domain.MeasureProgress)) (eval.Kept, error) {
		return b.Measure(ctx, req, progress)
	})
}

// Suggest looks for what searches in a collection would do better with; EventMeasureWork tells how far it is.
func (s *MeasureService) Suggest(collection string) (domain.Suggestion, error) {
	return measured(s, collection, func(ctx context.Context, b *backend.Backend, progress func(domain.MeasureProgress)) (domain.Suggestion, error) {
		return b.SuggestTuning(ctx, collection, progress)
	})
}

// Apply makes searches in a collection follow a suggestion.
func (s *MeasureService) Apply(suggestion domain.Suggestion) error {
	_, err := with(context.Background(), s.engine, func(ctx context.Context, b *backend.Backend) (struct{}, error) {
		return struct{}{}, b.ApplyTuning(ctx, suggestion)
	})
	return err
}

// Undo brings back what was before the tuning of a collection.
func (s *MeasureService) Undo(collection string) error {
	_, err := with(context.Background(), s.engine, func(ctx context.Context, b *backend.Backend) (struct{}, error) {
		return struct{}{}, b.UndoTuning(ctx, collection)
	})
	return err
}

// measured does the one long work of the service and tells the window of its beginning, its progress and its end.
func measured[T any](s *MeasureService, collection string, do func(context.Context, *backend.Backend, func(domain.MeasureProgress)) (T, error)) (T, error) {
	ctx, done, err := s.work.begin(MeasureWork{Collection: collection}, "another evaluation is under way")
	if err != nil {
		var none T
		return none, err
	}
	tell := func(w MeasureWork) { emit(s.shell, EventMeasureWork, w) }
	defer func() {
		done()
		tell(MeasureWork{})
	}()
	report := s.work.report(func(w MeasureWork) string { return w.Progress.Phase }, tell)
	report(MeasureWork{Collection: collection})
	return with(ctx, s.engine, func(ctx context.Context, b *backend.Backend) (T, error) {
		return do(ctx, b, func(p domain.MeasureProgress) { report(MeasureWork{collection, p}) })
	})
}

// Cancel stops the evaluation that goes on, if any does. The next one of the same kind goes on where it was.
func (s *MeasureService) Cancel() { s.work.stop() }

// Work is the evaluation that goes on.
func (s *MeasureService) Work() MeasureWork { return s.work.last() }

// Runs are the evaluations of a collection that are kept, the latest first.
func (s *MeasureService) Runs(collection string) ([]eval.Kept, error) {
	return with(context.Background(), s.engine, func(ctx context.Context, b *backend.Backend) ([]eval.Kept, error) {
		return b.Measurements(ctx, collection)
	})
}

// Compare says what is different in a later evaluation.
func (s *MeasureService) Compare(collection, before, after string) ([]eval.Change, error) {
	return with(context.Background(), s.engine, func(_ context.Context, b *backend.Backend) ([]eval.Change, error) {
		return b.CompareMeasurements(collection, before, after)
	})
}

// Save asks for a new file and writes the report of an evaluation into it; empty when the analyst changed their mind.
func (s *MeasureService) Save(collection, id, language string) (string, error) {
	path, err := s.shell.ChooseNewFile("fanous-report.html")
	if err != nil || path == "" {
		return "", err
	}
	return with(context.Background(), s.engine, func(_ context.Context, b *backend.Backend) (string, error) {
		return path, b.WriteMeasurement(collection, id, path, language)
	})
}

// gradeOf is a grade as the bindings can pass it.
func gradeOf(grade *int) *domain.Grade {
	if grade == nil {
		return nil
	}
	return new(domain.Grade(*grade))
}
