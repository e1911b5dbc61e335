// Package models knows which models Fanous uses, whether they are here and whether their files are the
// right ones. It runs no model: the packages over ONNX Runtime read a folder's Manifest and do.
//
// A model is one folder, named after it, with the files of its manifest and manifest.json itself.
package models

import (
	"crypto/sha256"
	"encoding/hex"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"io/fs"
	"os"
	"path/filepath"
	"strings"
	"unicode"
	"unicode/utf8"
)

// Role is what a model is used for.
type Role string

const (
	Embedder Role = "embedder" // gives one vector a token; pooled into one a text
	Reranker Role = "reranker" // gives one logit a pair of texts
	Runtime  Role = "runtime"  // no model: libraries that models run on, for one operating system and processor
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
	Tier      Tier   `json:"tier"`      // of a runtime: the device that it serves, such as "cpu" or "cuda"
	Precision string `json:"precision"` // of the weights: "fp32", "int8", "q4"; a runtime has none
	Licence   string `json:"licence"`   // SPDX
	Source    string `json:"source"`    // where the weights come from, for people

	MaxTokens int `json:"max_tokens,omitempty"` // of one input of a model, special tokens included

	// Of embedders: the length of a vector, how token vectors become one, and what is put before a text.
	Dim           int    `json:"dim,omitempty"`
	Pooling       string `json:"pooling,omitempty"` // "mean"
	QueryPrefix   string `json:"query_prefix,omitempty"`
	PassagePrefix string `json:"passage_prefix,omitempty"`

	// Of rerankers: a query is cut to this many tokens before the passage is cut to what is left.
	MaxQueryTokens int `json:"max_query_tokens,omitempty"`

	// Of runtimes: the release, and what it is for as Go names it ("linux/amd64").
	Version string `json:"version,omitempty"`
	System  string `json:"system,omitempty"`

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

// Digest names the vectors or scores that the model gives: it is the SHA-256 of the graph, or of the digests of the
// graph and of the weights where these lie in files of their own beside it (model.onnx.data).
func (m Manifest) Digest() string {
	graph, _ := m.File(GraphFile)
	digests := graph.SHA256
	for _, f := range m.Files {
		if f.Name != GraphFile && strings.HasPrefix(f.Name, GraphFile) {
			digests += " " + f.SHA256
		}
	}
	if digests == graph.SHA256 {
		return graph.SHA256
	}
	sum := sha256.Sum256([]byte(digests))
	return hex.EncodeToString(sum[:])
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
	if err := m.validate(); err != nil {
		return err
	}
	for _, f := range m.Files {
		if !isDigest(f.SHA256) {
			return fmt.Errorf("it has no digest of %s", f.Name)
		}
	}
	return nil
}

// validate is Validate for a manifest whose digests need not all be known yet.
func (m Manifest) validate() error {
	if !PlainName(m.Name) {
		return fmt.Errorf("%q is no name for a model", m.Name)
	}
	names := map[string]bool{}
	for _, f := range m.Files {
		switch {
		case !PlainName(f.Name) || f.Name == ManifestFile || f.Name == recordFile:
			return fmt.Errorf("%q is no name for a file of a model", f.Name)
		case names[strings.ToLower(f.Name)]: // some file systems do not tell the case of letters
			return fmt.Errorf("it lists %s twice", f.Name)
		case f.Bytes < 0:
			return fmt.Errorf("%s has %d bytes", f.Name, f.Bytes)
		}
		names[strings.ToLower(f.Name)] = true
	}
	if m.Role == Runtime {
		return m.validateRuntime()
	}
	return m.validateModel()
}

func (m Manifest) validateRuntime() error {
	switch {
	case len(m.Files) == 0:
		return errors.New("it has no files")
	case m.System == "" || m.Version == "":
		return errors.New("it does not say which release for which system it is")
	}
	return nil
}

func (m Manifest) validateModel() error {
	if _, ok := m.File(GraphFile); !ok {
		return fmt.Errorf("it has no digest of %s", GraphFile)
	}
	if m.MaxTokens < 8 {
		return fmt.Errorf("max_tokens is %d", m.MaxTokens)
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

// PlainName says whether a name is that of one file or folder on every system, and not a hidden one.
func PlainName(name string) bool {
	return name != "" && len(name) <= 128 && utf8.ValidString(name) && !strings.HasPrefix(name, ".") &&
		!strings.HasSuffix(name, ".") && !strings.ContainsFunc(name, func(r rune) bool {
		return unicode.IsControl(r) || strings.ContainsRune(`/\:*?"<>|`, r)
	})
}

// isDigest says whether s is a SHA-256 in lower-case hex.
func isDigest(s string) bool {
	raw, err := hex.DecodeString(s)
	return err == nil && len(raw) == sha256.Size && s == strings.ToLower(s)
}

// ErrNoManifest says that a folder is no model folder.
var ErrNoManifest = errors.New("no " + ManifestFile)

// Load reads and validates the manifest of a model folder. It does not look at the other files.
func Load(dir string) (Manifest, error) {
	m, err := read(dir)
	if err == nil {
		err = wrapManifest(dir, m.Validate())
	}
	return m, err
}

// LoadShort reads a manifest that somebody wrote by hand, and fills in what it leaves out: it needs a name, a role and
// max_tokens, of an embedder dim too. Pooling, files and digests of files may be missing from what it returns.
func LoadShort(dir string) (Manifest, error) {
	m, err := read(dir)
	if err != nil {
		return m, err
	}
	fill := func(to *string, with string) {
		if *to == "" {
			*to = with
		}
	}
	if m.Role != Runtime {
		fill((*string)(&m.Tier), string(Precise))
		fill(&m.Precision, "precision not stated")
	}
	fill(&m.Licence, "not stated")
	fill(&m.Source, "imported")
	if m.Role == Reranker && m.MaxQueryTokens == 0 {
		m.MaxQueryTokens = m.MaxTokens / 2
	}
	check := m
	if check.Role == Embedder && check.Pooling == "" { // weights as they are published may say it themselves
		check.Pooling = "mean"
	}
	if len(check.Files) == 0 {
		check.Files = []File{{Name: GraphFile}}
	}
	return m, wrapManifest(dir, check.validate())
}

func wrapManifest(dir string, err error) error {
	if err != nil {
		return fmt.Errorf("model folder %s: %s: %w", dir, ManifestFile, err)
	}
	return nil
}

// maxManifest bounds what is read of a manifest, which may come from anywhere.
const maxManifest = 1 << 20

func read(dir string) (Manifest, error) {
	f, err := os.Open(filepath.Join(dir, ManifestFile))
	if errors.Is(err, fs.ErrNotExist) {
		return Manifest{}, fmt.Errorf("model folder %s: %w", dir, ErrNoManifest)
	}
	if err != nil {
		return Manifest{}, fmt.Errorf("model folder %s: %w", dir, err)
	}
	defer f.Close()
	data, err := io.ReadAll(io.LimitReader(f, maxManifest))
	if err != nil {
		return Manifest{}, fmt.Errorf("model folder %s: %w", dir, err)
	}
	m, err := ParseManifest(data)
	return m, wrapManifest(dir, err)
}

// ParseManifest reads a manifest and validates nothing.
func ParseManifest(data []byte) (Manifest, error) {
	var m Manifest
	err := json.Unmarshal(data, &m)
	return m, err
}

// Save writes the manifest into a model folder. It is the last file to be written: a folder with a manifest
// once had all the others.
func (m Manifest) Save(dir string) error {
	if err := m.Validate(); err != nil {
		return fmt.Errorf("manifest of %s: %w", m.Name, err)
	}
	return WriteJSON(filepath.Join(dir, ManifestFile), m)
}
