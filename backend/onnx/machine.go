package onnx

import (
	"fmt"
	"runtime"
	"strings"
)

// Processor is the processor's name, in its maker's words where the system gives them.
func Processor() string {
	if name := strings.TrimSpace(processorName()); name != "" {
		return name
	}
	return runtime.GOARCH
}

// Machine stands for what a model's running depends on beside its files: the processor and its instructions, the
// operating system and the graphics driver.
func Machine() string {
	return fmt.Sprint(runtime.GOOS, "/", runtime.GOARCH, " ", Processor(), " ", Instructions(), " ", driverVersion())
}
