package bench

import (
	"fmt"
	"math/rand/v2"
	"os"
	"path/filepath"
	"runtime/debug"
	"strings"
	"testing"
	"time"

	"fanous/backend/onnx"
	"fanous/backend/rerank"
	"fanous/models"
	"fanous/models/onnxgraph"
)

// resident is this process's memory in MB: all of it, and what is not pages of files.
type resident struct{ all, own float64 }

func residentNow(tb testing.TB) resident {
	tb.Helper()
	debug.FreeOSMemory()
	data, err := os.ReadFile("/proc/self/status")
	if err != nil {
		tb.Fatal(err)
	}
	var r resident
	for line := range strings.Lines(string(data)) {
		var kilobytes float64
		name, value, _ := strings.Cut(line, ":")
		switch name {
		case "VmRSS", "RssAnon":
			if _, err := fmt.Sscan(value, &kilobytes); err != nil {
				tb.Fatal(err)
			}
		}
		switch name {
		case "VmRSS":
			r.all = kilobytes / 1024
		case "RssAnon":
			r.own = kilobytes / 1024
		}
	}
	return r
}

// life is a reranker's memory from before it is loaded to after it is freed.
type life struct {
	before, early, most, late, after resident
	load                             time.Duration
}

// liveThrough loads a reranker for the second time, scores so many pairs of random lengths on all cores, and frees it.
func liveThrough(l lab, f onnxgraph.Form, calls int) life {
	l.Helper()
	dir := l.folder(f)
	first, err := rerank.OpenCrossEncoder(l.rt, dir) // makes its prepared form
	if err != nil {
		l.Fatal(err)
	}
	if err := first.Close(); err != nil {
		l.Fatal(err)
	}
	m := life{before: residentNow(l)}
	start := time.Now()
	c, err := rerank.OpenCrossEncoder(l.rt, dir)
	if err != nil {
		l.Fatal(err)
	}
	m.load = time.Since(start)
	random := rand.New(rand.NewPCG(3, 4))
	longest := strings.Repeat(texts[0], 12) // some 600 tokens: it is cut
	score := func(passages []string) {
		if _, err := c.Rerank(l.Context(), rerank.Request{Query: query, Passages: passages}); err != nil {
			l.Fatal(err)
		}
	}
	score([]string{longest, longest + "."})
	const perRequest = 20
	for done := 0; done < calls; done += perRequest {
		var passages []string
		for i := range perRequest {
			share := random.Float64()
			passages = append(passages, fmt.Sprint(done+i, " ", longest[:int(share*share*float64(len(longest)))]))
		}
		score(passages)
		now := residentNow(l)
		if done < calls/5 {
			m.early = now
		}
		m.most = resident{max(m.most.all, now.all), max(m.most.own, now.own)}
		m.late = now
	}
	if err := c.Close(); err != nil {
		l.Fatal(err)
	}
	m.after = residentNow(l)
	return m
}

// TestMemoryDoesNotGrow: a thousand pairs of random lengths, and what is left when the model is freed.
func TestMemoryDoesNotGrow(t *testing.T) {
	m := liveThrough(newLab(t), fastForm, 1000)
	if growth := m.late.own - m.early.own; growth > 8 {
		t.Errorf("%.0f MB after a fifth of the calls, %.0f MB at the end", m.early.own, m.late.own)
	}
	if left := m.after.own - m.before.own; left > 12 {
		t.Errorf("%.0f MB before loading, %.0f MB after freeing", m.before.own, m.after.own)
	}
}

// BenchmarkMemory has the memory of the process, in MB: while it scores (all, and own: what is not pages of files), how
// much own came in the last four fifths of the calls (growth), and what is left as a multiple of what was before loading.
// With FANOUS_BENCH_SHAPE it has a model of a real size and 1,000 calls. It must run alone, or others' memory counts.
func BenchmarkMemory(b *testing.B) {
	for _, f := range []onnxgraph.Form{fastForm, fileForm} {
		b.Run(f.String(), func(b *testing.B) {
			l := newLab(b)
			calls := 100
			if l.full {
				calls = 1000
			}
			var m life
			for b.Loop() {
				m = liveThrough(l, f, calls)
			}
			b.ReportMetric(m.before.all, "before")
			b.ReportMetric(m.most.all, "all")
			b.ReportMetric(m.most.own, "own")
			b.ReportMetric(m.late.own-m.early.own, "growth")
			b.ReportMetric(m.after.all/m.before.all, "left")
			b.ReportMetric(m.load.Seconds(), "load-s")
		})
	}
}

// BenchmarkLoad is the time of loading a reranker again: the session alone, all of it while another model holds the same
// tokenizer, and all of it.
func BenchmarkLoad(b *testing.B) {
	l := newLab(b)
	dir := l.folder(fastForm)
	all := func() time.Duration {
		start := time.Now()
		c, err := rerank.OpenCrossEncoder(l.rt, dir)
		if err != nil {
			b.Fatal(err)
		}
		took := time.Since(start)
		if err := c.Close(); err != nil {
			b.Fatal(err)
		}
		return took
	}
	all() // makes its prepared form
	var alone, session, shared time.Duration
	n := 0
	for b.Loop() {
		alone += all()
		t, err := l.rt.Tokenizer(tokenizerPath(b))
		if err != nil {
			b.Fatal(err)
		}
		shared += all()
		if err := t.Close(); err != nil {
			b.Fatal(err)
		}
		m, err := models.Load(dir)
		if err != nil {
			b.Fatal(err)
		}
		start := time.Now()
		s, err := l.rt.Open(filepath.Join(dir, models.GraphFile), onnx.OpenOptions{Digest: m.Digest()})
		if err != nil {
			b.Fatal(err)
		}
		session += time.Since(start)
		if err := s.Close(); err != nil {
			b.Fatal(err)
		}
		n++
	}
	b.ReportMetric(session.Seconds()/float64(n), "session-s")
	b.ReportMetric(shared.Seconds()/float64(n), "shared-s")
	b.ReportMetric(alone.Seconds()/float64(n), "alone-s")
}

// BenchmarkTokenizer has what a tokenizer of 250,000 pieces takes, in MB, and the time of loading it.
func BenchmarkTokenizer(b *testing.B) {
	path := tokenizerPath(b)
	var took time.Duration
	var own float64
	for b.Loop() {
		before := residentNow(b)
		start := time.Now()
		t, err := onnx.OpenTokenizer(path)
		if err != nil {
			b.Fatal(err)
		}
		took = time.Since(start)
		own = residentNow(b).own - before.own
		if err := t.Close(); err != nil {
			b.Fatal(err)
		}
	}
	b.ReportMetric(own, "own")
	b.ReportMetric(took.Seconds(), "load-s")
}
