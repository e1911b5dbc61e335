package pipeline

import "strconv"

// group is one hit and what is folded under it. Numbers are indexes of the ranking's entries.
type group struct {
	first      int
	more       []int // of the same document
	duplicates []duplicate
}

// duplicate is a passage of another document that says what the group says.
type duplicate struct {
	entry      int
	similarity float64
}

// groups makes the list that is shown of a ranking: at most top hits, of them at most perDocument a
// document, each text once. Every entry is at one place: a hit, folded under one, or, where it stands in
// no group, below the list. Copies of one file count as one document.
func groups(entries []Entry, top, perDocument int) []group {
	const below = -1
	var list []group
	texts := newSameness()
	home := make([]int, len(entries)) // the group of each entry
	firstOf := map[string]int{}       // content -> its first group
	shownOf := map[string]int{}
	fold := func(i, at int, similarity float64) {
		home[i] = at
		g := &list[at]
		if entries[i].Document.ID == entries[g.first].Document.ID {
			g.more = append(g.more, i)
			return
		}
		g.duplicates = append(g.duplicates, duplicate{i, similarity})
	}
	for i, e := range entries {
		content := e.content()
		at, seen := firstOf[content]
		original, similarity, repeats := texts.find(e.fingerprint(), i)
		switch {
		case repeats && home[original] != below:
			fold(i, home[original], similarity)
		case seen && (shownOf[content] >= perDocument || len(list) == top):
			fold(i, at, 1)
		case len(list) < top:
			if !seen {
				firstOf[content] = len(list)
			}
			shownOf[content]++
			home[i] = len(list)
			list = append(list, group{first: i})
		default:
			home[i] = below
		}
	}
	return list
}

// fingerprint is that of the entry's text.
func (e Entry) fingerprint() fingerprint {
	if e.print == nil {
		return fingerprintOf(e.Chunk.Text)
	}
	return e.print()
}

// content names what the entry's file holds, whatever its path.
func (e Entry) content() string {
	if e.Document.Hash == "" {
		return strconv.FormatInt(e.Document.ID, 10)
	}
	return e.Document.Hash
}
