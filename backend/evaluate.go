package backend

import (
	"context"
	"path/filepath"
	"slices"
	"strings"
	"time"

	"fanous/backend/domain"
	"fanous/backend/eval"
	"fanous/backend/eval/judgements"
	"fanous/backend/rerank"
)

// evaluationsName is the folder in the data folder in which an evaluation that was cut off goes on.
const evaluationsName = "evaluations"

// evaluations is that folder.
func (b *Backend) evaluations() string { return filepath.Join(b.cfg.DataDir, evaluationsName) }

// patience is the deadline of a request to Cohere in an evaluation, which nobody waits for.
const patience = time.Minute

// Evaluate replays a dataset's judged queries with the models of this installation, in an index of its own. Nothing of it
// leaves the machine unless send says that it may.
func (b *Backend) Evaluate(ctx context.Context, dir string, send bool, o eval.Options) (eval.Result, error) {
	set, err := eval.Load(dir)
	if err != nil {
		return eval.Result{}, err
	}
	gen, done := b.models.use()
	defer done()
	o = b.measuring(ctx, gen.inference(), o)
	o.Reader = b.files()
	if o.Cohere != nil && !send {
		o.Cohere, o.NoCohere = nil, "Its passages may leave this machine only where --send is given."
	}
	return eval.Run(ctx, set, o)
}

// Matrix measures other weights, depths and sizes of chunks on a dataset. Nothing of it leaves the machine.
func (b *Backend) Matrix(ctx context.Context, dir string, sizes []int, o eval.Options) (eval.Matrix, error) {
	set, err := eval.Load(dir)
	if err != nil {
		return eval.Matrix{}, err
	}
	gen, done := b.models.use()
	defer done()
	o = b.measuring(ctx, gen.inference(), o)
	o.Reader = b.files()
	return eval.RunMatrix(ctx, set, b.choice(domain.Collection{}), sizes, o)
}

// EvaluateJudged replays what the analyst judged in a collection, in the collection itself. A document has the best grade of
// its passages; one that is not judged counts as not relevant. Passages may be sent to Cohere where the collection's policy
// allows that, or where it is to ask and send says yes.
func (b *Backend) EvaluateJudged(ctx context.Context, collection string, send bool, o eval.Options) (eval.Result, error) {
	c, err := b.store.Collection(ctx, collection)
	if err != nil {
		return eval.Result{}, err
	}
	all, documents, err := b.judgedIn(ctx, collection)
	if err != nil {
		return eval.Result{}, err
	}
	set := eval.Dataset{Name: collection, Count: documents.Len()}
	for query, grades := range judgements.Grades(all, documents) {
		if q := (eval.Query{ID: query, Text: query, Relevant: grades}); q.Usable() {
			set.Queries = append(set.Queries, q)
		}
	}
	if t := c.Settings.Tuning; t != nil && o.LexicalWeight == nil {
		o.LexicalWeight = &t.Choice.LexicalWeight // searches have it, too
	}
	if len(set.Queries) == 0 {
		return eval.Result{}, domain.Errorf(domain.CodeNotFound, "judge some results of a few searches first, at least one of them as relevant",
			"there is nothing to measure in %q yet", collection)
	}
	slices.SortFunc(set.Queries, func(x, y eval.Query) int { return strings.Compare(x.ID, y.ID) })
	gen, done := b.models.use()
	defer done()
	o = b.measuring(ctx, gen.inference(), o)
	if reason := mayNotLeave(c.Policy, send); reason != "" && o.Cohere != nil {
		o.Cohere, o.NoCohere = nil, reason
	}
	names := judgements.NamesOf(all)
	o.Place = &eval.Place{
		Store: b.store, Collection: c, State: documents.State(), Typed: true,
		Name: func(d domain.Document, _ domain.Chunk) string { return names.Document(d) },
	}
	return eval.Run(ctx, set, o)
}

// mayNotLeave is why nothing of a collection may leave; empty: it may.
func mayNotLeave(p domain.Policy, send bool) string {
	switch {
	case p == domain.PolicyAllowed || p == domain.PolicyAsk && send:
		return ""
	case p == domain.PolicyAsk:
		return "The collection's policy is to ask first, and this evaluation was not told to send."
	}
	return "The collection's policy lets nothing leave this machine."
}

// measuring fills in what this installation has.
func (b *Backend) measuring(ctx context.Context, in *inference, o eval.Options) eval.Options {
	o.Embedder, o.NoEmbedder = in.embedder, in.noEmbedder
	o.Local, o.NoLocal = in.measured, in.noLocal
	o.Tiers = map[string]rerank.Reranker{}
	for tier, r := range in.tiers {
		o.Tiers[string(tier)] = r
	}
	o.Cohere, o.NoCohere = b.patientCohere(ctx)
	o.CohereModel = b.cfg.CohereModel
	o.Work = b.evaluations()
	if o.LexicalWeight == nil {
		o.LexicalWeight = &b.cfg.LexicalWeight
	}
	return o
}

// patientCohere is Cohere alone, with time; nil: the sentence says why not.
func (b *Backend) patientCohere(ctx context.Context) (*rerank.Chain, string) {
	switch remote := b.remote(ctx); {
	case remote.Reranker == nil:
		return nil, remote.Reason
	case b.cfg.Offline:
		return nil, "The offline switch is on."
	}
	return rerank.NewChain(b.remote, nil, "", rerank.ChainOptions{
		CohereDeadline: patience, CallsPerMinute: b.cfg.CohereCallsPerMinute, StateDir: filepath.Join(b.cfg.DataDir, "cohere"), Ledger: b.ledger,
	}), ""
}
