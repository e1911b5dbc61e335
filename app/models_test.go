package app

import (
	"net/http"
	"net/http/httptest"
	"os"
	"path/filepath"
	"slices"
	"strconv"
	"testing"

	"fanous/backend"
	"fanous/backend/domain"
)

// modelService is the service on a backend without models, which gets them from a mirror.
func modelService(t *testing.T, mirror string) (*ModelService, *note) {
	t.Helper()
	t.Setenv("CO_API_KEY", "")
	t.Setenv("PIP_NO_INDEX", "1") // what pip is set up to use on this machine is no source here
	t.Setenv("PIP_CONFIG_FILE", filepath.Join(t.TempDir(), "none"))
	t.Setenv("PIP_FIND_LINKS", "")
	cfg, err := backend.LoadConfig("", t.TempDir())
	if err != nil {
		t.Fatal(err)
	}
	cfg.RuntimeLibrary, cfg.ModelDirs = "", []string{filepath.Join(cfg.DataDir, "models")}
	cfg.ModelHub, cfg.ModelMirrors = "", []string{mirror}
	shell := &note{}
	a := New(shell, func() (backend.Config, error) { return cfg, nil })
	a.Start()
	t.Cleanup(func() {
		if err := a.Close(); err != nil {
			t.Error(err)
		}
	})
	return &ModelService{engine: a.engine, shell: shell}, shell
}

const starter = "multilingual-e5-small-starter-q4"

func (n *note) works() []ModelWork {
	n.mu.Lock()
	defer n.mu.Unlock()
	var out []ModelWork
	for _, e := range n.events {
		if w, ok := e.(ModelWork); ok {
			out = append(out, w)
		}
	}
	return out
}

// stalled is a mirror that sends the beginning of every file and then no more; asked is closed with the first byte.
func stalled(t *testing.T, size int) (url string, asked chan struct{}) {
	t.Helper()
	asked = make(chan struct{}, 100)
	s := httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		w.Header().Set("Content-Length", strconv.Itoa(size))
		w.Write(make([]byte, 1<<20))
		http.NewResponseController(w).Flush()
		asked <- struct{}{}
		<-r.Context().Done()
	}))
	t.Cleanup(func() {
		s.CloseClientConnections()
		s.Close()
	})
	return s.URL, asked
}

func TestGettingAModelIsOneWorkThatCanBeStopped(t *testing.T) {
	mirror, asked := stalled(t, 67045601)
	s, shell := modelService(t, mirror)
	ended := make(chan error)
	go func() { ended <- s.Get(domain.ModelGet{Name: starter}) }()
	<-asked
	if w := s.Work(); w.Kind != "get" || w.Name != starter {
		t.Errorf("work %+v, want that of %s", w, starter)
	}
	if err := s.Remove(starter); domain.CodeOf(err) != domain.CodeLocked {
		t.Errorf("something else began meanwhile: %v", err)
	}
	if _, err := s.List(); err != nil {
		t.Errorf("the list waits for the work: %v", err)
	}
	s.Cancel()
	if err := <-ended; domain.CodeOf(err) != domain.CodeCanceled {
		t.Errorf("ended with %v", err)
	}
	if w := s.Work(); w.Kind != "" {
		t.Errorf("%+v still goes on", w)
	}
	works := shell.works()
	if len(works) < 2 || works[0].Kind != "get" || works[len(works)-1] != (ModelWork{}) {
		t.Errorf("the window was told %+v, want the beginning first and the end last", works)
	}
	// Whether a byte had been kept by then is chance; something else can begin in either case.
	if err := s.Remove(starter); err != nil && domain.CodeOf(err) != domain.CodeNotFound {
		t.Errorf("nothing else can begin: %v", err)
	}
}

func TestAModelThatCannotBeHadSaysWhy(t *testing.T) {
	s, shell := modelService(t, t.TempDir()) // an empty folder
	if err := s.Get(domain.ModelGet{Name: starter}); domain.CodeOf(err) != domain.CodeUnavailable {
		t.Errorf("get: %v", err)
	}
	if err := s.Get(domain.ModelGet{Name: "no such model"}); domain.CodeOf(err) != domain.CodeNotFound {
		t.Errorf("get of an unknown one: %v", err)
	}
	path := filepath.Join(t.TempDir(), "page.html")
	if err := os.WriteFile(path, []byte("<html>"), 0o644); err != nil {
		t.Fatal(err)
	}
	if _, err := s.Import(domain.ModelImport{Path: path}); domain.CodeOf(err) != domain.CodeNotFound {
		t.Errorf("import of a page: %v", err)
	}
	if _, err := s.Verify(""); err != nil {
		t.Errorf("verify of nothing: %v", err)
	}
	var kinds []string
	for _, w := range shell.works() {
		if len(kinds) == 0 || kinds[len(kinds)-1] != w.Kind {
			kinds = append(kinds, w.Kind)
		}
	}
	if want := []string{"get", "", "get", "", "import", "", "verify", ""}; !slices.Equal(kinds, want) {
		t.Errorf("the window was told of %q, want %q", kinds, want)
	}
	if list, err := s.List(); err != nil || len(list) == 0 {
		t.Errorf("%d models, %v", len(list), err)
	}
}
