package reader

import (
	"context"
	"errors"
	"fmt"
	"math/rand/v2"
	"os"
	"os/exec"
	"path/filepath"
	"runtime"
	"strings"
	"testing"
	"time"

	"fanous/backend/domain"
	"fanous/backend/extract"
	"fanous/models/child/childtest"
)

// trick is readertest.Trick, which cannot be imported here.
const trick = "%FANOUS-TEST "

func open(t testing.TB, limits Limits) *Reader {
	t.Helper()
	exe, err := os.Executable()
	if err != nil {
		t.Fatal(err)
	}
	r := New(Options{Program: exe, Limits: limits})
	t.Cleanup(func() {
		if err := r.Close(); err != nil {
			t.Error(err)
		}
	})
	return r
}

func write(t testing.TB, name, text string) string {
	t.Helper()
	path := filepath.Join(t.TempDir(), name)
	if err := os.WriteFile(path, []byte(text), 0o600); err != nil {
		t.Fatal(err)
	}
	return path
}

// text reads a file and gives the text of its documents.
func text(t testing.TB, r *Reader, path string) (string, error) {
	t.Helper()
	var out []string
	err := r.Read(t.Context(), path, func(f extract.Found) error {
		for _, b := range f.Content.Blocks {
			out = append(out, b.Text)
		}
		return nil
	})
	return strings.Join(out, "|"), err
}

// TestAFileThatEndsItsChild: whatever a file does to its child, its reason is plain and the next file is read.
func TestAFileThatEndsItsChild(t *testing.T) {
	small := Limits{Memory: 256 << 20, Document: 8 << 20, Output: 32 << 20, Members: 1000}
	for kind, c := range map[string]struct {
		limits Limits
		says   string
	}{
		"spin":                      {Limits{Stall: 300 * time.Millisecond}, "did not come to an end"},
		"deadlock":                  {Limits{Total: 300 * time.Millisecond}, "did not come to an end"},
		"memory":                    {small, "more memory than the 256 MiB"},
		"memory at once":            {small, "more memory than the 256 MiB"},
		"stack":                     {small, "more memory than the 256 MiB"},
		"panic elsewhere":           {small, "panic: a goroutine nobody watches"},
		"fault elsewhere":           {small, "it ended the process that read it: panic: runtime error"},
		"exit":                      {small, "without a word"},
		"exit 7":                    {small, "exit status 7"},
		"one endless document":      {Limits{Document: 8 << 20}, errDocument.Error()},
		"endless documents":         {small, errOutput.Error()},
		"endless empty documents":   {small, errMembers.Error()},
		"endless nothing":           {Limits{Stall: 300 * time.Millisecond}, "did not come to an end"},
		"garbage":                   {small, "the process that read it went wrong: "},
		"a flood of garbage":        {small, "the process that read it went wrong: "},
		"nothing said":              {small, "what became of the file"},
		"twice":                     {small, "gave the file twice"},
		"a state that there is not": {small, "a state that there is not"},
		"absurd sizes":              {small, "that there cannot be"},
		"members, then the end":     {small, "exit status 7"},
	} {
		t.Run(kind, func(t *testing.T) {
			t.Parallel()
			r := open(t, c.limits)
			_, err := text(t, r, write(t, "bad.txt", trick+kind))
			var lost *Lost
			if !errors.As(err, &lost) || !strings.Contains(lost.Reason, c.says) {
				t.Errorf("%v, want a file that is lost: %s", err, c.says)
			}
			if got, err := text(t, r, write(t, "good.txt", "a lantern")); err != nil || got != "a lantern" {
				t.Errorf("the next file: %q, %v", got, err)
			}
		})
	}
}

// TestWhatAChildCanDo: it has no network, starts no program, and has nothing of its parent's; one that somebody
// waits for has an ordinary priority.
func TestWhatAChildCanDo(t *testing.T) {
	if runtime.GOOS != "linux" {
		t.Skip("confine_linux.go is what is tested")
	}
	f, err := os.Create(filepath.Join(t.TempDir(), "inherited"))
	if err != nil {
		t.Fatal(err)
	}
	defer f.Close()
	t.Setenv("CO_API_KEY", "secret")
	for awaited, want := range map[bool]string{false: "it can: ", true: "it can: priority"} {
		r := open(t, Limits{})
		r.options.Awaited = awaited
		got, err := text(t, r, write(t, "a.txt", trick+"what it can do"))
		if err != nil || got != want {
			t.Errorf("awaited %v: %s, %v, want %s", awaited, got, err, want)
		}
	}
}

func TestADocumentThatCameBeforeTheEndIsWhole(t *testing.T) {
	r := open(t, Limits{})
	got, err := text(t, r, write(t, "a.txt", trick+"members, then the end"))
	var lost *Lost
	if !errors.As(err, &lost) || got != "member|member|member" {
		t.Errorf("%q, %v", got, err)
	}
}

