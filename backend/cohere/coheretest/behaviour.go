package coheretest

import (
	"bytes"
	"encoding/json"
	"fmt"
	"io"
	"net"
	"net/http"
	"strings"
	"time"
)

// Behaviour is how a Server meets a rerank request.
type Behaviour struct {
	Name string

	serve func(s *Server, w http.ResponseWriter, r *http.Request, c Call) // nil: as the API does
}

const portalPath = "/portal"

// Healthy answers as the API does, with the fake relevance.
func Healthy() Behaviour { return Behaviour{Name: "healthy"} }

// Hang takes the request and never answers.
func Hang() Behaviour {
	return Behaviour{"hang", func(s *Server, _ http.ResponseWriter, r *http.Request, _ Call) {
		s.wait(r)
	}}
}

// HeadersThenSilence answers 200 and never sends a body.
func HeadersThenSilence() Behaviour {
	return Behaviour{"headers, then silence", func(s *Server, w http.ResponseWriter, r *http.Request, _ Call) {
		w.Header().Set("Content-Type", "application/json")
		w.WriteHeader(http.StatusOK)
		flush(w)
		s.wait(r)
	}}
}

// Drip sends a good answer one byte at a time.
func Drip(pause time.Duration) Behaviour {
	return Behaviour{"drip", func(s *Server, w http.ResponseWriter, r *http.Request, c Call) {
		body, _ := json.Marshal(map[string]any{"results": Rank(c)}) // plain structs: cannot fail
		w.Header().Set("Content-Type", "application/json")
		tick := time.NewTicker(pause)
		defer tick.Stop()
		for b := range bytes.SplitSeq(body, nil) {
			if _, err := w.Write(b); err != nil {
				return
			}
			flush(w)
			select {
			case <-tick.C:
			case <-s.done:
				return
			case <-r.Context().Done():
				return
			}
		}
	}}
}

// Reset breaks the connection off without an answer.
func Reset() Behaviour {
	return Behaviour{"reset", func(_ *Server, w http.ResponseWriter, _ *http.Request, _ Call) {
		conn, _, err := http.NewResponseController(w).Hijack()
		if err != nil {
			panic(http.ErrAbortHandler) // HTTP/2 has no connection of its own to break: reset the stream
		}
		if tcp, ok := conn.(*net.TCPConn); ok {
			_ = tcp.SetLinger(0) // a reset, not an orderly end
		}
		_ = conn.Close()
	}}
}

// BreaksOff sends half of a good answer, and then the connection breaks: an outage in mid-flight.
func BreaksOff() Behaviour {
	return Behaviour{"breaks off", func(_ *Server, w http.ResponseWriter, _ *http.Request, c Call) {
		body, _ := json.Marshal(map[string]any{"results": Rank(c)}) // plain structs: cannot fail
		w.Header().Set("Content-Type", "application/json")
		_, _ = w.Write(body[:len(body)/2])
		flush(w)
		panic(http.ErrAbortHandler)
	}}
}

// PortalPage answers 200 with a web page, as a captive portal does.
func PortalPage() Behaviour {
	return Behaviour{"portal page", func(_ *Server, w http.ResponseWriter, _ *http.Request, _ Call) {
		writePage(w, http.StatusOK)
	}}
}

// RedirectToPortal sends the client to another path of this server, where a web page is.
// With status 307 or 308 a client that follows sends the documents again.
func RedirectToPortal(status int) Behaviour {
	return Behaviour{fmt.Sprintf("redirect %d to a portal", status), func(s *Server, w http.ResponseWriter, r *http.Request, _ Call) {
		http.Redirect(w, r, s.URL+portalPath, status)
	}}
}

// Answers says 200 with this body, whatever was asked.
func Answers(name, body string) Behaviour {
	return Behaviour{name, func(_ *Server, w http.ResponseWriter, _ *http.Request, _ Call) {
		w.Header().Set("Content-Type", "application/json")
		_, _ = io.WriteString(w, body)
	}}
}

// EmptyObject says 200 with {}.
func EmptyObject() Behaviour { return Answers("empty object", "{}") }

// The next ones spoil an answer that is otherwise good. They need at least two documents.

// IndexOutOfRange names a document that was not sent.
func IndexOutOfRange() Behaviour {
	return spoiled("index out of range", func(rs []Result) any { rs[0].Index = len(rs); return rs })
}

// NegativeIndex names document -1.
func NegativeIndex() Behaviour {
	return spoiled("negative index", func(rs []Result) any { rs[0].Index = -1; return rs })
}

// DuplicateIndex names one document twice and another not at all.
func DuplicateIndex() Behaviour {
	return spoiled("duplicate index", func(rs []Result) any { rs[0].Index = rs[len(rs)-1].Index; return rs })
}

// TooFew leaves the last document out.
func TooFew() Behaviour {
	return spoiled("too few results", func(rs []Result) any { return rs[:len(rs)-1] })
}

// AboveOne gives a score outside [0,1].
func AboveOne() Behaviour {
	return spoiled("score above one", func(rs []Result) any { rs[0].Relevance = 1.5; return rs })
}

// NotANumber gives the score NaN, which is not JSON.
func NotANumber() Behaviour { return rawScore("score NaN", "NaN") }

