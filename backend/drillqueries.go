package backend

import (
	"bufio"
	"cmp"
	"context"
	"encoding/json"
	"maps"
	"os"
	"path/filepath"
	"slices"
	"strconv"
	"strings"

	"fanous/backend/domain"
	"fanous/backend/drill"
	"fanous/backend/eval/judgements"
)

// historyLooked is how many of the latest searches a drill chooses from.
const historyLooked = 1000

// queries are what is replayed, and where they came from: those of a folder, or else what was searched or judged, of which
// the ones that Cohere has answered come first; or else titles.
func (d *drilling) queries(ctx context.Context) ([]drill.Query, string, error) {
	past, err := d.past(ctx)
	if err != nil {
		return nil, "", err
	}
	source := domain.DrillFromHistory
	list := past
	if d.req.Judged != "" {
		source = domain.DrillFromJudged
		if list, err = judgedIn(d.req.Judged, cmp.Or(d.req.Collection, domain.DefaultCollection)); err != nil {
			return nil, "", err
		}
		for i := range list {
			list[i].Online = onlineOf(past, list[i])
		}
	}
	if d.req.Judged == "" {
		if list, err = d.withJudged(ctx, past); err != nil {
			return nil, "", err
		}
	}
	slices.SortStableFunc(list, func(a, b drill.Query) int { return worth(b) - worth(a) })
	if len(list) == 0 {
		source = domain.DrillFromTitles
		if list, err = d.titles(ctx); err != nil {
			return nil, "", err
		}
	}
	list = list[:min(len(list), d.req.Queries)]
	if len(list) == 0 {
		source = domain.DrillFromNothing
	}
	return list, source, nil
}

// titlesLooked is how many documents of each collection are looked at for their titles.
const titlesLooked = 500

// titles are documents that are asked for by their titles, evenly over each collection: a search is made, even where
// nobody has made one.
func (d *drilling) titles(ctx context.Context) ([]drill.Query, error) {
	collections, err := d.Collections(ctx)
	if err != nil {
		return nil, nil // the check of the index says why
	}
	var list []drill.Query
	for _, c := range collections {
		if d.req.Collection != "" && c.Name != d.req.Collection {
			continue
		}
		page, err := d.store.Documents(ctx, c.ID, domain.DocumentFilter{States: []domain.DocumentState{domain.StateIndexed}, Limit: titlesLooked})
		if err != nil {
			return nil, ctx.Err()
		}
		docs := page.Documents
		for i := range min(len(docs), d.req.Queries) {
			doc := docs[i*len(docs)/min(len(docs), d.req.Queries)]
			list = append(list, drill.Query{
				ID: "document " + strconv.FormatInt(doc.ID, 10), Text: cmp.Or(doc.Title, filepath.Base(doc.Path)), Collection: c.Name, Method: domain.Hybrid,
				Right: func(at domain.Location) bool { return at == domain.Location{Path: doc.Path, Member: doc.Member} },
			})
		}
	}
	return list, nil
}

// worth puts what can be compared with Cohere before what somebody has judged, and both before the rest.
func worth(q drill.Query) (n int) {
	if q.Online != nil {
		n += 2
	}
	if q.Right != nil {
		n++
	}
	return n
}

// withJudged adds what the analyst has judged: to searches that were made, and queries that were not.
func (d *drilling) withJudged(ctx context.Context, past []drill.Query) ([]drill.Query, error) {
	collections, err := d.Collections(ctx)
	if err != nil {
		return past, nil // the check of the index says why
	}
	for _, c := range collections {
		if d.req.Collection != "" && c.Name != d.req.Collection {
			continue
		}
		list, err := d.judged.Of(c.Name)
		if err != nil {
			return nil, err
		}
		right := map[string]map[string]bool{} // places, by query
		for _, j := range list {
			if j.Grade == domain.GradeNot {
				continue
			}
			if right[j.Query] == nil {
				right[j.Query] = map[string]bool{}
			}
			right[j.Query][j.Place] = true
		}
		past = judge(past, c.Name, right)
	}
	return past, nil
}

func judge(past []drill.Query, collection string, right map[string]map[string]bool) []drill.Query {
	is := func(places map[string]bool) func(domain.Location) bool {
		return func(at domain.Location) bool { return places[judgements.Place(at.Path, at.Member)] }
	}
	for i, q := range past {
		text := judgements.Query(q.Text)
		if places := right[text]; q.Collection == collection && places != nil {
			past[i].Right = is(places)
			delete(right, text)
		}
	}
	for _, text := range slices.Sorted(maps.Keys(right)) {
		past = append(past, drill.Query{ID: "judged", Text: text, Collection: collection, Method: domain.Hybrid, Right: is(right[text])})
	}
	return past
}

func onlineOf(past []drill.Query, q drill.Query) *drill.Online {
	for _, p := range past {
		if p.Text == q.Text && p.Collection == q.Collection {
			return p.Online
		}
	}
	return nil
}

