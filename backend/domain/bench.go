package domain

import "time"

// LocalTier is which of the local rankers a search uses.
type LocalTier string

const (
	TierAuto    LocalTier = "auto"    // what is installed and, where it was measured, fits this machine
	TierPrecise LocalTier = "precise" // the precise cross-encoder for the whole pool
	TierCascade LocalTier = "cascade" // a cheaper one for the pool, then the precise one for the best few
	TierFast    LocalTier = "fast"    // the fast cross-encoder alone
	TierLate    LocalTier = "late"    // late interaction: no cross-encoder
)

// Setting is a setting's value and where it comes from: "default", a file, or what was measured when.
type Setting struct {
	Name  string `json:"name"`
	Value string `json:"value"`
	From  string `json:"from"`
}

// BenchProgress is what a measurement is doing.
type BenchProgress struct {
	Step string // one plain phrase
	Done int    // of this step, of Of; 0 where it cannot be counted
	Of   int
}

// BenchReport is what was measured on a machine, and what follows from it. A figure that was not measured is not
// there. As machine.json in the data folder it gives defaults to searches on the same machine.
type BenchReport struct {
	Machine BenchMachine `json:"machine"`
	At      time.Time    `json:"at"`
	Version string       `json:"version"` // of the program
	Quick   bool         `json:"quick"`

	PeakGOPS  float64          `json:"peak_gops"` // billions of operations a second in a large product of bytes; 0: not measured
	Rerankers []BenchReranker  `json:"rerankers"`
	Naive     []BenchNaive     `json:"naive"`
	Embedding []BenchEmbedding `json:"embedding"`
	Retrieval []BenchRetrieval `json:"retrieval"`
	Indexing  *BenchIndexing   `json:"indexing"`
	Skipped   []string         `json:"skipped"` // what was left out and why, a sentence each

	Recommended Recommendation `json:"recommended"`
}

// BenchMachine is what figures hold for; with another one they mean nothing.
type BenchMachine struct {
	Processor    string   `json:"processor"`
	Cores        int      `json:"cores"`
	Instructions []string `json:"instructions"`
	Library      string   `json:"library"` // version of ONNX Runtime; empty: there was none
}

// BenchReranker is the speed of a cross-encoder.
type BenchReranker struct {
	Tier      string   `json:"tier"`
	Model     string   `json:"model"`
	MadeUp    bool     `json:"made_up"` // of the tier's shape, with made-up weights, because it is not installed
	Precision string   `json:"precision"`
	Device    string   `json:"device"`
	Tokens    int      `json:"tokens"` // of every pair; 0: a pool of realistic lengths
	Threads   int      `json:"threads"`
	Pairs     float64  `json:"pairs_per_second"`
	PeakShare *float64 `json:"peak_share"` // of the peak; null where the model's shape is not known
}

// BenchNaive is the usual setup, fp32 weights and one padded batch on all cores, beside ours for the same pairs.
type BenchNaive struct {
	Tier   string  `json:"tier"`
	MadeUp bool    `json:"made_up"`
	Pairs  int     `json:"pairs"`
	Tokens int     `json:"tokens"`
	Naive  float64 `json:"naive_seconds"`
	Ours   float64 `json:"our_seconds"`
	Times  float64 `json:"times"` // Naive / Ours
}

// BenchEmbedding is the speed of the embedder.
type BenchEmbedding struct {
	Model  string  `json:"model"`
	Tokens int     `json:"tokens"` // of every text
	Texts  float64 `json:"texts_per_second"`
}

// BenchRetrieval is the time of hybrid retrieval in a made-up collection.
type BenchRetrieval struct {
	Chunks int     `json:"chunks"`
	P50    float64 `json:"p50_ms"`
	P95    float64 `json:"p95_ms"`
	Fill   float64 `json:"fill_seconds"` // storing the chunks with their vectors
}

// BenchIndexing is the time of indexing made-up text files, vectors included.
type BenchIndexing struct {
	Files   int     `json:"files"`
	Chunks  int     `json:"chunks"`
	Seconds float64 `json:"seconds"`
	Rate    float64 `json:"chunks_per_second"`
	Vectors bool    `json:"vectors"` // false: no embedder was installed
}

// Recommendation is what a search on this machine does by default. Empty: nothing follows.
type Recommendation struct {
	Tier       LocalTier     `json:"tier,omitempty"`
	Candidates int           `json:"candidates,omitempty"`
	Budget     time.Duration `json:"budget_ns,omitempty"`
	Reason     string        `json:"reason"` // one plain sentence
}
