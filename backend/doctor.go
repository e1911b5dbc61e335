package backend

import (
	"context"
	"fmt"
	"os"
	"path/filepath"
	"runtime"
	"slices"
	"strings"

	"fanous/backend/domain"
	"fanous/backend/onnx"
	"fanous/backend/trial"
	"fanous/models"
	"fanous/models/fetch"
	"fanous/models/install"
)

// Doctor makes the self-tests that were not made yet, loads the models and says how everything stands. With again,
// earlier self-tests do not count.
func (b *Backend) Doctor(ctx context.Context, again bool) (domain.Doctor, error) {
	if again {
		if err := os.Remove(filepath.Join(b.cfg.DataDir, selfTestsName)); err != nil && !os.IsNotExist(err) {
			return domain.Doctor{}, fmt.Errorf("earlier self-tests: %w", err)
		}
		b.ReloadModels()
	}
	if err := b.SelfTest(ctx); err != nil {
		return domain.Doctor{}, err
	}
	list, err := b.Models(ctx)
	if err != nil {
		return domain.Doctor{}, err
	}
	gen, done := b.models.use()
	defer done()
	in := gen.inference()
	d := domain.Doctor{
		Problems: []string{}, Version: Version, System: install.System(), DataDir: b.cfg.DataDir,
		Processor: processor(),
		Library:   in.runtimeStatus(), Embedder: in.embedderStatus(), Local: in.localStatus(ctx),
		Ledger:  b.ledgerComponent(ctx),
		Drill:   b.drillSummary(),
		Volume:  volume(b.cfg.DataDir),
		OCR:     b.ocrStatus(ctx),
		Devices: b.deviceStates(in), Tests: b.deviceTests(in), Models: []domain.ModelStatus{},
		Settings: b.cfg.settings(),
	}
	d.MemoryBytes, d.FreeMemoryBytes = memory()
	d.FreeDiskBytes, _ = fetch.FreeBytes(b.cfg.DataDir)
	d.Path = b.cfg.RuntimeLibrary
	if in.library != nil {
		d.Path = in.library.Path()
	}
	for _, m := range list {
		if m.State != domain.ModelMissing {
			d.Models = append(d.Models, in.withFault(m))
		}
	}
	d.Problems = append(d.Problems, problems(d, b.cfg.Device)...)
	d.Ready = len(d.Problems) == 0
	return d, ctx.Err()
}

func processor() domain.Processor {
	p := domain.Processor{Name: onnx.Processor(), Cores: runtime.NumCPU(), Instructions: onnx.Instructions()}
	if p.Instructions == nil {
		p.Instructions = []string{}
	}
	if !onnx.FastBytes() {
		p.Note = "It has no instruction for products of bytes: an int8 model takes about twice the time."
	}
	return p
}

// withFault adds what only loading the model has shown.
func (in *inference) withFault(m domain.ModelStatus) domain.ModelStatus {
	if err := in.fault(m.Path); err != nil && m.State == domain.ModelInstalled {
		m.State, m.Code, m.Reason, m.Hint = domain.ModelRefused, domain.CodeOf(err), err.Error(), domain.HintOf(err)
		switch m.Code {
		case domain.CodeModelAltered, domain.CodeModelCut, domain.CodeModelEmpty, domain.CodeModelFile, domain.CodeModelWebPage:
			m.State = domain.ModelDamaged
		}
	}
	return m
}

// problems are what keeps an installation from being as good as what is on it. A model that is not installed is none.
func problems(d domain.Doctor, wanted onnx.Device) []string {
	var out []string
	add := func(what, reason, hint string) {
		s := what + ": " + strings.TrimSuffix(reason, ".") + "."
		if hint != "" {
			s += " What to do: " + hint + "."
		}
		if !slices.Contains(out, s) {
			out = append(out, s)
		}
	}
	for _, c := range []domain.Component{d.Library, d.Embedder, d.Local} {
		if !c.Ready && (d.Library.Ready || c.Name == d.Library.Name) {
			add(c.Name, c.Reason, c.Hint)
		}
	}
	if !d.Ledger.Ready {
		add(d.Ledger.Name, d.Ledger.Reason, d.Ledger.Hint)
	}
	for _, m := range d.Models {
		if m.State != domain.ModelInstalled {
			add(m.Name, m.Reason, m.Hint)
		}
	}
	for _, s := range d.Devices {
		if onnx.Device(s.Device) == wanted && !s.InUse {
			add(s.Device, s.Reason, s.Hint)
		}
	}
	return out
}

