//go:build browser

package webtest

import (
	"bytes"
	"context"
	"os"
	"path/filepath"
	"testing"

	"fanous/backend"
	"fanous/backend/cohere/coheretest"

	"github.com/chromedp/chromedp/kb"
)

// ledgerJourney asks before anything leaves, and shows afterwards what did. Cohere is the stand-in of package coheretest.
func ledgerJourney(t *testing.T, browser context.Context) {
	cohere := coheretest.Start()
	t.Cleanup(cohere.Close)
	var data string
	server, url := serve(t, func(cfg *backend.Config) {
		cfg.RuntimeLibrary, cfg.ModelDirs = "", nil
		cfg.CohereKey, cfg.CohereURL = coheretest.Key, cohere.URL
		data = cfg.DataDir
	})
	p := openPage(t, browser, url)
	p.untilText(".invite h2", "Nothing to search yet")
	p.click(".invite .button")
	server.Folder <- writeDocuments(t)
	p.untilText(".notice", "2 files indexed")
	p.push(".notice", "Dismiss")

	// Nothing has left yet, which only a ledger that is whole can say.
	p.push("header nav", "Ledger")
	p.untilText("main .empty h2", "Nothing has left this machine.")
	p.untilText("main", "The ledger is whole: 0 entries.")
	p.inEveryLook(func(look string) {
		p.shot("ledger-empty-" + look)
	})
	p.press(kb.Escape)

	// The policy is to ask: nothing leaves, and the window asks, saying what it would be and where to.
	p.search("zanzibarium")
	p.untilText("footer .ranker", "Not reranked")
	if n := len(cohere.Calls()); n != 0 {
		t.Fatalf("%d calls before anybody was asked", n)
	}
	p.push("footer", "Let Cohere order these…")
	p.untilText("footer .ask", "It would get your query and 1 passage, at 127.0.0.1")
	p.inEveryLook(func(look string) {
		p.shot("ledger-ask-" + look)
	})
	p.push("footer .ask", "Only once")
	p.untilText("footer .by", "Cohere")
	if n := len(cohere.Calls()); n != 1 {
		t.Errorf("%d calls, want 1", n)
	}
	p.search("harbour notes") // another search is asked about again
	p.push("footer", "Let Cohere order these…")
	p.push("footer .ask", "For this search")
	p.untilText("footer .by", "Cohere")
	p.search("notes")
	p.untilText("footer .ranker", "Not reranked")
	p.push("footer", "Let Cohere order these…")
	p.push("footer .ask", "For this collection")
	p.untilText("footer .by", "Cohere")
	p.search("zanzibarium harbour")
	p.untilText("footer .by", "Cohere")

	// All of that is written down, the latest first: who allowed it, and what was kept here.
	p.push("header nav", "Ledger")
	p.untilText(".rows li:first-child", "to 127.0.0.1")
	p.untilText(".rows li:first-child", "answered")
	p.is(`document.querySelectorAll('.rows [data-kind=sent]').length === 4`)
	p.is(`document.querySelectorAll('.rows [data-kind=refused]').length >= 3`)
	p.tabTo("main [data-index='0']")
	p.press(kb.Enter)
	p.untilText("main dl", "the collection’s policy")
	p.untilText("main dl", "Digests of the passages")
	p.inEveryLook(func(look string) {
		p.shot("ledger-" + look)
	})
	pick := func(label, value string) {
		t.Helper()
		p.is(`(() => {
			const select = [...document.querySelectorAll('main label')].find((l) => l.innerText.includes(` + quote(label) + `)).querySelector('select');
			select.value = ` + quote(value) + `;
			return select.dispatchEvent(new Event('change', { bubbles: true }));
		})()`)
	}
	pick("Outcome", "refused")
	p.until(`document.querySelectorAll('.rows [data-kind=sent]').length === 0 && document.querySelectorAll('.rows [data-kind=refused]').length >= 3`)
	pick("Outcome", "failed")
	p.untilText("main .empty", "No entry is like that.")
	pick("Outcome", "all")
	p.fill("main .filters input", "127.0.0")
	p.until(`document.querySelectorAll('.rows [data-kind=sent]').length === 4`)
	p.fill("main .filters input", "nobody")
	p.untilText("main .empty", "No entry is like that.")
	p.fill("main .filters input", "")

	// Whole, and written into a file.
	p.push("main", "Verify every entry")
	p.untilText("main", "The ledger is whole")
	copied := filepath.Join(t.TempDir(), "ledger.jsonl")
	p.push("main", "Export…")
	server.File <- copied
	p.untilText(".notice", "written: "+copied)
	if text, err := os.ReadFile(copied); err != nil || !bytes.Contains(text, []byte("127.0.0.1")) {
		t.Errorf("%s, %v", text, err)
	}
	p.push(".notice", "Dismiss")

	// Somebody changes an entry: which one is said, on every screen nothing leaves until that was seen.
	replace(t, filepath.Join(data, "ledger", "entries.jsonl"), func(text []byte) []byte { return bytes.Replace(text, []byte(`"ask"`), []byte(`"asx"`), 1) })
	p.push("main", "Verify every entry")
	p.untilText("main", "Entry 1: not what was written")
	p.shot("ledger-changed-en-light")
	p.press(kb.Escape)
	p.search("zanzibarium")
	p.untilText("footer", "ledger not whole")
	p.push("footer", "ledger not whole")
	p.push("main", "I have seen this; sending may go on")
	p.untilText("main", "The ledger is whole")
	p.untilText(".rows li:first-child", "1 fault seen")
	if faults := p.text(`window.faults.join("\n")`); faults != "" {
		t.Error(faults)
	}
}
