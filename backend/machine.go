package backend

import (
	"context"
	"encoding/json"
	"fmt"
	"os"
	"path/filepath"
	"runtime"
	"slices"
	"time"

	"fanous/backend/bench"
	"fanous/backend/domain"
	"fanous/backend/onnx"
	"fanous/models"
)

// machineName is what was measured of the machine, in the data folder.
const machineName = "machine.json"

// measured is what the data folder has about a machine, with what tells that it is still this one.
type measured struct {
	domain.BenchReport
	LibraryFile libraryFile `json:"library_file"`
}

// libraryFile tells whether the library is still the one that was measured, without loading it.
type libraryFile struct {
	Path     string    `json:"path"`
	Bytes    int64     `json:"bytes"`
	Modified time.Time `json:"modified"`
}

func libraryAt(path string) libraryFile {
	info, err := os.Stat(path)
	if err != nil {
		return libraryFile{Path: path} // none, which is a state too
	}
	return libraryFile{Path: path, Bytes: info.Size(), Modified: info.ModTime().UTC()}
}

// Bench measures this machine and keeps what it finds in the data folder, from where it gives defaults to searches. It
// reads nothing of the index and calls nobody. A cancelled one changes nothing.
func Bench(ctx context.Context, cfg Config, quick bool, progress func(domain.BenchProgress)) (domain.BenchReport, error) {
	report, err := bench.Run(ctx, bench.Options{
		Library: cfg.RuntimeLibrary, ModelDirs: cfg.ModelDirs, Version: Version, Quick: quick,
	}, progress)
	if err != nil {
		return report, err
	}
	return report, saveMachine(cfg.DataDir, measured{report, libraryAt(cfg.RuntimeLibrary)})
}

func saveMachine(dir string, m measured) error {
	if err := os.MkdirAll(dir, 0o755); err != nil {
		return err
	}
	return models.WriteJSON(filepath.Join(dir, machineName), m)
}

// followMachine takes defaults from what was measured, where this is still that machine and nobody has set them.
func (c *Config) followMachine() {
	data, err := os.ReadFile(filepath.Join(c.DataDir, machineName))
	if err != nil {
		return // never measured
	}
	var m measured
	if json.Unmarshal(data, &m) != nil || !m.isHere(c.RuntimeLibrary) {
		return
	}
	r := m.Recommended
	from := fmt.Sprintf("measured on %s", m.At.Format(time.DateOnly))
	if r.Candidates >= c.Top && c.origins["candidates"] == "" {
		c.Candidates, c.origins["candidates"] = r.Candidates, from
	}
	if r.Budget > 0 && c.origins["local_budget"] == "" {
		c.LocalBudget, c.origins["local_budget"] = r.Budget, from
	}
	if r.Tier != "" && c.origins["local_tier"] == "" {
		c.LocalTier, c.origins["local_tier"], c.tierMeasured = r.Tier, from, true
	}
}

// isHere says whether the figures are those of this machine with this library.
func (m measured) isHere(library string) bool {
	now := libraryAt(library)
	return m.Machine.Processor == onnx.Processor() && m.Machine.Cores == runtime.GOMAXPROCS(0) &&
		slices.Equal(m.Machine.Instructions, onnx.Instructions()) &&
		m.LibraryFile.Path == now.Path && m.LibraryFile.Bytes == now.Bytes && m.LibraryFile.Modified.Equal(now.Modified)
}

// settings are those that the machine's speed decides unless somebody does, with where each value comes from.
func (c *Config) settings() []domain.Setting {
	origin := func(name string) string {
		if from := c.origins[name]; from != "" {
			return from
		}
		return "default"
	}
	return []domain.Setting{
		{Name: "local_tier", Value: string(c.LocalTier), From: origin("local_tier")},
		{Name: "candidates", Value: fmt.Sprint(c.Candidates), From: origin("candidates")},
		{Name: "local_budget", Value: c.LocalBudget.String(), From: origin("local_budget")},
	}
}
