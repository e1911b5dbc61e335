//go:build browser

package webtest

import (
	"context"
	"net/http/httptest"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"fanous/app"
	"fanous/backend"

	"github.com/chromedp/chromedp"
	"github.com/chromedp/chromedp/kb"
)

const (
	dist   = "../../frontend/dist"
	sample = "../../build/sample/docs"
)

// TestBrowser drives the window's page in one browser, a tab for each story.
func TestBrowser(t *testing.T) {
	browser := startBrowser(t)
	for name, story := range map[string]func(*testing.T, context.Context){
		"first run":      firstRun,
		"first hour":     firstHour,
		"copies":         copies,
		"collections":    collectionsJourney,
		"filters":        filtersJourney,
		"many files":     manyFiles,
		"markup":         markup,
		"ledger":         ledgerJourney,
		"orders":         orders,
		"outage":         outage,
		"outage held":    outageHeld,
		"stop indexing":  stopIndexing,
		"without models": withoutModels,
		"cannot open":    cannotOpen,
		"repair":         repair,
		"guide":          guideJourney,
		"models":         modelsJourney,
		"models offline": modelsOffline,
		"settings":       settingsJourney,
		"taking":         taking,
		"history":        history,
		"preview":        preview,
		"measure":        measureJourney,
		"drill":          drillJourney,
	} {
		t.Run(name, func(t *testing.T) { story(t, browser) })
	}
}

// serve starts the window's page on a real backend with an empty index.
func serve(t *testing.T, change func(*backend.Config)) (*Server, string) {
	t.Helper()
	if _, err := os.Stat(filepath.Join(dist, "index.html")); err != nil {
		t.Fatal("the frontend is not built: npm ci && npm run build in frontend/")
	}
	t.Setenv("CO_API_KEY", "")
	cfg, err := backend.LoadConfig("", t.TempDir())
	if err != nil {
		t.Fatal(err)
	}
	change(&cfg)
	return serveConfigured(t, func() (backend.Config, error) { return cfg, nil })
}

func serveConfigured(t testing.TB, configure app.Configure) (*Server, string) {
	t.Helper()
	server, a := New(os.DirFS(dist), configure)
	h := httptest.NewServer(server)
	a.Start()
	t.Cleanup(func() {
		h.CloseClientConnections()
		h.Close()
		if err := a.Close(); err != nil {
			t.Error(err)
		}
	})
	return server, h.URL
}

// evil is a document whose text is markup and script.
const evil = `Harbour notes, zanzibarium.
<script>window.pwned = 1</script> and <img src=x onerror="window.pwned = 1"> and </p></article><style>*{display:none}</style>
`

func writeDocuments(t *testing.T) string {
	t.Helper()
	dir := t.TempDir()
	for name, text := range map[string]string{
		"evil.txt":    evil,
		"یادداشت.md":  "# یادداشت‌های 🏮 فانوس\n\nنگهبان فانوس دریایی هر شب ساعت نُه چراغ را روشن می‌کرد و مُحَمَّد دفتر را می‌نوشت.\n",
		"picture.png": "\x89PNG\r\n\x1a\n\x00\x00\x00\rIHDR",
	} {
		if err := os.WriteFile(filepath.Join(dir, name), []byte(text), 0o644); err != nil {
			t.Fatal(err)
		}
	}
	return dir
}

