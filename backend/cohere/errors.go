package cohere

import (
	"context"
	"crypto/tls"
	"crypto/x509"
	"errors"
	"fmt"
	"net"
	"net/http"
	"strconv"
	"strings"
	"time"
	"unicode"

	"fanous/network"
)

// Kind is what went wrong, as a stable code.
type Kind string

const (
	Unreachable Kind = "unreachable"  // no connection, or it broke off
	DNS         Kind = "dns"          // the name could not be looked up
	Timeout     Kind = "deadline"     // no whole answer in time
	TLS         Kind = "tls"          // the other side could not prove who it is
	Redirected  Kind = "redirected"   // sent on to another address; not followed
	Portal      Kind = "portal"       // a web page in place of an answer: a network's sign-in page
	Blocked     Kind = "blocked"      // 403 with a web page: this caller is blocked; the key is not at fault
	BadKey      Kind = "bad_key"      // 401
	Forbidden   Kind = "forbidden"    // the key is good but may not do this
	RateLimited Kind = "rate_limited" // 429
	BadRequest  Kind = "bad_request"  // 400, 422: a fault of ours; trying again cannot help
	ServerError Kind = "server_error" // any other status
	BadAnswer   Kind = "bad_answer"   // an answer that cannot be believed
	Offline     Kind = "offline"      // the offline switch is on
)

// Error is why there are no scores. It never contains the key, and no text of a document.
type Error struct {
	Kind       Kind
	Status     int           // of the HTTP answer; 0: there was none
	RetryAfter time.Duration // RateLimited and ServerError: how long to wait, clamped; 0: not said
	Detail     string        // what the other side or the system said, cleaned and cut; may be empty
	Err        error         // context.DeadlineExceeded for a Timeout, otherwise nil
}

func (e *Error) Error() string {
	text := "cohere: " + string(e.Kind)
	if e.Status != 0 {
		text += fmt.Sprintf(" (status %d)", e.Status)
	}
	if e.Detail != "" {
		text += ": " + e.Detail
	}
	return text
}

func (e *Error) Unwrap() error { return e.Err }

// Permanent says that the same request can never succeed.
func (e *Error) Permanent() bool { return e.Kind == BadRequest }

// Sentence says it to the person who searches.
func (e *Error) Sentence() string {
	switch e.Kind {
	case Unreachable:
		return "Cohere cannot be reached from this network."
	case Offline:
		return "The offline switch is on, so nothing was sent to Cohere."
	case DNS:
		return "Cohere's address could not be looked up; the network may be down."
	case Timeout:
		return "Cohere did not answer in time."
	case TLS:
		return "The server in Cohere's place has no trusted certificate, so nothing was sent to it."
	case Redirected:
		return "The network sends requests for Cohere on to another address; that was not followed."
	case Portal:
		return "A web page answered in Cohere's place; this network may want you to sign in first."
	case Blocked:
		return "Cohere, or the network on the way to it, blocks this computer, often because of its country. The API key is not at fault."
	case BadKey:
		return "Cohere does not accept the API key."
	case Forbidden:
		return "Cohere does not allow this API key to rerank with this model."
	case RateLimited:
		return "The API key's limit of calls to Cohere is reached."
	case BadRequest:
		return "Cohere refused the request as malformed. That is a fault in Fanous; please report it" + e.detail()
	case ServerError:
		return fmt.Sprintf("Cohere has trouble of its own (status %d).", e.Status)
	default:
		return "Cohere's answer cannot be believed, so it was not used" + e.detail()
	}
}

// detail ends a sentence.
func (e *Error) detail() string {
	if e.Detail == "" {
		return "."
	}
	return " (" + e.Detail + ")."
}

