package onnx

import (
	"os"
	"strings"
)

func processorName() string {
	data, err := os.ReadFile("/proc/cpuinfo")
	if err != nil {
		return ""
	}
	for line := range strings.Lines(string(data)) {
		if key, value, ok := strings.Cut(line, ":"); ok && strings.TrimSpace(key) == "model name" {
			return value
		}
	}
	return ""
}

// driverVersion is that of the NVIDIA driver; empty: there is none.
func driverVersion() string {
	data, err := os.ReadFile("/proc/driver/nvidia/version")
	if err != nil {
		return ""
	}
	first, _, _ := strings.Cut(string(data), "\n")
	return first
}
