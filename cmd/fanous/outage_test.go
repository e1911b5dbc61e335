package main

import (
	"bytes"
	"encoding/json"
	"fmt"
	"io"
	"os"
	"os/exec"
	"path/filepath"
	"regexp"
	"strings"
	"testing"
	"time"

	"fanous/backend/cohere/coheretest"
	"fanous/backend/domain"
	"fanous/models"
	"fanous/models/onnxgraph"
	"fanous/models/tinyxlmr"
)

// TestEveryOutage goes through the real program, one process a search: results come, from the local
// reranker, with the reason; the next processes leave Cohere alone as soon as they should; and when the
// time has come they find out by themselves that it is back.
func TestEveryOutage(t *testing.T) {
	template := newStation(t)
	recovered := map[string]bool{}
	for _, o := range coheretest.Outages() {
		recovers := !recovered[o.Code] // once a code: a process costs time
		recovered[o.Code] = true
		t.Run(o.Name, func(t *testing.T) {
			t.Parallel()
			s := template.copy(t)
			server := coheretest.Start()
			defer server.Close()
			server.Behave(o.Behaviour)
			deadline := time.Hour // no search waits for it, except in an outage that hangs
			if o.Hangs {
				deadline = 300 * time.Millisecond
			}
			s.configure(deadline)
			s.goesDown(server.URL, o.Code, o.Reason, o.Tries, deadline, server.Requests)
			if !recovers {
				return
			}
			server.Behave(coheretest.Healthy())
			s.configure(time.Hour)
			s.letTheWaitPass()
			for range 2 {
				if r := s.search(server.URL).Rerank; r.Backend != domain.BackendCohere || r.FellBackFrom != nil {
					t.Errorf("it is back, and: %+v", r)
				}
			}
		})
	}
	t.Run("untrusted certificate", func(t *testing.T) {
		t.Parallel()
		server := coheretest.StartTLS()
		defer server.Close()
		s := template.copy(t)
		s.configure(time.Hour)
		s.goesDown(server.URL, "tls", "no trusted certificate", 2, time.Hour, server.Connections)
		if len(server.Calls()) > 0 {
			t.Error("passages were sent to it")
		}
	})
	t.Run("nobody listens", func(t *testing.T) {
		t.Parallel()
		server := coheretest.Start()
		server.Close()
		s := template.copy(t)
		s.configure(time.Hour)
		s.goesDown(server.URL, "unreachable", "cannot be reached", 2, time.Hour, nil)
	})
}

func TestTheRateGuardCountsTheCallsOfAllProcesses(t *testing.T) {
	s := newStation(t)
	server := coheretest.Start()
	defer server.Close()
	s.write("config.toml", "cohere_calls_per_minute = 2\ncohere_deadline = \"1h\"\nlocal_budget = \"1h\"\n")
	for i := range 3 {
		r := s.search(server.URL).Rerank
		if i < 2 && r.Backend != domain.BackendCohere || i == 2 && (r.Backend != domain.BackendCrossEncoder ||
			r.Steps[0].Code != "rate_guard" || !strings.Contains(r.Reason, "within 2 calls a minute")) {
			t.Errorf("search %d: %+v", i, r)
		}
	}
	if n := server.Requests(); n != 2 {
		t.Errorf("%d requests", n)
	}
}

func TestNothingIsSentWithoutPermission(t *testing.T) {
	s := newStation(t)
	server := coheretest.Start()
	defer server.Close()
	for _, tt := range []struct {
		policy string
		args   []string
		code   string
	}{
		{"allowed", []string{"--offline"}, "offline"},
		{"ask", nil, "policy"},
		{"never", []string{"--send"}, "policy"},
		{"never", []string{"--rerank", "cohere"}, "policy"},
	} {
		s.run(nil, "collections", "policy", "default", tt.policy)
		if r := s.search(server.URL, tt.args...).Rerank; r.Backend != domain.BackendCrossEncoder || r.Steps[0].Code != tt.code {
			t.Errorf("%+v: %+v", tt, r)
		}
	}
	if server.Connections() > 0 {
		t.Error("a connection was made")
	}
}

