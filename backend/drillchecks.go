package backend

import (
	"context"
	"fmt"
	"io"
	"os"
	"path/filepath"
	"time"

	"fanous/backend/domain"
	"fanous/backend/drill"
	"fanous/backend/onnx"
	"fanous/backend/pipeline"
	"fanous/backend/trial"
	"fanous/models"
)

const (
	// drillRoom is the disk space that a machine without a network should have: for the log, temporary files, one prepared
	// model.
	drillRoom = 512 << 20
	// memoryBeside is what is left for the rest of the program beside its models.
	memoryBeside = 256 << 20
)

// checks makes every check, in order, and then replays.
func (d *drilling) checks(ctx context.Context, queries []drill.Query) error {
	for _, c := range []struct {
		name string
		make func(context.Context) (findings []domain.DrillFinding, skipped string, err error)
	}{
		{domain.DrillCheckModels, d.checkModels},
		{domain.DrillCheckTiers, d.checkTiers},
		{domain.DrillCheckDevices, d.checkDevices},
		{domain.DrillCheckMemory, d.checkMemory},
		{domain.DrillCheckDisk, d.checkDisk},
		{domain.DrillCheckIndex, d.checkIndex},
		{domain.DrillCheckStamps, d.checkStamps},
		{domain.DrillCheckLedger, d.checkLedger},
		{domain.DrillCheckCutOff, func(ctx context.Context) ([]domain.DrillFinding, string, error) {
			findings, err := d.replay(ctx, queries)
			return findings, "", err
		}},
	} {
		d.progress(domain.DrillProgress{Step: c.name})
		start := time.Now()
		findings, skipped, err := c.make(ctx)
		if err == nil {
			err = ctx.Err()
		}
		if err != nil {
			return err
		}
		d.report.Checks = append(d.report.Checks, domain.DrillCheck{
			Name: c.name, Skipped: skipped, MS: float64(time.Since(start).Milliseconds()), Findings: append([]domain.DrillFinding{}, findings...),
		})
	}
	return nil
}

// found makes a finding of an error.
func found(weight domain.DrillWeight, what string, err error) domain.DrillFinding {
	return domain.DrillFinding{Weight: weight, Code: domain.CodeOf(err), What: what, Reason: sentence(err), Hint: domain.HintOf(err)}
}

func (d *drilling) checkModels(ctx context.Context) (out []domain.DrillFinding, _ string, _ error) {
	list, err := d.VerifyModels(ctx, "", func(p domain.ModelProgress) {
		d.progress(domain.DrillProgress{Step: domain.DrillCheckModels, Tier: p.Name, Done: int(p.Done >> 20), Of: int(p.Total >> 20)})
	})
	if err != nil {
		return nil, "", err
	}
	for _, m := range list {
		if m.State == domain.ModelInstalled || m.State == domain.ModelIncomplete {
			continue // what is on its way serves nobody yet
		}
		out = append(out, domain.DrillFinding{Weight: domain.DrillWarning, Code: m.Code, What: m.Name, Reason: m.Name + ": " + m.Reason + ".", Hint: m.Hint})
	}
	return out, "", nil
}

// checkTiers says which local rankers are missing. One that the last drill had is a warning, one that was never there a
// note.
func (d *drilling) checkTiers(context.Context) (out []domain.DrillFinding, _ string, _ error) {
	gen, done := d.models.use()
	defer done()
	in := gen.inference()
	if in.library == nil {
		out = append(out, found(domain.DrillWarning, "ONNX Runtime", in.libraryFault()))
	}
	if in.embedder == nil && in.library != nil {
		c := in.embedderStatus()
		out = append(out, domain.DrillFinding{Weight: domain.DrillWarning, Code: c.Code, What: c.Name, Reason: c.Reason, Hint: c.Hint})
	}
	if len(in.tiers) == 0 {
		out = append(out, domain.DrillFinding{Weight: domain.DrillWarning, Code: domain.CodeNoLocal, What: "local reranker", Reason: in.noLocal, Hint: "get one: fanous models list"})
	}
	for _, tier := range []domain.LocalTier{domain.TierPrecise, domain.TierFast, domain.TierLate} {
		name := string(tier)
		switch {
		case in.tiers[tier] != nil:
		case d.hadTier(name):
			out = append(out, domain.DrillFinding{Weight: domain.DrillWarning, Code: domain.CodeTierGone, What: name,
				Reason: fmt.Sprintf("The %s ranker, which served in the drill of %s, is not there any more.", name, d.last.At.Local().Format(time.DateOnly)),
				Hint:   "get its model again: fanous models list"})
		case tier != domain.TierLate:
			out = append(out, domain.DrillFinding{Weight: domain.DrillNote, Code: domain.CodeTierMissing, What: name,
				Reason: fmt.Sprintf("The %s ranker is not installed.", name), Hint: "get its model: fanous models list"})
		}
	}
	return out, "", nil
}

