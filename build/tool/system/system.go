// Package system knows what Fanous needs from the machine besides the language toolchains, says what is missing, and
// installs it through the system's package manager where it may.
package system

import (
	"context"
	"errors"
	"fmt"
	"os"
	"path/filepath"
	"runtime"
	"slices"
	"strings"

	"fanous/build/tool/command"
	"fanous/build/tool/step"
)

// Need is one thing that must be on the machine. It is there when one of Commands is on the PATH, when pkg-config
// knows Library, when fontconfig has a font for Language, when Tesseract reads Reading (one of its own names of
// languages), or when LibreOffice has Component (a library in its folder); what is there is judged by that and not by the
// package, so that one installed another way counts.
type Need struct {
	Commands  []string
	Library   string
	Language  string
	Reading   string
	Component string
	Package   string // the Debian and Ubuntu package that brings it; empty where we leave it to the person
	Get       string // where it comes from, for a person, on a system without that package
}

// String names the need.
func (n Need) String() string {
	switch {
	case n.Library != "":
		return "the library " + n.Library + " with its headers"
	case n.Language != "":
		return "a font for " + n.Language
	case n.Reading != "":
		return "Tesseract's language " + n.Reading
	case n.Component != "":
		return "LibreOffice's " + n.Component
	}
	return strings.Join(n.Commands, " or ")
}

// ForBuild is what building both programs needs, on the operating system goos.
func ForBuild(goos string) []Need {
	needs := []Need{
		{Commands: []string{"cargo"}, Get: "install Rust (rustup, or the package cargo)"},
		{Commands: []string{"npm"}, Get: "install Node 20.19 or later with npm"},
		{Commands: []string{"python3", "python"}, Get: "install Python 3 with pip"},
	}
	switch goos {
	case "linux":
		needs = append(needs,
			Need{Commands: []string{"gcc", "cc"}, Package: "gcc", Get: "install gcc"},
			Need{Commands: []string{"pkg-config"}, Package: "pkg-config", Get: "install pkg-config"},
			Need{Library: "gtk+-3.0", Package: "libgtk-3-dev", Get: "install GTK 3 with its headers"},
			Need{Library: "webkit2gtk-4.1", Package: "libwebkit2gtk-4.1-dev", Get: "install WebKitGTK 4.1 with its headers"},
		)
	case "darwin":
		needs = append(needs, Need{Commands: []string{"clang"}, Get: "run xcode-select --install"})
	case "windows":
		needs = append(needs, Need{Commands: []string{"gcc"}, Get: "install the MinGW-w64 gcc and the Rust target x86_64-pc-windows-gnu"})
	}
	return needs
}

// ForTests is what the tests need on top.
func ForTests(goos string) []Need {
	needs := []Need{
		{Commands: []string{"chromium", "chromium-browser", "google-chrome"}, Package: "chromium", Get: "install Chromium"},
	}
	if goos == "linux" {
		needs = append(needs,
			Need{Commands: []string{"Xvfb"}, Package: "xvfb", Get: "install Xvfb"},
			Need{Commands: []string{"dbus-run-session"}, Package: "dbus", Get: "install D-Bus"},
			Need{Commands: []string{"xdotool"}, Package: "xdotool", Get: "install xdotool"},
			Need{Commands: []string{"import"}, Package: "imagemagick", Get: "install ImageMagick"},
			Need{Library: "sqlite3", Package: "libsqlite3-dev", Get: "install SQLite with its headers"},
			Need{Commands: []string{"fc-list"}, Package: "fontconfig", Get: "install fontconfig"},
			Need{Language: "fa", Package: "fonts-noto-core", Get: "install a font with Persian letters"},
			Need{Language: "ar", Package: "fonts-noto-core", Get: "install a font with Arabic letters"},
			Need{Commands: []string{"tesseract"}, Package: "tesseract-ocr", Get: "install Tesseract"},
			Need{Reading: "fas", Package: "tesseract-ocr-fas", Get: "install Tesseract's Persian"},
			Need{Reading: "ara", Package: "tesseract-ocr-ara", Get: "install Tesseract's Arabic"},
			Need{Reading: "eng", Package: "tesseract-ocr-eng", Get: "install Tesseract's English"},
			Need{Language: "ja", Package: "fonts-droid-fallback", Get: "install a font with Japanese, Chinese and Korean letters"},
			Need{Component: "libswlo.so", Package: "libreoffice-writer-nogui", Get: "install LibreOffice Writer"},
			Need{Component: "libsclo.so", Package: "libreoffice-calc-nogui", Get: "install LibreOffice Calc"},
			Need{Component: "libsdlo.so", Package: "libreoffice-impress-nogui", Get: "install LibreOffice Impress"},
		)
	}
	return needs
}

