package drill

import (
	"bytes"
	"context"
	"errors"
	"reflect"
	"regexp"
	"slices"
	"strings"
	"testing"
	"time"

	"fanous/backend/domain"
)

// answering is a tier that gives these documents, by query.
func answering(name string, answers map[string][]int64) Tier {
	return Tier{
		Report: domain.DrillTier{Tier: name, Backend: domain.BackendCrossEncoder, Model: "made-up"},
		Load:   func(context.Context) error { return nil },
		Search: func(_ context.Context, q Query, _ int) (domain.SearchResponse, error) {
			ids, ok := answers[q.ID]
			if !ok {
				return domain.SearchResponse{}, errors.New("boom")
			}
			r := domain.SearchResponse{Rerank: domain.RerankTrace{Backend: domain.BackendCrossEncoder}}
			for i, id := range ids {
				r.Hits = append(r.Hits, domain.Hit{Rank: i + 1, DocumentID: id, Path: path(id)})
			}
			return r, nil
		},
	}
}

func path(id int64) string { return "/d/" + string(rune('a'+id)) }

func is(id int64) func(domain.Location) bool {
	return func(at domain.Location) bool { return at.Path == path(id) }
}

func cohere(day int, documents ...int64) *Online {
	o := &Online{At: time.Date(2026, 11, day, 0, 0, 0, 0, time.UTC), Model: "rerank", Documents: documents, Places: map[int64]domain.Location{}, MS: float64(100 * day)}
	for _, id := range documents {
		o.Places[id] = domain.Location{Path: path(id)}
	}
	return o
}

func quiet(string, int, int) {}

func TestWhatFallsIsCounted(t *testing.T) {
	queries := []Query{
		{ID: "same", Online: cohere(1, 1, 2, 3, 4), Right: is(2)},
		{ID: "worse", Online: cohere(2, 5, 6), Right: is(5)},        // 6 comes third now, 5 second
		{ID: "lost", Online: cohere(3, 7), Right: is(7)},            // below what Cohere showed, but found
		{ID: "new", Right: is(9)},                                   // Cohere was never asked
		{ID: "nowhere", Right: is(9)},                               // nobody finds it
		{ID: "unjudged", Online: cohere(4, 3, 1), Method: "hybrid"}, // the other way round
	}
	tier := answering("serving", map[string][]int64{
		"same": {1, 2, 3, 4, 9}, "worse": {8, 5, 6}, "lost": {1, 7}, "new": {1, 2, 9}, "nowhere": {1}, "unjudged": {1, 3},
	})
	out, err := Replay(t.Context(), queries, []Tier{tier}, quiet)
	if err != nil || len(out.Findings) > 0 {
		t.Fatal(out.Findings, err)
	}
	got := out.Tiers[0]
	if got.Queries != 6 || got.Lower != 0 || *got.P50 > *got.P95 {
		t.Errorf("%+v", got)
	}
	if want := (domain.DrillJudged{Queries: 5, MRR: (1./2 + 1./2 + 1./2 + 1./3) / 5, Found: 4}); *got.Judged != want {
		t.Errorf("judged: %+v, want %+v", *got.Judged, want)
	}
	a := *got.Agreement
	judged := *a.Judged
	a.Judged = nil
	if want := (domain.DrillAgreement{Queries: 4, Kept: (1 + 0.5 + 0 + 1) / 4, SameFirst: 1}); a != want {
		t.Errorf("agreement: %+v, want %+v", a, want)
	}
	// As far down as Cohere's lists went: "lost" is not found within one result.
	if want := (domain.DrillJudged{Queries: 3, MRR: (1./2 + 1./2) / 3, Found: 2}); judged != want {
		t.Errorf("judged again: %+v, want %+v", judged, want)
	}
	online := OnlineOf(queries)
	if want := (domain.DrillJudged{Queries: 3, MRR: (1./2 + 1 + 1) / 3, Found: 3}); *online.Judged != want {
		t.Errorf("online: %+v, want %+v", *online.Judged, want)
	}
	if online.Queries != 4 || online.P50 != 200 || online.P95 != 400 || online.From.Day() != 1 || online.To.Day() != 4 {
		t.Errorf("online: %+v", online)
	}
	var suffer []string
	for _, q := range out.Suffer {
		suffer = append(suffer, q.ID)
	}
	if want := []string{"nowhere", "lost", "worse", "unjudged"}; !slices.Equal(suffer, want) {
		t.Errorf("suffer: %q, want %q", suffer, want)
	}
	if lost := out.Suffer[1].Lost; !reflect.DeepEqual(lost, []domain.DrillLost{{DocumentID: 7, Rank: 1}}) {
		t.Errorf("lost: %+v", lost)
	}
}

