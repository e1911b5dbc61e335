package drill

import (
	"cmp"
	"slices"

	"fanous/backend/domain"
)

// maxSuffering is how many queries a report names.
const maxSuffering = 10

// judged is how the answers did against what is right; nil where no query was judged.
func judged(queries []Query, answers []answer) *domain.DrillJudged {
	return judge(queries, func(i int) (int, bool) { return answers[i].right, true })
}

// judgedOnline is how well Cohere did on the queries that it has answered, and judgedAgain how the answers do on those,
// as far down as Cohere's lists went: the two can be compared.
func judgedOnline(queries []Query) *domain.DrillJudged {
	return judge(queries, func(i int) (int, bool) {
		o := queries[i].Online
		if o == nil {
			return 0, false
		}
		return 1 + slices.IndexFunc(o.Documents, func(id int64) bool { return queries[i].Right(o.Places[id]) }), true
	})
}

func judgedAgain(queries []Query, answers []answer) *domain.DrillJudged {
	return judge(queries, func(i int) (int, bool) {
		o := queries[i].Online
		if o == nil || answers[i].right > len(o.Documents) {
			return 0, o != nil
		}
		return answers[i].right, true
	})
}

// judge adds up the ranks of the first right documents, 0 for none, of the judged queries that were asked.
func judge(queries []Query, rank func(i int) (rank int, asked bool)) *domain.DrillJudged {
	var j domain.DrillJudged
	for i, q := range queries {
		if q.Right == nil {
			continue
		}
		r, asked := rank(i)
		if !asked {
			continue
		}
		j.Queries++
		if r > 0 {
			j.MRR += 1 / float64(r)
			j.Found++
		}
	}
	if j.Queries == 0 {
		return nil
	}
	j.MRR /= float64(j.Queries)
	return &j
}

// agreement compares with Cohere's lists; nil where there are none.
func agreement(queries []Query, answers []answer) *domain.DrillAgreement {
	var a domain.DrillAgreement
	for i, q := range queries {
		if q.Online == nil {
			continue
		}
		kept, same, _ := against(*q.Online, answers[i])
		a.Queries++
		a.Kept += kept
		if same {
			a.SameFirst++
		}
	}
	if a.Queries == 0 {
		return nil
	}
	a.Kept /= float64(a.Queries)
	a.Judged = judgedAgain(queries, answers)
	return &a
}

// against is how much of Cohere's list stands among as many documents of the answer, whether the first is the same, and
// what is lost.
func against(o Online, a answer) (kept float64, sameFirst bool, lost []domain.DrillLost) {
	now := a.documents[:min(len(a.documents), len(o.Documents))]
	for i, d := range o.Documents {
		if !slices.Contains(now, d) {
			lost = append(lost, domain.DrillLost{DocumentID: d, Rank: i + 1})
		}
	}
	share := 1 - float64(len(lost))/float64(len(o.Documents))
	return share, len(now) > 0 && now[0] == o.Documents[0], lost
}

// suffering are the queries that the answers serve worse than Cohere did, or whose right document is not found.
func suffering(queries []Query, answers []answer) []domain.DrillQuery {
	list := []domain.DrillQuery{}
	if answers == nil {
		return list
	}
	for i, q := range queries {
		d := domain.DrillQuery{ID: q.ID, Text: q.Text, Collection: q.Collection, Judged: q.Right != nil, Lost: []domain.DrillLost{}}
		if answers[i].right > 0 {
			d.RightNow = new(answers[i].right)
		}
		suffers := q.Right != nil && d.RightNow == nil
		if q.Online != nil {
			kept, same, lost := against(*q.Online, answers[i])
			d.Kept, d.SameFirst, d.Lost = &kept, &same, append(d.Lost, lost...)
			suffers = suffers || kept < 1 || !same
		}
		if suffers {
			list = append(list, d)
		}
	}
	slices.SortStableFunc(list, func(a, b domain.DrillQuery) int { return cmp.Compare(loss(b), loss(a)) })
	return list[:min(len(list), maxSuffering)]
}

// loss orders queries by how much they suffer.
func loss(q domain.DrillQuery) float64 {
	l := 0.0
	if q.Judged && q.RightNow == nil {
		l += 2
	}
	if q.Kept != nil {
		l += 1 - *q.Kept
		if !*q.SameFirst {
			l += 0.5
		}
	}
	return l
}

// OnlineOf sums up what Cohere did; nil where it answered none of the queries.
func OnlineOf(queries []Query) *domain.DrillOnline {
	var o domain.DrillOnline
	var took []float64
	for _, q := range queries {
		if q.Online == nil {
			continue
		}
		o.Queries++
		if o.From.IsZero() || q.Online.At.Before(o.From) {
			o.From = q.Online.At
		}
		if q.Online.At.After(o.To) {
			o.To, o.Model = q.Online.At, q.Online.Model
		}
		took = append(took, q.Online.MS)
	}
	if o.Queries == 0 {
		return nil
	}
	slices.Sort(took)
	o.P50, o.P95, o.Judged = domain.Quantile(took, 0.5), domain.Quantile(took, 0.95), judgedOnline(queries)
	return &o
}
