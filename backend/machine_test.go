package backend

import (
	"context"
	"errors"
	"os"
	"path/filepath"
	"runtime"
	"testing"
	"time"

	"fanous/backend/domain"
	"fanous/backend/onnx"
)

// measuredHere is a report about this machine and the library of the environment.
func measuredHere(r domain.Recommendation) measured {
	return measured{
		BenchReport: domain.BenchReport{
			Machine: domain.BenchMachine{Processor: onnx.Processor(), Cores: runtime.GOMAXPROCS(0), Instructions: onnx.Instructions()},
			At:      time.Date(2026, 11, 30, 1, 2, 3, 0, time.UTC), Recommended: r,
		},
		LibraryFile: libraryAt(os.Getenv("FANOUS_RUNTIME")),
	}
}

func TestDefaultsFollowTheMachine(t *testing.T) {
	slow := domain.Recommendation{Tier: domain.TierFast, Candidates: 20, Budget: 8 * time.Second}
	for name, c := range map[string]struct {
		spoil      func(*measured)
		file       string // config.toml
		tier       domain.LocalTier
		candidates int
		budget     time.Duration
		from       string // of candidates; empty: the file's name
	}{
		"as measured": {
			func(*measured) {}, "", domain.TierFast, 20, 8 * time.Second, "measured on 2026-11-30",
		},
		"what the user has set stays": {
			func(*measured) {}, "candidates = 50\nlocal_budget = \"3s\"\nlocal_tier = \"cascade\"", domain.TierCascade, 50, 3 * time.Second, "",
		},
		"fewer than are shown": {
			func(*measured) {}, "top = 30", domain.TierFast, 40, 8 * time.Second, "default",
		},
		"nothing recommended": {
			func(m *measured) { m.Recommended = domain.Recommendation{Reason: "."} }, "", domain.TierAuto, 40, 4 * time.Second, "default",
		},
		"another processor": {
			func(m *measured) { m.Machine.Processor += " II" }, "", domain.TierAuto, 40, 4 * time.Second, "default",
		},
		"other instructions": {
			func(m *measured) { m.Machine.Instructions = nil }, "", domain.TierAuto, 40, 4 * time.Second, "default",
		},
		"fewer cores": {
			func(m *measured) { m.Machine.Cores++ }, "", domain.TierAuto, 40, 4 * time.Second, "default",
		},
		"another library": {
			func(m *measured) { m.LibraryFile.Bytes++ }, "", domain.TierAuto, 40, 4 * time.Second, "default",
		},
	} {
		dir := t.TempDir()
		m := measuredHere(slow)
		c.spoil(&m)
		if err := saveMachine(dir, m); err != nil {
			t.Fatal(err)
		}
		path := filepath.Join(dir, configName)
		if err := os.WriteFile(path, []byte(c.file), 0o600); err != nil {
			t.Fatal(err)
		}
		cfg, err := LoadConfig("", dir)
		if err != nil {
			t.Errorf("%s: %v", name, err)
			continue
		}
		if cfg.LocalTier != c.tier || cfg.Candidates != c.candidates || cfg.LocalBudget != c.budget {
			t.Errorf("%s: tier %s, %d candidates, budget %s", name, cfg.LocalTier, cfg.Candidates, cfg.LocalBudget)
		}
		if c.from == "" {
			c.from = path
		}
		if got := cfg.settings()[1]; got.Name != "candidates" || got.From != c.from {
			t.Errorf("%s: %+v, want it from %s", name, got, c.from)
		}
	}
}

func TestAFileThatIsNoReportIsIgnored(t *testing.T) {
	dir := t.TempDir()
	if err := os.WriteFile(filepath.Join(dir, machineName), []byte("{"), 0o600); err != nil {
		t.Fatal(err)
	}
	if cfg, err := LoadConfig("", dir); err != nil || cfg.Candidates != domain.DefaultCandidates {
		t.Errorf("%d candidates, %v", cfg.Candidates, err)
	}
}

func TestLocalTierIsChecked(t *testing.T) {
	dir := t.TempDir()
	if err := os.WriteFile(filepath.Join(dir, configName), []byte(`local_tier = "fastest"`), 0o600); err != nil {
		t.Fatal(err)
	}
	if _, err := LoadConfig("", dir); domain.CodeOf(err) != domain.CodeUsage {
		t.Error(err)
	}
}

func TestACancelledBenchKeepsNothing(t *testing.T) {
	cfg, err := LoadConfig("", t.TempDir())
	if err != nil {
		t.Fatal(err)
	}
	ctx, cancel := context.WithCancel(t.Context())
	_, err = Bench(ctx, cfg, true, func(domain.BenchProgress) { cancel() })
	if !errors.Is(err, context.Canceled) {
		t.Error(err)
	}
	if left, err := os.ReadDir(cfg.DataDir); err != nil || len(left) > 0 {
		t.Errorf("left behind: %v, %v", left, err)
	}
}
