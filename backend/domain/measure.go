package domain

import "time"

// Grade is how well a passage answers a query, as the analyst judges it.
type Grade int

const (
	GradeNot      Grade = 0
	GradePartly   Grade = 1
	GradeRelevant Grade = 2
)

// JudgedQuery is a query of a collection of which the analyst has judged passages.
type JudgedQuery struct {
	Query    string          `json:"query"`
	Last     time.Time       `json:"last"` // when the latest of them was judged
	Usable   bool            `json:"usable"`
	Passages []JudgedPassage `json:"passages"`
}

// JudgedPassage is one judgement. The document and its text are found again by their digests: where they are gone, nothing
// is left of them.
type JudgedPassage struct {
	Grade    Grade     `json:"grade"`
	At       time.Time `json:"at"`
	Gone     bool      `json:"gone"` // no document of the collection is the one that was judged
	Path     string    `json:"path"`
	Member   string    `json:"member,omitempty"`
	Title    string    `json:"title"`
	Document int64     `json:"document_id"`
}

// JudgedSet is all that was judged in a collection.
type JudgedSet struct {
	Collection string        `json:"collection"`
	Queries    []JudgedQuery `json:"queries"` // the latest first
	Judgements int           `json:"judgements"`
	Usable     int           `json:"usable"` // queries that can be measured: a relevant document is still there
	Gone       int           `json:"gone"`   // judgements of documents that are not there any more
}

// JudgedImport is what importing judgements has done.
type JudgedImport struct {
	Queries    int `json:"queries"`
	Judgements int `json:"judgements"`
	Unknown    int `json:"unknown"` // of documents that the collection does not have
}

// MeasureRequest asks to evaluate what was judged in a collection.
type MeasureRequest struct {
	Collection string   `json:"collection"`
	Stages     []string `json:"stages"`     // empty: the usual ones
	Candidates int      `json:"candidates"` // 0: the default of a search
	Variety    bool     `json:"variety"`    // each stage that a search can show with variety, too, as the settings have it
	Send       bool     `json:"send"`       // passages may leave where the policy is to ask
}

// MeasureProgress is how far an evaluation is.
type MeasureProgress struct {
	Phase string `json:"phase"` // "index" or "query"
	Done  int    `json:"done"`
	Of    int    `json:"of"`
}
