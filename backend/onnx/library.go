package onnx

import (
	"bytes"
	"debug/elf"
	"debug/macho"
	"debug/pe"
	"encoding/binary"
	"fmt"
	"io"
	"os"
	"runtime"
	"strconv"
	"strings"

	"fanous/backend/domain"
)

// The oldest library that has the interface our binding asks for (ORT_API_VERSION 25 = 1.25).
const oldestMinor = 25

const reinstall = "install Fanous again, or name another library with FANOUS_RUNTIME"

// Check says what can be seen from outside of why the library at path could not be loaded; nil: nothing.
func Check(path string) error {
	if path == "" {
		return domain.Errorf(domain.CodeLibraryNone, reinstall, "no path to the ONNX Runtime library is known")
	}
	return checkLibrary(path)
}

// checkLibrary finds what would make loading the file fail badly: the system's loader does not
// check what it maps, and a file cut short kills the process instead of giving an error.
func checkLibrary(path string) error {
	info, err := os.Stat(path)
	switch {
	case err != nil:
		return domain.Errorf(domain.CodeLibraryMissing, reinstall, "the ONNX Runtime library is missing: %w", err)
	case !info.Mode().IsRegular():
		return domain.Errorf(domain.CodeLibraryEmpty, reinstall, "the ONNX Runtime library %s is not a file", path)
	case info.Size() == 0:
		return domain.Errorf(domain.CodeLibraryEmpty, reinstall, "the ONNX Runtime library %s is empty", path)
	}
	code, err := checkFormat(path, info.Size(), runtime.GOOS, runtime.GOARCH)
	if err != nil {
		return domain.Errorf(code, reinstall, "the ONNX Runtime library %s cannot be used: %w", path, err)
	}
	return nil
}

// checkFormat reads what the file says of itself. Its size is given because the formats promise more than a file
// that was cut has.
func checkFormat(path string, size int64, goos, goarch string) (domain.Code, error) {
	f, err := os.Open(path)
	if err != nil {
		return domain.CodeLibraryMissing, err
	}
	defer f.Close()
	head := make([]byte, 64)
	n, _ := f.ReadAt(head, 0) // a short file has a short beginning
	format := formatOf(head[:n])
	native := map[string]string{"windows": "Windows", "darwin": "macOS", "ios": "macOS"}[goos]
	if native == "" {
		native = "Linux"
	}
	switch {
	case format == "a web page":
		return domain.CodeLibraryWebPage, fmt.Errorf("it is a web page, saved in its place")
	case format == "":
		return domain.CodeLibraryDamaged, fmt.Errorf("it is not a shared library, or it is damaged")
	case format != native:
		return domain.CodeLibraryProcessor, fmt.Errorf("it is made for %s", format)
	}
	switch native {
	case "Windows":
		return checkPE(f, size, goarch)
	case "macOS":
		return checkMachO(f, size, goarch)
	}
	return checkELF(f, size, goarch)
}

// formatOf names what a file is by how it begins: the operating system that a library is for, or what was saved in
// its place. Empty: neither.
func formatOf(head []byte) string {
	text := bytes.ToLower(bytes.TrimSpace(bytes.TrimPrefix(head, []byte("\ufeff"))))
	switch {
	case bytes.HasPrefix(head, []byte(elf.ELFMAG)):
		return "Linux"
	case bytes.HasPrefix(head, []byte("MZ")):
		return "Windows"
	case bytes.HasPrefix(text, []byte("<!doctype")), bytes.HasPrefix(text, []byte("<html")), bytes.HasPrefix(text, []byte("<?xml")):
		return "a web page"
	case len(head) >= 4:
		for _, magic := range []uint32{macho.Magic32, macho.Magic64, macho.MagicFat} {
			if binary.LittleEndian.Uint32(head) == magic || binary.BigEndian.Uint32(head) == magic {
				return "macOS"
			}
		}
	}
	return ""
}

func cut(size int64) (domain.Code, error) {
	return domain.CodeLibraryDamaged, fmt.Errorf("it is cut short: %d bytes", size)
}

func damaged(what string, err error) (domain.Code, error) {
	return domain.CodeLibraryDamaged, fmt.Errorf("%s: %w", what, err)
}

