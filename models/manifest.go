// Package models knows which models Fanous uses, whether they are here and whether their files are the
// right ones. It runs no model: the packages over ONNX Runtime read a folder's Manifest and do.
//
// A model is one folder, named after it, with the files of its manifest and manifest.json itself.
package models

import (
	"encoding/json"
	"errors"
	"fmt"
	"io/fs"
	"os"
	"path/filepath"
	"strings"
)

// Role is what a model is used for.
type Role string

const (
	Embedder Role = "embedder" // gives one vector a token; pooled into one a text
	Reranker Role = "reranker" // gives one logit a pair of texts
)

// Tier ranks the models of one role.
type Tier string

const (
	Starter Tier = "starter" // comes with the build; always there
	Fast    Tier = "fast"
	Precise Tier = "precise"
)

// Names of the files that every model folder has.
const (
	GraphFile     = "model.onnx"
	TokenizerFile = "tokenizer.json"
	ManifestFile  = "manifest.json"
)

// Manifest is what a program must know to run a model. As manifest.json it lies in the model's folder.
type Manifest struct {
	Name      string `json:"name"` // also the name of the folder
	Role      Role   `json:"role"`
	Tier      Tier   `json:"tier"`
	Precision string `json:"precision"` // of the weights: "fp32", "int8", "q4"
	Licence   string `json:"licence"`   // SPDX
	Source    string `json:"source"`    // where the weights come from, for people

	MaxTokens int `json:"max_tokens"` // of one input, special tokens included

	// Of embedders: the length of a vector, how token vectors become one, and what is put before a text.
	Dim           int    `json:"dim,omitempty"`
	Pooling       string `json:"pooling,omitempty"` // "mean"
	QueryPrefix   string `json:"query_prefix,omitempty"`
	PassagePrefix string `json:"passage_prefix,omitempty"`

	// Of rerankers: a query is cut to this many tokens before the passage is cut to what is left.
	MaxQueryTokens int `json:"max_query_tokens,omitempty"`

	Files []File `json:"files"`
}

// File is one file of a model folder.
type File struct {
	Name   string `json:"name"`
	Bytes  int64  `json:"bytes"`  // 0: not known
	SHA256 string `json:"sha256"` // lower-case hex
}

// File finds a file of the manifest by name.
func (m Manifest) File(name string) (File, bool) {
	for _, f := range m.Files {
		if f.Name == name {
			return f, true
		}
	}
	return File{}, false
}

// Digest is the SHA-256 of the model's graph and weights: it names the vectors or scores that the model gives.
func (m Manifest) Digest() string {
	f, _ := m.File(GraphFile)
	return f.SHA256
}

// Bytes is the size of all files together, as far as it is known.
func (m Manifest) Bytes() int64 {
	var n int64
	for _, f := range m.Files {
		n += f.Bytes
	}
	return n
}

// Validate reports the first thing that makes a manifest unusable.
func (m Manifest) Validate() error {
	switch {
	case m.Name == "" || m.Name != filepath.Base(m.Name) || strings.HasPrefix(m.Name, "."):
		return fmt.Errorf("%q is no name for a model", m.Name)
	case m.MaxTokens < 8:
		return fmt.Errorf("max_tokens is %d", m.MaxTokens)
	case len(m.Digest()) != 64:
		return fmt.Errorf("it has no digest of %s", GraphFile)
	}
	for _, f := range m.Files {
		if f.Name == "" || f.Name != filepath.Base(f.Name) || strings.HasPrefix(f.Name, ".") || f.Name == ManifestFile {
			return fmt.Errorf("%q is no name for a file of a model", f.Name)
		}
	}
	switch m.Role {
	case Embedder:
		if m.Dim <= 0 {
			return fmt.Errorf("dim is %d", m.Dim)
		}
		if m.Pooling != "mean" {
			return fmt.Errorf("pooling %q is not known", m.Pooling)
		}
	case Reranker:
		// <s>, </s></s>, </s> and at least one token of the passage must fit beside the query.
		if m.MaxQueryTokens <= 0 || m.MaxQueryTokens > m.MaxTokens-5 {
			return fmt.Errorf("max_query_tokens is %d of %d", m.MaxQueryTokens, m.MaxTokens)
		}
	default:
		return fmt.Errorf("role %q is not known", m.Role)
	}
	return nil
}

// ErrNoManifest says that a folder is no model folder.
var ErrNoManifest = errors.New("no " + ManifestFile)

// Load reads and validates the manifest of a model folder. It does not look at the other files.
func Load(dir string) (Manifest, error) {
	var m Manifest
	data, err := os.ReadFile(filepath.Join(dir, ManifestFile))
	if errors.Is(err, fs.ErrNotExist) {
		return m, fmt.Errorf("model folder %s: %w", dir, ErrNoManifest)
	}
	if err != nil {
		return m, fmt.Errorf("model folder %s: %w", dir, err)
	}
	if err := json.Unmarshal(data, &m); err != nil {
		return m, fmt.Errorf("model folder %s: %s: %w", dir, ManifestFile, err)
	}
	if err := m.Validate(); err != nil {
		return m, fmt.Errorf("model folder %s: %s: %w", dir, ManifestFile, err)
	}
	return m, nil
}

// Save writes the manifest into a model folder. It is the last file to be written: a folder with a manifest
// once had all the others.
func (m Manifest) Save(dir string) error {
	if err := m.Validate(); err != nil {
		return fmt.Errorf("manifest of %s: %w", m.Name, err)
	}
	data, err := json.MarshalIndent(m, "", "  ")
	if err != nil {
		return fmt.Errorf("manifest of %s: %w", m.Name, err)
	}
	_, err = WriteFile(filepath.Join(dir, ManifestFile), bytesOf(append(data, '\n')))
	return err
}
