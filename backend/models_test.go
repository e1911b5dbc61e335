package backend_test

import (
	"os"
	"path/filepath"
	"strings"
	"sync"
	"testing"

	"fanous/backend"
	"fanous/backend/domain"
	"fanous/models"
)

// TestModelsComeAndGoUnderSearches: what is imported serves, what is removed does not, and no search notices.
func TestModelsComeAndGoUnderSearches(t *testing.T) {
	tiny, dirs := installTiny(t, t.TempDir(), models.Fast), t.TempDir()
	name := filepath.Base(tiny)
	b := openOn(t, backend.Config{DataDir: indexed(t), RuntimeLibrary: os.Getenv("FANOUS_RUNTIME"), ModelDirs: []string{dirs}})
	state := func() domain.ModelStatus {
		t.Helper()
		list, err := b.Models(t.Context())
		if err != nil {
			t.Fatal(err)
		}
		for _, m := range list {
			if m.Name == name {
				return m
			}
		}
		return domain.ModelStatus{}
	}
	bring := func() {
		t.Helper()
		var last domain.ModelProgress
		met, err := b.ImportModels(t.Context(), domain.ModelImport{Path: tiny}, func(p domain.ModelProgress) { last = p })
		if err != nil || len(met) != 1 || met[0].Reason != "" || met[0].Name != name {
			t.Fatalf("%+v, %v", met, err)
		}
		if last.Name != name || last.Done != last.Total {
			t.Errorf("the last report is %+v", last)
		}
	}
	bring()
	if m := state(); m.State != domain.ModelInstalled || !m.Custom || !m.Verified {
		t.Errorf("%+v", m)
	}
	if got := found(t, b).Rerank.Backend; got != domain.BackendCrossEncoder {
		t.Errorf("%s serves after the import", got)
	}
	var searches sync.WaitGroup
	stop := make(chan struct{})
	searches.Go(func() {
		for {
			select {
			case <-stop:
				return
			default:
			}
			if r, err := b.Search(t.Context(), domain.SearchRequest{Query: "lantern", Rerank: domain.RerankLocal}, nil); err != nil || len(r.Hits) != 1 {
				t.Errorf("%d hits, %v", len(r.Hits), err)
			}
		}
	})
	if err := b.RemoveModel(t.Context(), name); err != nil {
		t.Error(err)
	}
	bring()
	close(stop)
	searches.Wait()
	if err := b.RemoveModel(t.Context(), name); err != nil {
		t.Error(err)
	}
	if got := found(t, b).Rerank.Backend; got != domain.BackendNone || state().Name != "" {
		t.Errorf("%s serves after the removal; %+v", got, state())
	}
	if err := b.Close(); err != nil {
		t.Error(err)
	}
}

