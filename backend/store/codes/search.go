package codes

import (
	"cmp"
	"fmt"
	"math"
	"math/bits"
	"slices"
)

// planes is how many bits a number of the query has. With 4 the estimate is as good as with all.
const planes = 4

// Candidate is a vector that may be one of the nearest.
type Candidate struct {
	ID     int64
	Cosine float32 // estimated
}

// Search finds the vectors with the highest estimated cosine in the blocks that it is shown. It is used by one
// goroutine.
type Search struct {
	query  []float32
	keep   int
	found  []Candidate
	least  float32 // what a vector must be above, once enough are found
	digits [][planes]uint64
}

// NewSearch begins a search for the keep nearest of a unit vector.
func NewSearch(query []float32, keep int) *Search {
	return &Search{
		query: query, keep: keep, least: float32(math.Inf(-1)),
		found:  make([]Candidate, 0, 2*keep),
		digits: make([][planes]uint64, words(len(query))),
	}
}

// Block looks at every vector of a kept block that is in a set. data is only read, and not used after the call.
func (s *Search) Block(number int64, data []byte, only BlockView) error {
	v, err := parse(data, len(s.query))
	if err != nil {
		return fmt.Errorf("block %d: %w", number, err)
	}
	base, step, all := s.quantise(v.centre)
	stride := 8 * len(s.digits)
	for i := range v.n {
		row := v.signs[i*stride:][:stride]
		own := v.scales[8*i:][:8]
		from, by := base+float(own), float(own[4:])*step
		set := 0
		for w := range s.digits {
			x, d := order.Uint64(row[8*w:]), &s.digits[w]
			set += bits.OnesCount64(x&d[0]) + 2*bits.OnesCount64(x&d[1]) + 4*bits.OnesCount64(x&d[2]) - 8*bits.OnesCount64(x&d[3])
		}
		x := from + by*float32(2*set-all)
		if x > s.least {
			if slot := order.Uint16(v.slots[2*i:]); only.has(slot) {
				s.add(Candidate{number<<blockBits | int64(slot), x})
			}
		}
	}
	return nil
}

func float(b []byte) float32 { return math.Float32frombits(order.Uint32(b)) }

// quantise writes the query less a centre as whole numbers from -8 to 7 times a step, in two's complement, a
// word for each bit. all is the sum of the numbers, base the part of the cosine that all vectors share.
func (s *Search) quantise(centre []byte) (base, step float32, all int) {
	clear(s.digits)
	var far float32
	for i, x := range s.query {
		c := float(centre[4*i:])
		base += (x - c) * c
		far = max(far, x-c, c-x)
	}
	if far == 0 {
		return base, 0, 0
	}
	const top = 1 << (planes - 1)
	step = far / (top - 0.5)
	for i, x := range s.query {
		n := int(math.RoundToEven(float64((x - float(centre[4*i:])) / step)))
		n = min(max(n, -top), top-1)
		all += n
		for p := range planes {
			s.digits[i/64][p] |= uint64(n>>p&1) << (i % 64)
		}
	}
	return base, step, all
}

func (s *Search) add(c Candidate) {
	s.found = append(s.found, c)
	if len(s.found) == 2*s.keep {
		s.cut()
		s.least = s.found[s.keep-1].Cosine
	}
}

func (s *Search) cut() {
	slices.SortFunc(s.found, func(a, b Candidate) int {
		return cmp.Or(cmp.Compare(b.Cosine, a.Cosine), cmp.Compare(a.ID, b.ID))
	})
	s.found = s.found[:min(s.keep, len(s.found))]
}

// Best gives what was found, best first.
func (s *Search) Best() []Candidate {
	s.cut()
	return s.found
}
