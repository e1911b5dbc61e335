//go:build browser

package webtest

import (
	"context"
	"fmt"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"fanous/backend"

	"github.com/chromedp/chromedp"
	"github.com/chromedp/chromedp/kb"
)

// taking copies a passage with its source, writes all results into files, and shows every key.
func taking(t *testing.T, browser context.Context) {
	server, url := serve(t, func(cfg *backend.Config) { cfg.RuntimeLibrary, cfg.ModelDirs = "", nil })
	p := openPage(t, browser, url)
	p.untilText(".invite h2", "Nothing to search yet")
	p.click(".invite .button")
	server.Folder <- writeDocuments(t)
	p.untilText(".notice", "2 files indexed")
	p.click(".notice > .link")
	p.search("zanzibarium")

	// A quotation, by key and as Markdown by the button.
	p.do(chromedp.Focus("search input"))
	p.press(kb.ArrowDown)
	p.is(`document.activeElement.dataset.index === '0'`)
	p.press("c")
	p.until(`window.copied?.includes('evil.txt') && window.copied.includes('zanzibarium')`)
	p.untilText("[role=status]", "Copied with its source")
	p.is(`window.copied.startsWith('“')`)
	p.visit("settings")
	p.settle("#window-quotes", "markdown")
	p.press(kb.Escape)
	p.click(`article:first-of-type .actions button[title^="Copy"]`)
	p.until(`window.copied.startsWith('> ')`)
	p.is(`window.copied.includes('\\<script\\>') && window.copied.includes('(<file:///')`)
	p.shot("quoted-en-light")
	p.axe("quoted")

	// An export: a cancelled dialog writes nothing.
	path := filepath.Join(t.TempDir(), "نتیجه.csv")
	p.click(".export .link")
	server.File <- ""
	p.click(".export .link")
	server.File <- path
	p.untilText(".written", path)
	data, err := os.ReadFile(path)
	if err != nil || !strings.Contains(string(data), "zanzibarium") || !strings.Contains(string(data), "evil.txt") {
		t.Errorf("%s, %v", data, err)
	}

	// Every key, in both languages.
	p.press("?")
	p.untilText("dialog h2", "Keys")
	p.untilText("dialog dd", "Ctrl")
	p.is(`document.querySelectorAll('dialog dt').length > 20`)
	p.shot("keys-en-light")
	p.press(kb.Escape)
	p.until(`document.querySelector('dialog') === null`)
	p.click("header nav button[lang=fa]")
	p.do(chromedp.Focus("header nav button[lang=en]"))
	p.press("?")
	p.untilText("dialog h2", "کلیدها")
	p.shot("keys-fa-light")
	p.axe("keys")
	p.is(`window.faults.length === 0`)
}

// untilKept waits until a number of searches is in the history, which is written behind them.
func (p *page) untilKept(searches int) {
	p.t.Helper()
	p.until(fmt.Sprintf(`window.go.app.HistoryService.List('').then((kept) => kept?.length === %d)`, searches))
}

// writeMoments lets the page write every moment as the same one: how wide it is must not depend on when the test runs.
func (p *page) writeMoments() {
	p.t.Helper()
	p.is(`(() => {
		const written = Object.getOwnPropertyDescriptor(Intl.DateTimeFormat.prototype, 'format').get;
		Object.defineProperty(Intl.DateTimeFormat.prototype, 'format', {
			get() { return () => written.call(this)(new Date(2026, 10, 30, 9, 41)); },
		});
		return true;
	})()`)
}

// history: what was searched is shown as it was, searched again, found by words, forgotten; a search gets a name.
func history(t *testing.T, browser context.Context) {
	server, url := serve(t, func(cfg *backend.Config) { cfg.RuntimeLibrary, cfg.ModelDirs = "", nil })
	p := openPage(t, browser, url)
	p.writeMoments()
	p.untilText(".invite h2", "Nothing to search yet")
	p.click(".invite .button")
	server.Folder <- writeDocuments(t)
	p.untilText(".notice", "2 files indexed")
	p.click(".notice > .link")
	p.search("zanzibarium")
	p.search("فانوس دریایی")

	// A name for it.
	p.click(".foot > .link")
	p.fill(".foot form input", "چراغ‌ها")
	p.press(kb.Enter)
	p.untilText(".foot [role=status]", "Saved: چراغ‌ها")

	p.untilKept(2)
	p.do(chromedp.KeyEvent("h", chromedp.KeyModifiers(chromedp.ModifierCtrl)))
	p.untilText("dialog .query", "zanzibarium")
	p.untilText("dialog .query", "فانوس دریایی")
	p.untilText("dialog .name", "چراغ‌ها")
	p.shot("history-en-light")
	p.axe("history")

	// As it was: nothing is searched.
	p.fill("dialog input[type=search]", "zanzi")
	p.until(`document.querySelectorAll('dialog .query').length === 1`)
	p.is(`((window.calls = 0), (window.real = window.fetch), (window.fetch = (url, ...rest) => (url.endsWith('/Search') && window.calls++, window.real(url, ...rest))), true)`)
	p.click("dialog .query")
	p.until(`document.querySelector('dialog') === null`)
	p.untilText("article .passage", "zanzibarium")
	p.is(`document.querySelector('search input').value === 'zanzibarium' && window.calls === 0`)
	p.untilText(".said", "As it was on")
	p.is(`document.querySelector('.export') === null`)
	p.inEveryLook(func(look string) { p.shot("history-past-" + look) })

	// Marked words and an export are a search away.
	p.push(".said", "Search again")
	p.untilText("article mark", "zanzibarium")
	p.is(`window.calls === 1 && document.querySelector('.export') !== null && !document.querySelector('main').innerText.includes('As it was on')`)
	p.is(`(window.calls = 0) === 0`)

	// Again, from its name; then it is forgotten.
	p.do(chromedp.KeyEvent("h", chromedp.KeyModifiers(chromedp.ModifierCtrl)))
	p.click("dialog .name")
	p.untilText("article .passage", "فانوس")
	p.is(`window.calls === 1`)
	p.untilKept(4)
	p.click("header nav button[lang=fa]")
	p.do(chromedp.KeyEvent("h", chromedp.KeyModifiers(chromedp.ModifierCtrl)))
	p.untilText("dialog h2", "تاریخچه")
	p.fill("dialog input[type=search]", "")
	p.until(`document.querySelectorAll('dialog .query').length === 4`)
	p.shot("history-fa-light")
	p.click("dialog section:last-of-type > .button")
	p.untilText("dialog section:last-of-type > .button", "بله")
	p.click("dialog section:last-of-type > .button")
	p.untilText("dialog", "هنوز جست‌وجویی نگه داشته نشده")
	p.is(`document.querySelectorAll('dialog .name').length === 1`)
	p.is(`window.faults.length === 0`)
}
