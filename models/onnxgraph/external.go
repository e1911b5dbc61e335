package onnxgraph

import (
	"fmt"
	"io"
	"path/filepath"
	"strconv"

	"fanous/models"
)

// DataFile is the name of the file of weights beside a graph.
const DataFile = models.GraphFile + ".data"

const (
	// smallest is the size in bytes from which a constant lies in the data file. Smaller ones stay in the graph, where
	// shapes are inferred from them.
	smallest = 1 << 10
	// page is what the constants of a data file are aligned to, so that each can be mapped into memory.
	page = 1 << 12

	locationExternal = 1
)

// dataDigest is the key under which a graph names its data file's SHA-256. The digest of the graph thus stands for the
// weights too.
const dataDigest = "fanous.data.sha256"

// externalData is where a graph's big constants lie in a data file; nil where they are in the graph.
type externalData struct {
	offsets map[string]int64
	sha256  string
}

func (g *graph) external() *externalData {
	d := &externalData{offsets: map[string]int64{}}
	var end int64
	for _, t := range g.initializers {
		if t.size >= smallest {
			d.offsets[t.name] = end
			end += (t.size + page - 1) / page * page
		}
	}
	return d
}

func (d *externalData) holds(t initializer) bool {
	if d == nil {
		return false
	}
	_, ok := d.offsets[t.name]
	return ok
}

// appendPlace says in a TensorProto where the data is.
func (d *externalData) appendPlace(message []byte, t initializer) []byte {
	message = appendEntry(message, tensorExternal, "location", DataFile)
	message = appendEntry(message, tensorExternal, "offset", strconv.FormatInt(d.offsets[t.name], 10))
	message = appendEntry(message, tensorExternal, "length", strconv.FormatInt(t.size, 10))
	return appendInt(message, tensorLocation, locationExternal)
}

func (d *externalData) metadata() []byte {
	if d == nil {
		return nil
	}
	return appendEntry(nil, modelMetadata, dataDigest, d.sha256)
}

// writeData writes the data file.
func (g *graph) writeData(w io.Writer, d *externalData) error {
	out := &checkedWriter{w: w}
	for _, t := range g.initializers {
		if !d.holds(t) {
			continue
		}
		out.put(make([]byte, d.offsets[t.name]-out.written))
		out.constant(t)
	}
	return out.err
}

// WriteFolder writes the model into a folder as a graph and a data file of weights, which ONNX Runtime maps into
// memory instead of reading it; a graph of 2 GB and more can only be written so. It returns the two files as a manifest
// lists them.
func WriteFolder(dir string, m *Model, f Form) ([]models.File, error) {
	g, err := lay(m, f)
	if err != nil {
		return nil, err
	}
	d := g.external()
	data, err := models.WriteFile(filepath.Join(dir, DataFile), func(w io.Writer) error { return g.writeData(w, d) })
	if err != nil {
		return nil, fmt.Errorf("onnxgraph: %w", err)
	}
	d.sha256 = data.SHA256
	graph, err := models.WriteFile(filepath.Join(dir, models.GraphFile), func(w io.Writer) error { return g.write(w, d) })
	if err != nil {
		return nil, fmt.Errorf("onnxgraph: %w", err)
	}
	return []models.File{graph, data}, nil
}
