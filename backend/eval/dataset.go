// Package eval replays judged queries through the real pipeline and says how good each stage is.
package eval

import (
	"bufio"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"io/fs"
	"os"
	"path/filepath"
	"strconv"
	"strings"

	"fanous/backend/domain"
)

// Dataset is judged queries and what they are asked of: a BEIR folder (corpus.jsonl, queries.jsonl and qrels/test.tsv), the
// same with a folder of files, docs, in place of the corpus, or a collection.
type Dataset struct {
	Name      string
	Documents []Document
	Files     string  // the folder docs; its files are judged by their names
	Count     int     // of the documents that are not here
	Queries   []Query // only those with at least one relevant document
}

// docsName is the folder of files that stands in place of a corpus.
const docsName = "docs"

// Names of the files of a BEIR folder.
const (
	corpusName  = "corpus.jsonl"
	queriesName = "queries.jsonl"
	qrelsFolder = "qrels"
	qrelsName   = "test.tsv"
)

// Size is how many documents there are.
func (s Dataset) Size() int { return len(s.Documents) + s.Count }

// Document is one row of corpus.jsonl.
type Document struct {
	ID    string `json:"_id"`
	Title string `json:"title"`
	Text  string `json:"text"`
}

// Query is one row of queries.jsonl with what was judged for it.
type Query struct {
	ID       string    `json:"_id"`
	Text     string    `json:"text"`
	Relevant Judgement `json:"-"`
}

// Usable says whether a document is relevant to the query: no metric is defined otherwise.
func (q Query) Usable() bool { return q.Relevant.relevant() > 0 }

// Load reads a dataset. Queries without a positive judgement are left out: no metric is defined
// for them.
func Load(dir string) (set Dataset, err error) {
	set = Dataset{Name: filepath.Base(filepath.Clean(dir))}
	if files := filepath.Join(dir, docsName); !exists(filepath.Join(dir, corpusName)) && exists(files) {
		set.Files = files
		if set.Count, err = countFiles(files); err != nil {
			return Dataset{}, datasetError("the dataset cannot be read: %w", err)
		}
	} else if err := readLines(filepath.Join(dir, corpusName), &set.Documents); err != nil {
		return Dataset{}, err
	}
	queries, err := LoadQueries(dir)
	if err != nil {
		return Dataset{}, err
	}
	for _, q := range queries {
		if q.Usable() {
			set.Queries = append(set.Queries, q)
		}
	}
	if len(set.Queries) == 0 {
		return Dataset{}, datasetError("%s has no query with a relevant document", dir)
	}
	return set, nil
}

// LoadQueries reads the queries of a dataset with what was judged for them, in their order.
func LoadQueries(dir string) ([]Query, error) {
	var queries []Query
	if err := readLines(filepath.Join(dir, queriesName), &queries); err != nil {
		return nil, err
	}
	judged, err := readJudgements(filepath.Join(dir, qrelsFolder, qrelsName))
	if err != nil {
		return nil, err
	}
	for i := range queries {
		queries[i].Relevant = judged[queries[i].ID]
	}
	return queries, nil
}

func countFiles(dir string) (n int, err error) {
	err = filepath.WalkDir(dir, func(_ string, e fs.DirEntry, err error) error {
		if err == nil && e.Type().IsRegular() {
			n++
		}
		return err
	})
	return n, err
}

func datasetError(format string, args ...any) error {
	return domain.Errorf(domain.CodeUsage,
		"give a BEIR folder: corpus.jsonl, queries.jsonl and qrels/test.tsv", format, args...)
}

func readLines[T any](path string, rows *[]T) error {
	f, err := os.Open(path)
	if err != nil {
		return datasetError("the dataset cannot be read: %w", err)
	}
	defer f.Close()
	in := json.NewDecoder(bufio.NewReaderSize(f, 1<<20))
	for n := 1; ; n++ {
		var row T
		if err := in.Decode(&row); errors.Is(err, io.EOF) {
			return nil
		} else if err != nil {
			return datasetError("%s, row %d: %w", path, n, err)
		}
		*rows = append(*rows, row)
	}
}

// readJudgements reads "query-id <tab> corpus-id <tab> score" with or without its heading.
func readJudgements(path string) (map[string]Judgement, error) {
	f, err := os.Open(path)
	if err != nil {
		return nil, datasetError("the dataset cannot be read: %w", err)
	}
	defer f.Close()
	out := map[string]Judgement{}
	in := bufio.NewScanner(f)
	for n := 1; in.Scan(); n++ {
		line := strings.TrimRight(in.Text(), "\r")
		if line == "" {
			continue
		}
		fields := strings.Split(line, "\t")
		if len(fields) != 3 {
			return nil, datasetError("%s, line %d has %d columns, not 3", path, n, len(fields))
		}
		grade, err := strconv.Atoi(fields[2])
		if err != nil {
			if n == 1 {
				continue
			}
			return nil, datasetError("%s, line %d: the score %q is not a whole number", path, n, fields[2])
		}
		if out[fields[0]] == nil {
			out[fields[0]] = Judgement{}
		}
		out[fields[0]][fields[1]] = grade
	}
	if err := in.Err(); err != nil {
		return nil, fmt.Errorf("read %s: %w", path, err)
	}
	return out, nil
}
