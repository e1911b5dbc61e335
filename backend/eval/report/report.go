// Package report writes an evaluation as one HTML file that needs nothing else: no script, no font, no picture from anywhere.
package report

import (
	_ "embed"
	"fmt"
	"html/template"
	"io"
	"strings"
	"time"

	"fanous/backend/domain"
	"fanous/backend/eval"
)

//go:embed report.html
var page string

// Options of a report.
type Options struct {
	Language string // "en" or "fa"; another one is "en"
	At       time.Time
	Version  string // of the program
}

// Write writes the report. Texts that are not the program's own, such as names and reasons, are escaped and stand in their own
// direction.
func Write(w io.Writer, r eval.Report, o Options) error {
	v := view{Words: wordsOf(o.Language), Report: r, Version: o.Version, At: o.At.Format("2006-01-02 15:04")}
	t, err := template.New("report").Funcs(template.FuncMap{
		"number": v.number, "stage": v.Words.stage, "metric": v.Words.metric, "ms": v.ms, "signed": v.signed,
		"chance": v.chance, "line": line, "around": around, "bar": bar, "histogram": v.histogram,
	}).Parse(page)
	if err != nil {
		return fmt.Errorf("the report's page: %w", err)
	}
	if err := t.Execute(w, v); err != nil {
		return fmt.Errorf("write the report: %w", err)
	}
	return nil
}

// view is what the page shows.
type view struct {
	Words   words
	Report  eval.Report
	Version string
	At      string
}

// Headline are the metrics that are drawn, Ks and Families those of the table of all figures.
func (v view) Headline() []string { return []string{eval.NDCG, eval.MRR, eval.MetricName("pass", 5)} }
func (v view) Ks() []int          { return []int{5, 10, 20} }
func (v view) Families() []string { return []string{"recall", "pass", "mrr", "ndcg"} }

// Slowest is the highest latency, which the bars are drawn against.
func (v view) Slowest() float64 {
	most := 0.0
	for _, s := range v.Report.Stages {
		most = max(most, s.Latency.P95)
	}
	return most
}

// Value is one figure of a stage.
func (v view) Value(s eval.StageReport, family string, k int) float64 {
	return s.Metrics[eval.MetricName(family, k)]
}

// Interval is where a figure of a stage lies.
func (v view) Interval(s eval.StageReport, metric string) eval.Interval { return s.Intervals[metric] }

// Reranked are the stages that were reranked, each ranker once.
func (v view) Reranked() []eval.StageReport {
	var out []eval.StageReport
	for _, s := range v.Report.Stages {
		if s.Rerank != nil && !strings.Contains(s.Name, "+") {
			out = append(out, s)
		}
	}
	return out
}

// Short is what the figures come to: how often the last stage shows a right document, and what each reranker makes of its input.
func (v view) Short() []string {
	var out []string
	if n := len(v.Report.Stages); n > 0 {
		last := v.Report.Stages[n-1]
		share := fmt.Sprintf("%.0f", 100*last.Metrics[eval.MetricName("pass", 5)])
		out = append(out, fmt.Sprintf(v.Words.Finds, v.Words.stage(last.Name), v.Words.digits(share)))
	}
	for _, s := range v.Reranked() {
		for _, c := range s.Against {
			if !c.Input {
				continue
			}
			format := v.Words.Same
			switch {
			case c.NDCG.Significant && c.NDCG.Delta > 0:
				format = v.Words.Above
			case c.NDCG.Significant:
				format = v.Words.Below
			}
			out = append(out, fmt.Sprintf(format, v.Words.stage(s.Name), v.Words.stage(c.Stage)))
		}
	}
	return out
}

// Notes are what a reader should know before the figures.
func (v view) Notes() []string {
	var out []string
	if len(v.Reranked()) > 0 && v.Report.Candidates == v.Report.Top {
		out = append(out, fmt.Sprintf(v.Words.NothingToChoose, v.number(v.Report.Top)))
	}
	for _, s := range v.Reranked() {
		if n := s.Rerank.NotReranked; n > 0 {
			out = append(out, fmt.Sprintf(v.Words.NotReranked, v.Words.stage(s.Name), v.number(n), v.number(v.Report.Queries)))
		}
	}
	for _, s := range v.Report.Stages {
		for _, c := range s.Against {
			if c.NDCG.Significant && c.NDCG.Delta < 0 && (s.Rerank == nil || !c.Input) { // else it is said in short
				out = append(out, fmt.Sprintf(v.Words.Below, v.Words.stage(s.Name), v.Words.stage(c.Stage)))
			}
		}
	}
	return out
}

// number writes a number in the digits of the language: whole ones as they are, others to three places.
func (v view) number(n any) string {
	text := fmt.Sprint(n)
	if f, ok := n.(float64); ok {
		text = fmt.Sprintf("%.3f", f)
	}
	return v.Words.digits(text)
}

// chance writes a p, which is never 0.
func (v view) chance(p float64) string {
	if p < 0.001 {
		return ltr(v.Words.digits("<0.001"))
	}
	return v.number(p)
}

func (v view) ms(f float64) string { return v.Words.digits(fmt.Sprintf("%.1f", f)) }

// signed keeps the sign on its own side in a text that runs from right to left.
func (v view) signed(f float64) string {
	return ltr(v.Words.digits(fmt.Sprintf("%+.3f", f)))
}

// histogram draws how far passages were moved, and says the same in its title.
func (v view) histogram(m domain.Movement) template.HTML {
	var bars []column
	for _, b := range m.Buckets {
		label := ""
		switch {
		case b.From == nil:
			label = fmt.Sprintf("≤%+d", *b.To)
		case b.To == nil:
			label = fmt.Sprintf("≥%+d", *b.From)
		case *b.From == *b.To:
			label = fmt.Sprintf("%+d", *b.From)
		default:
			label = fmt.Sprintf("%+d…%+d", *b.From, *b.To)
		}
		if label == "+0" {
			label = "0"
		}
		bars = append(bars, column{v.Words.digits(label), b.Count, v.number(b.Count)})
	}
	return columns(bars)
}
