package keychain

import (
	"context"
	"errors"
	"strings"
	"testing"
	"testing/synctest"
	"time"

	"github.com/zalando/go-keyring"

	"fanous/backend/domain"
)

// madeUp puts a made-up system in place of this machine's own, which a test never reaches.
func madeUp(t *testing.T, err error) {
	t.Helper()
	t.Setenv(Off, "")
	t.Setenv("DBUS_SESSION_BUS_ADDRESS", "unix:path=/made-up") // never opened
	keyring.MockInit()
	if err != nil {
		keyring.MockInitWithError(err)
	}
}

func has(t *testing.T, k *Keychain, key string, from domain.KeySource, why string) {
	t.Helper()
	got, where, silent := k.Key(t.Context())
	if (silent != "") != (strings.HasPrefix(why, "did not answer") && key == "") || got != key || where != from || !strings.Contains(k.Why(), why) || why == "" && k.Why() != "" {
		t.Errorf("key %q from %q, %q; want %q from %q, %q", got, where, k.Why(), key, from, why)
	}
}

func TestTheKeyIsInTheSystemsKeychain(t *testing.T) {
	madeUp(t, nil)
	k := New()
	has(t, k, "", domain.KeyNone, "")
	for _, key := range []string{"first", "second"} {
		if err := k.Set(t.Context(), key); err != nil {
			t.Fatal(err)
		}
		has(t, k, key, domain.KeyKeychain, "")
		has(t, New(), key, domain.KeyKeychain, "") // another start of the program
	}
	if err := k.Remove(t.Context()); err != nil {
		t.Fatal(err)
	}
	has(t, k, "", domain.KeyNone, "")
	if err := k.Remove(t.Context()); err != nil {
		t.Errorf("removed twice: %v", err)
	}
}

func TestWithoutAKeychainTheKeyLivesAsLongAsTheProgram(t *testing.T) {
	for _, tt := range []struct {
		name, why string
		err       error
		off       string
	}{
		{"off", "switched off by FANOUS_KEYCHAIN", nil, "off"},
		{"broken", "did not answer: no service", errors.New("no service"), ""},
	} {
		t.Run(tt.name, func(t *testing.T) {
			madeUp(t, tt.err)
			t.Setenv(Off, tt.off)
			k := New()
			has(t, k, "", domain.KeyNone, tt.why)
			if err := k.Set(t.Context(), "secret"); err != nil {
				t.Fatal(err)
			}
			has(t, k, "secret", domain.KeySession, tt.why)
			has(t, New(), "", domain.KeyNone, tt.why)
			if err := k.Remove(t.Context()); err != nil {
				t.Error(err)
			}
			has(t, k, "", domain.KeyNone, tt.why)
			if strings.Contains(k.Why(), "secret") {
				t.Error("the reason has the key")
			}
		})
	}
}

func TestAKeyThatCannotBeRemovedIsAnError(t *testing.T) {
	madeUp(t, errors.New("locked"))
	if err := New().Remove(t.Context()); domain.CodeOf(err) != domain.CodeUnavailable || domain.HintOf(err) == "" {
		t.Errorf("error %v", err)
	}
}

// TestAKeychainThatAsksHoldsNobodyUp: the clock is the test's own.
func TestAKeychainThatAsksHoldsNobodyUp(t *testing.T) {
	madeUp(t, nil)
	synctest.Test(t, func(t *testing.T) {
		locked := make(chan struct{})
		err := change(t.Context(), func() error { <-locked; return nil })
		if !errors.Is(err, context.DeadlineExceeded) || !strings.Contains(reason(err), "may be locked") {
			t.Errorf("error %v, %q", err, reason(err))
		}

		k := New()
		got := make(chan string)
		go func() {
			key, _, _ := k.key(t.Context(), func() (string, error) { <-locked; return "late", nil })
			got <- key
		}()
		synctest.Wait()
		if k.Why() != Unanswered {
			t.Errorf("while it is asked: %q", k.Why())
		}
		<-time.After(time.Hour) // until somebody is there
		close(locked)
		if key := <-got; key != "late" || k.Why() != "" {
			t.Errorf("key %q, %q", key, k.Why())
		}

		ctx, cancel := context.WithCancel(t.Context())
		cancel()
		never := make(chan struct{})
		defer close(never)
		if key, _, silent := k.key(ctx, func() (string, error) { <-never; return "", nil }); key != "" || silent == "" {
			t.Errorf("after the end: key %q, %q", key, silent)
		}
	})
}
