//go:build browser

package webtest

import (
	"context"
	"net/http"
	"net/http/httptest"
	"os"
	"path/filepath"
	"strings"
	"sync/atomic"
	"testing"

	"fanous/backend"
	"fanous/models"
	"fanous/models/tinyxlmr"

	"github.com/chromedp/chromedp"
	"github.com/chromedp/chromedp/kb"
)

// TestMain lets this program be the one that self-tests are made in.
func TestMain(m *testing.M) {
	if backend.Child() {
		return
	}
	os.Exit(m.Run())
}

const starter = "multilingual-e5-small-starter-q4"

// mirror serves the starter that was built here as a mirror would. Until it is opened, it sends the beginning of the
// graph and no more.
type mirror struct {
	url     string
	opened  chan struct{}
	more    chan struct{} // each lets one piece more through
	asked   atomic.Int64  // requests for the graph
	resumed atomic.Int64  // of those, for the rest of it
}

// beginning is what comes of the graph at first.
const beginning = 20 << 20

func startMirror(t *testing.T, dir string) *mirror {
	t.Helper()
	m := &mirror{opened: make(chan struct{}), more: make(chan struct{})}
	files := http.FileServerFS(os.DirFS(dir))
	s := httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		if strings.HasSuffix(r.URL.Path, "/"+models.GraphFile) {
			m.asked.Add(1)
			if from := r.Header.Get("Range"); from != "" && from != "bytes=0-" {
				m.resumed.Add(1)
			}
			w = &reluctant{w, r.Context(), m, beginning}
		}
		files.ServeHTTP(w, r)
	}))
	t.Cleanup(func() {
		s.CloseClientConnections()
		s.Close()
	})
	m.url = s.URL
	return m
}

// reluctant sends some bytes and waits before the others.
type reluctant struct {
	http.ResponseWriter
	ctx  context.Context
	from *mirror
	left int
}

func (w *reluctant) Write(p []byte) (int, error) {
	if w.left -= len(p); w.left < 0 {
		http.NewResponseController(w.ResponseWriter).Flush()
		select {
		case <-w.from.opened:
		case <-w.from.more:
		case <-w.ctx.Done():
			return 0, w.ctx.Err()
		}
	}
	return w.ResponseWriter.Write(p)
}

// starterDir is the folder with the starter that the build made.
func starterDir(t *testing.T) string {
	t.Helper()
	cfg, err := backend.LoadConfig("", t.TempDir())
	if err != nil {
		t.Fatal(err)
	}
	for _, dir := range cfg.ModelDirs {
		if _, err := os.Stat(filepath.Join(dir, starter, models.ManifestFile)); err == nil {
			return dir
		}
	}
	t.Fatal("the starter embedder is not built: go tool mage build, and FANOUS_MODELS")
	return ""
}

// withoutPip makes what pip is set up to use on this machine no source of models.
func withoutPip(t *testing.T) {
	t.Helper()
	t.Setenv("PIP_NO_INDEX", "1")
	t.Setenv("PIP_CONFIG_FILE", filepath.Join(t.TempDir(), "none"))
	t.Setenv("PIP_FIND_LINKS", "")
}

// replace gives a file other contents, without touching the ones that a program has open.
func replace(t *testing.T, path string, change func([]byte) []byte) {
	t.Helper()
	data, err := os.ReadFile(path)
	if err != nil {
		t.Fatal(err)
	}
	if err := os.WriteFile(path+".new", change(data), 0o644); err != nil {
		t.Fatal(err)
	}
	if err := os.Rename(path+".new", path); err != nil {
		t.Fatal(err)
	}
}

// tabTo moves the focus on with the Tab key until it is on an element.
func (p *page) tabTo(selector string) {
	p.t.Helper()
	on := `document.activeElement.matches(` + quote(selector) + `)`
	for range 100 {
		if evaluate[bool](p, on) {
			return
		}
		p.press(kb.Tab)
	}
	p.shot("failed")
	p.t.Fatalf("100 times Tab do not lead to %s", selector)
}

func card(model string) string { return `main li[data-model="` + model + `"]` }

func (p *page) untilState(model, state string) {
	p.t.Helper()
	p.until(`document.querySelector(` + quote(card(model)) + `)?.dataset.state === ` + quote(state))
}

func (p *page) screen(digit string) {
	p.t.Helper()
	p.do(chromedp.KeyEvent(digit, chromedp.KeyModifiers(chromedp.ModifierCtrl)))
	p.until(`[...document.querySelectorAll('main')].some((main) => main.checkVisibility())`) // its script may be on its way
}

// everyLook takes a picture in both languages and both themes, and ends as it began: English and light.
func (p *page) everyLook(name string) {
	p.t.Helper()
	p.inEveryLook(func(look string) { p.shot(name + "-" + look) })
}

