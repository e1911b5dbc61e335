package fetch

import (
	"context"
	"errors"
	"io"
	"net/http"
	"strings"
	"testing"
	"testing/synctest"
	"time"
)

// wire is a server without a network, so that its time is the test's.
type wire func(r *http.Request) (*http.Response, error)

func (w wire) RoundTrip(r *http.Request) (*http.Response, error) { return w(r) }

func answerWith(status int, body io.Reader, header http.Header, length int64) *http.Response {
	if header == nil {
		header = http.Header{}
	}
	return &http.Response{StatusCode: status, Status: http.StatusText(status), Header: header, Body: io.NopCloser(body), ContentLength: length}
}

// drip gives its bytes one at a time, with a pause before each; with none left it gives nothing until ctx ends.
type drip struct {
	ctx   context.Context
	bytes []byte
	pause time.Duration
}

func (d *drip) Read(b []byte) (int, error) {
	if len(d.bytes) == 0 {
		<-d.ctx.Done()
		return 0, d.ctx.Err()
	}
	if err := wait(d.ctx, d.pause); err != nil {
		return 0, err
	}
	n := 1
	if d.pause == 0 {
		n = len(d.bytes)
	}
	n = copy(b, d.bytes[:n])
	d.bytes = d.bytes[n:]
	return n, nil
}

// TestSlowSources: who accepts and never answers, who stops in the middle and who gives a byte a second are given up
// after the patience, and another source goes on where they were.
func TestSlowSources(t *testing.T) {
	file := content(1 << 20)
	for name, test := range map[string]struct {
		answer func(ctx context.Context) (*http.Response, error)
		had    int // bytes that arrive in the patience, about
	}{
		"never answers": {func(ctx context.Context) (*http.Response, error) {
			<-ctx.Done()
			return nil, ctx.Err()
		}, 0},
		"headers, then nothing": {func(ctx context.Context) (*http.Response, error) {
			return answerWith(http.StatusOK, &drip{ctx: ctx}, nil, int64(len(file))), nil
		}, 0},
		"stops in the middle": {func(ctx context.Context) (*http.Response, error) {
			return answerWith(http.StatusOK, &drip{ctx: ctx, bytes: file[:len(file)/2]}, nil, int64(len(file))), nil
		}, len(file) / 2},
		"a byte a second": {func(ctx context.Context) (*http.Response, error) {
			return answerWith(http.StatusOK, &drip{ctx: ctx, bytes: file, pause: time.Second}, nil, int64(len(file))), nil
		}, 1},
	} {
		t.Run(name, func(t *testing.T) {
			synctest.Test(t, func(t *testing.T) {
				first := -1
				f := fetcher()
				f.Patience, f.MinRate = 30*time.Second, 1<<10
				f.Client = &http.Client{Transport: wire(func(r *http.Request) (*http.Response, error) {
					if r.URL.Host == "slow" {
						return test.answer(r.Context())
					}
					first = 0
					if from, ok := strings.CutPrefix(r.Header.Get("Range"), "bytes="); ok {
						first = atoi(t, strings.TrimSuffix(from, "-"))
						h := http.Header{"Content-Range": {"bytes " + from + "1048575/1048576"}}
						return answerWith(http.StatusPartialContent, strings.NewReader(string(file[first:])), h, int64(len(file)-first)), nil
					}
					return answerWith(http.StatusOK, strings.NewReader(string(file)), nil, int64(len(file))), nil
				})}
				want, start := wanted(t, file), time.Now()
				if err := f.Get(t.Context(), want, []Source{URL("http://slow/x"), URL("http://quick/x")}, nil); err != nil {
					t.Fatal(err)
				}
				whole(t, want, file)
				if took := time.Since(start); took < f.Patience || took > 2*f.Patience {
					t.Errorf("it took %v", took)
				}
				if first < 0 || first > len(file)/2 || test.had == len(file)/2 && first != test.had {
					t.Errorf("the second source was asked from byte %d on", first)
				}
			})
		})
	}
}

// TestASourceThatStaysSilent ends Get by itself when there is no other one.
func TestASourceThatStaysSilent(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		f := fetcher()
		f.Patience, f.Pause = 30*time.Second, time.Second
		f.Client = &http.Client{Transport: wire(func(r *http.Request) (*http.Response, error) {
			<-r.Context().Done()
			return nil, r.Context().Err()
		})}
		start := time.Now()
		err := f.Get(t.Context(), wanted(t, content(9)), []Source{URL("http://slow/x")}, nil)
		if !errors.Is(err, ErrSlow) {
			t.Errorf("error %v", err)
		}
		if took, wanted := time.Since(start), 3*30*time.Second+3*time.Second; took != wanted {
			t.Errorf("it took %v, not %v", took, wanted)
		}
	})
}

// TestAMomentOfTrouble is waited for.
func TestAMomentOfTrouble(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		file, asked := content(99), 0
		f := fetcher()
		f.Pause = time.Second
		f.Client = &http.Client{Transport: wire(func(r *http.Request) (*http.Response, error) {
			if asked++; asked < 3 {
				return answerWith(http.StatusServiceUnavailable, strings.NewReader(""), nil, 0), nil
			}
			return answerWith(http.StatusOK, strings.NewReader(string(file)), nil, int64(len(file))), nil
		})}
		want, start := wanted(t, file), time.Now()
		if err := f.Get(t.Context(), want, []Source{URL("http://busy/x")}, nil); err != nil {
			t.Fatal(err)
		}
		whole(t, want, file)
		if took := time.Since(start); took != 3*time.Second {
			t.Errorf("it took %v", took)
		}
	})
}

func TestAskDoesNotWaitLong(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		f := fetcher()
		f.Client = &http.Client{Transport: wire(func(r *http.Request) (*http.Response, error) {
			<-r.Context().Done()
			return nil, r.Context().Err()
		})}
		start := time.Now()
		if _, err := f.Ask(t.Context(), "http://slow/resolve", "http://slow/raw"); !errors.Is(err, ErrSlow) {
			t.Errorf("error %v", err)
		}
		if took := time.Since(start); took != askPatience {
			t.Errorf("it took %v", took)
		}
	})
}