// firstHour is one analyst's first hour, from the empty window on: later steps build on earlier ones.
func firstHour(t *testing.T, browser context.Context) {
	server, url := serve(t, func(*backend.Config) {})
	p := openPage(t, browser, url)
	documents := writeDocuments(t)

	// Nothing is there yet, and the window says what to do.
	p.untilText(".invite h2", "Nothing to search yet")
	p.is(`document.querySelector('search input').disabled`)
	p.shot("empty-en-light")

	// A cancelled dialog changes nothing; a chosen folder is indexed, and what could not be is listed.
	p.click(".invite .button")
	server.Folder <- ""
	p.click(".invite .button")
	server.Folder <- documents
	p.untilText(".notice", "2 files indexed")
	p.until(`document.activeElement.matches('search input')`)
	p.click(".notice summary")
	p.untilText(".notice li", "picture.png")
	p.click(".notice > .link")

	// Dropping the sample adds it to the same collection.
	absolute, err := filepath.Abs(sample)
	if err != nil {
		t.Fatal(err)
	}
	p.is(`(window.dropFiles([` + quote(absolute) + `]), true)`)
	p.untilText(".strip strong", "default")
	p.shot("indexing-en-light")
	p.untilText(".notice", "files indexed")
	p.click(".notice > .link")
	p.untilText(".empty h2", "What are you looking for?")
	p.shot("idle-en-light")

	// What a document says is text.
	p.search("zanzibarium")
	p.untilText("article:first-of-type .passage", `<img src=x onerror="window.pwned = 1">`)
	p.is(`document.querySelector('mark').innerText === 'zanzibarium'`)
	p.is(`window.pwned === undefined`)
	p.is(`document.querySelectorAll('article img, article script, article style').length === 0`)

	// An English query on the sample: title, score, movement, ranker and times.
	p.search("who signed the dredging contract")
	p.is(`document.querySelectorAll('article').length > 3`)
	p.is(`[...document.querySelectorAll('mark')].some((m) => m.innerText.toLowerCase() === 'dredging')`)
	p.is(`/^(0\.\d\d|1\.00)$/.test(document.querySelector('.score .value').innerText)`)
	p.untilText(".score .kind", "relevance")
	p.untilText("body > #app footer .ranker", "Late interaction")
	p.is(`/\d (ms|sec)$/.test(document.querySelector('.stages .total').innerText)`)
	p.click("article:first-of-type .actions button")
	p.untilText("article table", "BM25")
	p.shot("results-en-light")
	p.click("article:first-of-type .actions button")

	// Variety reorders it, and the order says so.
	p.click(".variety")
	p.untilText("body > #app footer .ranker .mark", "variety")
	p.is(`document.querySelector('.variety').ariaPressed === 'true'`)
	p.shot("variety-en-light")
	p.click(".variety")
	p.until(`!document.querySelector('footer .ranker .mark') && document.querySelector('ol.list[aria-busy=false]') !== null`)

	// The keyboard: down to the second result, open it, show it in its folder, back to the box.
	// The browser's own protocol would type the slash, too, into what has the focus by then.
	p.is(`document.activeElement.dispatchEvent(new KeyboardEvent('keydown', { key: '/', code: 'Slash', bubbles: true, cancelable: true })) === false`)
	p.until(`document.activeElement.matches('search input')`)
	p.press(kb.ArrowDown)
	p.press(kb.ArrowDown)
	p.is(`document.activeElement.dataset.index === '1'`)
	path := p.text(`document.activeElement.querySelector('button.path').title`)
	p.press(kb.Enter)
	if got := <-server.Opened; got != "open "+path {
		t.Errorf("Enter: %s, want open %s", got, path)
	}
	p.do(chromedp.KeyEvent(kb.Enter, chromedp.KeyModifiers(chromedp.ModifierCtrl)))
	if got := <-server.Opened; got != "show "+path {
		t.Errorf("Ctrl-Enter: %s, want show %s", got, path)
	}
	p.press(kb.Escape)
	p.is(`document.activeElement.matches('search input')`)

	// Persian: the query, whole words with their marks, right to left in a left-to-right window.
	p.search("محمد و فانوس دریایی")
	p.untilText("mark", "مُحَمَّد")
	p.is(`getComputedStyle(document.querySelector('mark').closest('p')).direction === 'rtl'`)
	p.is(`document.documentElement.dir === 'ltr'`)

	// The window in Persian, then dark.
	p.click("header nav button[lang=fa]")
	p.until(`document.documentElement.dir === 'rtl' && document.documentElement.lang === 'fa'`)
	p.search("پروندهٔ بندر مهتاب و متهم اصلی")
	p.shot("results-fa-light")
	p.click("header nav .icon:last-of-type")
	p.click("header nav .icon:last-of-type")
	p.until(`document.documentElement.dataset.theme === 'dark'`)
	p.shot("results-fa-dark")

	// What was chosen outlives the window.
	p.do(chromedp.Reload())
	p.until(`document.documentElement.dir === 'rtl' && document.documentElement.dataset.theme === 'dark'`)
	p.untilText(".empty h2", "دنبال چه می‌گردید؟")
	p.shot("idle-fa-dark")
	p.click("header nav button[lang=en]")
	p.search("خشک شدن دریاچه و کوچ ماهیگیران")
	p.shot("results-en-dark")

	// Nothing searchable is not "nothing found", and Esc clears.
	p.put("\u200b\u200d")
	p.untilText(".empty h2", "There is nothing to search for in this query")
	p.escape()
	p.untilText(".empty h2", "What are you looking for?")

	p.is(`window.faults.length === 0`)
}

