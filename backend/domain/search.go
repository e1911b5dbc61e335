package domain

import (
	"fmt"
	"time"
)

// Defaults of a search, from the design.
const (
	DefaultCandidates  = 40
	DefaultTop         = 5
	DefaultPerDocument = 1
	DefaultMMR         = 0.7 // relevance still counts for more than difference
)

// Fusion is how the two arms of a hybrid search are joined.
type Fusion string

const (
	FusionConvex Fusion = "convex"
	FusionRRF    Fusion = "rrf"
)

// SearchRequest is one search. The zero value of every field but Query means the default.
type SearchRequest struct {
	Query       string     `json:"query"`
	Collection  string     `json:"collection"`
	Method      Method     `json:"method"`
	Rerank      RerankMode `json:"rerank"`
	Fusion      Fusion     `json:"fusion"`
	Candidates  int        `json:"candidates"`   // taken from each arm and reranked
	Top         int        `json:"top"`          // hits returned
	PerDocument int        `json:"per_document"` // passages shown of one document; the others are counted
	MMR         *float64   `json:"mmr"`          // lambda of maximal marginal relevance, in [0,1]; nil: off
	Variety     bool       `json:"variety"`      // where MMR is nil: MMR with the lambda of the settings
	Offline     bool       `json:"offline"`      // nothing leaves, whatever the policy says
	Send        bool       `json:"send"`         // this search's "yes" where the policy is ask
	Once        bool       `json:"once"`         // the same, for a single request: it is not sent again over another connection
	// SettleMS is how many milliseconds after its begin a search may be reranked at the earliest. Who types on ends the
	// search by then, before it costs a ranker or a call.
	SettleMS int `json:"settle_ms"`
}

// WithDefaults returns the request with every unset field filled in.
func (r SearchRequest) WithDefaults() SearchRequest {
	if r.Collection == "" {
		r.Collection = DefaultCollection
	}
	if r.Method == "" {
		r.Method = Hybrid
	}
	if r.Rerank == "" {
		r.Rerank = RerankAuto
	}
	if r.Fusion == "" {
		r.Fusion = FusionConvex
	}
	if r.Candidates == 0 {
		r.Candidates = DefaultCandidates
	}
	if r.Top == 0 {
		r.Top = DefaultTop
	}
	if r.PerDocument == 0 {
		r.PerDocument = DefaultPerDocument
	}
	return r
}

// Validate reports the first thing wrong with a request that has its defaults.
func (r SearchRequest) Validate() error {
	switch {
	case r.Top <= 0 || r.Top > r.Candidates:
		return Errorf(CodeUsage, "choose values with 0 < top <= candidates",
			"top is %d and candidates is %d", r.Top, r.Candidates)
	case r.Candidates > MaxCandidates:
		return Errorf(CodeUsage, fmt.Sprintf("choose at most %d candidates", MaxCandidates),
			"candidates is %d", r.Candidates)
	case r.SettleMS < 0 || r.SettleMS > maxSettleMS:
		return Errorf(CodeUsage, fmt.Sprintf("choose 0 to %d", maxSettleMS), "settle_ms is %d", r.SettleMS)
	case r.PerDocument < 1:
		return Errorf(CodeUsage, "choose at least 1", "per-document is %d", r.PerDocument)
	case r.MMR != nil && !(*r.MMR >= 0 && *r.MMR <= 1):
		return Errorf(CodeUsage, "choose a number from 0 (as different as can be) to 1 (by relevance alone)", "mmr is %v", *r.MMR)
	}
	if !oneOf(r.Method, Hybrid, BM25, Semantic) {
		return Errorf(CodeUsage, "choose hybrid, bm25 or semantic", "there is no method %q", r.Method)
	}
	if !oneOf(r.Rerank, RerankAuto, RerankCohere, RerankLocal, RerankOff) {
		return Errorf(CodeUsage, "choose auto, cohere, local or off", "there is no reranking %q", r.Rerank)
	}
	if !oneOf(r.Fusion, FusionConvex, FusionRRF) {
		return Errorf(CodeUsage, "choose convex or rrf", "there is no fusion %q", r.Fusion)
	}
	return nil
}

