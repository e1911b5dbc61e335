package backend_test

import (
	"errors"
	"strings"
	"testing"

	"github.com/zalando/go-keyring"

	"fanous/backend"
	"fanous/backend/domain"
	"fanous/backend/keychain"
)

// TestOnlyWhoWantsCohereAsksTheKeychain, and a keychain that does not answer is told of and ends nothing.
func TestOnlyWhoWantsCohereAsksTheKeychain(t *testing.T) {
	t.Setenv(keychain.Off, "")
	t.Setenv("DBUS_SESSION_BUS_ADDRESS", "unix:path=/made-up") // never opened
	keyring.MockInitWithError(errors.New("locked"))
	keys := keychain.New()
	b := openOn(t, backend.Config{DataDir: indexed(t), Keychain: keys})
	defer b.Close()
	for _, mode := range []domain.RerankMode{domain.RerankOff, domain.RerankLocal} {
		if _, err := b.Search(t.Context(), domain.SearchRequest{Query: "lantern", Rerank: mode}, nil); err != nil {
			t.Fatal(err)
		}
	}
	if why := keys.Why(); why != "" {
		t.Fatalf("it was asked: %s", why)
	}
	for range 2 {
		got, err := b.Search(t.Context(), domain.SearchRequest{Query: "lantern", Rerank: domain.RerankAuto}, nil)
		if err != nil || len(got.Hits) != 1 {
			t.Fatalf("%d hits, %v", len(got.Hits), err)
		}
		step := got.Rerank.Steps[0]
		if step.Code != "no_key" || !strings.Contains(step.Reason, "The keychain did not answer: locked.") || step.Reason != keys.Why() {
			t.Errorf("step %+v", step)
		}
		keyring.MockInitWithError(errors.New("asked again"))
	}
	if state := b.KeyState(t.Context()); state.From != domain.KeyNone || !strings.Contains(state.NoKeychain, "locked") {
		t.Errorf("%+v", state)
	}
}
