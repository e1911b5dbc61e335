package onnx_test

import (
	"context"
	"errors"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"sync/atomic"
	"testing"

	"fanous/backend/onnx"
	"fanous/models"
	"fanous/models/tinyxlmr"
)

func loadRuntime(tb testing.TB) *onnx.Runtime {
	tb.Helper()
	rt, err := onnx.Load(os.Getenv("FANOUS_RUNTIME"))
	if err != nil {
		tb.Fatalf("FANOUS_RUNTIME: %v (go tool mage test sets it)", err)
	}
	return rt
}

// tinyModel is the file of the small cross-encoder with made-up weights.
func tinyModel(tb testing.TB) string {
	tb.Helper()
	dir := tb.TempDir()
	if _, err := tinyxlmr.Write(dir, tokenizerPath(tb)); err != nil {
		tb.Fatal(err)
	}
	return filepath.Join(dir, models.GraphFile)
}

func TestLoad(t *testing.T) {
	rt := loadRuntime(t)
	if rt.Version() == "" || !filepath.IsAbs(rt.Path()) || rt.Width() < 1 {
		t.Errorf("version %q, path %q, width %d", rt.Version(), rt.Path(), rt.Width())
	}
	if again, err := onnx.Load(rt.Path()); again != rt || err != nil {
		t.Errorf("loading again: %v, %v", again, err)
	}
	for _, path := range []string{"", filepath.Join(t.TempDir(), "other.so")} {
		if _, err := onnx.Load(path); err == nil {
			t.Errorf("%q: no error", path)
		}
	}
}

func TestSession(t *testing.T) {
	rt, path := loadRuntime(t), tinyModel(t)
	s, err := rt.Open(path, onnx.OpenOptions{})
	if err != nil {
		t.Fatal(err)
	}
	if p := s.Output(); p.Name != "logits" || s.Path() != path || s.Runtime() != rt || s.Device() != "CPU" {
		t.Errorf("output %+v, path %s, device %s", p, s.Path(), s.Device())
	}
	ctx := context.Background()
	ids := []int64{0, 10, 2, 2, 275, 876, 2}
	want, err := s.Run(ctx, ids)
	if err != nil {
		t.Fatal(err)
	}
	if !slices.Equal(want.Shape, []int64{1, 1}) || len(want.Data) != 1 {
		t.Fatalf("shape %v, data %v", want.Shape, want.Data)
	}

	t.Run("concurrent runs agree", func(t *testing.T) {
		lengths := []int{7, 3, 500, 7, 64, 7, 12, 7}
		err := rt.Each(ctx, 200, func(ctx context.Context, i int) error {
			in := make([]int64, lengths[i%len(lengths)])
			copy(in, ids)
			out, err := s.Run(ctx, in)
			if err == nil && len(in) == len(ids) && out.Data[0] != want.Data[0] {
				t.Errorf("run %d: %v instead of %v", i, out.Data, want.Data)
			}
			return err
		})
		if err != nil {
			t.Error(err)
		}
	})

	t.Run("what the model cannot take is an error", func(t *testing.T) {
		for name, ids := range map[string][]int64{
			"no tokens":        nil,
			"too many tokens":  make([]int64, 5000),
			"an unknown token": {0, 1 << 40, 2},
			"a negative token": {0, -1 << 40, 2},
		} {
			if _, err := s.Run(ctx, ids); err == nil {
				t.Errorf("%s: no error", name)
			}
		}
		if again, err := s.Run(ctx, ids); err != nil || again.Data[0] != want.Data[0] {
			t.Errorf("afterwards: %v, %v", again.Data, err)
		}
	})

	t.Run("cancelled", func(t *testing.T) {
		cancelled, cancel := context.WithCancel(ctx)
		started := make(chan struct{})
		stopped := make(chan error)
		go func() {
			for first := true; ; first = false {
				if _, err := s.Run(cancelled, make([]int64, 500)); err != nil {
					stopped <- err
					return
				}
				if first {
					close(started)
				}
			}
		}()
		<-started
		cancel()
		if err := <-stopped; !errors.Is(err, context.Canceled) {
			t.Errorf("error %v", err)
		}
		if again, err := s.Run(ctx, ids); err != nil || again.Data[0] != want.Data[0] {
			t.Errorf("afterwards: %v, %v", again.Data, err)
		}
	})

	t.Run("closed while running", func(t *testing.T) {
		running := make(chan struct{}, 1)
		stopped := make(chan error)
		go func() {
			for {
				if _, err := s.Run(ctx, ids); err != nil {
					stopped <- err
					return
				}
				select {
				case running <- struct{}{}:
				default:
				}
			}
		}()
		<-running
		for range 2 {
			if err := s.Close(); err != nil {
				t.Error(err)
			}
		}
		if err := <-stopped; !errors.Is(err, onnx.ErrClosed) {
			t.Errorf("error %v", err)
		}
	})
}

