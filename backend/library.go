package backend

import (
	"context"
	"path/filepath"
	"runtime"
	"strings"

	"fanous/backend/domain"
	"fanous/backend/onnx"
	"fanous/backend/trial"
	"fanous/models"
	"fanous/models/install"
)

// library is an ONNX Runtime library that could be loaded, and why it was not.
type library struct {
	path    string
	device  onnx.Device // that it was installed for; CPU for the one of the settings
	dir     string      // of the runtime that it belongs to; empty for the one of the settings
	failure error       // nil: it is in use, or was not needed
}

// libraries are those that are here for the devices, in the order to try them: runtimes that were installed for a
// device serve the CPU as well.
func libraries(cfg Config, devices []onnx.Device) []library {
	var out []library
	for _, d := range devices {
		if d == onnx.CPU {
			continue
		}
		for _, m := range installedIn(cfg.ModelDirs, models.Runtime) {
			if m.System == install.System() && m.Tier == models.Tier(strings.ToLower(string(d))) {
				out = append(out, library{path: filepath.Join(m.dir, runtimeName()), device: d, dir: m.dir})
			}
		}
	}
	return append(out, library{path: cfg.library(), device: onnx.CPU})
}

// loadLibrary loads the first library that works, and says of the others why they do not. A process has room for one:
// where it has one already, that is it.
func loadLibrary(ctx context.Context, cfg Config, tester *trial.Tester) (*onnx.Runtime, []library) {
	tried := libraries(cfg, cfg.devices(runtime.GOOS))
	var use *onnx.Runtime
	for i := range tried {
		if use != nil {
			break
		}
		use, tried[i].failure = tried[i].load(ctx, tester)
	}
	return use, tried
}

func (l library) load(ctx context.Context, tester *trial.Tester) (*onnx.Runtime, error) {
	if l.dir != "" {
		// Without its device it is only an older library than the one of the program.
		if r, ok := tester.Known(trial.Subject{Library: l.path, Device: l.device}); ok && !r.Passed() {
			return nil, r.Err()
		}
		if err := confirm(ctx, l.dir); err != nil {
			return nil, err
		}
	}
	if err := onnx.Check(l.path); err != nil { // what can be seen from outside needs no process
		return nil, err
	}
	if err := passes(ctx, tester, trial.Subject{Library: l.path, Device: onnx.CPU}); err != nil {
		return nil, err
	}
	return onnx.Load(l.path)
}

// passes makes a self-test that was not made before, where there can be one, and says why it failed.
func passes(ctx context.Context, tester *trial.Tester, s trial.Subject) error {
	if r, ok := tester.Known(s); ok {
		return r.Err()
	}
	if !tester.Can() {
		return nil
	}
	r, err := tester.Ensure(ctx, s)
	if err != nil {
		return ctx.Err() // a machine that starts no process is tried without
	}
	return r.Err()
}

// confirm compares the files of a model or runtime with their digests, reading those that were not read before.
func confirm(ctx context.Context, dir string) error {
	m, err := models.Load(dir)
	if err != nil {
		return domain.Errorf(domain.CodeModelManifest, "install it again", "%w", err)
	}
	if e, ok := models.Catalogue().Find(m.Name); ok {
		m = e.Manifest
	}
	s, err := m.Confirm(ctx, filepath.Dir(dir))
	if err != nil {
		return err
	}
	if s.State != models.Installed {
		return domain.Errorf(faultCode(s), "get it again: fanous models get "+m.Name, "%s is damaged: %s", m.Name, s.Reason)
	}
	return nil
}
