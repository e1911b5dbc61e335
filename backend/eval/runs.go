package eval

import (
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"io/fs"
	"maps"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"time"

	"fanous/backend/domain"
	"fanous/models"
)

// keptRuns is how many evaluations of a collection are kept, the latest.
const keptRuns = 50

// Kept is an evaluation that is kept to compare later ones with. It holds no text: queries are named by digests.
type Kept struct {
	ID     string    `json:"id"`
	At     time.Time `json:"at"`
	Report Report    `json:"report"`
	// Figures are those of each query, by stage and the name of the query.
	Figures map[string]map[string]Figures `json:"figures,omitempty"`
}

// Figures are what stages are compared by, of one query.
type Figures struct {
	MRR  float64 `json:"mrr"`
	NDCG float64 `json:"ndcg"`
}

// Change is how a stage did in a later evaluation against an earlier one, on the queries that both have.
type Change struct {
	Stage   string `json:"stage"`
	Queries int    `json:"queries"`
	MRR     Delta  `json:"mrr@10"`
	NDCG    Delta  `json:"ndcg@10"`
}

// Keep makes of a result what is kept of it.
func (r Result) Keep(at time.Time) Kept {
	k := Kept{ID: at.UTC().Format("20060102-150405.000"), At: at, Report: r.Report, Figures: map[string]map[string]Figures{}}
	for _, s := range r.Report.Stages {
		k.Figures[s.Name] = map[string]Figures{}
		for i, q := range r.Queries {
			ranked := r.Pools[i].documents(r.Pools[i].order(s.Name, r.Report.Candidates))
			k.Figures[s.Name][nameOf(q.Text)] = Figures{
				MRR: reciprocalRankAt(ranked, q.Relevant, metricDepth), NDCG: ndcgAt(ranked, q.Relevant, metricDepth),
			}
		}
	}
	return k
}

// Changes compares a later evaluation with an earlier one, stage by stage.
func Changes(before, after Kept) []Change {
	out := []Change{}
	for _, s := range after.Report.Stages {
		var mrr, ndcg [2][]float64
		for _, q := range slices.Sorted(maps.Keys(after.Figures[s.Name])) {
			was, both := before.Figures[s.Name][q]
			if !both {
				continue
			}
			is := after.Figures[s.Name][q]
			mrr[0], mrr[1] = append(mrr[0], is.MRR), append(mrr[1], was.MRR)
			ndcg[0], ndcg[1] = append(ndcg[0], is.NDCG), append(ndcg[1], was.NDCG)
		}
		if n := len(mrr[0]); n > 0 {
			out = append(out, Change{Stage: s.Name, Queries: n, MRR: compare(mrr[0], mrr[1]), NDCG: compare(ndcg[0], ndcg[1])})
		}
	}
	return out
}

// Runs is the folder of kept evaluations, one below it for each collection.
type Runs string

func (d Runs) of(collection string) string { return filepath.Join(string(d), nameOf(collection)) }

// Add keeps an evaluation of a collection, and of all of them the latest.
func (d Runs) Add(collection string, k Kept) error {
	dir := d.of(collection)
	if err := os.MkdirAll(dir, 0o700); err != nil {
		return fmt.Errorf("keep the evaluation: %w", err)
	}
	err := models.WritePrivate(filepath.Join(dir, k.ID+".json"), func(w io.Writer) error { return json.NewEncoder(w).Encode(k) })
	if err != nil {
		return fmt.Errorf("keep the evaluation: %w", err)
	}
	names, err := d.names(collection)
	for _, old := range names[min(keptRuns, len(names)):] {
		err = errors.Join(err, os.Remove(filepath.Join(dir, old+".json")))
	}
	return err
}

// names are the ids of the kept evaluations, the latest first.
func (d Runs) names(collection string) ([]string, error) {
	entries, err := os.ReadDir(d.of(collection))
	if errors.Is(err, fs.ErrNotExist) {
		return nil, nil
	}
	var names []string
	for _, e := range entries {
		if id, is := strings.CutSuffix(e.Name(), ".json"); is {
			names = append(names, id)
		}
	}
	slices.Sort(names)
	slices.Reverse(names)
	return names, err
}

// List gives the kept evaluations of a collection, the latest first, without the figures of single queries.
func (d Runs) List(collection string) ([]Kept, error) {
	names, err := d.names(collection)
	list := []Kept{}
	for _, id := range names {
		k, failed := d.Get(collection, id)
		if failed != nil { // one that cannot be read is no reason to show none
			continue
		}
		k.Figures = nil
		list = append(list, k)
	}
	return list, err
}

// Get reads one kept evaluation.
func (d Runs) Get(collection, id string) (Kept, error) {
	var k Kept
	text, err := os.ReadFile(filepath.Join(d.of(collection), filepath.Base(id)+".json"))
	if err == nil {
		err = json.Unmarshal(text, &k)
	}
	if err != nil {
		return k, domain.Errorf(domain.CodeNotFound, "measure again", "the evaluation %s cannot be read: %w", id, err)
	}
	return k, nil
}

// Forget removes what is kept of a collection.
func (d Runs) Forget(collection string) error { return os.RemoveAll(d.of(collection)) }

// Rename follows a collection that has another name now.
func (d Runs) Rename(collection, to string) error {
	if err := os.Rename(d.of(collection), d.of(to)); err != nil && !errors.Is(err, fs.ErrNotExist) {
		return fmt.Errorf("rename the kept evaluations: %w", err)
	}
	return nil
}
