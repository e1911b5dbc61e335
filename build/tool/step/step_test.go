package step

import (
	"context"
	"errors"
	"strings"
	"testing"
	"time"
)

func TestDoReportsTheStepTheReasonAndTheHint(t *testing.T) {
	var out strings.Builder
	log := To(&out)
	clock := time.Unix(0, 0)
	log.now = func() time.Time { clock = clock.Add(1500 * time.Millisecond); return clock }

	reason := errors.New("no space left")
	err := log.Do("unpack the runtime", "free 2 GB", func() error { return reason })
	if !errors.Is(err, reason) {
		t.Fatalf("the reason is lost: %v", err)
	}
	if want := "unpack the runtime: no space left\n  What to do: free 2 GB"; err.Error() != want {
		t.Errorf("error reads %q, want %q", err, want)
	}
	if want := "==> unpack the runtime\n==> unpack the runtime: failed after 1.5s\n"; out.String() != want {
		t.Errorf("log reads %q, want %q", out.String(), want)
	}
}

func TestDoKeepsTheInnermostHint(t *testing.T) {
	log := To(&strings.Builder{})
	err := log.Do("outer", "outer hint", func() error {
		return log.Do("inner", "inner hint", func() error { return errors.New("broken") })
	})
	if want := "inner: broken\n  What to do: inner hint"; err.Error() != want {
		t.Errorf("error reads %q, want %q", err, want)
	}
}

func TestDoGivesNoHintForAStoppedRun(t *testing.T) {
	err := To(&strings.Builder{}).Do("long", "try again", func() error { return context.Canceled })
	if err != context.Canceled {
		t.Errorf("got %v, want the bare cancellation", err)
	}
}