// maxSettleMS is longer than anybody pauses between two keys.
const maxSettleMS = 10_000

// MaxCandidates is vec0's own limit on k.
const MaxCandidates = 4096

func oneOf[T comparable](v T, choices ...T) bool {
	for _, c := range choices {
		if v == c {
			return true
		}
	}
	return false
}

// Ranks are 1-based positions of a hit in each list; nil where it was not in that list. Final is that after
// reranking and MMR, before grouping.
type Ranks struct {
	BM25  *int `json:"bm25"`
	Dense *int `json:"dense"`
	Fused *int `json:"fused"`
	Final *int `json:"final"`
}

// Scores are what each stage gave a hit; nil where the stage did not see it.
type Scores struct {
	BM25   *float64 `json:"bm25"`   // BM25, higher is better
	Dense  *float64 `json:"dense"`  // cosine in [-1,1]
	Fused  *float64 `json:"fused"`  // share of the best possible fused score, [0,1]
	Rerank *float64 `json:"rerank"` // raw: a logit, a MaxSim or Cohere's relevance
}

// Hit is one result with its whole trace.
type Hit struct {
	Rank           int         `json:"rank"`
	Path           string      `json:"path"`
	Title          string      `json:"title"`
	Format         string      `json:"format"`
	Page           int         `json:"page"`          // 0: not a paged format
	OCR            float64     `json:"ocr,omitempty"` // 0: the file's own text; else how sure it is, in (0,1]
	Heading        string      `json:"heading"`
	Line           int         `json:"line"`            // 0: not a text format
	Cells          string      `json:"cells,omitempty"` // of a sheet: "A2:D40"
	ChunkID        int64       `json:"chunk_id"`
	DocumentID     int64       `json:"document_id"`
	Text           string      `json:"text"`
	Date           time.Time   `json:"date,omitzero"` // of the document: what it says of itself, else its file's; zero: unknown
	Highlights     [][2]int    `json:"highlights"`    // byte ranges of Text, sorted, not overlapping
	Score          float64     `json:"score"`         // in [0,1], its meaning in ScoreKind
	ScoreKind      ScoreKind   `json:"score_kind"`
	RawScore       *float64    `json:"raw_score"`
	Ranks          Ranks       `json:"ranks"`
	Scores         Scores      `json:"scores"`
	RerankDelta    *int        `json:"rerank_delta"` // rank before reranking - rank after it, MMR apart; nil where it was not reranked
	MoreInDocument int         `json:"more_in_document"`
	More           []MoreHit   `json:"more,omitempty"`   // the passages folded under this one
	Member         string      `json:"member,omitempty"` // path within the file: a message, an attachment; empty: the file itself
	Also           []Location  `json:"also,omitempty"`   // where else the same bytes are, at most MaxAlso places
	Duplicates     []Duplicate `json:"duplicates"`       // passages of other documents with the same text or nearly so, best first
}

// MoreHit is a passage of the same document that was folded under a better one.
type MoreHit struct {
	ChunkID   int64     `json:"chunk_id"`
	Text      string    `json:"text"`
	Page      int       `json:"page"`
	Heading   string    `json:"heading"`
	Score     float64   `json:"score"`
	ScoreKind ScoreKind `json:"score_kind"`
}

// Duplicate is a passage of another document that was folded under a better one, because it says the same
// as that or as one of the passages folded under it, or because its whole document is a copy.
type Duplicate struct {
	ChunkID    int64   `json:"chunk_id"`
	DocumentID int64   `json:"document_id"`
	Path       string  `json:"path"`
	Title      string  `json:"title"`
	Similarity float64 `json:"similarity"` // of the two texts, in [0,1]; 1: the same words
}

// Step is one ranker that was considered and did not serve, and why.
type Step struct {
	Backend Backend `json:"backend"`
	Code    string  `json:"code"`   // "policy", "no_key", "offline", "deadline", "unreachable", ...
	Reason  string  `json:"reason"` // one plain sentence
	Failed  bool    `json:"failed"` // it was tried; false: it was not applicable
}

