// Package convert makes a model folder from weights as they are published: the hub's layout of config.json,
// tokenizer.json and safetensors. Whoever exported what, the graph is then our own writer's.
package convert

import (
	"cmp"
	"context"
	"crypto/sha256"
	"encoding/hex"
	"errors"
	"fmt"
	"io/fs"
	"os"
	"path/filepath"
	"strings"

	"fanous/models"
	"fanous/models/onnxgraph"
	"fanous/models/safetensors"
)

// Options says what the folder's files do not.
type Options struct {
	// Manifest is what is known of the model beforehand: its name and role, and where the defaults do not fit, tier,
	// licence, source, limits, pooling and prefixes. Precision and files are Folder's to fill in.
	Manifest models.Manifest
	// Precision of the graph; empty means fp32.
	Precision onnxgraph.Precision
	// Progress, where there is one, is told of bytes written of all that there will be.
	Progress func(done, total int64)
}

// form is what the graph is written in: a CPU scores one text at a time and needs no mask, a GPU wants batches.
func (o Options) form() onnxgraph.Form {
	f := onnxgraph.Form{Precision: cmp.Or(o.Precision, onnxgraph.FP32), Layout: onnxgraph.Fast}
	if f.Precision == onnxgraph.FP16 {
		f.Layout = onnxgraph.Standard
	}
	return f
}

// Folder reads a folder in the hub's layout (config.json, model.safetensors or its shards with their index,
// tokenizer.json) and writes the model folder dst, its manifest last. It stops when ctx ends. What was asked for and
// cannot be had, an error names: an architecture that is not known, a bi-encoder to rerank with (ErrRole), a tensor that
// is missing or of another shape, a tokenizer with more tokens than there are vectors.
func Folder(ctx context.Context, src, dst string, o Options) (models.Manifest, error) {
	m, err := folder(ctx, src, dst, o)
	if err != nil {
		return models.Manifest{}, fmt.Errorf("convert %s: %w", src, err)
	}
	return m, nil
}

func folder(ctx context.Context, src, dst string, o Options) (models.Manifest, error) {
	c, err := readConfig(filepath.Join(src, configFile))
	if err != nil {
		return models.Manifest{}, err
	}
	m, err := c.manifest(src, o.Manifest)
	if err != nil {
		return m, err
	}
	m.Precision = string(o.form().Precision)
	weights, err := safetensors.OpenFolder(src)
	if errors.Is(err, fs.ErrNotExist) {
		err = fmt.Errorf("%w; weights in another format (pytorch_model.bin) are programs and are not read", err)
	}
	if err != nil {
		return m, err
	}
	defer weights.Close()
	pairs, err := checkTokenizer(filepath.Join(src, models.TokenizerFile), c.Vocabulary)
	if err != nil {
		return m, err
	}
	model, err := c.model(m.Name, weights.Tensors, pairs && c.role == models.Reranker && c.Types > 1)
	if err != nil {
		return m, err
	}
	if m.Source, err = provenance(ctx, m.Source, weights.Paths); err != nil {
		return m, err
	}
	return write(ctx, src, dst, m, model, o)
}

// write fills dst. An older manifest must not vouch for files that are half replaced.
func write(ctx context.Context, src, dst string, m models.Manifest, model *onnxgraph.Model, o Options) (models.Manifest, error) {
	if err := os.MkdirAll(dst, 0o755); err != nil {
		return m, err
	}
	if err := os.Remove(filepath.Join(dst, models.ManifestFile)); err != nil && !errors.Is(err, fs.ErrNotExist) {
		return m, err
	}
	files, err := onnxgraph.WriteFolder(ctx, dst, model, o.form(), o.Progress)
	if err != nil {
		return m, err
	}
	tokenizer, err := models.CopyFile(filepath.Join(src, models.TokenizerFile), filepath.Join(dst, models.TokenizerFile))
	if err != nil {
		return m, err
	}
	m.Files = append(files, tokenizer)
	return m, m.Save(dst)
}

// provenance adds to the source which weights the graph was made of and by what. The digest of weights in several
// files is that of their digests, in the order of the files' names.
func provenance(ctx context.Context, source string, paths []string) (string, error) {
	var digests []string
	for _, path := range paths {
		f, err := models.FileAt(ctx, path)
		if err != nil {
			return "", err
		}
		digests = append(digests, f.SHA256)
	}
	digest := digests[0]
	if len(digests) > 1 {
		sum := sha256.Sum256([]byte(strings.Join(digests, "\n")))
		digest = hex.EncodeToString(sum[:])
	}
	made := fmt.Sprintf("made from weights with SHA-256 %s by Fanous's graph writer %d", digest, onnxgraph.Version)
	return strings.TrimPrefix(source+"; "+made, "; "), nil
}
