package retrieve

import (
	"context"
	"fmt"
	"testing"
	"time"

	"fanous/backend/domain"
	"fanous/backend/language"
)

// BenchmarkFilters measures hybrid retrieval under filters beside the same searches without one, in turn. The documents that
// a filter keeps lie all over the made-up collection; the last keeps one document of 40 passages.
func BenchmarkFilters(b *testing.B) {
	r, c, src := atSize(b)
	for _, filter := range []struct{ name, text string }{
		{"three fifths", "file:*00.txt OR file:*40.txt OR file:*80.txt"},
		{"one in 83", "file:*0400.txt OR file:*2800.txt OR file:*6040.txt"},
		{"one document", fmt.Sprintf("file:%08d.txt", c.Chunks/80*40)},
		{"a phrase", `"of the"`},
		{"an excluded word", "-the"},
	} {
		b.Run(filter.name, func(b *testing.B) {
			var with, without, selecting []time.Duration
			found := 0
			ask := func(text string, v []float32) (res Result) {
				start := time.Now()
				res, err := r.Retrieve(b.Context(), Request{
					CollectionID: 1, Query: language.ParseQuery(text), Method: domain.Hybrid, K: 40,
					Embed: func(context.Context) ([]float32, error) { return v, nil },
				})
				if err != nil {
					b.Fatal(err)
				}
				res.Stages = append(res.Stages, domain.StageSince(domain.StageTotal, start, 0, 0))
				return res
			}
			for b.Loop() {
				for i := range 20 {
					text, v := src.Query(i*7919%(c.Chunks/40), 4+i%9)
					res := ask(text+" "+filter.text, v)
					with, found = append(with, took(res, domain.StageTotal)), found+len(res.Candidates)
					selecting = append(selecting, took(res, domain.StageFilter))
					without = append(without, took(ask(text, v), domain.StageTotal))
				}
			}
			b.ReportMetric(quantile(with, 0.5), "filtered-p50-ms")
			b.ReportMetric(quantile(without, 0.5), "unfiltered-p50-ms")
			b.ReportMetric(quantile(with, 0.5)/quantile(without, 0.5), "filtered/unfiltered")
			b.ReportMetric(quantile(selecting, 0.5), "selecting-p50-ms")
			b.ReportMetric(float64(found)/float64(len(with)), "found")
			b.ReportMetric(0, "ns/op")
		})
	}
}

// took is how long a stage was; 0 where it did not run.
func took(res Result, stage string) time.Duration {
	for _, st := range res.Stages {
		if st.Name == stage {
			return time.Duration(st.MS * float64(time.Millisecond))
		}
	}
	return 0
}
