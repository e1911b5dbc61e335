package backend

import (
	"cmp"
	"os"
	"path/filepath"
	"slices"

	"fanous/backend/onnx"
	"fanous/backend/trial"
	"fanous/models"
)

// installedModel is a model's folder with its manifest.
type installedModel struct {
	models.Manifest
	dir string
}

// installedIn lists the models of a role in the folders of models.
func installedIn(dirs []string, role models.Role) []installedModel {
	return slices.DeleteFunc(everyInstalled(dirs), func(m installedModel) bool { return m.Role != role })
}

// everyInstalled lists what is in the folders of models, as far as manifests tell.
func everyInstalled(dirs []string) []installedModel {
	var out []installedModel
	for _, dir := range dirs {
		entries, err := os.ReadDir(dir)
		if err != nil {
			continue // not there: nothing is installed in it
		}
		for _, e := range entries {
			path := filepath.Join(dir, e.Name())
			if m, err := models.Load(path); err == nil {
				out = append(out, installedModel{m, path})
			}
		}
	}
	return out
}

// judged says whether a model is one that we know to be good, so that a self-test may judge what it prefers.
func judged(m models.Manifest) bool {
	e, ok := models.Catalogue().Find(m.Name)
	return ok && e.Digest() == m.Digest()
}

// placed is a model on a device.
type placed struct {
	installedModel
	device onnx.Device
	test   trial.Subject
}

// plan says what runs where. It follows from what is installed and from what self-tests have found out so far.
type plan struct {
	library   string
	embedders []placed // in the order to try them
	rerankers map[models.Tier]placed
	refused   []refusal
	pending   []trial.Subject // self-tests that could change the plan, in the order to make them
}

// refusal is a model that a self-test keeps from a device.
type refusal struct {
	placed
	result trial.Result
}

// planner makes plans for one library.
type planner struct {
	library string
	dirs    []string
	devices []onnx.Device
	known   func(trial.Subject) (trial.Result, bool)
}

func (p planner) plan() plan {
	out := plan{library: p.library, rerankers: map[models.Tier]placed{}}
	usable := p.usable(&out)
	for _, m := range inOrder(installedIn(p.dirs, models.Embedder), onnx.CPU) {
		// Vectors of one index come from one device: another one rounds otherwise.
		out.embedders = append(out.embedders, p.place(m, onnx.CPU))
	}
	rerankers := installedIn(p.dirs, models.Reranker)
	for _, tier := range []models.Tier{models.Precise, models.Fast} {
		of := slices.DeleteFunc(slices.Clone(rerankers), func(m installedModel) bool { return m.Tier != tier })
		if chosen, ok := p.choose(&out, of, usable); ok {
			out.rerankers[tier] = chosen
		}
	}
	return out
}

// usable are the devices that the library can use here, as far as that is known.
func (p planner) usable(out *plan) []onnx.Device {
	return slices.DeleteFunc(slices.Clone(p.devices), func(d onnx.Device) bool {
		if d == onnx.CPU {
			return false
		}
		test := trial.Subject{Library: p.library, Device: d}
		r, ok := p.known(test)
		if !ok {
			out.pending = append(out.pending, test)
		}
		return !ok || !r.Passed()
	})
}

// choose takes the first device that runs one of the models, in the precision that suits it best. The CPU needs no
// self-test to be chosen: it is made when the model is first loaded.
func (p planner) choose(out *plan, of []installedModel, devices []onnx.Device) (placed, bool) {
	for _, d := range devices {
		for _, m := range inOrder(of, d) {
			candidate := p.place(m, d)
			r, ok := p.known(candidate.test)
			switch {
			case ok && !r.Passed():
				out.refused = append(out.refused, refusal{candidate, r})
			case ok || d == onnx.CPU:
				if !ok {
					out.pending = append(out.pending, candidate.test)
				}
				return candidate, true
			default:
				out.pending = append(out.pending, candidate.test)
			}
		}
	}
	return placed{}, false
}

func (p planner) place(m installedModel, d onnx.Device) placed {
	return placed{m, d, trial.Subject{Library: p.library, Model: m.dir, Device: d, Judge: judged(m.Manifest)}}
}

// inOrder puts models in the order of their tiers, and of how well their precisions suit a device.
func inOrder(of []installedModel, d onnx.Device) []installedModel {
	tiers := []models.Tier{models.Precise, models.Fast, models.Starter}
	precisions := []string{"int8", "int8-words4", "q4", "fp32"} // 16-bit floats are made 32 again by a CPU, in memory and time
	if d != onnx.CPU {
		precisions = []string{"fp16", "fp32"} // the kernels of whole numbers are for CPUs
	}
	last := func(i int) int {
		if i < 0 {
			return 100
		}
		return i
	}
	return slices.SortedStableFunc(slices.Values(of), func(a, b installedModel) int {
		return cmp.Or(
			last(slices.Index(tiers, a.Tier))-last(slices.Index(tiers, b.Tier)),
			last(slices.Index(precisions, a.Precision))-last(slices.Index(precisions, b.Precision)),
		)
	})
}
