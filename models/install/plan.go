package install

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"os"
	"path/filepath"
	"strings"

	"fanous/models"
	"fanous/models/fetch"
)

// lockName is the file beside the models that keeps what a hub stated of files whose digest or size the catalogue does
// not have. What stands in it counts from then on, whatever a hub says later.
const lockName = "lock.json"

// pins is the content of the lock file: REPOSITORY@REVISION/PATH -> what was stated.
type pins map[string]pin

type pin struct {
	SHA256 string `json:"sha256"`
	Bytes  int64  `json:"bytes"`
	From   string `json:"from"` // who stated it, for people
}

func readPins(dir string) (pins, error) {
	p := pins{}
	data, err := os.ReadFile(filepath.Join(dir, lockName))
	if errors.Is(err, os.ErrNotExist) {
		return p, nil
	}
	if err == nil {
		err = json.Unmarshal(data, &p)
	}
	if err != nil {
		return nil, fmt.Errorf("%s of the models cannot be read: %w", lockName, err)
	}
	return p, nil
}

// add writes one more pin down. Other programs may do so at the same time for other models; one pin that is lost to
// that is asked for again.
func (in *Installer) add(key string, p pin) error {
	all, err := readPins(in.dir())
	if err != nil {
		return err
	}
	if all == nil {
		all = pins{}
	}
	all[key] = p
	return models.WriteJSON(filepath.Join(in.dir(), lockName), all)
}

// Plan completes an entry as far as it can be: with the digests and sizes of the lock file, and with those that the hub
// states. It connects only where something is missing. A digest that nobody states is an error; a size may stay unknown.
func (in *Installer) Plan(ctx context.Context, e models.Entry) (models.Entry, error) {
	known, err := readPins(in.dir())
	if err != nil {
		return e, err
	}
	e.Files = append([]models.File{}, e.Files...)
	reached := true
	for i := range e.Files {
		f := &e.Files[i]
		if f.SHA256 != "" && (f.Bytes > 0 || !reached) || e.Hub == nil || e.Hub.Paths[f.Name] == "" {
			continue
		}
		key := e.Hub.Repository + "@" + e.Hub.Revision + "/" + e.Hub.Paths[f.Name]
		p, ok := known[key]
		if !ok {
			if p, err = in.ask(ctx, e, *f); err != nil {
				if ctx.Err() != nil {
					return e, ctx.Err()
				}
				if f.SHA256 != "" { // its size is not worth waiting for a second time
					reached = false
					continue
				}
				return e, fmt.Errorf("the catalogue has no digest of %s, and the hub could not be asked for it: %w", f.Name, err)
			}
		}
		if f.SHA256 != "" && p.SHA256 != f.SHA256 {
			continue // of other bytes: no size for ours
		}
		if !ok {
			if err := os.MkdirAll(in.dir(), 0o755); err != nil {
				return e, err
			}
			if err := in.add(key, p); err != nil {
				return e, err
			}
		}
		f.SHA256, f.Bytes = p.SHA256, p.Bytes
	}
	return e, nil
}

// ask has a hub state a file's digest and size. A digest that the catalogue does not have is taken only from the hub
// itself, never from a mirror, and only at a commit.
func (in *Installer) ask(ctx context.Context, e models.Entry, f models.File) (pin, error) {
	if in.Sources.Offline {
		return pin{}, ErrOffline
	}
	var hubs []string
	if f.SHA256 != "" {
		for _, m := range in.Sources.Mirrors {
			if isAddress(m) {
				hubs = append(hubs, m)
			}
		}
	} else if len(e.Hub.Revision) != 40 {
		return pin{}, fmt.Errorf("%s is no commit", e.Hub.Revision)
	}
	err := ErrNoSource
	for _, hub := range append(hubs, in.Sources.Hub) {
		if hub == "" {
			continue
		}
		in.report(Progress{Model: e.Name, Phase: Asking, File: f.Name, Source: redact(hub)})
		address := e.Hub.URL(hub, f.Name)
		var stated fetch.Stated
		if stated, err = in.Fetcher.Ask(ctx, address, strings.Replace(address, "/resolve/", "/raw/", 1)); err == nil {
			return pin{SHA256: stated.SHA256, Bytes: stated.Bytes, From: redact(hub)}, nil
		}
	}
	return pin{}, err
}
