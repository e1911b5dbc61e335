package bench

import (
	"context"
	"errors"
	"os"
	"strings"
	"testing"
	"time"

	"fanous/backend/domain"
	"fanous/models"
)

func smallScale() scale {
	return scale{shapes: map[models.Tier]real{models.Fast: {shape: small}}, chunks: []int{1000}, least: time.Millisecond}
}

func TestRun(t *testing.T) {
	o := Options{Library: os.Getenv("FANOUS_RUNTIME"), ModelDirs: []string{os.Getenv("FANOUS_MODELS")}, Quick: true, Dir: t.TempDir()}
	var steps []string
	r, err := measure(t.Context(), o, smallScale(), func(p domain.BenchProgress) { steps = append(steps, p.Step) })
	if err != nil {
		t.Fatal(err)
	}
	if r.Machine.Cores == 0 || r.Machine.Library == "" || r.PeakGOPS <= 0 || len(steps) < 8 {
		t.Errorf("%+v, peak %v, steps %q", r.Machine, r.PeakGOPS, steps)
	}
	seen := map[[2]int]bool{}
	for _, b := range r.Rerankers {
		if b.Tier != "fast" || !b.MadeUp || b.Precision != "int8" || b.Device != "CPU" || b.Pairs <= 0 {
			t.Errorf("%+v", b)
		}
		if (b.PeakShare != nil) != (b.Threads == r.Machine.Cores) {
			t.Errorf("%d threads: share %v", b.Threads, b.PeakShare)
		}
		seen[[2]int{b.Tokens, b.Threads}] = true
	}
	for _, want := range [][2]int{{0, r.Machine.Cores}, {0, 1}, {64, r.Machine.Cores}, {512, r.Machine.Cores}} {
		if !seen[want] {
			t.Errorf("%d tokens, %d threads: not measured", want[0], want[1])
		}
	}
	if len(r.Naive) != 1 || r.Naive[0].Times <= 0 || r.Naive[0].Tokens < 4000 {
		t.Errorf("%+v", r.Naive)
	}
	if len(r.Embedding) != 2 || len(r.Retrieval) != 1 || r.Retrieval[0].Chunks != 1000 || r.Retrieval[0].P95 < r.Retrieval[0].P50 {
		t.Errorf("%+v %+v", r.Embedding, r.Retrieval)
	}
	if i := r.Indexing; i == nil || i.Files != 8 || i.Chunks < 8 || !i.Vectors {
		t.Errorf("%+v", i)
	}
	if r.Recommended.Tier == "" || !strings.Contains(strings.Join(r.Skipped, " "), "precise") {
		t.Errorf("%+v, skipped %q", r.Recommended, r.Skipped)
	}
	nothingLeft(t, o.Dir)
}

// TestACollectionThatWouldTakeTooLong is left out, with a sentence, and the smaller ones are measured.
func TestACollectionThatWouldTakeTooLong(t *testing.T) {
	size := smallScale()
	size.chunks, size.fill = []int{500, 1000, 2_000_000_000}, time.Hour
	r, err := measure(t.Context(), Options{ModelDirs: []string{t.TempDir()}, Dir: t.TempDir()}, size, nil)
	if err != nil || len(r.Retrieval) != 2 || !strings.Contains(strings.Join(r.Skipped, " "), "2000000000 chunks: filling") {
		t.Errorf("%+v, skipped %q, %v", r.Retrieval, r.Skipped, err)
	}
}

func nothingLeft(t *testing.T, dir string) {
	t.Helper()
	if left, err := os.ReadDir(dir); err != nil || len(left) > 0 {
		t.Errorf("left behind: %v, %v", left, err)
	}
}

func TestCancelledRunLeavesNothing(t *testing.T) {
	for _, at := range []string{"product", "lengths as in"} {
		o := Options{Library: os.Getenv("FANOUS_RUNTIME"), ModelDirs: []string{os.Getenv("FANOUS_MODELS")}, Quick: true, Dir: t.TempDir()}
		ctx, cancel := context.WithCancel(t.Context())
		if _, err := measure(ctx, o, smallScale(), func(p domain.BenchProgress) {
			if strings.Contains(p.Step, at) {
				cancel()
			}
		}); !errors.Is(err, context.Canceled) {
			t.Errorf("%s: %v", at, err)
		}
		cancel()
		nothingLeft(t, o.Dir)
	}
}

func TestWithoutLibraryAndModels(t *testing.T) {
	o := Options{ModelDirs: []string{t.TempDir()}, Quick: true, Dir: t.TempDir()}
	r, err := measure(t.Context(), o, smallScale(), nil)
	if err != nil {
		t.Fatal(err)
	}
	if len(r.Skipped) == 0 || len(r.Retrieval) != 1 || r.Indexing == nil || r.Indexing.Vectors || r.Recommended.Tier != "" || r.Recommended.Reason == "" {
		t.Errorf("%+v", r)
	}
}
