package backend_test

import (
	"os"
	"path/filepath"
	"strings"
	"testing"
	"time"

	"fanous/backend"
	"fanous/backend/cohere"
	"fanous/backend/domain"
)

func load(t *testing.T, toml string) (backend.Config, error) {
	t.Helper()
	t.Setenv("CO_API_KEY", "")
	t.Setenv("FANOUS_COHERE_URL", "")
	dir := t.TempDir()
	if err := os.WriteFile(filepath.Join(dir, "config.toml"), []byte(toml), 0o644); err != nil {
		t.Fatal(err)
	}
	return backend.LoadConfig("", dir)
}

func TestConfigOfCohere(t *testing.T) {
	cfg, err := load(t, "")
	if err != nil {
		t.Fatal(err)
	}
	if cfg.CohereURL != cohere.DefaultURL || cfg.CohereModel != cohere.DefaultModel || cfg.CohereMaxTokens != cohere.DefaultMaxTokens ||
		cfg.CohereDeadline != 2*time.Second || cfg.CohereHedge != 0 || cfg.CohereCallsPerMinute != 10 {
		t.Errorf("the defaults are %+v", cfg)
	}
	cfg, err = load(t, `
cohere_url = "https://reranker.example/base"
cohere_model = "rerank-v4.0-pro"
cohere_max_tokens = 300
cohere_deadline = "3s"
cohere_hedge = "700ms"
cohere_calls_per_minute = 0
`)
	if err != nil {
		t.Fatal(err)
	}
	if cfg.CohereURL != "https://reranker.example/base" || cfg.CohereModel != "rerank-v4.0-pro" || cfg.CohereMaxTokens != 300 ||
		cfg.CohereDeadline != 3*time.Second || cfg.CohereHedge != 700*time.Millisecond || cfg.CohereCallsPerMinute != 0 {
		t.Errorf("read %+v", cfg)
	}
	for _, m := range cohere.Models() {
		if _, err := load(t, `cohere_model = "`+m+`"`); err != nil {
			t.Errorf("%s: %v", m, err)
		}
	}
	if _, err := load(t, `cohere_url = "http://127.0.0.1:8080"`); err != nil {
		t.Error(err)
	}
}

// TestBadConfigNamesTheSettingAndTheValue, and never a password.
func TestBadConfigNamesTheSettingAndTheValue(t *testing.T) {
	for toml, want := range map[string][]string{
		`cohere_model = "rerank-v9"`:                       {"cohere_model", `"rerank-v9"`},
		`cohere_max_tokens = 0`:                            {"cohere_max_tokens", "0"},
		`cohere_max_tokens = -5`:                           {"cohere_max_tokens", "-5"},
		`cohere_calls_per_minute = -1`:                     {"cohere_calls_per_minute", "-1"},
		`cohere_hedge = "-1s"`:                             {"cohere_hedge is -1s", "cohere_deadline is 2s"},
		`cohere_hedge = "2s"`:                              {"cohere_hedge is 2s", "cohere_deadline is 2s"},
		`cohere_deadline = "0s"`:                           {"cohere_deadline", "0s"},
		`local_budget = "-1s"`:                             {"local_budget", "-1s"},
		`cohere_url = "http://reranker.example"`:           {"cohere_url", "http://reranker.example", "unencrypted"},
		`cohere_url = "reranker.example"`:                  {"cohere_url", `"reranker.example"`},
		`cohere_url = "https://me:secret@a.example"`:       {"cohere_url", "a.example"},
		`cohere_url = "http://127.0.0.1.reranker.example"`: {"cohere_url", "unencrypted"},
		`cohere_key = "secret"`:                            {"unknown setting", "cohere_key"},
	} {
		_, err := load(t, toml)
		if domain.CodeOf(err) != domain.CodeUsage || domain.HintOf(err) == "" {
			t.Errorf("%s: %v, code %s, hint %q", toml, err, domain.CodeOf(err), domain.HintOf(err))
			continue
		}
		for _, part := range want {
			if !strings.Contains(err.Error(), part) {
				t.Errorf("%s: %q does not say %s", toml, err, part)
			}
		}
		if strings.Contains(err.Error(), "secret") {
			t.Errorf("%s: shows a secret: %v", toml, err)
		}
	}
}
