package keychain

import (
	"context"
	"errors"
	"strings"
	"testing"
	"testing/synctest"

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
		asked := make(chan struct{})
		defer close(asked)
		_, err := within(t.Context(), patience, func() (string, error) { <-asked; return "late", nil })
		if !errors.Is(err, context.DeadlineExceeded) || !strings.Contains(reason(err), "may be locked") {
			t.Errorf("error %v, %q", err, reason(err))
		}
	})
}
