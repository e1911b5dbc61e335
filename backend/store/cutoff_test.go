package store

import (
	"context"
	"database/sql"
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"testing"
	"time"

	"fanous/backend/domain"
)

// deleterEnv makes this test binary a process that deletes from the index named by childEnv: "documents" all but the last, or
// the "collection".
const deleterEnv = "FANOUS_STORE_TEST_DELETES"

const cutOffDocuments = 400

func deleteFrom(path, what string) error {
	ctx := context.Background()
	s, err := Open(ctx, path, Options{})
	if err != nil {
		return err
	}
	if what == "collection" {
		return s.RemoveCollection(ctx, "secrets", nil)
	}
	w, err := s.Writer(ctx)
	if err != nil {
		return err
	}
	defer w.Close()
	ids := make([]int64, cutOffDocuments-1)
	for i := range ids {
		ids[i] = int64(i + 1)
	}
	return w.Delete(ctx, ids...)
}

// TestAKilledDeletionGoesOn: what kills a deletion in the middle leaves an index in order, in which nothing is half deleted. The
// next Writer takes away what was left of it, GoOn a removed collection whole, and then it is nowhere.
func TestAKilledDeletionGoesOn(t *testing.T) {
	for _, what := range []string{"documents", "collection"} {
		t.Run(what, func(t *testing.T) {
			s, c := manySecrets(t)
			child := exec.Command(os.Args[0])
			child.Env = append(os.Environ(), childEnv+"="+s.path, deleterEnv+"="+what)
			child.Stderr = os.Stderr
			if err := child.Start(); err != nil {
				t.Fatal(err)
			}
			left := func() (n int) {
				t.Helper()
				if err := s.readers.QueryRowContext(t.Context(), "SELECT count(*) FROM documents").Scan(&n); err != nil {
					t.Fatal(err)
				}
				return n
			}
			began := func() (yes bool) {
				t.Helper()
				if err := s.readers.QueryRowContext(t.Context(), "SELECT EXISTS (SELECT 1 FROM collections WHERE "+removed+")").Scan(&yes); err != nil {
					t.Fatal(err)
				}
				return yes || left() < cutOffDocuments
			}
			ended := make(chan error, 1)
			go func() { ended <- child.Wait() }()
			for !began() {
				select {
				case err := <-ended:
					t.Fatalf("it ended before anything was deleted: %v", err)
				case <-time.After(time.Millisecond):
				}
			}
			_ = child.Process.Kill()
			<-ended
			t.Logf("killed with %d documents left", left())

			check(t, s)
			files, err := s.Files(t.Context(), c.ID)
			if err != nil {
				t.Fatal(err)
			}
			if _, err := s.Collection(t.Context(), "secrets"); what == "collection" != (domain.CodeOf(err) == domain.CodeNotFound) {
				t.Errorf("the collection: %v", err)
			}
			if what == "collection" {
				for want := range 2 { // the second time there is nothing left to forget
					forgotten := []string{}
					err := s.GoOn(t.Context(), func(name string) error {
						forgotten = append(forgotten, name)
						return nil
					})
					if err != nil || len(forgotten) != 1-want || want == 0 && forgotten[0] != "secrets" {
						t.Errorf("forgotten: %q, %v", forgotten, err)
					}
				}
				has(t, "documents", left(), 0)
			}
			again := writer(t, s)
			if what == "documents" {
				var rest []int64 // what the run that was killed would have deleted next
				for path, f := range files {
					if path != "/kept" {
						rest = append(rest, f.ID)
					}
				}
				if err := again.Delete(t.Context(), rest...); err != nil {
					t.Fatal(err)
				}
				has(t, "kept", len(texts(t, s, c, "harmless")), 1)
			}
			if err := again.Close(); err != nil {
				t.Fatal(err)
			}
			check(t, s)
			if err := s.Close(); err != nil {
				t.Fatal(err)
			}
			for _, word := range []string{"xyzzyplugh", "zyplugh"} {
				if onDisk(t, s, word) {
					t.Errorf("%s is still on the disk", word)
				}
			}
		})
	}
}

// manySecrets is an index of so many documents that deleting them takes several steps, each with the secret word.
func manySecrets(t *testing.T) (*Store, domain.Collection) {
	t.Helper()
	s := open(t, filepath.Join(t.TempDir(), "index.db"))
	c := collection(t, s, "secrets")
	w := writer(t, s)
	var docs []DocumentRows
	for i := range cutOffDocuments - 1 {
		docs = append(docs, document(c, fmt.Sprintf("/doc%03d", i), "xyzzyplugh "+filler(2*i), filler(2*i+1)))
	}
	put(t, w, append(docs, document(c, "/kept", "harmless"))...)
	if err := w.Close(); err != nil {
		t.Fatal(err)
	}
	return s, c
}

// TestTermsThatAreMarkedAreMergedByTheNextWriter, where a deletion ended before it came to that.
func TestTermsThatAreMarkedAreMergedByTheNextWriter(t *testing.T) {
	s, c := manySecrets(t)
	w := writer(t, s)
	ctx, cancel := context.WithCancel(t.Context())
	cancel()
	if err := w.Delete(ctx, 1); err == nil {
		t.Error("it goes on after the end of its context")
	}
	files, _ := s.Files(t.Context(), c.ID)
	has(t, "documents", len(files), cutOffDocuments)
	err := s.write(t.Context(), "mark", func(tx *sql.Tx) error {
		going, err := findGoing(t.Context(), tx, []int64{1})
		if err != nil {
			return err
		}
		docs := going[c.ID][0]
		return deleteDocuments(t.Context(), tx, c.ID, docs, docs)
	})
	if err != nil {
		t.Fatal(err)
	}
	marked := func() (n int) {
		t.Helper()
		if err := s.readers.QueryRowContext(t.Context(), "SELECT count(*) FROM stamp WHERE key GLOB ?", purgeKey+"*").Scan(&n); err != nil {
			t.Fatal(err)
		}
		return n
	}
	has(t, "marks", marked(), 1)
	check(t, s)
	w.Close()
	writer(t, s).Close()
	has(t, "marks", marked(), 0)
	check(t, s)
}

// TestAMemberThatIsGoneIsNowhere: a file came again without it.
func TestAMemberThatIsGoneIsNowhere(t *testing.T) {
	s := open(t, "")
	c := collection(t, s, "secrets")
	w := writer(t, s)
	member := document(c, "/box", "xyzzyplugh "+filler(0))
	member.Member = "letter"
	put(t, w, document(c, "/other", filler(1)), member, document(c, "/box", filler(2)))
	if !onDisk(t, s, "xyzzyplugh") {
		t.Fatal("it is not there to begin with")
	}
	put(t, w, document(c, "/box", filler(3)))
	if err := w.Close(); err != nil {
		t.Fatal(err)
	}
	check(t, s)
	for _, word := range []string{"xyzzyplugh", "zyplugh"} {
		if onDisk(t, s, word) {
			t.Errorf("%s is still on the disk", word)
		}
	}
}