func TestATierThatFailsIsNamedAndTheOthersGoOn(t *testing.T) {
	queries := []Query{{ID: "q"}}
	broken := answering("precise", nil)
	unloadable := answering("fast", map[string][]int64{"q": {1}})
	unloadable.Load = func(context.Context) error { return domain.Errorf(domain.CodeModelAltered, "get it", "altered") }
	out, err := Replay(t.Context(), queries, []Tier{broken, unloadable, answering("none", map[string][]int64{"q": {1}})}, quiet)
	if err != nil {
		t.Fatal(err)
	}
	if out.Tiers[0].Skipped != "boom" || out.Tiers[1].Skipped != "altered" || out.Tiers[2].Queries != 1 {
		t.Errorf("%+v", out.Tiers)
	}
	if len(out.Findings) != 2 || out.Findings[0].What != "precise" || out.Findings[1].Hint != "get it" || out.Findings[0].Weight != domain.DrillWarning {
		t.Errorf("%+v", out.Findings)
	}
	if out, _ = Replay(t.Context(), queries, []Tier{answering("serving", nil)}, quiet); out.Findings[0].Weight != domain.DrillFatal {
		t.Errorf("%+v", out.Findings)
	}
}

func TestACanceledReplayEnds(t *testing.T) {
	ctx, cancel := context.WithCancel(t.Context())
	cancel()
	_, err := Replay(ctx, []Query{{ID: "q"}}, []Tier{answering("serving", map[string][]int64{"q": {1}})}, quiet)
	if !errors.Is(err, context.Canceled) {
		t.Error(err)
	}
}

func TestTheVerdictNamesTheGravest(t *testing.T) {
	check := func(weights ...domain.DrillWeight) domain.DrillCheck {
		c := domain.DrillCheck{Name: domain.DrillCheckModels}
		for _, w := range weights {
			c.Findings = append(c.Findings, domain.DrillFinding{Weight: w, Code: "of our own", Reason: "It is a " + string(w) + "."})
		}
		return c
	}
	served := domain.DrillTier{Tier: "serving", Model: "m", Queries: 4, P50: new(120.0), P95: new(1500.0), Agreement: &domain.DrillAgreement{Queries: 4, Kept: 0.85, SameFirst: 3}}
	for _, c := range []struct {
		report domain.DrillReport
		state  domain.DrillState
		en, fa string
	}{
		{domain.DrillReport{}, domain.DrillReady, "would go on here; there were no searches to replay", "جست‌وجویی برای تکرار نبود"},
		{domain.DrillReport{Tiers: []domain.DrillTier{served}, Checks: []domain.DrillCheck{check(domain.DrillNote)}}, domain.DrillReady,
			"within 120 ms and 95% within 1.5 s; 85% of what Cohere last showed would be shown, and 3 of 4 searches", "۸۵٪ از آنچه Cohere"},
		{domain.DrillReport{Checks: []domain.DrillCheck{check(domain.DrillNote), check(domain.DrillWarning)}}, domain.DrillDegraded,
			"not as it should: It is a warning.", "نه چنان که باید: It is a warning."},
		{domain.DrillReport{Checks: []domain.DrillCheck{check(domain.DrillWarning), check(domain.DrillNote, domain.DrillFatal)}}, domain.DrillNotReady,
			"would fail: It is a fatal.", "از کار می‌افتد: It is a fatal."},
	} {
		Judge(&c.report, "en")
		if c.report.State != c.state || !strings.Contains(c.report.Verdict, c.en) {
			t.Errorf("%s: %s, want %s", c.report.State, c.report.Verdict, c.en)
		}
		Judge(&c.report, "fa")
		if !strings.Contains(c.report.Verdict, c.fa) {
			t.Errorf("%s, want %s", c.report.Verdict, c.fa)
		}
	}
}

