package domain

import "time"

// LedgerKind is what an entry of the ledger is about.
type LedgerKind string

const (
	LedgerSent         LedgerKind = "sent"         // a request was about to leave; written before its first byte
	LedgerEnded        LedgerKind = "ended"        // how the sending that it refers to ended
	LedgerRefused      LedgerKind = "refused"      // a request was kept here
	LedgerAcknowledged LedgerKind = "acknowledged" // somebody has seen what is wrong with the entries before it
)

// Who let a request leave.
const (
	ByPolicy = "policy"      // the collection's policy is allowed
	BySearch = "this search" // the policy is ask, and this search said yes
	ByOnce   = "once"        // the policy is ask, and this search said yes to a single request

	BySession = "this session" // the policy is ask, and whoever started the program for another one said yes
)

// LedgerEntry is one line of the ledger. Digests are SHA-256, in hex.
type LedgerEntry struct {
	N    int64      `json:"n"`    // 1-based, without gaps
	Prev string     `json:"prev"` // digest of the entry before it
	At   time.Time  `json:"at"`
	Kind LedgerKind `json:"kind"`
	Of   int64      `json:"of,omitempty"` // ended: the entry of the sending

	Search      string   `json:"search,omitempty"` // the search's own name, which its trace has too
	Collections []string `json:"collections,omitempty"`
	Policy      Policy   `json:"policy,omitempty"`
	By          string   `json:"by,omitempty"`   // sent: who let it leave
	Code        string   `json:"code,omitempty"` // refused: why; ended: "ok" or what went wrong
	Host        string   `json:"host,omitempty"`
	Model       string   `json:"model,omitempty"`
	Bytes       int      `json:"bytes,omitempty"` // of the body
	Body        string   `json:"body,omitempty"`  // digest of the body
	Query       string   `json:"query,omitempty"` // digest
	Passages    []string `json:"passages,omitempty"`

	// Texts, only where the analyst wants them kept and has not deleted what they are from. Earlier versions had them in the
	// line; now they are beside the chain.
	QueryText    string   `json:"query_text,omitempty"`
	PassageTexts []string `json:"passage_texts,omitempty"`

	Status int     `json:"status,omitempty"` // ended: of the HTTP answer
	MS     float64 `json:"ms,omitempty"`     // ended: since the sending

	Faults []LedgerFault `json:"faults,omitempty"` // acknowledged: these
}

// FaultKind is what is wrong with a part of the ledger.
type FaultKind string

const (
	FaultChanged  FaultKind = "changed"  // entries are not what they were
	FaultMissing  FaultKind = "missing"  // entries are gone
	FaultDamaged  FaultKind = "damaged"  // entries are changed or gone: less is left than there was
	FaultMoved    FaultKind = "moved"    // an entry stands in the wrong place, or twice
	FaultReplaced FaultKind = "replaced" // a whole entry stands in the place of the one that the next was written after
	FaultAdded    FaultKind = "added"    // something stands between two entries, or after the last, that was not written by us
	FaultHead     FaultKind = "head"     // the file that says how many entries there are is gone or unreadable
)

// LedgerFault is something wrong with the entries First to Last, both included.
type LedgerFault struct {
	Kind  FaultKind `json:"kind"`
	First int64     `json:"first"`
	Last  int64     `json:"last"`
	Found string    `json:"found,omitempty"` // digest of what stands there; empty: nothing does
}

// LedgerState says whether the ledger is whole. A fault that nobody has acknowledged stops sending.
type LedgerState struct {
	Path         string        `json:"path"`
	Entries      int64         `json:"entries"`
	Bytes        int64         `json:"bytes"`
	Head         string        `json:"head"`              // digest of the last entry; noted elsewhere it vouches for all of them
	Verified     time.Time     `json:"verified,omitzero"` // when every entry was last verified
	Faults       []LedgerFault `json:"faults"`            // not acknowledged
	Acknowledged []LedgerFault `json:"acknowledged"`
	Problem      string        `json:"problem,omitempty"` // why nothing may leave, one plain sentence; empty: nothing is in the way
}

// LedgerFilter chooses entries. The zero value chooses all.
type LedgerFilter struct {
	Since      time.Time  `json:"since,omitzero"` // included
	Until      time.Time  `json:"until,omitzero"` // excluded
	Collection string     `json:"collection,omitempty"`
	Search     string     `json:"search,omitempty"`
	Kind       LedgerKind `json:"kind,omitempty"`
	Failed     bool       `json:"failed,omitempty"` // only sendings that did not end well, or of whose end nothing is known
	Text       string     `json:"text,omitempty"`   // part of a collection's name, of the host or of the model, letters' case aside
	Before     int64      `json:"before,omitempty"` // only entries with a lower number: the next page; 0: from the last one
	Limit      int        `json:"limit,omitempty"`  // 0: all
}

// LedgerRecord is an entry of the ledger, with the one that says how the sending ended.
type LedgerRecord struct {
	LedgerEntry
	Ended *LedgerEntry `json:"ended,omitempty"` // nil: it is no sending, or how it ended was never written
}
