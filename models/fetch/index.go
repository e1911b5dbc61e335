package fetch

import (
	"context"
	"errors"
	"fmt"
	"io"
	"net/http"
	"net/url"
	"path"
	"regexp"
	"strings"

	"golang.org/x/net/html"
)

// Index is a file of a Python package index: the index's page of the project says where it is.
type Index struct {
	Base    string // address of the index
	Project string
	File    string
}

func (i Index) String() string {
	return fmt.Sprintf("%s from the package index %s", i.File, redact(i.Base))
}

// maxPage bounds a project's page: the longest ones list thousands of files.
const maxPage = 32 << 20

func (i Index) open(ctx context.Context, f *Fetcher, at int64, validator string) (*stream, error) {
	file, err := i.find(ctx, f)
	if err != nil {
		return nil, err
	}
	return URL(file).open(ctx, f, at, validator)
}

var separators = regexp.MustCompile(`[-_.]+`)

func (i Index) find(ctx context.Context, f *Fetcher) (string, error) {
	page := strings.TrimSuffix(i.Base, "/") + "/" + strings.ToLower(separators.ReplaceAllString(i.Project, "-")) + "/"
	answer, err := f.follow(ctx, http.MethodGet, page, http.Header{"Accept": {"text/html"}})
	if err != nil {
		return "", err
	}
	defer answer.Body.Close()
	if answer.StatusCode != http.StatusOK {
		return "", final{fmt.Errorf("the index answers %s for %s", answer.Status, i.Project)}
	}
	base := answer.Request.URL // a page that was redirected to has its links relative to itself
	if base.User == nil {
		if asked, err := url.Parse(page); err == nil && asked.Host == base.Host {
			base.User = asked.User
		}
	}
	return i.link(io.LimitReader(answer.Body, maxPage), base)
}

// link finds the file among the page's links.
func (i Index) link(page io.Reader, base *url.URL) (string, error) {
	tokens := html.NewTokenizer(page)
	for {
		switch tokens.Next() {
		case html.ErrorToken:
			if err := tokens.Err(); !errors.Is(err, io.EOF) {
				return "", err
			}
			return "", final{fmt.Errorf("the index does not have %s", i.File)}
		case html.StartTagToken:
			token := tokens.Token()
			if token.Data != "a" {
				continue
			}
			for _, a := range token.Attr {
				if a.Key != "href" {
					continue
				}
				to, err := base.Parse(a.Val)
				if err != nil || path.Base(to.Path) != i.File {
					continue
				}
				if to.Host == base.Host && to.Scheme == base.Scheme {
					to.User = base.User
				}
				to.Fragment = ""
				return to.String(), nil
			}
		}
	}
}
