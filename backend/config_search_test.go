package backend_test

import (
	"strings"
	"testing"

	"fanous/backend/domain"
)

func TestSearchSettings(t *testing.T) {
	t.Setenv("FANOUS_RERANK", "")
	cfg, err := load(t, "")
	if err != nil {
		t.Fatal(err)
	}
	if cfg.Candidates != 40 || cfg.Top != 5 || cfg.LexicalWeight != 0.3 || len(cfg.Thresholds) != 0 || cfg.EarlyExit || cfg.RerankOff || !cfg.History || cfg.OTLPEndpoint != "" {
		t.Errorf("the defaults are %+v", cfg.SearchSettings)
	}
	const all = `
candidates = 60
top = 12
lexical_weight = 0.0
threshold_cohere = 0.4
threshold_cross_encoder = 1.0
threshold_late_interaction = 0.0
rerank = "off"
early_exit = true
history = false
otlp_endpoint = "http://localhost:4318/v1/traces"
`
	if cfg, err = load(t, all); err != nil {
		t.Fatal(err)
	}
	th := cfg.Thresholds
	if cfg.Candidates != 60 || cfg.Top != 12 || cfg.LexicalWeight != 0 || len(th) != 3 || th[domain.BackendCohere] != 0.4 ||
		th[domain.BackendCrossEncoder] != 1 || th[domain.BackendLateInteraction] != 0 || !cfg.EarlyExit || !cfg.RerankOff || cfg.History ||
		cfg.OTLPEndpoint != "http://localhost:4318/v1/traces" {
		t.Errorf("read %+v", cfg.SearchSettings)
	}
}

func TestTheEnvironmentsKillSwitchComesAfterTheFiles(t *testing.T) {
	for _, tt := range []struct {
		file, env string
		off       bool
	}{{"", "", false}, {"", "off", true}, {`rerank = "auto"`, "off", true}, {`rerank = "off"`, "auto", false}, {`rerank = "off"`, "", true}} {
		t.Setenv("FANOUS_RERANK", tt.env)
		cfg, err := load(t, tt.file)
		if err != nil || cfg.RerankOff != tt.off {
			t.Errorf("%+v: off %v, error %v", tt, cfg.RerankOff, err)
		}
	}
	t.Setenv("FANOUS_RERANK", "never")
	if _, err := load(t, ""); domain.CodeOf(err) != domain.CodeUsage || !strings.Contains(err.Error(), `"never" is no value of FANOUS_RERANK`) {
		t.Errorf("error %v", err)
	}
}

func TestBadSearchSettingsNameTheirValues(t *testing.T) {
	t.Setenv("FANOUS_RERANK", "")
	for toml, want := range map[string]string{
		"top = 50":                          "top is 50 and candidates is 40",
		"candidates = 3":                    "top is 5 and candidates is 3",
		"top = 0":                           "top is 0 and candidates is 40",
		"top = -1\ncandidates = -2":         "top is -1 and candidates is -2",
		"candidates = 5000":                 `"5000" is no value of candidates`,
		"lexical_weight = 1.5":              `"1.5" is no value of lexical_weight`,
		"lexical_weight = nan":              `"NaN" is no value of lexical_weight`,
		"threshold_cohere = 2.0":            `"2" is no value of threshold_cohere`,
		"threshold_cross_encoder = -0.1":    `"-0.1" is no value of threshold_cross_encoder`,
		"threshold_late_interaction = nan":  `"NaN" is no value of threshold_late_interaction`,
		`rerank = "local"`:                  `"local" is no value of rerank`,
		`otlp_endpoint = "localhost:4318"`:  "otlp_endpoint",
		`otlp_endpoint = "http://a:b@host"`: "otlp_endpoint",
	} {
		_, err := load(t, toml)
		if domain.CodeOf(err) != domain.CodeUsage || domain.HintOf(err) == "" || !strings.Contains(err.Error(), want) {
			t.Errorf("%s: error %v, want one with %q and a hint", toml, err, want)
		}
		if err != nil && strings.Contains(err.Error(), "a:b") {
			t.Errorf("the error has a password: %v", err)
		}
	}
}
