package main

import (
	"bytes"
	"encoding/json"
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"reflect"
	"slices"
	"strings"
	"testing"
	"time"

	"github.com/rogpeppe/go-internal/testscript"

	"fanous/backend/eval"
	"fanous/models"
	"fanous/models/tinyxlmr"
)

// madeup installs small cross-encoders with made-up weights, one for each tier: madeup TIER...
func madeup(ts *testscript.TestScript, neg bool, tiers []string) {
	if neg || len(tiers) == 0 {
		ts.Fatalf("usage: madeup TIER...")
	}
	for _, tier := range tiers {
		dir := ts.MkAbs(filepath.Join("data", "models", tinyxlmr.Name+"-"+tier))
		manifest, err := tinyxlmr.Write(dir, filepath.Join(shippedModels(), starterName, models.TokenizerFile))
		ts.Check(err)
		manifest.Name, manifest.Tier = filepath.Base(dir), models.Tier(tier)
		ts.Check(manifest.Save(dir))
	}
}

// TestAKilledEvaluationGoesOn: after a kill in the middle of its queries, the same evaluation asks for the others only, and its
// report is that of one that nobody has disturbed.
func TestAKilledEvaluationGoesOn(t *testing.T) {
	const queries = 300
	set := filepath.Join(t.TempDir(), "set")
	var corpus, asked, judged strings.Builder
	for i := range queries {
		fmt.Fprintf(&corpus, `{"_id":"%d","text":"The lantern number%d hangs in the hall of tower%d."}`+"\n", i, i, i%7)
		fmt.Fprintf(&asked, `{"_id":"%d","text":"lantern of tower%d, number%d"}`+"\n", i, i%5, i)
		fmt.Fprintf(&judged, "%d\t%d\t1\n", i, i)
	}
	if err := os.MkdirAll(filepath.Join(set, "qrels"), 0o755); err != nil {
		t.Fatal(err)
	}
	for name, text := range map[string]string{"corpus.jsonl": corpus.String(), "queries.jsonl": asked.String(), "qrels/test.tsv": judged.String()} {
		if err := os.WriteFile(filepath.Join(set, name), []byte(text), 0o644); err != nil {
			t.Fatal(err)
		}
	}
	program := testedProgram(t)
	evaluation := func(data string) *exec.Cmd {
		c := exec.Command(program, "--data", data, "eval", "--dataset", set, "--stages", "bm25", "--json")
		c.Stderr = os.Stderr
		return c
	}
	report := func(data string) (r eval.Report) {
		t.Helper()
		out, err := evaluation(data).Output()
		if err == nil {
			err = json.Unmarshal(out, &r)
		}
		if err != nil {
			t.Fatal(err)
		}
		for i := range r.Stages {
			r.Stages[i].Latency = eval.Latency{}
		}
		return r
	}
	data := t.TempDir()
	killed := evaluation(data)
	if err := killed.Start(); err != nil {
		t.Fatal(err)
	}
	journal := func() []byte {
		found, _ := filepath.Glob(filepath.Join(data, "evaluations", "*", "*.jsonl"))
		if len(found) == 0 {
			return nil
		}
		text, _ := os.ReadFile(found[0])
		return text
	}
	ended := make(chan struct{})
	go func() { _ = killed.Wait(); close(ended) }()
	for bytes.Count(journal(), []byte("\n")) < queries/10 {
		select {
		case <-ended:
			t.Fatal("it has ended before it could be killed")
		case <-time.After(time.Millisecond):
		}
	}
	_ = killed.Process.Kill()
	<-ended
	left := journal()
	t.Logf("killed after %d queries", bytes.Count(left, []byte("\n")))

	got, want := report(data), report(t.TempDir())
	if !reflect.DeepEqual(got, want) {
		t.Errorf("%+v, want %+v", got, want)
	}
	if again := journal(); len(again) != 0 || slices.Contains([]int{0, queries}, bytes.Count(left, []byte("\n"))) {
		t.Errorf("killed with %d queries answered; %d bytes are left behind", bytes.Count(left, []byte("\n")), len(again))
	}
}
