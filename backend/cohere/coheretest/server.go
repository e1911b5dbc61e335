// Package coheretest is a stand-in for Cohere's v2 rerank API, for tests and for the outage drill. It
// listens on the loopback only, checks a request as the API does, and can misbehave.
//
// Its relevance is a FAKE: the share of the query's words that a document contains. It ranks well
// enough to be told apart from the fused order and means nothing else.
package coheretest

import (
	"cmp"
	"crypto/x509"
	"encoding/json"
	"io"
	"log"
	"net"
	"net/http"
	"net/http/httptest"
	"slices"
	"strings"
	"sync"
	"unicode"
)

// Key is the API key that every Server takes, and no other.
const Key = "coheretest-not-a-real-key"

// Call is a rerank request that arrived.
type Call struct {
	Authorization string   `json:"-"`
	Protocol      string   `json:"-"` // "HTTP/1.1", "HTTP/2.0"
	Body          []byte   `json:"-"` // as it arrived
	Model         string   `json:"model"`
	Query         string   `json:"query"`
	Documents     []string `json:"documents"`
	TopN          *int     `json:"top_n"`
	MaxTokens     *int     `json:"max_tokens_per_doc"`
}

// Server is a running stand-in. Close it.
type Server struct {
	URL string // the base URL to configure

	http *httptest.Server
	done chan struct{} // closed by Close: frees every request that hangs

	record *record // nil: nothing is kept

	mu          sync.Mutex
	behaviour   Behaviour
	onCall      func(Call)
	calls       []Call
	requests    int
	connections int
	open        int
}

// Start runs a stand-in that behaves well.
func Start() *Server { return start((*httptest.Server).Start) }

// StartRecording runs one that keeps every byte that arrives.
func StartRecording() *Server {
	record := &record{}
	server := start(func(s *httptest.Server) {
		s.Listener = recorded{s.Listener, record}
		s.Start()
	})
	server.record = record
	return server
}

// StartTLS runs one over TLS and HTTP/2, whose certificate nobody trusts, as a portal's or an inspecting
// proxy's is. A test that wants to trust it asks for Certificate.
func StartTLS() *Server {
	return start(func(s *httptest.Server) {
		s.EnableHTTP2 = true
		s.StartTLS()
	})
}

// Certificate is that of a Server over TLS; nil for one without.
func (s *Server) Certificate() *x509.Certificate { return s.http.Certificate() }

func start(how func(*httptest.Server)) *Server {
	s := &Server{done: make(chan struct{}), behaviour: Healthy()}
	s.http = httptest.NewUnstartedServer(http.HandlerFunc(s.handle))
	s.http.Config.ErrorLog = log.New(io.Discard, "", 0) // refused handshakes are the point
	s.http.Config.ConnState = func(_ net.Conn, state http.ConnState) {
		s.mu.Lock()
		defer s.mu.Unlock()
		switch state {
		case http.StateNew:
			s.connections++
			s.open++
		case http.StateClosed, http.StateHijacked: // a behaviour that hijacks closes
			s.open--
		}
	}
	how(s.http)
	s.URL = s.http.URL
	return s
}

// Close ends it, and every request that hangs in it.
func (s *Server) Close() {
	close(s.done)
	s.http.CloseClientConnections()
	s.http.Close()
}

// Drop breaks every open connection.
func (s *Server) Drop() { s.http.CloseClientConnections() }

// Received is every byte that has arrived on any connection, those that were no whole request too.
func (s *Server) Received() []byte { return s.record.bytes() }

// Behave changes what the next requests meet; those under way are not changed.
func (s *Server) Behave(b Behaviour) {
	s.mu.Lock()
	defer s.mu.Unlock()
	s.behaviour = b
}

// OnCall sets what is called when a rerank request has arrived whole, before it is met.
func (s *Server) OnCall(f func(Call)) {
	s.mu.Lock()
	defer s.mu.Unlock()
	s.onCall = f
}

// Calls are the rerank requests that arrived whole, in order.
func (s *Server) Calls() []Call {
	s.mu.Lock()
	defer s.mu.Unlock()
	return slices.Clone(s.calls)
}

// Requests counts HTTP requests of every kind, also to other paths.
func (s *Server) Requests() int {
	s.mu.Lock()
	defer s.mu.Unlock()
	return s.requests
}

