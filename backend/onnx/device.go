package onnx

import (
	"errors"
	"fmt"
	"runtime"
	"slices"
	"strings"

	ort "github.com/yalue/onnxruntime_go"
)

// Device is what a model runs on, in the words that people read.
type Device string

const (
	CPU      Device = "CPU"
	CUDA     Device = "CUDA"     // NVIDIA, on Linux and Windows; its libraries are a runtime of the catalogue
	DirectML Device = "DirectML" // any graphics processor under Windows
	CoreML   Device = "CoreML"   // macOS; part of every library for it
)

// Devices is every device, the one to prefer first.
func Devices() []Device { return []Device{CUDA, DirectML, CoreML, CPU} }

// ParseDevice finds the device of a name, in letters of any case.
func ParseDevice(name string) (Device, bool) {
	for _, d := range Devices() {
		if strings.EqualFold(name, string(d)) {
			return d, true
		}
	}
	return "", false
}

// On says why a device cannot be there on an operating system, as Go names it; empty: it can.
func (d Device) On(goos string) string {
	systems := map[Device][]string{
		CPU: {goos}, CUDA: {"linux", "windows"}, DirectML: {"windows"}, CoreML: {"darwin"},
	}
	if slices.Contains(systems[d], goos) {
		return ""
	}
	return fmt.Sprintf("%s does not exist on this operating system", d)
}

// provider is the library's name for a device, which it also writes into a profile.
func (d Device) provider() string {
	switch d {
	case CUDA:
		return "CUDAExecutionProvider"
	case DirectML:
		return "DmlExecutionProvider"
	case CoreML:
		return "CoreMLExecutionProvider"
	}
	return "CPUExecutionProvider"
}

// runs is how many Runs of one session a device is given at a time; 0: as many as there are cores. DirectML allows
// one and no more. CUDA works one kernel after the other; a second Run hides the copying of the first.
func (d Device) runs() int {
	switch d {
	case CUDA:
		return 2
	case DirectML, CoreML:
		return 1
	}
	return 0
}

// Offers says why this build of the library cannot use a device at all; nil: it may be able to. For CUDA it loads the
// libraries of the device and its driver, which belongs in a process that may be lost.
func (r *Runtime) Offers(d Device) error {
	if why := d.On(runtime.GOOS); why != "" {
		return errors.New(why)
	}
	o, err := ort.NewSessionOptions()
	if err != nil {
		return err
	}
	defer o.Destroy()
	return r.use(d, o)
}

// use makes sessions of these options run on the device. What it cannot do is left to the processor, which a
// Placement shows.
func (r *Runtime) use(d Device, o *ort.SessionOptions) error {
	switch d {
	case CPU:
		return nil
	case CUDA:
		if err := r.preload(); err != nil {
			return err
		}
		return useCUDA(o)
	case DirectML:
		// Windows has a DirectML.dll of its own, mostly an older one: the one beside the library is to be it.
		if err := r.preload(); err != nil {
			return err
		}
		// Both are what this provider asks for.
		if err := errors.Join(o.SetMemPattern(false), o.SetExecutionMode(ort.ExecutionModeSequential)); err != nil {
			return err
		}
		return o.AppendExecutionProviderDirectML(0)
	case CoreML:
		// Texts have any length, which its neural engine does not take; a graph of open shapes runs on all units.
		return o.AppendExecutionProviderCoreMLV2(map[string]string{"ModelFormat": "MLProgram", "MLComputeUnits": "ALL"})
	}
	return fmt.Errorf("there is no device %q", d)
}

func useCUDA(o *ort.SessionOptions) error {
	cuda, err := ort.NewCUDAProviderOptions()
	if err != nil {
		return err
	}
	defer cuda.Destroy()
	err = cuda.Update(map[string]string{
		"device_id":             "0",
		"arena_extend_strategy": "kSameAsRequested", // take what a text needs, not the next power of two
		"use_tf32":              "0",                // fp32 then means fp32, as on the processor; who wants speed has fp16
	})
	if err != nil {
		return err
	}
	return o.AppendExecutionProviderCUDA(cuda)
}
