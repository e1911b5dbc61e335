package drill

import (
	"cmp"
	"slices"

	"fanous/backend/domain"
)

// Judge gives the report its state and its verdict, from what is in it, in a language ("en" or "fa").
func Judge(r *domain.DrillReport, language string) {
	w := wordsOf(language)
	worst := worstOf(r.Checks)
	switch {
	case worst == nil || worst.Weight == domain.DrillNote:
		r.State = domain.DrillReady
		r.Verdict = w.ready(w.numbers(*r))
	case worst.Weight == domain.DrillFatal:
		r.State = domain.DrillNotReady
		r.Verdict = w.notReady(w.finding(*worst))
	default:
		r.State = domain.DrillDegraded
		r.Verdict = w.degraded(w.finding(*worst))
	}
}

// Translate puts the sentences of a report into a language. The program's own sentence of a finding stays where there is
// none for its code.
func Translate(r *domain.DrillReport, language string) {
	Judge(r, language)
	w := wordsOf(language)
	for i, c := range r.Checks {
		findings := slices.Clone(c.Findings)
		for k, f := range findings {
			own := cmp.Or(f.Detail, f.Reason)
			findings[k].Reason, findings[k].Detail = w.finding(f), ""
			if findings[k].Reason != own {
				findings[k].Detail = own
			}
		}
		r.Checks[i].Findings = findings
	}
}

// worstOf is the first of the gravest findings; nil: there are none.
func worstOf(checks []domain.DrillCheck) *domain.DrillFinding {
	order := []domain.DrillWeight{domain.DrillNote, domain.DrillWarning, domain.DrillFatal}
	var worst *domain.DrillFinding
	for _, c := range checks {
		for i := range c.Findings {
			f := &c.Findings[i]
			if worst == nil || slices.Index(order, f.Weight) > slices.Index(order, worst.Weight) {
				worst = f
			}
		}
	}
	return worst
}

// serving is the tier that would serve; nil: it was not measured.
func serving(r domain.DrillReport) *domain.DrillTier {
	if len(r.Tiers) == 0 || r.Tiers[0].Skipped != "" || r.Tiers[0].Queries == 0 {
		return nil
	}
	return &r.Tiers[0]
}
