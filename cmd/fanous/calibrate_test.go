package main

import (
	"encoding/json"
	"strings"
	"testing"

	"fanous/backend/cohere/coheretest"
	"fanous/backend/domain"
)

// TestTheRerankersAreComparedOnlyWhenAsked: a search on the command line ends with its answer; with
// --calibrate it goes on to compare, what was sent and nothing else.
func TestTheRerankersAreComparedOnlyWhenAsked(t *testing.T) {
	s := newStation(t)
	server := coheretest.Start()
	defer server.Close()
	for _, tt := range []struct {
		name string
		args []string
		want int // pairs kept in all
	}{
		{"without the flag", nil, 0},
		{"nothing was sent", []string{"--calibrate", "--offline"}, 0},
		{"the local one was asked for", []string{"--calibrate", "--rerank", "local"}, 0},
		{"with the flag", []string{"--calibrate"}, 3},
		{"again", []string{"--calibrate"}, 3},
	} {
		s.search(server.URL, tt.args...)
		var status domain.Status
		if err := json.Unmarshal(s.run(nil, "status", "--json"), &status); err != nil {
			t.Fatal(err)
		}
		got := 0
		for _, c := range status.Calibration {
			got += c.Pairs
			if c.Searches != 1 || c.Applied || !strings.HasPrefix(c.Remote, "cohere rerank-") || !strings.HasPrefix(c.Local, "cross-encoder ") {
				t.Errorf("%s: %+v", tt.name, c)
			}
		}
		if got != tt.want || len(status.Calibration) > 1 || status.Calibration == nil {
			t.Errorf("%s: %d pairs, want %d: %+v", tt.name, got, tt.want, status.Calibration)
		}
	}
	said := "Not calibrated yet: pairs 3 (at least 200 are needed), searches 1 (at least 20)."
	if out := string(s.run(nil, "search", "-v", "lantern")); !strings.Contains(out, said) { // without a key
		t.Errorf("-v does not say it:\n%s", out)
	}
	if out := string(s.run(nil, "status")); !strings.Contains(out, said) {
		t.Errorf("status does not say it:\n%s", out)
	}
}

func TestTheAnswerSaysOnHowManyPairsItIsCalibrated(t *testing.T) {
	r := domain.SearchResponse{Method: domain.Hybrid, Rerank: domain.RerankTrace{
		Backend: domain.BackendCrossEncoder, Calibration: &domain.Calibration{Pairs: 240, Applied: true},
	}}
	const want = "calibrated on 240 pairs"
	if got := servedBy(r); !strings.Contains(got, want) {
		t.Errorf("it says %q", got)
	}
	r.Rerank.Calibration.Applied = false
	if got := servedBy(r); strings.Contains(got, want) {
		t.Errorf("it says %q", got)
	}
}
