package store

import (
	"bytes"
	"context"
	"fmt"
	"math/rand/v2"
	"os"
	"path/filepath"
	"strings"
	"testing"
)

// TestNoCopyOfADeletedRowStays in the room that rows leave on a page when they are moved to another one, whether the Writer
// overwrites it or was told to end, and GoOn does.
func TestNoCopyOfADeletedRowStays(t *testing.T) {
	for _, canceled := range []bool{false, true} {
		t.Run(fmt.Sprint("canceled ", canceled), func(t *testing.T) { noCopyStays(t, canceled) })
	}
}

func noCopyStays(t *testing.T, canceled bool) {
	random := rand.New(rand.NewPCG(3, 1)) // where copies of three words stay, if nothing overwrites them
	s := open(t, filepath.Join(t.TempDir(), "index.db"))
	c := collection(t, s, "letters")
	word := func(i int) string { return fmt.Sprintf("secret%05dword", i) }
	var docs []DocumentRows
	for i := range 300 {
		var chunks []string
		for range 1 + random.IntN(8) {
			chunks = append(chunks, word(i)+" "+strings.Repeat("w", 50+random.IntN(1200)))
		}
		docs = append(docs, document(c, fmt.Sprintf("/%06x/%s/%s", random.IntN(1<<24), word(i), strings.Repeat("p", random.IntN(200))), chunks...))
	}
	random.Shuffle(len(docs), func(i, j int) { docs[i], docs[j] = docs[j], docs[i] })
	ctx, cancel := context.WithCancel(t.Context())
	defer cancel()
	w := writerUntil(t, ctx, s)
	put(t, w, docs...)
	files, err := s.Files(t.Context(), c.ID)
	if err != nil {
		t.Fatal(err)
	}
	gone := random.Perm(300)[:60]
	for from := 0; from < len(gone); from += 20 {
		var ids []int64
		for _, i := range gone[from : from+20] {
			for path, f := range files {
				if strings.Contains(path, word(i)) {
					ids = append(ids, f.ID)
				}
			}
		}
		if err := w.Delete(t.Context(), ids...); err != nil {
			t.Fatal(err)
		}
	}
	if canceled {
		cancel()
	}
	if err := w.Close(); err != nil {
		t.Fatal(err)
	}
	if canceled {
		if err := s.GoOn(t.Context(), nil); err != nil {
			t.Fatal(err)
		}
	}
	if err := s.Check(t.Context()); err != nil {
		t.Error(err)
	}
	if err := s.Close(); err != nil {
		t.Fatal(err)
	}
	content, err := os.ReadFile(s.path)
	if err != nil {
		t.Fatal(err)
	}
	for _, i := range gone {
		if at := bytes.Index(content, []byte(word(i))); at >= 0 {
			t.Errorf("%s is on page %d", word(i), at/8192+1)
		}
	}
}
