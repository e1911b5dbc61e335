package backend

import (
	"context"
	"errors"
	"testing"
	"time"

	"fanous/backend/domain"
)

func TestItIsCalmWhenNobodyHasSearchedForAWhile(t *testing.T) {
	var c calm
	start := time.Now()
	if left := c.left(time.Minute, start); left != time.Minute {
		t.Errorf("at the beginning: %v", left)
	}
	if left := c.left(time.Minute, start.Add(time.Minute)); left != 0 {
		t.Errorf("after a minute: %v", left)
	}
	done := c.busy()
	if left := c.left(time.Minute, start.Add(time.Hour)); left != time.Minute {
		t.Errorf("while somebody searches: %v", left)
	}
	done()
	if left := c.left(time.Minute, time.Now().Add(20*time.Second)); left <= 39*time.Second || left > 40*time.Second {
		t.Errorf("20 s after a search: %v", left)
	}
	ctx, cancel := context.WithCancel(t.Context())
	cancel()
	if err := (&Backend{}).Calm(ctx, time.Hour); !errors.Is(err, context.Canceled) {
		t.Error(err)
	}
}

func TestADrillIsDueWhenTheLastOneIsOld(t *testing.T) {
	b := &Backend{cfg: Config{DataDir: t.TempDir()}}
	now := time.Now()
	due := func(days int) bool {
		b.cfg.DrillDays = days
		return b.DrillIsDue(now)
	}
	if due(0) || !due(7) {
		t.Error("without a drill: only where one is wanted")
	}
	if err := b.keepDrill(domain.DrillReport{At: now.Add(-6 * 24 * time.Hour)}); err != nil {
		t.Fatal(err)
	}
	if due(0) || due(7) || !due(6) {
		t.Error("after six days")
	}
}
