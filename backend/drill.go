package backend

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"os"
	"path/filepath"
	"sync/atomic"
	"time"

	"fanous/backend/cohere"
	"fanous/backend/domain"
	"fanous/backend/drill"
	"fanous/backend/onnx"
	"fanous/backend/rerank"
	"fanous/models"
	"fanous/models/fetch"
	"fanous/models/install"
	"fanous/network"
)

// drillName is the last drill, in the data folder.
const drillName = "drill.json"

// Drill finds out what would become of searching if the network went now: it checks models, devices, memory, disk and
// index, and replays searches on each local tier with every way out shut. Searches of others go on meanwhile, as they
// were. The report is kept, without any text of a query or a document.
func (b *Backend) Drill(ctx context.Context, req domain.DrillRequest, progress func(domain.DrillProgress)) (domain.DrillReport, error) {
	if progress == nil {
		progress = func(domain.DrillProgress) {}
	}
	d := &drilling{Backend: b, req: req, progress: progress, memory: free, disk: fetch.FreeBytes}
	return d.run(ctx)
}

// DrillIsDue says whether the settings want a drill by now.
func (b *Backend) DrillIsDue(now time.Time) bool {
	if b.cfg.DrillDays == 0 {
		return false
	}
	last := b.drillSummary()
	return last == nil || now.Sub(last.At) >= time.Duration(b.cfg.DrillDays)*24*time.Hour
}

// LastDrill is the report of the last drill, its sentences in a language; nil: there was none.
func (b *Backend) LastDrill(ctx context.Context, language string) (*domain.DrillReport, error) {
	r, err := b.readDrill()
	if r == nil || err != nil {
		return nil, err
	}
	if err := b.nameDrill(ctx, r); err != nil {
		return nil, err
	}
	drill.Translate(r, language)
	return r, nil
}

// WriteDrill writes the report of a drill as a page for people, in a language, into a new file.
func (b *Backend) WriteDrill(r domain.DrillReport, path, language string) error {
	f, err := os.OpenFile(path, os.O_WRONLY|os.O_CREATE|os.O_EXCL, 0o600)
	switch {
	case errors.Is(err, os.ErrExist):
		return domain.Errorf(domain.CodeUsage, "name a file that does not exist yet", "there is a file %s", path)
	case err != nil:
		return domain.Errorf(domain.CodeUsage, "name a file in a folder that you may write to", "%w", err)
	}
	return errors.Join(drill.WriteHTML(f, r, language), f.Close())
}

// drilling is one drill.
type drilling struct {
	*Backend
	req      domain.DrillRequest
	progress func(domain.DrillProgress)

	memory func() (bytes int64)
	disk   func(dir string) (free int64, err error)

	last    *domain.DrillReport // the drill before; nil: none
	escaped atomic.Int64        // requests that were answered
	report  domain.DrillReport
}

func (d *drilling) run(ctx context.Context) (domain.DrillReport, error) {
	start := time.Now()
	if d.req.Queries <= 0 {
		d.req.Queries = domain.DefaultDrillQueries
	}
	queries, source, err := d.queries(ctx)
	if err != nil {
		return domain.DrillReport{}, err
	}
	if d.last, err = d.readDrill(); err != nil {
		d.last = nil // it can be made, whatever became of the one before
	}
	d.report = domain.DrillReport{
		At: start.UTC(), Version: Version, System: install.System(), Processor: onnx.Processor(), Checks: []domain.DrillCheck{},
		Source: source, Queries: len(queries), Online: drill.OnlineOf(queries), Suffer: []domain.DrillQuery{}, Tiers: []domain.DrillTier{},
	}
	if d.remote(ctx).Reranker != nil && !d.cfg.Offline {
		d.report.FirstWait = float64(d.cfg.CohereDeadline.Milliseconds())
	}
	if err := d.checks(ctx, queries); err != nil {
		return domain.DrillReport{}, err
	}
	d.report.MS = float64(time.Since(start).Milliseconds())
	if err := d.nameDrill(ctx, &d.report); err != nil {
		return domain.DrillReport{}, err
	}
	drill.Judge(&d.report, "en")
	if err := d.keepDrill(d.report); err != nil {
		d.report.Checks = append(d.report.Checks, domain.DrillCheck{Name: domain.DrillCheckDisk, Findings: []domain.DrillFinding{{
			Weight: domain.DrillWarning, Code: domain.CodeDiskFull, What: d.cfg.DataDir, Reason: "The report cannot be kept: " + sentence(err), Hint: "make room",
		}}})
	}
	drill.Translate(&d.report, d.req.Language)
	return d.report, nil
}

// replay asks the queries of every tier, cut off.
func (d *drilling) replay(ctx context.Context, queries []drill.Query) ([]domain.DrillFinding, error) {
	gen, done := d.models.use()
	defer done()
	tiers, err := d.tiers(ctx, gen.inference())
	if err != nil {
		return nil, err
	}
	out, err := drill.Replay(ctx, queries, tiers, func(tier string, n, of int) {
		d.progress(domain.DrillProgress{Step: domain.DrillStepReplay, Tier: tier, Done: n, Of: of})
	})
	if err != nil {
		return nil, err
	}
	d.report.Tiers = out.Tiers
	if out.Suffer != nil {
		d.report.Suffer = out.Suffer
	}
	if n := d.escaped.Load(); n > 0 {
		out.Findings = append(out.Findings, domain.DrillFinding{
			Weight: domain.DrillFatal, Code: domain.CodeEscaped, What: "Cohere",
			Reason: fmt.Sprintf("%d requests have left although every way out was shut.", n), Hint: "report this: it is a fault of Fanous",
		})
	}
	return out.Findings, nil
}

