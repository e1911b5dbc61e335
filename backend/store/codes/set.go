package codes

import (
	"fmt"
	"math/bits"
	"slices"
)

// setWords is how many words the bits of one block take.
const setWords = BlockSize / 64

// Set is a set of ids: some, or all but some. The zero value is the empty set.
type Set struct {
	but    bool // all but these
	blocks map[int64]*[setWords]uint64
}

// Add puts an id into a set of some.
func (s *Set) Add(id int64) { s.AddAll(id, id) }

// AddAll puts all ids from first to last into a set of some.
func (s *Set) AddAll(first, last int64) {
	if s.blocks == nil {
		s.blocks = map[int64]*[setWords]uint64{}
	}
	for id := first; id <= last; {
		number := BlockOf(id)
		b := s.blocks[number]
		if b == nil {
			b = new([setWords]uint64)
			s.blocks[number] = b
		}
		for ; id <= last && BlockOf(id) == number; id++ {
			slot := id & (BlockSize - 1)
			b[slot/64] |= 1 << (slot % 64)
		}
	}
}

// Not is all that is not in the set. Both share their bits.
func (s Set) Not() Set { return Set{!s.but, s.blocks} }

// And is what is in both sets.
func (s Set) And(t Set) Set {
	switch {
	case s.but && t.but:
		return s.Not().union(t.Not()).Not()
	case s.but:
		s, t = t, s
	}
	out := Set{blocks: map[int64]*[setWords]uint64{}}
	for number, have := range s.blocks {
		other := t.blocks[number]
		if other == nil {
			if t.but {
				out.blocks[number] = have
			}
			continue
		}
		b, any := new([setWords]uint64), uint64(0)
		for i, w := range have {
			if t.but {
				b[i] = w &^ other[i]
			} else {
				b[i] = w & other[i]
			}
			any |= b[i]
		}
		if any != 0 {
			out.blocks[number] = b
		}
	}
	return out
}

// Or is what is in one of the sets.
func (s Set) Or(t Set) Set { return s.Not().And(t.Not()).Not() }

// union joins two sets of some.
func (s Set) union(t Set) Set {
	out := Set{blocks: map[int64]*[setWords]uint64{}}
	for _, from := range []Set{s, t} {
		for number, have := range from.blocks {
			b := new([setWords]uint64)
			if already := out.blocks[number]; already != nil {
				*b = *already
			}
			for i, w := range have {
				b[i] |= w
			}
			out.blocks[number] = b
		}
	}
	return out
}

// Some says whether the set is one of some: others are without end.
func (s Set) Some() bool { return !s.but }

// Named is how many ids a set of some has, and how many one of all but some lacks.
func (s Set) Named() int {
	n := 0
	for _, b := range s.blocks {
		for _, w := range b {
			n += bits.OnesCount64(w)
		}
	}
	return n
}

// IDs are those of a set of some, in order.
func (s Set) IDs() []int64 {
	var ids []int64
	for _, number := range s.numbers() {
		for i, w := range s.blocks[number] {
			for ; w != 0; w &= w - 1 {
				ids = append(ids, number<<blockBits|int64(64*i+bits.TrailingZeros64(w)))
			}
		}
	}
	return ids
}

// Bounds are those of the blocks of a set of some; ok is false for one of all but some.
func (s Set) Bounds() (first, last int64, ok bool) {
	numbers := s.numbers()
	if s.but || len(numbers) == 0 {
		return 0, -1, !s.but
	}
	return numbers[0] << blockBits, numbers[len(numbers)-1]<<blockBits | (BlockSize - 1), true
}

func (s Set) numbers() []int64 {
	numbers := make([]int64, 0, len(s.blocks))
	for number := range s.blocks {
		numbers = append(numbers, number)
	}
	slices.Sort(numbers)
	return numbers
}

// setHeader is 1 for all but some, else 0, then nothing, in the kept form of a set: after it come the numbers of the blocks
// in order, 8 bytes each, then the bits of each block.
const setHeader = 8

// Bytes gives the form in which SQL functions look a set up.
func (s Set) Bytes() []byte {
	numbers := s.numbers()
	out := make([]byte, setHeader, setHeader+len(numbers)*(8+BlockSize/8))
	if s.but {
		out[0] = 1
	}
	for _, number := range numbers {
		out = order.AppendUint64(out, uint64(number))
	}
	for _, number := range numbers {
		out = append(out, wordBytes(s.blocks[number][:])...)
	}
	return out
}

// ParseSet reads the form that Bytes gives.
func ParseSet(data []byte) (Set, error) {
	v, err := viewSet(data)
	if err != nil {
		return Set{}, err
	}
	s := Set{v.but, make(map[int64]*[setWords]uint64, v.n)}
	for i := range v.n {
		b := new([setWords]uint64)
		for j := range b {
			b[j] = order.Uint64(v.bits[i*BlockSize/8+8*j:])
		}
		s.blocks[v.number(i)] = b
	}
	return s, nil
}

// SetView looks ids up in the kept form of a set, which it does not copy. The zero value has every id.
type SetView struct {
	some, but     bool
	n             int
	numbers, bits []byte
}

// ViewSet looks at the form that Bytes gives; nil is every id.
func ViewSet(data []byte) (SetView, error) {
	if data == nil {
		return SetView{}, nil
	}
	return viewSet(data)
}

func viewSet(data []byte) (SetView, error) {
	n := (len(data) - setHeader) / (8 + BlockSize/8)
	if len(data) != setHeader+n*(8+BlockSize/8) {
		return SetView{}, fmt.Errorf("a set of ids in %d bytes", len(data))
	}
	rest := data[setHeader:]
	return SetView{data[0] == 0, data[0] != 0, n, rest[:8*n], rest[8*n:]}, nil
}

func (v SetView) number(i int) int64 { return int64(order.Uint64(v.numbers[8*i:])) }

// find gives the bits of a block; nil where it has none.
func (v SetView) find(number int64) []byte {
	low, high := 0, v.n
	for low < high {
		if mid := (low + high) / 2; v.number(mid) < number {
			low = mid + 1
		} else {
			high = mid
		}
	}
	if low == v.n || v.number(low) != number {
		return nil
	}
	return v.bits[low*BlockSize/8:][:BlockSize/8]
}

// Has says whether an id is in the set.
func (v SetView) Has(id int64) bool { return v.Block(BlockOf(id)).has(uint16(id & (BlockSize - 1))) }

// BlockView is the part of a set in one block.
type BlockView struct {
	all  bool // but for bits
	bits []byte
}

// Block is the part of the set in a block.
func (v SetView) Block(number int64) BlockView { return BlockView{!v.some, v.find(number)} }

// Empty says whether nothing of the block is in the set, as far as its blocks tell.
func (b BlockView) Empty() bool { return !b.all && b.bits == nil }

func (b BlockView) has(slot uint16) bool {
	return b.all != (b.bits != nil && b.bits[slot/8]>>(slot%8)&1 != 0)
}
