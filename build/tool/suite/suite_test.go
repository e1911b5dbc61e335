package suite

import (
	"errors"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"
)

// The real go command tests small modules of one file.
func TestGoTestCounts(t *testing.T) {
	const header = "package p\n\nimport \"testing\"\n\n"
	cases := []struct {
		name     string
		source   string
		args     []string
		passed   int
		failures []string
		skipped  []string
		says     string // must be in the output
		wantErr  bool
	}{
		{
			name: "leaves of subtests",
			source: header + `func TestA(t *testing.T) { t.Run("x", func(t *testing.T) {}); t.Run("y", func(t *testing.T) { t.Run("z", func(t *testing.T) {}) }) }
func TestB(t *testing.T) {}`,
			passed: 3,
			says:   "ok   p",
		},
		{
			name:   "a failed subtest, not its parent",
			source: header + `func TestA(t *testing.T) { t.Run("x", func(t *testing.T) { t.Error("wrong colour") }); t.Run("y", func(t *testing.T) {}) }`,
			passed: 1, failures: []string{"p.TestA/x"},
			says: "wrong colour",
		},
		{
			name:     "a parent that fails by itself",
			source:   header + `func TestA(t *testing.T) { t.Run("x", func(t *testing.T) {}); t.Error("wrong") }`,
			passed:   1,
			failures: []string{"p.TestA"},
		},
		{
			name:    "a skipped test",
			source:  header + `func TestA(t *testing.T) { t.` + `SkipNow() }` + "\nfunc TestB(t *testing.T) {}",
			passed:  1,
			skipped: []string{"p.TestA"},
		},
		{
			name:     "a test that does not compile",
			source:   header + `func TestA(t *testing.T) { undefinedThing() }`,
			failures: []string{"p"},
			says:     "undefinedThing",
		},
		{
			name:     "a panic",
			source:   header + `func TestA(t *testing.T) {}` + "\nfunc TestB(t *testing.T) { panic(\"boom\") }",
			passed:   1,
			failures: []string{"p.TestB"},
			says:     "boom",
		},
		{
			name:     "an exit in the middle",
			source:   "package p\n\nimport (\n\"os\"\n\"testing\"\n)\n" + `func TestA(t *testing.T) { os.Exit(7) }`,
			failures: []string{"p"},
		},
		{
			name:    "an argument that go refuses",
			source:  header + "func TestA(t *testing.T) {}",
			args:    []string{"-mod=nonsense"},
			wantErr: true,
		},
	}
	for _, c := range cases {
		t.Run(c.name, func(t *testing.T) {
			t.Parallel()
			root := t.TempDir()
			for name, content := range map[string]string{"go.mod": "module p\n\ngo 1.26\n", "p_test.go": c.source} {
				if err := os.WriteFile(filepath.Join(root, name), []byte(content), 0o644); err != nil {
					t.Fatal(err)
				}
			}
			var out strings.Builder
			args := c.args
			if args == nil {
				args = []string{"./..."}
			}
			got, err := GoTest(t.Context(), root, []string{"GOFLAGS="}, &out, args...)
			if (err != nil) != c.wantErr {
				t.Fatalf("error %v, want one: %v\n%s", err, c.wantErr, out.String())
			}
			if got.Passed != c.passed || !slices.Equal(got.Failures, c.failures) || !slices.Equal(got.Skipped, c.skipped) {
				t.Errorf("%d passed, failed %q, skipped %q; want %d, %q, %q\n%s",
					got.Passed, got.Failures, got.Skipped, c.passed, c.failures, c.skipped, out.String())
			}
			if !strings.Contains(out.String(), c.says) {
				t.Errorf("the output lacks %q:\n%s", c.says, out.String())
			}
		})
	}
}

func TestVitest(t *testing.T) {
	got, err := Vitest([]byte(`{"numPassedTests": 2, "testResults": [
		{"name": "a.test.ts", "status": "failed", "assertionResults": [
			{"fullName": "adds", "status": "passed"}, {"fullName": "subtracts", "status": "failed"}, {"fullName": "later", "status": "todo"}]},
		{"name": "b.test.ts", "status": "passed", "assertionResults": [{"fullName": "opens", "status": "passed"}]},
		{"name": "c.test.ts", "status": "failed", "message": "cannot find module", "assertionResults": []}]}`))
	if err != nil {
		t.Fatal(err)
	}
	if want := []string{"subtracts", "c.test.ts: cannot find module"}; got.Passed != 2 || !slices.Equal(got.Failures, want) || !slices.Equal(got.Skipped, []string{"later"}) {
		t.Errorf("got %+v", got)
	}
	if _, err := Vitest([]byte("not json")); err == nil {
		t.Error("no error for a report that is not one")
	}
}

func TestReportCloses(t *testing.T) {
	cases := []struct {
		name    string
		run     func(r *Report)
		closing string
		wantErr bool
	}{
		{"all well", func(r *Report) {
			r.Run("go", func() (Outcome, error) { return Outcome{Passed: 3}, nil })
			r.Check("gofmt", func() error { return nil })
		}, "4 passed, 0 failed", false},
		{"a check fails", func(r *Report) {
			r.Check("gofmt", func() error { return errors.New("a.go is not formatted") })
			r.Run("go", func() (Outcome, error) { return Outcome{Passed: 3, Skipped: []string{"p.TestA"}}, nil })
		}, "3 passed, 1 failed, 1 skipped", true},
		{"a suite that breaks keeps what it counted", func(r *Report) {
			r.Run("go", func() (Outcome, error) {
				return Outcome{Passed: 3, Failures: []string{"p.TestA"}}, errors.New("broken pipe")
			})
		}, "3 passed, 2 failed", true},
		{"one suite finds no test", func(r *Report) {
			r.Check("gofmt", func() error { return nil })
			r.Run("window", func() (Outcome, error) { return Outcome{}, nil })
		}, "1 passed, 1 failed", true},
		{"nothing ran", func(*Report) {}, "0 passed, 0 failed", true},
	}
	for _, c := range cases {
		t.Run(c.name, func(t *testing.T) {
			var out strings.Builder
			r := NewReport(&out)
			c.run(r)
			if err := r.Close(); (err != nil) != c.wantErr {
				t.Errorf("error %v, want one: %v", err, c.wantErr)
			}
			if !strings.HasSuffix(out.String(), "\n"+c.closing+"\n") {
				t.Errorf("closes with %q, want %q", out.String(), c.closing)
			}
		})
	}
}
