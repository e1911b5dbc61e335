//go:build browser

package webtest

import (
	"context"
	"encoding/json"
	"fmt"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"fanous/app"
	"fanous/backend"
	"fanous/backend/domain"

	"github.com/chromedp/chromedp"
)

// copies: files with the same text are one result. One is a copy of the other to the byte, one is not and can be opened.
func copies(t *testing.T, browser context.Context) {
	server, url := serve(t, func(cfg *backend.Config) { cfg.RuntimeLibrary, cfg.ModelDirs = "", nil })
	p := openPage(t, browser, url)
	dir := t.TempDir()
	const text = "The keeper of the lighthouse wrote every arrival of the herring fleet into the harbour book."
	for name, text := range map[string]string{"first.txt": text, "second.txt": text, "سوم.txt": text + "\n"} {
		if err := os.WriteFile(filepath.Join(dir, name), []byte(text), 0o644); err != nil {
			t.Fatal(err)
		}
	}
	p.untilText(".invite h2", "Nothing to search yet")
	p.click(".invite .button")
	server.Folder <- dir
	p.untilText(".notice", "3 files indexed")
	p.click(".notice > .link")
	p.search("herring")
	p.is(`document.querySelectorAll('article').length === 1`)
	p.untilText(".also > .link", "also in 2 other files")
	p.click(".also > .link")
	p.is(`document.querySelectorAll('.also li').length === 2`)
	p.untilText(".also li", "the same file")
	p.untilText(".also li:last-child", "same text")
	p.click(".also li:last-child .path")
	want := p.text(`document.querySelector('.also li:last-child .path').title`)
	if got := <-server.Opened; got != "open "+want {
		t.Errorf("opened %s, want %s", got, want)
	}
	p.shot("copies-en-light")
	p.click("header nav button[lang=fa]")
	p.untilText(".also > .link", "در ۲ پروندهٔ دیگر هم هست")
	p.shot("copies-fa-light")
	p.is(`window.faults.length === 0`)
}

// madeUpOrder is an answer of made-up passages in the given order, those of scored with a made-up relevance.
func madeUpOrder(partial bool, order []int, scored int) domain.SearchResponse {
	lambda, tau, overlap, threshold, best := 0.7, 0.52, 0.8, 0.4, 0.31
	from := domain.BackendCohere
	resp := domain.SearchResponse{
		Query: "made up", Collection: domain.DefaultCollection, Searchable: true, Partial: partial,
		Degraded: []string{}, Verdict: domain.Verdict{Threshold: &threshold, Best: &best, Basis: "Calibrated on 240 pairs."},
		Stages: []domain.Stage{{Name: domain.StageBM25, MS: 1}, {Name: domain.StageRerank, MS: 3}, {Name: domain.StageMMR, MS: 1}, {Name: domain.StageTotal, MS: 5}},
		Rerank: domain.RerankTrace{
			Requested: domain.RerankAuto, Backend: domain.BackendCrossEncoder, Model: "made-up", Device: "CPU",
			FellBackFrom: &from, Reason: "Cohere did not answer within 2s.",
			Steps:        []domain.Step{{Backend: from, Code: "deadline", Reason: "Cohere did not answer within 2s.", Failed: true}},
			CandidatesIn: len(order), CandidatesOut: scored, Stage1N: len(order), Stage2N: scored, Hedged: true, ElapsedMS: 2345,
			MMRApplied: true, MMRLambda: &lambda,
			Calibration: &domain.Calibration{Pairs: 240, Searches: 24, KendallTau: &tau, Top5Overlap: &overlap, Applied: true, Reason: "Calibrated on 240 pairs."},
		},
	}
	for i, n := range order {
		rank, delta := i+1, n-i-1
		h := domain.Hit{
			Rank: rank, ChunkID: int64(n), DocumentID: int64(n), Path: fmt.Sprintf("/made-up/%d.txt", n), Title: fmt.Sprintf("Passage %d", n),
			Text: strings.Repeat(fmt.Sprintf("Line of made-up passage %d.\n", n), n%3+1), Highlights: [][2]int{}, Duplicates: []domain.Duplicate{},
			Score: 1 - float64(i)/20, ScoreKind: domain.ScoreRank, Ranks: domain.Ranks{Fused: &n, Final: &rank},
		}
		if i < scored {
			h.ScoreKind, h.RerankDelta = domain.ScoreRelevance, &delta
		}
		resp.Hits = append(resp.Hits, h)
	}
	return resp
}

