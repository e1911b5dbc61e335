package backend

import (
	"context"
	"errors"
	"io"
	"time"

	"fanous/backend/domain"
	"fanous/backend/eval"
	"fanous/backend/eval/report"
	"fanous/models"
)

// measurementsName is the folder in the data folder of the evaluations that are kept.
const measurementsName = "measurements"

// Measure evaluates what was judged in a collection and keeps the report, to compare later ones with. A reranker
// that does significant harm there is switched off for it.
func (b *Backend) Measure(ctx context.Context, req domain.MeasureRequest, progress func(domain.MeasureProgress)) (eval.Kept, error) {
	o := eval.Options{Stages: req.Stages, Candidates: req.Candidates}
	if req.Variety {
		o.MMR = &b.cfg.MMR
	}
	if progress != nil {
		o.Progress = func(phase string, done, of int) { progress(domain.MeasureProgress{Phase: phase, Done: done, Of: of}) }
	}
	result, err := b.EvaluateJudged(ctx, req.Collection, req.Send, o)
	if err != nil {
		return eval.Kept{}, err
	}
	kept := result.Keep(time.Now())
	err = errors.Join(b.runs.Add(req.Collection, kept), b.protect(ctx, req.Collection, result.Report))
	kept.Figures = nil
	return kept, err
}

// Measurements are the evaluations of a collection that are kept, the latest first.
func (b *Backend) Measurements(ctx context.Context, collection string) ([]eval.Kept, error) {
	if _, err := b.store.Collection(ctx, collection); err != nil {
		return nil, err
	}
	return b.runs.List(collection)
}

// CompareMeasurements says what is different in a later evaluation, on the queries that both have.
func (b *Backend) CompareMeasurements(collection, before, after string) ([]eval.Change, error) {
	was, err := b.runs.Get(collection, before)
	if err != nil {
		return nil, err
	}
	is, err := b.runs.Get(collection, after)
	if err != nil {
		return nil, err
	}
	return eval.Changes(was, is), nil
}

// WriteMeasurement writes the report of an evaluation as one HTML file, whole or not at all.
func (b *Backend) WriteMeasurement(collection, id, path, language string) error {
	kept, err := b.runs.Get(collection, id)
	if err != nil {
		return err
	}
	return WriteReport(path, kept.Report, report.Options{Language: language, At: kept.At, Version: Version})
}

// WriteReport writes a report as one HTML file, whole or not at all.
func WriteReport(path string, r eval.Report, o report.Options) error {
	if _, err := models.WriteFile(path, func(w io.Writer) error { return report.Write(w, r, o) }); err != nil {
		return domain.Errorf(domain.CodeUsage, "choose another file", "the report cannot be written: %w", err)
	}
	return nil
}