// station is a data folder with three indexed documents that may leave, and a local reranker that loads
// quickly: its weights are made up, and most of its vocabulary is left out.
type station struct {
	t       *testing.T
	program string
	models  string
	data    string
}

func newStation(t *testing.T) *station {
	t.Helper()
	s := &station{t: t, program: testedProgram(t), models: t.TempDir(), data: t.TempDir()}
	installed := os.Getenv("FANOUS_MODELS")
	if installed == "" && os.Getenv("FANOUS_BINARY") != "" {
		installed = filepath.Join(filepath.Dir(s.program), "models")
	}
	found, err := filepath.Glob(filepath.Join(installed, "*", models.TokenizerFile))
	if err != nil || len(found) == 0 {
		t.Fatalf("there is no tokenizer in %q: run `go tool mage test`, or see `go tool mage env` (%v)", installed, err)
	}
	small := filepath.Join(t.TempDir(), models.TokenizerFile)
	if err := os.WriteFile(small, smallTokenizer(t, found[0]), 0o644); err != nil {
		t.Fatal(err)
	}
	writeSmallReranker(t, filepath.Join(s.models, tinyxlmr.Name), small)
	docs := t.TempDir()
	for name, text := range map[string]string{
		"a.txt": "the lantern in the hall", "b.txt": "a lantern burns in the window", "c.txt": "the lantern is out and the hall is dark",
	} {
		if err := os.WriteFile(filepath.Join(docs, name), []byte(text), 0o644); err != nil {
			t.Fatal(err)
		}
	}
	s.run(nil, "index", docs)
	s.run(nil, "collections", "policy", "default", "allowed")
	return s
}

// pieces is how much of the vocabulary is kept: a thirtieth of the time to load it.
const pieces = 2000

// writeSmallReranker writes the made-up reranker of the tests for the first pieces of its vocabulary.
func writeSmallReranker(t *testing.T, dir, tokenizer string) {
	t.Helper()
	manifest, err := tinyxlmr.Write(dir, tokenizer)
	if err != nil {
		t.Fatal(err)
	}
	model := tinyxlmr.Model()
	model.Word.Rows, model.Word.Values = pieces, model.Word.Values[:pieces*model.Word.Cols]
	graph, err := models.WriteFile(filepath.Join(dir, models.GraphFile), func(w io.Writer) error { return onnxgraph.Write(w, model, onnxgraph.Form{}) })
	if err != nil {
		t.Fatal(err)
	}
	manifest.Files[0] = graph
	if err := manifest.Save(dir); err != nil {
		t.Fatal(err)
	}
}

// smallTokenizer keeps the first pieces of a tokenizer.
func smallTokenizer(t *testing.T, path string) []byte {
	t.Helper()
	raw, err := os.ReadFile(path)
	if err != nil {
		t.Fatal(err)
	}
	var all map[string]any
	if err := json.Unmarshal(raw, &all); err != nil {
		t.Fatal(err)
	}
	model := all["model"].(map[string]any)
	model["vocab"] = model["vocab"].([]any)[:pieces]
	all["added_tokens"] = all["added_tokens"].([]any)[:4] // the fifth is the mask, at the end of the vocabulary
	small, err := json.Marshal(all)
	if err != nil {
		t.Fatal(err)
	}
	return small
}

// copy is another data folder with the same index.
func (s *station) copy(t *testing.T) *station {
	t.Helper()
	data := t.TempDir()
	if err := os.CopyFS(data, os.DirFS(s.data)); err != nil {
		t.Fatal(err)
	}
	return &station{t, s.program, s.models, data}
}

func (s *station) write(name, text string) {
	s.t.Helper()
	if err := os.WriteFile(filepath.Join(s.data, name), []byte(text), 0o644); err != nil {
		s.t.Fatal(err)
	}
}

func (s *station) configure(deadline time.Duration) {
	s.write("config.toml", fmt.Sprintf("cohere_deadline = %q\nlocal_budget = \"1h\"\ncohere_calls_per_minute = 0\n", deadline))
}