// stopIndexing is the first run in Persian: a dialog is cancelled, then a run is stopped that would take longer than anyone
// waits.
func stopIndexing(t *testing.T, browser context.Context) {
	server, url := serve(t, func(*backend.Config) {})
	p := openPage(t, browser, url)
	dir := t.TempDir()
	for i := range 3000 {
		name := filepath.Join(dir, strings.Repeat("a", i%40+1)+string(rune('a'+i/40%26))+string(rune('a'+i/1040))+".txt")
		if err := os.WriteFile(name, []byte(name+" tells of the harbour, page after page."), 0o644); err != nil {
			t.Fatal(err)
		}
	}
	p.speak("fa")
	p.untilText(".invite h2", "هنوز چیزی برای جست‌وجو نیست")
	p.everyLook("empty")
	p.click(".invite .button")
	server.Folder <- ""
	p.click(".invite .button")
	server.Folder <- dir
	p.until(`document.querySelector('.strip') !== null`)
	p.click(".strip .stop")
	p.untilText(".notice", "متوقف شد. آنچه انجام شده می‌ماند.")
	p.shot("stopped-fa-light")
	p.is(`window.faults.length === 0`)
}

// withoutModels: no runtime, no embedder; words still find, and the window says what is missing.
func withoutModels(t *testing.T, browser context.Context) {
	server, url := serve(t, func(cfg *backend.Config) { cfg.RuntimeLibrary, cfg.ModelDirs = "", nil })
	p := openPage(t, browser, url)
	p.untilText(".invite h2", "Nothing to search yet")
	p.click(".invite .button")
	server.Folder <- writeDocuments(t)
	p.untilText(".notice", "2 files indexed")
	p.click(".notice > .link")
	p.search("harbour")
	p.untilText(".degraded", ".")
	p.untilText(".score .kind", "rank score")
	p.untilText("article .judgement", "not reranked")
	p.untilText("footer .ranker", "Not reranked")
	p.untilText("header nav", "limited")
	p.shot("degraded-en-light")

	p.put("quetzalcoatl")
	p.untilText(".empty h2", "No passage found")
	p.is(`window.faults.length === 0`)
}

// cannotOpen: the index cannot be opened, the window says why, and trying again works.
func cannotOpen(t *testing.T, browser context.Context) {
	t.Setenv("CO_API_KEY", "")
	dir := t.TempDir()
	blocked := filepath.Join(dir, "data")
	if err := os.WriteFile(blocked, nil, 0o644); err != nil { // a file where the data folder should be
		t.Fatal(err)
	}
	_, url := serveConfigured(t, func() (backend.Config, error) { return backend.LoadConfig("", blocked) })
	p := openPage(t, browser, url)
	p.untilText(".empty h2", "Fanous could not open its index")
	p.everyLook("cannot-open")
	p.visit("collections")
	p.untilText("main .empty h2", "Fanous could not open its index")
	p.visit("search")
	if err := os.Remove(blocked); err != nil {
		t.Fatal(err)
	}
	p.click(".empty .button")
	p.untilText(".invite h2", "Nothing to search yet")
	p.is(`window.faults.length === 0`)
}
