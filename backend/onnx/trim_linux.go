package onnx

/*
#include <stdlib.h>
#ifdef __GLIBC__
#include <malloc.h>
static void trim(void) { malloc_trim(0); }
#else
static void trim(void) {}
#endif
*/
import "C"

// trimHeap gives the free memory of the C heap back to the system.
func trimHeap() { C.trim() }
