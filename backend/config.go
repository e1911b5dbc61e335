package backend

import (
	"errors"
	"fmt"
	"io/fs"
	"os"
	"path/filepath"
	"runtime"
	"slices"
	"strings"
	"time"

	"github.com/BurntSushi/toml"

	"fanous/backend/cohere"
	"fanous/backend/domain"
)

// Config is everything that Open depends on. DefaultConfig and LoadConfig fill it in.
type Config struct {
	DataDir        string   // the index, installed models and caches; made where it does not exist
	RuntimeLibrary string   // path of the ONNX Runtime library; empty: one that was installed, if any
	ModelDirs      []string // folders with one folder a model, first come first served; what is installed goes into the last

	// Program is started for self-tests and to read files: one that calls Child before anything else. Empty: there are
	// no self-tests and only the CPU is used, and files are read in this process.
	Program string

	CohereKey            string // empty: Cohere is not used
	CohereURL            string // base URL
	CohereModel          string
	CohereMaxTokens      int              // of a passage that Cohere reads
	CohereDeadline       time.Duration    // for the whole attempt, DNS and TLS included
	CohereHedge          time.Duration    // the local reranker starts when Cohere is this late; 0: when it has failed
	CohereCallsPerMinute int              // of all processes with this data folder; 0: no limit
	LocalBudget          time.Duration    // what a search may spend on local reranking
	LocalTier            domain.LocalTier // which of the local rankers
	Offline              bool             // nothing leaves, whatever the policies say

	SearchSettings
	ModelSettings
	DeviceSettings

	tierMeasured bool              // LocalTier follows from what was measured
	origins      map[string]string // of settings that are not the program's own defaults: the file, or what was measured
}

// file is what config.toml may hold. The key is not among it: it belongs in the environment.
type file struct {
	CohereURL            *string   `toml:"cohere_url"`
	CohereModel          *string   `toml:"cohere_model"`
	CohereMaxTokens      *int      `toml:"cohere_max_tokens"`
	CohereDeadline       *duration `toml:"cohere_deadline"`
	CohereHedge          *duration `toml:"cohere_hedge"`
	CohereCallsPerMinute *int      `toml:"cohere_calls_per_minute"`
	LocalBudget          *duration `toml:"local_budget"`
	LocalTier            *string   `toml:"local_tier"`
	Offline              *bool     `toml:"offline"`
	searchFile
	modelsFile
	devicesFile
}

type duration time.Duration

func (d *duration) UnmarshalText(text []byte) error {
	v, err := time.ParseDuration(string(text))
	*d = duration(v)
	return err
}

// Defaults from the design.
const (
	defaultCohereDeadline = 2 * time.Second
	defaultLocalBudget    = 4 * time.Second

	defaultCallsPerMinute = 10 // what Cohere allows a trial key; who has another one raises it
)

// configName is the configuration file in the data folder.
const configName = "config.toml"

// DefaultConfig is the configuration of the environment and the user's own data folder.
func DefaultConfig() (Config, error) { return LoadConfig("", "") }

// LoadConfig builds the configuration from, each over the one before it: the defaults, the
// configuration file and the environment. An empty dataDir means FANOUS_DATA or the user's own folder;
// an empty path means config.toml in the data folder, which need not exist.
func LoadConfig(path, dataDir string) (Config, error) {
	if dataDir == "" {
		dataDir = os.Getenv("FANOUS_DATA")
	}
	if dataDir == "" {
		dir, err := userDataDir()
		if err != nil {
			return Config{}, domain.Errorf(domain.CodeUsage, "name one with --data or FANOUS_DATA", "there is no folder for the data: %w", err)
		}
		dataDir = dir
	}
	dataDir, err := filepath.Abs(dataDir)
	if err != nil {
		return Config{}, fmt.Errorf("data folder: %w", err)
	}
	cfg := Config{
		DataDir:     dataDir,
		CohereURL:   cohere.DefaultURL,
		CohereModel: cohere.DefaultModel, CohereMaxTokens: cohere.DefaultMaxTokens, CohereDeadline: defaultCohereDeadline,
		CohereCallsPerMinute: defaultCallsPerMinute, LocalBudget: defaultLocalBudget, LocalTier: domain.TierAuto,
		origins:        map[string]string{},
		SearchSettings: defaultSearchSettings(), ModelSettings: defaultModelSettings(),
	}
	if err := cfg.readFile(path); err != nil {
		return Config{}, err
	}
	if err := cfg.readEnvironment(); err != nil {
		return Config{}, err
	}
	cfg.followMachine()
	return cfg, cfg.validate()
}

