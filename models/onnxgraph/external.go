package onnxgraph

import (
	"context"
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

// externalData is where a graph's big constants lie in a data file; nil where they are in the graph.
type externalData struct {
	offsets map[string]int64
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
// lists them. It stops when ctx ends, and tells progress, where there is one, of bytes written of all that there will be.
func WriteFolder(ctx context.Context, dir string, m *Model, f Form, progress func(done, total int64)) ([]models.File, error) {
	g, err := lay(m, f)
	if err != nil {
		return nil, err
	}
	d := g.external()
	meter := &meter{ctx: ctx, total: g.dataSize() + int64(len(g.nodes)), progress: progress}
	data, err := models.WriteFile(filepath.Join(dir, DataFile), func(w io.Writer) error { return g.writeData(meter.over(w), d) })
	if err != nil {
		return nil, fmt.Errorf("onnxgraph: %w", err)
	}
	graph, err := models.WriteFile(filepath.Join(dir, models.GraphFile), func(w io.Writer) error { return g.write(meter.over(w), d) })
	if err != nil {
		return nil, fmt.Errorf("onnxgraph: %w", err)
	}
	return []models.File{graph, data}, nil
}

func (g *graph) dataSize() (n int64) {
	for _, t := range g.initializers {
		n += t.size
	}
	return n
}

// meter counts what goes through it to several writers, one after another, and lets nothing through when ctx has ended.
type meter struct {
	ctx         context.Context
	w           io.Writer
	done, total int64
	progress    func(done, total int64)
}

func (m *meter) over(w io.Writer) io.Writer {
	m.w = w
	return m
}

func (m *meter) Write(p []byte) (int, error) {
	if err := m.ctx.Err(); err != nil {
		return 0, err
	}
	n, err := m.w.Write(p)
	m.done += int64(n)
	if m.progress != nil {
		m.progress(min(m.done, m.total), m.total) // names and alignment are not in the total
	}
	return n, err
}
