package trial

import (
	"fmt"
	"strings"

	"fanous/backend/domain"
	"fanous/backend/onnx"
)

// deviceFault tells what a library's message about a device means. The messages are those of ONNX Runtime 1.31 and 1.32.
func deviceFault(d onnx.Device, message string) Result {
	says := func(parts ...string) bool {
		for _, p := range parts {
			if strings.Contains(message, p) {
				return true
			}
		}
		return false
	}
	switch {
	case says("does not exist on this operating system"):
		return Result{Code: domain.CodeDeviceAbsent, Reason: message}
	case says("is not enabled in this build", "does not support CoreML", "not implemented for this build", "not supported in this build"):
		r := Result{Code: domain.CodeDeviceAbsent, Reason: fmt.Sprintf("the installed ONNX Runtime library is built without %s", d)}
		switch d {
		case onnx.CUDA:
			r.Hint = "where there is an NVIDIA graphics processor: install its libraries, see `fanous models list`"
		case onnx.DirectML:
			r.Hint = "where there is a graphics processor: install the library for DirectML, see `fanous models list`"
		}
		return r
	case says("libcuda.so.1", "nvcuda.dll"):
		return Result{Code: domain.CodeDeviceNoDriver, Reason: "there is no NVIDIA driver on this machine",
			Hint: "where there is an NVIDIA graphics processor: install its driver"}
	case says("driver version is insufficient", "unsupported toolchain"):
		return Result{Code: domain.CodeDeviceOldDriver, Reason: "the NVIDIA driver is too old for the installed CUDA libraries",
			Hint: "install a newer driver: release 580 or later serves CUDA 13"}
	case says("no CUDA-capable device", "invalid device ordinal", "No adapter", "DXGI_ERROR_NOT_FOUND", "887A0002"):
		return Result{Code: domain.CodeDeviceNone, Reason: fmt.Sprintf("there is no graphics processor that %s can use", d)}
	case says("no kernel image is available"):
		return Result{Code: domain.CodeDeviceNone, Reason: "the graphics processor is older than the installed CUDA libraries can use"}
	case says("out of memory", "OUT_OF_MEMORY", "Failed to allocate memory", "8007000E"):
		return Result{Code: domain.CodeDeviceMemory, Reason: fmt.Sprintf("the model does not fit into the memory that %s has left", d),
			Hint: "close other programs that use the graphics processor, or install the fp16 model"}
	case says("Failed to load library", "cannot open shared object file", "LoadLibrary failed"):
		return Result{Code: domain.CodeDeviceFailed, Reason: fmt.Sprintf("a library that %s needs cannot be loaded: %s", d, message),
			Hint: "install the libraries of the device again, see `fanous models list`"}
	}
	return Result{Code: domain.CodeDeviceFailed, Reason: fmt.Sprintf("%s cannot run the model: %s", d, message)}
}

// Stages of a trial, told as they begin, so that who is left behind knows where it ended.
const (
	stageLibrary = "library"
	stageDevice  = "device"
	stageModel   = "model"
)

// lost is the result of a process that ended by itself; how is in the system's words, empty where it was stopped
// because its time was over.
func lost(s Subject, stage, how string) Result {
	switch {
	case illegalInstruction(how):
		return Result{Code: domain.CodeProcessorOld,
			Reason: "this processor lacks an instruction that the ONNX Runtime library uses (" + how + ")",
			Hint:   "search by keyword goes on; models need a newer machine, or a library that was built for this one"}
	case s.Device != onnx.CPU && stage != stageLibrary && how == "":
		return Result{Code: domain.CodeDeviceSlow, Reason: fmt.Sprintf("%s did not finish its self-test in time", s.Device)}
	case s.Device != onnx.CPU && stage != stageLibrary:
		return Result{Code: domain.CodeDeviceCrashed, Reason: fmt.Sprintf("the process that tried %s ended: %s", s.Device, how),
			Hint: "install a newer driver, or the libraries of the device again"}
	case stage != stageLibrary && how == "":
		return Result{Code: domain.CodeModelFailed, Reason: "the model did not finish its self-test in time"}
	case stage != stageLibrary:
		return Result{Code: domain.CodeModelFailed, Reason: "the process that tried the model ended: " + how, Hint: "install the model again"}
	case how == "":
		return Result{Code: domain.CodeLibraryFailed, Reason: "the ONNX Runtime library did not load in time", Hint: "install Fanous again"}
	}
	return Result{Code: domain.CodeLibraryCrashed, Reason: "the ONNX Runtime library ended the process that tried it: " + how,
		Hint: "install Fanous again, or name another library with FANOUS_RUNTIME"}
}
