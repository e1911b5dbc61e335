package backend

import (
	"cmp"
	"context"
	"fmt"
	"path/filepath"
	"slices"
	"strings"
	"time"

	"fanous/backend/domain"
	"fanous/backend/onnx"
	"fanous/backend/trial"
	"fanous/models"
)

// vectorBytes is what a vector takes in the index: its numbers, the same rounded, and its code.
func vectorBytes(dim int) int64 { return int64(dim)*(4+2) + int64(dim)/8 + 10 }

// asksFirst refuses a model that would embed in place of the one that made the index's vectors, for they would all have to be
// made again. The model lies in dir where it has run already, so that its speed is known; else dir is empty.
func (b *Backend) asksFirst(ctx context.Context, m models.Manifest, dir string) error {
	if m.Role != models.Embedder || !b.embedsFirst(m) {
		return nil
	}
	have, err := b.store.Stamp(ctx)
	if err != nil || have.Embedder == "" || strings.HasPrefix(have.Embedder, m.Digest()+"/") {
		return err
	}
	collections, err := b.store.Summaries(ctx)
	if err != nil {
		return err
	}
	passages := 0
	for _, c := range collections {
		passages += c.Chunks
	}
	if passages == 0 {
		return nil
	}
	took := ""
	ran, known := b.tester.Known(trial.Subject{Library: b.cfg.library(), Model: dir, Device: onnx.CPU})
	if known && ran.PerSecond > 0 {
		whole := time.Duration(float64(passages) / ran.PerSecond * float64(time.Second))
		took = fmt.Sprintf(", in about %s", max(whole.Round(time.Second), time.Second))
	}
	return domain.Errorf(domain.CodeModelReembed, "agree to that with --reembed, and index again afterwards",
		"%s would embed in place of the present model: the vectors of %d passages would have to be made again, about %d MB%s",
		m.Name, passages, max(int64(passages)*vectorBytes(m.Dim)>>20, 1), took)
}

// embedsFirst says whether a model, once installed, would be the first to embed.
func (b *Backend) embedsFirst(m models.Manifest) bool {
	dirs := b.cfg.modelDirs()
	place := filepath.Join(dirs[len(dirs)-1], m.Name)
	all := slices.DeleteFunc(installedIn(dirs, models.Embedder), func(o installedModel) bool { return o.dir == place })
	all = append(all, installedModel{m, place})
	slices.SortStableFunc(all, func(x, y installedModel) int { // as they are met
		return cmp.Or(slices.Index(dirs, filepath.Dir(x.dir))-slices.Index(dirs, filepath.Dir(y.dir)), strings.Compare(x.dir, y.dir))
	})
	return inOrder(all, onnx.CPU)[0].dir == place
}
