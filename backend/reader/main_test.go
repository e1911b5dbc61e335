package reader_test

import (
	"os"
	"testing"

	"fanous/backend/reader/readertest"
)

func TestMain(m *testing.M) {
	if readertest.Child() {
		os.Exit(0)
	}
	os.Exit(m.Run())
}
