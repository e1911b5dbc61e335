package domain

import (
	"strings"
	"time"
)

// IndexRequest asks to bring a collection up to date with its files.
type IndexRequest struct {
	Collection string    `json:"collection"`           // made if it does not exist
	Paths      []string  `json:"paths"`                // added to the collection's roots; none: index the roots it has
	NoOCR      bool      `json:"no_ocr"`               // leave pictures for another run; the collection's settings may say so, too
	OnBattery  OnBattery `json:"on_battery,omitempty"` // empty: what the collection's settings say
	Retry      bool      `json:"retry"`                // read files again that failed or are in quarantine, though they have not changed
	Again      []string  `json:"again,omitempty"`      // read these files again, though they have not changed
	Rebuild    bool      `json:"rebuild,omitempty"`    // read every file again: all that is indexed is made anew
}

// OnBattery is when work that can wait (embedding, OCR) does.
type OnBattery string

const (
	BatteryLow   OnBattery = "low"   // while the machine runs on a battery that is low
	BatteryPause OnBattery = "pause" // while it runs on a battery
	BatteryGo    OnBattery = "go"    // never
)

// The phases of an index run, in order. Keyword search sees a document once it is read, semantic
// search once its passages are embedded.
const (
	PhaseScan  = "scan"
	PhaseDrop  = "drop" // what is indexed of files that are gone is removed
	PhaseRead  = "read"
	PhaseEmbed = "embed"
	PhaseOCR   = "ocr" // pictures are read; what they say is embedded afterwards
	PhaseDone  = "done"
)

// IndexProgress is a snapshot of a running index.
type IndexProgress struct {
	Phase     string        `json:"phase"`
	Files     int           `json:"files"`    // found so far in scan, gone in drop, then those to read
	Done      int           `json:"done"`     // files read, whatever their state
	Chunks    int           `json:"chunks"`   // written so far
	ToEmbed   int           `json:"to_embed"` // passages without a vector at the start of embed
	Embedded  int           `json:"embedded"`
	ToOCR     int           `json:"to_ocr"` // documents whose pictures are to be read, at the start of ocr
	OCRDone   int           `json:"ocr_done"`
	Current   string        `json:"current"`   // path being read
	Waiting   string        `json:"waiting"`   // why the work waits, one sentence; empty: it goes on
	Rate      float64       `json:"rate"`      // of this phase: files a second in read, passages a second in embed
	Remaining time.Duration `json:"remaining"` // of this phase, in nanoseconds; 0: not known yet
}

// IndexReport is what an index run did.
type IndexReport struct {
	Collection string        `json:"collection"`
	Indexed    int           `json:"indexed"`
	Unchanged  int           `json:"unchanged"`
	Removed    int           `json:"removed"`
	Moved      int           `json:"moved"`       // found under another path; nothing of them was read again
	NotIndexed int           `json:"not_indexed"` // no text, unsupported, failed, needs password
	Chunks     int           `json:"chunks"`      // written in this run
	Recognised int           `json:"recognised"`  // documents in whose pictures text was read
	Elapsed    time.Duration `json:"elapsed"`     // nanoseconds
	Canceled   bool          `json:"canceled"`
	Problems   []FileProblem `json:"problems"`
	Degraded   []string      `json:"degraded"` // "embedder missing: keyword search only", ...
	Folders    []string      `json:"-"`        // that were looked through
}

// FileCount is how many files there are of a kind.
type FileCount struct {
	Files      int   `json:"files"`
	Bytes      int64 `json:"bytes"`
	Unreadable int   `json:"unreadable"` // files and folders of which that cannot be said
}

// FileProblem is one file that was not indexed, and why.
type FileProblem struct {
	Path   string        `json:"path"`
	State  DocumentState `json:"state"`
	Reason string        `json:"reason"`
}

// ChunkView is a chunk with its document and neighbours, for `show` and the window.
type ChunkView struct {
	Chunk    Chunk    `json:"chunk"`
	Document Document `json:"document"`
	Before   string   `json:"before"` // text of the chunk before it; empty at the start
	After    string   `json:"after"`
}

// Status is what is running and what is degraded.
type Status struct {
	Version     string              `json:"version"`
	DataDir     string              `json:"data_dir"`
	IndexBytes  int64               `json:"index_bytes"`
	Offline     bool                `json:"offline"` // the offline switch is on
	Collections []CollectionSummary `json:"collections"`
	Embedder    Component           `json:"embedder"`
	Runtime     Component           `json:"runtime"` // ONNX Runtime
	Local       Component           `json:"local_reranker"`
	Cohere      Component           `json:"cohere"`
	Ledger      Component           `json:"ledger"`
	Drill       *DrillSummary       `json:"drill,omitempty"` // the last one; nil: there was none
	Calibration []Calibration       `json:"calibration"`     // of every two rerankers whose scores were compared
}

// Component is one part of the program and its state.
type Component struct {
	Ready     bool   `json:"ready"`
	Name      string `json:"name"`
	Version   string `json:"version,omitempty"`
	Device    string `json:"device,omitempty"`
	Precision string `json:"precision,omitempty"`
	Code      Code   `json:"code,omitempty"`   // why it is not ready
	Reason    string `json:"reason,omitempty"` // the same as one sentence
	Hint      string `json:"hint,omitempty"`   // what to do about it
}

// DocumentFilter chooses documents of a collection. The zero value is every one.
type DocumentFilter struct {
	States []DocumentState `json:"states,omitempty"` // one of these
	Text   string          `json:"text,omitempty"`   // part of the path or member, letters' case aside
	After  Location        `json:"after,omitzero"`   // those that come later in the list than this one
	Limit  int             `json:"limit,omitempty"`  // 0: no limit
}

// DocumentPage is a part of a list of documents, ordered by path and member.
type DocumentPage struct {
	Documents []DocumentEntry `json:"documents"`
	More      bool            `json:"more"` // there are some after the last of these
}

// DocumentEntry is a document in a list.
type DocumentEntry struct {
	Document
	Chunks int       `json:"chunks"`         // passages of its own, or of the document that has the same bytes
	Same   *Location `json:"same,omitempty"` // the document that holds its passages, where that is another one
	Sure   float64   `json:"sure,omitempty"` // of what was recognised in its pictures, in (0,1]; 0: nothing was
}

// Note is what there is to say of a document beside its state, as one sentence.
func (e DocumentEntry) Note() string {
	var notes []string
	if e.Reason != "" {
		notes = append(notes, e.Reason)
	}
	notes = append(notes, e.Warnings...)
	if e.Same != nil {
		notes = append(notes, "the same content as "+e.Same.String())
	}
	return strings.Join(notes, "; ")
}

// WatchState says how well the folders of a collection are watched.
type WatchState struct {
	Watched   int    `json:"watched"`          // folders whose changes are seen at once
	Unwatched int    `json:"unwatched"`        // folders that are looked at from time to time instead
	Reason    string `json:"reason,omitempty"` // why some are not watched, and what happens instead
}
