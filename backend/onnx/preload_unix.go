//go:build !windows

package onnx

/*
#cgo LDFLAGS: -ldl
#include <dlfcn.h>
#include <stdlib.h>
*/
import "C"

import (
	"errors"
	"unsafe"
)

// openLibrary loads a shared library for the rest of the process. What is linked to it finds it by its own name
// from then on, wherever it lies.
func openLibrary(path string) error {
	name := C.CString(path)
	defer C.free(unsafe.Pointer(name))
	if C.dlopen(name, C.RTLD_LAZY) == nil {
		return errors.New(C.GoString(C.dlerror()))
	}
	return nil
}