// tiers are the ways to search without a network, the one that a search would take first.
func (d *drilling) tiers(ctx context.Context, in *inference) ([]drill.Tier, error) {
	cohere, err := d.cutOff(ctx)
	if err != nil {
		return nil, err
	}
	var out []drill.Tier
	add := func(name string, ranker rerank.Reranker, mode domain.RerankMode) {
		chain := rerank.NewChain(rerank.Given(cohere), ranker, in.noLocal, rerank.ChainOptions{
			CohereDeadline: d.cfg.CohereDeadline, LocalBudget: d.cfg.LocalBudget,
		})
		searcher := d.newSearcher(chain)
		searcher.Calibrator, searcher.Log, searcher.NoEmbedder = nil, nil, in.noEmbedder
		if in.embedder != nil {
			searcher.Embed, searcher.EmbedPassages = in.embedder.Query, in.embedder.Passages
		}
		t := drill.Tier{
			Report: domain.DrillTier{Tier: name, Backend: domain.BackendNone},
			Load:   func(context.Context) error { return nil },
			Search: func(ctx context.Context, q drill.Query, top int) (domain.SearchResponse, error) {
				return searcher.Search(ctx, domain.SearchRequest{
					Query: q.Text, Collection: q.Collection, Method: q.Method, Rerank: mode, Top: top, Candidates: max(top, d.cfg.Candidates),
				}, nil)
			},
		}
		if ranker != nil {
			info := ranker.Info()
			t.Report.Backend, t.Report.Model, t.Report.Device, t.Report.Precision = info.Backend, info.Model, info.Device, info.Precision
			t.Load = func(ctx context.Context) error { return load(ctx, ranker) }
		}
		out = append(out, t)
	}
	add(domain.DrillTierServing, in.measured, domain.RerankAuto)
	for _, tier := range []domain.LocalTier{domain.TierPrecise, domain.TierFast, domain.TierLate} {
		if r := in.tiers[tier]; r != nil && len(in.tiers) > 1 { // alone it is the one that serves
			add(string(tier), r, domain.RerankAuto)
		}
	}
	add(domain.DrillTierNone, nil, domain.RerankOff)
	return out, nil
}

// load has a ranker score one pair, for which it must be there.
func load(ctx context.Context, r rerank.Reranker) error {
	_, err := r.Rerank(ctx, rerank.Request{Query: "lantern", Passages: []string{"the lantern of the harbour"}})
	return err
}

// cutOff is Cohere as searches have it, over a network that opens nothing. nil: there is no key, and nobody would ask.
func (d *drilling) cutOff(ctx context.Context) (rerank.Reranker, error) {
	a := d.access(ctx)
	if a.remote.Reranker == nil {
		return nil, nil
	}
	client, err := cohere.New(cohere.Options{
		Key: a.key, URL: d.cfg.CohereURL, Model: d.cfg.CohereModel, MaxTokens: d.cfg.CohereMaxTokens, Network: network.New(true),
		Before: func(context.Context, cohere.Sending) (func(string, int), error) {
			return func(_ string, status int) {
				if status != 0 { // somebody has answered
					d.escaped.Add(1)
				}
			}, nil
		},
	})
	if err != nil {
		return nil, err
	}
	return rerank.NewCohere(client), nil
}

// readDrill reads the kept report; nil: there is none.
func (b *Backend) readDrill() (*domain.DrillReport, error) {
	data, err := os.ReadFile(filepath.Join(b.cfg.DataDir, drillName))
	if errors.Is(err, os.ErrNotExist) {
		return nil, nil
	}
	if err != nil {
		return nil, fmt.Errorf("the last drill: %w", err)
	}
	var r domain.DrillReport
	if err := json.Unmarshal(data, &r); err != nil {
		return nil, fmt.Errorf("the last drill: %w", err)
	}
	return &r, nil
}

// drillSummary is the last drill in short; nil: there was none, or it cannot be read.
func (b *Backend) drillSummary() *domain.DrillSummary {
	r, err := b.readDrill()
	if r == nil || err != nil {
		return nil
	}
	return &domain.DrillSummary{At: r.At, State: r.State, Verdict: r.Verdict}
}

// keepDrill keeps a report without text, so that nothing of a document that is deleted stays in it.
func (b *Backend) keepDrill(r domain.DrillReport) error {
	suffer := make([]domain.DrillQuery, len(r.Suffer))
	for i, q := range r.Suffer {
		q.Text = ""
		lost := make([]domain.DrillLost, len(q.Lost))
		for k, l := range q.Lost {
			l.Title = ""
			lost[k] = l
		}
		q.Lost = lost
		suffer[i] = q
	}
	r.Suffer = suffer
	return models.WriteJSON(filepath.Join(b.cfg.DataDir, drillName), r)
}
