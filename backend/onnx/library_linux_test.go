package onnx

import (
	"bytes"
	"os"
	"path/filepath"
	"strings"
	"testing"
)

func TestCheckLibrary(t *testing.T) {
	good := os.Getenv("FANOUS_RUNTIME")
	library, err := os.ReadFile(good)
	if err != nil {
		t.Fatalf("FANOUS_RUNTIME: %v (go tool mage test sets it)", err)
	}
	if err := checkLibrary(good); err != nil {
		t.Errorf("the good one: %v", err)
	}
	rt, err := Load(good)
	if err != nil {
		t.Fatal(err)
	}
	if !bytes.Contains(library, []byte("VERS_"+rt.Version()+"\x00")) {
		t.Fatalf("%s, which says that it is %s, does not say so where it can be patched", good, rt.Version())
	}
	patch := func(old, new string) []byte {
		return bytes.ReplaceAll(library, []byte(old+"\x00"), []byte(new+"\x00"))
	}
	otherMachine := bytes.Clone(library[:4096])
	otherMachine[18] = 8 // MIPS

	bare := bytes.Clone(library[:len(library)/2]) // without its section table, whose loss would be noticed first
	clear(bare[0x28:0x30])
	clear(bare[0x3c:0x40])

	dir := t.TempDir()
	for _, c := range []struct {
		name    string
		content []byte
		says    string
	}{
		{"empty", nil, "empty"},
		{"web page", []byte("<!DOCTYPE html><html></html>"), "not a shared library"},
		{"first kilobyte", library[:1024], "cannot be used"},
		{"half", library[:len(library)/2], "cannot be used"},
		{"all but the last page", library[:len(library)-4096], "cannot be used"},
		{"half, without sections", bare, "cut short"},
		{"too old", patch("VERS_"+rt.Version(), "VERS_1.20.1"), "its version is 1.20.1, and 1.25 or later is needed"},
		{"some other library", patch("OrtGetApiBase", "XrtGetApiBase"), "some other library"},
		{"another processor", otherMachine, "cannot be used"},
	} {
		path := filepath.Join(dir, c.name)
		if err := os.WriteFile(path, c.content, 0o600); err != nil {
			t.Fatal(err)
		}
		if err := checkLibrary(path); err == nil || !strings.Contains(err.Error(), c.says) || !strings.Contains(err.Error(), path) {
			t.Errorf("%s: error %v", c.name, err)
		}
	}
	if err := checkLibrary(dir); err == nil || !strings.Contains(err.Error(), "not a file") {
		t.Errorf("a folder: %v", err)
	}
	if err := checkLibrary(filepath.Join(dir, "missing")); err == nil || !strings.Contains(err.Error(), "missing") {
		t.Errorf("missing: %v", err)
	}
}
