package backend

import (
	"encoding/json"
	"errors"
	"io/fs"
	"os"
	"path/filepath"
	"strings"

	"fanous/backend/domain"
	"fanous/models"
)

// settingsName is the file in the data folder with what was set by `fanous config` and in the window. config.toml is
// the analyst's own and never written.
const settingsName = "settings.json"

// Where a setting has its value from, beside the path of a configuration file and what was measured.
const (
	originSettings    = "settings"
	originEnvironment = "environment"
	originDefault     = "default"
)

func settingNamed(name string) (setting, bool) {
	for _, s := range settings() {
		if s.name == name {
			return s, true
		}
	}
	return setting{}, false
}

// readSettings reads what is set in a data folder; nothing where there is no file.
func readSettings(dir string) (values, error) {
	path := filepath.Join(dir, settingsName)
	data, err := os.ReadFile(path)
	if errors.Is(err, fs.ErrNotExist) {
		return values{}, nil
	}
	found := values{}
	if err == nil {
		err = json.Unmarshal(data, &found)
	}
	if err == nil && found == nil {
		err = errors.New("it holds null")
	}
	if err != nil {
		return nil, domain.Errorf(domain.CodeUsage, "correct the file or remove it", "the settings %s cannot be read: %w", path, err)
	}
	return found, nil
}

// Settings are all settings as they are now, with where each has its value from.
func (c *Config) Settings() []domain.SettingState {
	without, err := loadConfig(c.path, c.DataDir, values{})
	if err != nil { // the files go together only with what was set
		without = defaults(c.DataDir)
	}
	var out []domain.SettingState
	for _, s := range settings() {
		out = append(out, domain.SettingState{
			Name: s.name, About: s.about, Kind: s.kind, Value: s.text(c), From: c.origin(s.name),
			Default: s.text(&without), DefaultFrom: without.origin(s.name),
			Choices: s.choices, Min: s.min, Max: s.max, Restart: s.restart, Variable: s.variable,
		})
	}
	return out
}

// origin says where a setting has its value from.
func (c *Config) origin(name string) string {
	if from := c.origins[name]; from != "" {
		return from
	}
	return originDefault
}

// ChangeSettings writes settings into the data folder, or takes them out of there, so that the configuration file or the
// default counts again. The whole configuration is checked first: what does not go together is refused, and nothing
// changes. It returns the configuration as it is then; what is open goes on as it was until it is opened anew. The path
// and the folder are those of LoadConfig.
func ChangeSettings(path, dataDir string, changes ...domain.SettingChange) (cfg Config, err error) {
	dir, err := dataFolder(dataDir)
	if err != nil {
		return Config{}, err
	}
	file := filepath.Join(dir, settingsName)
	err = exclusively(file, func() error {
		own, err := readSettings(dir)
		if err != nil {
			return err
		}
		for _, change := range changes {
			if err := own.change(change); err != nil {
				return err
			}
		}
		if cfg, err = loadConfig(path, dir, own); err != nil {
			return err
		}
		return models.WriteJSON(file, own)
	})
	return cfg, err
}

func (v values) change(change domain.SettingChange) error {
	s, ok := settingNamed(change.Name)
	if !ok {
		return domain.Errorf(domain.CodeNotFound, "`fanous config list` has all names", "there is no setting %q", change.Name)
	}
	if change.Reset {
		delete(v, s.name)
		return nil
	}
	one := defaults("")
	if err := s.set(&one, s.name, strings.TrimSpace(change.Value)); err != nil {
		return err
	}
	v[s.name] = s.value(&one)
	return nil
}

// Settings are all settings as they were when the backend was opened.
func (b *Backend) Settings() []domain.SettingState { return b.cfg.Settings() }

// ChangeSettings is the function of this name for the backend's own files. The backend goes on as it is.
func (b *Backend) ChangeSettings(changes ...domain.SettingChange) error {
	_, err := ChangeSettings(b.cfg.path, b.cfg.DataDir, changes...)
	return err
}

// DataDir is the whole path of the data folder.
func (b *Backend) DataDir() string { return b.cfg.DataDir }
