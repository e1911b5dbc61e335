package embed

import (
	"errors"
	"testing"
	"testing/synctest"
	"time"

	"fanous/backend/onnx"
)

func TestResident(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		opened, closed := 0, 0
		fails := false
		r := &resident[int]{
			open: func() (int, error) {
				if fails {
					return 0, errors.New("made-up failure")
				}
				opened++
				return opened, nil
			},
			close: func(int) error { closed++; return nil },
			idle:  time.Minute,
		}
		want := func(what string, o, c int) {
			t.Helper()
			synctest.Wait()
			if opened != o || closed != c {
				t.Errorf("%s: opened %d and closed %d times, want %d and %d", what, opened, closed, o, c)
			}
		}
		use := func() func() {
			t.Helper()
			_, done, err := r.use()
			if err != nil {
				t.Fatal(err)
			}
			return done
		}
		want("before the first use", 0, 0)
		first, second := use(), use()
		want("two at a time", 1, 0)
		first()
		<-time.After(2 * time.Minute)
		want("one still uses it", 1, 0)
		second()
		<-time.After(time.Minute - 1)
		want("not idle for long", 1, 0)
		use()()
		<-time.After(time.Minute - 1)
		want("used in between", 1, 0)
		<-time.After(2)
		want("idle", 1, 1)
		use()()
		want("used again", 2, 1)
		<-time.After(time.Hour)
		fails = true
		if _, _, err := r.use(); err == nil {
			t.Error("it opened though opening fails")
		}
		fails = false
		done := use()
		if err := r.shutDown(); err != nil {
			t.Error(err)
		}
		done()
		want("shut", 3, 3)
		if _, _, err := r.use(); !errors.Is(err, onnx.ErrClosed) {
			t.Errorf("after shutting: %v", err)
		}
		if err := r.shutDown(); err != nil {
			t.Error(err)
		}
		want("shut twice", 3, 3)
	})
}
