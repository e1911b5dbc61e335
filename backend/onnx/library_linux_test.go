package onnx

import (
	"bytes"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"testing"

	"fanous/backend/domain"
)

// good is the library of this machine's build.
func good(t *testing.T) (path string, content []byte) {
	t.Helper()
	path = os.Getenv("FANOUS_RUNTIME")
	content, err := os.ReadFile(path)
	if err != nil {
		t.Fatalf("FANOUS_RUNTIME: %v (go tool mage test sets it)", err)
	}
	return path, content
}

func TestCheckLibrary(t *testing.T) {
	path, library := good(t)
	if err := checkLibrary(path); err != nil {
		t.Errorf("the good one: %v", err)
	}
	rt, err := Load(path)
	if err != nil {
		t.Fatal(err)
	}
	if !bytes.Contains(library, []byte("VERS_"+rt.Version()+"\x00")) {
		t.Fatalf("%s, which says that it is %s, does not say so where it can be patched", path, rt.Version())
	}
	patch := func(old, new string) []byte {
		return bytes.ReplaceAll(library, []byte(old+"\x00"), []byte(new+"\x00"))
	}
	otherMachine := bytes.Clone(library)
	otherMachine[18] = 8 // MIPS
	flipped := bytes.Clone(library)
	flipped[1] ^= 1

	bare := bytes.Clone(library[:len(library)/2]) // without its section table, whose loss would be noticed first
	clear(bare[0x28:0x30])
	clear(bare[0x3c:0x40])

	dir := t.TempDir()
	for _, c := range []struct {
		name    string
		content []byte
		code    domain.Code
		says    string
	}{
		{"empty", nil, domain.CodeLibraryEmpty, "empty"},
		{"web page", []byte("\ufeff <!DOCTYPE html><html></html>"), domain.CodeLibraryWebPage, "it is a web page"},
		{"text", []byte("no library at all"), domain.CodeLibraryDamaged, "not a shared library"},
		{"two bytes", []byte("\x7fE"), domain.CodeLibraryDamaged, "not a shared library"},
		{"flipped header", flipped, domain.CodeLibraryDamaged, "not a shared library"},
		{"first kilobyte", library[:1024], domain.CodeLibraryDamaged, "cannot be used"},
		{"half", library[:len(library)/2], domain.CodeLibraryDamaged, "cannot be used"},
		{"all but the last page", library[:len(library)-4096], domain.CodeLibraryDamaged, "cannot be used"},
		{"half, without sections", bare, domain.CodeLibraryDamaged, "cut short"},
		{"too old", patch("VERS_"+rt.Version(), "VERS_1.20.1"), domain.CodeLibraryTooOld, "its version is 1.20.1, and 1.25 or later is needed"},
		{"some other library", patch("OrtGetApiBase", "XrtGetApiBase"), domain.CodeLibraryOther, "some other library"},
		{"another processor", otherMachine, domain.CodeLibraryProcessor, "another processor"},
		{"of Windows", []byte("MZ\x90\x00"), domain.CodeLibraryProcessor, "made for Windows"},
		{"of macOS", []byte("\xcf\xfa\xed\xfe"), domain.CodeLibraryProcessor, "made for macOS"},
	} {
		path := filepath.Join(dir, c.name)
		if err := os.WriteFile(path, c.content, 0o600); err != nil {
			t.Fatal(err)
		}
		err := checkLibrary(path)
		if domain.CodeOf(err) != c.code || !strings.Contains(err.Error(), c.says) || !strings.Contains(err.Error(), path) || domain.HintOf(err) == "" {
			t.Errorf("%s: %s: error %v", c.name, domain.CodeOf(err), err)
		}
	}
	if err := checkLibrary(dir); domain.CodeOf(err) != domain.CodeLibraryEmpty || !strings.Contains(err.Error(), "not a file") {
		t.Errorf("a folder: %v", err)
	}
	if err := checkLibrary(filepath.Join(dir, "missing")); domain.CodeOf(err) != domain.CodeLibraryMissing {
		t.Errorf("missing: %v", err)
	}
	if _, err := Load(""); domain.CodeOf(err) != domain.CodeLibraryNone {
		t.Errorf("no path: %v", err)
	}
}

// TestCheckLibraryOfOtherSystems reads the libraries that the binding's own tests come with.
func TestCheckLibraryOfOtherSystems(t *testing.T) {
	module, err := exec.Command("go", "list", "-m", "-f", "{{.Dir}}", "github.com/yalue/onnxruntime_go").Output()
	if err != nil {
		t.Skip("the binding's source is not here: ", err)
	}
	data := filepath.Join(strings.TrimSpace(string(module)), "test_data")
	for _, c := range []struct {
		file, goos, goarch string
		code               domain.Code
	}{
		{"onnxruntime.dll", "windows", "amd64", ""},
		{"onnxruntime.dll", "windows", "arm64", domain.CodeLibraryProcessor},
		{"onnxruntime.dll", "linux", "amd64", domain.CodeLibraryProcessor},
		{"onnxruntime_arm64.dylib", "darwin", "arm64", ""},
		{"onnxruntime_arm64.dylib", "darwin", "amd64", domain.CodeLibraryProcessor},
		{"onnxruntime_arm64.so", "linux", "arm64", ""},
		{"onnxruntime_arm64.so", "linux", "amd64", domain.CodeLibraryProcessor},
		{"onnxruntime_arm64.so", "windows", "amd64", domain.CodeLibraryProcessor},
	} {
		path := filepath.Join(data, c.file)
		info, err := os.Stat(path)
		if err != nil {
			t.Skip(err)
		}
		code, err := checkFormat(path, info.Size(), c.goos, c.goarch)
		if code != c.code || (err == nil) != (c.code == "") {
			t.Errorf("%s on %s/%s: %q %v, want %q", c.file, c.goos, c.goarch, code, err, c.code)
		}
		if c.code != "" {
			continue
		}
		content, err := os.ReadFile(path)
		if err != nil {
			t.Fatal(err)
		}
		half := filepath.Join(t.TempDir(), "half")
		if err := os.WriteFile(half, content[:len(content)/2], 0o600); err != nil {
			t.Fatal(err)
		}
		if code, err := checkFormat(half, info.Size()/2, c.goos, c.goarch); code != domain.CodeLibraryDamaged {
			t.Errorf("half of %s: %q %v", c.file, code, err)
		}
	}
}

// TestFileVersion: the resources of a Windows file, as its linker lays them out.
func TestFileVersion(t *testing.T) {
	old := []byte{
		'V', 0, 'S', 0, 0, 0, 0xbd, 0x04, 0xef, 0xfe, 0, 0, 1, 0,
		17, 0, 1, 0, 9, 0, 3, 0, // 1.17.3.9, each half of a 32-bit word
	}
	if got := fileVersion(old); got != "1.17.3" {
		t.Errorf("version %q", got)
	}
	if code, err := checkVersion(fileVersion(old)); code != domain.CodeLibraryTooOld {
		t.Errorf("%q %v", code, err)
	}
	for _, none := range [][]byte{nil, old[:12], []byte("no version")} {
		if got := fileVersion(none); got != "" {
			t.Errorf("version %q of %q", got, none)
		}
	}
}
