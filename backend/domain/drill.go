package domain

import "time"

// DrillRequest asks for a drill: "if the network went now".
type DrillRequest struct {
	Collection string `json:"collection"` // only searches of this one; empty: of every one
	Queries    int    `json:"queries"`    // how many are replayed at most; 0: DefaultDrillQueries
	Judged     string `json:"judged"`     // a folder with queries.jsonl and qrels/test.tsv, whose documents are file names; empty: none
	Language   string `json:"language"`   // of the sentences: "en" or "fa"; empty: "en"
}

// DefaultDrillQueries is how many queries a drill replays on each tier.
const DefaultDrillQueries = 20

// DrillState is what would become of searching.
type DrillState string

const (
	DrillReady    DrillState = "ready"     // it would go on as this installation is meant to
	DrillDegraded DrillState = "degraded"  // it would go on, on a lower step than it should
	DrillNotReady DrillState = "not_ready" // it would fail
)

// Checks of a drill, in the order in which they are made.
const (
	DrillCheckModels  = "models"  // the digest of every file of every model
	DrillCheckTiers   = "tiers"   // which local rankers there are
	DrillCheckDevices = "devices" // each model once more on its device, in a process of its own
	DrillCheckMemory  = "memory"
	DrillCheckDisk    = "disk"
	DrillCheckIndex   = "index"  // SQLite's pages, FTS5 against the text, vectors against their codes
	DrillCheckStamps  = "stamps" // what made the index against what this program has
	DrillCheckLedger  = "ledger"
	DrillCheckCutOff  = "cut_off" // the searches themselves, with every way out shut
)

// Codes of what a drill finds, beside those of models, devices and the index.
const (
	CodeTierMissing    Code = "tier_missing"    // a local ranker is not installed
	CodeTierGone       Code = "tier_gone"       // one that the last drill had is not there any more
	CodeNoLocal        Code = "no_local"        // there is no local ranker at all
	CodeMemoryLow      Code = "memory_low"      // the models do not fit beside what runs
	CodeStampStale     Code = "stamp_stale"     // another program made this part of the index
	CodeVectorsMissing Code = "vectors_missing" // passages have no vector yet
	CodeNothingIndexed Code = "nothing_indexed"
	CodeSearchFailed   Code = "search_failed"
	CodeEscaped        Code = "escaped" // something has left although every way out was shut
)

// DrillWeight is how much a finding matters.
type DrillWeight string

const (
	DrillNote    DrillWeight = "note"    // worth knowing
	DrillWarning DrillWeight = "warning" // searching goes on without it
	DrillFatal   DrillWeight = "fatal"   // searching does not go on
)

// DrillFinding is one thing that a check has found.
type DrillFinding struct {
	Weight DrillWeight `json:"weight"`
	Code   Code        `json:"code"`
	What   string      `json:"what"`             // the model, tier, collection or folder that it is about
	Reason string      `json:"reason"`           // one plain sentence
	Detail string      `json:"detail,omitempty"` // the program's own sentence, where Reason is its translation
	Hint   string      `json:"hint,omitempty"`
}

// DrillCheck is one check and what it has found.
type DrillCheck struct {
	Name     string         `json:"name"`
	Skipped  string         `json:"skipped,omitempty"` // why it could not be made; empty: it was
	MS       float64        `json:"ms"`
	Findings []DrillFinding `json:"findings"`
}

// Names of the tiers that a drill replays queries on, beside those of the models.
const (
	DrillTierServing = "serving" // what a search would be served by: the cascade, or the tier of the settings
	DrillTierNone    = "none"    // the fused order, not reranked
)

// DrillTier is how one local tier did. Figures that were not measured are nil.
type DrillTier struct {
	Tier      string          `json:"tier"` // "serving", "precise", "fast", "late", "none"
	Backend   Backend         `json:"backend"`
	Model     string          `json:"model,omitempty"`
	Device    string          `json:"device,omitempty"`
	Precision string          `json:"precision,omitempty"`
	Skipped   string          `json:"skipped,omitempty"` // why it was not measured; empty: it was
	Queries   int             `json:"queries"`           // that it answered
	Lower     int             `json:"lower"`             // of those, answered by a lower step
	LoadMS    *float64        `json:"load_ms"`           // until the first search can begin
	P50       *float64        `json:"p50_ms"`            // of a whole search
	P95       *float64        `json:"p95_ms"`
	Judged    *DrillJudged    `json:"judged"`
	Agreement *DrillAgreement `json:"agreement"` // with Cohere's answers
}

