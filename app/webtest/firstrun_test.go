//go:build browser

package webtest

import (
	"context"
	"testing"

	"fanous/backend"

	"github.com/chromedp/chromedp/kb"
)

// firstRun tries the sample collection in each language, by the keyboard, before there is anything else.
func firstRun(t *testing.T, browser context.Context) {
	for language, says := range map[string]struct{ nothing, open, indexed, collection, idle, query, word, own string }{
		"en": {
			"Nothing to search yet", "Try the sample collection", "40 files indexed", "Sample",
			"What are you looking for?", "who signed the dredging contract", "dredging", "2 files indexed",
		},
		"fa": {
			"هنوز چیزی برای جست‌وجو نیست", "آزمودن مجموعهٔ نمونه", "۴۰ پرونده نمایه شد", "نمونه",
			"دنبال چه می‌گردید؟", "پروندهٔ بندر مهتاب و متهم اصلی", "مهتاب", "۲ پرونده نمایه شد",
		},
	} {
		server, url := serve(t, func(cfg *backend.Config) { cfg.RuntimeLibrary, cfg.ModelDirs = "", nil })
		p := openPage(t, browser, url)
		p.speak(language)
		p.untilText(".invite h2", says.nothing)
		p.is(`document.querySelectorAll('.lines p').length === 3`)
		p.tabTo(".invite .button:not(.primary)")
		p.is(`document.activeElement.innerText.trim() === ` + quote(says.open))
		p.press(kb.Enter)
		p.untilText(".notice", says.indexed)
		p.push(".notice", p.text(`document.querySelector('.notice > .link').innerText.trim()`))
		p.untilText(".empty h2", says.idle)
		p.is(`document.querySelector('.toolbar select').value === ` + quote(says.collection))
		p.until(`document.querySelectorAll('.queries button').length === 3`)
		for _, theme := range []string{"dark", "light"} {
			p.paint(theme)
			p.shot("sample-" + language + "-" + theme)
		}

		// One of its queries finds a passage, and the next one can be typed.
		p.push(".queries", says.query)
		p.untilText("article mark", says.word)
		p.is(`document.activeElement.matches('search input') && document.activeElement.value === ` + quote(says.query))
		p.shot("sample-results-" + language + "-light")

		// Documents of one's own do not get into it.
		p.press(kb.Escape)
		p.click(".toolbar .add")
		server.Folder <- writeDocuments(t)
		p.untilText(".notice", says.own)
		p.is(`document.querySelector('.toolbar select').value === 'default'`)
		p.is(`document.querySelector('.toolbar select').options.length === 3`) // and a new one
		p.is(`document.querySelector('.queries') === null`)
		p.is(`window.faults.length === 0`)
	}
}
