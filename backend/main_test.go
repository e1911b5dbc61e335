package backend_test

import (
	"os"
	"testing"

	"fanous/backend/trial"
)

// TestMain lets this program make self-tests, as the real ones do.
func TestMain(m *testing.M) {
	if trial.Child() {
		os.Exit(0)
	}
	os.Exit(m.Run())
}
