//go:build browser

package webtest

import (
	"archive/zip"
	"bytes"
	"context"
	"fmt"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"fanous/backend"

	"github.com/chromedp/chromedp"
	"github.com/chromedp/chromedp/kb"
)

// writeFiles writes files below a folder.
func writeFiles(t *testing.T, dir string, files map[string]string) {
	t.Helper()
	for name, text := range files {
		path := filepath.Join(dir, name)
		if err := os.MkdirAll(filepath.Dir(path), 0o755); err != nil {
			t.Fatal(err)
		}
		if err := os.WriteFile(path, []byte(text), 0o644); err != nil {
			t.Fatal(err)
		}
	}
}

// zipped makes an archive.
func zipped(t *testing.T, files map[string]string) string {
	t.Helper()
	var b bytes.Buffer
	w := zip.NewWriter(&b)
	for name, text := range files {
		f, err := w.Create(name)
		if err != nil {
			t.Fatal(err)
		}
		if _, err := f.Write([]byte(text)); err != nil {
			t.Fatal(err)
		}
	}
	if err := w.Close(); err != nil {
		t.Fatal(err)
	}
	return b.String()
}

// fill replaces what stands in a field, as typing does.
func (p *page) fill(selector, text string) {
	p.t.Helper()
	p.is(`(() => {
		const field = document.querySelector(` + quote(selector) + `);
		field.value = ` + quote(text) + `;
		return field.dispatchEvent(new Event('input', { bubbles: true }));
	})()`)
}

// push presses a button inside an element by what it says, once it can be pressed.
func (p *page) push(within, says string) {
	p.t.Helper()
	find := `[...document.querySelectorAll(` + quote(within+" button") + `)].find((b) => b.innerText.trim() === ` + quote(says) + `)`
	p.until(find + ` !== undefined && !` + find + `.disabled`)
	p.is(`(` + find + `.click(), true)`)
}