// Infinite gives a score that no float64 holds.
func Infinite() Behaviour { return rawScore("score 1e999", "1e999") }

// NullScore gives the score null.
func NullScore() Behaviour { return rawScore("score null", "null") }

// MissingScores gives indices only.
func MissingScores() Behaviour {
	return spoiled("missing scores", func(rs []Result) any {
		bare := make([]map[string]int, len(rs))
		for i, r := range rs {
			bare[i] = map[string]int{"index": r.Index}
		}
		return bare
	})
}

// Unauthorized is 401: the key is not taken.
func Unauthorized() Behaviour { return status(http.StatusUnauthorized, "invalid api token") }

// Forbidden is 403 from the API: the key is good but may not do this.
func Forbidden() Behaviour {
	return status(http.StatusForbidden, "this api key has no access to the model")
}

// ForbiddenPage is 403 with a web page: a blocked country, or a portal.
func ForbiddenPage() Behaviour {
	return Behaviour{"403 with a page", func(_ *Server, w http.ResponseWriter, _ *http.Request, _ Call) {
		writePage(w, http.StatusForbidden)
	}}
}

// BadRequestPage is 400 with a web page: a proxy on the way that does not understand the request.
func BadRequestPage() Behaviour {
	return Behaviour{"400 with a page", func(_ *Server, w http.ResponseWriter, _ *http.Request, _ Call) {
		writePage(w, http.StatusBadRequest)
	}}
}

// RateLimited is 429; retryAfter is the header's value, empty: no such header.
func RateLimited(retryAfter string) Behaviour {
	return Behaviour{fmt.Sprintf("429 with Retry-After %q", retryAfter), func(_ *Server, w http.ResponseWriter, _ *http.Request, _ Call) {
		if retryAfter != "" {
			w.Header().Set("Retry-After", retryAfter)
		}
		refuse(w, http.StatusTooManyRequests, "You are using a Trial key, which is limited to 10 API calls / minute.")
	}}
}

// BadRequest is 400, Unprocessable 422: the request is at fault.
func BadRequest() Behaviour { return status(http.StatusBadRequest, "invalid request: fake fault") }

// Unprocessable is 422.
func Unprocessable() Behaviour {
	return status(http.StatusUnprocessableEntity, "invalid request: fake fault")
}

// Failing answers with a status of the server's own trouble: 500, 503, ...
func Failing(code int) Behaviour { return status(code, "internal server error") }

// NetworkSignIn is 511: the network wants a sign-in.
func NetworkSignIn() Behaviour {
	return Behaviour{"511", func(_ *Server, w http.ResponseWriter, _ *http.Request, _ Call) {
		writePage(w, http.StatusNetworkAuthenticationRequired)
	}}
}

// Quotes answers 400 with the request's own Authorization header in the message: a server that would
// carry the key into a log.
func Quotes() Behaviour {
	return Behaviour{"quotes the key", func(_ *Server, w http.ResponseWriter, r *http.Request, _ Call) {
		refuse(w, http.StatusBadRequest, "unknown token "+r.Header.Get("Authorization"))
	}}
}

// MalformedStatus answers with a status line that HTTP does not have, and with text in it. HTTP/1 only.
func MalformedStatus(text string) Behaviour {
	return Behaviour{fmt.Sprintf("status line %q", text), func(_ *Server, w http.ResponseWriter, _ *http.Request, _ Call) {
		conn, _, err := http.NewResponseController(w).Hijack()
		if err != nil {
			panic(http.ErrAbortHandler)
		}
		_, _ = io.WriteString(conn, "HTTP/1.1 "+text+"\r\n\r\n")
		_ = conn.Close()
	}}
}

func status(code int, message string) Behaviour {
	return Behaviour{fmt.Sprint(code), func(_ *Server, w http.ResponseWriter, _ *http.Request, _ Call) {
		refuse(w, code, message)
	}}
}

func spoiled(name string, spoil func([]Result) any) Behaviour {
	return Behaviour{name, func(_ *Server, w http.ResponseWriter, _ *http.Request, c Call) {
		writeJSON(w, http.StatusOK, map[string]any{"results": spoil(Rank(c))})
	}}
}

// rawScore puts a literal in the place of the first score. It is written by hand: NaN is not JSON, so
// the encoder would send nothing at all.
func rawScore(name, literal string) Behaviour {
	return Behaviour{name, func(_ *Server, w http.ResponseWriter, _ *http.Request, c Call) {
		w.Header().Set("Content-Type", "application/json")
		var entries []string
		for i, r := range Rank(c) {
			score := fmt.Sprint(r.Relevance)
			if i == 0 {
				score = literal
			}
			entries = append(entries, fmt.Sprintf(`{"index":%d,"relevance_score":%s}`, r.Index, score))
		}
		fmt.Fprintf(w, `{"results":[%s]}`, strings.Join(entries, ","))
	}}
}

// wait blocks until the client leaves or the server closes.
func (s *Server) wait(r *http.Request) {
	select {
	case <-r.Context().Done():
	case <-s.done:
	}
}

func flush(w http.ResponseWriter) {
	_ = http.NewResponseController(w).Flush() // the client may have left
}
