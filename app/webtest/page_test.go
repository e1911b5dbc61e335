//go:build browser

package webtest

import (
	"context"
	"encoding/json"
	"os"
	"os/exec"
	"path/filepath"
	"slices"
	"strings"
	"testing"
	"time"

	"github.com/chromedp/chromedp"
	"github.com/chromedp/chromedp/kb"
)

// patience bounds every wait. It is no expectation of speed: a busy machine may load models meanwhile.
const patience = time.Minute

// still is when nothing moves any more but what always does.
const still = `document.getAnimations().every((a) => a.playState !== 'running' || a.effect.getTiming().iterations === Infinity)`

// told is when the window has said what runs, which it does once the models are loaded, or why nothing can or does.
const told = `document.querySelector('header .dot, [role=alert], .strip') !== null`

const artifacts = "../../build/artifacts"

// page is one tab of a headless browser; every step that fails ends the test.
type page struct {
	t   testing.TB
	ctx context.Context
}

type step = chromedp.Action[chromedp.Void]

// startBrowser starts a headless browser with an empty profile and returns the context of its tabs.
func startBrowser(t testing.TB) context.Context {
	t.Helper()
	options := append(chromedp.DefaultExecAllocatorOptions[:],
		chromedp.ExecPath(chromium(t)), chromedp.NoSandbox, chromedp.DisableGPU,
		chromedp.Flag("disable-quic", true), chromedp.Flag("disable-component-update", true),
		chromedp.Flag("lang", "en-US"), chromedp.UserDataDir(t.TempDir()))
	allocator, cancelAllocator := chromedp.NewExecAllocator(t.Context(), options...)
	t.Cleanup(cancelAllocator)
	ctx, cancel := chromedp.NewContext(allocator)
	t.Cleanup(cancel)
	if err := chromedp.Do(ctx); err != nil { // the context of the first call is the browser's life
		t.Fatal(err)
	}
	return ctx
}

// openPage opens an address in a tab of its own.
func openPage(t testing.TB, browser context.Context, url string) *page {
	t.Helper()
	ctx, cancel := chromedp.NewContext(browser)
	t.Cleanup(cancel)
	p := &page{t: t, ctx: ctx}
	if err := chromedp.Do(ctx); err != nil { // likewise the tab's
		t.Fatal(err)
	}
	p.do(chromedp.EmulateViewport(1120, 820), chromedp.Navigate(url))
	return p
}

// chromium finds the installed browser.
func chromium(t testing.TB) string {
	t.Helper()
	for _, name := range []string{os.Getenv("FANOUS_CHROMIUM"), "chromium", "chromium-browser", "google-chrome"} {
		if path, err := exec.LookPath(name); err == nil {
			return path
		}
	}
	t.Fatal("no Chromium: install the package chromium, or set FANOUS_CHROMIUM to its path")
	return ""
}

func (p *page) do(steps ...step) {
	p.t.Helper()
	ctx, cancel := context.WithTimeout(p.ctx, patience)
	defer cancel()
	if err := chromedp.Do(ctx, steps...); err != nil {
		p.shot("failed")
		p.t.Fatal(err)
	}
}

func (p *page) click(selector string) { p.t.Helper(); p.do(chromedp.Click(selector)) }
func (p *page) press(keys string)     { p.t.Helper(); p.do(chromedp.KeyEvent(keys)) }

// until waits for a JavaScript expression to become true.
func (p *page) until(expression string) {
	p.t.Helper()
	ctx, cancel := context.WithTimeout(p.ctx, patience)
	defer cancel()
	if _, err := chromedp.Run(ctx, chromedp.Poll[bool](expression, chromedp.WithPollingTimeout(patience))); err != nil {
		p.shot("failed")
		p.t.Fatalf("waiting for %s: %v\nthe page says: %s", expression, err, p.text("document.body.innerText"))
	}
}

// untilText waits for an element's text to contain something.
func (p *page) untilText(selector, part string) {
	p.t.Helper()
	p.until(`[...document.querySelectorAll(` + quote(selector) + `)].some((e) => e.innerText.includes(` + quote(part) + `))`)
}

func evaluate[T any](p *page, expression string) T {
	p.t.Helper()
	v, err := chromedp.Run(p.ctx, chromedp.Evaluate[T](expression))
	if err != nil {
		p.t.Fatalf("%s: %v", expression, err)
	}
	return v
}

func (p *page) text(expression string) string { p.t.Helper(); return evaluate[string](p, expression) }
func (p *page) is(expression string) {
	p.t.Helper()
	if !evaluate[bool](p, expression) {
		p.shot("failed")
		p.t.Errorf("not so: %s", expression)
	}
}

// search empties the box, puts a query in, as typing or pasting does, and waits for its final answer.
func (p *page) search(query string) {
	p.t.Helper()
	p.put("")
	p.until(`!document.querySelector('ol.list, .skeleton')`)
	p.put(query)
	p.until(`document.querySelector('ol.list[aria-busy=false]:not(.stale)') !== null`)
}

func (p *page) put(query string) {
	p.t.Helper()
	p.is(`(() => {
		const box = document.querySelector('search input');
		box.value = ` + quote(query) + `;
		return box.dispatchEvent(new Event('input', { bubbles: true }));
	})()`)
}

// escape presses Esc in the search box.
func (p *page) escape() { p.t.Helper(); p.do(chromedp.Focus("search input")); p.press(kb.Escape) }

// shot keeps a picture of the page among the artefacts, once nothing moves any more, and compares it with the one that is
// kept of it (compare). Whatever is worth a picture must be accessible, too.
func (p *page) shot(name string) {
	p.t.Helper()
	if name != "failed" {
		p.until(told)
		p.axe(name)
	}
	picture, err := chromedp.Run(p.ctx, chromedp.CaptureScreenshot())
	if err != nil {
		p.t.Errorf("picture %s: %v", name, err)
		return
	}
	if err := os.MkdirAll(artifacts, 0o755); err != nil {
		p.t.Fatal(err)
	}
	if err := os.WriteFile(filepath.Join(artifacts, "window-"+name+".png"), picture, 0o644); err != nil {
		p.t.Fatal(err)
	}
	if name != "failed" && !goesOn(name) {
		compare(p.t, name, picture)
		p.keepForGuide(name)
	}
}

// goesOn says whether a picture is of something that goes on, and looks otherwise each time.
func goesOn(name string) bool {
	return slices.ContainsFunc([]string{"indexing-", "-getting-"}, func(part string) bool { return strings.Contains(name, part) })
}

// quote makes a JavaScript string.
func quote(s string) string {
	text, err := json.Marshal(s)
	if err != nil {
		panic(err)
	}
	return string(text)
}
