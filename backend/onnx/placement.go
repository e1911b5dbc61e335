package onnx

import (
	"encoding/json"
	"fmt"
	"os"
	"path/filepath"
	"strings"
)

// Placement is where the library has run a model's matrix products, which are nearly all of its work. A device that
// cannot run an operator leaves it to the CPU without a word, so the placement and not the wish says what a model
// runs on.
type Placement struct {
	Products map[Device]int // how many ran on each device
	Bytes    int64          // the most memory that the device held for the session
}

// Device is what the model really ran on: a device that left one matrix product in ten, or more, to the CPU, copies
// texts back and forth all the time and is no faster than the CPU itself.
func (p Placement) Device() Device {
	all := 0
	for _, n := range p.Products {
		all += n
	}
	for d, n := range p.Products {
		if d != CPU && 10*n > 9*all {
			return d
		}
	}
	return CPU
}

// ReadPlacement reads the profile that a session wrote when it was closed, and removes its file. prefix is what the
// session was opened with.
func ReadPlacement(prefix string) (Placement, error) {
	files, err := os.ReadDir(filepath.Dir(prefix))
	if err != nil {
		return Placement{}, fmt.Errorf("profile of a model: %w", err)
	}
	var paths []string
	for _, file := range files {
		path := filepath.Join(filepath.Dir(prefix), file.Name())
		if strings.HasPrefix(path, prefix+"_") && filepath.Ext(path) == ".json" {
			paths = append(paths, path)
		}
	}
	if len(paths) != 1 {
		return Placement{}, fmt.Errorf("there are %d profiles %s of a model, not one", len(paths), prefix)
	}
	defer os.Remove(paths[0])
	data, err := os.ReadFile(paths[0])
	if err != nil {
		return Placement{}, fmt.Errorf("profile of a model: %w", err)
	}
	return parsePlacement(data)
}

func parsePlacement(profile []byte) (Placement, error) {
	var events []struct {
		Args struct {
			Operator string `json:"op_name"`
			Provider string `json:"provider"`
			Held     int64  `json:"mem_arena_held,string"`
		} `json:"args"`
	}
	if err := json.Unmarshal(profile, &events); err != nil {
		return Placement{}, fmt.Errorf("profile of a model: %w", err)
	}
	p := Placement{Products: map[Device]int{}}
	held := map[Device]int64{}
	for _, e := range events {
		d := deviceOf(e.Args.Provider)
		held[d] = max(held[d], e.Args.Held)
		if isProduct(e.Args.Operator) {
			p.Products[d]++
		}
	}
	if len(p.Products) == 0 {
		return p, fmt.Errorf("profile of a model: it has no matrix product")
	}
	p.Bytes = held[p.Device()]
	return p, nil
}

// isProduct recognises MatMul, Gemm, attention and their fused and quantised kinds. What CoreML or DirectML have
// taken as a whole is one operator of a name of theirs.
func isProduct(operator string) bool {
	for _, part := range []string{"MatMul", "Gemm", "Attention", "CoreML", "DmlFused"} {
		if strings.Contains(operator, part) {
			return true
		}
	}
	return false
}

func deviceOf(provider string) Device {
	for _, d := range Devices() {
		if d.provider() == provider {
			return d
		}
	}
	return ""
}
