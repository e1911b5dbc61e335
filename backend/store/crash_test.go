package store

import (
	"bufio"
	"context"
	"fmt"
	"io"
	"os"
	"os/exec"
	"path/filepath"
	"strconv"
	"strings"
	"testing"

	"fanous/backend/domain"
)

// childEnv makes this test binary a process that indexes into the named file until it is killed.
const childEnv = "FANOUS_STORE_TEST_CHILD"

func TestMain(m *testing.M) {
	if path := os.Getenv(childEnv); path != "" {
		work := indexForever
		if what := os.Getenv(deleterEnv); what != "" {
			work = func(path string) error { return deleteFrom(path, what) }
		}
		if err := work(path); err != nil {
			fmt.Fprintln(os.Stderr, err)
			os.Exit(1)
		}
	}
	os.Exit(m.Run())
}

// indexForever stores a batch of documents for every line that it is sent, replacing one of the batch before,
// and prints the number of each batch when the store has acknowledged it.
func indexForever(path string) error {
	ctx := context.Background()
	s, err := Open(ctx, path, Options{})
	if err != nil {
		return err
	}
	c, err := s.AddCollection(ctx, "crash", domain.PolicyAsk)
	if err != nil {
		return err
	}
	w, err := s.Writer(ctx)
	if err != nil {
		return err
	}
	if err := w.SetStamp(ctx, testStamp); err != nil {
		return err
	}
	batches := bufio.NewScanner(os.Stdin)
	for n := 0; batches.Scan(); n++ {
		var docs []DocumentRows
		for i := range 5 {
			docs = append(docs, document(c, fmt.Sprintf("/batch%d/doc%d", n, i), filler(10*n+i), "word"+strconv.Itoa(n)))
		}
		docs = append(docs, document(c, "/always", filler(n), "latest"+strconv.Itoa(n)))
		if err := w.Put(ctx, docs...); err != nil {
			return err
		}
		fmt.Println(n)
	}
	return batches.Err()
}

// A killed indexer loses nothing that it acknowledged, and leaves nothing half done.
func TestKillLosesNothingAcknowledged(t *testing.T) {
	for _, after := range []int{1, 4, 13, 30} {
		t.Run(fmt.Sprintf("after %d batches", after), func(t *testing.T) {
			path := filepath.Join(t.TempDir(), "index.db")
			child, acknowledged := startChild(t, path, 1000)
			for acknowledged.Scan() {
				if acknowledged.Text() == strconv.Itoa(after) {
					break
				}
			}
			if err := child.Process.Kill(); err != nil {
				t.Fatal(err)
			}
			last := after
			for acknowledged.Scan() { // what it said before the kill reached it
				n, err := strconv.Atoi(acknowledged.Text())
				if err != nil {
					t.Fatal(err)
				}
				last = n
			}
			_ = child.Wait() // killed

			s := open(t, path)
			check(t, s)
			c, err := s.Collection(t.Context(), "crash")
			if err != nil {
				t.Fatal(err)
			}
			for n := range last + 1 {
				has(t, "batch", len(texts(t, s, c, fmt.Sprint("word", n))), 5)
			}
			files, _ := s.Files(t.Context(), c.ID)
			// One batch may have been stored and not yet acknowledged; never a part of one.
			if batches := (len(files) - 1) / 5; len(files)%5 != 1 || batches < last+1 || batches > last+2 {
				t.Errorf("%d files after %d acknowledged batches", len(files), last+1)
			}
			if w, err := s.Writer(t.Context()); err != nil {
				t.Errorf("the dead process still holds the lock: %v", err)
			} else {
				put(t, w, document(c, "/after", "life goes on"))
				w.Close()
			}
			check(t, s)
		})
	}
}

// While another process indexes, this one can search and administer, and can not index.
func TestSecondProcess(t *testing.T) {
	path := filepath.Join(t.TempDir(), "index.db")
	_, acknowledged := startChild(t, path, 1)
	if !acknowledged.Scan() {
		t.Fatal("the child stored nothing")
	}
	s := open(t, path)
	c, err := s.Collection(t.Context(), "crash")
	if err != nil {
		t.Fatal(err)
	}
	has(t, "search", len(texts(t, s, c, "word0")), 5)
	_, err = s.Writer(t.Context())
	if domain.CodeOf(err) != domain.CodeLocked || !strings.Contains(domain.HintOf(err), "searching works") {
		t.Errorf("a second writer: %v", err)
	}
	if err := s.RemoveCollection(t.Context(), "crash", nil); domain.CodeOf(err) != domain.CodeLocked {
		t.Errorf("removing under a writer: %v", err)
	}
	if err := s.SetPolicy(t.Context(), "crash", domain.PolicyNever); err != nil {
		t.Errorf("setting a policy: %v", err)
	}
}

// startChild starts a process that indexes so many batches into path, then keeps its Writer; it is killed when
// the test ends.
func startChild(t *testing.T, path string, batches int) (*exec.Cmd, *bufio.Scanner) {
	t.Helper()
	child := exec.Command(os.Args[0])
	child.Env = append(os.Environ(), childEnv+"="+path)
	child.Stderr = os.Stderr
	out, err := child.StdoutPipe()
	if err != nil {
		t.Fatal(err)
	}
	in, err := child.StdinPipe()
	if err != nil {
		t.Fatal(err)
	}
	if err := child.Start(); err != nil {
		t.Fatal(err)
	}
	if _, err := io.WriteString(in, strings.Repeat("\n", batches)); err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { child.Process.Kill(); child.Wait() })
	return child, bufio.NewScanner(out)
}
