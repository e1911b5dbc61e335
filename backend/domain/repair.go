package domain

// Repair is how far an index had to be repaired.
type Repair string

// What was made again.
const (
	RepairNone    Repair = "none"    // nothing: the index is whole
	RepairTerms   Repair = "terms"   // the terms, from the stored text
	RepairVectors Repair = "vectors" // the terms, and the vectors are to be
	RepairAnew    Repair = "anew"    // the index: only its collections were kept
)

// RepairReport says what a repair found and did.
type RepairReport struct {
	Repair      Repair       `json:"repair"`
	Found       string       `json:"found,omitempty"` // the first damage, one sentence
	Collections []Collection `json:"collections"`     // that are to be indexed again
	Lost        bool         `json:"lost,omitempty"`  // not all of the collections could be read
}
