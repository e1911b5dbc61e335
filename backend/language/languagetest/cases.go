// Package languagetest keeps the cases that finding by words must hold, as tables, so that the analyser and the whole
// search are tried on the same ones.
package languagetest

// Word is one case: whether a query finds a document, and what of it is marked then.
type Word struct {
	Kind       string
	Doc, Query string
	Found      bool
	Highlights []string // the marked parts of Doc in order; nil: not said
}

// Odd is a query that must give no error.
type Odd struct {
	Kind, Query string
	Empty       bool // nothing in it can be searched for
}
