package domain

import "strconv"

// Cells is a rectangle of a sheet's cells, all 1-based and inclusive. The zero value is none.
type Cells struct{ Left, Top, Right, Bottom int }

// ParseCells reads "A2:D40" or "A2"; anything else is no cells.
func ParseCells(s string) Cells {
	var c Cells
	var ok bool
	if c.Left, c.Top, s, ok = parseCell(s); !ok {
		return Cells{}
	}
	c.Right, c.Bottom = c.Left, c.Top
	if s == "" {
		return c
	}
	if s[0] != ':' {
		return Cells{}
	}
	if c.Right, c.Bottom, s, ok = parseCell(s[1:]); !ok || s != "" {
		return Cells{}
	}
	return c
}

// parseCell reads "D40" and gives what follows it. The limits keep the numbers from overflowing; no sheet
// comes near them.
func parseCell(s string) (column, row int, rest string, ok bool) {
	i := 0
	for ; i < len(s) && s[i]|0x20 >= 'a' && s[i]|0x20 <= 'z' && i < 5; i++ {
		column = column*26 + int(s[i]|0x20-'a') + 1
	}
	letters := i
	for ; i < len(s) && s[i] >= '0' && s[i] <= '9' && i < letters+9; i++ {
		row = row*10 + int(s[i]-'0')
	}
	return column, row, s[i:], column > 0 && row > 0
}

// String gives "A2:D40", or "A2" for a single cell, or nothing.
func (c Cells) String() string {
	if c == (Cells{}) {
		return ""
	}
	s := columnName(c.Left) + strconv.Itoa(c.Top)
	if c.Left == c.Right && c.Top == c.Bottom {
		return s
	}
	return s + ":" + columnName(c.Right) + strconv.Itoa(c.Bottom)
}

func columnName(n int) string {
	var letters [8]byte
	i := len(letters)
	for ; n > 0 && i > 0; n = (n - 1) / 26 {
		i--
		letters[i] = byte('A' + (n-1)%26)
	}
	return string(letters[i:])
}

// Union gives the smallest rectangle that holds both.
func (c Cells) Union(d Cells) Cells {
	switch (Cells{}) {
	case c:
		return d
	case d:
		return c
	}
	return Cells{min(c.Left, d.Left), min(c.Top, d.Top), max(c.Right, d.Right), max(c.Bottom, d.Bottom)}
}