// collectionsJourney looks after collections: from the first folder on, each step builds on those before.
func collectionsJourney(t *testing.T, browser context.Context) {
	server, url := serve(t, func(cfg *backend.Config) { cfg.RuntimeLibrary, cfg.ModelDirs = "", nil })
	p := openPage(t, browser, url)
	p.untilText(".invite h2", "Nothing to search yet")
	p.screen("2")
	p.untilText("main .empty h2", "There is no collection yet")
	p.shot("collections-empty-en-light")

	// The first one: a name, then its folder. A dialog that is cancelled makes nothing.
	harbour, letters := filepath.Join(t.TempDir(), "harbour"), filepath.Join(t.TempDir(), "نامه‌ها")
	writeFiles(t, harbour, map[string]string{
		"log.md": "# Harbour\n\nThe lantern was lit at dusk.\n", "evil.txt": evil, "drafts/old.txt": "An old draft of the log.\n",
		"broken.docx": "PK\x03\x04 no archive", "archive.zip": zipped(t, map[string]string{"inside.txt": "A letter within an archive.\n"}),
		"copy.md": "# Harbour\n\nThe lantern was lit at dusk.\n", "picture.png": "\x89PNG\r\n\x1a\n\x00\x00\x00\rIHDR",
		`<img src=x onerror="window.pwned=1">.txt`: "A file whose name is markup.\n",
	})
	writeFiles(t, letters, map[string]string{"نامه.txt": "نگهبان فانوس دریایی نامه‌ای نوشت.\n"})
	p.fill("form input", "Harbour")
	p.push("form", "Choose its folder…")
	server.Folder <- ""
	p.push("form", "Choose its folder…")
	server.Folder <- harbour
	p.untilText("main h3", "Harbour")
	p.untilText(".notice", "files indexed")
	p.push(".notice", "Dismiss")

	// Its files, each with its state and the reason for it, in the order of their paths; what they are called is text.
	p.untilText(`article[data-state=failed]`, "broken.docx")
	p.untilText(`article[data-state=container]`, "archive.zip")
	p.untilText(`article.member`, "inside.txt")
	p.untilText(`article .same`, "The same content as")
	p.untilText(`article .name`, `<img src=x onerror="window.pwned=1">.txt`)
	p.is(`window.pwned === undefined`)
	p.is(`document.querySelectorAll('main img, main article script').length === 0`)
	p.inEveryLook(func(look string) {
		p.shot("collections-files-" + look)
	})

	// By state and by name.
	failed := `[...document.querySelectorAll('.filter button')].find((b) => b.innerText.startsWith('failed'))`
	p.is(`(` + failed + `.click(), true)`)
	p.until(`document.querySelectorAll('main article').length === Number(` + failed + `.querySelector('span').innerText)`)
	p.is(`[...document.querySelectorAll('main article')].every((a) => a.dataset.state === 'failed')`)
	p.click(".filter .chip")
	p.fill(".find input", "DRAFTS")
	p.until(`document.querySelectorAll('main article').length === 1`)
	p.untilText("main article", "old.txt")
	p.fill(".find input", "no such file")
	p.untilText("main .empty", "No file is like that.")
	p.fill(".find input", "")
	p.until(`document.querySelectorAll('main article').length > 5`)

	// By the keyboard: to the second row, open it, show it.
	p.tabTo("main article[data-index]")
	p.press(kb.ArrowDown)
	p.until(`document.activeElement.dataset.index === '1'`)
	path := p.text(`document.activeElement.querySelector('.path').title`)
	p.do(chromedp.KeyEvent(kb.Enter, chromedp.KeyModifiers(chromedp.ModifierCtrl)))
	if got := <-server.Opened; !strings.HasPrefix("show "+path, got) { // of a member, the file that holds it
		t.Errorf("Ctrl-Enter: %s, want show %s", got, path)
	}

	// A failed file that was mended is read again by itself.
	writeFiles(t, harbour, map[string]string{"broken.docx": "PK\x03\x04 still no archive"})
	p.is(`(document.querySelector('article[data-state=failed] button').click(), true)`)
	p.untilText(".notice", "indexed")
	p.push(".notice", "Dismiss")

	// The list as a table, safe for spreadsheets.
	table := filepath.Join(t.TempDir(), "files.csv")
	p.push(".foot", "Export as CSV…")
	server.File <- table
	p.untilText(".notice", "Written:")
	if text, err := os.ReadFile(table); err != nil || !strings.Contains(string(text), "inside.txt") {
		t.Errorf("%s, %v", text, err)
	}
	p.push(".notice", "Dismiss")

	// Patterns: how many that would be is said before anything is kept.
	p.is(`(document.querySelector('[role=tab][aria-selected=false]').click(), true)`)
	p.untilText(".count", "files belong to it")
	p.fill("textarea[name=ignore]", "drafts/\n*.png")
	p.untilText(".count", "6 files would belong to it")
	p.inEveryLook(func(look string) {
		p.shot("collections-settings-" + look)
	})
	p.push("section form", "Save")
	p.untilText("section form", "Saved. The next update follows it.")
	p.push("section form", "Update")
	p.untilText(".notice", "2 gone")
	p.push(".notice", "Dismiss")

	// A second folder in it, taken out again; what may leave; what is followed.
	p.push("section", "Add folder…")
	server.Folder <- letters
	p.untilText(".notice", "1 file indexed")
	p.push(".notice", "Dismiss")
	p.untilText("section ul", "نامه‌ها")
	p.is(`(document.querySelector('section li:nth-child(2) .link').click(), true)`)
	p.untilText(".notice", "is taken out")
	p.push(".notice", "Dismiss")
	p.is(`(document.querySelector('input[value=never]').click(), true)`)
	p.untilText("main nav li", "Never")
	p.is(`(document.querySelector('input[name=watch]').click(), true)`)
	p.untilText(".watch", "watched.")
	p.untilText("main nav li", "watched")

	// A new file of a folder that is followed is found without anybody asking.
	writeFiles(t, harbour, map[string]string{"new.txt": "A quokka was seen at the harbour.\n"})
	p.is(`(document.querySelector('[role=tab][aria-selected=false]').click(), true)`)
	p.untilText("article .name", "new.txt")

	// Another name, and removing: said before, and the files stay.
	p.push(".actions", "Rename…")
	p.fill(".question input", "Port")
	p.push(".question", "Rename")
	p.untilText("main h3", "Port")
	p.push(".actions", "Remove…")
	p.untilText(".question", "Your files and folders stay as they are.")
	p.is(`document.activeElement.innerText === 'Keep it'`)
	p.shot("collections-remove-en-light")
	p.press(kb.Escape)
	p.until(`document.querySelector('.question') === null`)
	p.push(".actions", "Remove…")
	p.push(".question", "Remove it")
	p.untilText("main .empty h2", "There is no collection yet")
	p.untilText(".notice", "Port is removed.")
	if _, err := os.Stat(filepath.Join(harbour, "log.md")); err != nil {
		t.Error(err)
	}
	if faults := p.text(`window.faults.join("\n")`); faults != "" {
		t.Error(faults)
	}
}

// manyFiles: a run is paused and goes on, and a list of thousands shows what is looked at and no more.
func manyFiles(t *testing.T, browser context.Context) {
	server, url := serve(t, func(cfg *backend.Config) { cfg.RuntimeLibrary, cfg.ModelDirs = "", nil })
	p := openPage(t, browser, url)
	dir := t.TempDir()
	files := map[string]string{}
	for i := range 2500 {
		files[fmt.Sprintf("%02d/%04d.txt", i/100, i)] = fmt.Sprintf("Note %d of the harbour.\n", i)
	}
	writeFiles(t, dir, files)
	p.untilText(".invite h2", "Nothing to search yet")
	p.screen("2")
	p.fill("form input", "Notes")
	p.push("form", "Choose its folder…")
	server.Folder <- dir
	p.push("main:not([hidden]) .strip", "Pause")
	p.untilText(".notice", "Paused: “Notes”.")
	p.shot("collections-paused-en-light")
	p.push(".notice", "Go on")
	p.untilText(".notice", "files indexed")
	p.push(".notice", "Dismiss")
	p.untilText(".find", "2,500 files")
	p.is(`document.querySelectorAll('main article').length < 60`)
	p.tabTo("main article[data-index]")
	for page := 1; page <= 3; page++ { // each time to the end of what is there, after which more is fetched
		p.press(kb.End)
		p.until(fmt.Sprintf(`Number(document.activeElement.dataset.index) === %d`, page*400-1))
		p.until(fmt.Sprintf(`document.querySelector('main li[aria-posinset="%d"]') !== null`, page*400+1))
	}
	p.is(`document.querySelectorAll('main article').length < 80`)
	if faults := p.text(`window.faults.join("\n")`); faults != "" {
		t.Error(faults)
	}
}
