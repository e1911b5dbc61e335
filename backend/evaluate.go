package backend

import (
	"context"

	"fanous/backend/eval"
)

// Evaluate replays a dataset's judged queries with the models of this installation, in an index of its
// own. Nothing leaves the machine: the rerank stage is the local one.
func (b *Backend) Evaluate(ctx context.Context, dir string, o eval.Options) (eval.Report, error) {
	set, err := eval.Load(dir)
	if err != nil {
		return eval.Report{}, err
	}
	gen, done := b.models.use()
	defer done()
	in := gen.inference()
	o.Embedder, o.NoEmbedder = in.embedder, in.noEmbedder
	o.Local, o.NoLocal = in.measured, in.noLocal
	return eval.Run(ctx, set, o)
}
