package backend

import (
	"context"
	"errors"
	"io/fs"
	"os"
	"path/filepath"
	"strings"

	"fanous/backend/domain"
	"fanous/backend/onnx"
	"fanous/models"
	"fanous/models/bundle"
	"fanous/models/install"
)

// PackModels writes a bundle for machines without a network: models, and where it is wanted the library and this
// program. Without names, all models that are installed go into it.
func (b *Backend) PackModels(ctx context.Context, req domain.ModelPack, progress func(domain.ModelProgress)) (domain.ModelPacked, error) {
	to, err := filepath.Abs(req.To)
	if err != nil || req.To == "" {
		return domain.ModelPacked{}, domain.Errorf(domain.CodeUsage, "name a file to write, such as fanous.zip", "there is no name for the bundle")
	}
	if exists(to) {
		return domain.ModelPacked{}, domain.Errorf(domain.CodeUsage, "name another file, or remove this one", "%s is there already", to)
	}
	contents, err := b.packed(ctx, req)
	if err != nil {
		return domain.ModelPacked{}, err
	}
	x, err := bundle.Write(ctx, to, contents, func(file string, done, total int64) {
		if progress != nil {
			progress(domain.ModelProgress{Phase: "packing", File: file, Done: done, Total: total})
		}
	})
	if errors.Is(err, fs.ErrNotExist) {
		return domain.ModelPacked{}, domain.Errorf(domain.CodeUsage, "make the folder first, or name another file", "there is no folder %s", filepath.Dir(to))
	}
	if err != nil {
		return domain.ModelPacked{}, modelError(to, err)
	}
	out := domain.ModelPacked{Path: to, Files: len(x.Files)}
	for _, m := range x.Models {
		out.Names = append(out.Names, m.Name)
	}
	if x.Program != "" {
		out.Names = append(out.Names, "the program for "+x.Program)
	}
	if info, err := os.Stat(to); err == nil {
		out.Bytes = info.Size()
	}
	return out, nil
}

func (b *Backend) packed(ctx context.Context, req domain.ModelPack) (bundle.Contents, error) {
	c := bundle.Contents{System: install.System()}
	wanted := map[string]bool{}
	for _, name := range req.Names {
		wanted[name] = true
	}
	for _, e := range b.everyModel() {
		if len(req.Names) > 0 && !wanted[e.Name] {
			continue
		}
		delete(wanted, e.Name)
		s, err := e.Confirm(ctx, b.cfg.ModelDirs...)
		if err != nil {
			return c, err
		}
		if s.State != models.Installed {
			if len(req.Names) == 0 {
				continue
			}
			return c, domain.Errorf(faultCode(s), "install it first: fanous models get "+e.Name, "%s cannot be packed: %s", e.Name, s.Reason)
		}
		m, err := models.Load(s.Path)
		if err != nil {
			return c, err
		}
		c.Models = append(c.Models, bundle.Model{Manifest: m, Dir: s.Path})
	}
	for name := range wanted {
		return c, unknownModel(name)
	}
	if req.Runtime {
		if err := b.packLibrary(ctx, &c); err != nil {
			return c, err
		}
	}
	if req.Program {
		exe, err := os.Executable()
		if err == nil {
			exe, err = filepath.EvalSymlinks(exe)
		}
		if err != nil {
			return c, err
		}
		c.Program = []string{exe}
	}
	return c, nil
}

// packLibrary adds the library that runs models here, as a runtime that the other machine can install, with the
// licence and the notices that lie beside it.
func (b *Backend) packLibrary(ctx context.Context, c *bundle.Contents) error {
	rt, err := onnx.Load(b.cfg.library())
	if err != nil {
		return domain.Errorf(domain.CodeOf(err), "pack without it: --runtime=false", "the library that runs models cannot be packed: %w", err)
	}
	for _, m := range c.Models {
		if m.Role == models.Runtime && m.Tier == cpuTier {
			return nil // it is among the models
		}
	}
	dir := filepath.Dir(rt.Path())
	m := models.Manifest{
		Name: "onnxruntime-" + strings.ReplaceAll(install.System(), "/", "-"), Role: models.Runtime, Tier: cpuTier,
		Licence: "MIT", Source: "ONNX Runtime " + rt.Version(), Version: rt.Version(), System: install.System(),
	}
	for _, name := range []string{filepath.Base(rt.Path()), "LICENSE", "ThirdPartyNotices.txt"} {
		if !isFile(filepath.Join(dir, name)) {
			continue
		}
		f, err := models.FileAt(ctx, filepath.Join(dir, name))
		if err != nil {
			return err
		}
		m.Files = append(m.Files, f)
	}
	c.Models = append(c.Models, bundle.Model{Manifest: m, Dir: dir})
	return nil
}
