package ledger

import (
	"bytes"
	"fmt"
	"os"
	"path/filepath"
	"sync"
	"testing"

	"fanous/backend/domain"
)

// growing is a ledger whose files are full after a few entries, with so many sendings.
func growing(t *testing.T, sendings int) *Ledger {
	t.Helper()
	l := Open(filepath.Join(t.TempDir(), "a [name] like any other"), false)
	l.full = 2000
	for i := range sendings {
		sent(t, l, fmt.Sprint("search ", i))
	}
	return l
}

// sent makes a sending that ended: two entries.
func sent(t *testing.T, l *Ledger, search string) {
	t.Helper()
	ended, err := l.Sending(t.Context(), Request{Search: search, Body: []byte("{}"), Passages: []string{"one", "two"}})
	if err == nil {
		err = ended(Outcome{Code: "ok", Status: 200})
	}
	if err != nil {
		t.Error(err)
	}
}

func TestAFullFileIsNeverWrittenAgain(t *testing.T) {
	l := growing(t, 10)
	parts := l.parts()
	if len(parts) < 3 {
		t.Fatalf("%+v", parts)
	}
	before, err := os.ReadFile(parts[0].path)
	if err != nil {
		t.Fatal(err)
	}
	sent(t, l, "later")
	if after, err := os.ReadFile(parts[0].path); err != nil || !bytes.Equal(before, after) {
		t.Error("it was written", err)
	}
	whole(t, l, 22)
	list, err := l.List(t.Context(), domain.LedgerFilter{})
	if err != nil || len(list) != 11 || list[0].N != 21 || list[10].N != 1 || list[10].Ended == nil {
		t.Errorf("%d, %v", len(list), err)
	}
	if list, err = l.List(t.Context(), domain.LedgerFilter{Before: 5, Limit: 1}); err != nil || len(list) != 1 || list[0].N != 3 {
		t.Errorf("%+v, %v", list, err)
	}
	var all bytes.Buffer
	if n, err := l.Export(t.Context(), &all, domain.LedgerFilter{}); err != nil || n != 22 {
		t.Errorf("%d, %v", n, err)
	}
	// What is exported is a ledger: the files one after the other.
	var joined []byte
	for _, p := range append(l.parts(), part{path: l.Path()}) {
		data, err := os.ReadFile(p.path)
		if err != nil {
			t.Fatal(err)
		}
		joined = append(joined, data...)
	}
	if !bytes.Equal(all.Bytes(), joined) {
		t.Error("the export is not what the files hold")
	}
}

// TestAPartThatIsGone is found without reading what was verified before, and named entry by entry.
func TestAPartThatIsGone(t *testing.T) {
	for i := range 3 {
		l := growing(t, 10)
		parts := l.parts()
		data, err := os.ReadFile(parts[i].path)
		if err != nil {
			t.Fatal(err)
		}
		lines := bytes.Split(bytes.TrimSpace(data), []byte("\n"))
		first, _ := linkOf(lines[0])
		last, _ := linkOf(lines[len(lines)-1])
		whole(t, l, 20)
		if err := os.Remove(parts[i].path); err != nil {
			t.Fatal(err)
		}
		s, err := Open(l.dir, false).State(t.Context())
		if want := (domain.LedgerFault{Kind: domain.FaultMissing, First: first.N, Last: last.N}); err != nil || len(s.Faults) != 1 || s.Faults[0] != want {
			t.Errorf("part %d: %+v, want %+v, %v", i, s.Faults, want, err)
		}
		acknowledged(t, l, fmt.Sprint("part ", i))
	}
}

// TestACrashWhileAFileGetsItsName leaves nothing that is wrong.
func TestACrashWhileAFileGetsItsName(t *testing.T) {
	l := growing(t, 1)
	h, err := l.readHead()
	if err != nil {
		t.Fatal(err)
	}
	if err := os.Rename(l.Path(), filepath.Join(l.dir, partName(h.Base))); err != nil {
		t.Fatal(err)
	}
	whole(t, Open(l.dir, false), 2)
	sent(t, l, "after the crash")
	whole(t, l, 4)
	if parts := l.parts(); len(parts) != 1 {
		t.Errorf("%+v", parts)
	}
}

// TestAMissingFileIsNoCrash: the one that was written to is gone, and no part has its bytes.
func TestAMissingFileIsNoCrash(t *testing.T) {
	l := growing(t, 10)
	h, err := l.readHead()
	if err != nil || h.size() == 0 {
		t.Fatal(h, err)
	}
	if err := os.Remove(l.Path()); err != nil {
		t.Fatal(err)
	}
	s, err := l.Verify(t.Context())
	if err != nil || len(s.Faults) != 1 || s.Faults[0].Kind != domain.FaultMissing || s.Faults[0].Last != 20 {
		t.Errorf("%+v, %v", s, err)
	}
	if _, err := Open(l.dir, false).Sending(t.Context(), Request{}); err == nil {
		t.Error("it goes on as if nothing were")
	}
}

// TestSeveralWritersFillFiles, as processes do.
func TestSeveralWritersFillFiles(t *testing.T) {
	dir := t.TempDir()
	var writers sync.WaitGroup
	for w := range 4 {
		writers.Go(func() {
			l := Open(dir, false)
			l.full = 1000
			for i := range 5 {
				sent(t, l, fmt.Sprint(w, i))
				if _, err := l.List(t.Context(), domain.LedgerFilter{}); err != nil {
					t.Error(err)
				}
			}
		})
	}
	writers.Wait()
	l := Open(dir, false)
	whole(t, l, 40)
	if len(l.parts()) < 5 {
		t.Errorf("%d parts", len(l.parts()))
	}
}
