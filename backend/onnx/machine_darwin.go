package onnx

import "golang.org/x/sys/unix"

func processorName() string {
	name, err := unix.Sysctl("machdep.cpu.brand_string")
	if err != nil {
		return ""
	}
	return name
}

// driverVersion: drivers are part of the system here.
func driverVersion() string {
	version, err := unix.Sysctl("kern.osproductversion")
	if err != nil {
		return ""
	}
	return version
}
