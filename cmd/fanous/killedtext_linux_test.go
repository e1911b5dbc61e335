package main

import (
	"bytes"
	"fmt"
	"io/fs"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"testing"
	"time"
)

// canaryWord is in the texts and the names of the files that are deleted, and in nothing else; its second form is as the
// analyser folds it.
const canaryWord, foldedCanary = "Wuzhkestrels", "wuzhkestrel"

// killedIndex is a data folder in which the program is killed.
type killedIndex struct {
	*testing.T
	program, docs, data, temporary string
}

func newKilledIndex(t *testing.T) *killedIndex {
	t.Helper()
	k := &killedIndex{t, testedProgram(t), filepath.Join(t.TempDir(), "docs"), t.TempDir(), t.TempDir()}
	makeMixed(t, k.docs, 60)
	long := strings.Repeat(canaryWord+" stood on the quay and looked at the boats that came in.\n\n", 800)
	for name, text := range map[string]string{
		canaryWord + ".md": "# " + canaryWord + "\n\n" + long, "long.txt": long, "letter.eml": mail(1, canaryWord+" wrote it"), "letters.mbox": mailbox(2, canaryWord+" wrote these"),
		"box.zip": archive(t, 3, canaryWord+" is in the box"), "page.html": "<title>" + canaryWord + "</title><p>" + canaryWord,
	} {
		if err := os.MkdirAll(filepath.Join(k.docs, "canary"), 0o755); err != nil {
			t.Fatal(err)
		}
		if err := os.WriteFile(filepath.Join(k.docs, "canary", name), []byte(text), 0o644); err != nil {
			t.Fatal(err)
		}
	}
	return k
}

func (k *killedIndex) command(args ...string) *exec.Cmd {
	cmd := exec.Command(k.program, append([]string{"--data", k.data}, args...)...)
	cmd.Env = append(os.Environ(), "FANOUS_MODELS="+k.temporary, "CO_API_KEY=", "TMPDIR="+k.temporary) // no model: keywords are enough
	return cmd
}

func (k *killedIndex) run(args ...string) {
	k.Helper()
	if out, err := k.command(args...).CombinedOutput(); err != nil {
		k.Fatalf("%v: %v: %s", args, err, out)
	}
}

// killedWhen runs a command and kills it as soon as there is something to see.
func (k *killedIndex) killedWhen(seen func() bool, args ...string) {
	k.Helper()
	cmd := k.command(args...)
	if err := cmd.Start(); err != nil {
		k.Fatal(err)
	}
	ended := make(chan error, 1)
	go func() { ended <- cmd.Wait() }()
	for !seen() {
		select {
		case <-ended: // a quick machine: nothing was cut off
			k.Logf("%v ended before it could be killed", args)
			return
		case <-time.After(time.Millisecond):
		}
	}
	_ = cmd.Process.Kill()
	<-ended
}

// holding lists the files of the data folder, and of that for temporary files, that have the canary.
func (k *killedIndex) holding() (found []string) {
	k.Helper()
	for _, dir := range []string{k.data, k.temporary} {
		_ = filepath.WalkDir(dir, func(path string, d fs.DirEntry, err error) error {
			if err != nil || d.IsDir() {
				return nil // what is gone meanwhile has nothing
			}
			text, _ := os.ReadFile(path)
			text = append(text, path...)
			for _, word := range []string{canaryWord, foldedCanary} {
				if at := bytes.Index(text, []byte(word)); at >= 0 {
					found = append(found, fmt.Sprintf("%s: %q", path, text[max(0, at-80):min(len(text), at+80)]))
				}
			}
			return nil
		})
	}
	return found
}

func (k *killedIndex) deleteFiles() {
	k.Helper()
	if err := os.RemoveAll(filepath.Join(k.docs, "canary")); err != nil {
		k.Fatal(err)
	}
}

func (k *killedIndex) nowhere(when string) {
	k.Helper()
	for _, found := range k.holding() {
		k.Errorf("%s: %s", when, found)
	}
}

// TestWhatAKillLeavesIsDeletedToo: the text of a file is nowhere after its deletion, wherever a kill cut off the program
// before: in the middle of indexing it, or of deleting it.
func TestWhatAKillLeavesIsDeletedToo(t *testing.T) {
	there := func(k *killedIndex) func() bool { return func() bool { return len(k.holding()) > 0 } }
	t.Run("indexing", func(t *testing.T) {
		k := newKilledIndex(t)
		k.killedWhen(there(k), "index", k.docs)
		k.deleteFiles()
		k.run("index")
		k.nowhere("indexing was cut off")
	})
	t.Run("deleting", func(t *testing.T) {
		k := newKilledIndex(t)
		k.run("index", k.docs)
		k.deleteFiles()
		k.killedWhen(k.changed(), "index")
		k.run("index")
		k.nowhere("deleting was cut off")
	})
}

// changed says whether the index was written to since.
func (k *killedIndex) changed() func() bool {
	log := filepath.Join(k.data, "fanous.db-wal")
	return func() bool {
		info, err := os.Stat(log)
		return err == nil && info.Size() > 0
	}
}
