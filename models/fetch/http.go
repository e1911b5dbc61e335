package fetch

import (
	"context"
	"errors"
	"fmt"
	"maps"
	"mime"
	"net/http"
	"net/url"
	"strconv"
	"strings"

	"fanous/network"
)

const maxRedirects = 10

// answer is a server's last response, with what the ones before it said.
type answer struct {
	*http.Response
	stated Stated
}

// follow asks for an address and goes where it is sent: to any host, but never from an encrypted to a plain connection.
func (f *Fetcher) follow(ctx context.Context, method, address string, header http.Header) (*answer, error) {
	if err := CheckURL(address); err != nil {
		return nil, final{err}
	}
	at, err := url.Parse(address)
	if err != nil {
		return nil, final{err}
	}
	oneStep := *f.Client // a copy that hands every redirect to us
	oneStep.CheckRedirect = func(*http.Request, []*http.Request) error { return http.ErrUseLastResponse }
	var stated Stated
	for range maxRedirects {
		req, err := http.NewRequestWithContext(ctx, method, at.String(), nil)
		if err != nil {
			return nil, final{err}
		}
		maps.Copy(req.Header, header)
		req.Header.Set("User-Agent", "fanous")
		res, err := oneStep.Do(req)
		if errors.Is(err, network.ErrOffline) || errors.Is(err, network.ErrCertificates) {
			return nil, local{plain(err)}
		}
		if err != nil {
			return nil, plain(err)
		}
		stated = stated.or(res.Header)
		next, err := redirect(res)
		if next == nil && err == nil {
			return &answer{res, stated}, nil
		}
		res.Body.Close()
		switch {
		case err != nil:
			return nil, err
		case at.Scheme == "https" && next.Scheme != "https":
			return nil, final{fmt.Errorf("it redirects from an encrypted connection to a plain one, %s", redact(next.String()))}
		case next.Scheme != "https" && next.Scheme != "http":
			return nil, final{fmt.Errorf("it redirects to %s", redact(next.String()))}
		}
		at = next
	}
	return nil, final{fmt.Errorf("it redirects more than %d times", maxRedirects)}
}

// redirect is where a response sends us; nil: nowhere.
func redirect(res *http.Response) (*url.URL, error) {
	switch res.StatusCode {
	case http.StatusMovedPermanently, http.StatusFound, http.StatusSeeOther, http.StatusTemporaryRedirect, http.StatusPermanentRedirect:
		next, err := res.Location()
		if err != nil {
			return nil, final{errors.New("it redirects to nowhere")}
		}
		return next, nil
	}
	return nil, nil
}

// plain is a transport's error without the address, which may hold a password and is named anyway.
func plain(err error) error {
	var u *url.Error
	if errors.As(err, &u) {
		return u.Err
	}
	return err
}

// stream is the file that the answer holds, which was asked for from byte at on.
func (a *answer) stream(at int64, validator string) (*stream, error) {
	s := &stream{body: a.Body, digest: a.stated.SHA256, size: max(a.ContentLength, 0)}
	kind, _, _ := mime.ParseMediaType(a.Header.Get("Content-Type"))
	s.page = kind == "text/html" || kind == "application/xhtml+xml"
	if tag := a.Header.Get("ETag"); strings.HasPrefix(tag, `"`) { // a weak one vouches for no byte
		s.validator = tag
	}
	switch code := a.StatusCode; {
	case code == http.StatusRequestedRangeNotSatisfiable && at > 0:
		return nil, errBeyond
	case code == http.StatusPartialContent:
		first, size, err := contentRange(a.Header.Get("Content-Range"))
		if err != nil || first != at || s.page {
			return nil, final{fmt.Errorf("it gives another part than the one from byte %d on", at)}
		}
		s.at, s.size = first, size
		return s, nil
	case code == http.StatusOK:
		// A server that knows no ranges sends everything again; one whose file changed since does too.
		s.changed = validator != "" && s.validator != validator
		return s, nil
	case code == http.StatusRequestTimeout || code == http.StatusTooManyRequests || code >= 500:
		return nil, fmt.Errorf("it answers %s", a.Status)
	default:
		return nil, final{fmt.Errorf("it answers %s", a.Status)}
	}
}

// contentRange reads "bytes 5-9/10"; a size that is not told ("*") is 0.
func contentRange(header string) (first, size int64, err error) {
	rest, ok := strings.CutPrefix(header, "bytes ")
	span, total, ok2 := strings.Cut(rest, "/")
	from, _, ok3 := strings.Cut(span, "-")
	if !ok || !ok2 || !ok3 {
		return 0, 0, fmt.Errorf("%q is no range", header)
	}
	if first, err = strconv.ParseInt(from, 10, 64); err != nil {
		return 0, 0, err
	}
	if total != "*" {
		size, err = strconv.ParseInt(total, 10, 64)
	}
	return first, size, err
}
