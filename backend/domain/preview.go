package domain

// PreviewRequest asks for a passage as it stands in its document.
type PreviewRequest struct {
	ChunkID int64  `json:"chunk_id"`
	Query   string `json:"query"`           // its words are marked
	Page    int    `json:"page,omitempty"`  // another page of the document than the passage's; 0: that
	Near    int64  `json:"near,omitempty"`  // another passage of the document around which the text is wanted; 0: the passage itself
	Width   int    `json:"width,omitempty"` // of the picture of the page, in pixels; 0: text alone
}

// Preview is a passage as it stands in its document.
type Preview struct {
	ChunkID    int64          `json:"chunk_id"`
	DocumentID int64          `json:"document_id"`
	Ordinal    int            `json:"ordinal"` // of the passage in its document
	Path       string         `json:"path"`
	Member     string         `json:"member,omitempty"`
	Title      string         `json:"title"`
	Format     string         `json:"format"`
	Place      Place          `json:"place"`
	OCR        float64        `json:"ocr,omitempty"`
	Paged      bool           `json:"paged"` // the document has pages that can be drawn
	Page       *PreviewPage   `json:"page"`  // nil: text alone; Notice says why where it was wanted
	Text       PreviewText    `json:"text"`
	Notice     *PreviewNotice `json:"notice"` // what the analyst should know; nil: nothing
}

// PreviewPage is a picture of a page.
type PreviewPage struct {
	Number  int    `json:"number"`
	Of      int    `json:"of"`    // how many pages the document has
	Image   []byte `json:"image"` // PNG or JPEG
	Width   int    `json:"width"` // in pixels
	Height  int    `json:"height"`
	Passage []Box  `json:"passage"` // a box a line; none: it is on another page, or nobody knows where it stands
	Marks   []Box  `json:"marks"`   // the query's words, in every passage of the page
}

// PreviewText is the text of a document around a place, as it is indexed.
type PreviewText struct {
	Text    string   `json:"text"`
	Passage []int    `json:"passage"` // byte range; empty: it is elsewhere in the document
	Marks   [][2]int `json:"marks"`   // byte ranges of the query's words, sorted, apart from one another
	Earlier int64    `json:"earlier"` // the passage before the first of these, 0: there is none
	Later   int64    `json:"later"`
}

// PreviewNotice says why a preview is less than was asked for.
type PreviewNotice struct {
	Code    Code   `json:"code"`
	Message string `json:"message"` // one sentence
	Hint    string `json:"hint,omitempty"`
}

// PreviewMatches are the passages of a document that a query's words stand in, in the order of the document.
type PreviewMatches struct {
	Matches []PreviewMatch `json:"matches"`
	More    bool           `json:"more"` // there are others, which were not looked for
}

// PreviewMatch is one of them.
type PreviewMatch struct {
	ChunkID int64 `json:"chunk_id"`
	Ordinal int   `json:"ordinal"`
	Page    int   `json:"page,omitempty"`
}

// Box is a rectangle of a page, in fractions of the page's width and height from its upper left corner.
type Box struct {
	X float64 `json:"x"`
	Y float64 `json:"y"`
	W float64 `json:"w"`
	H float64 `json:"h"`
}

// Union is the smallest box around both; one without an extent counts as none.
func (b Box) Union(c Box) Box {
	switch {
	case b.W == 0 && b.H == 0:
		return c
	case c.W == 0 && c.H == 0:
		return b
	}
	x, y := min(b.X, c.X), min(b.Y, c.Y)
	return Box{x, y, max(b.X+b.W, c.X+c.W) - x, max(b.Y+b.H, c.Y+c.H) - y}
}

// Placed is a piece of a page's text, a character or a word, and where it stands.
type Placed struct {
	Text string `json:"text"`
	Box  Box    `json:"box"`
}
