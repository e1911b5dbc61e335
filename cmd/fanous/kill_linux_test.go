package main

import (
	"archive/zip"
	"bytes"
	"fmt"
	"math/rand/v2"
	"os"
	"os/exec"
	"path/filepath"
	"slices"
	"strconv"
	"strings"
	"syscall"
	"testing"
	"time"

	"fanous/backend/domain"
	"fanous/backend/store"
)

// TestKilledIndexingLosesAndDoublesNothing kills the program at random moments of indexing a folder of mixed files, lets
// it come to its end, and compares the index with that of a run that nobody killed. FANOUS_FILES and FANOUS_KILLS
// are for a larger one.
func TestKilledIndexingLosesAndDoublesNothing(t *testing.T) {
	program := testedProgram(t)
	files, kills := number(t, "FANOUS_FILES", 100), number(t, "FANOUS_KILLS", 4)
	docs := filepath.Join(t.TempDir(), "docs")
	makeMixed(t, docs, files)

	index := func(data string) *exec.Cmd {
		cmd := exec.Command(program, "index", docs)
		cmd.Env = append(os.Environ(), "FANOUS_DATA="+data, "CO_API_KEY=")
		return cmd
	}
	whole := func(data string) time.Duration {
		start := time.Now()
		if out, err := index(data).CombinedOutput(); err != nil {
			t.Fatalf("%v: %s", err, out)
		}
		return time.Since(start)
	}
	untouched, killed := t.TempDir(), t.TempDir()
	book := selfTests(t) // else a run killed early would die in these again and again
	for _, data := range []string{untouched, killed} {
		if err := copyInto(data, book); err != nil {
			t.Fatal(err)
		}
	}
	took := whole(untouched)
	random := rand.New(rand.NewPCG(7, uint64(files)))
	caught := 0
	for range kills {
		cmd := index(killed)
		if err := cmd.Start(); err != nil {
			t.Fatal(err)
		}
		timer := time.AfterFunc(time.Duration(random.Int64N(int64(took)*3/2/int64(kills)+int64(took)/20)), func() { cmd.Process.Signal(syscall.SIGKILL) })
		if cmd.Wait() != nil {
			caught++
		}
		timer.Stop()
	}
	last := whole(killed)
	t.Logf("%d files: %d of %d runs killed; %.1f s in one piece, %.1f s for the last", files, caught, kills, took.Seconds(), last.Seconds())

	want, meant := contents(t, untouched)
	got, means := contents(t, killed)
	if want[0] != "0 passages without a vector" {
		t.Errorf("the embedder did not work: %s", want[0])
	}
	for passage, v := range meant {
		if w := means[passage]; w == nil || cosine(v, w) < 0.999 {
			t.Errorf("another vector, %v for %v: %.300s", w, v, passage)
		}
	}
	for _, line := range want {
		if _, ok := slices.BinarySearch(got, line); !ok {
			t.Errorf("lost: %.300s", line)
		}
	}
	for _, line := range got {
		if _, ok := slices.BinarySearch(want, line); !ok {
			t.Errorf("too much: %.300s", line)
		}
	}
	if len(got) != len(want) {
		t.Errorf("%d documents and passages, want %d", len(got), len(want))
	}
	if len(want) < files {
		t.Errorf("only %d documents and passages of %d files", len(want), files)
	}
}

func number(t *testing.T, name string, otherwise int) int {
	if s := os.Getenv(name); s != "" {
		n, err := strconv.Atoi(s)
		if err != nil {
			t.Fatal(err)
		}
		return n
	}
	return otherwise
}

