// Package backend wires Fanous together: Open makes one Backend, which the window, the command line and
// the tests of the whole share.
package backend

import (
	"cmp"
	"context"
	"errors"
	"fmt"
	"path/filepath"
	"slices"
	"sync"

	"fanous/backend/domain"
	"fanous/backend/eval"
	"fanous/backend/eval/judgements"
	"fanous/backend/extract"
	"fanous/backend/ledger"
	"fanous/backend/pipeline"
	"fanous/backend/reader"
	"fanous/backend/rerank"
	"fanous/backend/store"
	"fanous/backend/trial"
	"fanous/models/install"
	"fanous/network"
)

// Version is the program's own; a release sets it when linking.
var Version = "0.1.0-dev"

// Files of the data folder.
const (
	indexName     = "fanous.db"
	selfTestsName = "self-tests.json"
	ledgerName    = "ledger" // a folder
)

// Backend is everything behind the window and the command line. It is safe for concurrent use.
type Backend struct {
	cfg       Config
	store     *store.Store
	extractor *extract.Extractor
	reader    *reader.Reader // nil: the extractor reads
	drawer    *reader.Reader // draws pages for people; nil where reader is
	preview   *pipeline.Previewer
	finding   *finding // of Cohere
	network   *network.Network
	ledger    *ledger.Ledger
	tester    *trial.Tester
	judged    *judgements.Book
	runs      eval.Runs
	models    *generations       // what is installed, loaded on first use
	keyword   *pipeline.Searcher // needs no model

	calibrator *pipeline.Calibrator
	recorder   *pipeline.Recorder // nil: no history is kept
	tracing    tracing

	life context.Context // ends when the backend closes
	end  context.CancelFunc

	starting sync.WaitGroup // what Open begins in the background
	wentOn   chan struct{}  // closed when goOn has ended

	calm     calm          // of searches
	indexing chan struct{} // holds one while a run goes on
}

// Open opens the index in the data folder, making both where they do not exist. It loads no model and
// calls nobody. The end of ctx also stops the loading of models later on.
func Open(ctx context.Context, cfg Config) (*Backend, error) {
	s, err := store.Open(ctx, filepath.Join(cfg.DataDir, indexName), store.Options{})
	if err != nil {
		return nil, err
	}
	keepOwnFilesOut(cfg.DataDir)
	b := &Backend{
		cfg: cfg, store: s, indexing: make(chan struct{}, 1), wentOn: make(chan struct{}), network: network.New(cfg.Offline), ledger: ledger.Open(filepath.Join(cfg.DataDir, ledgerName), cfg.LedgerTexts),
	}
	b.judged, b.runs = judgements.Open(filepath.Join(cfg.DataDir, judgementsName)), eval.Runs(filepath.Join(cfg.DataDir, measurementsName))
	b.setUpReading()
	b.preview = &pipeline.Previewer{Store: s, Pages: b.previews().Pages}
	b.life, b.end = context.WithCancel(ctx)
	b.finding = newFinding()
	if cfg.CohereKey != "" { // no keychain is asked, and what is wrong is said at once
		b.finding.begin(func(find func()) { find() }, b.findCohere)
		err = b.finding.access.err
	}
	if err == nil {
		b.tracing, err = newTracing(ctx, cfg, b.network)
	}
	if err != nil {
		b.end()
		return nil, errors.Join(err, s.Close())
	}
	if cfg.History {
		b.recorder = pipeline.NewRecorder(s, cfg.HistoryLength)
	}
	install.Sweep(cfg.ModelDirs...)
	b.calibrator = pipeline.NewCalibrator(s, rerank.CohereInfo(cfg.CohereModel), pipeline.Quiet)
	b.keyword = b.newSearcher(b.chain(nil, ""))
	b.tester = trial.NewTester(trial.OpenBook(filepath.Join(cfg.DataDir, selfTestsName)), trial.Runner{Program: cfg.Program})
	b.models = newGenerations(b.newGeneration)
	b.starting.Go(func() { _, _ = b.ledger.State(b.life) }) // what is wrong is told where somebody asks, or would send
	turns := b.indexing
	b.starting.Go(func() { b.goOn(turns) })
	return b, nil
}

func (b *Backend) chain(local rerank.Reranker, noLocal string) *rerank.Chain {
	return rerank.NewChain(b.remote, local, noLocal, rerank.ChainOptions{
		CohereDeadline: b.cfg.CohereDeadline, LocalBudget: b.cfg.LocalBudget, Hedge: b.cfg.CohereHedge,
		CallsPerMinute: b.cfg.CohereCallsPerMinute, StateDir: filepath.Join(b.cfg.DataDir, "cohere"), Ledger: b.ledger,
	})
}

// Close frees the models and closes the index. No call may be under way.
func (b *Backend) Close() error {
	b.end()
	b.starting.Wait()
	b.ledger.Close()
	b.calibrator.Close() // it uses the models and the index
	err := b.models.close()
	if b.tracing.close != nil {
		b.tracing.close()
	}
	return errors.Join(err, b.closeReading(), b.recorder.Close(), b.store.Close())
}

// Warm loads the models now, so that the first search does not wait for them. A model that cannot be loaded is
// for the first search that wants it to report.
func (b *Backend) Warm() {
	gen, done := b.models.use()
	defer done()
	gen.searcher()
	_ = gen.inference().warm(b.life)
}

