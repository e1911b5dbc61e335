//go:build browser

package webtest

import (
	"context"
	"strings"
	"testing"

	"fanous/backend"
	"fanous/backend/cohere/coheretest"

	"github.com/chromedp/chromedp"
	"github.com/chromedp/chromedp/kb"
)

// hostile is markup that would tell of itself, wherever it were taken for more than text.
const hostile = `<img src=x onerror="window.pwned = 1"><script>window.pwned = 1</script>`

// harmless fails the test where something that came with a document, or was typed, has become a part of the page.
func (p *page) harmless(where string) {
	p.t.Helper()
	if !evaluate[bool](p, `window.pwned === undefined && document.querySelector('body [onerror], body script, body style, img[src=x]') === null && window.faults.length === 0`) {
		p.t.Errorf("markup runs or is drawn in %s", where)
	}
}

// markup: documents, a collection, a query, a saved search and judgements that are markup and script stay text on every
// screen. What is written into files is tested where it is written: exports, reports, the ledger's copy.
func markup(t *testing.T, browser context.Context) {
	cohere := coheretest.Start()
	t.Cleanup(cohere.Close)
	_, url := serve(t, func(cfg *backend.Config) {
		cfg.RuntimeLibrary, cfg.ModelDirs = "", nil
		cfg.CohereKey, cfg.CohereURL = coheretest.Key, cohere.URL
	})
	escaped := strings.NewReplacer("<", "&lt;", ">", "&gt;", `"`, "&quot;").Replace(hostile)
	dir := t.TempDir()
	writeFiles(t, dir, map[string]string{
		`<img src=x onerror="window.pwned = 1">.txt`: hostile + " zanzibarium\n",
		"page.html":     `<html><head><title>` + escaped + `</title><meta name="author" content="` + escaped + `"></head><body><h1>` + escaped + `</h1><p>zanzibarium ` + escaped + `</p></body></html>`,
		"letter.eml":    "From: \"" + `<img src=x onerror=window.pwned=1>` + "\" <a@example.org>\nSubject: " + hostile + "\nDate: Tue, 01 Aug 2023 10:00:00 +0000\nContent-Type: text/plain\n\nzanzibarium " + hostile + "\n",
		"heading.md":    "# " + "`" + hostile + "`" + "\n\nzanzibarium\n",
		"<b>bold<b>.7z": "7z\xbc\xaf\x27\x1c" + hostile,
	})
	p := openPage(t, browser, url)
	p.untilText(".invite h2", "Nothing to search yet")
	p.is(`(window.dropFiles([` + quote(dir) + `]), true)`)
	p.untilText(".notice", "files indexed")
	p.click(".notice summary")
	p.untilText(".notice li", "<b>bold<b>.7z")
	p.harmless("the list of what was not indexed")

	// The collection has such a name, too, and may leave; whoever names one can.
	name := "<i>" + hostile
	if _, err := chromedp.Run(p.ctx, chromedp.Evaluate[any](`((of) => of.Rename('default', `+quote(name)+`).then(() => of.SetPolicy(`+quote(name)+`, 'allowed')))(window.go.app.CollectionsService)`, chromedp.EvalAwaitPromise)); err != nil {
		t.Fatal(err)
	}
	p.do(chromedp.Reload())
	p.untilText(".empty h2", "What are you looking for?")
	query := "zanzibarium " + hostile
	p.search(query)
	p.untilText("footer .by", "Cohere")
	p.until(`document.querySelector('article') !== null`)
	p.click("article:first-of-type .actions button")
	p.harmless("results")
	for range 4 {
		p.is(`(document.activeElement.matches('article') || document.querySelector('article').focus(), true)`)
		p.press(kb.ArrowDown)
		p.press(kb.ArrowRight)
		p.until(`document.querySelector('aside[aria-busy=false]') !== null`)
		p.harmless("the preview")
	}
	p.press(kb.Escape)
	p.is(`(document.querySelector('article').focus(), true)`)
	p.press("c")
	p.until(`window.copied?.includes('zanzibarium')`)

	// A saved search, the history, a judgement, the ledger, every other screen, in both languages.
	p.click(".foot > .link")
	p.fill(".foot form input", name)
	p.press(kb.Enter)
	p.untilText(".foot [role=status]", name)
	p.click(".toolbar .judging")
	p.click(`article[data-index="0"] .grade-2`)
	p.untilText(".judging", "judged")
	for _, language := range []string{"en", "fa"} {
		p.speak(language)
		p.do(chromedp.KeyEvent("h", chromedp.KeyModifiers(chromedp.ModifierCtrl)))
		p.untilText("dialog .query", hostile)
		p.untilText("dialog .name", name)
		p.harmless("the history")
		p.press(kb.Escape)
		p.until(`document.querySelector('dialog') === null`)
		for _, screen := range []string{"collections", "models", "measure", "ledger", "settings"} {
			p.visit(screen)
			p.until(`document.querySelector('main h2') !== null`)
			switch screen {
			case "collections":
				p.untilText(".name", `<img src=x onerror="window.pwned = 1">.txt`)
				p.untilText("main h3, main h2, main", name)
			case "measure":
				p.until(`[...document.querySelectorAll('main .query')].some((q) => q.textContent === ` + quote(query) + `)`)
			case "ledger":
				p.untilText("main .rows", name)
			}
			p.harmless("the screen " + screen)
			if language == "en" && (screen == "collections" || screen == "ledger") {
				p.shot("markup-" + screen + "-en-light")
			}
		}
	}
}