// Machine answers questions about the machine and changes it.
type Machine struct {
	Has  func(program string) bool                                 // whether a program is on the PATH
	Ask  func(ctx context.Context, args ...string) (string, error) // runs a program that only tells
	Run  func(ctx context.Context, args ...string) error           // runs a program on this terminal
	Root bool                                                      // whether this process may install
}

// This is the machine that the tool runs on.
func This() Machine {
	return Machine{
		Has:  command.Exists,
		Ask:  func(ctx context.Context, args ...string) (string, error) { return command.Of(args...).Output(ctx) },
		Run:  func(ctx context.Context, args ...string) error { return command.Of(args...).Work(ctx) },
		Root: os.Geteuid() == 0,
	}
}

// Missing returns those of needs that the machine lacks.
func (m Machine) Missing(ctx context.Context, needs []Need) ([]Need, error) {
	var missing []Need
	for _, need := range needs {
		has := m.has(ctx, need)
		if err := ctx.Err(); err != nil {
			return nil, err
		}
		if !has {
			missing = append(missing, need)
		}
	}
	return missing, nil
}

func (m Machine) has(ctx context.Context, need Need) bool {
	switch {
	case need.Library != "":
		_, err := m.Ask(ctx, "pkg-config", "--exists", need.Library)
		return err == nil
	case need.Language != "":
		fonts, err := m.Ask(ctx, "fc-list", ":lang="+need.Language, "family")
		return err == nil && fonts != ""
	case need.Reading != "":
		languages, err := m.Ask(ctx, "tesseract", "--list-langs")
		return err == nil && slices.Contains(strings.Fields(languages), need.Reading)
	case need.Component != "":
		program, err := m.Ask(ctx, "readlink", "-f", "/usr/bin/soffice") // it lies beside its libraries
		if err == nil {
			_, err = m.Ask(ctx, "test", "-e", filepath.Join(filepath.Dir(strings.TrimSpace(program)), need.Component))
		}
		return err == nil
	}
	return slices.ContainsFunc(need.Commands, m.Has)
}

// Provide installs what is missing of needs. Where it may not or cannot, the error's hint is what to do, down to the
// command to type.
func (m Machine) Provide(ctx context.Context, log *step.Log, needs []Need) error {
	missing, err := m.Missing(ctx, needs)
	if err != nil || len(missing) == 0 {
		return err
	}
	packages, byHand := split(missing, m.Has("apt-get"))
	if len(byHand) > 0 {
		return &step.Error{Step: "look for what the build needs", Err: errors.New("missing: " + names(byHand)), Hint: advice(byHand)}
	}
	install := append([]string{"apt-get", "install", "-y", "--no-install-recommends"}, packages...)
	typed := strings.Join(install, " ")
	prefix, err := m.privilege(ctx)
	if err != nil {
		return &step.Error{Step: "install system packages", Err: err, Hint: "run: sudo " + typed}
	}
	return log.Do("install system packages: "+strings.Join(packages, " "), "run it by hand: "+typed, func() error {
		prefix = append(prefix, "env", "DEBIAN_FRONTEND=noninteractive")
		// A fresh machine knows no packages until the lists are fetched.
		if err := m.Run(ctx, slices.Concat(prefix, []string{"apt-get", "update"})...); err != nil {
			return err
		}
		if err := m.Run(ctx, slices.Concat(prefix, install)...); err != nil {
			return err
		}
		if missing, err = m.Missing(ctx, needs); err != nil {
			return err
		}
		if len(missing) > 0 {
			return fmt.Errorf("installed, but still missing: %s", names(missing))
		}
		return nil
	})
}

// privilege is what to put before a command that changes the system.
func (m Machine) privilege(ctx context.Context) ([]string, error) {
	if m.Root {
		return nil, nil
	}
	if m.Has("sudo") {
		if _, err := m.Ask(ctx, "sudo", "-n", "true"); err == nil {
			return []string{"sudo", "-n"}, nil
		}
	}
	return nil, errors.New("only root may install packages, and sudo would ask for a password")
}

// split separates what apt can install from what the person must.
func split(missing []Need, apt bool) (packages []string, byHand []Need) {
	for _, need := range missing {
		switch {
		case !apt || need.Package == "":
			byHand = append(byHand, need)
		case !slices.Contains(packages, need.Package):
			packages = append(packages, need.Package)
		}
	}
	return packages, byHand
}

func names(needs []Need) string {
	var all []string
	for _, need := range needs {
		all = append(all, need.String())
	}
	return strings.Join(all, ", ")
}

func advice(needs []Need) string {
	var all []string
	for _, need := range needs {
		if !slices.Contains(all, need.Get) {
			all = append(all, need.Get)
		}
	}
	return strings.Join(all, "; ") + "; then run this again"
}

// Display says whether a window can be shown here.
func Display() bool {
	if runtime.GOOS == "linux" {
		return os.Getenv("DISPLAY") != "" || os.Getenv("WAYLAND_DISPLAY") != ""
	}
	return os.Getenv("CI") == ""
}