// modelsJourney gets a model, stops and goes on, imports one, searches with it, finds it damaged and removes it, with
// the keyboard.
func modelsJourney(t *testing.T, browser context.Context) {
	built := starterDir(t)
	from := startMirror(t, built)
	dir := t.TempDir()
	withoutPip(t)
	server, url := serve(t, func(cfg *backend.Config) {
		cfg.ModelDirs, cfg.ModelHub, cfg.ModelMirrors = []string{dir}, "", []string{from.url}
		cfg.Program = os.Args[0]
	})
	p := openPage(t, browser, url)
	p.untilText(".invite h2", "Nothing to search yet")
	p.screen("3")
	p.until(`document.activeElement.matches('main h2')`)
	p.press(kb.Escape)
	p.until(`document.querySelector('.invite')?.checkVisibility()`)
	p.tabTo("header .tab:nth-child(3)")
	p.press(kb.Enter)
	p.untilState(starter, "missing")
	p.until(`document.querySelector('[data-device=CPU]') !== null`)
	p.everyLook("models-nothing")

	// Nothing comes before somebody agrees to the licence.
	p.tabTo(card(starter) + " [data-action=get]")
	p.press(kb.Enter)
	p.untilText(card(starter)+" .licence", "MIT")
	p.untilText(card(starter)+" .offer", from.url)
	p.press(kb.Escape)
	p.until(`document.activeElement.matches('[data-action=get]')`)
	p.press(kb.Enter)
	p.until(`document.querySelector('.offer .primary:enabled') !== null`)
	p.everyLook("models-offer")
	if n := from.asked.Load(); n != 0 {
		t.Errorf("the mirror was asked %d times before anybody agreed", n)
	}
	p.is(`(document.querySelector('.offer h4').focus(), true)`)
	p.tabTo(".offer .primary")
	p.press(kb.Enter)

	// It is stopped, and goes on from there.
	for !evaluate[bool](p, `document.querySelector('`+card(starter)+` progress')?.value > 0.1`) {
		select {
		case from.more <- struct{}{}: // figures come with bytes, and not with every one
		default:
		}
	}
	p.is(`document.activeElement.matches('.stop')`)
	p.untilText("header .badge", "%")
	p.untilText(card(starter)+" .working", " of 84 MB")
	p.everyLook("models-getting")
	p.is(`(document.querySelector('.stop').focus(), true)`)
	p.press(kb.Enter)
	p.untilState(starter, "incomplete")
	p.untilText(card(starter), "are here and stay")
	p.untilText("body > #app footer", "Stopped. What has arrived stays.")
	p.until(`document.activeElement.matches('[data-action=continue]')`)
	p.everyLook("models-stopped")
	p.is(`(document.querySelector('[data-action=continue]').focus(), true)`)
	p.press(kb.Enter)
	p.untilText("header .badge", "%")

	// A page that was loaded anew knows what goes on.
	p.do(chromedp.Reload())
	p.untilText("header .badge", "%")
	p.screen("3")
	p.untilText(card(starter)+" .working", " of 84 MB")
	close(from.opened)
	p.untilState(starter, "installed")
	p.until(`document.querySelector('header .badge') === null`)
	p.untilText(card(starter), "Every file has been compared")
	if from.resumed.Load() == 0 {
		t.Error("what had arrived was fetched again")
	}

	// It runs at once, and its figures are those of its self-test.
	p.untilText(".outage.ready", "late interaction on CPU, ready")
	p.until(`document.querySelector('[data-device=CPU].used') !== null`)
	p.untilText("table tr.used", "texts/s")
	p.is(`(document.querySelector('#devices-title').scrollIntoView(), true)`)
	p.everyLook("models-devices")

	// A reranker from a folder, and beside it one that is none.
	stick := t.TempDir()
	if _, err := tinyxlmr.Write(filepath.Join(stick, tinyxlmr.Name), filepath.Join(built, starter, models.TokenizerFile)); err != nil {
		t.Fatal(err)
	}
	none := filepath.Join(stick, "no-reranker")
	if err := os.MkdirAll(none, 0o755); err != nil {
		t.Fatal(err)
	}
	for _, name := range []string{models.GraphFile, models.TokenizerFile} {
		if err := os.Symlink(filepath.Join(built, starter, name), filepath.Join(none, name)); err != nil {
			t.Fatal(err)
		}
	}
	short := `{"name": "no-reranker", "role": "reranker", "max_tokens": 512}`
	if err := os.WriteFile(filepath.Join(none, models.ManifestFile), []byte(short), 0o644); err != nil {
		t.Fatal(err)
	}
	p.is(`(document.querySelector('main h2').focus(), true)`)
	p.tabTo(".bring button")
	p.press(kb.Enter)
	server.Folder <- stick
	p.untilText("body > #app footer .title", "imported.")
	p.untilText(`[data-met="`+tinyxlmr.Name+`"]`, "installed and verified")
	p.is(`document.querySelector('[data-met="no-reranker"] [data-code=model_kind]') !== null`)
	p.everyLook("models-imported")
	p.untilState(tinyxlmr.Name, "installed")
	p.untilText(".outage.ready", "the fast reranker on CPU, ready")

	// The next search is reranked by it.
	p.screen("1")
	p.until(`document.querySelector('.invite')?.checkVisibility()`)
	p.click(".invite .button")
	server.Folder <- writeDocuments(t)
	p.untilText(".notice", "2 files indexed")
	p.click(".notice > .link")
	p.search("zanzibarium")
	p.untilText("body > #app footer .ranker", "Cross-encoder")
	p.untilText("body > #app footer .ranker", tinyxlmr.Name)

	// Its tokenizer is cut, then changed; each has its own code.
	p.screen("3")
	tokenizer := filepath.Join(dir, tinyxlmr.Name, models.TokenizerFile)
	whole, err := os.ReadFile(tokenizer)
	if err != nil {
		t.Fatal(err)
	}
	check := func(code string) {
		p.is(`(document.querySelector(` + quote(card(tinyxlmr.Name)+" [data-action=verify]") + `).focus(), true)`)
		p.press(kb.Enter)
		p.untilState(tinyxlmr.Name, "damaged")
		p.until(`document.querySelector(` + quote(card(tinyxlmr.Name)+` [data-code="`+code+`"]`) + `) !== null`)
		p.untilText("body > #app footer", tinyxlmr.Name+" is not as it should be")
	}
	p.untilState(tinyxlmr.Name, "installed")
	replace(t, tokenizer, func(data []byte) []byte { return data[:1000] })
	check("model_cut")
	replace(t, tokenizer, func([]byte) []byte { return append(whole[:len(whole)-1:len(whole)-1], whole[len(whole)-1]+1) })
	check("model_altered")
	p.everyLook("models-damaged")

	// It is removed, after a question, and the keyboard is not lost.
	p.is(`(document.querySelector(` + quote(card(tinyxlmr.Name)+" [data-action=remove]") + `).focus(), true)`)
	p.press(kb.Enter)
	p.until(`document.activeElement.matches('.keep')`)
	p.shot("models-remove-en-light")
	p.press(kb.Escape)
	p.until(`document.activeElement.closest('li')?.dataset.model === ` + quote(tinyxlmr.Name))
	p.tabTo(card(tinyxlmr.Name) + " [data-action=remove]")
	p.press(kb.Enter)
	p.until(`document.activeElement.matches('.keep')`)
	p.press(kb.Tab)
	p.press(kb.Enter)
	p.until(`document.querySelector(` + quote(card(tinyxlmr.Name)) + `) === null`)
	p.until(`document.activeElement.matches('main h2')`)
	p.untilText(".outage.ready", "late interaction")

	// All that is left goes into a bundle.
	bundle := filepath.Join(t.TempDir(), "bundle.zip")
	p.click(".bring button:nth-child(4)")
	server.File <- bundle
	p.untilText("body > #app footer", "The bundle is written")
	p.untilText("body > #app footer", bundle)
	p.is(`(document.querySelector('#app > .shell > footer .link').focus(), true)`)
	p.press(kb.Enter)
	p.until(`document.activeElement.matches('main h2')`)
	p.is(`window.faults.length === 0`)
}

