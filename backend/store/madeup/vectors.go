package madeup

import (
	"math"
	"math/rand/v2"
)

// The distances are such that as many of the axes matter, and the vectors are as far from their mean, as with the
// starter embedder on the evaluation sets (participation ratio 55 against 70 of 384, mean square distance 0.24 against
// 0.25).
const (
	topics        = 2000
	meanLength    = 0.87
	topicSpread   = 0.32
	docSpread     = 0.22
	passageSpread = 0.32
	querySpread   = 0.38
	spectrumPower = 0.4
)

// space is where the made-up vectors lie: around a mean that all share, in topics, documents and passages, each
// a step away from the one above, along axes of which few are long and many short.
type space struct {
	mean   []float32
	topics [][]float32
	scale  []float32 // of each axis, before turning
	signs  [2][]float32
	order  []int
}

func newSpace(rng *rand.Rand) *space {
	s := &space{scale: make([]float32, Dim), order: rng.Perm(Dim)}
	sum := 0.0
	for i := range s.scale {
		x := math.Pow(float64(i+1), -spectrumPower)
		s.scale[i] = float32(x)
		sum += x * x
	}
	for i := range s.scale {
		s.scale[i] /= float32(math.Sqrt(sum))
	}
	for round := range s.signs {
		for range Dim {
			s.signs[round] = append(s.signs[round], float32(2*rng.IntN(2)-1))
		}
	}
	s.mean = s.near(rng, make([]float32, Dim), 1)
	for i := range s.mean {
		s.mean[i] *= meanLength
	}
	for range topics {
		s.topics = append(s.topics, s.near(rng, s.mean, topicSpread))
	}
	return s
}

func (s *space) topic(rng *rand.Rand) []float32 { return s.topics[rng.IntN(len(s.topics))] }

// near gives a unit vector about so far from another.
func (s *space) near(rng *rand.Rand, from []float32, spread float32) []float32 {
	v := make([]float32, Dim)
	for i := range v {
		v[i] = float32(rng.NormFloat64()) * s.scale[i]
	}
	s.turn(v)
	sum := 0.0
	for i := range v {
		v[i] = from[i] + spread*v[i]
		sum += float64(v[i]) * float64(v[i])
	}
	norm := float32(math.Sqrt(sum))
	for i := range v {
		v[i] /= norm
	}
	return v
}

// turn rotates v so that no axis stands out: signs, a Walsh-Hadamard transform of each third, shuffled, twice.
func (s *space) turn(v []float32) {
	const third = Dim / 3
	shuffled := make([]float32, Dim)
	for _, signs := range s.signs {
		for i := range v {
			shuffled[i] = v[s.order[i]] * signs[i]
		}
		copy(v, shuffled)
		for at := 0; at < Dim; at += third {
			hadamard(v[at : at+third])
		}
	}
}

// hadamard is the orthonormal Walsh-Hadamard transform of a power of two of numbers.
func hadamard(v []float32) {
	for half := 1; half < len(v); half *= 2 {
		for at := 0; at < len(v); at += 2 * half {
			for i := at; i < at+half; i++ {
				v[i], v[i+half] = v[i]+v[i+half], v[i]-v[i+half]
			}
		}
	}
	norm := float32(1 / math.Sqrt(float64(len(v))))
	for i := range v {
		v[i] *= norm
	}
}