func otherProcessor(machine any) (domain.Code, error) {
	return domain.CodeLibraryProcessor, fmt.Errorf("it is made for another processor (%v)", machine)
}

func checkELF(r io.ReaderAt, size int64, goarch string) (domain.Code, error) {
	f, err := elf.NewFile(r)
	if err != nil {
		return damaged("it is not a shared library, or it is damaged", err)
	}
	machines := map[string]elf.Machine{"amd64": elf.EM_X86_64, "arm64": elf.EM_AARCH64}
	if want, known := machines[goarch]; known && f.Machine != want {
		return otherProcessor(f.Machine)
	}
	for _, p := range f.Progs {
		if p.Filesz > uint64(size) || p.Off > uint64(size)-p.Filesz {
			return cut(size)
		}
	}
	symbols, err := f.DynamicSymbols()
	if err != nil {
		return damaged("its symbols cannot be read", err)
	}
	for _, s := range symbols {
		if s.Name == "OrtGetApiBase" {
			return checkVersion(strings.TrimPrefix(s.Version, "VERS_"))
		}
	}
	return domain.CodeLibraryOther, fmt.Errorf("it is some other library")
}

func checkPE(r io.ReaderAt, size int64, goarch string) (domain.Code, error) {
	f, err := pe.NewFile(r)
	if err != nil {
		return damaged("it is not a library, or it is damaged", err)
	}
	machines := map[string]uint16{"amd64": pe.IMAGE_FILE_MACHINE_AMD64, "arm64": pe.IMAGE_FILE_MACHINE_ARM64}
	if want, known := machines[goarch]; known && f.Machine != want {
		return otherProcessor(fmt.Sprintf("%#x", f.Machine))
	}
	for _, s := range f.Sections {
		if int64(s.Offset)+int64(s.Size) > size {
			return cut(size)
		}
	}
	// Windows brings an old copy of its own in the system folder: only the version tells it apart.
	if resources := f.Section(".rsrc"); resources != nil {
		if data, err := resources.Data(); err == nil {
			return checkVersion(fileVersion(data))
		}
	}
	return "", nil
}

// fileVersion finds the version in the resources of a Windows file (VS_FIXEDFILEINFO); empty where there is none.
func fileVersion(resources []byte) string {
	at := bytes.Index(resources, []byte{0xbd, 0x04, 0xef, 0xfe})
	if at < 0 || len(resources) < at+16 {
		return ""
	}
	high, low := binary.LittleEndian.Uint32(resources[at+8:]), binary.LittleEndian.Uint32(resources[at+12:])
	return fmt.Sprintf("%d.%d.%d", high>>16, high&0xffff, low>>16)
}

func checkMachO(r io.ReaderAt, size int64, goarch string) (domain.Code, error) {
	machines := map[string]macho.Cpu{"amd64": macho.CpuAmd64, "arm64": macho.CpuArm64}
	want, known := machines[goarch]
	if fat, err := macho.NewFatFile(r); err == nil {
		has := false
		for _, arch := range fat.Arches {
			if int64(arch.Offset)+int64(arch.Size) > size {
				return cut(size)
			}
			has = has || arch.Cpu == want
		}
		if known && !has {
			return otherProcessor("none of its parts is for " + goarch)
		}
		return "", nil
	}
	f, err := macho.NewFile(r)
	if err != nil {
		return damaged("it is not a library, or it is damaged", err)
	}
	if known && f.Cpu != want {
		return otherProcessor(f.Cpu)
	}
	for _, l := range f.Loads {
		if s, ok := l.(*macho.Segment); ok && s.Offset+s.Filesz > uint64(size) {
			return cut(size)
		}
	}
	return "", nil
}

// checkVersion refuses what is known to be too old; a version that it cannot read is left to the
// library's own check of the interface.
func checkVersion(version string) (domain.Code, error) {
	parts := strings.Split(version, ".")
	if len(parts) < 2 {
		return "", nil
	}
	major, err1 := strconv.Atoi(parts[0])
	minor, err2 := strconv.Atoi(parts[1])
	if err1 != nil || err2 != nil {
		return "", nil
	}
	if major < 1 || major == 1 && minor < oldestMinor {
		return domain.CodeLibraryTooOld, fmt.Errorf("its version is %s, and 1.%d or later is needed", version, oldestMinor)
	}
	return "", nil
}
