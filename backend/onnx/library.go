package onnx

import (
	"debug/elf"
	"debug/macho"
	"debug/pe"
	"fmt"
	"os"
	"runtime"
	"strconv"
	"strings"
)

// The oldest library that has the interface our binding asks for (ORT_API_VERSION 25 = 1.25).
const oldestMinor = 25

// checkLibrary finds what would make loading the file fail badly: the system's loader does not
// check what it maps, and a file cut short kills the process instead of giving an error.
func checkLibrary(path string) error {
	info, err := os.Stat(path)
	switch {
	case err != nil:
		return fmt.Errorf("the ONNX Runtime library is missing: %w", err)
	case !info.Mode().IsRegular():
		return fmt.Errorf("the ONNX Runtime library %s is not a file", path)
	case info.Size() == 0:
		return fmt.Errorf("the ONNX Runtime library %s is empty", path)
	}
	switch runtime.GOOS {
	case "windows":
		err = checkPE(path, info.Size())
	case "darwin", "ios":
		err = checkMachO(path, info.Size())
	default:
		err = checkELF(path, info.Size())
	}
	if err != nil {
		return fmt.Errorf("the ONNX Runtime library %s cannot be used: %w", path, err)
	}
	return nil
}

func checkELF(path string, size int64) error {
	f, err := elf.Open(path)
	if err != nil {
		return fmt.Errorf("it is not a shared library, or it is damaged: %w", err)
	}
	defer f.Close()
	machines := map[string]elf.Machine{"amd64": elf.EM_X86_64, "arm64": elf.EM_AARCH64}
	if want, known := machines[runtime.GOARCH]; known && f.Machine != want {
		return fmt.Errorf("it is made for another processor (%s)", f.Machine)
	}
	for _, p := range f.Progs {
		if p.Filesz > uint64(size) || p.Off > uint64(size)-p.Filesz {
			return fmt.Errorf("it is cut short: %d bytes", size)
		}
	}
	symbols, err := f.DynamicSymbols()
	if err != nil {
		return fmt.Errorf("its symbols cannot be read: %w", err)
	}
	for _, s := range symbols {
		if s.Name == "OrtGetApiBase" {
			return checkVersion(strings.TrimPrefix(s.Version, "VERS_"))
		}
	}
	return fmt.Errorf("it is some other library")
}

func checkPE(path string, size int64) error {
	f, err := pe.Open(path)
	if err != nil {
		return fmt.Errorf("it is not a library, or it is damaged: %w", err)
	}
	defer f.Close()
	for _, s := range f.Sections {
		if int64(s.Offset)+int64(s.Size) > size {
			return fmt.Errorf("it is cut short: %d bytes", size)
		}
	}
	return nil
}

func checkMachO(path string, size int64) error {
	if fat, err := macho.OpenFat(path); err == nil {
		defer fat.Close()
		for _, arch := range fat.Arches {
			if int64(arch.Offset)+int64(arch.Size) > size {
				return fmt.Errorf("it is cut short: %d bytes", size)
			}
		}
		return nil
	}
	f, err := macho.Open(path)
	if err != nil {
		return fmt.Errorf("it is not a library, or it is damaged: %w", err)
	}
	defer f.Close()
	for _, l := range f.Loads {
		if s, ok := l.(*macho.Segment); ok && s.Offset+s.Filesz > uint64(size) {
			return fmt.Errorf("it is cut short: %d bytes", size)
		}
	}
	return nil
}

// checkVersion refuses what is known to be too old; a version that it cannot read is left to the
// library's own check of the interface.
func checkVersion(version string) error {
	parts := strings.Split(version, ".")
	if len(parts) < 2 {
		return nil
	}
	major, err1 := strconv.Atoi(parts[0])
	minor, err2 := strconv.Atoi(parts[1])
	if err1 != nil || err2 != nil {
		return nil
	}
	if major < 1 || major == 1 && minor < oldestMinor {
		return fmt.Errorf("its version is %s, and 1.%d or later is needed", version, oldestMinor)
	}
	return nil
}
