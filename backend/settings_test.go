package backend_test

import (
	"os"
	"path/filepath"
	"strings"
	"sync"
	"testing"
	"time"

	"fanous/backend"
	"fanous/backend/domain"
)

// folder is an empty data folder without anything of the environment.
func folder(t *testing.T) string {
	t.Helper()
	for _, name := range []string{"CO_API_KEY", "FANOUS_COHERE_URL", "FANOUS_RERANK", "FANOUS_DEVICE"} {
		t.Setenv(name, "")
	}
	return t.TempDir()
}

func write(t *testing.T, dir, name, text string) {
	t.Helper()
	if err := os.WriteFile(filepath.Join(dir, name), []byte(text), 0o644); err != nil {
		t.Fatal(err)
	}
}

func read(t *testing.T, dir, name string) string {
	t.Helper()
	data, err := os.ReadFile(filepath.Join(dir, name))
	if err != nil {
		t.Fatal(err)
	}
	return string(data)
}

// shown is a setting as people see it.
func shown(t *testing.T, dir, name string) domain.SettingState {
	t.Helper()
	cfg, err := backend.LoadConfig("", dir)
	if err != nil {
		t.Fatal(err)
	}
	for _, s := range cfg.Settings() {
		if s.Name == name {
			return s
		}
	}
	t.Fatalf("there is no setting %s", name)
	return domain.SettingState{}
}

func change(name, value string) domain.SettingChange {
	return domain.SettingChange{Name: name, Value: value}
}

func TestSettingsComeBetweenTheFileAndTheEnvironment(t *testing.T) {
	dir := folder(t)
	is := func(value, from, otherwise, otherwiseFrom string) {
		t.Helper()
		s := shown(t, dir, "rerank")
		if s.Value != value || s.From != from || s.Default != otherwise || s.DefaultFrom != otherwiseFrom || s.Variable != "FANOUS_RERANK" {
			t.Errorf("%+v, want %s from %s, else %s from %s", s, value, from, otherwise, otherwiseFrom)
		}
	}
	is("auto", "default", "auto", "default")
	write(t, dir, "config.toml", `rerank = "off"`)
	file := filepath.Join(dir, "config.toml")
	is("off", file, "off", file)
	cfg, err := backend.ChangeSettings("", dir, change("rerank", "auto"))
	if err != nil || cfg.RerankOff {
		t.Fatalf("%v, %v", cfg.RerankOff, err)
	}
	is("auto", "settings", "off", file)
	t.Setenv("FANOUS_RERANK", "off")
	is("off", "environment", "off", "environment")
	t.Setenv("FANOUS_RERANK", "")
	if _, err := backend.ChangeSettings("", dir, domain.SettingChange{Name: "rerank", Reset: true}); err != nil {
		t.Fatal(err)
	}
	is("off", file, "off", file)
	if got := read(t, dir, "config.toml"); got != `rerank = "off"` {
		t.Errorf("config.toml was written: %s", got)
	}
}

// TestEverySettingTakesWhatItShows, and goes through both files as it is.
func TestEverySettingTakesWhatItShows(t *testing.T) {
	dir := folder(t)
	other := map[string]string{ // than the default
		"offline": "true", "cohere_model": "rerank-v4.0-pro", "cohere_url": "https://reranker.example", "cohere_deadline": "3.5s", "cohere_hedge": "700ms",
		"cohere_calls_per_minute": "100000", "cohere_max_tokens": "300", "candidates": "60", "top": "12", "per_document": "3", "fusion": "rrf",
		"lexical_weight": "0.45", "mmr": "0.5", "rerank": "off", "local_tier": "late", "local_budget": "1m30s", "early_exit": "true",
		"threshold_cohere": "0.4", "threshold_cross_encoder": "1", "threshold_late_interaction": "0", "history": "false", "history_length": "20", "drill_days": "7",
		"ledger_texts": "true", "otlp_endpoint": "http://localhost:4318/v1/traces", "model_mirrors": "/mnt/usb\nhttps://mirror.example/models",
		"model_hub": "https://hub.example", "package_index": "https://pip.example/simple", "npm_registry": "https://npm.example", "device": "cpu",
		"ocr": "false", "tesseract": "/opt/tesseract",
	}
	cfg, err := backend.LoadConfig("", dir)
	if err != nil {
		t.Fatal(err)
	}
	for _, s := range cfg.Settings() {
		value, ok := other[s.Name]
		if !ok || s.Value == value || s.Value != s.Default || s.About == "" {
			t.Errorf("%+v: this test has %q", s, value)
		}
		if _, err := backend.ChangeSettings("", dir, change(s.Name, value)); err != nil {
			t.Errorf("%s: %v", s.Name, err)
		}
	}
	cfg, err = backend.LoadConfig("", dir)
	if err != nil {
		t.Fatal(err)
	}
	for _, s := range cfg.Settings() {
		if s.Value != other[s.Name] || s.From != "settings" {
			t.Errorf("%s is %q from %s, want %q", s.Name, s.Value, s.From, other[s.Name])
		}
	}
	if cfg.LocalBudget != 90*time.Second || cfg.Thresholds[domain.BackendLateInteraction] != 0 || len(cfg.Thresholds) != 3 || len(cfg.ModelMirrors) != 2 {
		t.Errorf("the configuration is %+v", cfg)
	}
}