// TestAChildServesManyFiles: one process reads file after file, until it has had its time.
func TestAChildServesManyFiles(t *testing.T) {
	r := open(t, Limits{})
	path := write(t, "a.txt", "a lantern")
	var pids []int
	for range 3 {
		if _, err := text(t, r, path); err != nil {
			t.Fatal(err)
		}
		pids = append(pids, r.idle[0].cmd.Process.Pid)
	}
	if len(r.idle) != 1 || pids[0] != pids[2] {
		t.Errorf("%d children rest, processes %v", len(r.idle), pids)
	}
	resting := r.idle[0]
	r.retire(resting)
	<-resting.ended
	if len(r.idle) != 0 {
		t.Error("a child that is gone still rests")
	}
	if _, err := text(t, r, path); err != nil {
		t.Error("after a rest:", err)
	}
	r.idle[0].kill() // somebody else ended it
	<-r.idle[0].ended
	if _, err := text(t, r, path); err != nil {
		t.Error("after a loss:", err)
	}
}

// TestEachHasTheLastWord: its error ends the reading, and is what Read returns.
func TestEachHasTheLastWord(t *testing.T) {
	r, mine := open(t, Limits{}), errors.New("mine")
	calls := 0
	err := r.Read(t.Context(), write(t, "a.txt", trick+"endless documents"), func(extract.Found) error {
		if calls++; calls == 3 {
			return mine
		}
		return nil
	})
	if !errors.Is(err, mine) || calls != 3 {
		t.Errorf("%d calls, %v", calls, err)
	}
}

// TestTheTimeOfEachIsNotTheFiles: a slow caller ends no child.
func TestTheTimeOfEachIsNotTheFiles(t *testing.T) {
	p := patience{child: schedule{os.Getpid()}}
	killed := make(chan struct{})
	p.begin(func() { close(killed) }, Limits{Stall: time.Hour, Total: time.Hour})
	p.wait()
	p.pause()
	if p.left > time.Hour || p.timer.Stop() {
		t.Error("time goes on during a pause")
	}
	p.left = 0
	p.wait()
	<-killed
	if !p.late.Load() {
		t.Error("it was ended, and is not late")
	}
}

func TestCancelEndsTheChild(t *testing.T) {
	r := open(t, Limits{})
	ctx, cancel := context.WithCancel(t.Context())
	err := r.Read(ctx, write(t, "a.txt", trick+"endless documents"), func(extract.Found) error {
		cancel()
		return nil
	})
	if !errors.Is(err, context.Canceled) || len(r.idle) != 0 {
		t.Errorf("%v, %d children rest", err, len(r.idle))
	}
	if err := r.Read(ctx, "none", nil); !errors.Is(err, context.Canceled) {
		t.Error(err)
	}
}

// TestNoChildAtAll is the program's fault and no file's.
func TestNoChildAtAll(t *testing.T) {
	var lost *Lost
	for _, program := range []string{filepath.Join(t.TempDir(), "none"), "/bin/true"} {
		r := New(Options{Program: program})
		err := r.Read(t.Context(), write(t, "a.txt", "x"), nil)
		if err == nil || errors.As(err, &lost) || domain.HintOf(err) == "" {
			t.Errorf("%s: %v", program, err)
		}
	}
}

// TestAnOrphanEnds: a child whose parent is gone does not stay.
func TestAnOrphanEnds(t *testing.T) {
	cmd := exec.Command(os.Args[0])
	cmd.Env = append(os.Environ(), childEnv+`={"Memory":1000000000}`)
	childtest.EndsWithItsParent(t, cmd)
}

// TestNamesOfAnyBytes: a path is what the system says it is.
func TestNamesOfAnyBytes(t *testing.T) {
	if runtime.GOOS != "linux" {
		t.Skip("names are Unicode here")
	}
	got, err := text(t, open(t, Limits{}), write(t, "a\xff\n\"\x01.txt", "a lantern"))
	if err != nil || got != "a lantern" {
		t.Errorf("%q, %v", got, err)
	}
}

// TestLargeDocumentsComeInOneAtATime: the account of what is held is settled after each.
func TestLargeDocumentsComeInOneAtATime(t *testing.T) {
	r := open(t, Limits{})
	line := strings.Repeat(fmt.Sprint(rand.Int())+" ", 50_000)
	for range 2 {
		got, err := text(t, r, write(t, "large.txt", strings.Repeat(line+"\n", 60)))
		if err != nil || len(got) < large {
			t.Errorf("%d bytes, %v", len(got), err)
		}
	}
	if !r.large.TryLock() {
		t.Error("a document that is in still keeps others away")
	}
}