// modelsOffline: with the offline switch on nothing can be fetched, the screen says so, and a folder helps.
func modelsOffline(t *testing.T, browser context.Context) {
	built := starterDir(t)
	dir := t.TempDir()
	withoutPip(t)
	server, url := serve(t, func(cfg *backend.Config) {
		cfg.ModelDirs, cfg.Offline = []string{dir}, true
	})
	p := openPage(t, browser, url)
	p.untilText(".invite h2", "Nothing to search yet")
	p.screen("3")
	p.untilText(card(starter), "The offline switch is on")
	p.is(`document.querySelector('[data-action=get]') === null`)
	p.untilText(".outage", "no reranker works on this machine")
	p.everyLook("models-offline")
	p.click(card(starter) + " [data-action=import]")
	server.Folder <- filepath.Join(built, starter)
	p.untilState(starter, "installed")
	p.untilText(".outage.ready", "late interaction on CPU, ready")

	// What is dropped here is imported, and what is no model is said to be none.
	p.is(`(window.dropFiles([` + quote(writeDocuments(t)) + `]), true)`)
	p.until(`document.querySelector('#app > .shell > footer [data-code=not_found]') !== null`)
	p.shot("models-no-model-en-light")

	// The narrowest window, in Persian; the status leads here, too.
	p.click("header nav button[lang=fa]")
	p.do(chromedp.EmulateViewport(560, 420))
	p.is(`document.querySelector('main:not([hidden])').scrollWidth <= document.querySelector('main:not([hidden])').clientWidth`)
	p.shot("models-narrow-fa-light")
	p.do(chromedp.EmulateViewport(1120, 820))
	p.screen("1")
	p.click("header nav[aria-label] .tool:first-child")
	p.shot("status-fa-light")
	p.click("dialog .more .link")
	p.until(`document.activeElement.matches('main h2')`)
	p.is(`window.faults.length === 0`)
}
