//go:build browser

package webtest

import (
	"context"
	"testing"

	"fanous/backend"
)

// filtersJourney writes filters, takes them out again, and lists documents by filters alone.
func filtersJourney(t *testing.T, browser context.Context) {
	docs := t.TempDir()
	writeFiles(t, docs, map[string]string{
		"plan.md":    "# Budget\n\nA lantern for every window of the house, by the end of the year.",
		"letter.eml": "From: a@example.org\nTo: b@example.org\nSubject: light\nDate: Tue, 01 Aug 2023 10:00:00 +0000\nContent-Type: text/plain\n\nBring the lantern tonight.",
		"hall.txt":   "The old lantern hangs in the hall.",
		"نامه.txt":   "فانوس کهنه در راهرو آویزان است و شب‌ها روشن می‌شود.",
	})
	_, url := serve(t, func(cfg *backend.Config) { cfg.RuntimeLibrary, cfg.ModelDirs = "", nil })
	p := openPage(t, browser, url)
	p.untilText(".invite h2", "Nothing to search yet")
	p.is(`(window.dropFiles([` + quote(docs) + `]), true)`)
	p.untilText(".notice", "4 files indexed")
	p.click(".notice > .link")
	p.until(`document.querySelector('.tips') !== null`)
	p.is(`[...document.querySelectorAll('.tips code')].some((c) => c.textContent === 'in:heading budget')`)
	p.inEveryLook(func(look string) {
		p.axe("tips " + look)
		p.shot("filters-tips-" + look)
	})

	p.search(`lantern type:mail OR type:md after:1402-05 -hall`)
	chips := `[...document.querySelectorAll('.chips li')].map((c) => c.textContent.replace(/[\u2068\u2069]/g, '').replace(/\s+/g, ' ').trim()).join('; ')`
	p.until(chips + ` === 'type: mail; or type: md; from Jul 23, 2023 on; without hall'`)
	p.is(`document.querySelectorAll('ol.list > li').length === 2`)
	p.inEveryLook(func(look string) {
		p.axe("chips " + look)
		p.shot("filters-" + look)
	})

	p.click(`.chips li:first-child button`)
	p.until(`document.querySelector('search input').value === 'lantern type:md after:1402-05 -hall'`)
	p.until(`document.querySelectorAll('ol.list:not(.stale) > li').length === 1`)
	p.is(`document.activeElement === document.querySelector('search input')`)
	p.is(`document.querySelectorAll('.chips li').length === 3`)

	p.search("type:mail")
	p.until(`document.querySelector('.judgement .date')?.textContent.trim() === 'Aug 1, 2023'`)
	p.is(`document.querySelector('.score') === null`)
	p.speak("fa")
	p.put("-نوع:ایمیل زبان:فارسی")
	p.until(chips + `.startsWith('جز نوع: ایمیل; زبان: فارسی')`)
	p.until(`document.querySelectorAll('ol.list:not(.stale) > li').length === 1`)
	p.inEveryLook(func(look string) {
		p.axe("list " + look)
		p.shot("filters-list-" + look)
	})
	p.speak("en")
	p.put("lantern file:nowhere")
	p.untilText(".empty", "Take something out")
	p.put("lantern type:nonsense")
	p.until(`document.querySelector('.chips') === null`)
}