func (c *Config) readFile(path string) error {
	named := path != ""
	if !named {
		path = filepath.Join(c.DataDir, configName)
	}
	var f file
	meta, err := toml.DecodeFile(path, &f)
	if errors.Is(err, fs.ErrNotExist) && !named {
		return nil
	}
	if err != nil {
		return domain.Errorf(domain.CodeUsage, "correct the file or remove it", "the configuration %s cannot be read: %w", path, err)
	}
	if unknown := meta.Undecoded(); len(unknown) > 0 {
		return domain.Errorf(domain.CodeUsage, "correct its name or remove it", "the configuration %s has an unknown setting %q", path, unknown[0].String())
	}
	set(&c.CohereURL, f.CohereURL)
	set(&c.CohereModel, f.CohereModel)
	set(&c.CohereMaxTokens, f.CohereMaxTokens)
	set(&c.CohereHedge, (*time.Duration)(f.CohereHedge))
	set(&c.CohereCallsPerMinute, f.CohereCallsPerMinute)
	set(&c.Offline, f.Offline)
	set(&c.CohereDeadline, (*time.Duration)(f.CohereDeadline))
	set(&c.LocalBudget, (*time.Duration)(f.LocalBudget))
	set((*string)(&c.LocalTier), f.LocalTier)
	for _, key := range meta.Keys() {
		c.origins[key.String()] = path
	}
	c.ModelSettings.read(f.modelsFile)
	if err := c.DeviceSettings.read(f.devicesFile); err != nil {
		return err
	}
	return c.SearchSettings.read(f.searchFile)
}

func set[T any](to *T, from *T) {
	if from != nil {
		*to = *from
	}
}

func (c *Config) readEnvironment() error {
	c.CohereKey = os.Getenv("CO_API_KEY")
	if url := os.Getenv("FANOUS_COHERE_URL"); url != "" {
		c.CohereURL = url
	}
	beside := ""
	if exe, err := os.Executable(); err == nil {
		if exe, err = filepath.EvalSymlinks(exe); err == nil {
			beside = filepath.Dir(exe)
		}
	}
	shipped := filepath.Join(beside, "models")
	if dir := os.Getenv("FANOUS_MODELS"); dir != "" {
		shipped = dir
	}
	c.ModelDirs = []string{shipped, filepath.Join(c.DataDir, "models")}
	if lib := os.Getenv("FANOUS_RUNTIME"); lib != "" {
		c.RuntimeLibrary = lib
	} else if lib := filepath.Join(beside, "lib", runtimeName()); isFile(lib) {
		c.RuntimeLibrary = lib
	}
	c.ModelSettings.readEnvironment()
	if err := c.DeviceSettings.readEnvironment(); err != nil {
		return err
	}
	return c.SearchSettings.readEnvironment()
}

func (c *Config) validate() error {
	if !slices.Contains([]domain.LocalTier{domain.TierAuto, domain.TierPrecise, domain.TierCascade, domain.TierFast, domain.TierLate}, c.LocalTier) {
		return domain.Errorf(domain.CodeUsage, "choose auto, precise, cascade, fast or late", "local_tier is %q", c.LocalTier)
	}
	for name, d := range map[string]time.Duration{"cohere_deadline": c.CohereDeadline, "local_budget": c.LocalBudget} {
		if d <= 0 {
			return domain.Errorf(domain.CodeUsage, `give a time above 0, such as "2s"`, "%s is %s", name, d)
		}
	}
	switch badURL := cohere.CheckURL(c.CohereURL); {
	case badURL != nil:
		return domain.Errorf(domain.CodeUsage, "give an address such as "+cohere.DefaultURL, "cohere_url: %w", badURL)
	case !slices.Contains(cohere.Models(), c.CohereModel):
		return domain.Errorf(domain.CodeUsage, "choose one of "+strings.Join(cohere.Models(), ", "), "cohere_model is %q", c.CohereModel)
	case c.CohereMaxTokens < 1:
		return domain.Errorf(domain.CodeUsage, "give a number above 0", "cohere_max_tokens is %d", c.CohereMaxTokens)
	case c.CohereCallsPerMinute < 0:
		return domain.Errorf(domain.CodeUsage, "give a number, or 0 for no limit", "cohere_calls_per_minute is %d", c.CohereCallsPerMinute)
	case c.CohereHedge < 0 || c.CohereHedge >= c.CohereDeadline:
		return domain.Errorf(domain.CodeUsage, "give a time below the deadline, or 0 for none",
			"cohere_hedge is %s and cohere_deadline is %s", c.CohereHedge, c.CohereDeadline)
	}
	if err := c.ModelSettings.validate(); err != nil {
		return err
	}
	return c.SearchSettings.validate()
}

func runtimeName() string {
	switch runtime.GOOS {
	case "windows":
		return "onnxruntime.dll"
	case "darwin":
		return "libonnxruntime.dylib"
	}
	return "libonnxruntime.so"
}

func isFile(path string) bool {
	info, err := os.Stat(path)
	return err == nil && info.Mode().IsRegular()
}

// userDataDir follows the system's own custom for data that an application keeps.
func userDataDir() (string, error) {
	if runtime.GOOS == "linux" {
		if dir := os.Getenv("XDG_DATA_HOME"); filepath.IsAbs(dir) {
			return filepath.Join(dir, "fanous"), nil
		}
		home, err := os.UserHomeDir()
		return filepath.Join(home, ".local", "share", "fanous"), err
	}
	dir, err := os.UserConfigDir() // Application Support on macOS, AppData on Windows
	return filepath.Join(dir, "Fanous"), err
}

func exists(path string) bool {
	_, err := os.Stat(path)
	return err == nil
}
