package trial

import (
	"fmt"
	"os"
	"path/filepath"
	"strings"
	"testing"
	"time"

	"fanous/backend/domain"
	"fanous/backend/onnx"
	"fanous/models"
)

// subject is one whose library and model are files of made-up content.
func subject(t *testing.T) Subject {
	t.Helper()
	dir := t.TempDir()
	s := Subject{Library: filepath.Join(dir, "lib", "libonnxruntime.so"), Model: filepath.Join(dir, "model"), Device: onnx.CPU}
	for _, d := range []string{filepath.Dir(s.Library), s.Model} {
		if err := os.MkdirAll(d, 0o755); err != nil {
			t.Fatal(err)
		}
	}
	write(t, s.Library, "a library")
	save(t, s, "a", "b")
	return s
}

func write(t *testing.T, path, content string) {
	t.Helper()
	if err := os.WriteFile(path, []byte(content), 0o600); err != nil {
		t.Fatal(err)
	}
}

func save(t *testing.T, s Subject, graph, tokenizer string) {
	t.Helper()
	m := models.Manifest{Name: "model", Role: models.Reranker, Tier: models.Fast, MaxTokens: 512, MaxQueryTokens: 256, Files: []models.File{
		{Name: models.GraphFile, SHA256: strings.Repeat(graph, 64)}, {Name: models.TokenizerFile, SHA256: strings.Repeat(tokenizer, 64)},
	}}
	if err := m.Save(s.Model); err != nil {
		t.Fatal(err)
	}
}

func TestAResultHoldsUntilSomethingChanges(t *testing.T) {
	path := filepath.Join(t.TempDir(), "self-tests.json")
	for name, change := range map[string]func(*testing.T, *Subject){
		"nothing":     func(*testing.T, *Subject) {},
		"the library": func(t *testing.T, s *Subject) { write(t, s.Library, "another library") },
		"what lies beside it": func(t *testing.T, s *Subject) {
			write(t, filepath.Join(filepath.Dir(s.Library), models.ManifestFile), "{}")
		},
		"the weights":         func(t *testing.T, s *Subject) { save(t, *s, "c", "b") },
		"the tokenizer":       func(t *testing.T, s *Subject) { save(t, *s, "a", "c") },
		"the device":          func(_ *testing.T, s *Subject) { s.Device = onnx.CUDA },
		"what is expected":    func(_ *testing.T, s *Subject) { s.Judge = true },
		"the model's absence": func(_ *testing.T, s *Subject) { s.Model = "" },
	} {
		s := subject(t)
		want := Result{Code: domain.CodeDeviceCrashed, Reason: name, At: time.Now()}
		if err := OpenBook(path).Keep(s, want); err != nil {
			t.Fatal(err)
		}
		change(t, &s)
		got, ok := OpenBook(path).Find(s) // as another process
		if ok != (name == "nothing") || ok && (got.Code != want.Code || got.Reason != name) {
			t.Errorf("%s: %+v %v", name, got, ok)
		}
	}
}

func TestABookThatCannotBeRead(t *testing.T) {
	path, s := filepath.Join(t.TempDir(), "self-tests.json"), subject(t)
	for _, content := range []string{"", "{", "null", "[]", `{"x":1}`} {
		write(t, path, content)
		b := OpenBook(path)
		if r, ok := b.Find(s); ok {
			t.Errorf("%q: %+v", content, r)
		}
		if err := b.Keep(s, Result{Version: "1"}); err != nil {
			t.Fatal(err)
		}
		if r, ok := b.Find(s); !ok || r.Version != "1" {
			t.Errorf("%q: %+v", content, r)
		}
	}
	s.Library = filepath.Join(t.TempDir(), "none")
	if err := OpenBook(path).Keep(s, Result{}); err == nil {
		t.Error("a result of no library was kept")
	}
}

func TestABookHasAnEnd(t *testing.T) {
	path, s := filepath.Join(t.TempDir(), "self-tests.json"), subject(t)
	b, start := OpenBook(path), time.Now()
	for i := range pages + 3 {
		s.Device = onnx.Device(fmt.Sprint(i))
		if err := b.Keep(s, Result{At: start.Add(time.Duration(i))}); err != nil {
			t.Fatal(err)
		}
	}
	for i, want := range map[int]bool{0: false, 2: false, 3: true, pages + 2: true} {
		s.Device = onnx.Device(fmt.Sprint(i))
		if _, ok := b.Find(s); ok != want {
			t.Errorf("result %d: kept %v", i, ok)
		}
	}
}

func TestATrialIsMadeOnce(t *testing.T) {
	s := Subject{Library: library(), Device: onnx.CPU}
	path := filepath.Join(t.TempDir(), "self-tests.json")
	tester := NewTester(OpenBook(path), Runner{Program: program(t)})
	first, err := tester.Ensure(t.Context(), s)
	if err != nil || !first.Passed() {
		t.Fatalf("%+v, %v", first, err)
	}
	none := NewTester(OpenBook(path), Runner{})
	if again, err := none.Ensure(t.Context(), s); err != nil || !again.At.Equal(first.At) {
		t.Errorf("%+v, %v", again, err)
	}
	if second, err := tester.Try(t.Context(), s); err != nil || !second.At.After(first.At) {
		t.Errorf("not made again: %+v, %v", second, err)
	}
	if none.Can() || !tester.Can() {
		t.Error("who can make trials?")
	}
}
