package backend

import (
	"context"
	"testing"
	"testing/synctest"
	"time"

	"fanous/backend/domain"
	"fanous/backend/keychain"
)

// TestNobodyWaitsForALockedKeychain: the first who asks waits for a moment, the others not at all, and the key serves
// whoever asks after it came.
func TestNobodyWaitsForALockedKeychain(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		f, start, asked := newFinding(), time.Now(), 0
		unlocked := make(chan struct{})
		wait := func(ctx context.Context) access {
			f.begin(func(find func()) { go find() }, func() access {
				asked++
				<-unlocked
				return access{key: "late", from: domain.KeyKeychain}
			})
			return f.wait(ctx)
		}
		ctx, cancel := context.WithTimeout(t.Context(), keyPatience/2)
		defer cancel()
		for _, tt := range []struct {
			ctx  context.Context
			upTo time.Duration // since the start
		}{{ctx, keyPatience / 2}, {t.Context(), keyPatience}, {t.Context(), keyPatience}} {
			a := wait(tt.ctx)
			if !a.remote.Pending || a.remote.Reason != keychain.Unanswered || a.key != "" || time.Since(start) != tt.upTo {
				t.Errorf("%+v after %v, want nothing after %v", a, time.Since(start), tt.upTo)
			}
		}
		close(unlocked)
		synctest.Wait()
		if a := wait(ctx); a.key != "late" || a.remote.Pending || asked != 1 {
			t.Errorf("%+v, asked %d times", a, asked)
		}
	})
}
