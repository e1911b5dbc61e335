package app

import (
	"context"
	"os"
	"path/filepath"
	"testing"

	"fanous/backend"
	"fanous/backend/domain"
)

// TestTheSampleIsWrittenOnceAndIndexed although its folder is in the data folder, whose own files no collection has.
func TestTheSampleIsWrittenOnceAndIndexed(t *testing.T) {
	s, _ := collectionsOf(t, &note{})
	before, err := s.Sample()
	if err != nil {
		t.Fatal(err)
	}
	if _, err := os.Stat(before.Folder); !os.IsNotExist(err) {
		t.Errorf("there is a folder before anybody asked: %v", err)
	}
	sample, err := s.WriteSample()
	if err != nil || sample.Folder != before.Folder || len(sample.Queries) < 3 {
		t.Fatalf("%+v, %v", sample, err)
	}
	index := func() domain.IndexReport {
		t.Helper()
		report, err := with(t.Context(), s.engine, func(ctx context.Context, b *backend.Backend) (domain.IndexReport, error) {
			return b.Index(ctx, domain.IndexRequest{Collection: "نمونه", Paths: []string{sample.Folder}}, nil)
		})
		if err != nil {
			t.Fatal(err)
		}
		return report
	}
	if report := index(); report.Indexed != 40 || len(report.Problems) > 0 {
		t.Errorf("%+v", report)
	}

	// Again: what was changed stays, what is gone comes back.
	changed, gone := filepath.Join(sample.Folder, "chess-club.md"), filepath.Join(sample.Folder, "port-timeline.md")
	if err := os.WriteFile(changed, []byte("changed by hand"), 0o644); err != nil {
		t.Fatal(err)
	}
	if err := os.Remove(gone); err != nil {
		t.Fatal(err)
	}
	if _, err := s.WriteSample(); err != nil {
		t.Fatal(err)
	}
	if text, err := os.ReadFile(changed); err != nil || string(text) != "changed by hand" {
		t.Errorf("%s, %v", text, err)
	}
	if info, err := os.Stat(gone); err != nil || info.Size() == 0 {
		t.Errorf("what was gone: %v", err)
	}
	if report := index(); report.Indexed != 1 {
		t.Errorf("after a change: %+v", report)
	}
}

// TestTheSampleIsNotWrittenIntoAFile: the window says what to do.
func TestTheSampleIsNotWrittenIntoAFile(t *testing.T) {
	s, _ := collectionsOf(t, &note{})
	there, err := s.Sample()
	if err != nil {
		t.Fatal(err)
	}
	if err := os.WriteFile(there.Folder, nil, 0o644); err != nil {
		t.Fatal(err)
	}
	if _, err := s.WriteSample(); domain.CodeOf(err) != domain.CodeUsage {
		t.Error(err)
	}
}
