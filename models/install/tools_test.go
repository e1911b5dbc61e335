package install

import (
	"os"
	"path/filepath"
	"runtime"
	"slices"
	"strings"
	"testing"

	"fanous/models"
	"fanous/models/fetch"
)

// programs puts scripts in the only folder in which programs are looked for.
func programs(t *testing.T, scripts map[string]string) {
	t.Helper()
	if runtime.GOOS == "windows" {
		t.Skip("no scripts of a shell")
	}
	dir := t.TempDir()
	for name, script := range scripts {
		if err := os.WriteFile(filepath.Join(dir, name), []byte("#!/bin/sh\n"+script), 0o755); err != nil {
			t.Fatal(err)
		}
	}
	t.Setenv("PATH", dir)
}

// help is how pip lays its options out.
const help = `echo "Package Index Options:
  -i, --index-url <url>       Base URL of the Python Package Index (default https://index.example/simple). This should
                              point to a repository (or a folder).
  --extra-index-url <url>     Extra URLs"
`

func TestPackageToolsAreAsked(t *testing.T) {
	t.Setenv("CO_API_KEY", "secret")
	for name, test := range map[string]struct {
		scripts         map[string]string
		index, registry string
	}{
		"both": {map[string]string{"python3": `[ "$*" = "-m pip download --help" ] && ` + help,
			"npm": `[ "$*" = "config get registry" ] && echo https://registry.example/`}, "https://index.example/simple", "https://registry.example/"},
		"a python without pip":  {map[string]string{"python3": "exit 1", "python": help}, "https://index.example/simple", ""},
		"help in other words":   {map[string]string{"python3": "echo '--index-url <url> (of something). (default https://x.example)'"}, "", ""},
		"no address":            {map[string]string{"python3": "echo '--index-url (default none)'", "npm": "echo undefined"}, "", ""},
		"failures":              {map[string]string{"python3": help + "exit 1", "npm": "echo https://x.example; exit 1"}, "", ""},
		"nothing is here":       {nil, "", ""},
		"they are told no keys": {map[string]string{"npm": `echo "https://registry.example/$CO_API_KEY"`}, "", "https://registry.example/"},
	} {
		t.Run(name, func(t *testing.T) {
			programs(t, test.scripts)
			if got := pipIndex(t.Context()); got != test.index {
				t.Errorf("index %q", got)
			}
			if got := npmRegistry(t.Context()); got != test.registry {
				t.Errorf("registry %q", got)
			}
		})
	}
}

// TestToolsAreAskedLast: only where no setting says where packages are, and never offline.
func TestToolsAreAskedLast(t *testing.T) {
	asked := filepath.Join(t.TempDir(), "asked")
	programs(t, map[string]string{"python3": "echo pip >>" + asked + "\n" + help, "npm": "echo npm >>" + asked + "\necho https://registry.example"})
	wheel := models.Package{Project: "one", Version: "1", File: "one-1.whl"}
	tarball := models.Package{Project: "two", Version: "2", File: "two-2.tgz"}
	for name, test := range map[string]struct {
		sources Sources
		want    []fetch.Source
		asked   string
	}{
		"asked": {Sources{AskPip: true, AskNPM: true}, []fetch.Source{
			fetch.Index{Base: "https://index.example/simple", Project: "one", File: "one-1.whl"}, fetch.URL("https://registry.example/two/-/two-2.tgz"),
		}, "pip npm"},
		"set": {Sources{Indexes: []string{"https://mine.example"}, Registry: "https://ours.example", AskPip: true, AskNPM: true}, []fetch.Source{
			fetch.Index{Base: "https://mine.example", Project: "one", File: "one-1.whl"}, fetch.URL("https://ours.example/two/-/two-2.tgz"),
		}, ""},
		"offline":    {Sources{AskPip: true, AskNPM: true, Offline: true}, nil, ""},
		"not wanted": {Sources{}, nil, ""},
	} {
		t.Run(name, func(t *testing.T) {
			_ = os.Remove(asked)
			got := slices.Concat(test.sources.archive(t.Context(), wheel), test.sources.archive(t.Context(), tarball))
			if !slices.Equal(got, test.want) {
				t.Errorf("%v", got)
			}
			test.sources.Names(models.Entry{Packages: []models.Package{wheel, tarball}}) // asks nobody
			if log, _ := os.ReadFile(asked); strings.Join(strings.Fields(string(log)), " ") != test.asked {
				t.Errorf("asked: %q", log)
			}
		})
	}
	names := Sources{AskPip: true, Registry: "https://me:secret@ours.example"}.Names(models.Entry{Packages: []models.Package{wheel, tarball}})
	if want := []string{"one 1 from the package index that pip uses, if it is here", "two 2 from the npm registry https://me:xxxxx@ours.example"}; !slices.Equal(names, want) {
		t.Errorf("%q", names)
	}
}