// hadTier says whether a tier was measured by the last drill.
func (d *drilling) hadTier(name string) bool {
	if d.last == nil {
		return false
	}
	for _, t := range d.last.Tiers {
		if t.Tier == name && t.Skipped == "" {
			return true
		}
	}
	return false
}

// checkDevices makes the self-test of each model that would run once more, whatever came out before.
func (d *drilling) checkDevices(ctx context.Context) (out []domain.DrillFinding, skipped string, _ error) {
	if !d.tester.Can() {
		return nil, "This program cannot start itself for a test in a process of its own.", nil
	}
	p := planFor(d.library(), d.cfg, d.tester)
	for _, r := range p.refused {
		out = append(out, found(domain.DrillWarning, r.Name, r.result.Err()))
	}
	for _, m := range planned(p) {
		if confirm(ctx, m.dir) != nil {
			continue // the check of the files has named it
		}
		r, err := d.tester.Try(ctx, m.test)
		if err != nil {
			return nil, "", err
		}
		if !r.Passed() {
			out = append(out, found(domain.DrillWarning, m.Name, r.Err()))
		}
	}
	return out, "", nil
}

// library is the path of the one in use.
func (d *drilling) library() string {
	gen, done := d.models.use()
	defer done()
	if in := gen.inference(); in.library != nil {
		return in.library.Path()
	}
	return d.cfg.library()
}

// planned are the models of a plan that would run.
func planned(p plan) []placed {
	var out []placed
	if len(p.embedders) > 0 {
		out = append(out, p.embedders[0])
	}
	for _, tier := range []models.Tier{models.Precise, models.Fast} {
		if m, ok := p.rerankers[tier]; ok {
			out = append(out, m)
		}
	}
	return out
}

// checkMemory compares what the models take on the CPU with what there is for them.
func (d *drilling) checkMemory(context.Context) (out []domain.DrillFinding, skipped string, _ error) {
	have := d.memory()
	if have == 0 {
		return nil, "The system does not say how much memory is free.", nil
	}
	need := int64(memoryBeside)
	for _, m := range planned(planFor(d.library(), d.cfg, d.tester)) {
		if m.device == onnx.CPU {
			need += d.takes(m)
		}
	}
	if have < need {
		out = append(out, domain.DrillFinding{Weight: domain.DrillWarning, Code: domain.CodeMemoryLow, What: "memory",
			Reason: fmt.Sprintf("The models take about %d MiB of memory and %d MiB are there for them.", need>>20, have>>20),
			Hint:   "end other programs, or use a smaller ranker (local_tier in the settings)"})
	}
	return out, "", nil
}

// free is the memory that is free or in this program's hands already; 0: not known.
func free() int64 {
	_, bytes := memory()
	if bytes == 0 {
		return 0
	}
	return bytes + trial.ResidentBytes()
}

// takes is the memory of a model: what its self-test has measured, or else the size of its files.
func (d *drilling) takes(m placed) (bytes int64) {
	if r, ok := d.tester.Known(m.test); ok && r.Bytes > 0 {
		return r.Bytes
	}
	for _, f := range m.Files {
		bytes += f.Bytes
	}
	return bytes
}

