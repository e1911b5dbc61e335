package install

import (
	"bufio"
	"os"
	"path/filepath"
	"runtime"
	"strings"
)

// Pip is what pip is set up to use on this machine. Where a machine reaches its package index is written down in the
// places that pip documents, and whoever set it up did it once.
type Pip struct {
	Indexes []string // addresses, with a password where one is needed
	Folders []string // of wheels
	NoIndex bool     // it is to use no index at all
}

// ReadPip reads pip's configuration files and environment, of which the later ones overrule the earlier.
func ReadPip() Pip {
	settings := map[string]string{}
	for _, path := range pipFiles() {
		readPipFile(path, settings)
	}
	for _, name := range []string{"index-url", "extra-index-url", "find-links", "no-index"} {
		if v := os.Getenv("PIP_" + strings.ToUpper(strings.ReplaceAll(name, "-", "_"))); v != "" {
			settings[name] = v
		}
	}
	no := settings["no-index"]
	p := Pip{NoIndex: no != "" && no != "0" && no != "false"}
	if !p.NoIndex {
		p.Indexes = strings.Fields(settings["index-url"] + " " + settings["extra-index-url"])
	}
	for _, place := range strings.Fields(settings["find-links"]) {
		if !isAddress(place) {
			p.Folders = append(p.Folders, place)
		}
	}
	return p
}

// pipFiles are where pip looks, the system's before the user's.
func pipFiles() []string {
	if path := os.Getenv("PIP_CONFIG_FILE"); path != "" {
		return []string{path}
	}
	home, _ := os.UserHomeDir()
	config, _ := os.UserConfigDir()
	switch runtime.GOOS {
	case "windows":
		return []string{filepath.Join(os.Getenv("ProgramData"), "pip", "pip.ini"), filepath.Join(home, "pip", "pip.ini"),
			filepath.Join(config, "pip", "pip.ini")}
	case "darwin":
		return []string{"/Library/Application Support/pip/pip.conf", filepath.Join(home, ".pip", "pip.conf"),
			filepath.Join(home, ".config", "pip", "pip.conf"), filepath.Join(config, "pip", "pip.conf")}
	}
	return []string{"/etc/pip.conf", filepath.Join(home, ".pip", "pip.conf"), filepath.Join(config, "pip", "pip.conf")}
}

// readPipFile takes the settings of an ini file's sections that hold for downloads; a file that is not there sets
// nothing.
func readPipFile(path string, settings map[string]string) {
	f, err := os.Open(path)
	if err != nil {
		return
	}
	defer f.Close()
	section, key := "", ""
	for lines := bufio.NewScanner(f); lines.Scan(); {
		line := lines.Text()
		trimmed := strings.TrimSpace(line)
		switch {
		case trimmed == "" || strings.HasPrefix(trimmed, "#") || strings.HasPrefix(trimmed, ";"):
		case strings.HasPrefix(trimmed, "["):
			section, key = strings.Trim(trimmed, "[]"), ""
		case section != "global" && section != "download" && section != "install":
		case line[0] == ' ' || line[0] == '\t': // more of the value above
			if key != "" {
				settings[key] += " " + trimmed
			}
		default:
			name, value, ok := strings.Cut(trimmed, "=")
			if !ok {
				name, value, _ = strings.Cut(trimmed, ":")
			}
			key = strings.ReplaceAll(strings.ToLower(strings.TrimSpace(name)), "_", "-")
			settings[key] = strings.TrimSpace(value)
		}
	}
}
