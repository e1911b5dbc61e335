package drill

import (
	"cmp"
	"fmt"
	"strings"
	"time"

	"fanous/backend/domain"
)

// words are what a report says in one language.
type words struct {
	Language, Direction string

	Title, Made, On, Checks, Check, Found, Tiers, Suffer, Suffers, SufferNote, Nothing, SufferNone string
	Tier, Model, Answered, First, Half, Most, RightMRR, RightFound, Kept, SameFirst, Lower         string
	Query, Collection, Lost, Right, Online, NoOnline, NotJudged, Fine, WaitNote, Method            string

	checks, tiers, sources map[string]string
	names                  map[string]string // of what findings are about, where it is no name of its own
	weights                map[domain.DrillWeight]string
	codes                  map[domain.Code]string // with %s for what a finding is about; none: the program's own sentence
	states                 map[domain.DrillState]string

	ready, notReady, degraded func(string) string
	served                    func(who, half, most string) string
	agrees                    func(kept, same, of string) string
	finds                     func(found, of string) string
	noSearches                string
	number                    func(text string) string // the digits of the language
}

func wordsOf(language string) words {
	if language == "fa" {
		return persian()
	}
	return english()
}

// finding is its sentence.
func (w words) finding(f domain.DrillFinding) string {
	format, ok := w.codes[f.Code]
	switch {
	case !ok:
		return cmp.Or(f.Detail, f.Reason)
	case strings.Contains(format, "%s"):
		what := f.What
		for _, names := range []map[string]string{w.tiers, w.names} {
			what = cmp.Or(names[what], what)
		}
		return fmt.Sprintf(format, w.isolate(what))
	}
	return format
}

// isolate keeps a name from reordering the sentence that it stands in (first strong isolate, pop directional isolate).
func (w words) isolate(name string) string {
	if w.Direction == "ltr" {
		return name // as ours are
	}
	return "\u2068" + name + "\u2069"
}

// numbers are what the replay has measured of the tier that would serve, as a clause.
func (w words) numbers(r domain.DrillReport) string {
	t := serving(r)
	if t == nil {
		return w.noSearches
	}
	s := w.served(w.who(*t), w.ms(*t.P50), w.ms(*t.P95))
	if a := t.Agreement; a != nil {
		s += w.agrees(w.percent(a.Kept), w.int(a.SameFirst), w.int(a.Queries))
	} else if j := t.Judged; j != nil {
		s += w.finds(w.int(j.Found), w.int(j.Queries))
	}
	return s
}

// who names a tier by what ranks there.
func (w words) who(t domain.DrillTier) string {
	if t.Model == "" {
		return w.tiers[t.Tier]
	}
	return w.isolate(t.Model)
}

func (w words) int(n int) string { return w.number(fmt.Sprint(n)) }

func (w words) percent(share float64) string { return w.number(fmt.Sprintf("%.0f%%", 100*share)) }

// ms is a time for people.
func (w words) ms(ms float64) string {
	if ms >= 1000 {
		return w.number(fmt.Sprintf("%.1f", ms/1000)) + w.unit("s")
	}
	return w.number(fmt.Sprintf("%.0f", ms)) + w.unit("ms")
}

func (w words) unit(name string) string {
	if w.Language == "fa" {
		return map[string]string{"s": " ثانیه", "ms": " میلی‌ثانیه"}[name]
	}
	return " " + name
}

func (w words) time(at time.Time) string { return w.number(at.Local().Format("2006-01-02 15:04")) }

func english() words {
	return words{
		Language: "en", Direction: "ltr",
		Title: "Outage drill", Made: "Made", On: "on", Checks: "Checks", Check: "Check", Found: "What was found", Fine: "in order",
		Tiers: "The same searches without the network", Tier: "Ranked by", Model: "Model", Answered: "Searches", First: "Loaded in",
		Half: "Half within", Most: "95% within", RightMRR: "MRR@10", RightFound: "Right one found",
		Kept: "Kept of Cohere's list", SameFirst: "Same first result", Lower: "By a lower step",
		Suffer: "Searches that suffer", Suffers: "suffers", SufferNote: "With the ranker that would serve, against what Cohere last showed or what was judged right; the worst first.",
		SufferNone: "None of the searches that were replayed suffers.", Nothing: "There was nothing to replay: the history has no searches and no judged queries were given.",
		Query: "Query", Collection: "Collection", Lost: "No longer shown", Right: "Right one now at", NotJudged: "not judged",
		Online: "With Cohere", NoOnline: "Cohere has answered none of these searches, so there is nothing to compare with.",
		WaitNote: "In an outage that gives no answer at all, each search until the failure is noticed waits for Cohere first, for at most",
		Method:   "Every way out was shut while this was measured. Percentages compare as many results as Cohere had shown. Cohere's times are those of the searches then.",
		checks: map[string]string{
			domain.DrillCheckModels: "Files of the models", domain.DrillCheckTiers: "Local rankers", domain.DrillCheckDevices: "Models on their devices",
			domain.DrillCheckMemory: "Memory", domain.DrillCheckDisk: "Disk", domain.DrillCheckIndex: "Index", domain.DrillCheckStamps: "What made the index",
			domain.DrillCheckLedger: "Ledger", domain.DrillCheckCutOff: "Searches, cut off",
		},
		tiers: map[string]string{
			domain.DrillTierServing: "what a search would use", "precise": "precise", "fast": "fast", "late": "late interaction", domain.DrillTierNone: "no reranker",
		},
		sources: map[string]string{domain.DrillFromJudged: "judged queries", domain.DrillFromHistory: "searches that were made or judged", domain.DrillFromTitles: "documents, asked for by their titles", domain.DrillFromNothing: ""},
		weights: map[domain.DrillWeight]string{domain.DrillNote: "note", domain.DrillWarning: "warning", domain.DrillFatal: "failure"},
		states:  map[domain.DrillState]string{domain.DrillReady: "Ready", domain.DrillDegraded: "Ready in part", domain.DrillNotReady: "Not ready"},
		ready:   func(s string) string { return "If the network went now, searching would go on here" + s + "." },
		notReady: func(why string) string {
			return "If the network went now, searching would fail: " + why
		},
		degraded: func(why string) string {
			return "If the network went now, searching would go on, but not as it should: " + why
		},
		served: func(who, half, most string) string {
			return fmt.Sprintf(", ranked by %s, half of the answers within %s and 95%% within %s", who, half, most)
		},
		agrees: func(kept, same, of string) string {
			return fmt.Sprintf("; %s of what Cohere last showed would be shown, and %s of %s searches would begin with the same document", kept, same, of)
		},
		finds: func(found, of string) string {
			return fmt.Sprintf("; %s of %s searches would show the right document among the first ten", found, of)
		},
		noSearches: "; there were no searches to replay, so nothing is known of their quality",
		number:     func(text string) string { return text },
	}
}
