package main

import (
	"context"
	"errors"
	"fmt"
	"testing"

	"fanous/backend/domain"
)

// TestAnInterruptIsNoMystery: whoever presses Ctrl-C reads what became of the work, and not "context canceled".
func TestAnInterruptIsNoMystery(t *testing.T) {
	ended, end := context.WithCancel(t.Context())
	end()
	wrapped := fmt.Errorf("open the index: %w", context.Canceled)
	if err := interrupted(ended, wrapped); domain.CodeOf(err) != domain.CodeCanceled || domain.HintOf(err) == "" {
		t.Errorf("%v", err)
	}
	said := domain.Errorf(domain.CodeCanceled, "run it again to go on from here", "what has arrived stays: %w", context.Canceled)
	other := errors.New("the disk is full")
	for _, err := range []error{said, other, nil} {
		if got := interrupted(ended, err); got != err {
			t.Errorf("%v became %v", err, got)
		}
	}
	if got := interrupted(t.Context(), wrapped); got != wrapped {
		t.Errorf("nobody interrupted, and: %v", got)
	}
}
