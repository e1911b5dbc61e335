package backend

import (
	"fmt"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"fanous/backend/domain"
	"fanous/backend/onnx"
	"fanous/backend/rerank"
	"fanous/backend/trial"
	"fanous/models"
)

// manifestOnly puts a folder of models there that has nothing but manifests: "TIER PRECISION" each, all rerankers but
// the starter.
func manifestOnly(t *testing.T, what ...string) string {
	t.Helper()
	dir := t.TempDir()
	for i, w := range what {
		tier, precision, _ := strings.Cut(w, " ")
		m := models.Manifest{
			Name: tier + "-" + precision, Role: models.Reranker, Tier: models.Tier(tier), Precision: precision, MaxTokens: 512, MaxQueryTokens: 256,
			Files: []models.File{{Name: models.GraphFile, SHA256: strings.Repeat(fmt.Sprint(i), 64)}},
		}
		if m.Tier == models.Starter {
			m.Role, m.Dim, m.Pooling = models.Embedder, 4, "mean"
		}
		if err := os.Mkdir(filepath.Join(dir, m.Name), 0o755); err != nil {
			t.Fatal(err)
		}
		if err := m.Save(filepath.Join(dir, m.Name)); err != nil {
			t.Fatal(err)
		}
	}
	return dir
}

// TestPlan: what runs where, by what is installed and what self-tests have found out. A test is named "MODEL on DEVICE",
// or "DEVICE" for the device alone.
func TestPlan(t *testing.T) {
	both := []string{"precise int8", "precise fp16"}
	gpu := []onnx.Device{onnx.CUDA, onnx.CPU}
	for _, c := range []struct {
		name           string
		installed      []string
		devices        []onnx.Device
		passed, failed string // tests, joined by commas
		chosen         string // the precise one's
		pending        string
	}{
		{"nothing", nil, gpu, "", "", "", "CUDA"},
		{"no device but the CPU", both, []onnx.Device{onnx.CPU}, "", "", "precise-int8 on CPU", "precise-int8 on CPU"},
		{"tested on the CPU", both, []onnx.Device{onnx.CPU}, "precise-int8 on CPU", "", "precise-int8 on CPU", ""},
		{"nothing tested", both, gpu, "", "", "precise-int8 on CPU", "CUDA,precise-int8 on CPU"},
		{"no CUDA", both, gpu, "", "CUDA", "precise-int8 on CPU", "precise-int8 on CPU"},
		{"CUDA is there", both, gpu, "CUDA", "", "precise-int8 on CPU", "precise-fp16 on CUDA,precise-int8 on CUDA,precise-int8 on CPU"},
		{"fp16 runs", both, gpu, "CUDA,precise-fp16 on CUDA", "", "precise-fp16 on CUDA", ""},
		{"fp16 fails", both, gpu, "CUDA,precise-int8 on CPU", "precise-fp16 on CUDA,precise-int8 on CUDA", "precise-int8 on CPU", ""},
		{"int8 alone leaves it to the CPU", both[:1], gpu, "CUDA", "precise-int8 on CUDA", "precise-int8 on CPU", "precise-int8 on CPU"},
		{"fp16 alone, without CUDA", both[1:], gpu, "", "CUDA", "precise-fp16 on CPU", "precise-fp16 on CPU"},
		{"int8 fails on the CPU", both, gpu, "", "CUDA,precise-int8 on CPU", "precise-fp16 on CPU", "precise-fp16 on CPU"},
		{"nothing runs", both, gpu, "", "CUDA,precise-int8 on CPU,precise-fp16 on CPU", "", ""},
		{"fp32 before fp16 on the CPU", []string{"precise fp16", "precise fp32"}, []onnx.Device{onnx.CPU}, "", "", "precise-fp32 on CPU", "precise-fp32 on CPU"},
		{"whole numbers before fp32", []string{"precise fp32", "precise int8-words4"}, []onnx.Device{onnx.CPU}, "", "", "precise-int8-words4 on CPU", "precise-int8-words4 on CPU"},
		{"fp32 on CUDA", []string{"precise int8", "precise fp32"}, gpu, "CUDA,precise-fp32 on CUDA", "", "precise-fp32 on CUDA", ""},
		{"DirectML after CUDA", both, []onnx.Device{onnx.CUDA, onnx.DirectML, onnx.CPU}, "DirectML,precise-fp16 on DirectML", "CUDA", "precise-fp16 on DirectML", ""},
	} {
		known := func(s trial.Subject) (trial.Result, bool) {
			name := string(s.Device)
			if s.Model != "" {
				name = filepath.Base(s.Model) + " on " + name
			}
			switch {
			case slices.Contains(strings.Split(c.passed, ","), name):
				return trial.Result{}, true
			case slices.Contains(strings.Split(c.failed, ","), name):
				return trial.Result{Code: domain.CodeDeviceFailed, Reason: "made-up"}, true
			}
			return trial.Result{}, false
		}
		p := planner{library: "lib", dirs: []string{manifestOnly(t, c.installed...)}, devices: c.devices, known: known}.plan()
		chosen := ""
		if m, ok := p.rerankers[models.Precise]; ok {
			chosen = m.Name + " on " + string(m.device)
		}
		var pending []string
		for _, s := range p.pending {
			name := string(s.Device)
			if s.Model != "" {
				name = filepath.Base(s.Model) + " on " + name
			}
			pending = append(pending, name)
		}
		if chosen != c.chosen || strings.Join(pending, ",") != c.pending {
			t.Errorf("%s: %q, waiting for %q; want %q, %q", c.name, chosen, strings.Join(pending, ","), c.chosen, c.pending)
		}
		if !p.same(p) || len(p.rerankers) > 0 && p.same(plan{}) {
			t.Errorf("%s: the plan is not itself", c.name)
		}
	}
}

