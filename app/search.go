package app

import (
	"context"
	"path/filepath"
	"time"

	"fanous/backend"
	"fanous/backend/domain"
)

// SearchService searches as the analyst types: each search cancels the one before it.
type SearchService struct {
	engine *engine
	shell  Shell
	latest
	answered answered // under latest's mu
}

// answered is the last whole answer, which can be exported as it was shown.
type answered struct {
	id       int64
	at       time.Time
	response domain.SearchResponse
}

// Partial is the order so far of a search that is still being reranked: first the fused one, then others
// as scores come.
type Partial struct {
	ID       int64                 `json:"id"` // of the search that it belongs to
	Response domain.SearchResponse `json:"response"`
}

// Search answers one request; of requests that the window numbers upwards, the last one.
func (s *SearchService) Search(id int64, req domain.SearchRequest) (domain.SearchResponse, error) {
	ctx, done, err := s.begin(id)
	if err != nil {
		return domain.SearchResponse{}, err
	}
	defer done()
	return with(ctx, s.engine, func(ctx context.Context, b *backend.Backend) (domain.SearchResponse, error) {
		resp, err := b.Search(ctx, req, func(p domain.SearchResponse) {
			if ctx.Err() == nil {
				emit(s.shell, EventSearchPartial, Partial{ID: id, Response: encodable(p)})
			}
		})
		resp = encodable(resp)
		if err == nil {
			s.keep(answered{id, time.Now(), resp})
		}
		return resp, err
	})
}

func (s *SearchService) keep(a answered) {
	s.mu.Lock()
	defer s.mu.Unlock()
	if a.id == s.id {
		s.answered = a
	}
}

// Export asks where to, and writes the answer to the search of this number into a file, as it was shown: nothing is searched
// again. The ending, "csv", "json" or "md", is for the name that is suggested; the name that is chosen says how it is
// written. It gives the file's path; empty when the analyst changed their mind.
func (s *SearchService) Export(id int64, ending string) (string, error) {
	s.mu.Lock()
	a := s.answered
	s.mu.Unlock()
	if a.id != id {
		return "", domain.Errorf(domain.CodeNotFound, "search again", "these results are not at hand any more")
	}
	path, err := s.shell.ChooseNewFile("fanous-" + a.at.Format("2006-01-02-1504") + "." + ending)
	if err != nil || path == "" {
		return "", err
	}
	if filepath.Ext(path) == "" {
		path += "." + ending
	}
	return path, backend.ExportSearch(path, a.at, a.response)
}

// encodable is an answer without figures that are no numbers, which it then says.
func encodable(resp domain.SearchResponse) domain.SearchResponse {
	if finite(&resp) > 0 {
		resp.Degraded = append(resp.Degraded, "Some scores of this search could not be worked out; they are shown as 0 or left out.")
	}
	return resp
}

// Cancel ends the search that runs, if one does.
func (s *SearchService) Cancel() { s.stop() }
