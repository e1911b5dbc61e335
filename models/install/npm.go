package install

import (
	"bufio"
	"cmp"
	"os"
	"path/filepath"
	"regexp"
	"strings"
)

// ReadNPM is the base URL of the registry that npm's environment or the user's .npmrc names; empty: neither does.
func ReadNPM() string {
	home, _ := os.UserHomeDir()
	file := cmp.Or(npmVariable("userconfig"), filepath.Join(home, ".npmrc"))
	return cmp.Or(npmVariable("registry"), readNPMFile(file)["registry"])
}

// npmVariable is a setting in the environment, where npm takes names in letters of either case.
func npmVariable(name string) string {
	return cmp.Or(os.Getenv("npm_config_"+name), os.Getenv("NPM_CONFIG_"+strings.ToUpper(name)))
}

// variable is how an .npmrc refers to the environment.
var variable = regexp.MustCompile(`\$\{[^{}]+\}`)

// readNPMFile takes the settings of an .npmrc that stand in no section; a file that is not there sets nothing.
func readNPMFile(path string) map[string]string {
	settings := map[string]string{}
	f, err := os.Open(path)
	if err != nil {
		return settings
	}
	defer f.Close()
	for lines := bufio.NewScanner(f); lines.Scan(); {
		line := strings.TrimSpace(lines.Text())
		if strings.HasPrefix(line, "[") {
			break
		}
		name, value, ok := strings.Cut(line, "=")
		if !ok || strings.HasPrefix(line, "#") || strings.HasPrefix(line, ";") {
			continue
		}
		value = strings.Trim(strings.TrimSpace(value), `"'`)
		settings[strings.TrimSpace(name)] = variable.ReplaceAllStringFunc(value, func(v string) string { return os.Getenv(v[2 : len(v)-1]) })
	}
	return settings
}
