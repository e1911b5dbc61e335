package fetch

import (
	"context"
	"errors"
	"fmt"
	"io"
	"net/http"
	"regexp"
	"strconv"
	"strings"
	"time"
)

// Stated is what a hub says of a file without sending it.
type Stated struct {
	SHA256 string
	Bytes  int64
}

var digestPattern = regexp.MustCompile(`^[0-9a-f]{64}$`)

// or takes what a response says of a large file where nothing was said before. The ETag of a small file is another
// kind of digest, and shorter.
func (s Stated) or(h http.Header) Stated {
	digest := strings.Trim(strings.TrimPrefix(h.Get("X-Linked-Etag"), "W/"), `"`)
	if s.SHA256 != "" || !digestPattern.MatchString(digest) {
		return s
	}
	size, _ := strconv.ParseInt(h.Get("X-Linked-Size"), 10, 64)
	return Stated{digest, max(size, 0)}
}

// askPatience is how long a hub may take to say something about a file: somebody waits to be told its size.
const askPatience = 10 * time.Second

// Ask has a hub state the digest of a large file: by the headers of its address, else by the pointer that the
// repository holds in place of it, at the address raw (empty: there is none).
func (f *Fetcher) Ask(ctx context.Context, address, raw string) (Stated, error) {
	ctx, stop := context.WithTimeoutCause(ctx, askPatience, ErrSlow)
	defer stop()
	answer, err := f.follow(ctx, http.MethodHead, address, nil)
	if err == nil {
		answer.Body.Close()
		if answer.stated.SHA256 != "" {
			return answer.stated, nil
		}
	}
	if raw == "" {
		return Stated{}, errors.Join(slow(ctx, err), fmt.Errorf("%s states no digest", redact(address)))
	}
	answer, err = f.follow(ctx, http.MethodGet, raw, nil)
	if err != nil {
		return Stated{}, slow(ctx, err)
	}
	defer answer.Body.Close()
	if answer.StatusCode != http.StatusOK {
		return Stated{}, fmt.Errorf("%s answers %s", redact(raw), answer.Status)
	}
	pointer, err := io.ReadAll(io.LimitReader(answer.Body, 1<<10))
	if err != nil {
		return Stated{}, slow(ctx, err)
	}
	return parsePointer(string(pointer))
}

func parsePointer(text string) (Stated, error) {
	var s Stated
	if strings.HasPrefix(text, "version https://git-lfs") {
		for line := range strings.Lines(text) {
			line = strings.TrimSpace(line)
			if oid, ok := strings.CutPrefix(line, "oid sha256:"); ok && digestPattern.MatchString(oid) {
				s.SHA256 = oid
			}
			if size, ok := strings.CutPrefix(line, "size "); ok {
				s.Bytes, _ = strconv.ParseInt(size, 10, 64)
			}
		}
	}
	if s.SHA256 == "" || s.Bytes <= 0 {
		return Stated{}, errors.New("it states no digest")
	}
	return s, nil
}
