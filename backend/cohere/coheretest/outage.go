package coheretest

import "time"

// Outage is a misbehaviour with what a search must make of it.
type Outage struct {
	Behaviour
	Code   string // of the step that did not serve
	Reason string // part of its sentence
	Hangs  bool   // it costs the whole deadline
	Tries  int    // searches in a row that try, before the server is left alone; 0: it never is
}

// Outages are all that a Server can do wrong over plain HTTP.
func Outages() []Outage {
	const dated = "Mon, 01 Jan 2001 00:00:00 GMT"
	return []Outage{
		{Hang(), "deadline", "did not answer within", true, 1},
		{HeadersThenSilence(), "deadline", "did not answer within", true, 1},
		{Drip(time.Second), "deadline", "did not answer within", true, 1},
		{Reset(), "unreachable", "cannot be reached", false, 2},
		{BreaksOff(), "unreachable", "cannot be reached", false, 2},
		{MalformedStatus("999 made-up"), "server_error", "status 999", false, 2},
		{MalformedStatus("made-up"), "unreachable", "cannot be reached", false, 2},
		{PortalPage(), "portal", "sign in", false, 2},
		{NetworkSignIn(), "portal", "sign in", false, 2},
		{RedirectToPortal(302), "redirected", "another address", false, 2},
		{RedirectToPortal(307), "redirected", "another address", false, 2},
		{RedirectToPortal(308), "redirected", "another address", false, 2},
		{EmptyObject(), "bad_answer", "0 results", false, 2},
		{Answers("nothing", ""), "bad_answer", "cannot be believed", false, 2},
		{Answers("an answer cut off", `{"results":[{"index":0,"relevan`), "bad_answer", "cannot be believed", false, 2},
		{IndexOutOfRange(), "bad_answer", "there is no document", false, 2},
		{NegativeIndex(), "bad_answer", "there is no document -1", false, 2},
		{DuplicateIndex(), "bad_answer", "twice", false, 2},
		{TooFew(), "bad_answer", "results for", false, 2},
		{AboveOne(), "bad_answer", "not in [0,1]", false, 2},
		{NotANumber(), "bad_answer", "cannot be believed", false, 2},
		{Infinite(), "bad_answer", "cannot be believed", false, 2},
		{NullScore(), "bad_answer", "lacks its index or score", false, 2},
		{MissingScores(), "bad_answer", "lacks its index or score", false, 2},
		{Unauthorized(), "bad_key", "does not accept the API key", false, 1},
		{Forbidden(), "forbidden", "does not allow this API key", false, 1},
		{ForbiddenPage(), "blocked", "key is not at fault", false, 1},
		{RateLimited(""), "rate_limited", "limit of calls", false, 1},
		{RateLimited("60"), "rate_limited", "limit of calls", false, 1},
		{RateLimited("1000000000"), "rate_limited", "limit of calls", false, 1},
		{RateLimited(dated), "rate_limited", "limit of calls", false, 1},
		{BadRequest(), "bad_request", "fault in Fanous", false, 0},
		{Unprocessable(), "bad_request", "fault in Fanous", false, 0},
		{Quotes(), "bad_request", "fault in Fanous", false, 0},
		{Failing(500), "server_error", "status 500", false, 2},
		{Failing(503), "server_error", "status 503", false, 2},
	}
}
