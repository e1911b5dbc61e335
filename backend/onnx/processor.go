package onnx

import (
	"runtime"

	"golang.org/x/sys/cpu"
)

// Instructions lists what of this processor's instruction sets matters to the speed of a model, the fastest last.
func Instructions() []string {
	var have []string
	add := func(name string, has bool) {
		if has {
			have = append(have, name)
		}
	}
	switch runtime.GOARCH {
	case "amd64":
		add("SSE4.1", cpu.X86.HasSSE41)
		add("AVX", cpu.X86.HasAVX)
		add("AVX2", cpu.X86.HasAVX2)
		add("FMA", cpu.X86.HasFMA)
		add("AVX512", cpu.X86.HasAVX512F)
		add("AVX-VNNI", cpu.X86.HasAVXVNNI)
		add("AVX512-VNNI", cpu.X86.HasAVX512VNNI)
		add("AMX-INT8", cpu.X86.HasAMXInt8)
	case "arm64":
		add("NEON", cpu.ARM64.HasASIMD || runtime.GOOS == "darwin")
		add("FP16", cpu.ARM64.HasASIMDHP || runtime.GOOS == "darwin")
		add("DOTPROD", cpu.ARM64.HasASIMDDP || runtime.GOOS == "darwin")
	}
	return have
}

// FastBytes says whether the processor has an instruction for products of bytes; without one an int8 model takes
// about twice the time, and the kernels that stand in for it can saturate.
func FastBytes() bool {
	switch runtime.GOARCH {
	case "amd64":
		return cpu.X86.HasAVXVNNI || cpu.X86.HasAVX512VNNI
	case "arm64":
		return cpu.ARM64.HasASIMDDP || runtime.GOOS == "darwin" // every processor that macOS runs on has it
	}
	return false
}