// Index brings a collection up to date with its files; a name that does not exist makes a collection. While another run of
// this process goes on it waits for its turn.
func (b *Backend) Index(ctx context.Context, req domain.IndexRequest, progress func(domain.IndexProgress)) (domain.IndexReport, error) {
	if req.Collection == "" {
		req.Collection = domain.DefaultCollection
	}
	c, err := b.AddCollection(ctx, req.Collection, req.Paths)
	if err != nil {
		return domain.IndexReport{}, err
	}
	if len(c.Roots) == 0 {
		return domain.IndexReport{}, domain.Errorf(domain.CodeUsage, "name a folder or a file to index",
			"the collection %q has no folders yet", c.Name)
	}
	select {
	case b.indexing <- struct{}{}:
		defer func() { <-b.indexing }()
	case <-ctx.Done():
		return domain.IndexReport{}, ctx.Err()
	}
	if err := b.completeDeletions(ctx); err != nil {
		return domain.IndexReport{}, err
	}
	if c, err = b.store.Collection(ctx, c.Name); err != nil { // it may have changed meanwhile
		return domain.IndexReport{}, err
	}
	gen, done := b.models.use()
	defer done()
	in := gen.inference()
	ingest := pipeline.Ingest{Store: b.store, Reader: b.files(), Embedder: in.embedder, NoEmbedder: in.noEmbedder, Retry: req.Retry,
		Again: req.Again, Rebuild: req.Rebuild, Hold: holdOnBattery(cmp.Or(req.OnBattery, c.Settings.OnBattery), powerNow)}
	ingest.OCR, ingest.NoOCR = b.recognition(ctx, req.NoOCR || c.Settings.NoOCR)
	report, err := ingest.Run(ctx, c, progress)
	if err == nil {
		err = b.afterRun(ctx, report)
	}
	return report, err
}

// TakeTurns makes index runs of this backend and of one that it replaces take turns. It comes before the first run.
func (b *Backend) TakeTurns(with *Backend) { b.indexing = with.indexing }

// AddCollection makes a collection, or adds paths to the one of that name. The paths must exist.
func (b *Backend) AddCollection(ctx context.Context, name string, paths []string) (domain.Collection, error) {
	roots, err := absolute(paths)
	if err != nil {
		return domain.Collection{}, err
	}
	return b.store.AddCollection(ctx, name, domain.PolicyAsk, roots...)
}

// Collections lists the collections with what is in them.
func (b *Backend) Collections(ctx context.Context) ([]domain.CollectionSummary, error) {
	return b.store.Summaries(ctx)
}

// RemoveCollection removes a collection from the index, with what was judged in it; the files stay. It waits for deletions that the
// start completes, and for no run.
func (b *Backend) RemoveCollection(ctx context.Context, name string) error {
	select {
	case <-b.wentOn:
	case <-ctx.Done():
		return ctx.Err()
	}
	return b.store.RemoveCollection(ctx, name, func(name string) error { return b.forgetCollection(ctx, name) })
}

// SetPolicy says whether passages of a collection may leave the machine.
func (b *Backend) SetPolicy(ctx context.Context, name string, p domain.Policy) error {
	return b.store.SetPolicy(ctx, name, p)
}

// Chunk gives a chunk with its document and the text around it.
func (b *Backend) Chunk(ctx context.Context, id int64) (domain.ChunkView, error) {
	return b.store.ChunkView(ctx, id)
}

// Status says what runs and what is degraded. It loads the models, for only then that is known.
func (b *Backend) Status(ctx context.Context) (domain.Status, error) {
	collections, err := b.Collections(ctx)
	if err != nil {
		return domain.Status{}, err
	}
	gen, done := b.models.use()
	defer done()
	in := gen.inference()
	calibration, err := b.calibrations(ctx, in.local)
	if err != nil {
		return domain.Status{}, err
	}
	return domain.Status{
		Version: Version, DataDir: b.cfg.DataDir, IndexBytes: b.store.Bytes(), Offline: b.cfg.Offline, Collections: collections,
		Runtime: in.runtimeStatus(), Embedder: in.embedderStatus(), Local: in.localStatus(ctx), Cohere: b.cohereStatus(ctx, gen),
		Ledger:      b.ledgerComponent(ctx),
		Drill:       b.drillSummary(),
		Calibration: calibration,
	}, nil
}

func (b *Backend) cohereStatus(ctx context.Context, gen *generation) domain.Component {
	remote := b.remote(ctx)
	if remote.Reranker == nil {
		return domain.Component{Name: "Cohere", Reason: remote.Reason}
	}
	c := domain.Component{Ready: !b.cfg.Offline, Name: "Cohere", Version: remote.Info().Model, Device: remote.Host}
	if b.cfg.Offline {
		c.Reason = "The offline switch is on."
	} else if paused := gen.searcher().Chain.Paused(ctx); paused != "" {
		c.Ready, c.Reason = false, paused
	}
	return c
}

// absolute makes paths absolute and clean, each once, and checks that they are there.
func absolute(paths []string) ([]string, error) {
	var out []string
	for _, p := range paths {
		abs, err := filepath.Abs(p)
		if err != nil {
			return nil, fmt.Errorf("path %s: %w", p, err)
		}
		if !exists(abs) {
			return nil, domain.Errorf(domain.CodeNotFound, "check the path", "there is no file or folder %s", abs)
		}
		if !slices.Contains(out, abs) {
			out = append(out, abs)
		}
	}
	return out, nil
}
