//go:build browser

package webtest

import (
	"bytes"
	"context"
	"os"
	"path/filepath"
	"testing"

	"fanous/backend"
	"fanous/backend/domain"

	"github.com/chromedp/chromedp/kb"
)

// repair: an index that is damaged is repaired from the window, whether what is in it cannot be listed or a search meets the
// damage. Meanwhile searching is paused, and afterwards everything is found again.
func repair(t *testing.T, browser context.Context) {
	dir := t.TempDir()
	whole := indexed(t, dir)
	ruin(t, filepath.Join(dir, "fanous.db"), whole, len(whole)/2)
	_, url := serveFolder(t, dir)
	p := openPage(t, browser, url)
	p.untilText(".empty h2", "The index is damaged.")
	p.is(`document.querySelector('search input').disabled`)
	p.everyLook("damaged")

	// The repair is held back, to be looked at.
	p.is(`(() => {
		const real = window.fetch;
		window.fetch = (url, options) => {
			if (!url.endsWith('/IndexService/Repair')) return real(url, options);
			return new Promise((resolve) => (window.goOn = () => resolve(real(url, options))));
		};
		return true;
	})()`)
	p.tabTo(".empty .button")
	p.press(kb.Enter)
	p.untilText(".empty h2", "Searching is paused")
	p.is(`document.activeElement.matches('.strip .stop')`)
	p.everyLook("repairing")
	p.is(`(window.goOn(), true)`)
	p.untilText(".notice", "A new index has taken the place of the damaged one")
	p.untilText(".notice", "2 files indexed")
	p.search("zanzibarium")
	p.is(`document.querySelectorAll('article').length === 1`)
	p.shot("repaired-en-light")
	p.is(`window.faults.length === 0`)

	// Only the last of it is damaged: a search finds that out, and is made again once it is repaired.
	dir = t.TempDir()
	whole = indexed(t, dir)
	ruin(t, filepath.Join(dir, "fanous.db"), whole, len(whole)*9/10)
	_, url = serveFolder(t, dir)
	p = openPage(t, browser, url)
	p.untilText(".empty h2", "What are you looking for?")
	p.put("zanzibarium")
	p.untilText(".notice", "The index is damaged.")
	p.everyLook("damaged-search")
	p.click(".notice .button")
	p.untilText(".notice", "2 files indexed")
	p.until(`document.querySelectorAll('article').length === 1`)
	p.is(`window.faults.length === 0`)
}

// indexed makes an index of a few documents in a data folder, and gives the file as it is when nobody has it open.
func indexed(t *testing.T, dir string) []byte {
	t.Helper()
	t.Setenv("CO_API_KEY", "")
	cfg, err := backend.LoadConfig("", dir)
	if err != nil {
		t.Fatal(err)
	}
	cfg.RuntimeLibrary, cfg.ModelDirs = "", nil
	b, err := backend.Open(t.Context(), cfg)
	if err != nil {
		t.Fatal(err)
	}
	_, err = b.Index(t.Context(), domain.IndexRequest{Paths: []string{writeDocuments(t)}}, nil)
	if err == nil {
		err = b.Close()
	}
	if err != nil {
		t.Fatal(err)
	}
	data, err := os.ReadFile(filepath.Join(dir, "fanous.db"))
	if err != nil {
		t.Fatal(err)
	}
	return data
}

// ruin writes an index over whose bytes something has gone, from one of them on.
func ruin(t *testing.T, path string, whole []byte, from int) {
	t.Helper()
	data := bytes.Clone(whole)
	for i := from; i < len(data); i++ {
		data[i] = 0xA5
	}
	if err := os.WriteFile(path, data, 0o600); err != nil {
		t.Fatal(err)
	}
}
