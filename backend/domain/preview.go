package domain

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
