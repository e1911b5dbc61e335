package app

import (
	"context"
	"encoding/json"
	"fmt"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"sync"
	"testing"

	"fanous/backend"
	"fanous/backend/domain"
	"fanous/backend/keychain"
)

// settingsIn opens a window's backend on a folder, whose settings it reads every time.
func settingsIn(t *testing.T, dir string) (*SettingsService, *engine) {
	t.Helper()
	t.Setenv("CO_API_KEY", "")
	t.Setenv(keychain.Off, "off")
	keys := keychain.New()
	a := New(&note{}, func() (backend.Config, error) {
		cfg, err := backend.LoadConfig("", dir)
		cfg.RuntimeLibrary, cfg.ModelDirs, cfg.Keychain = "", nil, keys
		return cfg, err
	})
	a.Start()
	t.Cleanup(func() {
		if err := a.Close(); err != nil {
			t.Error(err)
		}
	})
	return &SettingsService{engine: a.engine, shell: &note{}}, a.engine
}

func valueOf(s Settings, name string) string {
	i := slices.IndexFunc(s.List, func(s domain.SettingState) bool { return s.Name == name })
	return s.List[i].Value
}

func TestAChangeCountsAtOnceAndEndsNothing(t *testing.T) {
	s, e := settingsIn(t, t.TempDir())
	begun, goOn, ended := make(chan struct{}), make(chan struct{}), make(chan error)
	go func() { // what runs meanwhile, as an index run does
		ended <- run(e, func(ctx context.Context, b *backend.Backend) error {
			close(begun)
			<-goOn
			_, err := b.Collections(ctx)
			return err
		})
	}()
	<-begun
	now, err := s.Change([]domain.SettingChange{{Name: "offline", Value: "true"}, {Name: "top", Value: "9"}})
	if err != nil || valueOf(now, "offline") != "true" || valueOf(now, "top") != "9" {
		t.Fatalf("%+v, %v", now, err)
	}
	status, err := with(t.Context(), e, func(ctx context.Context, b *backend.Backend) (domain.Status, error) { return b.Status(ctx) })
	if err != nil || !status.Offline {
		t.Errorf("it does not count yet: %v, %v", status.Offline, err)
	}
	close(goOn)
	if err := <-ended; err != nil {
		t.Errorf("what ran was ended: %v", err)
	}
	e.replaced.Wait()
	if now, err = s.Change([]domain.SettingChange{{Name: "top", Reset: true}}); err != nil || valueOf(now, "top") != "5" {
		t.Errorf("%s, %v", valueOf(now, "top"), err)
	}
}

// TestARunWaitsForTheOneThatBeganBeforeAChange, and is not refused because the index is being written.
func TestARunWaitsForTheOneThatBeganBeforeAChange(t *testing.T) {
	s, e := settingsIn(t, t.TempDir())
	texts := t.TempDir()
	for i := range 50 {
		if err := os.WriteFile(filepath.Join(texts, fmt.Sprintf("%d.txt", i)), []byte("the lantern of the harbour"), 0o644); err != nil {
			t.Fatal(err)
		}
	}
	index := func(progress func(domain.IndexProgress)) error {
		return run(e, func(ctx context.Context, b *backend.Backend) error {
			_, err := b.Index(ctx, domain.IndexRequest{Paths: []string{texts}}, progress)
			return err
		})
	}
	writes, goOn, before := make(chan struct{}), make(chan struct{}), make(chan error)
	once := sync.OnceFunc(func() { close(writes); <-goOn })
	go func() { before <- index(func(domain.IndexProgress) { once() }) }()
	<-writes
	if _, err := s.Change([]domain.SettingChange{{Name: "top", Value: "9"}}); err != nil {
		t.Fatal(err)
	}
	begins, after := make(chan struct{}), make(chan error)
	go func() { close(begins); after <- index(nil) }()
	<-begins
	close(goOn)
	for _, ended := range []chan error{before, after} {
		if err := <-ended; err != nil {
			t.Error(err)
		}
	}
}

func TestARefusedChangeChangesNothing(t *testing.T) {
	dir := t.TempDir()
	s, e := settingsIn(t, dir)
	before := e.current()
	for _, change := range []domain.SettingChange{{Name: "top", Value: "99999"}, {Name: "colour", Value: "red"}} {
		if _, err := s.Change([]domain.SettingChange{change}); domain.HintOf(err) == "" {
			t.Errorf("%+v: %v", change, err)
		}
	}
	if _, err := os.Stat(filepath.Join(dir, "settings.json")); err == nil || before != e.current() {
		t.Error("something has changed")
	}
	// A file that was broken by hand meanwhile is told of, and the window goes on.
	if err := os.WriteFile(filepath.Join(dir, "config.toml"), []byte("top ="), 0o644); err != nil {
		t.Fatal(err)
	}
	if _, err := s.Reload(); !strings.Contains(err.Error(), "config.toml") {
		t.Errorf("reloaded: %v", err)
	}
	if _, err := s.Get(); err != nil {
		t.Error(err)
	}
}

func TestTheKeyIsNeverShown(t *testing.T) {
	dir := t.TempDir()
	s, e := settingsIn(t, dir)
	const key = "made-up-key-0123456789"
	now, err := s.SetKey(key)
	if err != nil || now.Key.From != domain.KeySession || now.Key.NoKeychain == "" {
		t.Fatalf("%+v, %v", now.Key, err)
	}
	if text, err := json.Marshal(now); err != nil || strings.Contains(string(text), key) {
		t.Errorf("the key is in the answer (%v)", err)
	}
	status, err := with(t.Context(), e, func(ctx context.Context, b *backend.Backend) (domain.Status, error) { return b.Status(ctx) })
	if err != nil || !status.Cohere.Ready {
		t.Errorf("it is not used: %+v, %v", status.Cohere, err)
	}
	if _, err := s.Change([]domain.SettingChange{{Name: "history", Value: "false"}}); err != nil {
		t.Fatal(err)
	}
	if now, _ = s.Get(); now.Key.From != domain.KeySession {
		t.Errorf("another change has lost it: %+v", now.Key)
	}
	if now, err = s.SetKey(""); err != nil || now.Key.From != domain.KeyNone {
		t.Errorf("not removed: %+v, %v", now.Key, err)
	}
	for _, bad := range []string{"two words", "کلید", strings.Repeat("x", 600), "a\x00b"} {
		if _, err := s.SetKey(bad); domain.CodeOf(err) != domain.CodeUsage || err != nil && strings.Contains(err.Error(), bad) {
			t.Errorf("%q: %v", bad, err)
		}
	}
	e.replaced.Wait()
	err = filepath.WalkDir(dir, func(path string, d os.DirEntry, err error) error {
		if err != nil || d.IsDir() {
			return err
		}
		data, err := os.ReadFile(path)
		if strings.Contains(string(data), key) {
			t.Errorf("the key is in %s", path)
		}
		return err
	})
	if err != nil {
		t.Error(err)
	}
}

// TestTheWindowNamesEverySetting, in both languages.
func TestTheWindowNamesEverySetting(t *testing.T) {
	cfg, err := backend.LoadConfig("", t.TempDir())
	if err != nil {
		t.Fatal(err)
	}
	for _, language := range []string{"en", "fa"} {
		text, err := os.ReadFile("../frontend/src/lib/i18n/settings." + language + ".ts")
		if err != nil {
			t.Fatal(err)
		}
		for _, s := range cfg.Settings() {
			if n := strings.Count(string(text), "\n    "+s.Name+":"); n != 2 {
				t.Errorf("%s: %s has %d of a name and a sentence", language, s.Name, n)
			}
		}
	}
}
