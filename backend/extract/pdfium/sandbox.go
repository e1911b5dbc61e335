package pdfium

/*
#cgo LDFLAGS: -ltokenizers -lm
#cgo windows LDFLAGS: -lntdll -luserenv -lws2_32 -ldbghelp
#cgo noescape fanous_pdfium_call
#cgo noescape fanous_pdfium_memory
#cgo noescape fanous_pdfium_characters
#include <stdlib.h>
#include "sandbox.h"

bool fanousReadFile(uintptr_t file, uint32_t offset, uint8_t *to, uint32_t size);
*/
import "C"

import (
	"encoding/binary"
	"errors"
	"fmt"
	"io"
	"math"
	"runtime/cgo"
	"slices"
	"unicode/utf16"
	"unsafe"
)

// sandbox is a pdfium with a memory of its own. Only one goroutine may use it at a time. When a call fails, pdfium has
// stopped in the middle of something; what later calls answer is as good as what the file deserves.
type sandbox struct {
	c         *C.fanous_pdfium_sandbox
	file      cgo.Handle
	functions map[string]C.uint32_t
	room      uint64 // in the sandbox, for answers that are more than one number
}

// answerSize is the room for the largest answer, a matrix of six float32.
const answerSize = 6 * 4

var errNoMemory = errors.New("the sandbox has no memory left")

// start begins a sandbox that reads one file. It is to be ended.
func (l *Library) start(file io.ReaderAt) (*sandbox, error) {
	s := &sandbox{file: cgo.NewHandle(file), functions: map[string]C.uint32_t{}}
	var failure *C.char
	s.c = C.fanous_pdfium_start(l.c, C.size_t(l.memory), (C.fanous_pdfium_read)(C.fanousReadFile), C.uintptr_t(s.file), &failure)
	if s.c == nil {
		s.file.Delete()
		return nil, take(failure)
	}
	var err error
	if s.room, err = s.allocate(answerSize); err != nil {
		s.end()
		return nil, err
	}
	return s, nil
}

func (s *sandbox) end() {
	C.fanous_pdfium_end(s.c)
	s.file.Delete()
}

//export fanousReadFile
func fanousReadFile(file C.uintptr_t, offset C.uint32_t, to *C.uint8_t, size C.uint32_t) C.bool {
	n := 0
	func() {
		defer func() { _ = recover() }() // a panic must not go past the frames of the sandbox
		n, _ = cgo.Handle(file).Value().(io.ReaderAt).ReadAt(unsafe.Slice((*byte)(to), int(size)), int64(offset))
	}()
	return n == int(size)
}

// take makes a Go error of what failed.
func take(failure *C.char) error {
	defer C.fanous_pdfium_free(failure)
	return fmt.Errorf("pdfium: %s", C.GoString(failure))
}

// call calls a function of pdfium. Arguments and result are numbers of at most 64 bits: whole ones as they are, others by
// their bits.
func (s *sandbox) call(name string, arguments ...uint64) (uint64, error) {
	function, known := s.functions[name]
	if !known {
		text := C.CString(name)
		defer C.free(unsafe.Pointer(text))
		number := C.fanous_pdfium_function(s.c, text)
		if number < 0 {
			return 0, fmt.Errorf("pdfium has no function %s", name)
		}
		function = C.uint32_t(number)
		s.functions[name] = function
	}
	var slots [10]uint64
	count := copy(slots[:], arguments)
	var failure *C.char
	if !C.fanous_pdfium_call(s.c, function, (*C.uint64_t)(&slots[0]), C.size_t(max(count, 1)), &failure) {
		return 0, take(failure)
	}
	return slots[0], nil
}

// integer is call for functions that give an int.
func (s *sandbox) integer(name string, arguments ...uint64) (int, error) {
	result, err := s.call(name, arguments...)
	return int(int32(result)), err
}

// handle is call for functions that give something of pdfium's own, or 0 where they fail.
func (s *sandbox) handle(name string, arguments ...uint64) (uint64, error) {
	result, err := s.call(name, arguments...)
	if err == nil && uint32(result) == 0 {
		err = fmt.Errorf("pdfium: %s failed", name)
	}
	return uint64(uint32(result)), err
}

// memory gives bytes of the sandbox, which are its own until the next call.
func (s *sandbox) memory(at, size uint64) ([]byte, error) {
	var all C.size_t
	start := C.fanous_pdfium_memory(s.c, &all)
	if at+size > uint64(all) || at+size < at {
		return nil, errors.New("pdfium: a place outside of its memory")
	}
	return unsafe.Slice((*byte)(start), uint64(all))[at : at+size], nil
}

// allocate gives room in the sandbox, which is to be released.
func (s *sandbox) allocate(size uint64) (uint64, error) {
	at, err := s.call("malloc", size)
	if err == nil && uint32(at) == 0 {
		err = errNoMemory
	}
	return uint64(uint32(at)), err
}

func (s *sandbox) release(at uint64) { _, _ = s.call("free", at) }

// name puts a text of ASCII characters into the sandbox for as long as use lasts.
func (s *sandbox) name(text string, use func(at uint64) error) error {
	at, err := s.allocate(uint64(len(text)) + 1)
	if err != nil {
		return err
	}
	defer s.release(at)
	room, err := s.memory(at, uint64(len(text))+1)
	if err != nil {
		return err
	}
	room[copy(room, text)] = 0
	return use(at)
}

// maxText is how many bytes a text outside of the pages may have: a title, a comment.
const maxText = 16 << 20

// text asks for a text by a function that ends with a place for it and the room there, and gives the bytes that it takes
// with its NUL. The text of one that is longer than maxText is empty.
func (s *sandbox) text(name string, arguments ...uint64) (string, error) {
	size, err := s.call(name, append(slices.Clone(arguments), 0, 0)...)
	if size = uint64(uint32(size)); err != nil || size <= 2 || size > maxText {
		return "", err
	}
	at, err := s.allocate(size)
	if err != nil {
		return "", err
	}
	defer s.release(at)
	if _, err := s.call(name, append(slices.Clone(arguments), at, size)...); err != nil {
		return "", err
	}
	bytes, err := s.memory(at, size)
	if err != nil {
		return "", err
	}
	units := make([]uint16, 0, size/2)
	for ; len(bytes) >= 2; bytes = bytes[2:] {
		if unit := binary.LittleEndian.Uint16(bytes); unit != 0 {
			units = append(units, unit)
		}
	}
	return string(utf16.Decode(units)), nil
}

// float32s reads an answer.
func (s *sandbox) float32s(out []float64) error {
	bytes, err := s.memory(s.room, answerSize)
	if err != nil {
		return err
	}
	for i := range out {
		out[i] = float64(math.Float32frombits(binary.LittleEndian.Uint32(bytes[4*i:])))
	}
	return nil
}
