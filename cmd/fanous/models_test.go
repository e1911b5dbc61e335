package main

import (
	"errors"
	"fmt"
	"math/rand/v2"
	"net/http"
	"net/http/httptest"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"sync"
	"testing"

	"fanous/backend/domain"
	"fanous/models"
	"fanous/models/tinyxlmr"
)

const starterName = "multilingual-e5-small-starter-q4"

// depot serves the starter as a file server does, to programs that are killed on the way.
type depot struct {
	*httptest.Server
	folder string

	mu     sync.Mutex
	ranges []string // of the requests for the graph, in order
	sent   int      // bytes of the graph that were handed to the network
	stopAt int      // of sent: here the server falls silent and calls reached; 0: nowhere
	halted chan struct{}
}

func newDepot(t *testing.T) *depot {
	t.Helper()
	d := &depot{folder: filepath.Join(shippedModels(), starterName)}
	d.Server = httptest.NewServer(d)
	t.Cleanup(d.Close)
	return d
}

// haltAt makes the server fall silent after so many bytes of the graph; the channel is closed when it does.
func (d *depot) haltAt(bytes int) <-chan struct{} {
	d.mu.Lock()
	defer d.mu.Unlock()
	d.stopAt, d.sent, d.ranges, d.halted = bytes, 0, nil, make(chan struct{})
	return d.halted
}

func (d *depot) ServeHTTP(w http.ResponseWriter, r *http.Request) {
	name, ok := strings.CutPrefix(r.URL.Path, "/"+starterName+"/")
	if !ok {
		http.NotFound(w, r)
		return
	}
	if name == models.GraphFile {
		d.mu.Lock()
		d.ranges = append(d.ranges, r.Header.Get("Range"))
		d.mu.Unlock()
		w = &halting{w, d, r}
	}
	http.ServeFile(w, r, filepath.Join(d.folder, name))
}

// halting counts what is written and falls silent where the depot says so.
type halting struct {
	http.ResponseWriter
	depot *depot
	r     *http.Request
}

func (h *halting) Write(b []byte) (int, error) {
	d := h.depot
	d.mu.Lock()
	halt := d.stopAt > 0 && d.sent+len(b) >= d.stopAt
	if halt {
		b = b[:d.stopAt-d.sent]
	}
	d.sent += len(b)
	d.mu.Unlock()
	n, err := h.ResponseWriter.Write(b)
	if halt {
		if f, ok := h.ResponseWriter.(http.Flusher); ok {
			f.Flush()
		}
		d.mu.Lock()
		d.stopAt = 0
		close(d.halted)
		d.mu.Unlock()
		<-h.r.Context().Done()
		return n, h.r.Context().Err()
	}
	return n, err
}

// getter is the program in a data folder without models.
type getter struct {
	t    *testing.T
	data string
	env  []string
}

func newGetter(t *testing.T) *getter {
	t.Helper()
	data := t.TempDir()
	return &getter{t: t, data: data, env: append(os.Environ(), "FANOUS_DATA="+data, "FANOUS_MODELS="+filepath.Join(data, "none"))}
}

func (g *getter) command(args ...string) *exec.Cmd {
	g.t.Helper()
	cmd := exec.Command(testedProgram(g.t), args...)
	cmd.Env = g.env
	return cmd
}

func (g *getter) get(from string, env ...string) (string, error) {
	g.t.Helper()
	cmd := g.command("models", "get", starterName, "--yes", "--from", from)
	cmd.Env = append(cmd.Env, env...)
	out, err := cmd.CombinedOutput()
	return string(out), err
}

// state is how the model is; whatever happened, what stands in its place is whole.
func (g *getter) state() models.State {
	g.t.Helper()
	e, _ := models.Catalogue().Find(starterName)
	s, err := e.Verify(g.t.Context(), nil, filepath.Join(g.data, "models"))
	if err != nil || s.State == models.Damaged {
		g.t.Fatalf("the model is %s: %s (%v)", s.State, s.Reason, err)
	}
	return s.State
}

// have is how much of the graph has arrived.
func (g *getter) have() int64 {
	for _, name := range []string{models.GraphFile, models.GraphFile + ".part"} {
		if info, err := os.Stat(filepath.Join(g.data, "models", ".incoming", starterName, name)); err == nil {
			return info.Size()
		}
	}
	return 0
}

// TestKilledAtAnyMoment: the file is whole and verified, or absent, and the next program asks for the rest only.
func TestKilledAtAnyMoment(t *testing.T) {
	e, _ := models.Catalogue().Find(starterName)
	graph, _ := e.File(models.GraphFile)
	d, g := newDepot(t), newGetter(t)
	random := rand.New(rand.NewPCG(1, uint64(os.Getpid())))
	const kills = 7
	for i := range kills {
		had := g.have()
		rest := int(graph.Bytes - had)
		if rest == 0 {
			break
		}
		at := 1 + random.IntN(rest)/(kills-i) // so that something is left for the last ones
		if i == kills-1 {
			at = rest // the moment in which the file is verified, renamed and put in its place
		}
		halted := d.haltAt(at)
		cmd := g.command("models", "get", starterName, "--yes", "--from", d.URL)
		if err := cmd.Start(); err != nil {
			t.Fatal(err)
		}
		<-halted
		if err := cmd.Process.Kill(); err != nil {
			t.Fatal(err)
		}
		_ = cmd.Wait()
		d.asksForTheRest(t, had)
		g.state()
		t.Logf("killed after %d of %d bytes; %d are here", int(had)+at, graph.Bytes, g.have())
	}
	had := g.have()
	d.haltAt(0)
	if out, err := g.get(d.URL); err != nil {
		t.Fatal(err, out)
	}
	if g.state() != models.Installed {
		t.Error("it is not installed in the end")
	}
	d.asksForTheRest(t, had)
	if want := int(graph.Bytes - had); d.sent != want {
		t.Errorf("the last program was sent %d bytes, not %d", d.sent, want)
	}
}

