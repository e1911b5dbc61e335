//go:build browser

package webtest

import (
	"encoding/json"
	"fmt"
	"os"
	"strings"
	"sync"

	"github.com/chromedp/chromedp"
)

// axeFile is the accessibility checker, of the frontend's devDependencies; it is put into the page by the test alone.
const axeFile = "../../frontend/node_modules/axe-core/axe.min.js"

// axeSource is read once: the tests of this package ask for it dozens of times.
var axeSource = sync.OnceValues(func() (string, error) {
	source, err := os.ReadFile(axeFile)
	return string(source), err
})

// axe fails the test where axe-core finds something serious or critical in what the page shows now. state names what
// that is.
func (p *page) axe(state string) {
	p.t.Helper()
	p.until(still)
	if !evaluate[bool](p, `'axe' in window`) {
		source, err := axeSource()
		if err != nil {
			p.t.Fatalf("axe-core is not installed: npm ci in frontend/: %v", err)
		}
		p.is("(() => {" + source + "\n})() === undefined")
	}
	found, err := chromedp.Run(p.ctx, chromedp.Evaluate[string](`axe.run(document, { resultTypes: ['violations'] }).then(
		({ violations }) => JSON.stringify(violations.filter((v) => ['serious', 'critical'].includes(v.impact)).map((v) => ({
			id: v.id, impact: v.impact, help: v.help,
			nodes: v.nodes.map((n) => ({ target: n.target.join(' '), html: n.html, summary: n.failureSummary })),
		}))))`, chromedp.EvalAwaitPromise))
	if err != nil {
		p.t.Fatalf("axe, %s: %v", state, err)
	}
	var violations []violation
	if err := json.Unmarshal([]byte(found), &violations); err != nil {
		p.t.Fatal(err)
	}
	for _, v := range violations {
		p.t.Errorf("axe, %s: %v", state, v)
	}
}

// violation is a rule of axe-core that the page breaks, and where.
type violation struct {
	ID     string `json:"id"`
	Impact string `json:"impact"`
	Help   string `json:"help"`
	Nodes  []struct {
		Target  string `json:"target"`
		HTML    string `json:"html"`
		Summary string `json:"summary"`
	} `json:"nodes"`
}

func (v violation) String() string {
	var b strings.Builder
	fmt.Fprintf(&b, "%s (%s): %s", v.ID, v.Impact, v.Help)
	for _, n := range v.Nodes {
		fmt.Fprintf(&b, "\n\t%s\n\t\t%s\n\t\t%s", n.Target, n.HTML, strings.ReplaceAll(n.Summary, "\n", "\n\t\t"))
	}
	return b.String()
}

// inEveryLook runs a check in both languages and both themes, each named "en-light" and so on, and leaves the page in the
// language that it had, and light.
func (p *page) inEveryLook(check func(look string)) {
	p.t.Helper()
	language := p.text(`document.documentElement.lang`)
	for _, lang := range []string{"en", "fa"} {
		p.speak(lang)
		for _, theme := range []string{"dark", "light"} {
			p.paint(theme)
			check(lang + "-" + theme)
		}
	}
	p.speak(language)
}

// speak switches the window's language.
func (p *page) speak(language string) {
	p.t.Helper()
	if p.text(`document.documentElement.lang`) != language {
		p.click("header nav button[lang=" + language + "]")
		p.until(`document.documentElement.lang === ` + quote(language))
	}
}

// paint switches the window's theme.
func (p *page) paint(theme string) {
	p.t.Helper()
	for range 3 { // light, dark, as the system
		if p.text(`document.documentElement.dataset.theme`) == theme {
			return
		}
		p.click("header nav .icon:last-of-type")
	}
	p.t.Errorf("the window does not become %s", theme)
}
