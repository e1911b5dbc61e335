// Package domain holds the nouns of Fanous: collections, documents, chunks, hits and what a
// search says about itself. It does no I/O and imports nothing of ours.
//
// Every offset in this package is a byte offset into UTF-8 text. Every range is half open.
package domain

import "time"

// Policy says whether passages of a collection may be sent to a remote reranker.
type Policy string

const (
	PolicyNever   Policy = "never"   // nothing ever leaves
	PolicyAsk     Policy = "ask"     // leaves only when this very search says so (--send)
	PolicyAllowed Policy = "allowed" // may leave
)

// DefaultCollection is the collection that commands use when none is named.
const DefaultCollection = "default"

// Collection is a named set of folders that is searched together.
type Collection struct {
	ID     int64    `json:"id"`
	Name   string   `json:"name"`
	Policy Policy   `json:"policy"`
	Roots  []string `json:"roots"` // absolute paths of folders or single files

	Settings CollectionSettings `json:"settings,omitzero"`
}

// CollectionSettings say which files below the roots belong to a collection, and how it is kept up to date. Patterns are
// those of .gitignore files, relative to each root.
type CollectionSettings struct {
	Include []string `json:"include,omitempty"` // only files that match one of these; none: every file
	Ignore  []string `json:"ignore,omitempty"`  // none of these, beside what is ignored everywhere and in .fanousignore files

	Watch     bool      `json:"watch,omitempty"`      // the window indexes it again whenever its files change
	OnBattery OnBattery `json:"on_battery,omitempty"` // of runs that do not say it themselves; empty: low
	NoOCR     bool      `json:"no_ocr,omitempty"`     // leave what is in pictures

	Tuning        *Tuning `json:"tuning,omitempty"`         // of searches; nil: they follow the settings
	KeepReranking bool    `json:"keep_reranking,omitempty"` // the analyst wants it although it was measured to do harm
}

// CollectionSummary is a collection with what is in it.
type CollectionSummary struct {
	Collection
	Documents int            `json:"documents"`
	Chunks    int            `json:"chunks"`
	Bytes     int64          `json:"bytes"`  // size of the source files
	States    map[string]int `json:"states"` // documents by DocumentState

	Updated time.Time `json:"updated,omitzero"` // when the last run over all of it ended; zero: there was none, or it is not known
}

// DocumentState is where a file ended. Every file that indexing saw has one.
type DocumentState string

const (
	StateIndexed       DocumentState = "indexed"
	StateNoText        DocumentState = "no text"
	StateNeedsPassword DocumentState = "needs password"
	StateUnsupported   DocumentState = "unsupported"
	StateFailed        DocumentState = "failed"
	StateQuarantined   DocumentState = "quarantined"
	StateContainer     DocumentState = "container" // an archive or mailbox: its members are documents, it has no text of its own
	StateReading       DocumentState = "reading"   // some of its members are stored; a run that ends here reads it again
)

// OCRState is how far the recognition of a document's images is.
type OCRState string

const (
	OCRNotWanted OCRState = ""
	OCRWanted    OCRState = "wanted"
	OCRDone      OCRState = "done"
	OCRNothing   OCRState = "none" // nothing was legible
	OCRFailed    OCRState = "failed"
)

// Document is one file of a collection, or one member of such a file: a message of a mailbox, an attachment, a file of an
// archive. Collection, path and member say which one it is.
type Document struct {
	ID           int64         `json:"id"`
	CollectionID int64         `json:"collection_id"`
	Path         string        `json:"path"`             // absolute, of the file
	Member       string        `json:"member,omitempty"` // path within the file, "" for the file itself; "Inbox/0007 Re: budget/plan.xlsx"
	Format       string        `json:"format"`
	Title        string        `json:"title"`
	Author       string        `json:"author,omitempty"`
	Dated        time.Time     `json:"dated,omitzero"` // what the document says of itself: a message's date, its metadata's; zero: unknown
	Size         int64         `json:"size"`
	ModTime      time.Time     `json:"mod_time"`
	Hash         string        `json:"hash"` // SHA-256 of its bytes, hex; empty where it could not be read
	State        DocumentState `json:"state"`
	Reason       string        `json:"reason,omitempty"`   // one sentence, for every state but indexed
	Warnings     []string      `json:"warnings,omitempty"` // what the analyst should know of an indexed one ("page 3: text unreliable")
	OCR          OCRState      `json:"ocr,omitempty"`
	Attempts     int           `json:"attempts,omitempty"` // how often reading it has taken the reading process with it
	SameAs       int64         `json:"same_as,omitempty"`  // the document that has the same bytes and holds the passages; 0: its own
	Also         []Location    `json:"also,omitempty"`     // of a hit: where else the same bytes are, at most MaxAlso places
	Cut          string        `json:"-"`                  // names what read and cut it; what another one cut is cut again
}