// refusalOf reads an answer whose status is not 200.
func refusalOf(resp *http.Response, body []byte, now time.Time) *Error {
	e := &Error{Kind: ServerError, Status: resp.StatusCode}
	switch s := resp.StatusCode; {
	case s >= 300 && s < 400:
		e.Kind = Redirected
	case s == http.StatusBadRequest, s == http.StatusUnprocessableEntity, s == http.StatusRequestEntityTooLarge:
		e.Kind = BadRequest
		if isPage(resp, body) { // the API writes none, so the request has not come as far
			e.Kind = Portal
		}
	case s == http.StatusUnauthorized, s == statusInvalidToken:
		e.Kind = BadKey
	case s == http.StatusPaymentRequired:
		e.Kind = Forbidden
	case s == http.StatusForbidden:
		e.Kind = Forbidden
		if isPage(resp, body) {
			e.Kind = Blocked
		}
	case s == http.StatusTooManyRequests:
		e.Kind = RateLimited
		e.RetryAfter = retryAfter(resp.Header.Get("Retry-After"), now)
	case s == http.StatusNetworkAuthenticationRequired:
		e.Kind = Portal
	case s == http.StatusServiceUnavailable:
		if v := resp.Header.Get("Retry-After"); v != "" {
			e.RetryAfter = retryAfter(v, now)
		}
	}
	return e
}

const statusInvalidToken = 498 // the SDK's name for it; no standard one exists

// Bounds of a Retry-After. A server that says "now" has still just refused; one that says "in thirty
// years" has a broken clock, and recovery must be noticed without a restart.
const (
	minRetryAfter     = 10 * time.Second
	maxRetryAfter     = 10 * time.Minute
	defaultRetryAfter = 30 * time.Second // absent or unreadable
)

// retryAfter reads the header, which holds seconds or a date.
func retryAfter(value string, now time.Time) time.Duration {
	value = strings.TrimSpace(value)
	if seconds, err := strconv.ParseInt(value, 10, 64); err == nil || errors.Is(err, strconv.ErrRange) {
		seconds = min(max(seconds, 0), int64(maxRetryAfter/time.Second)) // before it can overflow
		return max(time.Duration(seconds)*time.Second, minRetryAfter)
	}
	if date, err := http.ParseTime(value); err == nil {
		return min(max(date.Sub(now), minRetryAfter), maxRetryAfter)
	}
	return defaultRetryAfter
}

// kindOf reads an error of the transport.
func kindOf(err error) Kind {
	var (
		dns       *net.DNSError
		unknown   x509.UnknownAuthorityError
		invalid   x509.CertificateInvalidError
		hostname  x509.HostnameError
		verify    *tls.CertificateVerificationError
		record    tls.RecordHeaderError
		alert     tls.AlertError
		systemCAs x509.SystemRootsError
		op        *net.OpError
		timeout   net.Error
	)
	switch {
	case errors.Is(err, network.ErrOffline):
		return Offline
	case errors.Is(err, context.DeadlineExceeded):
		return Timeout
	case errors.Is(err, network.ErrCertificates):
		return TLS
	case errors.As(err, &dns) && !dns.IsTimeout:
		return DNS
	case errors.As(err, &unknown), errors.As(err, &invalid), errors.As(err, &hostname), errors.As(err, &verify),
		errors.As(err, &record), errors.As(err, &alert), errors.As(err, &systemCAs),
		errors.Is(err, http.ErrSchemeMismatch),                                     // a portal that speaks plain HTTP on the secure port
		errors.As(err, &op) && (op.Op == "remote error" || op.Op == "local error"): // how crypto/tls names its alerts
		return TLS
	case errors.As(err, &timeout) && timeout.Timeout():
		return Timeout
	default:
		return Unreachable
	}
}

// clean makes foreign text fit for a log or a window: without the key, on one line, cut.
func clean(text, key string) string {
	const most = 200 // runes
	if key != "" {
		text = strings.ReplaceAll(text, key, "[key]")
	}
	runes := []rune(strings.Map(func(r rune) rune {
		if unicode.IsGraphic(r) {
			return r
		}
		return ' '
	}, strings.ToValidUTF8(text, " ")))
	if len(runes) > most {
		return string(runes[:most]) + "…"
	}
	return string(runes)
}