// TestPlanOfTiers: each tier has its own model, and embedders stay on the CPU.
func TestPlanOfTiers(t *testing.T) {
	all := func(trial.Subject) (trial.Result, bool) { return trial.Result{}, true }
	dir := manifestOnly(t, "starter q4", "fast int8", "fast fp16", "precise int8")
	p := planner{library: "lib", dirs: []string{dir, filepath.Join(dir, "none")}, devices: []onnx.Device{onnx.CUDA, onnx.CPU}, known: all}.plan()
	if fast := p.rerankers[models.Fast]; fast.Name != "fast-fp16" || fast.device != onnx.CUDA || fast.test.Judge {
		t.Errorf("%+v", fast)
	}
	if len(p.embedders) != 1 || p.embedders[0].device != onnx.CPU {
		t.Errorf("%+v", p.embedders)
	}
}

func TestJudged(t *testing.T) {
	e, ok := models.Catalogue().Find("bge-reranker-v2-m3")
	if !ok || !judged(e.Manifest) {
		t.Error("the catalogue's own is not judged")
	}
	e.Files = slices.Clone(e.Files)
	e.Files[0].SHA256 = strings.Repeat("0", 64)
	if judged(e.Manifest) {
		t.Error("another one of that name is judged")
	}
}

func TestDeviceSettings(t *testing.T) {
	for _, c := range []struct {
		file, environment string
		want              onnx.Device
		fails             bool
	}{
		{"", "", "", false},
		{"auto", "", "", false},
		{"CUDA", "", onnx.CUDA, false},
		{"cpu", "", onnx.CPU, false},
		{"cuda", "auto", "", false},
		{"", "CoreML", onnx.CoreML, false},
		{"gpu", "", "", true},
		{"", "gpu", "", true},
	} {
		t.Setenv("FANOUS_DEVICE", c.environment)
		dir := t.TempDir()
		if c.file != "" {
			if err := os.WriteFile(filepath.Join(dir, configName), fmt.Appendf(nil, "device = %q", c.file), 0o644); err != nil {
				t.Fatal(err)
			}
		}
		cfg, err := LoadConfig("", dir)
		if (err != nil) != c.fails || c.fails && (domain.CodeOf(err) != domain.CodeUsage || domain.HintOf(err) == "") || !c.fails && cfg.Device != c.want {
			t.Errorf("%+v: %q, %v", c, cfg.Device, err)
		}
	}
	for _, c := range []struct {
		device onnx.Device
		goos   string
		want   []onnx.Device
	}{
		{"", "linux", []onnx.Device{onnx.CUDA, onnx.CPU}},
		{"", "windows", []onnx.Device{onnx.CUDA, onnx.DirectML, onnx.CPU}},
		{"", "darwin", []onnx.Device{onnx.CoreML, onnx.CPU}},
		{onnx.CPU, "linux", []onnx.Device{onnx.CPU}},
		{onnx.CUDA, "windows", []onnx.Device{onnx.CUDA, onnx.CPU}},
		{onnx.CoreML, "linux", []onnx.Device{onnx.CPU}},
	} {
		s := DeviceSettings{Device: c.device}
		if got := s.devices(c.goos); !slices.Equal(got, c.want) {
			t.Errorf("%q on %s: %v, want %v", c.device, c.goos, got, c.want)
		}
	}
}

// TestAlone: with a device that reads the whole pool there is no cascade.
func TestAlone(t *testing.T) {
	asked := []string{}
	late, fast, precise := named{"late", false, &asked}, named{"fast", false, &asked}, named{"precise", true, &asked}
	r := alone(late, fast, precise)
	req := rerankRequest(20)
	_, _ = r.Rerank(t.Context(), req)
	if fmt.Sprint(asked) != "[precise20 fast20]" {
		t.Errorf("asked %v", asked)
	}
	asked = nil
	_, _ = alone(late, nil, named{"precise", true, &asked}).Rerank(t.Context(), req)
	if fmt.Sprint(asked) != "[precise20 late20]" {
		t.Errorf("asked %v", asked)
	}
	for elsewhere, want := range map[bool]string{false: "[fast20 precise12]", true: "[precise20]"} {
		asked = nil
		_, _ = joined(domain.TierAuto, elsewhere, late, fast, named{"precise", false, &asked}, rerank.CascadeOptions{}).Rerank(t.Context(), req)
		if fmt.Sprint(asked) != want {
			t.Errorf("elsewhere %v: asked %v, want %s", elsewhere, asked, want)
		}
	}
	if r := alone(nil, nil, precise); r.Info().Model != "precise" {
		t.Errorf("%+v", r.Info())
	}
}
