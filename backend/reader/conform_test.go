package reader_test

import (
	"encoding/json"
	"os"
	"path/filepath"
	"testing"
	"time"

	"fanous/backend/extract"
	"fanous/backend/reader"
	"fanous/backend/reader/readertest"
)

// readers are one that reads here and one that reads apart.
func readers(t testing.TB) map[string]readertest.Reader {
	t.Helper()
	exe, err := os.Executable()
	if err != nil {
		t.Fatal(err)
	}
	apart, here := reader.New(reader.Options{Program: exe, Children: 3}), extract.New(extract.Options{})
	t.Cleanup(func() {
		if err := apart.Close(); err != nil {
			t.Error(err)
		}
		here.Close()
	})
	return map[string]readertest.Reader{"here": here, "apart": apart}
}

func TestConformance(t *testing.T) {
	for name, r := range readers(t) {
		t.Run(name, func(t *testing.T) { readertest.Conform(t, r) })
	}
}

// sample are the files of the sample collection, of many formats.
func sample(t testing.TB) []string {
	t.Helper()
	paths, err := filepath.Glob(filepath.Join("..", "..", "build", "sample", "docs", "*"))
	if err != nil || len(paths) == 0 {
		t.Fatal("there is no sample collection", err)
	}
	return paths
}

// TestTheSameHereAndApart: nothing of a document is lost on the way.
func TestTheSameHereAndApart(t *testing.T) {
	r := readers(t)
	for _, path := range sample(t) {
		here, err := json.Marshal(readertest.ReadAll(t, r["here"], path))
		if err != nil {
			t.Fatal(err)
		}
		apart, err := json.Marshal(readertest.ReadAll(t, r["apart"], path))
		if err != nil {
			t.Fatal(err)
		}
		if norm := utc(t, here); string(norm) != string(utc(t, apart)) {
			t.Errorf("%s: read apart it is\n%.2000s\nand here\n%.2000s", path, apart, norm)
		}
	}
}

// utc writes documents again with their times in UTC and without the difference between no list and an empty one.
func utc(t testing.TB, documents []byte) []byte {
	t.Helper()
	var found []extract.Found
	if err := json.Unmarshal(documents, &found); err != nil {
		t.Fatal(err)
	}
	for i := range found {
		f := &found[i]
		f.ModTime, f.Content.Dated = f.ModTime.UTC(), f.Content.Dated.UTC()
		for _, empty := range []*[]int{&f.Content.Unreliable, &f.Content.Images} {
			if len(*empty) == 0 {
				*empty = nil
			}
		}
		if len(f.Content.Warnings) == 0 {
			f.Content.Warnings = nil
		}
		if len(f.Content.Blocks) == 0 {
			f.Content.Blocks = nil
		}
	}
	out, err := json.Marshal(found)
	if err != nil {
		t.Fatal(err)
	}
	return out
}

// BenchmarkReading reads the sample collection in a child and here, and says how much longer the child takes.
func BenchmarkReading(b *testing.B) {
	r, paths := readers(b), sample(b)
	seconds := map[string]float64{}
	for _, name := range []string{"here", "apart"} { // both start what they need
		readAll(b, r[name], paths)
	}
	for b.Loop() {
		for _, name := range []string{"here", "apart"} {
			start := time.Now()
			readAll(b, r[name], paths)
			seconds[name] += time.Since(start).Seconds()
		}
	}
	b.ReportMetric(seconds["apart"]/seconds["here"], "x-here")
	b.ReportMetric(seconds["apart"]/float64(b.N*len(paths))*1000, "ms/file")
}

func readAll(b *testing.B, r reader.Files, paths []string) {
	for _, path := range paths {
		readertest.ReadAll(b, r, path)
	}
}
