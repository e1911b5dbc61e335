package onnx

/*
#include <stdlib.h>
#ifdef __GLIBC__
#include <malloc.h>
static void trim(void) { malloc_trim(0); }
static void tune(void) { mallopt(M_MMAP_THRESHOLD, 256 << 10); }
#else
static void trim(void) {}
static void tune(void) {}
#endif
*/
import "C"

// trimHeap gives the free memory of the C heap back to the system.
func trimHeap() { C.trim() }

// tuneHeap keeps large blocks out of the C heap, for good: each is a mapping of its own, and gone when it is freed. The C
// library would raise the size from which it does so to that of the largest block ever freed, and a model's or a
// tokenizer's blocks would leave a heap full of holes.
func tuneHeap() { C.tune() }