// TestThePageIsWholeAndOnlyText: in both languages, with everything that a report can have; nothing is loaded from
// elsewhere and what documents and queries say is text.
func TestThePageIsWholeAndOnlyText(t *testing.T) {
	evil := `<img src=x onerror=alert(1)>`
	queries := []Query{{ID: "q", Text: evil, Collection: evil, Online: cohere(1, 1, 2), Right: is(5)}}
	out, err := Replay(t.Context(), queries, []Tier{answering("serving", map[string][]int64{"q": {3}}), answering("late", nil)}, quiet)
	if err != nil {
		t.Fatal(err)
	}
	out.Suffer[0].Lost[0].Title = evil
	r := domain.DrillReport{
		At: time.Now(), Processor: evil, Queries: 1, Source: domain.DrillFromHistory, Tiers: out.Tiers, Suffer: out.Suffer, Online: OnlineOf(queries), FirstWait: 2000,
		Checks: []domain.DrillCheck{
			{Name: domain.DrillCheckModels, Findings: append(out.Findings, domain.DrillFinding{Weight: domain.DrillFatal, Code: domain.CodeModelAltered, What: evil, Reason: evil, Hint: evil})},
			{Name: domain.DrillCheckDisk, Findings: []domain.DrillFinding{{Weight: domain.DrillNote, Code: domain.CodeTierMissing, What: "fast", Reason: "The fast ranker is not installed."}}},
			{Name: domain.DrillCheckMemory, Skipped: evil}, {Name: domain.DrillCheckCutOff},
		},
	}
	for language, wants := range map[string][]string{
		"en": {`lang="en" dir="ltr"`, "The fast ranker is not installed.", "searching would fail", "Rank", "in order"},
		"fa": {`lang="fa" dir="rtl"`, "بازچین \u2068سریع\u2069 نصب نیست.", "از کار می‌افتد", "The fast ranker is not installed.", "درست است", "۲٫۰ ثانیه"},
	} {
		var page bytes.Buffer
		if err := WriteHTML(&page, r, language); err != nil {
			t.Fatal(err)
		}
		for _, want := range wants {
			if !strings.Contains(page.String(), want) {
				t.Errorf("%s: %q is missing", language, want)
			}
		}
		if strings.Contains(page.String(), "<img") || regexp.MustCompile(`(?i)(src|href)=|url\(|@import|<script`).MatchString(strings.ReplaceAll(page.String(), "src=x", "")) {
			t.Errorf("%s: the page is not only text", language)
		}
	}
	if r.Checks[1].Findings[0].Reason != "The fast ranker is not installed." {
		t.Error("writing the page has changed the report")
	}
}

// TestBothLanguagesSayEverything: no field of one language is empty, and every code that a drill itself gives has a
// sentence in Persian.
func TestBothLanguagesSayEverything(t *testing.T) {
	en, fa := english(), persian()
	for name, w := range map[string]words{"en": en, "fa": fa} {
		v := reflect.ValueOf(w)
		for i := range v.NumField() {
			if f := v.Type().Field(i); v.Field(i).IsZero() && !(name == "en" && (f.Name == "codes" || f.Name == "names")) {
				t.Errorf("%s: %s is missing", name, f.Name)
			}
		}
	}
	for name, pair := range map[string][2]int{
		"checks": {len(en.checks), len(fa.checks)}, "tiers": {len(en.tiers), len(fa.tiers)}, "weights": {len(en.weights), len(fa.weights)}, "states": {len(en.states), len(fa.states)},
	} {
		if pair[0] != pair[1] {
			t.Errorf("%s: %v", name, pair)
		}
	}
	for _, code := range []domain.Code{
		domain.CodeTierMissing, domain.CodeTierGone, domain.CodeNoLocal, domain.CodeMemoryLow, domain.CodeStampStale, domain.CodeVectorsMissing,
		domain.CodeNothingIndexed, domain.CodeSearchFailed, domain.CodeEscaped, domain.CodeDamaged, domain.CodeDiskFull, domain.CodeModelAltered,
	} {
		if fa.codes[code] == "" {
			t.Errorf("no Persian sentence for %s", code)
		}
	}
}
