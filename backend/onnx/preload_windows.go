package onnx

import (
	"fmt"

	"golang.org/x/sys/windows"
)

// openLibrary loads a library for the rest of the process; its own are looked for beside it. What is linked to it
// finds it by its name from then on, wherever it lies.
func openLibrary(path string) error {
	if _, err := windows.LoadLibraryEx(path, 0, windows.LOAD_WITH_ALTERED_SEARCH_PATH); err != nil {
		return fmt.Errorf("%s: %w", path, err)
	}
	return nil
}
