package ledger

import (
	"bytes"
	"encoding/json"
	"math/rand/v2"
	"os"
	"path/filepath"
	"slices"
	"testing"

	"fanous/backend/domain"
)

// heldFile is a file of a ledger as it was, and the entry that each of its bytes is of.
type heldFile struct {
	path  string
	data  []byte
	entry []int64
}

// held are the files of entries, oldest first.
func held(t *testing.T, l *Ledger) (files []heldFile) {
	t.Helper()
	for _, p := range append(l.parts(), part{path: l.Path()}) {
		f := heldFile{path: p.path, data: read(t, p.path)}
		for line := range bytes.Lines(f.data) {
			k, err := linkOf(bytes.TrimSpace(line))
			if err != nil {
				t.Fatal(err)
			}
			f.entry = append(f.entry, slices.Repeat([]int64{k.N}, len(line))...)
		}
		files = append(files, f)
	}
	return files
}

func read(t *testing.T, path string) []byte {
	t.Helper()
	data, err := os.ReadFile(path)
	if err != nil {
		t.Fatal(err)
	}
	return data
}

// faultsAfter verifies a ledger of which one file was written anew, as if nobody had verified it before, and puts that back.
func faultsAfter(t *testing.T, l *Ledger, path string, data []byte) []domain.LedgerFault {
	t.Helper()
	was := read(t, path)
	for p, d := range map[string][]byte{path: data, filepath.Join(l.dir, checkedName): nil} {
		if err := os.WriteFile(p, d, 0o600); err != nil {
			t.Fatal(err)
		}
	}
	s, err := l.Verify(t.Context())
	if err != nil {
		t.Fatal(err)
	}
	if err := os.WriteFile(path, was, 0o600); err != nil {
		t.Fatal(err)
	}
	return s.Faults
}

// TestEveryByteOfEveryFileCounts: at bytes all over a ledger in several files a bit is turned over, or the file ends there. The
// entry of the byte is named, and with an end every entry that is gone with it.
func TestEveryByteOfEveryFileCounts(t *testing.T) {
	l := growing(t, 4)
	files := held(t, l)
	if len(files) < 2 {
		t.Fatalf("%d files", len(files))
	}
	random := rand.New(rand.NewPCG(8, 8))
	for _, f := range files {
		last := f.entry[len(f.entry)-1]
		for at := random.IntN(20); at < len(f.data); at += 1 + random.IntN(20) {
			n, turned := f.entry[at], bytes.Clone(f.data)
			turned[at] ^= 1 << random.IntN(8)
			if got := faultsAfter(t, l, f.path, turned); !located(got, n, 0) || covered(got) > 4 {
				t.Fatalf("%s, byte %d of entry %d turned from %q to %q: %+v", filepath.Base(f.path), at, n, f.data[at], turned[at], got)
			}
			got := faultsAfter(t, l, f.path, f.data[:at])
			for gone := n; gone <= last; gone++ {
				if !located(got, gone, 0) {
					t.Fatalf("%s ends before byte %d of entry %d: entry %d is not named by %+v", filepath.Base(f.path), at, n, gone, got)
				}
			}
		}
	}
	whole(t, l, 8)
}

// TestEveryByteOfTheHeadCounts: a bit of it that is turned over is found, or changes nothing that the head says.
func TestEveryByteOfTheHeadCounts(t *testing.T) {
	l := growing(t, 2)
	random := rand.New(rand.NewPCG(8, 9))
	path := filepath.Join(l.dir, headName)
	data := read(t, path)
	var want headFile
	if err := json.Unmarshal(data, &want); err != nil {
		t.Fatal(err)
	}
	for at := range data {
		turned := bytes.Clone(data)
		turned[at] ^= 1 << random.IntN(8)
		var says headFile
		same := json.Unmarshal(turned, &says) == nil && says == want
		if got := faultsAfter(t, l, path, turned); len(got) == 0 != same {
			t.Fatalf("byte %d turned from %q to %q: %+v", at, data[at], turned[at], got)
		}
	}
}

// TestFilesThatChangePlaces, two at a time: each entry of the older one is named, which comes too late now.
func TestFilesThatChangePlaces(t *testing.T) {
	l := growing(t, 10)
	files := held(t, l)
	for i := range files {
		for k := range i {
			a, b := files[i], files[k]
			if err := os.WriteFile(a.path, b.data, 0o600); err != nil {
				t.Fatal(err)
			}
			got := faultsAfter(t, l, b.path, a.data)
			if err := os.WriteFile(a.path, a.data, 0o600); err != nil {
				t.Fatal(err)
			}
			for _, n := range slices.Compact(slices.Clone(b.entry)) {
				if !located(got, n, 0) {
					t.Errorf("files %d and %d: entry %d is not named by %+v", i, k, n, got)
				}
			}
		}
	}
	whole(t, l, 20)
}
