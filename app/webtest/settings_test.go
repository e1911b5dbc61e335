//go:build browser

package webtest

import (
	"context"
	"os"
	"path/filepath"
	"testing"

	"fanous/backend"
	"fanous/backend/keychain"

	"github.com/chromedp/chromedp"
	"github.com/chromedp/chromedp/kb"
)

// serveFolder starts the window's page on a data folder whose settings it reads each time, without models and keychain.
func serveFolder(t *testing.T, dir string) (*Server, string) {
	t.Helper()
	t.Setenv("CO_API_KEY", "")
	t.Setenv(keychain.Off, "off")
	keys := keychain.New()
	return serveConfigured(t, func() (backend.Config, error) {
		cfg, err := backend.LoadConfig("", dir)
		cfg.RuntimeLibrary, cfg.ModelDirs, cfg.Keychain = "", nil, keys
		return cfg, err
	})
}

// settle puts a value into a field and leaves it.
func (p *page) settle(selector, value string) {
	p.t.Helper()
	p.is(`(() => {
		const field = document.querySelector(` + quote(selector) + `);
		field.value = ` + quote(value) + `;
		field.dispatchEvent(new Event('input', { bubbles: true }));
		return field.dispatchEvent(new Event('change', { bubbles: true }));
	})()`)
}

// visit goes to a screen by its tab, whatever the language.
func (p *page) visit(screen string) {
	p.t.Helper()
	p.click(`header .tab[data-screen="` + screen + `"]`)
}

// settingsJourney changes settings of both kinds, and what is refused; the key is kept and never shown.
func settingsJourney(t *testing.T, browser context.Context) {
	dir := t.TempDir()
	t.Setenv("FANOUS_DEVICE", "cpu")
	if err := os.WriteFile(filepath.Join(dir, "config.toml"), []byte("candidates = 60\n"), 0o644); err != nil {
		t.Fatal(err)
	}
	server, url := serveFolder(t, dir)
	p := openPage(t, browser, url)
	p.untilText(".invite h2", "Nothing to search yet")
	p.visit("settings")
	p.untilText("h2", "Settings")
	p.untilText("#group-network", "Cohere")
	p.shot("settings-en-light")

	// Where each value comes from.
	p.untilText("#setting-candidates-below", filepath.Join(dir, "config.toml"))
	p.untilText("#setting-device-below", "The variable FANOUS_DEVICE of the environment comes first.")
	p.is(`document.querySelector('#setting-device').disabled`)

	// A change counts at once, is told of, and can be taken back.
	p.settle("#setting-top", "9")
	p.untilText(".last", "Changed: Results of the command line (N)")
	p.untilText("#setting-top-below", "set here")
	p.untilText("#setting-top-below", "otherwise 5")
	p.click(".last .link")
	p.untilText("#setting-top-below", "default")
	p.is(`document.querySelector('#setting-top').value === '5'`)

	// What is not allowed is refused, said, and not done.
	p.settle("#setting-top", "61")
	p.untilText(".refused", "top is 61 and candidates is 60")
	p.is(`document.querySelector('#setting-top').getAttribute('aria-invalid') === 'true'`)
	p.is(`(document.querySelector('.refused').scrollIntoView({ block: 'center' }), true)`)
	p.shot("settings-refused-en-light")
	p.axe("settings")
	p.settle("#setting-top", "5")
	p.until(`document.querySelector('.refused') === null`)
	p.settle("#setting-cohere_deadline", "3.5")
	p.until(`document.querySelector('#setting-cohere_deadline').value === '3.5'`)

	// Offline: the status of Cohere says it without a restart.
	p.click("#setting-offline")
	p.until(`document.querySelector('#setting-offline').checked`)

	// The key.
	p.settle("#cohere-key", "two words")
	p.click("form .button")
	p.untilText(".refused", "this is no key of Cohere")
	p.settle("#cohere-key", "made-up-key-0123456789")
	p.click("form .button")
	p.untilText("#cohere-key-state", "A key is set until Fanous is closed")
	p.untilText("#cohere-key-state", "The keychain is switched off")
	p.is(`document.querySelector('#cohere-key').value === '' && !document.body.innerHTML.includes('made-up-key')`)
	p.click("header nav:last-of-type .tool")
	p.untilText("dialog", "The offline switch is on.")
	p.press(kb.Escape)
	p.until(`document.querySelector('dialog[open]') === null`)
	p.click("#cohere-key-state .link:last-of-type")
	p.untilText("#cohere-key-state", "No key is set")

	// The search among settings, the data folder.
	p.settle(".head input", "ledger")
	p.until(`document.querySelectorAll('.row').length === 1`)
	p.do(chromedp.Focus(".head input"))
	p.press(kb.Escape)
	p.until(`document.querySelectorAll('.row').length > 30`)
	p.click("section[aria-labelledby=group-folder] .button")
	if got := <-server.Opened; got != "show "+dir {
		t.Errorf("%s, want show %s", got, dir)
	}

	// Twice the size: nothing runs out of the window.
	p.settle("#window-text", "2")
	p.until(`getComputedStyle(document.documentElement).fontSize === '32px'`)
	p.is(`document.documentElement.scrollWidth <= innerWidth`)
	p.until(`(() => {
		const tab = document.querySelector('header .tab[aria-current]').getBoundingClientRect();
		return tab.left >= 0 && tab.right <= innerWidth;
	})()`)
	p.is(`[...document.querySelectorAll('main *')].every((e) => e.getBoundingClientRect().right <= innerWidth + 1)`)
	p.shot("settings-200-en-light")
	p.settle("#window-text", "1")

	// In Persian and dark; its digits can be typed, and be Latin.
	p.settle("#window-language", "fa")
	p.until(`document.documentElement.dir === 'rtl'`)
	p.settle("#window-theme", "dark")
	p.until(`document.querySelector('#setting-candidates').value === '۶۰'`)
	p.settle("#setting-candidates", "۷۰")
	p.untilText("#setting-candidates-below", "از همین‌جا")
	p.settle("#setting-lexical_weight", "۰٫۵")
	p.untilText("#setting-lexical_weight-below", "از همین‌جا")
	p.is(`(document.querySelector('#cohere-key').scrollIntoView({ block: 'center' }), true)`)
	p.shot("settings-fa-dark")
	p.axe("settings in Persian")
	p.settle("#window-digits", "latin")
	p.until(`document.querySelector('#setting-candidates').value === '70'`)

	// All of it outlives the window.
	p.do(chromedp.Reload())
	p.until(`document.documentElement.dir === 'rtl' && document.documentElement.dataset.theme === 'dark'`)
	p.visit("settings")
	p.until(`document.querySelector('#setting-lexical_weight')?.value === '0.5'`)
	p.is(`document.querySelector('#setting-cohere_deadline').value === '3.5'`)
	p.is(`window.faults.length === 0`)
}
