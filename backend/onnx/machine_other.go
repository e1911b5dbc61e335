//go:build !linux && !darwin && !windows

package onnx

func processorName() string { return "" }
func driverVersion() string { return "" }
