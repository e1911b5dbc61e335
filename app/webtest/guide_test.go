//go:build browser

package webtest

import (
	"context"
	"os"
	"path/filepath"
	"testing"

	"fanous/backend"

	"github.com/chromedp/cdproto/cdp"
	cdppage "github.com/chromedp/cdproto/page"
	"github.com/chromedp/chromedp"
)

// guidePictures are where the guide's pictures lie, and guideOf which pictures of the window they are.
const guidePictures = "../../frontend/src/assets/guide"

var guideOf = map[string]string{
	"results-en-light": "en-results", "results-fa-light": "fa-results",
	"preview-page-en-light": "en-preview", "preview-page-fa-light": "fa-preview",
	"collections-files-en-light": "en-collections", "collections-files-fa-light": "fa-collections",
	"models-imported-en-light": "en-models", "models-imported-fa-light": "fa-models",
	"measure-report-en-light": "en-measure", "measure-report-fa-light": "fa-measure",
	"ledger-en-light": "en-ledger", "ledger-fa-light": "fa-ledger",
}

// keepForGuide writes what the page shows into the guide, where it is one of the guide's pictures and pictures are kept anew.
func (p *page) keepForGuide(name string) {
	p.t.Helper()
	of, ok := guideOf[name]
	if !ok || !*update {
		return
	}
	taken, err := chromedp.Run(p.ctx, chromedp.Action[cdppage.CaptureScreenshotResult](func(ctx context.Context, t *chromedp.Target) (cdppage.CaptureScreenshotResult, error) {
		return cdp.Call(ctx, t, cdppage.CaptureScreenshot, cdppage.CaptureScreenshotParams{Format: cdppage.CaptureScreenshotFormatWebp})
	}))
	if err != nil {
		p.t.Fatal(err)
	}
	if err := os.WriteFile(filepath.Join(guidePictures, of+".webp"), taken.Data, 0o644); err != nil {
		p.t.Fatal(err)
	}
}

// guideJourney reads the guide in both languages: each part has its picture, and every link of the contents leads to one.
func guideJourney(t *testing.T, browser context.Context) {
	_, url := serve(t, func(*backend.Config) {})
	p := openPage(t, browser, url)
	p.untilText(".invite h2", "Nothing to search yet")
	p.click(`[data-screen=guide]`)
	p.until(`document.activeElement.matches('main h2')`)
	for _, language := range []string{"en", "fa"} {
		p.speak(language)
		p.is(`document.querySelectorAll('main section').length === 6`)
		p.is(`[...document.querySelectorAll('main nav a')].every((a) => document.querySelector(a.getAttribute('href')) !== null)`)
		p.is(`document.querySelectorAll('main section img[alt]').length === 6`)
		p.until(`[...document.querySelectorAll('main section img')].every((img) => { img.loading = 'eager'; return img.complete && img.naturalWidth >= 1000; })`)
		p.shot("guide-" + language + "-light")
	}
}