// DrillJudged is how well answers did that somebody has judged.
type DrillJudged struct {
	Queries int     `json:"queries"`
	MRR     float64 `json:"mrr@10"` // of the first right document
	Found   int     `json:"found"`  // queries with a right document among the results shown
}

// DrillAgreement is how much of Cohere's lists, as the history has them, came back without Cohere.
type DrillAgreement struct {
	Queries   int     `json:"queries"`
	Kept      float64 `json:"kept"`       // mean share of the documents shown then that are shown again
	SameFirst int     `json:"same_first"` // queries whose first document is the same
	// Judged is of these queries alone and as far down as Cohere's lists went, to compare with DrillOnline.Judged; nil:
	// none of them was judged.
	Judged *DrillJudged `json:"judged"`
}

// DrillOnline is what Cohere did on the same queries when it last answered them.
type DrillOnline struct {
	Model   string       `json:"model"`
	Queries int          `json:"queries"`
	From    time.Time    `json:"from"`
	To      time.Time    `json:"to"`
	P50     float64      `json:"p50_ms"` // of a whole search then
	P95     float64      `json:"p95_ms"`
	Judged  *DrillJudged `json:"judged"` // nil: none of them was judged
}

// DrillQuery is a query that suffers: what the serving tier gave in place of what Cohere had given, or of what is
// right. The kept report of a drill has no text, only the ID.
type DrillQuery struct {
	ID         string      `json:"id"` // of the history's entry, or of the judged query
	Text       string      `json:"text,omitempty"`
	Collection string      `json:"collection"`
	Kept       *float64    `json:"kept"`       // share of the documents that Cohere had shown; nil: it had not been asked
	SameFirst  *bool       `json:"same_first"` // nil: as Kept
	RightNow   *int        `json:"right_now"`  // rank of the first right document; nil: not among the first ten, or not judged
	Judged     bool        `json:"judged"`
	Lost       []DrillLost `json:"lost"` // documents that Cohere had shown and the local tier does not
}

// DrillLost is a document that was shown by Cohere.
type DrillLost struct {
	DocumentID int64  `json:"document_id"`
	Rank       int    `json:"rank"` // then
	Title      string `json:"title,omitempty"`
}

// Where the replayed queries came from.
const (
	DrillFromJudged  = "judged"
	DrillFromHistory = "history"
	DrillFromTitles  = "titles"  // there are no searches: documents are asked for by their titles
	DrillFromNothing = "nothing" // there is nothing to search
)

// DrillReport is what a drill has found.
type DrillReport struct {
	At        time.Time    `json:"at"`
	MS        float64      `json:"ms"`
	Version   string       `json:"version"`
	System    string       `json:"system"`
	Processor string       `json:"processor"`
	State     DrillState   `json:"state"`
	Verdict   string       `json:"verdict"` // one sentence
	Checks    []DrillCheck `json:"checks"`
	Source    string       `json:"source"`
	Queries   int          `json:"queries"`
	Tiers     []DrillTier  `json:"tiers"`   // the serving one first
	Online    *DrillOnline `json:"online"`  // nil: no search in the history was answered by Cohere
	Suffer    []DrillQuery `json:"suffer"`  // worst first
	FirstWait float64      `json:"wait_ms"` // what the first searches of an outage wait for Cohere at most; 0: nobody would ask it
}

// DrillSummary is the last drill in short.
type DrillSummary struct {
	At      time.Time  `json:"at"`
	State   DrillState `json:"state"`
	Verdict string     `json:"verdict"`
}

// DrillProgress is how far a drill is.
type DrillProgress struct {
	Step string `json:"step"`           // a check, or "replay"
	Tier string `json:"tier,omitempty"` // or the model
	Done int    `json:"done"`           // queries, or MiB of a model
	Of   int    `json:"of"`             // 0: it is not counted
}

// DrillStepReplay is the step in which queries are replayed.
const DrillStepReplay = "replay"
