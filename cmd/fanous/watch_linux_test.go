package main

import (
	"bufio"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"testing"
)

// TestWatchingFollowsFiles waits for what the program says, without a clock.
func TestWatchingFollowsFiles(t *testing.T) {
	program := testedProgram(t)
	docs, data := t.TempDir(), t.TempDir()
	write := func(name, text string) {
		path := filepath.Join(docs, name)
		if err := os.MkdirAll(filepath.Dir(path), 0o755); err != nil {
			t.Fatal(err)
		}
		if err := os.WriteFile(path, []byte(text), 0o644); err != nil {
			t.Fatal(err)
		}
	}
	write("a.txt", "lantern light")
	if err := copyInto(data, selfTests(t)); err != nil {
		t.Fatal(err)
	}
	cmd := exec.CommandContext(t.Context(), program, "index", "--watch", docs)
	cmd.Env = append(os.Environ(), "FANOUS_DATA="+data, "CO_API_KEY=")
	cmd.Stderr = os.Stderr
	out, err := cmd.StdoutPipe()
	if err != nil {
		t.Fatal(err)
	}
	if err := cmd.Start(); err != nil {
		t.Fatal(err)
	}
	lines := bufio.NewScanner(out)
	until := func(part string) {
		t.Helper()
		for lines.Scan() {
			if strings.Contains(lines.Text(), part) {
				return
			}
		}
		t.Fatalf("it ended before it said %q", part)
	}
	until("1 indexed")
	write("new folder/b.txt", "boat river")
	until("1 indexed, 1 unchanged")
	if err := os.Rename(filepath.Join(docs, "new folder"), filepath.Join(docs, "other folder")); err != nil {
		t.Fatal(err)
	}
	until("1 moved")
	if err := cmd.Process.Signal(os.Interrupt); err != nil {
		t.Fatal(err)
	}
	for lines.Scan() {
	}
	if err := cmd.Wait(); err != nil {
		t.Errorf("an interrupt is no error: %v", err)
	}
}
