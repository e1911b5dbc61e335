package language

import (
	"hash/maphash"
	"strings"
)

// memory is a bounded store of words already analysed: text repeats its words, and looking one up is a hundred times
// cheaper than stemming it. A word that finds its set full takes the place of the one that came first.
type memory struct {
	seed maphash.Seed
	sets []wordSet
}

const (
	memorySets    = 1 << 14 // 65,536 words: about 20 MB when full
	maxRemembered = 96      // bytes of the longest token kept
)

type wordSet struct {
	hashes [4]uint32 // of words, 0 where there is none
	words  [4]*word
	next   uint8 // to be replaced
}

func newMemory() memory {
	return memory{maphash.MakeSeed(), make([]wordSet, memorySets)}
}

// lookup analyses a token, or remembers it. The first rune of a token decides its kind, so the text alone is the key.
func (m *memory) lookup(raw string, k kind) *word {
	h := maphash.String(m.seed, raw)
	set := &m.sets[h%memorySets]
	tag := uint32(h>>32) | 1
	for i, t := range set.hashes {
		if t == tag && set.words[i].raw == raw {
			return set.words[i]
		}
	}
	if len(raw) > maxRemembered {
		return analyse(raw, k)
	}
	w := analyse(strings.Clone(raw), k) // raw would keep the whole text alive
	set.hashes[set.next], set.words[set.next] = tag, w
	set.next = (set.next + 1) % 4
	return w
}