// Breaker is whether Cohere is asked at all after it has failed.
type Breaker string

const (
	BreakerNone   Breaker = ""       // Cohere was not considered
	BreakerClosed Breaker = "closed" // it is asked
	BreakerOpen   Breaker = "open"   // it is left alone for a while
)

// RerankTrace says which ranker served and how it came to that.
type RerankTrace struct {
	Requested     RerankMode `json:"requested"`
	Backend       Backend    `json:"backend"`
	Model         string     `json:"model"`
	Device        string     `json:"device"`
	Precision     string     `json:"precision"`
	FellBackFrom  *Backend   `json:"fell_back_from"` // the first step that was tried and failed, or was wanted and not applicable
	Reason        string     `json:"reason"`         // why it fell back; empty when it did not
	Steps         []Step     `json:"steps"`          // every ranker passed over, in order
	CandidatesIn  int        `json:"candidates_in"`
	CandidatesOut int        `json:"candidates_out"` // how many were really scored
	Stage1N       int        `json:"stage1_n"`       // scored by the cheaper tier of a cascade; 0 where there is none
	Stage2N       int        `json:"stage2_n"`       // scored by its precise tier
	EarlyExit     bool       `json:"early_exit"`
	Breaker       Breaker    `json:"breaker"`    // Cohere's, when the search had ended
	Hedged        bool       `json:"hedged"`     // the local ranker was started beside Cohere, which was late; Backend is the first
	ElapsedMS     float64    `json:"elapsed_ms"` // of the whole call, everything that was tried included
	MMRApplied    bool       `json:"mmr_applied"`
	MMRLambda     *float64   `json:"mmr_lambda"` // as applied; nil where it was not

	Search      string       `json:"search,omitempty"` // names the search in the ledger; empty where nothing could have left
	Scale       string       `json:"-"`                // names what the scores depend on beside the texts: the model, its weights
	Calibration *Calibration `json:"calibration"`      // of the local ranker that served; nil where another did
}

// Names of the stages of a search, in the order in which a trace lists them.
const (
	StageFilter = "filter" // finding the passages that the query's filters leave
	StageEmbed  = "embed"
	StageBM25   = "bm25"
	StageDense  = "dense"
	StageFuse   = "fuse"
	StageSettle = "settle" // waiting whether the query is typed on
	StageRerank = "rerank"
	StageMMR    = "mmr"
	StageGroup  = "group"
	StageTotal  = "total"
)

// Stage is the cost of one stage of a search.
type Stage struct {
	Name  string    `json:"name"`
	MS    float64   `json:"ms"`
	In    int       `json:"in"`
	Out   int       `json:"out"`
	Start time.Time `json:"-"` // for spans
}

// StageSince is a stage that began at start and has just ended.
func StageSince(name string, start time.Time, in, out int) Stage {
	return Stage{Name: name, MS: float64(time.Since(start).Microseconds()) / 1000, In: in, Out: out, Start: start}
}

// Verdict says whether anything clearly matches.
type Verdict struct {
	Clear     bool     `json:"clear"`
	Threshold *float64 `json:"threshold"` // nil where the backend has none
	Best      *float64 `json:"best"`      // nil where there is no hit
	Message   string   `json:"message,omitempty"`
	Basis     string   `json:"basis,omitempty"` // what the scores rest on beside the ranker: "calibrated on N pairs"
}

// SearchResponse is the answer to one search and its whole trace.
type SearchResponse struct {
	Query      string        `json:"query"`
	Method     Method        `json:"method"` // what really ran
	Requested  Method        `json:"requested_method"`
	Filters    []QueryFilter `json:"filters"` // what was understood of the query beside words; every hit meets all
	Collection string        `json:"collection"`
	Rerank     RerankTrace   `json:"rerank"`
	Verdict    Verdict       `json:"verdict"`
	Stages     []Stage       `json:"stages"`
	Degraded   []string      `json:"degraded"` // plain sentences, empty when nothing is degraded
	Searchable bool          `json:"searchable"`
	Partial    bool          `json:"partial"` // true for the fused order shown while reranking still runs
	Hits       []Hit         `json:"hits"`
}
