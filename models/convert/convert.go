// Package convert makes a model folder from weights as they are published: the hub's layout of config.json,
// tokenizer.json and safetensors. Whoever exported what, the graph is then our own writer's.
package convert

import (
	"context"
	"errors"

	"fanous/models"
	"fanous/models/onnxgraph"
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

// Folder reads a folder in the hub's layout (config.json, model.safetensors or its shards with their index,
// tokenizer.json) and writes the model folder dst, its manifest last. It stops when ctx ends. What was asked for and
// cannot be had, an error names: an architecture that is not known, a bi-encoder to rerank with, a tensor of the wrong
// shape, a vocabulary that is not the tokenizer's.
func Folder(ctx context.Context, src, dst string, o Options) (models.Manifest, error) {
	return models.Manifest{}, errors.New("convert: not built yet")
}
