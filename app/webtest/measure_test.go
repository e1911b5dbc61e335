//go:build browser

package webtest

import (
	"context"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"fanous/backend"

	"github.com/chromedp/chromedp"
	"github.com/chromedp/chromedp/kb"
)

// measureJourney judges results with the keyboard, imports more judgements, measures the stages, compares two measurements
// and saves the report.
func measureJourney(t *testing.T, browser context.Context) {
	server, url := serve(t, func(*backend.Config) {})
	p := openPage(t, browser, url)
	p.untilText(".invite h2", "Nothing to search yet")
	p.click(".invite .button")
	folder, err := filepath.Abs(sample)
	if err != nil {
		t.Fatal(err)
	}
	server.Folder <- folder
	p.untilText(".notice", "files indexed")

	// Nothing is judged: the screen says what to do.
	p.screen("4")
	p.until(`document.activeElement.matches('main h2')`)
	p.untilText("main", "Nothing is judged here yet")
	p.is(`document.querySelector('.start').disabled`)
	p.everyLook("measure-nothing")

	// Keys judge the result that is chosen; the same key takes it back.
	p.click("main .button.primary")
	p.search("lake salt dust flamingos")
	p.untilText(".judging", "Judging")
	p.press(kb.ArrowDown)
	p.until(`document.activeElement.dataset.index === '0'`)
	pressed := func(grade string) string {
		return `document.querySelector('article[data-index="0"] .grade-` + grade + `').ariaPressed === 'true'`
	}
	p.press("1")
	p.until(pressed("2"))
	p.untilText(".judging", "1 result judged")
	p.press("2")
	p.until(pressed("1"))
	p.press("2")
	p.until(`document.querySelector('article [aria-pressed=true][class*=grade]') === null`)
	p.press("1")
	p.until(pressed("2"))
	p.until(still) // the results may still be on their way to their new places
	p.click(`article[data-index="1"] .grade-0`)
	p.untilText(".judging", "2 results judged")
	p.everyLook("measure-judging")
	p.do(chromedp.Reload())
	p.click(".toolbar .judging")
	p.search("lake salt dust flamingos")
	p.until(pressed("2")) // it was kept
	p.click(".stop-judging")
	p.until(`document.querySelector('.judge') === null`)

	// The sample's own judgements are imported, and measured.
	p.screen("4")
	p.untilText("main", "1 query")
	p.click("main .card .button:nth-child(2)")
	set, err := filepath.Abs(filepath.Dir(sample))
	if err != nil {
		t.Fatal(err)
	}
	server.Folder <- set
	p.untilText("main .notice", "judgements imported")
	p.untilText("main", "71 queries")
	measure := func(queries string) {
		p.t.Helper()
		p.click(".start")
		p.untilText("main .working", " of "+queries+" queries")
	}
	measure("71")
	p.until(`document.querySelector('tr[data-stage=rerank]') !== null`)
	p.is(`[...document.querySelectorAll('tr[data-stage] td:nth-child(2)')].every((c) => /^[01]\.\d{3}$/.test(c.innerText))`)
	p.untilText("main", "Better")
	p.everyLook("measure-report")
	p.is(`(document.querySelector('.histograms').scrollIntoView(), true)`)
	p.everyLook("measure-report-end")

	// A second measurement is compared with the first, and its report saved.
	p.is(`(document.querySelector('main h2').scrollIntoView(), true)`)
	measure("71")
	p.until(`document.querySelectorAll('#measure-report ~ label:nth-of-type(1) option').length === 2`)
	p.until(`document.querySelector('.working') === null`)
	p.is(`(() => {
		const select = document.querySelector('#measure-report ~ label:nth-of-type(2) select');
		select.value = select.options[1].value;
		return select.dispatchEvent(new Event('change', { bubbles: true }));
	})()`)
	p.untilText("main", "On the 71 queries that both have.")
	file := filepath.Join(t.TempDir(), "report.html")
	p.click(".save")
	server.File <- file
	p.untilText("main .notice", "The report is in")
	if text, err := os.ReadFile(file); err != nil || !strings.Contains(string(text), "How good is the search?") {
		t.Errorf("the report: %.80s, %v", text, err)
	}

	// Tuning says what it would change, on what evidence, and it can be undone.
	p.is(`(document.querySelector('#measure-tune').scrollIntoView(), true)`)
	p.click(".suggest")
	p.untilText("main .working", " of 71 queries")
	p.until(`document.querySelector('[aria-labelledby=measure-tune] table') !== null`)
	p.is(`document.querySelectorAll('[aria-labelledby=measure-tune] tbody tr').length === 2`)
	p.everyLook("measure-tuning")
	if evaluate[bool](p, `document.querySelector('.apply') !== null`) {
		p.click(".apply")
		p.untilText(".applied", "This collection is tuned, on 71 judged queries.")
		p.shot("measure-tuned-en-light")
		p.click(".undo")
		p.until(`document.querySelector('.applied') === null`)
	}

	// A query is forgotten.
	p.click("main summary")
	p.click(`main li .link[aria-label*="lake salt dust flamingos"]`)
	p.untilText("main", "70 queries")
	p.axe("measure")
	p.is(`window.faults.length === 0`)
}
