package install

import (
	"context"
	"fmt"

	"fanous/models"
	"fanous/models/bundle"
	"fanous/models/fetch"
)

// Unpack installs the models of a bundle. A program in it is compared with its digests and left in it: it is for
// whoever has no program yet.
func (in *Installer) Unpack(ctx context.Context, path string) ([]Imported, error) {
	b, err := bundle.Open(path)
	if err != nil {
		return nil, err
	}
	defer b.Close()
	if err := b.VerifyProgram(ctx); err != nil {
		return nil, err
	}
	var out []Imported
	for _, m := range b.Models {
		out = append(out, in.unpackModel(ctx, path, b, m))
		if ctx.Err() != nil {
			return nil, ctx.Err()
		}
	}
	return out, nil
}

func (in *Installer) unpackModel(ctx context.Context, path string, b *bundle.Reader, m models.Manifest) Imported {
	i := Imported{Name: m.Name, From: path}
	if m.System != "" && m.System != System() {
		i.Err = fmt.Errorf("it is for %s", m.System)
		return i
	}
	if e, ok := in.Catalogue.Find(m.Name); ok {
		if i.Err = vouchedBy(e, m); i.Err != nil {
			return i
		}
		e.Files = m.Files
		m = e.Manifest // everything but the files is ours to say
	}
	i.Already = in.has(m)
	i.Err = in.put(ctx, models.Entry{Manifest: m}, func(name string) []fetch.Source {
		return []fetch.Source{fetch.Member{Archive: path, File: b.File(m, name)}}
	})
	return i
}

// vouchedBy is an error where a model under a name of the catalogue has other files than the catalogue says.
func vouchedBy(e models.Entry, m models.Manifest) error {
	if len(m.Files) != len(e.Files) {
		return fmt.Errorf("it has other files than %s: %w", e.Name, ErrNameTaken)
	}
	for _, f := range e.Files {
		if own, ok := m.File(f.Name); !ok || own.SHA256 == "" || f.SHA256 != "" && f.SHA256 != own.SHA256 {
			return fmt.Errorf("its %s is not the one of %s: %w", f.Name, e.Name, ErrNameTaken)
		}
	}
	return nil
}
