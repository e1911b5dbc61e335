package onnx

import (
	"fmt"
	"os"
	"path/filepath"
)

func processorName() string { return os.Getenv("PROCESSOR_IDENTIFIER") }

// driverVersion tells one NVIDIA driver from another by its library; empty: there is none.
func driverVersion() string {
	info, err := os.Stat(filepath.Join(os.Getenv("SystemRoot"), "System32", "nvcuda.dll"))
	if err != nil {
		return ""
	}
	return fmt.Sprint("nvcuda ", info.Size(), " ", info.ModTime().Unix())
}
