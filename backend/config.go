package backend

import (
	"errors"
	"fmt"
	"io/fs"
	"maps"
	"os"
	"path/filepath"
	"runtime"
	"slices"
	"time"

	"github.com/BurntSushi/toml"

	"fanous/backend/cohere"
	"fanous/backend/domain"
	"fanous/backend/keychain"
)

// Config is everything that Open depends on. DefaultConfig and LoadConfig fill it in.
type Config struct {
	DataDir        string   // the index, installed models and caches; made where it does not exist
	RuntimeLibrary string   // path of the ONNX Runtime library; empty: one that was installed, if any
	ModelDirs      []string // folders with one folder a model, first come first served; what is installed goes into the last

	// Program is started for self-tests and to read files: one that calls Child before anything else. Empty: there are
	// no self-tests and only the CPU is used, and files are read in this process.
	Program string

	CohereKey            string             // of the environment
	Keychain             *keychain.Keychain // is asked where the environment has no key; nil: nobody is
	CohereURL            string             // base URL
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
	ReadingSettings

	tierMeasured bool              // LocalTier follows from what was measured
	origins      map[string]string // of settings that are not the program's own defaults: the file, or what was measured
	path         string            // of the configuration file that was asked for; empty: the one in the data folder
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

// LoadConfig builds the configuration from, each over the one before it: the defaults, the configuration file, what was
// set by `fanous config` or in the window, and the environment. An empty dataDir means FANOUS_DATA or the user's own
// folder; an empty path means config.toml in the data folder, which need not exist.
func LoadConfig(path, dataDir string) (Config, error) {
	dataDir, err := dataFolder(dataDir)
	if err != nil {
		return Config{}, err
	}
	own, err := readSettings(dataDir)
	if err != nil {
		return Config{}, err
	}
	return loadConfig(path, dataDir, own)
}

// dataFolder is the whole path of the folder for the data.
func dataFolder(dir string) (string, error) {
	if dir == "" {
		dir = os.Getenv("FANOUS_DATA")
	}
	if dir == "" {
		own, err := userDataDir()
		if err != nil {
			return "", domain.Errorf(domain.CodeUsage, "name one with --data or FANOUS_DATA", "there is no folder for the data: %w", err)
		}
		dir = own
	}
	if info, err := os.Stat(dir); err == nil && !info.IsDir() {
		return "", domain.Errorf(domain.CodeUsage, "name a folder with --data or FANOUS_DATA", "the data folder %s is a file", dir)
	}
	dir, err := filepath.Abs(dir)
	if err != nil {
		return "", fmt.Errorf("data folder: %w", err)
	}
	return dir, nil
}

// loadConfig is LoadConfig with what was set given instead of read.
func loadConfig(path, dataDir string, own values) (Config, error) {
	cfg := defaults(dataDir)
	cfg.path = path
	if err := cfg.readFile(path); err != nil {
		return Config{}, err
	}
	if err := cfg.take(own, originSettings, filepath.Join(dataDir, settingsName)); err != nil {
		return Config{}, err
	}
	if err := cfg.readEnvironment(); err != nil {
		return Config{}, err
	}
	cfg.followMachine()
	return cfg, cfg.validate()
}

func defaults(dataDir string) Config {
	return Config{
		DataDir:     dataDir,
		CohereURL:   cohere.DefaultURL,
		CohereModel: cohere.DefaultModel, CohereMaxTokens: cohere.DefaultMaxTokens, CohereDeadline: defaultCohereDeadline,
		CohereCallsPerMinute: defaultCallsPerMinute, LocalBudget: defaultLocalBudget, LocalTier: domain.TierAuto,
		origins:        map[string]string{},
		SearchSettings: defaultSearchSettings(), ModelSettings: defaultModelSettings(), ReadingSettings: defaultReadingSettings(),
	}
}

func (c *Config) readFile(path string) error {
	named := path != ""
	if !named {
		path = filepath.Join(c.DataDir, configName)
	}
	var found map[string]any
	_, err := toml.DecodeFile(path, &found)
	if errors.Is(err, fs.ErrNotExist) && !named {
		return nil
	}
	if errors.Is(err, fs.ErrNotExist) {
		return domain.Errorf(domain.CodeUsage, "name a file that is there", "there is no configuration %s", path)
	}
	if err != nil {
		return domain.Errorf(domain.CodeUsage, "correct the file or remove it", "the configuration %s cannot be read: %w", path, err)
	}
	return c.take(found, path, path)
}

// values are settings by their names, as a TOML or JSON file holds them.
type values map[string]any

// take sets what a file holds; origin is what the settings then come from.
func (c *Config) take(found values, origin, path string) error {
	for _, s := range settings() {
		v, ok := found[s.name]
		if !ok {
			continue
		}
		text, err := typed(v)
		if err != nil {
			return domain.Errorf(domain.CodeUsage, s.allowed(), "the setting %s in %s cannot be read: %w", s.name, path, err)
		}
		if err := s.set(c, s.name, text); err != nil {
			return err
		}
		c.origins[s.name] = origin
	}
	for _, name := range slices.Sorted(maps.Keys(found)) {
		if _, known := settingNamed(name); !known {
			return domain.Errorf(domain.CodeUsage, "correct its name or remove it; `fanous config list` has all names",
				"%s has an unknown setting %q", path, name)
		}
	}
	return nil
}

func (c *Config) readEnvironment() error {
	c.CohereKey = os.Getenv("CO_API_KEY")
	for _, s := range settings() {
		if s.variable == "" {
			continue
		}
		text, ok := os.LookupEnv(s.variable)
		if !ok || text == "" && !s.mayBeEmpty {
			continue
		}
		if err := s.set(c, s.variable, text); err != nil {
			return err
		}
		c.origins[s.name] = originEnvironment
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
	return nil
}

// validate refuses what the limits of single settings do not: texts that are no addresses, and values that do not go
// together.
func (c *Config) validate() error {
	if err := cohere.CheckURL(c.CohereURL); err != nil {
		return domain.Errorf(domain.CodeUsage, "give an address such as "+cohere.DefaultURL, "cohere_url: %w", err)
	}
	if c.CohereHedge < 0 || c.CohereDeadline > 0 && c.CohereHedge >= c.CohereDeadline {
		return domain.Errorf(domain.CodeUsage, "give a time below the deadline, or 0 for none",
			"cohere_hedge is %s and cohere_deadline is %s", c.CohereHedge, c.CohereDeadline)
	}
	if err := c.ModelSettings.validate(); err != nil {
		return err
	}
	if err := c.SearchSettings.validate(); err != nil {
		return err
	}
	for _, s := range settings() {
		if err := s.checkLimits(c); err != nil {
			return err
		}
	}
	return nil
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
