//go:build browser

package webtest

import (
	"context"
	"fmt"
	"math"
	"os"
	"path/filepath"
	"strings"
	"testing"
	"time"

	"fanous/backend"
	"fanous/backend/extract/pdftest"

	"github.com/chromedp/chromedp"
	"github.com/chromedp/chromedp/kb"
)

// mailbox has a letter with an attachment whose name and text are markup.
const mailbox = `From keeper@example.org Mon Jan  1 00:00:00 2024
From: keeper@example.org
Subject: Zirconium <b>inventory</b>
MIME-Version: 1.0
Content-Type: multipart/mixed; boundary=x

--x
Content-Type: text/plain

The store is counted.
--x
Content-Type: text/html; name="<img src=x onerror=alert(1)>.html"
Content-Disposition: attachment; filename="<img src=x onerror=alert(1)>.html"

<p>Zirconium in the shed. &lt;script&gt;window.pwned = 1&lt;/script&gt;</p>
--x--
`

// writePreviewed writes the documents of the story.
func writePreviewed(t *testing.T) string {
	t.Helper()
	dir := t.TempDir()
	var long strings.Builder
	for i := range 900 {
		fmt.Fprintf(&long, "Entry %d of the log says that the weather was fair. ", i)
		if i%300 == 150 {
			long.WriteString("Then the quagga came ashore. ")
		}
		if i%6 == 5 {
			long.WriteString("\n\n")
		}
	}
	persian, err := os.ReadFile(filepath.Join(sample, "qarardad-ejareh.pdf"))
	if err != nil {
		t.Fatal(err)
	}
	for name, data := range map[string][]byte{
		"evil.txt": []byte(evil), "log.txt": []byte(long.String()), "post.mbox": []byte(mailbox), "قرارداد.pdf": persian,
		"letter.pdf": pdftest.Letter([]string{"Nothing is here yet."}, []string{"The lantern shines", "and lanterns glow."}, []string{"A last lantern."}),
	} {
		if err := os.WriteFile(filepath.Join(dir, name), data, 0o600); err != nil {
			t.Fatal(err)
		}
	}
	return dir
}

// boxes gives where marks are on the page, as shares of it.
func (p *page) boxes(selector string) [][4]float64 {
	p.t.Helper()
	return evaluate[[][4]float64](p, `(() => {
		const sheet = document.querySelector('aside .sheet').getBoundingClientRect();
		return [...document.querySelectorAll('aside .sheet '+`+quote(selector)+`)].map((e) => {
			const b = e.getBoundingClientRect();
			return [(b.left - sheet.left) / sheet.width, (b.top - sheet.top) / sheet.height, b.width / sheet.width, b.height / sheet.height];
		});
	})()`)
}

// toResults puts the focus on the first result.
func (p *page) toResults() {
	p.t.Helper()
	p.do(chromedp.Focus("search input"))
	p.press(kb.ArrowDown)
}

const pageDrawn = `document.querySelector('aside[aria-busy=false] .sheet .mark') !== null`