// TestStatesOfModels: each kind of damage has its own code, a reason and what to do.
func TestStatesOfModels(t *testing.T) {
	const name = "multilingual-e5-small-starter-q4"
	shipped := filepath.Join(os.Getenv("FANOUS_MODELS"), name)
	for what, test := range map[string]struct {
		spoil func(dir string) error
		state domain.ModelState
		code  domain.Code
	}{
		"whole":   {func(string) error { return nil }, domain.ModelInstalled, ""},
		"missing": {os.RemoveAll, domain.ModelMissing, domain.CodeModelMissing},
		"empty":   {func(dir string) error { return os.WriteFile(filepath.Join(dir, models.TokenizerFile), nil, 0o644) }, domain.ModelDamaged, domain.CodeModelEmpty},
		"cut":     {func(dir string) error { return os.Truncate(filepath.Join(dir, models.TokenizerFile), 99) }, domain.ModelDamaged, domain.CodeModelCut},
		"a page": {func(dir string) error {
			return os.WriteFile(filepath.Join(dir, models.TokenizerFile), []byte("<html>"), 0o644)
		}, domain.ModelDamaged, domain.CodeModelWebPage},
		"a file less": {func(dir string) error { return os.Remove(filepath.Join(dir, models.TokenizerFile)) }, domain.ModelDamaged, domain.CodeModelFile},
		"no manifest": {func(dir string) error { return os.Remove(filepath.Join(dir, models.ManifestFile)) }, domain.ModelDamaged, domain.CodeModelManifest},
	} {
		t.Run(what, func(t *testing.T) {
			dirs := t.TempDir()
			dir := filepath.Join(dirs, name)
			if err := os.Mkdir(dir, 0o755); err != nil {
				t.Fatal(err)
			}
			for _, file := range []string{models.ManifestFile, models.TokenizerFile} {
				content, err := os.ReadFile(filepath.Join(shipped, file))
				if err != nil {
					t.Fatal(err)
				}
				put(t, filepath.Join(dir, file), content)
			}
			if err := os.Symlink(filepath.Join(shipped, models.GraphFile), filepath.Join(dir, models.GraphFile)); err != nil {
				t.Skip(err) // and it is too long to copy
			}
			if err := test.spoil(dir); err != nil {
				t.Fatal(err)
			}
			b := openOn(t, backend.Config{DataDir: t.TempDir(), ModelDirs: []string{dirs}})
			defer b.Close()
			list, err := b.VerifyModels(t.Context(), name, nil)
			if err != nil || len(list) != 1 {
				t.Fatalf("%+v, %v", list, err)
			}
			m := list[0]
			if m.State != test.state || m.Code != test.code || (m.Reason == "") != (test.code == "") || (m.Hint == "") != (test.code == "") {
				t.Errorf("%s, %s: %s; %s", m.State, m.Code, m.Reason, m.Hint)
			}
		})
	}
}

func TestModelSettings(t *testing.T) {
	t.Setenv("FANOUS_PACKAGE_INDEX", "")
	t.Setenv("FANOUS_NPM_REGISTRY", "")
	cfg, err := load(t, "")
	if err != nil || cfg.ModelHub != models.DefaultHub || len(cfg.ModelMirrors) != 0 || cfg.PackageIndex+cfg.NPMRegistry != "" {
		t.Errorf("the defaults are %+v, %v", cfg.ModelSettings, err)
	}
	if last := cfg.ModelDirs[len(cfg.ModelDirs)-1]; last != filepath.Join(cfg.DataDir, "models") {
		t.Errorf("models are installed into %s", last)
	}
	const text = `
model_hub = "https://hub.example"
model_mirrors = ["https://me:secret@mirror.example/models", "/srv/models"]
package_index = "https://index.example/simple"
npm_registry = "https://registry.example"
`
	cfg, err = load(t, text)
	if err != nil || cfg.ModelHub != "https://hub.example" || len(cfg.ModelMirrors) != 2 ||
		cfg.PackageIndex != "https://index.example/simple" || cfg.NPMRegistry != "https://registry.example" {
		t.Errorf("read %+v, %v", cfg.ModelSettings, err)
	}
	t.Setenv("FANOUS_NPM_REGISTRY", "https://environment.example")
	if cfg, err = load(t, text); err != nil || cfg.NPMRegistry != "https://environment.example" {
		t.Errorf("the environment has another registry, and it is %q (%v)", cfg.NPMRegistry, err)
	}
	t.Setenv("FANOUS_NPM_REGISTRY", "")
	t.Setenv("FANOUS_HUB", "")
	if cfg, err = load(t, text); err != nil || cfg.ModelHub != "" {
		t.Errorf("the environment wants no hub, and it is %q (%v)", cfg.ModelHub, err)
	}
	for _, bad := range []string{
		`model_mirrors = ["models"]`, `model_mirrors = [""]`, `model_mirrors = ["ftp://me:secret@mirror.example"]`,
		`package_index = "https://"`, `package_index = "me:secret@index"`, `model_hub = "hub"`, `npm_registry = "secret"`,
	} {
		t.Setenv("FANOUS_HUB", "")
		os.Unsetenv("FANOUS_HUB")
		if _, err := load(t, bad); domain.CodeOf(err) != domain.CodeUsage || domain.HintOf(err) == "" || strings.Contains(err.Error(), "secret") {
			t.Errorf("%s: %v", bad, err)
		}
	}
}