// asksForTheRest wants the graph to have been asked for once, from byte had on, or not at all where it was whole.
func (d *depot) asksForTheRest(t *testing.T, had int64) {
	t.Helper()
	d.mu.Lock()
	defer d.mu.Unlock()
	want := ""
	if had > 0 {
		want = fmt.Sprintf("bytes=%d-", had)
	}
	if len(d.ranges) > 1 || len(d.ranges) == 1 && d.ranges[0] != want {
		t.Errorf("with %d bytes here the ranges %q were asked for, not %q", had, d.ranges, want)
	}
}

// TestTwoProgramsAtOnce: one downloads, and both say that it is there.
func TestTwoProgramsAtOnce(t *testing.T) {
	d, g := newDepot(t), newGetter(t)
	var both sync.WaitGroup
	for range 2 {
		both.Go(func() {
			if out, err := g.get(d.URL); err != nil || !strings.Contains(out, "installed") {
				t.Errorf("%v: %s", err, out)
			}
		})
	}
	both.Wait()
	if g.state() != models.Installed || len(d.ranges) != 1 {
		t.Errorf("the graph was asked for %d times", len(d.ranges))
	}
}

// TestAProxyIsUsed where the environment names one.
func TestAProxyIsUsed(t *testing.T) {
	d, g := newDepot(t), newGetter(t)
	out, err := g.get("http://models.invalid", "HTTP_PROXY="+d.URL, "http_proxy="+d.URL, "NO_PROXY=", "no_proxy=")
	if err != nil || g.state() != models.Installed || len(d.ranges) != 1 {
		t.Errorf("%v, asked %d times: %s", err, len(d.ranges), out)
	}
}

// TestAPortalIsSaid to be one, and nothing is installed.
func TestAPortalIsSaid(t *testing.T) {
	portal := httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, _ *http.Request) {
		w.Header().Set("Content-Type", "text/html")
		fmt.Fprint(w, "<html>Sign in</html>")
	}))
	defer portal.Close()
	g := newGetter(t)
	out, err := g.get(portal.URL)
	var exit *exec.ExitError
	if !errors.As(err, &exit) || exit.ExitCode() != exitError || !strings.Contains(out, "a web page") || !strings.Contains(out, "what to do: ") {
		t.Errorf("%v: %s", err, out)
	}
	if g.state() != models.Missing {
		t.Error("something was installed")
	}
}

// TestModelsFromOutsideTheCatalogue: what can rerank is offered and used, what cannot is refused with the reason.
func TestModelsFromOutsideTheCatalogue(t *testing.T) {
	s := newStation(t)
	shipped := s.models
	s.models = t.TempDir() // without a reranker
	folder := func(manifest, graph, tokenizer string) string {
		dir := filepath.Join(t.TempDir(), "folder")
		if err := os.MkdirAll(dir, 0o755); err != nil {
			t.Fatal(err)
		}
		if err := os.WriteFile(filepath.Join(dir, models.ManifestFile), []byte(manifest), 0o644); err != nil {
			t.Fatal(err)
		}
		for name, from := range map[string]string{models.GraphFile: graph, models.TokenizerFile: tokenizer} {
			data, err := os.ReadFile(from)
			if err == nil {
				err = os.WriteFile(filepath.Join(dir, name), data, 0o644)
			}
			if err != nil {
				t.Fatal(err)
			}
		}
		return dir
	}
	reranker, starter := filepath.Join(shipped, tinyxlmr.Name), filepath.Join(shippedModels(), starterName)
	const short = `{"name": "mine", "role": "reranker", "max_tokens": 128}`
	for name, test := range map[string]struct{ manifest, graph, tokenizer, want string }{
		"a bi-encoder":      {short, starter, starter, "it is an embedder, or bi-encoder, and cannot rerank"},
		"another tokenizer": {short, reranker, starter, "they are not of one model"},
		"a reranker as an embedder": {`{"name": "mine", "role": "embedder", "max_tokens": 128, "dim": 384, "pooling": "mean"}`, reranker, reranker,
			"not vectors of length 384"},
	} {
		dir := folder(test.manifest, filepath.Join(test.graph, models.GraphFile), filepath.Join(test.tokenizer, models.TokenizerFile))
		cmd := exec.Command(s.program, "--data", s.data, "models", "import", dir)
		cmd.Env = append(os.Environ(), "FANOUS_MODELS="+s.models)
		out, err := cmd.CombinedOutput()
		if err == nil || !strings.Contains(string(out), test.want) {
			t.Errorf("%s: %v: %s", name, err, out)
		}
		if entries, _ := filepath.Glob(filepath.Join(s.data, "models", "mine", "*")); len(entries) != 0 {
			t.Errorf("%s: there are %q", name, entries)
		}
	}
	s.run(nil, "models", "import", folder(short, filepath.Join(reranker, models.GraphFile), filepath.Join(reranker, models.TokenizerFile)))
	if r := s.search("http://127.0.0.1:1", "--rerank", "local").Rerank; r.Backend != domain.BackendCrossEncoder || r.Model != "mine" {
		t.Errorf("%+v", r)
	}
	s.run(nil, "models", "remove", "mine")
	if r := s.search("http://127.0.0.1:1", "--rerank", "local").Rerank; r.Model == "mine" {
		t.Errorf("it is removed, and: %+v", r)
	}
}
