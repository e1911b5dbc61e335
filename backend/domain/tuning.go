package domain

import "time"

// SearchChoice is what tuning chooses of a search.
type SearchChoice struct {
	LexicalWeight float64 `json:"lexical_weight"` // share of the lexical arm in a convex fusion
	Candidates    int     `json:"candidates"`
	Top           int     `json:"top"`
	Rerank        bool    `json:"rerank"`
}

// Tuning is what was measured to be better for a collection than the settings. Searches in it follow it where a request does
// not say.
type Tuning struct {
	Choice SearchChoice `json:"choice"`
	// Thresholds are the scores under which nothing clearly matches, by backend; none: those of the settings.
	Thresholds map[Backend]float64 `json:"thresholds,omitempty"`
	Evidence   Evidence            `json:"evidence"`
	At         time.Time           `json:"at"`
	Automatic  bool                `json:"automatic,omitempty"` // nobody asked: a reranker did significant harm
	Before     *Tuning             `json:"before,omitempty"`    // what undoing it brings back; nil: the settings
}

// Evidence is on how many judged queries something was measured, and what it gained: the mean difference of nDCG@10, and the
// interval in which it lies in 95 of 100 such samples.
type Evidence struct {
	Queries int     `json:"queries"`
	Gain    float64 `json:"gain"`
	Low     float64 `json:"low"`
	High    float64 `json:"high"`
}

// Suggestion is what tuning has found.
type Suggestion struct {
	Collection string       `json:"collection"`
	Queries    int          `json:"queries"`
	Now        SearchChoice `json:"now"`
	NowNDCG    float64      `json:"now_ndcg@10"`
	Best       SearchChoice `json:"best"` // equal to Now where nothing was better
	BestNDCG   float64      `json:"best_ndcg@10"`
	// Gain is cross-validated: what was chosen without a query's own judgement, on that query.
	Gain        Evidence            `json:"gain"`
	Significant bool                `json:"significant"` // the gain is more than chance would give
	Thresholds  map[Backend]float64 `json:"thresholds,omitempty"`
	NoThreshold string              `json:"no_threshold,omitempty"` // why none is suggested, one plain sentence
	FixedRerank string              `json:"fixed_rerank,omitempty"` // why the depth and the use of reranking were not tried
}
