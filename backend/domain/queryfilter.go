package domain

// FilterKind is what a piece of a query's syntax asks for.
type FilterKind string

const (
	FilterPhrase   FilterKind = "phrase"  // these words stand one after the other: "..."
	FilterWord     FilterKind = "word"    // this word; it is only ever negated: -word
	FilterAny      FilterKind = "any"     // one of what OR joins
	FilterHeading  FilterKind = "heading" // these words stand in the title or the headings above: in:heading
	FilterFile     FilterKind = "file"    // the path or the path within the file
	FilterType     FilterKind = "type"    // the format
	FilterLanguage FilterKind = "lang"    // what the passage is written in
	FilterBefore   FilterKind = "before"  // the document is older than the day
	FilterAfter    FilterKind = "after"   // the document is of that day or newer
)

// QueryFilter is a condition that a query sets and that every hit meets, as it was understood. The zero value of what it does
// not need is left out.
type QueryFilter struct {
	Kind  FilterKind `json:"kind"`
	Value string     `json:"value"` // as the analyst wrote it, without the operator's name and quotes
	Not   bool       `json:"not"`
	Or    bool       `json:"or"`    // this one, or the one before it, is enough
	Range [2]int     `json:"range"` // bytes of the query; ranges do not overlap, and stand in the order of the query

	Formats    []string `json:"formats,omitempty"`    // of type: one of these
	Extensions []string `json:"extensions,omitempty"` // of type: or the name of the file or of one around it ends so, without the dot
	Languages  []string `json:"languages,omitempty"`  // of lang: one of these, BCP 47
	Date       string   `json:"date,omitempty"`       // of before and after: the day, ISO 8601, of the Gregorian calendar
}