func (d *drilling) checkDisk(context.Context) (out []domain.DrillFinding, _ string, _ error) {
	fault := func(reason, hint string) {
		out = append(out, domain.DrillFinding{Weight: domain.DrillWarning, Code: domain.CodeDiskFull, What: d.cfg.DataDir, Reason: reason, Hint: hint})
	}
	if free, err := d.disk(d.cfg.DataDir); err == nil && free < drillRoom {
		fault(fmt.Sprintf("%d MiB are free where the data folder is, and %d should be.", free>>20, int64(drillRoom)>>20), "make room")
	}
	probe := filepath.Join(d.cfg.DataDir, "drill.probe")
	if _, err := models.WriteFile(probe, writesZeros); err != nil {
		fault("Nothing can be written into the data folder: "+sentence(err), "make room, or give the folder back its permissions")
	} else if err := os.Remove(probe); err != nil {
		return nil, "", err
	}
	return out, "", nil
}

func (d *drilling) checkIndex(ctx context.Context) ([]domain.DrillFinding, string, error) {
	err := d.store.Check(ctx)
	switch {
	case ctx.Err() != nil:
		return nil, "", ctx.Err()
	case err == nil:
		return nil, "", nil
	case domain.CodeOf(err) == domain.CodeLocked:
		return nil, "Something is being indexed; the index is checked when that is done.", nil
	}
	f := found(domain.DrillFatal, "index", err)
	f.Code = domain.CodeDamaged // or cannot be read at all, which is no better
	return []domain.DrillFinding{f}, "", nil
}

func (d *drilling) checkStamps(ctx context.Context) (out []domain.DrillFinding, _ string, _ error) {
	gen, done := d.models.use()
	defer done()
	in := gen.inference()
	m, err := d.store.CheckStamp(ctx, pipeline.Stamp(in.embedder))
	if err != nil {
		return []domain.DrillFinding{found(domain.DrillFatal, "index", err)}, "", nil
	}
	stale := func(differs bool, weight domain.DrillWeight, what, reason string) {
		if differs {
			out = append(out, domain.DrillFinding{Weight: weight, Code: domain.CodeStampStale, What: what, Reason: reason, Hint: "index the collections again: fanous index"})
		}
	}
	stale(m.Lexical, domain.DrillWarning, "analyser", fmt.Sprintf("The terms of the index are of analyser %s, this program has %s: words may not be found.", m.Have.Analyser, m.Want.Analyser))
	stale(m.Vectors, domain.DrillWarning, "embedder", "The vectors of the index are of another embedder than the one that is installed: there is no search by meaning.")
	stale(m.Chunking, domain.DrillNote, "chunker", "The passages were cut by another version; they stay searchable.")
	collections, err := d.Collections(ctx)
	if err != nil {
		return []domain.DrillFinding{found(domain.DrillFatal, "index", err)}, "", nil
	}
	chunks := 0
	for _, c := range collections {
		chunks += c.Chunks
		n, err := d.store.CountMissingVectors(ctx, c.ID)
		if err != nil {
			return []domain.DrillFinding{found(domain.DrillFatal, c.Name, err)}, "", nil
		}
		if n > 0 && in.embedder != nil {
			out = append(out, domain.DrillFinding{Weight: domain.DrillWarning, Code: domain.CodeVectorsMissing, What: c.Name,
				Reason: fmt.Sprintf("%d passages of %s have no vector yet and are found by their words only.", n, c.Name), Hint: "index it again: fanous index --collection " + c.Name})
		}
	}
	if chunks == 0 {
		out = append(out, domain.DrillFinding{Weight: domain.DrillFatal, Code: domain.CodeNothingIndexed, What: "index", Reason: "Nothing is indexed yet.", Hint: "index a folder: fanous index PATH"})
	}
	return out, "", nil
}

// checkLedger notes what is wrong with the ledger: it keeps requests from leaving, and a search without a network asks
// for nothing else.
func (d *drilling) checkLedger(ctx context.Context) (out []domain.DrillFinding, _ string, _ error) {
	if c := d.ledgerComponent(ctx); !c.Ready {
		out = append(out, domain.DrillFinding{Weight: domain.DrillNote, Code: c.Code, What: c.Name, Reason: c.Reason, Hint: c.Hint})
	}
	return out, "", nil
}

// writesZeros writes as much as shows that there is room.
func writesZeros(w io.Writer) error {
	_, err := w.Write(make([]byte, 1<<20))
	return err
}
