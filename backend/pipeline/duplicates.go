package pipeline

import (
	"hash/fnv"
	"math"
	"slices"
	"strings"
	"sync"
	"unicode"

	"fanous/backend/domain"
	"fanous/backend/language"
)

const (
	// shingleTerms is how many terms in a row are compared as one, so that order counts.
	shingleTerms = 3
	// nearlySame is the share of common shingles (Jaccard) from which two texts say the same.
	nearlySame = 0.9
)

// fingerprint is what is compared of a text: the set of its shingles, and the terms with digits in their
// order, since two texts that differ in a date or a sum do not say the same.
type fingerprint struct {
	shingles []uint64 // sorted, each once
	numbers  string
}

// sameness finds the earlier text that a text repeats. Its answers depend on the texts and their order alone.
type sameness struct {
	seen  []fingerprint
	owner []int            // of seen
	with  map[uint64][]int // shingle -> those of seen in whose prefix it stands
}

func newSameness() *sameness {
	return &sameness{with: map[uint64][]int{}}
}

// find gives the owner of the first remembered text that this one repeats and how similar they are. A text
// that repeats none is remembered under its owner. Texts without a word repeat nothing.
func (s *sameness) find(f fingerprint, owner int) (same int, similarity float64, found bool) {
	if len(f.shingles) == 0 {
		return 0, 0, false
	}
	// Two sets with a Jaccard of j have at least j of either in common, so that in one order of all shingles
	// they must meet within the first (1-j) of each: only those are looked up. The order is that of the hashes.
	prefix := f.shingles[:len(f.shingles)-int(math.Ceil(nearlySame*float64(len(f.shingles))))+1]
	var candidates []int
	for _, shingle := range prefix {
		candidates = append(candidates, s.with[shingle]...)
	}
	slices.Sort(candidates)
	for _, c := range slices.Compact(candidates) {
		if s.seen[c].numbers != f.numbers {
			continue
		}
		if j := jaccard(s.seen[c].shingles, f.shingles); j >= nearlySame {
			return s.owner[c], j, true
		}
	}
	at := len(s.seen)
	s.seen, s.owner = append(s.seen, f), append(s.owner, owner)
	for _, shingle := range prefix {
		s.with[shingle] = append(s.with[shingle], at)
	}
	return 0, 0, false
}

// Fingerprints are those of passages of late: while somebody types, each letter finds many of them again, and making one costs as
// much as analysing its text. A chunk's text never changes, and its number is never used again. The zero value is ready; nil
// remembers nothing. It is safe for concurrent use.
type Fingerprints struct {
	mu   sync.Mutex
	made map[int64]fingerprint
}

// maxFingerprints of 200 terms each take about 6 MB.
const maxFingerprints = 4000

func (f *Fingerprints) of(c domain.Chunk) fingerprint {
	if f == nil {
		return fingerprintOf(c.Text)
	}
	f.mu.Lock()
	made, ok := f.made[c.ID]
	f.mu.Unlock()
	if ok {
		return made
	}
	made = fingerprintOf(c.Text)
	f.mu.Lock()
	defer f.mu.Unlock()
	if f.made == nil || len(f.made) >= maxFingerprints {
		f.made = map[int64]fingerprint{}
	}
	f.made[c.ID] = made
	return made
}

func fingerprintOf(text string) fingerprint {
	terms := slices.DeleteFunc(strings.Fields(string(language.AppendTerms(nil, text))), func(term string) bool {
		return !strings.ContainsFunc(term, isWord) // marks are terms too, to be found
	})
	var f fingerprint
	var numbers strings.Builder
	for i, term := range terms {
		if strings.ContainsFunc(term, unicode.IsNumber) {
			numbers.WriteString(term)
			numbers.WriteByte(' ')
		}
		if i == 0 || i+shingleTerms <= len(terms) { // a shorter text is one shingle
			h := fnv.New64a()
			_, _ = h.Write([]byte(strings.Join(terms[i:min(i+shingleTerms, len(terms))], " "))) // it never fails
			f.shingles = append(f.shingles, h.Sum64())
		}
	}
	f.numbers = numbers.String()
	slices.Sort(f.shingles)
	f.shingles = slices.Compact(f.shingles)
	return f
}

func isWord(r rune) bool { return unicode.IsLetter(r) || unicode.IsNumber(r) }

// jaccard is the share of the elements of two sorted sets, not both empty, that are in both.
func jaccard(a, b []uint64) float64 {
	common, i, j := 0, 0, 0
	for i < len(a) && j < len(b) {
		switch {
		case a[i] == b[j]:
			common, i, j = common+1, i+1, j+1
		case a[i] < b[j]:
			i++
		default:
			j++
		}
	}
	return float64(common) / float64(len(a)+len(b)-common)
}
