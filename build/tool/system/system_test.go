package system

import (
	"context"
	"errors"
	"io"
	"slices"
	"strings"
	"testing"

	"fanous/build/tool/step"
)

// pretend is a machine in memory: the programs on its PATH, the libraries and fonts it has, and what apt-get brings.
type pretend struct {
	programs, libraries, languages []string
	sudoFree                       bool
	brings                         map[string]string // package -> program, library or language
	ran                            []string
}

func (p *pretend) machine(root bool) Machine {
	return Machine{
		Root: root,
		Has:  func(program string) bool { return slices.Contains(p.programs, program) },
		Ask: func(_ context.Context, args ...string) (string, error) {
			switch args[0] {
			case "pkg-config":
				if slices.Contains(p.libraries, args[2]) {
					return "", nil
				}
			case "fc-list":
				if language := strings.TrimPrefix(args[1], ":lang="); slices.Contains(p.languages, language) {
					return "Noto", nil
				}
				return "", nil
			case "tesseract":
				return "List of available languages:\n" + strings.Join(p.languages, "\n"), nil
			case "sudo":
				if p.sudoFree {
					return "", nil
				}
			}
			return "", errors.New("no")
		},
		Run: func(_ context.Context, args ...string) error {
			p.ran = append(p.ran, strings.Join(args, " "))
			for _, word := range args {
				if thing, ok := p.brings[word]; ok {
					p.programs = append(p.programs, thing)
					p.libraries = append(p.libraries, thing)
					p.languages = append(p.languages, thing)
				}
			}
			return nil
		},
	}
}

var needs = []Need{
	{Commands: []string{"cargo"}, Get: "install Rust"},
	{Commands: []string{"chromium", "google-chrome"}, Package: "chromium", Get: "install Chromium"},
	{Library: "gtk+-3.0", Package: "libgtk-3-dev", Get: "install GTK 3"},
	{Language: "fa", Package: "fonts-noto-core", Get: "install a Persian font"},
	{Language: "ar", Package: "fonts-noto-core", Get: "install an Arabic font"},
}

func TestProvide(t *testing.T) {
	everything := map[string]string{"chromium": "chromium", "libgtk-3-dev": "gtk+-3.0", "fonts-noto-core": "fa"}
	const install = "env DEBIAN_FRONTEND=noninteractive apt-get install -y --no-install-recommends "
	cases := []struct {
		name    string
		machine pretend
		root    bool
		ran     []string
		hint    string // of the failure; empty for none
	}{
		{
			name:    "nothing missing, whatever brought it",
			machine: pretend{programs: []string{"cargo", "google-chrome"}, libraries: []string{"gtk+-3.0"}, languages: []string{"fa", "ar"}},
		},
		{
			name:    "root installs only what is missing",
			machine: pretend{programs: []string{"cargo", "chromium", "apt-get"}, languages: []string{"fa", "ar"}, brings: everything},
			root:    true,
			ran:     []string{"env DEBIAN_FRONTEND=noninteractive apt-get update", install + "libgtk-3-dev"},
		},
		{
			name:    "a package that two needs share is installed once",
			machine: pretend{programs: []string{"cargo", "chromium", "apt-get"}, libraries: []string{"gtk+-3.0"}, brings: map[string]string{"fonts-noto-core": "fa"}},
			root:    true,
			ran:     []string{"env DEBIAN_FRONTEND=noninteractive apt-get update", install + "fonts-noto-core"},
			hint:    "run it by hand: apt-get install -y --no-install-recommends fonts-noto-core", // ar is still missing
		},
		{
			name:    "sudo without a password",
			machine: pretend{programs: []string{"cargo", "apt-get", "sudo"}, libraries: []string{"gtk+-3.0"}, languages: []string{"fa", "ar"}, sudoFree: true, brings: everything},
			ran:     []string{"sudo -n env DEBIAN_FRONTEND=noninteractive apt-get update", "sudo -n " + install + "chromium"},
		},
		{
			name:    "no right to install",
			machine: pretend{programs: []string{"cargo", "apt-get", "sudo"}, libraries: []string{"gtk+-3.0"}, languages: []string{"fa", "ar"}},
			hint:    "run: sudo apt-get install -y --no-install-recommends chromium",
		},
		{
			name:    "no apt-get",
			machine: pretend{programs: []string{"cargo"}, languages: []string{"fa", "ar"}},
			root:    true,
			hint:    "install Chromium; install GTK 3; then run this again",
		},
		{
			name:    "a toolchain is never installed",
			machine: pretend{programs: []string{"apt-get"}, brings: everything},
			root:    true,
			hint:    "install Rust; then run this again",
		},
	}
	for _, c := range cases {
		t.Run(c.name, func(t *testing.T) {
			err := c.machine.machine(c.root).Provide(t.Context(), step.To(io.Discard), needs)
			if c.hint == "" && err != nil {
				t.Fatal(err)
			}
			var failed *step.Error
			if c.hint != "" && (!errors.As(err, &failed) || failed.Hint != c.hint) {
				t.Errorf("got %v, want the hint %q", err, c.hint)
			}
			if !slices.Equal(c.machine.ran, c.ran) {
				t.Errorf("ran %q, want %q", c.machine.ran, c.ran)
			}
		})
	}
}

func TestEveryNeedSaysWhereItComesFrom(t *testing.T) {
	for _, goos := range []string{"linux", "darwin", "windows"} {
		for _, need := range append(ForBuild(goos), ForTests(goos)...) {
			if need.Get == "" {
				t.Errorf("%s: %s: no word on where to get it", goos, need)
			}
			if goos == "linux" && need.Package == "" && !slices.Contains([]string{"cargo", "npm", "python3 or python"}, need.String()) {
				t.Errorf("%s: no package", need)
			}
		}
	}
}

// TestReading: Tesseract is asked for its languages, whole names of them.
func TestReading(t *testing.T) {
	m := (&pretend{languages: []string{"eng", "fas"}}).machine(true)
	missing, err := m.Missing(t.Context(), []Need{{Reading: "fas"}, {Reading: "fa"}, {Reading: "ara"}})
	if err != nil || len(missing) != 2 || missing[0].Reading != "fa" || missing[1].Reading != "ara" {
		t.Errorf("%v %v", missing, err)
	}
}

// TestComponents: LibreOffice without a part of it is not all of it.
func TestComponents(t *testing.T) {
	m := Machine{Ask: func(_ context.Context, args ...string) (string, error) {
		switch strings.Join(args, " ") {
		case "readlink -f /usr/bin/soffice":
			return "/opt/office/program/soffice\n", nil
		case "test -e /opt/office/program/libswlo.so":
			return "", nil
		}
		return "", errors.New("no")
	}}
	missing, err := m.Missing(t.Context(), []Need{{Component: "libswlo.so"}, {Component: "libsclo.so"}})
	if err != nil || len(missing) != 1 || missing[0].String() != "LibreOffice's libsclo.so" {
		t.Errorf("missing %v, %v", missing, err)
	}
}
