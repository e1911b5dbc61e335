//go:build !linux

package onnx

// trimHeap does nothing where the C library gives memory back by itself.
func trimHeap() {}

// tuneHeap does nothing, for the same reason.
func tuneHeap() {}
