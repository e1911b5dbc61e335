package eval

import (
	"fmt"
	"testing"
	"time"
)

// kept is an evaluation of made-up figures: every query has the same.
func kept(queries int, ndcg float64) Kept {
	k := Kept{Report: Report{Stages: []StageReport{{Name: StageHybrid}, {Name: StageCohere}}}, Figures: map[string]map[string]Figures{StageHybrid: {}, StageCohere: {}}}
	for i := range queries {
		k.Figures[StageHybrid][fmt.Sprint(i)] = Figures{MRR: 0.5, NDCG: ndcg}
	}
	return k
}

func TestEvaluationsAreComparedOnTheQueriesThatBothHave(t *testing.T) {
	got := Changes(kept(20, 0.5), kept(30, 0.75))
	if len(got) != 1 || got[0].Stage != StageHybrid || got[0].Queries != 20 || got[0].NDCG.Delta != 0.25 || !got[0].NDCG.Significant || got[0].MRR.Significant {
		t.Errorf("%+v", got)
	}
}

func TestTheLatestEvaluationsAreKept(t *testing.T) {
	d := Runs(t.TempDir())
	start := time.Date(2026, 1, 1, 0, 0, 0, 0, time.UTC)
	result := run(t, Options{}, StageBM25)
	for i := range keptRuns + 3 {
		k := result.Keep(start.Add(time.Duration(i) * time.Minute))
		if err := d.Add("c", k); err != nil {
			t.Fatal(err)
		}
		if i > 0 {
			continue
		}
		if back, err := d.Get("c", k.ID); err != nil || len(back.Figures[StageBM25]) != 1 || back.Report.Queries != 3 {
			t.Errorf("%+v, %v", back, err)
		}
	}
	if err := d.Rename("c", "d"); err != nil {
		t.Fatal(err)
	}
	list, err := d.List("d")
	if err != nil || len(list) != keptRuns || !list[0].At.After(list[1].At) || !list[0].At.Equal(start.Add((keptRuns+2)*time.Minute)) {
		t.Errorf("%d, %v", len(list), err)
	}
	if err := d.Forget("d"); err != nil {
		t.Fatal(err)
	}
	if list, err := d.List("d"); err != nil || len(list) != 0 {
		t.Errorf("%v, %v", list, err)
	}
}