// past are the searches of the history, each once, the latest first, with Cohere's last answer to each.
func (d *drilling) past(ctx context.Context) ([]drill.Query, error) {
	entries, err := d.store.History(ctx, historyLooked)
	if err != nil {
		return nil, err
	}
	type key struct{ text, collection string }
	at := map[key]int{}
	var list []drill.Query
	for _, e := range entries {
		if d.req.Collection != "" && e.Collection != d.req.Collection || len(e.Trace.Hits) == 0 {
			continue
		}
		k := key{e.Query, e.Collection}
		i, known := at[k]
		if !known {
			i = len(list)
			at[k] = i
			list = append(list, drill.Query{ID: strconv.FormatInt(e.ID, 10), Text: e.Query, Collection: e.Collection, Method: e.Trace.Requested})
		}
		if list[i].Online == nil && e.Trace.Rerank.Backend == domain.BackendCohere {
			if list[i].Online, err = d.online(ctx, e); err != nil {
				return nil, err
			}
		}
	}
	return list, nil
}

// online is what Cohere answered, of the documents that are still there; nil: none of them is.
func (d *drilling) online(ctx context.Context, e domain.HistoryEntry) (*drill.Online, error) {
	var ids []int64
	for _, h := range e.Trace.Hits {
		if !slices.Contains(ids, h.DocumentID) {
			ids = append(ids, h.DocumentID)
		}
	}
	there, err := d.store.Named(ctx, ids)
	if err != nil {
		return nil, err
	}
	ids = slices.DeleteFunc(ids, func(id int64) bool { _, ok := there[id]; return !ok })
	if len(ids) == 0 {
		return nil, nil
	}
	o := &drill.Online{At: e.At, Model: e.Trace.Rerank.Model, Documents: ids, Places: map[int64]domain.Location{}}
	for id, doc := range there {
		o.Places[id] = domain.Location{Path: doc.Path, Member: doc.Member}
	}
	for _, s := range e.Trace.Stages {
		if s.Name == domain.StageTotal {
			o.MS = s.MS
		}
	}
	return o, nil
}

// nameDrill fills in the texts that the kept report has not: of queries that are in the history, and titles.
func (b *Backend) nameDrill(ctx context.Context, r *domain.DrillReport) error {
	if len(r.Suffer) == 0 {
		return nil
	}
	entries, err := b.store.History(ctx, 0)
	if err != nil {
		return err
	}
	texts := map[string]string{}
	for _, e := range entries {
		texts[strconv.FormatInt(e.ID, 10)] = e.Query
	}
	for i, q := range r.Suffer {
		r.Suffer[i].Text = cmp.Or(q.Text, texts[q.ID])
		var ids []int64
		for _, l := range q.Lost {
			ids = append(ids, l.DocumentID)
		}
		there, err := b.store.Named(ctx, ids)
		if err != nil {
			return err
		}
		for k, l := range q.Lost {
			r.Suffer[i].Lost[k].Title = cmp.Or(there[l.DocumentID].Title, filepath.Base(there[l.DocumentID].Path))
		}
	}
	return nil
}

// judgedIn reads queries.jsonl and qrels/test.tsv of a folder, as those of the sample collection: a document is the name
// of a file.
func judgedIn(dir, collection string) ([]drill.Query, error) {
	wrong := func(err error) error {
		return domain.Errorf(domain.CodeUsage, "give a folder with queries.jsonl and qrels/test.tsv", "the judged queries cannot be read: %w", err)
	}
	f, err := os.Open(filepath.Join(dir, "qrels", "test.tsv"))
	if err != nil {
		return nil, wrong(err)
	}
	defer f.Close()
	right := map[string]map[string]bool{}
	in := bufio.NewScanner(f)
	for in.Scan() {
		fields := strings.Split(strings.TrimRight(in.Text(), "\r"), "\t")
		if len(fields) < 3 {
			continue
		}
		if grade, err := strconv.Atoi(fields[2]); err != nil || grade <= 0 {
			continue // the heading, or judged to be wrong
		}
		if right[fields[0]] == nil {
			right[fields[0]] = map[string]bool{}
		}
		right[fields[0]][fields[1]] = true
	}
	if in.Err() != nil {
		return nil, wrong(in.Err())
	}
	lines, err := os.ReadFile(filepath.Join(dir, "queries.jsonl"))
	if err != nil {
		return nil, wrong(err)
	}
	var list []drill.Query
	for line := range strings.Lines(string(lines)) {
		var q struct {
			ID   string `json:"_id"`
			Text string `json:"text"`
		}
		if err := json.Unmarshal([]byte(line), &q); err != nil {
			return nil, wrong(err)
		}
		if files := right[q.ID]; len(files) > 0 {
			list = append(list, drill.Query{ID: q.ID, Text: q.Text, Collection: collection,
				Right: func(at domain.Location) bool { return at.Member == "" && files[filepath.Base(at.Path)] }})
		}
	}
	return list, nil
}
