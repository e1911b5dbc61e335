package judgements

import "slices"

// Keep forgets the judgements of a collection that keep says no to.
func (b *Book) Keep(collection string, keep func(Judgement) bool) error {
	return b.change(func(all []Judgement) []Judgement {
		return slices.DeleteFunc(all, func(j Judgement) bool { return j.Collection == collection && !keep(j) })
	})
}