// deviceStates says of every device whether it runs a model, and else why not.
func (b *Backend) deviceStates(in *inference) []domain.DeviceState {
	out := []domain.DeviceState{}
	for _, d := range onnx.Devices() {
		s := domain.DeviceState{Device: string(d), InUse: in.uses(d)}
		if !s.InUse {
			err := in.unused(d, b.cfg.DeviceSettings)
			s.Code, s.Reason, s.Hint = domain.CodeOf(err), err.Error(), domain.HintOf(err)
		}
		out = append(out, s)
	}
	return out
}

// uses says whether a model runs on the device.
func (in *inference) uses(d onnx.Device) bool {
	if d == onnx.CPU && in.embedder != nil {
		return true
	}
	for _, m := range in.plan.rerankers {
		if m.device == d && in.fault(m.dir) == nil {
			return true
		}
	}
	return false
}

// unused is why no model runs on the device.
func (in *inference) unused(d onnx.Device, settings DeviceSettings) error {
	if why := d.On(runtime.GOOS); why != "" {
		return domain.Errorf(domain.CodeDeviceAbsent, "", "%s", why)
	}
	if err := settings.off(d); err != nil {
		return err
	}
	for _, l := range in.libraries { // one that was installed for the device and is not in use
		if l.device == d && l.failure != nil {
			return l.failure
		}
	}
	if in.library == nil {
		return in.libraryFault()
	}
	if r, ok := in.tester.Known(trial.Subject{Library: in.library.Path(), Device: d}); ok && !r.Passed() {
		return r.Err()
	} else if !ok && d != onnx.CPU {
		return domain.Errorf(domain.CodeDeviceUntested, "run `fanous doctor`", "it was not tried yet")
	}
	for _, r := range in.plan.refused {
		if r.device == d {
			return r.result.Err()
		}
	}
	return domain.Errorf(domain.CodeModelMissing, "see `fanous models list`", "no model that it could run is installed")
}

// deviceTests are the tests of what is installed, on every device.
func (b *Backend) deviceTests(in *inference) []domain.DeviceTest {
	out := []domain.DeviceTest{}
	if in.library == nil {
		return out
	}
	p := planner{library: in.library.Path()}
	all := append(installedIn(b.cfg.ModelDirs, models.Embedder), installedIn(b.cfg.ModelDirs, models.Reranker)...)
	for _, m := range all {
		for _, d := range b.cfg.devices(runtime.GOOS) {
			r, ok := b.tester.Known(p.place(m, d).test)
			if !ok {
				continue
			}
			out = append(out, domain.DeviceTest{
				Model: m.Name, Role: string(m.Role), Precision: m.Precision, Device: string(d), InUse: in.runs(m, d),
				Passed: r.Passed(), Code: r.Code, Reason: r.Reason, Hint: r.Hint,
				LoadMS: r.LoadMS, PerSecond: r.PerSecond, Tokens: r.Tokens, Bytes: r.Bytes, Difference: r.Difference,
			})
		}
	}
	return out
}

// runs says whether this model runs on that device.
func (in *inference) runs(m installedModel, d onnx.Device) bool {
	if m.Role == models.Embedder {
		return d == onnx.CPU && in.embedder != nil && in.embedder.Digest() == m.Digest()
	}
	planned := in.plan.rerankers[m.Tier]
	return planned.dir == m.dir && planned.device == d && in.fault(m.dir) == nil
}
