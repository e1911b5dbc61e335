package starter

import (
	"encoding/binary"
	"errors"
	"fmt"
	"math"
)

// The file begins with a fixed header, then the vocabulary of its own tokenizer (which we pass over: our
// tokenizer comes from tokenizer.json), then a directory of tensors with absolute offsets. Everything is
// little-endian.
const (
	magic   = "E5S1"
	version = 1

	dtypeFloat32 = 0
	dtypeNibbles = 1

	blockSize  = 32
	blockBytes = 2 + blockSize/2 // a float16 scale, then byte j: weight j low, weight j+16 high
)

// Sizes beyond these are no encoder of this family; they keep every product below far from overflowing.
const (
	maxDimension  = 1 << 16
	maxLayers     = 1 << 8
	maxVocabulary = 1 << 24
	maxEntries    = 1 << 12
)

// ErrFormat says that bytes are not a weights file of the layout that this package reads.
var ErrFormat = errors.New("not a weights file of the known layout")

type header struct {
	hidden, layers, heads, ffn        int
	vocabulary, positions, tokenTypes int
	epsilon                           float32
	entries                           map[string]entry
}

// entry is a tensor of the directory.
type entry struct {
	dtype byte
	count int // of weights
	data  []byte
}

// reader takes values off the front of data and remembers where it is. The first failure stays.
type reader struct {
	data []byte
	at   int
	err  error
}

func (r *reader) fail(format string, args ...any) {
	if r.err == nil {
		r.err = fmt.Errorf("%w: at byte %d: %s", ErrFormat, r.at, fmt.Sprintf(format, args...))
	}
}

func (r *reader) take(n uint64, what string) []byte {
	if r.err == nil && n > uint64(len(r.data)-r.at) {
		r.fail("%s needs %d bytes, %d are left", what, n, len(r.data)-r.at)
	}
	if r.err != nil {
		return nil
	}
	b := r.data[r.at : r.at+int(n)]
	r.at += int(n)
	return b
}

func (r *reader) u16(what string) uint16 {
	if b := r.take(2, what); b != nil {
		return binary.LittleEndian.Uint16(b)
	}
	return 0
}

func (r *reader) u32(what string) uint32 {
	if b := r.take(4, what); b != nil {
		return binary.LittleEndian.Uint32(b)
	}
	return 0
}

func (r *reader) u64(what string) uint64 {
	if b := r.take(8, what); b != nil {
		return binary.LittleEndian.Uint64(b)
	}
	return 0
}

// size reads an i32 that must lie in [1, limit].
func (r *reader) size(what string, limit uint32) int {
	v := r.u32(what)
	if r.err == nil && (v == 0 || v > limit) {
		r.fail("%s is %d", what, int32(v))
		return 0
	}
	return int(v)
}

func parse(data []byte) (*header, error) {
	r := &reader{data: data}
	if m := r.take(4, "the magic"); r.err == nil && string(m) != magic {
		r.at = 0
		r.fail("it begins with %q, not %q", m, magic)
	}
	if v := r.u32("the version"); r.err == nil && v != version {
		r.fail("version %d is not known", v)
	}
	h := &header{
		hidden:     r.size("hidden", maxDimension),
		layers:     r.size("layers", maxLayers),
		heads:      r.size("heads", maxDimension),
		ffn:        r.size("ffn", maxDimension),
		vocabulary: r.size("vocabulary", maxVocabulary),
		positions:  r.size("positions", maxDimension),
		tokenTypes: r.size("token types", maxDimension),
		epsilon:    math.Float32frombits(r.u32("epsilon")),
	}
	if block := r.u32("the block size"); r.err == nil && block != blockSize {
		r.fail("blocks of %d weights are not known", block)
	}
	if r.err == nil && (h.hidden%h.heads != 0 || h.hidden%blockSize != 0 || h.ffn%blockSize != 0) {
		r.fail("hidden %d, heads %d and ffn %d do not go together", h.hidden, h.heads, h.ffn)
	}
	if r.err == nil && !(h.epsilon > 0 && h.epsilon < 1) {
		r.fail("epsilon is %v", h.epsilon)
	}
	r.vocabulary()
	h.entries = r.directory()
	if r.err != nil {
		return nil, r.err
	}
	return h, nil
}

// vocabulary passes over the pieces, their scores and the normaliser's map.
func (r *reader) vocabulary() {
	pieces := uint64(r.size("pieces", maxVocabulary))
	r.take(4*4, "the special tokens")
	blob := r.u64("the size of the pieces")
	r.take(4*(pieces+1), "the offsets of the pieces")
	r.take(4*pieces, "the scores of the pieces")
	r.take(blob, "the pieces")
	r.take(4, "the count of normalisations")
	r.take(uint64(r.u32("the size of the normalisations")), "the normalisations")
}

func (r *reader) directory() map[string]entry {
	n := r.size("the count of tensors", maxEntries)
	entries := make(map[string]entry, n)
	for range n {
		name := string(r.take(uint64(r.u16("the length of a name")), "a name"))
		var dtype byte
		if b := r.take(1, "a type"); b != nil {
			dtype = b[0]
		}
		count := r.u32("a count")
		offset, size := r.u64("an offset"), r.u64("a size")
		if r.err != nil {
			return nil
		}
		if _, twice := entries[name]; twice {
			r.fail("tensor %q is there twice", name)
			return nil
		}
		var want uint64
		switch {
		case dtype == dtypeFloat32:
			want = 4 * uint64(count)
		case dtype == dtypeNibbles && count%blockSize == 0:
			want = uint64(count) / blockSize * blockBytes
		default:
			r.fail("tensor %q has type %d and %d weights", name, dtype, count)
			return nil
		}
		total := uint64(len(r.data))
		if size != want || offset > total || size > total-offset {
			r.fail("tensor %q has %d weights in %d bytes at %d of %d", name, count, size, offset, total)
			return nil
		}
		entries[name] = entry{dtype: dtype, count: int(count), data: r.data[offset : offset+size]}
	}
	return entries
}
