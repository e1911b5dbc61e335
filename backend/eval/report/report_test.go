package report

import (
	"bytes"
	"encoding/xml"
	"regexp"
	"strings"
	"testing"
	"time"

	"fanous/backend/domain"
	"fanous/backend/eval"
)

func madeUp(name string) eval.Report {
	metrics, intervals := map[string]float64{}, map[string]eval.Interval{}
	for _, family := range []string{"recall", "pass", "mrr", "ndcg"} {
		for _, k := range []int{1, 5, 10, 20, 50} {
			metrics[eval.MetricName(family, k)] = 0.25
			intervals[eval.MetricName(family, k)] = eval.Interval{Low: 0.125, High: 0.375}
		}
	}
	worse := eval.Delta{Delta: -0.125, Interval: eval.Interval{Low: -0.25, High: -0.0625}, P: 0.01, Significant: true}
	moved := domain.MovementOf(3, map[int]int{-30: 1, 0: 7, 4: 2})
	return eval.Report{Dataset: name, Queries: 40, Documents: 7, Candidates: 20, Top: 20, Stages: []eval.StageReport{
		{Name: eval.StageHybrid, Metrics: metrics, Intervals: intervals},
		{Name: eval.StageRerank, Metrics: metrics, Intervals: intervals, Latency: eval.Latency{P50: 10, P95: 30},
			Against: []eval.Comparison{{Stage: eval.StageHybrid, Input: true, MRR: worse, NDCG: worse}},
			Rerank:  &eval.RerankReport{Model: name, NotReranked: 2, Moved: moved, Relevant: moved}},
	}, Skipped: []eval.Skipped{{Stage: eval.StageCohere, Reason: name}}}
}

func write(t *testing.T, r eval.Report, language string) string {
	t.Helper()
	var out bytes.Buffer
	if err := Write(&out, r, Options{Language: language, At: time.Unix(0, 0).UTC(), Version: "1"}); err != nil {
		t.Fatal(err)
	}
	return out.String()
}

func TestAReportSaysWhatWasMeasured(t *testing.T) {
	for language, want := range map[string][]string{
		"en": {`lang="en" dir="ltr"`, "Local reranking shows a right document among the first five for 25 of 100 queries.", "0.250", "−0.125", "Local reranking is significantly worse here than Hybrid.", `class="worse">worse`,
			"Candidates and results are both 20", "Local reranking did not rerank 2 of 40 queries", "≤−20: 1", "+2…+4: 2", "Not measured", "the-model"},
		"fa": {`lang="fa" dir="rtl"`, "۰٫۲۵۰", "−۰٫۱۲۵", "بازچینی محلی در اینجا به‌طور معنادار بدتر از ترکیبی است.", "۲۰", "از ۴۰ پرسش ۲ تا را بازچینی نکرد", "the-model"},
	} {
		got := write(t, madeUp("the-model"), language)
		for _, part := range want {
			if !strings.Contains(got, part) {
				t.Errorf("%s: %q is not in the report", language, part)
			}
		}
		if strings.Contains(got, "%!") || strings.Contains(got, "<no value>") {
			t.Errorf("%s: a sentence lacks something", language)
		}
	}
}

// A report is read on any machine, and by people who do not know where its names come from.
func TestAReportRunsAndFetchesNothing(t *testing.T) {
	hostile := `"><script>alert(1)</script><img src=http://example.org/x onerror=alert(1)>`
	got := write(t, madeUp(hostile), "en")
	for _, forbidden := range []string{"<script", "<img", "onerror=alert(1)>\"", "<link", "@import", "url("} {
		if strings.Contains(got, forbidden) {
			t.Errorf("the report has %s", forbidden)
		}
	}
	if address := regexp.MustCompile(`(src|href)\s*=`).FindString(strings.ReplaceAll(got, "src=http", "")); address != "" {
		t.Errorf("the report refers to something: %s", address)
	}
	if !strings.Contains(got, "default-src 'none'") {
		t.Error("the report has no content policy")
	}
	for _, svg := range regexp.MustCompile(`(?s)<svg.*?</svg>`).FindAllString(got, -1) {
		if err := xml.Unmarshal([]byte(svg), new(struct{})); err != nil {
			t.Fatalf("%s: %v", svg, err)
		}
	}
}
