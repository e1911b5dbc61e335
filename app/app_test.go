package app

import (
	"context"
	"errors"
	"fmt"
	"sync"
	"testing"

	"fanous/backend"
	"fanous/backend/domain"
)

// openIn is for a real backend on an empty folder, without models.
func openIn(t *testing.T) Configure {
	t.Helper()
	t.Setenv("CO_API_KEY", "")
	cfg, err := backend.LoadConfig("", t.TempDir())
	if err != nil {
		t.Fatal(err)
	}
	cfg.RuntimeLibrary, cfg.ModelDirs = "", nil
	return func() (backend.Config, error) { return cfg, nil }
}

// note is a Shell that notes events.
type note struct {
	openers
	mu     sync.Mutex
	events []any
}

func (n *note) Emit(_ string, data any) {
	n.mu.Lock()
	defer n.mu.Unlock()
	n.events = append(n.events, data)
}
func (n *note) ChooseFolder() (string, error)        { return "", nil }
func (n *note) ChooseFile() (string, error)          { return "", nil }
func (n *note) ChooseNewFile(string) (string, error) { return "", nil }

func TestProblemOf(t *testing.T) {
	locked := domain.Errorf(domain.CodeLocked, "close it", "the index is in use: %w", errors.New("flock"))
	for name, c := range map[string]struct {
		err  error
		want Problem
	}{
		"a problem":          {locked, Problem{domain.CodeLocked, "the index is in use: flock", "close it"}},
		"a wrapped problem":  {fmt.Errorf("open: %w", locked), Problem{domain.CodeLocked, "the index is in use: flock", "close it"}},
		"canceled":           {fmt.Errorf("embed: %w", context.Canceled), Problem{Code: domain.CodeCanceled, Message: "canceled"}},
		"canceled by itself": {context.Canceled, Problem{Code: domain.CodeCanceled, Message: "canceled"}},
		"anything else":      {errors.New("boom"), Problem{Code: domain.CodeInternal, Message: "boom"}},
	} {
		if got := ProblemOf(c.err); got != c.want {
			t.Errorf("%s: %+v, want %+v", name, got, c.want)
		}
	}
}

func TestFormatErrorIsText(t *testing.T) {
	got := FormatError(domain.Errorf(domain.CodeUsage, "say \"yes\"", "no"))
	if want := `{"code":"usage","message":"no","hint":"say \"yes\""}`; got != want {
		t.Errorf("%v, want %s", got, want)
	}
}

func TestANewSearchCancelsTheOneBefore(t *testing.T) {
	s := &SearchService{}
	first, _, err := s.begin(10)
	if err != nil {
		t.Fatal(err)
	}
	second, _, err := s.begin(11)
	if err != nil {
		t.Fatal(err)
	}
	if first.Err() == nil || second.Err() != nil {
		t.Errorf("first %v, second %v: want only the first canceled", first.Err(), second.Err())
	}
	// Calls can overtake one another on their way here: a late old one must not end the newer search.
	if _, _, err := s.begin(10); domain.CodeOf(err) != domain.CodeCanceled {
		t.Errorf("an older search began: %v", err)
	}
	if second.Err() != nil {
		t.Error("an older search canceled a newer one")
	}
	s.Cancel()
	if second.Err() == nil {
		t.Error("Cancel did not cancel")
	}
}

func TestOneIndexRunAtATime(t *testing.T) {
	s := &IndexService{shell: &note{}}
	ctx, done, err := s.begin()
	if err != nil {
		t.Fatal(err)
	}
	if _, _, err := s.begin(); domain.CodeOf(err) != domain.CodeLocked {
		t.Errorf("a second run began: %v", err)
	}
	s.Cancel()
	if ctx.Err() == nil {
		t.Error("Cancel did not cancel")
	}
	done()
	if _, _, err := s.begin(); err != nil {
		t.Errorf("no run can begin after one has ended: %v", err)
	}
}

func TestProgressIsKeptWholeAndSentSeldom(t *testing.T) {
	shell := &note{}
	s := &IndexService{shell: shell}
	report := s.report()
	for i := range 10_000 {
		report(domain.IndexProgress{Phase: domain.PhaseRead, Done: i})
	}
	if got := s.Progress().Done; got != 9_999 {
		t.Errorf("the last snapshot has %d, want 9999", got)
	}
	sent := len(shell.events)
	if sent == 0 || sent > 1000 {
		t.Errorf("%d events for 10000 snapshots", sent)
	}
	report(domain.IndexProgress{Phase: domain.PhaseEmbed})
	if len(shell.events) != sent+1 {
		t.Error("a new phase was not sent at once")
	}
}

func TestOnlyDocumentsAreOpened(t *testing.T) {
	for path, want := range map[string]bool{
		"/a/report.pdf": true, "/a/REPORT.PDF": true, "/a/گزارش.docx": true, "/a/notes.md": true,
		"/a/run.desktop": false, "/a/run.sh": false, "/a/run.bat": false, "/a/run.txt.exe": false, "/a/page.hta": false,
		"/a/script.js": false, "/a/macro.docm": false, "/a/README": false, "/a/.txt/run": false,
	} {
		if got := opensAsDocument(path); got != want {
			t.Errorf("%s: %t, want %t", path, got, want)
		}
	}
}

func TestUnknownPassageOpensNothing(t *testing.T) {
	a := New(&note{}, openIn(t))
	a.Start()
	defer a.Close()
	d := &DocumentsService{engine: a.engine, shell: &note{}}
	if err := d.Open(42); domain.CodeOf(err) != domain.CodeNotFound {
		t.Errorf("Open of a chunk that does not exist: %v", err)
	}
}