// MaxAlso is how many other places of a document a hit names.
const MaxAlso = 20

// Date is what a document says of itself, else when its file was changed; zero: unknown.
func (d Document) Date() time.Time {
	if d.Dated.IsZero() {
		return d.ModTime
	}
	return d.Dated
}

// Location is where a document is.
type Location struct {
	Path   string `json:"path"`
	Member string `json:"member,omitempty"`
}

// String names a document for people: a file by its path, a member by that with its own behind it.
func (l Location) String() string {
	if l.Member == "" {
		return l.Path
	}
	return l.Path + "/" + l.Member
}

// Place says where in its document a piece of text stands. Zero values mean "has none".
type Place struct {
	Page    int    `json:"page,omitempty"`    // 1-based, for paged formats; the slide of a presentation
	Heading string `json:"heading,omitempty"` // path of headings, outermost first, joined by " › "; a sheet, message or attachment is one
	Line    int    `json:"line,omitempty"`    // 1-based line of the source, for text formats
	Cells   string `json:"cells,omitempty"`   // "A2:D40", for sheets; see ParseCells
}

// BlockKind is the role of a block in its document.
type BlockKind int

const (
	KindParagraph BlockKind = iota
	KindHeading
	KindListItem
	KindTableRow
	KindCode
)

// Block is a unit of extracted text in reading order: extract makes blocks, chunk consumes them.
type Block struct {
	Kind  BlockKind
	Level int    // heading level, 1 is outermost; 0 for every other kind
	Text  string // logical order, valid UTF-8, original characters (never normalised)
	Place Place  // Heading is the path above this block; for a heading block it includes itself
	// OCR is 0 for the file's own text, and for recognised text the mean confidence of its words in (0,1].
	OCR float64
}

// Content is what a file says.
type Content struct {
	Format string // what the file was read as: "text", "pdf", "xlsx"; package extract lists them
	Title  string // from the file's own metadata or first heading; may be empty
	Author string
	Dated  time.Time // from the file's own metadata; zero: unknown
	Blocks []Block
	// Unreliable are the pages whose text cannot be trusted, Images those without text on which something is drawn, both
	// 1-based: OCR is offered for them.
	Unreliable []int
	Images     []int
	// Warnings are things the analyst should know ("page 3: text unreliable"); the document is still indexed.
	Warnings []string
}

// Chunk is the unit that is indexed, retrieved and reranked.
type Chunk struct {
	ID         int64  `json:"id"`
	DocumentID int64  `json:"document_id"`
	Ordinal    int    `json:"ordinal"` // 0-based position in the document
	Text       string `json:"text"`    // original characters; highlights are ranges of it
	Place      Place  `json:"place"`
	// Language is what the text is written in (BCP 47), "" where that is not known.
	Language string `json:"language,omitempty"`
	// OCR is 0 for the file's own text, and for recognised text the mean confidence of its words in (0,1].
	OCR float64 `json:"ocr,omitempty"`
}

// Method is what retrieves candidates.
type Method string

const (
	Hybrid   Method = "hybrid"
	BM25     Method = "bm25"
	Semantic Method = "semantic"
	// Listed is what a query of filters alone gets, whatever it asked for: documents by their dates, the newest first.
	Listed Method = "list"
)

// RerankMode is what the analyst asked for.
type RerankMode string

const (
	RerankAuto   RerankMode = "auto"
	RerankCohere RerankMode = "cohere"
	RerankLocal  RerankMode = "local"
	RerankOff    RerankMode = "off"
)

// Backend names what produced the final order.
type Backend string

const (
	BackendCohere          Backend = "cohere"
	BackendCrossEncoder    Backend = "cross-encoder"
	BackendLateInteraction Backend = "late-interaction"
	BackendNone            Backend = "none" // fused (or single-arm) order
)

// ScoreKind says what a hit's Score means. Scores of different kinds are never compared.
type ScoreKind string

const (
	// ScoreRelevance is a reranker's judgement in [0,1].
	ScoreRelevance ScoreKind = "relevance"
	// ScoreRank is the share of the best possible fused score: rank score, not relevance.
	ScoreRank ScoreKind = "rank"
	// ScoreNone is no score: the hits are listed.
	ScoreNone ScoreKind = "none"
)
