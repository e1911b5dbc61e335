package backend

import (
	"context"
	"path/filepath"
	"time"

	"fanous/backend/eval"
	"fanous/backend/rerank"
)

// evaluationsName is the folder in the data folder in which an evaluation that was cut off goes on.
const evaluationsName = "evaluations"

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
	o = b.measuring(gen.inference(), o)
	o.Reader = b.files()
	if o.Cohere != nil && !send {
		o.Cohere, o.NoCohere = nil, "Its passages may leave this machine only where --send is given."
	}
	return eval.Run(ctx, set, o)
}

// measuring fills in what this installation has.
func (b *Backend) measuring(in *inference, o eval.Options) eval.Options {
	o.Embedder, o.NoEmbedder = in.embedder, in.noEmbedder
	o.Local, o.NoLocal = in.measured, in.noLocal
	o.Tiers = map[string]rerank.Reranker{}
	for tier, r := range in.tiers {
		o.Tiers[string(tier)] = r
	}
	o.Cohere, o.NoCohere = b.patientCohere()
	o.Work = filepath.Join(b.cfg.DataDir, evaluationsName)
	if o.LexicalWeight == nil {
		o.LexicalWeight = &b.cfg.LexicalWeight
	}
	return o
}

// patientCohere is Cohere alone, with time; nil: the sentence says why not.
func (b *Backend) patientCohere() (*rerank.Chain, string) {
	switch {
	case b.cohere == nil:
		return nil, b.noCohere
	case b.cfg.Offline:
		return nil, "The offline switch is on."
	}
	return rerank.NewChain(b.cohere, nil, "", rerank.ChainOptions{
		CohereDeadline: patience, CallsPerMinute: b.cfg.CohereCallsPerMinute, StateDir: filepath.Join(b.cfg.DataDir, "cohere"),
		Account: b.cohere.Account(), Ledger: b.ledger, Host: b.cohere.Host(),
	}), ""
}