// contents describes every document and passage of an index, sorted, after it was checked from end to end, and gives the
// vectors of the passages.
func contents(t *testing.T, data string) (lines []string, vectors map[string][]float32) {
	t.Helper()
	s, err := store.Open(t.Context(), filepath.Join(data, "fanous.db"), store.Options{})
	if err != nil {
		t.Fatal(err)
	}
	defer s.Close()
	if err := s.Check(t.Context()); err != nil {
		t.Error(err)
	}
	c, err := s.Collection(t.Context(), domain.DefaultCollection)
	if err != nil {
		t.Fatal(err)
	}
	missing, err := s.CountMissingVectors(t.Context(), c.ID)
	if err != nil {
		t.Fatal(err)
	}
	page, err := s.Documents(t.Context(), c.ID, domain.DocumentFilter{})
	if err != nil {
		t.Fatal(err)
	}
	lines, vectors = []string{fmt.Sprintf("%d passages without a vector", missing)}, map[string][]float32{}
	chunks := 0
	for _, d := range page.Documents {
		lines = append(lines, fmt.Sprintf("document %s | %s | %s %s %s %d", d.Path, d.Member, d.State, d.Reason, d.Hash, d.Chunks))
		if d.Same == nil {
			chunks += d.Chunks
		}
	}
	for from, found := int64(1), 0; found < chunks; from += 10000 {
		if from > 1e8 {
			t.Fatalf("%d of %d passages found", found, chunks)
		}
		ids := make([]int64, 10000)
		for i := range ids {
			ids[i] = from + int64(i)
		}
		passages, err := s.Passages(t.Context(), ids)
		if err != nil {
			t.Fatal(err)
		}
		byID, err := s.Vectors(t.Context(), c.ID, ids)
		if err != nil {
			t.Fatal(err)
		}
		found += len(passages)
		for _, p := range passages {
			line := fmt.Sprintf("passage %s %d %s %s", p.Document.Hash, p.Chunk.Ordinal, p.Chunk.Place.Heading, p.Chunk.Text)
			lines, vectors[line] = append(lines, line), byID[p.Chunk.ID]
		}
	}
	slices.Sort(lines)
	return lines, vectors
}

// cosine is that of two unit vectors.
func cosine(a, b []float32) (product float64) {
	for i := range min(len(a), len(b)) {
		product += float64(a[i]) * float64(b[i])
	}
	return product
}

// makeMixed fills a folder with small files of many kinds, some of them copies, some damaged.
func makeMixed(t *testing.T, dir string, n int) {
	t.Helper()
	for i := range n {
		text := fmt.Sprintf("Made-up file %d: the barge number %d left the harbour at dawn. فانوس شماره %d روشن است.\n", i, i*7919%9973, i)
		name, content := fmt.Sprintf("%06d", i), text
		switch i % 12 {
		case 0:
			name, content = name+".md", "# Part "+name+"\n\n"+strings.Repeat(text+"\n", 12)
		case 1:
			name, content = name+".html", "<html><title>"+name+"</title><p>"+text+"</p></html>"
		case 2:
			name, content = name+".csv", "name,number\nbarge,"+strconv.Itoa(i)+"\n"
		case 3:
			name, content = name+".json", `{"text": `+strconv.Quote(text)+"}"
		case 4:
			name, content = name+".mbox", mailbox(i, text)
		case 5:
			name, content = name+".zip", archive(t, i, text)
		case 6:
			name, content = name+".pdf", "%PDF-1.7 damaged "+name
		case 7:
			name, content = name+".bin", "\x00\x01\x02\xff\xfe"+name
		case 8:
			name, content = name+".txt", fmt.Sprintf("One of several copies, %d.", i/12%20)
		case 9:
			name, content = name+".eml", mail(i, text)
		default:
			name += ".txt"
		}
		path := filepath.Join(dir, fmt.Sprintf("%02d", i%17), name)
		if err := os.MkdirAll(filepath.Dir(path), 0o755); err != nil {
			t.Fatal(err)
		}
		if err := os.WriteFile(path, []byte(content), 0o644); err != nil {
			t.Fatal(err)
		}
	}
}

func mail(i int, text string) string {
	return fmt.Sprintf("From: a@example.org\r\nSubject: Barge %d\r\nDate: Mon, 2 Jan 2023 10:00:00 +0000\r\nMIME-Version: 1.0\r\n"+
		"Content-Type: multipart/mixed; boundary=x\r\n\r\n--x\r\nContent-Type: text/plain; charset=utf-8\r\n\r\n%s\r\n"+
		"--x\r\nContent-Type: text/plain; name=note.txt\r\nContent-Disposition: attachment; filename=note.txt\r\n\r\nAttached to %d\r\n--x--\r\n", i, text, i)
}

func mailbox(i int, text string) string {
	var b strings.Builder
	for m := range 3 {
		fmt.Fprintf(&b, "From a@example.org Mon Jan  2 10:00:00 2023\nFrom: a@example.org\nSubject: Message %d of %d\n"+
			"Content-Type: text/plain; charset=utf-8\n\n%s\n\n", m, i, text)
	}
	return b.String()
}

func archive(t *testing.T, i int, text string) string {
	t.Helper()
	var b bytes.Buffer
	z := zip.NewWriter(&b)
	for m := range 3 {
		f, err := z.Create(fmt.Sprintf("folder/%d.txt", m))
		if err != nil {
			t.Fatal(err)
		}
		fmt.Fprintf(f, "Member %d of archive %d. %s", m, i, text)
	}
	if err := z.Close(); err != nil {
		t.Fatal(err)
	}
	return b.String()
}