// preview: a passage in its document, beside the results: pages with what is marked in its place, text, members, errors.
func preview(t *testing.T, browser context.Context) {
	server, url := serve(t, func(cfg *backend.Config) { cfg.RuntimeLibrary, cfg.ModelDirs = "", nil })
	p := openPage(t, browser, url)
	p.do(chromedp.EmulateViewport(1280, 860))
	dir := writePreviewed(t)
	p.untilText(".invite h2", "Nothing to search yet")
	p.click(".invite .button")
	server.Folder <- dir
	p.untilText(".notice", "files indexed")
	p.click(".notice > .link")

	// A page: the words are marked where the file draws them, whichever way the page got here.
	p.search("lantern")
	p.toResults()
	p.is(`document.activeElement.dataset.index === '0'`)
	p.press(" ")
	p.until(pageDrawn)
	p.is(`document.activeElement.dataset.index === '0'`)
	p.untilText("aside .steps", "page 2 of 3")
	// The widths are those of Helvetica: "The " 40.02 points, "lantern" 61.14, "and " 38.92, "lanterns" 71.14.
	want := [][4]float64{{112.02 / 612, 75.0 / 792, 61.14 / 612, 22.0 / 792}, {110.92 / 612, 115.0 / 792, 71.14 / 612, 22.0 / 792}}
	got := p.boxes(".mark")
	if len(got) != len(want) {
		t.Fatalf("marks %v", got)
	}
	for i := range want {
		for k := range want[i] {
			if math.Abs(got[i][k]-want[i][k]) > 0.004 {
				t.Errorf("mark %d is at %v, want %v", i, got[i], want[i])
				break
			}
		}
	}
	p.is(`document.querySelector('aside canvas').width > 300`)
	p.shot("preview-page-en-light")
	p.axe("preview of a page")

	// From match to match, over pages, and round.
	p.untilText("aside .steps", "match 1 of 2")
	p.press("n")
	p.untilText("aside .steps", "page 3 of 3")
	p.untilText("aside .steps", "match 2 of 2")
	p.press("p")
	p.untilText("aside .steps", "page 2 of 3")
	// Another page, which has no passage of it, and back.
	p.click(`aside button[aria-label="Previous page"]`)
	p.untilText("aside .steps", "page 1 of 3")
	p.is(`document.querySelectorAll('aside .mark').length === 0`)
	p.click("aside footer button:last-of-type")
	p.until(pageDrawn)
	// The whole page at once, as text, and as a page again.
	p.click(`aside button[aria-label="Show the whole page"]`)
	p.until(`document.querySelector('aside .sheet').offsetHeight <= document.querySelector('aside .view').clientHeight`)
	p.click("aside .choice button:last-child")
	p.untilText("aside .text mark", "lantern")
	p.untilText("aside .text .passage", "and lanterns glow.")
	p.click("aside .choice button:first-child")
	p.until(pageDrawn)
	p.click(`aside button[aria-label="Fit to the width"]`)

	// Open and show it from there; Esc closes it and gives the focus back.
	p.click("aside footer .action")
	if opened := <-server.Opened; opened != "open "+filepath.Join(dir, "letter.pdf") {
		t.Error(opened)
	}
	p.press(kb.Escape)
	p.until(`document.querySelector('aside') === null`)
	p.is(`document.activeElement.dataset.index === '0'`)

	// A click on the place of a result opens it, too, and what is under the pointer stays there.
	const place = `document.querySelector('article button.place').getBoundingClientRect()`
	top := evaluate[float64](p, place+`.top`)
	p.do(chromedp.MouseClickXY(evaluate[float64](p, place+`.left + 10`), top+8))
	p.until(pageDrawn)
	if now := evaluate[float64](p, place+`.top`); math.Abs(now-top) > 2 { // a list scrolls by whole pixels
		t.Errorf("the result moved from %v to %v", top, now)
	}
	p.click(`aside .title .round`)
	p.until(`document.querySelector('aside') === null`)

	// Text: long, with the passage in view, and the others a key away. Arrows enter and leave the pane.
	p.search("quagga")
	p.toResults()
	p.press(kb.ArrowRight)
	p.untilText("aside .text .passage", "quagga")
	p.untilText("aside .steps", "of 3")
	p.is(`(() => {
		const view = document.querySelector('aside .view').getBoundingClientRect();
		const at = document.querySelector('aside .text .passage mark').getBoundingClientRect();
		return at.top > view.top && at.bottom < view.bottom;
	})()`)
	p.is(`document.querySelectorAll('aside .text .passage').length === 1 && document.querySelectorAll('aside canvas').length === 0`)
	p.shot("preview-text-en-light")
	p.press(kb.ArrowRight)
	p.is(`document.activeElement.matches('aside .view')`)
	p.press("n")
	p.untilText("aside .steps", "match 2 of 3")
	p.press(kb.ArrowLeft)
	p.is(`document.activeElement.matches('article')`)
	p.is(`document.querySelector('aside .link') !== null`)
	for range 2 { // the first time it may still be at the edge
		first := p.text(`document.querySelector('aside .text').innerText.slice(0, 60)`)
		p.click("aside .sheet > .link:last-child")
		p.until(`document.querySelector('aside .text').innerText.slice(0, 60) !== ` + quote(first))
	}
	p.untilText("aside .elsewhere", "elsewhere in the document")
	p.click("aside .elsewhere .link")
	p.untilText("aside .text .passage", "quagga")

	// It follows the selection and a new query; what a document says, or is called, is text.
	p.search("zirconium")
	p.untilText("aside .text", "Zirconium")
	p.toResults()
	p.press(kb.ArrowDown)
	p.untilText("aside .place", "onerror")
	p.shot("preview-member-en-light")
	p.search("zanzibarium")
	p.untilText("aside .text .passage", `<img src=x onerror="window.pwned = 1">`)
	p.is(`window.pwned === undefined && document.querySelectorAll('aside img, aside script, aside style').length === 0`)

	// Persian: the page stays as it is in a window that runs the other way.
	p.click("header nav button[lang=fa]")
	p.search("فسخ قرارداد")
	p.until(pageDrawn)
	p.untilText("aside .steps", "مورد ۳ از ۳")
	p.is(`document.querySelector('aside').getBoundingClientRect().left === 0`)
	for _, box := range p.boxes(".mark") {
		if box[0] < 0 || box[0]+box[2] > 1 {
			t.Errorf("a mark is beside the page: %v", box)
		}
	}
	p.shot("preview-page-fa-light")
	p.click("header nav .icon:last-of-type")
	p.click("header nav .icon:last-of-type")
	p.until(`document.documentElement.dataset.theme === 'dark'`)
	p.shot("preview-page-fa-dark")
	p.click("aside .choice button:last-child")
	p.untilText("aside .text mark", "فسخ")
	p.shot("preview-text-fa-dark")
	p.axe("preview of a text, dark")
	p.click("aside .choice button:first-child")
	p.toResults()
	p.press(kb.Escape)
	p.until(`document.querySelector('aside') === null`)
	p.press(kb.ArrowLeft) // to where the pane stands
	p.until(pageDrawn)

	// A file that has changed, and one that is gone: the indexed text, and why.
	p.click("header nav button[lang=en]")
	if err := os.Chtimes(filepath.Join(dir, "letter.pdf"), time.Time{}, time.Unix(1, 0)); err != nil {
		t.Fatal(err)
	}
	p.search("lantern")
	p.untilText("aside .told", "has changed since it was indexed")
	p.untilText("aside .text .passage", "lantern")
	p.shot("preview-changed-en-dark")
	p.axe("preview of a changed file")
	if err := os.Remove(filepath.Join(dir, "letter.pdf")); err != nil {
		t.Fatal(err)
	}
	p.search("lanterns")
	p.untilText("aside .told", "not there any more")

	// A narrow window: the pane lies over the results, which keep their width.
	width := evaluate[float64](p, `document.querySelector('main').offsetWidth`)
	p.do(chromedp.EmulateViewport(700, 820))
	p.is(`document.querySelector('main').offsetWidth === innerWidth && ` + fmt.Sprint(width > 0))
	p.shot("preview-narrow-en-dark")

	// In a low window all of the selected result is in view after the pane has made it higher.
	p.toResults()
	p.press(kb.Escape)
	p.until(`document.querySelector('aside') === null`)
	p.do(chromedp.EmulateViewport(1280, 560))
	p.search("zirconium")
	p.toResults()
	p.press(kb.End)
	p.press(" ")
	p.untilText("aside .place", "onerror")
	p.until(`(() => {
		const [card, list, box] = [document.activeElement, document.querySelector('main'), document.querySelector('main .ask')].map((e) => e.getBoundingClientRect());
		return document.activeElement.matches('article') && card.top >= box.bottom && card.bottom <= list.bottom;
	})()`)
	p.is(`window.faults.length === 0`)
}
