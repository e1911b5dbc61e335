package onnx

import (
	"os"
	"path/filepath"
	"strings"
)

// preload opens the libraries that lie beside the runtime's own: those of a device, which the system's loader would not
// look for there. They need one another in an order that their names do not tell, so whichever opens is opened,
// until none is left or none opens any more.
func (r *Runtime) preload() error {
	r.preloading.Do(func() {
		waiting, err := companions(r.path)
		for err == nil && len(waiting) > 0 {
			var failed []string
			var first error
			for _, path := range waiting {
				if e := openLibrary(path); e != nil {
					failed = append(failed, path)
					if first == nil {
						first = e
					}
				}
			}
			if len(failed) == len(waiting) {
				err = first
			}
			waiting = failed
		}
		r.preloaded = err
	})
	return r.preloaded
}

// companions are the shared libraries in the folder of the library at path, save for the runtime's own parts, which
// it opens itself.
func companions(path string) ([]string, error) {
	entries, err := os.ReadDir(filepath.Dir(path))
	if err != nil {
		return nil, err
	}
	var out []string
	for _, e := range entries {
		name := strings.ToLower(e.Name())
		isLibrary := strings.HasSuffix(name, ".dll") || strings.HasSuffix(name, ".so") || strings.Contains(name, ".so.")
		if isLibrary && !strings.Contains(name, "onnxruntime") {
			out = append(out, filepath.Join(filepath.Dir(path), e.Name()))
		}
	}
	return out, nil
}
