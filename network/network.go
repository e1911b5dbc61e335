// Package network opens every connection that the program makes, and no other code does (a test holds that), so that
// one switch cuts all of them off.
package network

import (
	"context"
	"crypto/tls"
	"crypto/x509"
	"errors"
	"fmt"
	"net"
	"net/http"
	"os"
	"sync"
	"sync/atomic"
	"time"
)

// ErrOffline is the error of everything that would leave while the switch is on.
var ErrOffline = errors.New("the offline switch is on")

// ErrCertificates says that the certificates of the environment cannot be used, so that nobody could be trusted.
var ErrCertificates = errors.New("the certificates that SSL_CERT_FILE names cannot be used")

// Network is the way out of this machine. It is safe for concurrent use.
type Network struct{ off atomic.Bool }

// New makes a network whose offline switch is on or off.
func New(offline bool) *Network {
	n := &Network{}
	n.Switch(offline)
	return n
}

// Switch turns the offline switch on or off. Once on, no connection is opened and no request begun, on an open
// connection neither; what is on its way is the business of its context.
func (n *Network) Switch(offline bool) { n.off.Store(offline) }

// Offline says whether the switch is on.
func (n *Network) Offline() bool { return n.off.Load() }

// Client makes an HTTP client that uses the proxy which the environment names and the system's certificates; those of
// SSL_CERT_FILE count besides, which only some systems see to by themselves. tune, which may be nil, sets what else
// the transport should be like.
func (n *Network) Client(tune func(*http.Transport)) *http.Client {
	return &http.Client{Transport: &way{network: n, inner: sync.OnceValues(func() (*http.Transport, error) {
		return n.transport(tune)
	})}}
}

func (n *Network) transport(tune func(*http.Transport)) (*http.Transport, error) {
	dialer := net.Dialer{Timeout: 30 * time.Second, KeepAlive: 30 * time.Second}
	t := &http.Transport{
		Proxy: http.ProxyFromEnvironment,
		DialContext: func(ctx context.Context, network, address string) (net.Conn, error) {
			if n.Offline() {
				return nil, ErrOffline
			}
			return dialer.DialContext(ctx, network, address)
		},
		ForceAttemptHTTP2:   true,
		TLSHandshakeTimeout: 10 * time.Second,
		IdleConnTimeout:     90 * time.Second,
	}
	if path := os.Getenv("SSL_CERT_FILE"); path != "" {
		roots, err := certificates(path)
		if err != nil {
			return nil, err
		}
		t.TLSClientConfig = &tls.Config{RootCAs: roots}
	}
	if tune != nil {
		tune(t)
	}
	return t, nil
}

// certificates are the system's and those of a file.
func certificates(path string) (*x509.CertPool, error) {
	pem, err := os.ReadFile(path)
	if err != nil {
		return nil, fmt.Errorf("%w: %w", ErrCertificates, err)
	}
	pool, err := x509.SystemCertPool()
	if err != nil {
		pool = x509.NewCertPool()
	}
	if !pool.AppendCertsFromPEM(pem) {
		return nil, fmt.Errorf("%w: there is none in %s", ErrCertificates, path)
	}
	return pool, nil
}

// way is the transport of one client, made when it is first needed.
type way struct {
	network *Network
	inner   func() (*http.Transport, error)
}

func (w *way) RoundTrip(r *http.Request) (*http.Response, error) {
	err := error(ErrOffline)
	if !w.network.Offline() {
		var t *http.Transport
		if t, err = w.inner(); err == nil {
			return t.RoundTrip(r)
		}
	}
	if r.Body != nil {
		_ = r.Body.Close() // as every RoundTripper must
	}
	return nil, err
}

// CloseIdleConnections is what http.Client asks for.
func (w *way) CloseIdleConnections() {
	if t, err := w.inner(); err == nil {
		t.CloseIdleConnections()
	}
}
