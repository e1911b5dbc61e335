//go:build browser

package webtest

import (
	"context"
	"encoding/json"
	"fmt"
	"path/filepath"
	"strings"
	"testing"
	"time"

	"fanous/backend"
	"fanous/backend/cohere/coheretest"

	"github.com/chromedp/chromedp"
)

// connected is a window on the sample with Cohere, whose place the stand-in of package coheretest takes.
type connected struct {
	*page
	cohere *coheretest.Server
	data   string // the data folder
}

// connect indexes the sample and lets it leave, by a search that is asked about; Cohere must answer within the deadline.
func connect(t *testing.T, browser context.Context, deadline time.Duration) *connected {
	t.Helper()
	c := &connected{cohere: coheretest.Start()}
	t.Cleanup(c.cohere.Close)
	_, url := serve(t, func(cfg *backend.Config) {
		cfg.CohereKey, cfg.CohereURL, cfg.CohereDeadline, cfg.CohereCallsPerMinute = coheretest.Key, c.cohere.URL, deadline, 0
		cfg.LocalBudget = patience // a busy machine's reranker reaches the end, too
		c.data = cfg.DataDir
	})
	c.page = openPage(t, browser, url)
	c.untilText(".invite h2", "Nothing to search yet")
	c.is(`(window.dropFiles(` + encode(t, some(t)) + `), true)`)
	c.untilText(".notice", "files indexed")
	c.click(".notice > .link")
	c.search("lighthouse keeper")
	c.push("footer", "Let Cohere order these…")
	c.push("footer .ask", "For this collection")
	c.untilText("footer .by", "Cohere")
	return c
}

// some are as many files of the sample as these searches need.
func some(t *testing.T) (paths []string) {
	t.Helper()
	for _, name := range []string{"dredging-memo.txt", "interview-crane-operator.txt", "employment-policy.docx", "lake-level-notes.txt",
		"witness-statement.docx", "ghazaj-bandar.html", "gozaresh-daryacheh.md", "nameh-maadan.txt"} {
		path, err := filepath.Abs(filepath.Join(sample, name))
		if err != nil {
			t.Fatal(err)
		}
		paths = append(paths, path)
	}
	return paths
}

// pass lets the time pass for which Cohere is left alone, in the file that every process goes by.
func (c *connected) pass(t *testing.T) {
	t.Helper()
	replace(t, filepath.Join(c.data, "cohere", "breaker.json"), func(text []byte) []byte {
		var kept struct {
			Owner string         `json:"owner"`
			Value map[string]any `json:"value"`
		}
		if err := json.Unmarshal(text, &kept); err != nil {
			t.Fatal(err)
		}
		hold := kept.Value["hold"].(map[string]any)
		hold["until"] = hold["from"]
		text, err := json.Marshal(kept)
		if err != nil {
			t.Fatal(err)
		}
		return text
	})
}

// listen keeps what is said aloud of results from now on.
func (c *connected) listen() {
	c.t.Helper()
	c.is(`(() => {
		window.heard = [''];
		window.ear?.disconnect();
		window.ear = new MutationObserver(() => {
			const said = document.querySelector('main > .column > [aria-live=polite]')?.textContent ?? '';
			if (said !== heard.at(-1)) heard.push(said);
		});
		ear.observe(document.querySelector('main > .column'), { childList: true, characterData: true, subtree: true });
		return true;
	})()`)
}

// heard fails the test where a sentence was not said exactly once.
func (c *connected) heard(part string) {
	c.t.Helper()
	said := c.text(`heard.join('\n')`)
	if n := strings.Count(said, part); n != 1 {
		c.t.Errorf("%q was said %d times:\n%s", part, n, said)
	}
}

// scores fails the test where not all scores are of this kind, and where a passage has a movement without having been
// reranked, or none although it was.
func (c *connected) scores(kind string, reranked bool) {
	c.t.Helper()
	c.is(`[...document.querySelectorAll('.score .kind')].every((e) => e.innerText === ` + quote(kind) + `)`)
	c.is(fmt.Sprintf(`[...document.querySelectorAll('.judgement p')].every((e) => e.matches('.up, .down, .stayed') === %t)`, reranked))
}

// pointAt puts the pointer on a row and returns its number and its place, for stays.
func (c *connected) pointAt(row int) (chunk string, top float64) {
	c.t.Helper()
	at := fmt.Sprintf(`document.querySelectorAll('ol.list > li')[%d]`, row)
	c.until(still)
	chunk, top = c.text(at+`.dataset.chunk`), evaluate[float64](c.page, at+`.getBoundingClientRect().top`)
	x := evaluate[float64](c.page, at+`.getBoundingClientRect().left`) + 60
	c.do(chromedp.MouseEvent(chromedp.MouseMoved, x-5, top+20), chromedp.MouseEvent(chromedp.MouseMoved, x, top+20))
	return chunk, top
}