// Connections counts all connections that there were, with or without a request on them.
func (s *Server) Connections() int {
	s.mu.Lock()
	defer s.mu.Unlock()
	return s.connections
}

// Open counts the connections that are open now.
func (s *Server) Open() int {
	s.mu.Lock()
	defer s.mu.Unlock()
	return s.open
}

func (s *Server) handle(w http.ResponseWriter, r *http.Request) {
	var call Call
	// The body is read to its end before anything else: only then net/http notices a client that leaves.
	body, err := io.ReadAll(r.Body)
	if err == nil {
		err = json.Unmarshal(body, &call)
	}
	call.Authorization, call.Protocol, call.Body = r.Header.Get("Authorization"), r.Proto, body

	s.mu.Lock()
	s.requests++
	behaviour, onCall := s.behaviour, s.onCall
	rerank := r.URL.Path == "/v2/rerank" && r.Method == http.MethodPost
	if rerank {
		s.calls = append(s.calls, call)
	}
	s.mu.Unlock()
	if rerank && onCall != nil {
		onCall(call)
	}

	switch {
	case r.URL.Path == portalPath:
		writePage(w, http.StatusOK)
	case !rerank:
		refuse(w, http.StatusNotFound, "there is nothing at this path")
	case behaviour.serve != nil:
		behaviour.serve(s, w, r, call)
	case call.Authorization != "Bearer "+Key:
		refuse(w, http.StatusUnauthorized, "invalid api token")
	case err != nil:
		refuse(w, http.StatusBadRequest, "invalid request: the body is not JSON")
	case call.Model == "":
		refuse(w, http.StatusBadRequest, "invalid request: model is required")
	case strings.TrimSpace(call.Query) == "":
		refuse(w, http.StatusBadRequest, "invalid request: query must not be empty or be only whitespace")
	case len(call.Documents) == 0:
		refuse(w, http.StatusBadRequest, "invalid request: list of documents must not be empty")
	default:
		answer(w, Rank(call))
	}
}

// Result is one entry of an answer.
type Result struct {
	Index     int     `json:"index"`
	Relevance float64 `json:"relevance_score"`
}

// Rank is the fake judgement: best first, ties in the order of the request.
func Rank(call Call) []Result {
	query := words(call.Query)
	results := make([]Result, len(call.Documents))
	for i, d := range call.Documents {
		results[i] = Result{Index: i, Relevance: overlap(query, words(d))}
	}
	slices.SortStableFunc(results, func(a, b Result) int { return cmp.Compare(b.Relevance, a.Relevance) })
	if call.TopN != nil && *call.TopN < len(results) {
		results = results[:*call.TopN]
	}
	return results
}

func overlap(query, document []string) float64 {
	if len(query) == 0 {
		return 0
	}
	found := 0
	for _, w := range query {
		if slices.Contains(document, w) {
			found++
		}
	}
	return float64(found) / float64(len(query))
}

func words(text string) []string {
	return strings.FieldsFunc(strings.ToLower(text), func(r rune) bool {
		return !unicode.IsLetter(r) && !unicode.IsNumber(r) && !unicode.IsMark(r)
	})
}

func answer(w http.ResponseWriter, results []Result) {
	writeJSON(w, http.StatusOK, map[string]any{
		"id":      "00000000-0000-4000-8000-000000000000",
		"results": results,
		"meta": map[string]any{
			"api_version":  map[string]any{"version": "2"},
			"billed_units": map[string]any{"search_units": 1},
		},
	})
}

func refuse(w http.ResponseWriter, status int, message string) {
	writeJSON(w, status, map[string]string{
		"id": "00000000-0000-4000-8000-000000000000", "message": message,
	})
}

func writeJSON(w http.ResponseWriter, status int, v any) {
	w.Header().Set("Content-Type", "application/json")
	w.WriteHeader(status)
	_ = json.NewEncoder(w).Encode(v) // the client may have left
}

func writePage(w http.ResponseWriter, status int) {
	w.Header().Set("Content-Type", "text/html; charset=utf-8")
	w.WriteHeader(status)
	_, _ = io.WriteString(w, "<!doctype html><title>Sign in</title><p>Accept the terms to use this network.")
}