func TestABadValueIsRefusedWithWhatIsAllowed(t *testing.T) {
	dir := folder(t)
	write(t, dir, "settings.json", `{"top": 7}`)
	for _, tt := range []struct{ name, value, want, hint string }{
		{"top", "many", `"many" is no value of top`, "a whole number from 1 to 4096"},
		{"top", "7.5", `"7.5" is no value of top`, "a whole number from 1 to 4096"},
		{"top", "-3", "top is -3", "0 < top <= candidates"},
		{"top", "41", "top is 41 and candidates is 40", "0 < top <= candidates"},
		{"candidates", "4097", `"4097" is no value of candidates`, "a whole number from 1 to 4096"},
		{"per_document", "0", `"0" is no value of per_document`, "a whole number from 1 to 100"},
		{"lexical_weight", "1.01", `"1.01" is no value of lexical_weight`, "a number from 0 to 1"},
		{"lexical_weight", "nan", `"NaN" is no value of lexical_weight`, "a number from 0 to 1"},
		{"mmr", "", `"" is no value of mmr`, "a number from 0 to 1"},
		{"offline", "yes", `"yes" is no value of offline`, "choose true or false"},
		{"fusion", "best", `"best" is no value of fusion`, "choose convex or rrf"},
		{"local_tier", "Fast", `"Fast" is no value of local_tier`, "choose auto, precise, cascade, fast or late"},
		{"device", "gpu", `"gpu" is no value of device`, "choose auto, cpu, cuda, directml or coreml"},
		{"cohere_deadline", "2", `"2" is no value of cohere_deadline`, `a time such as "2s" or "700ms" from 1ms to 1h`},
		{"cohere_deadline", "2h", `"2h" is no value of cohere_deadline`, "from 1ms to 1h"},
		{"cohere_deadline", "0s", `"0s" is no value of cohere_deadline`, "from 1ms to 1h"},
		{"cohere_hedge", "2s", "cohere_hedge is 2s and cohere_deadline is 2s", "below the deadline"},
		{"cohere_url", "http://reranker.example", "cohere_url", "an address such as"},
		{"model_mirrors", "usb", "entry 1 of model_mirrors", "the whole path"},
		{"cohere_key", "secret", `no setting "cohere_key"`, "fanous config list"},
	} {
		_, err := backend.ChangeSettings("", dir, change(tt.name, tt.value))
		code := domain.CodeUsage
		if tt.name == "cohere_key" {
			code = domain.CodeNotFound
		}
		if domain.CodeOf(err) != code || !strings.Contains(err.Error(), tt.want) || !strings.Contains(domain.HintOf(err), tt.hint) || strings.Contains(err.Error(), "secret") {
			t.Errorf("%s = %s: %v, %s", tt.name, tt.value, err, domain.HintOf(err))
		}
	}
	if got := read(t, dir, "settings.json"); got != `{"top": 7}` {
		t.Errorf("something was written: %s", got)
	}
}

func TestChangesThatOnlyGoTogetherAreMadeTogether(t *testing.T) {
	dir := folder(t)
	if _, err := backend.ChangeSettings("", dir, change("top", "50"), change("candidates", "60")); err != nil {
		t.Fatal(err)
	}
	// A later file does not go with it any more: what was set can still be taken back.
	write(t, dir, "config.toml", "cohere_deadline = \"1s\"\n")
	write(t, dir, "settings.json", `{"cohere_hedge": "1500ms"}`)
	if _, err := backend.LoadConfig("", dir); domain.CodeOf(err) != domain.CodeUsage {
		t.Errorf("loaded: %v", err)
	}
	if _, err := backend.ChangeSettings("", dir, domain.SettingChange{Name: "cohere_hedge", Reset: true}); err != nil {
		t.Errorf("not taken back: %v", err)
	}
}

// TestChangesMadeAtOnceAllCount, whoever makes them: each opens the files for itself, as other processes do.
func TestChangesMadeAtOnceAllCount(t *testing.T) {
	dir := filepath.Join(folder(t), "new")
	values := map[string]string{"top": "7", "candidates": "60", "per_document": "3", "mmr": "0.5", "history_length": "20", "drill_days": "7"}
	var all sync.WaitGroup
	for name, value := range values {
		all.Go(func() {
			if _, err := backend.ChangeSettings("", dir, change(name, value)); err != nil {
				t.Error(err)
			}
		})
	}
	all.Wait()
	for name, value := range values {
		if s := shown(t, dir, name); s.Value != value {
			t.Errorf("%s is %s, and not %s", name, s.Value, value)
		}
	}
}

func TestABrokenSettingsFileIsNamedAndKept(t *testing.T) {
	for text, want := range map[string]string{
		`{"top": 7`:                "cannot be read",
		``:                         "cannot be read",
		`null`:                     "cannot be read",
		`[1]`:                      "cannot be read",
		`{"top": 7} {}`:            "cannot be read",
		`{"cohere_key": "secret"}`: `an unknown setting "cohere_key"`,
		`{"top": {}}`:              "top in ",
		`{"top": null}`:            "top in ",
		`{"top": "many"}`:          `"many" is no value of top`,
		`{"model_mirrors": [1]}`:   "model_mirrors in ",
	} {
		dir := folder(t)
		write(t, dir, "settings.json", text)
		_, err := backend.LoadConfig("", dir)
		_, changed := backend.ChangeSettings("", dir, change("candidates", "50"))
		for _, err := range []error{err, changed} {
			if domain.CodeOf(err) != domain.CodeUsage || domain.HintOf(err) == "" || !strings.Contains(err.Error(), want) || strings.Contains(err.Error(), "secret") {
				t.Errorf("%s: %v", text, err)
			}
		}
		if got := read(t, dir, "settings.json"); got != text {
			t.Errorf("%s became %s", text, got)
		}
	}
}
