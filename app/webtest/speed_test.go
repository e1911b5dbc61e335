//go:build browser

package webtest

import (
	"context"
	"errors"
	"fmt"
	"os"
	"path/filepath"
	"slices"
	"strconv"
	"testing"

	"fanous/backend"
	"fanous/backend/domain"
	"fanous/backend/store"
	"fanous/backend/store/madeup"

	"github.com/chromedp/cdproto/cdp"
	cdppage "github.com/chromedp/cdproto/page"
	"github.com/chromedp/chromedp"
)

// chunksEnv is how many made-up chunks BenchmarkWindow searches: 2,000, or 100000 for the figures that are written down.
// A large collection is made once, in minutes, and kept in the user's cache folder.
const chunksEnv = "FANOUS_BENCH_CHUNKS"

// watchWindow notes in the page what an analyst would notice: keys and when their results are painted, tasks that keep
// the window from answering, while it opens and later, what moves by itself (not within half a second of a key, as Chromium's
// own measure has it), when one can type and when the models are there.
const watchWindow = `
	window.seen = { ready: 0, models: 0, keys: [], pressed: -1000, opening: 0, longest: 0, frames: { opening: { duration: 0 }, longest: { duration: 0 } }, shift: 0, moved: [] };
	const when = (e) => (seen.ready && e.startTime > seen.ready ? 'longest' : 'opening');
	new PerformanceObserver((l) => l.getEntries().forEach((e) => (seen[when(e)] = Math.max(seen[when(e)], e.duration)))).observe({ type: 'longtask', buffered: true });
	new PerformanceObserver((l) => l.getEntries().forEach((e) => {
		if (e.duration < seen.frames[when(e)].duration) return;
		const scripts = e.scripts.map((s) => ({ by: s.invoker, duration: s.duration, layout: s.forcedStyleAndLayoutDuration }));
		seen.frames[when(e)] = { at: e.startTime, duration: e.duration, scripts, layout: e.startTime + e.duration - e.styleAndLayoutStart };
	})).observe({ type: 'long-animation-frame', buffered: true });
	new PerformanceObserver((l) => l.getEntries().forEach((e) => {
		if (e.startTime - seen.pressed <= 500) return;
		seen.shift += e.value;
		seen.moved.push(...e.sources.map(({ node }) => (node?.outerHTML ?? node?.textContent ?? 'what is gone').slice(0, 120)));
	})).observe({ type: 'layout-shift', buffered: true });
	const opening = setInterval(() => { // a frame asked for each time would cost the window something
		if (document.activeElement?.matches('search input')) seen.ready ||= performance.now();
		if (document.querySelector('header .dot')) seen.models ||= performance.now();
		if (seen.ready && seen.models) clearInterval(opening);
	}, 5);
	window.key = (text) => new Promise((resolve) => {
		const box = document.querySelector('search input');
		const start = (seen.pressed = performance.now());
		let asked = false;
		const look = () => {
			if (!document.querySelector('ol.list:not(.stale)')) asked = true;
			else if (asked) {
				watch.disconnect();
				requestAnimationFrame(() => setTimeout(() => { seen.keys.push(performance.now() - start); resolve(true); }));
			}
		};
		const watch = new MutationObserver(look);
		watch.observe(document.querySelector('main'), { subtree: true, childList: true, attributes: true, attributeFilter: ['class'] });
		box.value = text;
		box.dispatchEvent(new Event('input', { bubbles: true }));
		look();
	});`

// seen is what watchWindow has noted, in milliseconds since the page was asked for; shift is Chromium's score.
type seen struct {
	Ready, Models, Opening, Longest, Shift float64
	Keys                                   []float64
	Frames                                 struct{ Opening, Longest frame }
	Moved                                  []string // the elements that moved by themselves
}

// frame is one that took 50 ms or more: its scripts, with what each of them made the page lay out before its time, and what
// style, layout and paint took after them.
type frame struct {
	At, Duration, Layout float64
	Scripts              []struct {
		By               string
		Duration, Layout float64
	}
}