func TestOpenRefuses(t *testing.T) {
	rt, path := loadRuntime(t), tinyModel(t)
	model, err := os.ReadFile(path)
	if err != nil {
		t.Fatal(err)
	}
	dir := t.TempDir()
	for name, content := range map[string][]byte{
		"empty":    nil,
		"web page": []byte("<!DOCTYPE html><html><body>Sign in</body></html>"),
		"half":     model[:len(model)/2],
		"zeros":    make([]byte, 4096),
		"no ids":   []byte(strings.Replace(string(model), "input_ids", "input_idz", -1)),
	} {
		file := filepath.Join(dir, name)
		if err := os.WriteFile(file, content, 0o600); err != nil {
			t.Fatal(err)
		}
		if s, err := rt.Open(file, onnx.OpenOptions{}); err == nil {
			s.Close()
			t.Errorf("%s: no error", name)
		} else if !strings.Contains(err.Error(), file) {
			t.Errorf("%s: the error does not name the file: %v", name, err)
		}
	}
	if _, err := rt.Open(dir, onnx.OpenOptions{}); err == nil {
		t.Error("a folder: no error")
	}
	if _, err := rt.Open(filepath.Join(dir, "missing"), onnx.OpenOptions{}); !errors.Is(err, os.ErrNotExist) {
		t.Errorf("missing: %v", err)
	}
	if _, err := rt.Open(path, onnx.OpenOptions{Output: "last_hidden_state"}); err == nil || !strings.Contains(err.Error(), "last_hidden_state") {
		t.Errorf("an output it does not have: %v", err)
	}
}

func TestEach(t *testing.T) {
	rt := loadRuntime(t)
	ctx := context.Background()

	t.Run("all, and never more at a time than there are cores", func(t *testing.T) {
		var done [100]atomic.Int32
		var now atomic.Int32
		err := rt.Each(ctx, len(done), func(_ context.Context, i int) error {
			if n := now.Add(1); int(n) > rt.Width() {
				t.Errorf("%d at a time", n)
			}
			defer now.Add(-1)
			done[i].Add(1)
			return nil
		})
		if err != nil {
			t.Fatal(err)
		}
		for i := range done {
			if n := done[i].Load(); n != 1 {
				t.Errorf("%d was done %d times", i, n)
			}
		}
	})

	t.Run("nothing to do", func(t *testing.T) {
		if err := rt.Each(ctx, 0, func(context.Context, int) error { return errors.New("called") }); err != nil {
			t.Error(err)
		}
	})

	t.Run("the first error stops the rest", func(t *testing.T) {
		broken := errors.New("broken")
		var after atomic.Int32
		err := rt.Each(ctx, 1000, func(ctx context.Context, i int) error {
			if i == 3 {
				return broken
			}
			if i > 3 {
				<-ctx.Done()
				after.Add(1)
				return ctx.Err()
			}
			return nil
		})
		if err != broken || int(after.Load()) >= rt.Width() {
			t.Errorf("error %v, %d went on", err, after.Load())
		}
	})

	t.Run("the caller's end", func(t *testing.T) {
		ctx, cancel := context.WithCancelCause(ctx)
		err := rt.Each(ctx, 10, func(ctx context.Context, i int) error {
			cancel(errors.New("why"))
			return ctx.Err()
		})
		if !errors.Is(err, context.Canceled) {
			t.Errorf("error %v", err)
		}
	})
}
