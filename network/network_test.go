package network_test

import (
	"errors"
	"io"
	"net/http"
	"net/http/httptest"
	"path/filepath"
	"strings"
	"sync/atomic"
	"testing"

	"fanous/network"
)

// TestTheSwitchCutsOffWhatIsOpenToo: no request is begun on a connection that was kept open either.
func TestTheSwitchCutsOffWhatIsOpenToo(t *testing.T) {
	var requests atomic.Int32
	server := httptest.NewServer(http.HandlerFunc(func(http.ResponseWriter, *http.Request) { requests.Add(1) }))
	defer server.Close()
	n := network.New(true)
	client := n.Client(nil)
	ask := func() error {
		resp, err := client.Post(server.URL, "text/plain", strings.NewReader("hello"))
		if err == nil {
			_, _ = io.Copy(io.Discard, resp.Body)
			err = resp.Body.Close()
		}
		return err
	}
	for i, offline := range []bool{true, false, true, false, false, true} {
		n.Switch(offline)
		if err := ask(); errors.Is(err, network.ErrOffline) != offline || !offline && err != nil {
			t.Errorf("request %d, offline %v: %v", i, offline, err)
		}
	}
	if requests.Load() != 3 {
		t.Errorf("%d requests arrived", requests.Load())
	}
}

// TestTheSwitchIsInTheDialer: a transport that a tuning changes cannot go round it.
func TestTheSwitchIsInTheDialer(t *testing.T) {
	var transport *http.Transport
	n := network.New(false)
	n.Client(func(t *http.Transport) { transport = t }).CloseIdleConnections() // makes it
	n.Switch(true)
	if _, err := transport.DialContext(t.Context(), "tcp", "127.0.0.1:1"); !errors.Is(err, network.ErrOffline) {
		t.Error(err)
	}
}

func TestCertificatesThatCannotBeRead(t *testing.T) {
	t.Setenv("SSL_CERT_FILE", filepath.Join(t.TempDir(), "none"))
	if _, err := network.New(false).Client(nil).Get("https://example.invalid"); !errors.Is(err, network.ErrCertificates) {
		t.Error(err)
	}
}