// BenchmarkWindow starts the program and its window on a large collection at once, and types queries key by key as soon as
// the box takes them: how long a key takes until its fused results are painted (the pause in typing included), the longest
// tasks, the layout shift, when the box takes keys, and when the models are loaded. One run is one start.
func BenchmarkWindow(b *testing.B) {
	cfg := madeUp(b)
	browser := startBrowser(b)
	var s seen
	for b.Loop() {
		p := openPage(b, browser, "about:blank")
		p.do(beforehand(watchWindow))
		_, url := serveConfigured(b, func() (backend.Config, error) { return cfg, nil })
		p.do(chromedp.Navigate(url))
		p.is(`['longtask', 'long-animation-frame', 'layout-shift'].every((type) => PerformanceObserver.supportedEntryTypes.includes(type))`)
		p.until(`seen.ready > 0`)
		typed := 0
		source := madeup.NewSource(1)
		for i := range 12 {
			query, _ := source.Query(i*7919%50, 3)
			letters := []rune(query)
			for n := 3; n <= len(letters); n++ { // fewer may be nothing to search for
				p.types(string(letters[:n]))
				typed++
			}
		}
		p.until(`seen.models > 0`)
		p.is(`window.faults.length === 0`)
		s = evaluate[seen](p, `seen`)
		if len(s.Keys) != typed || s.Ready == 0 {
			b.Fatalf("%d keys were typed, and %d have a time; ready after %v ms", typed, len(s.Keys), s.Ready)
		}
	}
	b.Logf("the longest frames, if any took long: %+v", s.Frames)
	if s.Shift > 0 {
		b.Logf("what moved by itself: %q", s.Moved)
	}
	slices.Sort(s.Keys)
	b.ReportMetric(s.Keys[len(s.Keys)/2], "key-p50-ms")
	b.ReportMetric(s.Keys[len(s.Keys)*95/100], "key-p95-ms")
	b.ReportMetric(s.Longest, "longest-task-ms")
	b.ReportMetric(s.Opening, "opening-task-ms")
	b.ReportMetric(s.Shift, "layout-shift")
	b.ReportMetric(s.Ready, "ready-ms")
	b.ReportMetric(s.Models, "models-ms")
	b.ReportMetric(0, "ns/op")
}

// beforehand runs a script in every document of the tab, before its own.
func beforehand(script string) step {
	return func(ctx context.Context, t *chromedp.Target) (none chromedp.Void, err error) {
		_, err = cdp.Call(ctx, t, cdppage.AddScriptToEvaluateOnNewDocument, cdppage.AddScriptToEvaluateOnNewDocumentParams{Source: script})
		return none, err
	}
}

// types puts a text into the box and waits until its results are painted.
func (p *page) types(text string) {
	p.t.Helper()
	ctx, cancel := context.WithTimeout(p.ctx, patience)
	defer cancel()
	if _, err := chromedp.Run(ctx, chromedp.Evaluate[bool](`key(`+quote(text)+`)`, chromedp.EvalAwaitPromise)); err != nil {
		p.t.Fatalf("%q: %v\nthe page says: %s", text, err, p.text("document.body.innerText"))
	}
}

// madeUp is the settings for a made-up collection, which it makes where it must.
func madeUp(b *testing.B) backend.Config {
	b.Helper()
	c := madeup.Collection{Chunks: 2_000, Seed: 1}
	data := b.TempDir()
	if n := os.Getenv(chunksEnv); n != "" {
		cache, err := os.UserCacheDir()
		if err == nil {
			c.Chunks, err = strconv.Atoi(n)
		}
		if err != nil {
			b.Fatal(err)
		}
		data = filepath.Join(cache, "fanous", "bench", "window", fmt.Sprint(c.Chunks))
	}
	b.Setenv("CO_API_KEY", "")
	cfg, err := backend.LoadConfig("", data)
	if err != nil {
		b.Fatal(err)
	}
	fill(b, cfg, c)
	return cfg
}

// fill makes the collection, and beside it one of the sample, whose stamp its vectors get. What is there already is kept: a
// collection that is brought up to date loses what is in none of its folders, so the two cannot be one.
func fill(b *testing.B, cfg backend.Config, c madeup.Collection) {
	b.Helper()
	real, err := backend.Open(b.Context(), cfg)
	if err != nil {
		b.Fatal(err)
	}
	_, err = real.Index(b.Context(), domain.IndexRequest{Collection: "sample", Paths: []string{sample}}, func(domain.IndexProgress) {})
	if err := errors.Join(err, real.Close()); err != nil {
		b.Fatal(err)
	}
	s, err := store.Open(b.Context(), filepath.Join(cfg.DataDir, "fanous.db"), store.Options{})
	if err != nil {
		b.Fatal(err)
	}
	defer s.Close()
	stamp, err := s.Stamp(b.Context())
	if err != nil {
		b.Fatal(err)
	}
	c.Embedder = stamp.Embedder
	if _, err := c.Fill(b.Context(), s, domain.DefaultCollection, nil); err != nil {
		b.Fatal(err)
	}
}
