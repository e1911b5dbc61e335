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

// words is a table in the making.
type words []Word

func (ws *words) found(kind, doc, query string, marks ...string) {
	*ws = append(*ws, Word{kind, doc, query, true, marks})
}

func (ws *words) missed(kind, doc, query string) {
	*ws = append(*ws, Word{kind, doc, query, false, nil})
}

// group is of spellings that find one another: the first finds each, each the first and the next.
func (ws *words) group(kind, before, after string, forms ...string) {
	for i, form := range forms {
		ws.found(kind, before+form+after, forms[0], form)
		if i > 0 {
			ws.found(kind, before+forms[0]+after, form, forms[0])
			ws.found(kind, before+form+after, forms[i-1], form)
		}
	}
}