// environment is that of the tests, without a proxy between the program and the stand-in.
func (s *station) environment(extra ...string) []string {
	var env []string
	for _, v := range os.Environ() {
		name, _, _ := strings.Cut(v, "=")
		if !strings.HasSuffix(strings.ToUpper(name), "_PROXY") {
			env = append(env, v)
		}
	}
	return append(env, append([]string{"FANOUS_DATA=" + s.data, "FANOUS_MODELS=" + s.models, "CO_API_KEY="}, extra...)...)
}

// run runs the program in a process of its own and returns what it says.
func (s *station) run(env []string, args ...string) []byte {
	s.t.Helper()
	cmd := exec.CommandContext(s.t.Context(), s.program, args...)
	cmd.Env = s.environment(env...)
	var out, errs bytes.Buffer
	cmd.Stdout, cmd.Stderr = &out, &errs
	if err := cmd.Run(); err != nil {
		s.t.Fatalf("fanous %s: %v\n%s", strings.Join(args, " "), err, errs.Bytes())
	}
	return out.Bytes()
}

func (s *station) search(url string, args ...string) domain.SearchResponse {
	s.t.Helper()
	out := s.run([]string{"CO_API_KEY=" + coheretest.Key, "FANOUS_COHERE_URL=" + url},
		append([]string{"search", "--json", "lantern hall"}, args...)...)
	return s.answer(out)
}

// answer reads a search's JSON, which has results whatever happened.
func (s *station) answer(out []byte) domain.SearchResponse {
	s.t.Helper()
	var resp domain.SearchResponse
	if err := json.Unmarshal(out, &resp); err != nil {
		s.t.Fatalf("%v in %s", err, out)
	}
	reranked := 3
	if resp.Rerank.Backend == domain.BackendNone {
		reranked = 0
	}
	if len(resp.Hits) != 3 || resp.Rerank.CandidatesOut != reranked {
		s.t.Errorf("%d hits, %d candidates reranked, want %d", len(resp.Hits), resp.Rerank.CandidatesOut, reranked)
	}
	return resp
}

// goesDown searches, in processes of their own, once more than Cohere should be tried. counted says how
// often something has arrived there; nil: nobody can know.
func (s *station) goesDown(url, code, reason string, tries int, deadline time.Duration, counted func() int) {
	s.t.Helper()
	for i := range max(tries, 1) + 1 {
		resp := s.search(url)
		r := resp.Rerank
		want, arrived := code, i+1
		if tries > 0 && i >= tries {
			want, arrived = "breaker_open", tries
		}
		if r.Backend != domain.BackendCrossEncoder || r.FellBackFrom == nil || *r.FellBackFrom != domain.BackendCohere || !strings.Contains(r.Reason, reason) ||
			len(r.Steps) != 1 || r.Steps[0].Code != want || r.Steps[0].Failed != (want == code) {
			s.t.Errorf("search %d: want %s, %q: %+v", i, want, reason, r)
		}
		if counted != nil && counted() != arrived {
			s.t.Errorf("search %d: %d arrived, want %d", i, counted(), arrived)
		}
		if deadline < time.Hour {
			for _, stage := range resp.Stages {
				if stage.Name == domain.StageRerank {
					s.t.Logf("%s: reranking took %.0f ms, with Cohere's deadline at %v", want, stage.MS, deadline)
				}
			}
		}
	}
}

// letTheWaitPass moves what is kept about Cohere an hour into the past.
func (s *station) letTheWaitPass() {
	s.t.Helper()
	path := filepath.Join(s.data, "cohere", "breaker.json")
	kept, err := os.ReadFile(path)
	if os.IsNotExist(err) {
		return // nothing held it back
	}
	if err != nil {
		s.t.Fatal(err)
	}
	moved := regexp.MustCompile(`"20[^"]*Z"`).ReplaceAllFunc(kept, func(old []byte) []byte {
		at, err := time.Parse(time.RFC3339Nano, strings.Trim(string(old), `"`))
		if err != nil {
			s.t.Fatal(err)
		}
		return fmt.Appendf(nil, "%q", at.Add(-time.Hour).Format(time.RFC3339Nano))
	})
	if bytes.Equal(moved, kept) {
		s.t.Fatalf("no time in %s", kept)
	}
	s.write(filepath.Join("cohere", "breaker.json"), string(moved))
}
