package drill

import (
	_ "embed" // the page
	"fmt"
	"html/template"
	"io"
	"slices"
	"time"

	"fanous/backend/domain"
)

//go:embed report.html
var page string

// view is a report as its page shows it. Its methods are what the page calls.
type view struct {
	words
	Report domain.DrillReport
}

// WriteHTML writes a report as one page that needs nothing besides, in a language.
func WriteHTML(w io.Writer, r domain.DrillReport, language string) error {
	r.Checks = slices.Clone(r.Checks)
	Translate(&r, language)
	t, err := template.New("report").Parse(page)
	if err != nil {
		return err
	}
	return t.Execute(w, view{wordsOf(language), r})
}

const absent = "–"

func (v view) At(at time.Time) string             { return v.time(at) }
func (v view) State(s domain.DrillState) string   { return v.states[s] }
func (v view) CheckName(name string) string       { return v.checks[name] }
func (v view) TierName(name string) string        { return v.tiers[name] }
func (v view) Weight(w domain.DrillWeight) string { return v.weights[w] }
func (v view) Int(n int) string                   { return v.int(n) }
func (v view) MS(ms float64) string               { return v.ms(ms) }
func (v view) Replayed(r domain.DrillReport) string {
	return v.int(r.Queries) + " " + v.sources[r.Source] + "."
}

// Class is the style of a weight; "note" is that of a paragraph.
func (v view) Class(w domain.DrillWeight) string {
	if w == domain.DrillNote {
		return "noted"
	}
	return string(w)
}

func (v view) Time(ms *float64) string {
	if ms == nil {
		return absent
	}
	return v.ms(*ms)
}

func (v view) Share(share *float64) string {
	if share == nil {
		return absent
	}
	return v.percent(*share)
}

func (v view) MRR(j *domain.DrillJudged) string {
	if j == nil {
		return absent
	}
	return v.number(fmt.Sprintf("%.3f", j.MRR))
}

func (v view) FoundOf(j *domain.DrillJudged) string {
	if j == nil {
		return absent
	}
	return v.int(j.Found) + " / " + v.int(j.Queries)
}

func (v view) KeptOf(a *domain.DrillAgreement) string {
	if a == nil {
		return absent
	}
	return v.percent(a.Kept)
}

func (v view) SameOf(a *domain.DrillAgreement) string {
	if a == nil {
		return absent
	}
	return v.int(a.SameFirst) + " / " + v.int(a.Queries)
}

func (v view) RightAt(q domain.DrillQuery) string {
	switch {
	case !q.Judged:
		return v.NotJudged
	case q.RightNow == nil:
		return ">" + v.int(depth)
	}
	return v.int(*q.RightNow)
}