// orders: better orders of one search come in place, and what is pointed at or selected stays where it is.
func orders(t *testing.T, browser context.Context) {
	server, url := serve(t, func(cfg *backend.Config) { cfg.RuntimeLibrary, cfg.ModelDirs = "", nil })
	p := openPage(t, browser, url)
	p.untilText(".invite h2", "Nothing to search yet")
	p.click(".invite .button")
	server.Folder <- writeDocuments(t)
	p.untilText(".notice", "2 files indexed")
	p.click(".notice > .link")

	// The search is held back, so that this test can send its orders itself.
	p.is(`(() => {
		const real = window.fetch;
		window.fetch = (url, options) => {
			if (!url.endsWith('/SearchService/Search')) return real(url, options);
			window.id = JSON.parse(options.body)[0];
			return new Promise((resolve) => (window.answer = (text) => resolve(new Response(text))));
		};
		return true;
	})()`)
	ids := `[...document.querySelectorAll('li[data-chunk]')].map((e) => e.dataset.chunk).join(' ')`
	top := `Math.round(document.querySelector('li[data-chunk="6"]').getBoundingClientRect().top)`
	p.put("made up")
	p.until(`window.id !== undefined`)
	id := evaluate[int64](p, `window.id`)
	send := func(scored int, order ...int) {
		server.Emit(app.EventSearchPartial, app.Partial{ID: id, Response: madeUpOrder(true, order, scored)})
	}

	send(0, 1, 2, 3, 4, 5, 6, 7, 8, 9, 10)
	p.until(ids + ` === '1 2 3 4 5 6 7 8 9 10'`)
	p.untilText(".judgement", "not reranked yet")
	p.untilText(".said", "0 of 10 reranked")

	// The pointer is on the sixth passage, somewhere down the list.
	p.is(`(document.querySelector('main').scrollTop = 500) > 0`)
	before := evaluate[int](p, top)
	x := evaluate[float64](p, `document.querySelector('li[data-chunk="6"]').getBoundingClientRect().left + 60`)
	y := float64(before) + 20
	p.do(chromedp.MouseEvent(chromedp.MouseMoved, x-5, y), chromedp.MouseEvent(chromedp.MouseMoved, x, y))
	under := fmt.Sprintf(`document.elementFromPoint(%f, %f).closest('li').dataset.chunk`, x, y)
	p.is(under + ` === '6'`)
	send(4, 6, 9, 2, 1, 3, 4, 5, 7, 8, 10)
	p.until(ids + ` === '9 2 1 3 4 6 5 7 8 10'`)
	p.is(under + ` === '6'`)
	if after := evaluate[int](p, top); max(after-before, before-after) > 1 { // a list scrolls by whole pixels
		t.Errorf("the row under the pointer went from %d to %d", before, after)
	}
	p.untilText(`li[data-chunk="9"] .judgement`, "▲ 7")
	p.untilText(`li[data-chunk="10"] .judgement`, "not reranked yet")

	// The keyboard is on the third one, the pointer elsewhere: it keeps the focus, too.
	p.do(chromedp.MouseEvent(chromedp.MouseMoved, 5, 5))
	p.is(`(document.querySelector('li[data-chunk="3"] article').focus(), true)`)
	send(8, 6, 3, 2, 1, 9, 4, 5, 7, 8, 10)
	p.until(ids + ` === '6 2 1 3 9 4 5 7 8 10'`)
	p.is(`document.activeElement.closest('li')?.dataset.chunk === '3'`)

	// The last order is shown as it is, and what was not reached says so.
	p.is(`(window.answer(JSON.stringify(` + encode(t, madeUpOrder(false, []int{3, 6, 2, 1, 9, 4, 5, 7, 8, 10}, 8)) + `)), true)`)
	p.until(ids + ` === '3 6 2 1 9 4 5 7 8 10'`)
	p.is(`document.activeElement.closest('li')?.dataset.chunk === '3'`)
	p.untilText(`li[data-chunk="10"] .judgement`, "not reranked")
	p.is(`!document.querySelector('li[data-chunk="10"] .judgement').innerText.includes('yet')`)

	// At the top of the list there is nothing to scroll by: room is made for the row under the pointer. It stays when
	// the pointer leaves, for nothing in sight may move, until it is scrolled out of sight.
	p.is(`(document.querySelector('main').scrollTop = 0) === 0`)
	p.put("made up again")
	p.until(`window.id > ` + fmt.Sprint(id))
	id = evaluate[int64](p, `window.id`)
	again := func(partial bool, scored int, order ...int) domain.SearchResponse {
		resp := madeUpOrder(partial, order, scored)
		resp.Query = "made up again"
		return resp
	}
	server.Emit(app.EventSearchPartial, app.Partial{ID: id, Response: again(true, 0, 1, 2, 3, 4, 5, 6, 7, 8, 9, 10)})
	p.until(ids + ` === '1 2 3 4 5 6 7 8 9 10'`)
	p.until(still)
	top = strings.Replace(top, `"6"`, `"3"`, 1)
	before = evaluate[int](p, top)
	y = float64(before) + 20
	p.do(chromedp.MouseEvent(chromedp.MouseMoved, x-5, y), chromedp.MouseEvent(chromedp.MouseMoved, x, y))
	p.is(`(window.answer(JSON.stringify(` + encode(t, again(false, 8, 3, 6, 2, 1, 9, 4, 5, 7, 8, 10)) + `)), true)`)
	p.until(ids + ` === '3 6 2 1 9 4 5 7 8 10'`)
	if after := evaluate[int](p, top); max(after-before, before-after) > 1 {
		t.Errorf("the row under the pointer at the top went from %d to %d", before, after)
	}
	p.do(chromedp.MouseEvent(chromedp.MouseMoved, 5, 5))
	p.is(`document.querySelector('ol.list').style.cssText !== ''`)
	if after := evaluate[int](p, top); max(after-before, before-after) > 1 {
		t.Errorf("the row went from %d to %d when the pointer had left", before, after)
	}
	p.is(`(document.querySelector('main').scrollTop = 500) === 500`)
	before = evaluate[int](p, top)
	p.until(`document.querySelector('ol.list').style.cssText === ''`)
	if after := evaluate[int](p, top); max(after-before, before-after) > 1 {
		t.Errorf("the row went from %d to %d when its room was given back", before, after)
	}
	p.is(`(document.querySelector('main').scrollTop = 0) === 0`)

	// The whole account, in the status line and beside a result.
	p.untilText(".said.unclear", "Best 0.31, 0.40 would be clear. Calibrated on 240 pairs.")
	p.untilText("footer .ranker", "raced")
	p.click("body > #app footer .toggle")
	p.untilText("footer .how", "In two stages: a first look at 10, then the precise reranker on 8.")
	p.untilText("footer .how", "Kendall’s tau 0.52")
	p.untilText("footer .how", "Cohere did not answer within 2s.")
	p.click(`li[data-chunk="3"] .actions button`)
	p.untilText(`li[data-chunk="3"] h3`, "How this order came about")
	p.do(chromedp.EmulateViewport(1120, 1200))
	p.shot("account-en-light")
	p.click("header nav button[lang=fa]")
	p.untilText("footer .how", "در دو گام")
	p.shot("account-fa-light")
	p.is(`window.faults.length === 0`)
}

func encode(t *testing.T, v any) string {
	t.Helper()
	text, err := json.Marshal(v)
	if err != nil {
		t.Fatal(err)
	}
	return string(text)
}
