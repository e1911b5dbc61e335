package report

import (
	"fmt"
	"html/template"
	"strings"

	"fanous/backend/eval"
)

// The plots are small pictures in the cells of tables that hold the same figures. Nothing in them comes from outside but
// numbers, and labels that are escaped here.

const (
	plotWidth  = 260.0
	plotHeight = 22.0
)

// line draws a value of [0,1] with its interval.
func line(value float64, in eval.Interval) template.HTML {
	x := func(v float64) float64 { return 4 + v*(plotWidth-8) }
	return picture(`<path class="grid" d="M%.1f 0V22M%.1f 0V22M%.1f 0V22"/><path class="whisker" d="M%.1f 11H%.1f"/><circle cx="%.1f" cy="11" r="4.5"/>`,
		x(0), x(0.5), x(1), x(in.Low), x(in.High), x(value))
}

// around draws a difference with its interval about 0, on a scale that holds all of it.
func around(d eval.Delta) template.HTML {
	scale := 0.05
	for scale < max(-d.Low, d.High, d.Delta, -d.Delta) && scale < 1 {
		scale *= 2
	}
	x := func(v float64) float64 { return plotWidth/2 + v/scale*(plotWidth/2-6) }
	class := "chance"
	if d.Significant && d.Delta > 0 {
		class = "better"
	} else if d.Significant {
		class = "worse"
	}
	return picture(`<path class="grid" d="M%.1f 0V22"/><g class="%s"><path class="whisker" d="M%.1f 11H%.1f"/><circle cx="%.1f" cy="11" r="4.5"/></g>`,
		x(0), class, x(d.Low), x(d.High), x(d.Delta))
}

// bar draws a median latency as a bar and the 95th of 100 as a mark.
func bar(l eval.Latency, most float64) template.HTML {
	if most <= 0 {
		most = 1
	}
	x := func(v float64) float64 { return v / most * (plotWidth - 4) }
	return picture(`<rect class="bar" x="0" y="5" width="%.1f" height="12"/><path class="whisker" d="M%.1f 2V20"/>`, x(l.P50), x(l.P95)+2)
}

func picture(format string, args ...any) template.HTML {
	inside := fmt.Sprintf(format, args...)
	return template.HTML(fmt.Sprintf(`<svg viewBox="0 0 %.0f %.0f" width="%.0f" height="%.0f" aria-hidden="true">%s</svg>`,
		plotWidth, plotHeight, plotWidth, plotHeight, inside))
}

// column is one bar of a histogram.
type column struct {
	label string
	count int
	shown string
}

func columns(all []column) template.HTML {
	const each, height, foot = 62.0, 120.0, 34.0
	most := 1
	var said []string
	for _, c := range all {
		most = max(most, c.count)
		said = append(said, c.label+": "+c.shown)
	}
	var out strings.Builder
	width := each * float64(len(all))
	fmt.Fprintf(&out, `<svg class="wide" role="img" viewBox="0 0 %.0f %.0f"><title>%s</title>`, width, height+foot, template.HTMLEscapeString(strings.Join(said, ", ")))
	for i, c := range all {
		h := float64(c.count) / float64(most) * (height - 18)
		x := float64(i) * each
		fmt.Fprintf(&out, `<rect class="bar" x="%.1f" y="%.1f" width="%.1f" height="%.1f"/>`, x+8, height-h, each-16, h)
		fmt.Fprintf(&out, `<text x="%.1f" y="%.1f">%s</text>`, x+each/2, height-h-5, template.HTMLEscapeString(c.shown))
		fmt.Fprintf(&out, `<text class="label" x="%.1f" y="%.1f">%s</text>`, x+each/2, height+18, template.HTMLEscapeString(c.label))
	}
	out.WriteString(`</svg>`)
	return template.HTML(out.String())
}
