// Package ocr reads the text of page images with the Tesseract program, where that is installed.
//
// The program runs apart, at low priority, with limits on its time, memory and output. It gets the page on its standard
// input as plain grey pixels, so that it parses no file format and opens nothing that a document names.
package ocr

import (
	"context"
	"os"
	"os/exec"
	"path/filepath"
	"runtime"
	"slices"
	"strings"
	"time"

	"fanous/backend/domain"
	"fanous/models/child"
)

// DPI is the resolution at which pages are to be rendered.
const DPI = 300

// MaxPixels is how many pixels a page may have: A3 at 300 dpi, with room.
const MaxPixels = 20_000_000

// Program is an installed Tesseract.
type Program struct {
	path      string
	version   string
	languages []string
	limits    limits
}

// askLimit is how long the program may take to say what it is.
const askLimit = 20 * time.Second

// Find looks for the program on the PATH, then where the platform's installers put it, and asks for its version and
// languages; a path that is not empty is the only one that is tried. The error is one for the analyst.
func Find(ctx context.Context, path string) (*Program, error) {
	if path == "" {
		path = look()
	}
	if path == "" {
		return nil, domain.Errorf(domain.CodeOCRMissing, install(runtime.GOOS, nil), "Tesseract, which reads the text of images, is not installed")
	}
	p := &Program{path: path, limits: defaultLimits}
	version, err := p.ask(ctx, "--version")
	if err != nil {
		return nil, domain.Errorf(domain.CodeOCRMissing, install(runtime.GOOS, nil), "%s does not run: %w", path, err)
	}
	line, _, _ := strings.Cut(version, "\n")
	p.version = strings.TrimPrefix(strings.TrimSpace(line), "tesseract ")
	list, err := p.ask(ctx, "--list-langs")
	if err != nil {
		return nil, domain.Errorf(domain.CodeOCRLanguages, install(runtime.GOOS, wanted), "%s does not say which languages it has: %w", path, err)
	}
	_, list, _ = strings.Cut(list, "\n") // the first line says where they are
	for name := range strings.FieldsSeq(list) {
		if !strings.ContainsFunc(name, notOfName) && name != "osd" {
			p.languages = append(p.languages, name)
		}
	}
	slices.Sort(p.languages)
	if len(p.languages) == 0 {
		return nil, domain.Errorf(domain.CodeOCRLanguages, install(runtime.GOOS, wanted), "%s has no languages", path)
	}
	return p, nil
}

// notOfName keeps what could be taken for an option or a path out of the names of languages.
func notOfName(r rune) bool {
	return !(r >= 'a' && r <= 'z' || r >= 'A' && r <= 'Z' || r >= '0' && r <= '9' || r == '_')
}

func (p *Program) ask(ctx context.Context, what string) (string, error) {
	ctx, cancel := context.WithTimeout(ctx, askLimit)
	defer cancel()
	cmd := exec.CommandContext(ctx, p.path, what)
	child.Prepare(cmd)
	out, err := cmd.CombinedOutput() // older versions answer on standard error
	return string(out), err
}

// look finds the program; "" where it is not.
func look() string {
	if path, err := exec.LookPath("tesseract"); err == nil {
		return path
	}
	for _, path := range usual(runtime.GOOS, os.Getenv) {
		if info, err := os.Stat(path); err == nil && info.Mode().IsRegular() {
			return path
		}
	}
	return ""
}

// usual are the places where installers put the program without telling the PATH.
func usual(goos string, env func(string) string) []string {
	switch goos {
	case "windows":
		var out []string
		for _, v := range []string{"ProgramFiles", "ProgramW6432", "ProgramFiles(x86)", "LOCALAPPDATA"} {
			if dir := env(v); dir != "" {
				out = append(out, filepath.Join(dir, "Tesseract-OCR", "tesseract.exe"),
					filepath.Join(dir, "Programs", "Tesseract-OCR", "tesseract.exe"))
			}
		}
		return out
	case "darwin": // a window started from the desktop has a short PATH
		return []string{"/opt/homebrew/bin/tesseract", "/usr/local/bin/tesseract", "/opt/local/bin/tesseract"}
	}
	return []string{"/usr/bin/tesseract", "/usr/local/bin/tesseract", "/snap/bin/tesseract"}
}

// Path is where the program is.
func (p *Program) Path() string { return p.path }

// Version is the program's own name for it.
func (p *Program) Version() string { return p.version }

// Maker names what Read reads a page with, for languages beside it: the program and its choice of languages.
func (p *Program) Maker(beside []string) string {
	return "tesseract " + p.version + "/" + strings.Join(choose(p.languages, beside), "+")
}

// Languages are the names of the languages that the program has, sorted.
func (p *Program) Languages() []string { return slices.Clone(p.languages) }
