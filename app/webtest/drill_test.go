//go:build browser

package webtest

import (
	"context"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"fanous/backend"

	"github.com/chromedp/chromedp/kb"
)

// drillJourney makes a drill on the sample with the keyboard, stops one, reads the report in both languages, saves it, and
// makes another after a page of the index was damaged.
func drillJourney(t *testing.T, browser context.Context) {
	var data string
	server, url := serve(t, func(cfg *backend.Config) { data = cfg.DataDir })
	p := openPage(t, browser, url)
	p.untilText(".invite h2", "Nothing to search yet")
	p.screen("4")
	p.untilText("#drill", "No drill has been made yet")
	p.screen("1")
	p.click(".invite .button")
	folder, err := filepath.Abs(sample)
	if err != nil {
		t.Fatal(err)
	}
	server.Folder <- folder
	p.untilText(".notice", "files indexed")
	for _, query := range []string{"crane accident at night", "دریاچه"} {
		p.search(query)
		p.until(`document.querySelectorAll('article').length > 0`)
	}

	// Started and stopped, it leaves nothing; started again, it ends with a verdict.
	p.screen("4")
	p.tabTo(".drill-start")
	p.press(kb.Enter)
	p.until(`document.querySelector('.drill-stop') !== null`)
	p.click(".drill-stop")
	p.until(`document.querySelector('.drill-start') !== null`)
	p.untilText("#drill", "No drill has been made yet")
	p.is(`(document.querySelector('.drill-start').focus(), true)`)
	p.press(kb.Enter)
	p.untilText(".verdict.ready", "If the network went now, searching would go on here")
	p.untilText("#drill", "The fast ranker is not installed.")
	p.is(`document.querySelector('[data-check=index] .soft') !== null`)
	p.is(`document.querySelector('tr[data-tier=serving] td').textContent === '2'`)
	p.is(`(document.querySelector('#drill').scrollIntoView(), true)`)
	p.inEveryLook(func(look string) {
		if strings.HasPrefix(look, "fa") {
			p.untilText(".verdict.ready", "اگر شبکه همین حالا قطع شود")
			p.untilText("#drill", "بازچین \u2068سریع\u2069 نصب نیست.")
		}
		p.axe("drill-" + look)
		p.shot("drill-ready-" + look)
	})

	// The report can be handed on.
	path := filepath.Join(t.TempDir(), "drill.html")
	p.click(".drill-save")
	server.File <- path
	p.untilText("#drill", path)
	if page, err := os.ReadFile(path); err != nil || !strings.Contains(string(page), "crane accident at night") && !strings.Contains(string(page), "If the network went now") {
		t.Errorf("%.200s, %v", page, err)
	}

	// A letter of the index is another one now: the verdict says what is wrong.
	damage(t, data)
	p.click(".drill-start")
	p.untilText(".verdict.not_ready", "searching would fail")
	p.is(`document.querySelector('[data-check=index] [data-code=damaged] .fatal') !== null`)
	p.inEveryLook(func(look string) { p.shot("drill-damaged-" + look) })
	p.is(`window.faults.length === 0`)
}

// damage changes the text of a passage behind the index's back.
func damage(t *testing.T, data string) {
	t.Helper()
	for _, name := range []string{"fanous.db", "fanous.db-wal"} {
		path := filepath.Join(data, name)
		content, err := os.ReadFile(path)
		if err != nil {
			continue
		}
		at := strings.Index(string(content), "crane")
		if at < 0 {
			continue
		}
		f, err := os.OpenFile(path, os.O_WRONLY, 0)
		if err != nil {
			t.Fatal(err)
		}
		if _, err := f.WriteAt([]byte("drake"), int64(at)); err != nil {
			t.Fatal(err)
		}
		if err := f.Close(); err != nil {
			t.Fatal(err)
		}
		return
	}
	t.Fatal("no text is in the index")
}
