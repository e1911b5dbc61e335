package judgements

import (
	"path/filepath"
	"slices"
	"strings"
	"time"

	"fanous/backend/domain"
)

// SetOf sums judgements up, by query, the latest first.
func SetOf(collection string, all []Judgement, documents Documents) domain.JudgedSet {
	set := domain.JudgedSet{Collection: collection, Queries: []domain.JudgedQuery{}, Judgements: len(all)}
	grades := Grades(all, documents)
	for _, j := range all {
		q := queryOf(&set, j.Query)
		q.Last = j.At // they come the oldest first
		p := domain.JudgedPassage{Grade: j.Grade, At: j.At}
		doc, found := documents.Find(j.Content, j.Place)
		if p.Gone = !found; p.Gone {
			set.Gone++
		} else {
			p.Path, p.Member, p.Title, p.Document = doc.Path, doc.Member, doc.Title, doc.ID
		}
		q.Passages = append(q.Passages, p)
	}
	for i, q := range set.Queries {
		for _, grade := range grades[q.Query] {
			set.Queries[i].Usable = set.Queries[i].Usable || grade > int(domain.GradeNot)
		}
		if set.Queries[i].Usable {
			set.Usable++
		}
	}
	slices.SortStableFunc(set.Queries, func(a, b domain.JudgedQuery) int { return b.Last.Compare(a.Last) })
	return set
}

// Grades are the best grade of each document for each query, by the name of the document. One that is gone has none: what
// cannot be found says nothing of a stage.
func Grades(all []Judgement, documents Documents) map[string]map[string]int {
	names := NamesOf(all)
	grades := map[string]map[string]int{}
	for _, j := range all {
		if _, found := documents.Find(j.Content, j.Place); !found {
			continue
		}
		if grades[j.Query] == nil {
			grades[j.Query] = map[string]int{}
		}
		name := names.Judged(j)
		grades[j.Query][name] = max(grades[j.Query][name], int(j.Grade))
	}
	return grades
}

func queryOf(set *domain.JudgedSet, query string) *domain.JudgedQuery {
	for i := range set.Queries {
		if set.Queries[i].Query == query {
			return &set.Queries[i]
		}
	}
	set.Queries = append(set.Queries, domain.JudgedQuery{Query: query})
	return &set.Queries[len(set.Queries)-1]
}

// Imported is a judgement of a folder. Its document is found by the digests of an exported row, or by its id, where that is
// the name of a file of the collection.
func Imported(collection, query string, grade domain.Grade, id string, rows map[string]Row, documents Documents) (Judgement, bool) {
	j := Judgement{
		Collection: collection, Query: Query(query), Grade: min(max(grade, domain.GradeNot), domain.GradeRelevant),
		At: time.Now().UTC().Truncate(time.Second),
	}
	doc, found := documents.Named(filepath.Base(id))
	if row, has := rows[id]; has && row.Place != "" {
		if doc, found = documents.Find(row.Content, row.Place); found && strings.TrimSpace(row.Text) != "" {
			j.Text, j.Ordinal = digest(row.Text), row.Ordinal
		}
	}
	if !found {
		return Judgement{}, false
	}
	j.Content, j.Place = doc.Hash, Place(doc.Path, doc.Member)
	return j, true
}
