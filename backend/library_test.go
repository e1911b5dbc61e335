package backend

import (
	"context"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"fanous/backend/domain"
	"fanous/backend/onnx"
	"fanous/backend/trial"
	"fanous/models"
	"fanous/models/install"
)

// runtimeFolder installs a runtime for CUDA whose library is a text.
func runtimeFolder(t *testing.T, dirs string) string {
	t.Helper()
	dir := filepath.Join(dirs, "cuda-for-a-test")
	if err := os.Mkdir(dir, 0o755); err != nil {
		t.Fatal(err)
	}
	path := filepath.Join(dir, runtimeName())
	if err := os.WriteFile(path, []byte("no library at all"), 0o644); err != nil {
		t.Fatal(err)
	}
	file, err := models.FileAt(t.Context(), path)
	if err != nil {
		t.Fatal(err)
	}
	m := models.Manifest{Name: filepath.Base(dir), Role: models.Runtime, Tier: "cuda", Version: "1.31.1", System: install.System(), Files: []models.File{file}}
	if err := m.Save(dir); err != nil {
		t.Fatal(err)
	}
	return path
}

// TestLoadLibrary: a runtime of a device comes first, and one that cannot be used leaves the place to the program's own,
// with the reason.
func TestLoadLibrary(t *testing.T) {
	cfg := Config{DataDir: t.TempDir(), RuntimeLibrary: os.Getenv("FANOUS_RUNTIME"), ModelDirs: []string{t.TempDir()}}
	path := runtimeFolder(t, cfg.ModelDirs[0])
	book := trial.OpenBook(filepath.Join(t.TempDir(), selfTestsName))
	tester := trial.NewTester(book, trial.Runner{})
	devices := []onnx.Device{onnx.CUDA, onnx.CPU}
	if found := libraries(cfg, devices); len(found) != 2 || found[0].path != path || found[0].device != onnx.CUDA || found[1].path != cfg.RuntimeLibrary {
		t.Errorf("%+v", found)
	}
	if found := libraries(cfg, []onnx.Device{onnx.CPU}); len(found) != 1 {
		t.Errorf("for the CPU alone: %+v", found)
	}

	cuda := func() domain.Code {
		t.Helper()
		cfg := cfg
		cfg.Device = onnx.CUDA
		tried := libraries(cfg, devices)
		_, err := tried[0].load(context.Background(), tester)
		return domain.CodeOf(err)
	}
	if got := cuda(); got != domain.CodeLibraryDamaged {
		t.Errorf("what is no library: %s", got)
	}
	if err := book.Keep(trial.Subject{Library: path, Device: onnx.CUDA}, trial.Result{Code: domain.CodeDeviceNoDriver, Reason: "made-up"}); err != nil {
		t.Fatal(err)
	}
	if got := cuda(); got != domain.CodeDeviceNoDriver {
		t.Errorf("without a driver: %s", got)
	}
	if err := os.WriteFile(path, []byte(strings.ToUpper("no library at all")), 0o644); err != nil {
		t.Fatal(err)
	}
	if got := cuda(); got != domain.CodeModelAltered {
		t.Errorf("changed: %s", got)
	}
	rt, tried := loadLibrary(t.Context(), cfg, tester)
	if rt == nil || rt.Path() != cfg.RuntimeLibrary || tried[1].failure != nil {
		t.Errorf("%v, %+v", rt, tried)
	}
}