func (c *connected) stays(chunk string, top float64) {
	c.t.Helper()
	now := evaluate[float64](c.page, `document.querySelector('li[data-chunk="`+chunk+`"]').getBoundingClientRect().top`)
	if now < top-1 || now > top+1 {
		c.t.Errorf("the row under the pointer went from %.0f to %.0f", top, now)
	}
}

// outage: Cohere falls silent in the middle of a search, is left alone, and is found again by itself.
func outage(t *testing.T, browser context.Context) {
	c := connect(t, browser, 2*time.Second)
	c.search("who signed the dredging contract")
	c.untilText("footer .by", "Cohere")
	c.scores("relevance", true)
	c.is(`document.querySelector('footer .mark') === null`)
	c.shot("outage-before-en-light")

	// The next one hangs: the fused order is there at once, and the local reranker orders it in place.
	c.listen()
	c.cohere.Behave(coheretest.Hang())
	asked := len(c.cohere.Calls())
	c.put("crane accident at night")
	c.untilText(".judgement", "not reranked yet")
	c.scores("rank score", false)
	c.untilText("footer .ranker", "Reranking…")
	chunk, top := c.pointAt(1)
	c.untilText("footer .by", "Late interaction")
	c.stays(chunk, top)
	c.untilText("footer .mark", "instead of Cohere: too late")
	c.is(`document.querySelector('footer .mark').title === 'Cohere did not answer within 2s.'`)
	c.scores("relevance", true)
	c.heard("Late interaction, instead of Cohere: too late")
	c.do(chromedp.MouseEvent(chromedp.MouseMoved, 5, 5))
	c.click("body > #app footer .toggle")
	c.untilText("footer .how", "Cohere did not answer within 2s.")
	c.inEveryLook(func(look string) { c.shot("outage-late-" + look) })
	c.click("body > #app footer .toggle")

	// Nobody waits for it again.
	c.listen()
	c.search("lake level measurements")
	c.untilText("footer .mark", "instead of Cohere: left alone for a while")
	c.heard("instead of Cohere: left alone for a while")
	if n := len(c.cohere.Calls()); n != asked+1 {
		t.Errorf("%d calls in the outage, want 1", n-asked)
	}
	c.is(`parseFloat(document.querySelector('footer .stages .total').innerText) >= 0`)

	c.comesBack(t, "who signed the dredging contract")
}

// comesBack: Cohere answers again, and the first search after the pause finds that out, without anybody's doing.
func (c *connected) comesBack(t *testing.T, query string) {
	t.Helper()
	c.cohere.Behave(coheretest.Healthy())
	c.pass(t)
	c.search(query)
	c.untilText("footer .by", "Cohere")
	c.is(`document.querySelector('footer .mark') === null`)
	c.is(`window.faults.length === 0`)
}

// outageHeld: what the window shows while Cohere is being waited for, in every look; then a network's sign-in page answers
// in its place, and a broken connection.
func outageHeld(t *testing.T, browser context.Context) {
	c := connect(t, browser, patience)
	arrived, goOn := make(chan struct{}), make(chan struct{})
	hold := func(coheretest.Call) { arrived <- struct{}{}; <-goOn }
	c.speak("fa")
	for _, fault := range []struct {
		behaviour              coheretest.Behaviour
		query, why, said, shot string
	}{
		{coheretest.PortalPage(), "پروندهٔ بندر مهتاب و متهم اصلی", "به‌جای Cohere: صفحهٔ ورود شبکه", "به جای Cohere یک صفحهٔ وب پاسخ داد", "portal"},
		{coheretest.Reset(), "خشک شدن دریاچه و کوچ ماهیگیران", "به‌جای Cohere: در دسترس نیست", "از این شبکه به Cohere دسترسی نیست.", "reset"},
	} {
		c.listen()
		c.cohere.Behave(fault.behaviour)
		c.cohere.OnCall(hold)
		c.put(fault.query)
		<-arrived
		c.untilText(".judgement", "هنوز بازچینی نشده")
		c.scores("امتیاز رتبه", false)
		if fault.shot == "portal" {
			c.inEveryLook(func(look string) { c.shot("outage-waiting-" + look) })
		}
		chunk, top := c.pointAt(1)
		c.cohere.OnCall(nil)
		goOn <- struct{}{}
		c.untilText("footer .mark", fault.why)
		c.stays(chunk, top)
		c.is(`document.querySelector('footer .mark').title.startsWith(` + quote(fault.said) + `)`)
		c.scores("ربط", true)
		c.heard(fault.why)
		c.do(chromedp.MouseEvent(chromedp.MouseMoved, 5, 5))
		c.is(`(document.querySelector('main').scrollTop = 0) === 0`) // the held row left it here or there
		c.shot("outage-" + fault.shot + "-fa-light")
	}

	// Two in a row are enough.
	asked := len(c.cohere.Calls())
	c.search("فانوس دریایی")
	c.untilText("footer .mark", "به‌جای Cohere: چندی کنار گذاشته")
	if n := len(c.cohere.Calls()); n != asked {
		t.Errorf("%d calls to what is left alone", n-asked)
	}
	c.comesBack(t, "پروندهٔ بندر مهتاب و متهم اصلی")
}
