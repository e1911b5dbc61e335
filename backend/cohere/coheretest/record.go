package coheretest

import (
	"bytes"
	"net"
	"sync"
)

// record keeps what arrives.
type record struct {
	mu   sync.Mutex
	kept []byte
}

func (r *record) add(b []byte) {
	r.mu.Lock()
	defer r.mu.Unlock()
	r.kept = append(r.kept, b...)
}

func (r *record) bytes() []byte {
	r.mu.Lock()
	defer r.mu.Unlock()
	return bytes.Clone(r.kept)
}

// recorded records the connections of a listener.
type recorded struct {
	net.Listener
	record *record
}

func (l recorded) Accept() (net.Conn, error) {
	conn, err := l.Listener.Accept()
	if err != nil {
		return nil, err
	}
	return recordedConn{conn, l.record}, nil
}

type recordedConn struct {
	net.Conn
	record *record
}

func (c recordedConn) Read(b []byte) (int, error) {
	n, err := c.Conn.Read(b)
	c.record.add(b[:n])
	return n, err
}
