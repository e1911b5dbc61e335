package cohere

import (
	"context"
	"crypto/tls"
	"crypto/x509"
	"io"
	"net"
	"net/http"
	"net/http/httptest"
	"sync/atomic"
	"testing"
	"testing/synctest"
	"time"
)

// pipes is a listener without a network, so that the clock of the test is the clock of the connections.
type pipes struct {
	conns  chan net.Conn
	closed context.Context
	close  context.CancelFunc
}

func (p pipes) Accept() (net.Conn, error) {
	select {
	case c := <-p.conns:
		return c, nil
	case <-p.closed.Done():
		return nil, net.ErrClosed
	}
}

func (p pipes) Close() error   { p.close(); return nil }
func (p pipes) Addr() net.Addr { return &net.TCPAddr{IP: net.IPv4(127, 0, 0, 1), Port: 1} }

// valve is a connection that can die in silence: what is written is lost, and nothing says so.
type valve struct {
	net.Conn
	dead   *atomic.Bool
	closed *atomic.Int32
}

func (v valve) Write(p []byte) (int, error) {
	if v.dead.Load() {
		return len(p), nil
	}
	return v.Conn.Write(p)
}

func (v valve) Close() error {
	v.closed.Add(1)
	return v.Conn.Close()
}

// TestAnIdleConnectionIsNotTrustedForLong: one that died in silence is found out by a ping, before a search has
// to; one that works is dropped after half a minute.
func TestAnIdleConnectionIsNotTrustedForLong(t *testing.T) {
	for name, tt := range map[string]struct {
		dies   bool
		within time.Duration // until it is dropped
		after  time.Duration // and not before
	}{
		"dead":  {true, 14 * time.Second, 12 * time.Second},
		"alive": {false, 31 * time.Second, 29 * time.Second},
	} {
		t.Run(name, func(t *testing.T) {
			synctest.Test(t, func(t *testing.T) {
				closed, closeListener := context.WithCancel(context.Background())
				listener := pipes{make(chan net.Conn), closed, closeListener}
				server := httptest.NewUnstartedServer(http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
					if r.ProtoMajor != 2 {
						t.Errorf("asked over %s", r.Proto)
					}
					w.Header().Set("Content-Type", "application/json")
					_, _ = io.WriteString(w, `{"results":[{"index":0,"relevance_score":0.5}]}`)
				}))
				_ = server.Listener.Close()
				server.Listener, server.EnableHTTP2 = listener, true
				server.StartTLS()
				defer server.Close()

				var dead atomic.Bool
				var dialled, dropped atomic.Int32
				c := open(t, "https://example.com")
				defer c.Close()
				roots := x509.NewCertPool()
				roots.AddCert(server.Certificate())
				retune(c, func(transport *http.Transport) {
					transport.TLSClientConfig = &tls.Config{RootCAs: roots}
					transport.DialContext = func(context.Context, string, string) (net.Conn, error) {
						near, far := net.Pipe()
						listener.conns <- far
						dialled.Add(1)
						return valve{near, &dead, &dropped}, nil
					}
				})
				ask := func() {
					t.Helper()
					if _, err := c.Rerank(t.Context(), "q", []string{"d"}); err != nil {
						t.Fatal(err)
					}
				}
				ask()
				ask()
				if dialled.Load() != 1 {
					t.Fatalf("%d connections for two calls", dialled.Load())
				}
				dead.Store(tt.dies)
				<-time.After(tt.after)
				synctest.Wait()
				if dropped.Load() != 0 {
					t.Errorf("dropped within %v", tt.after)
				}
				<-time.After(tt.within - tt.after)
				synctest.Wait()
				if dropped.Load() == 0 {
					t.Errorf("not dropped after %v", tt.within)
				}
				dead.Store(false)
				ask()
				if dialled.Load() != 2 {
					t.Errorf("%d connections", dialled.Load())
				}
			})
		})
	}
}
