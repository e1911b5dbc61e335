// Package codes makes vectors short, so that a search can look at all of them: one bit a number and two numbers
// a vector, 58 bytes instead of 1,536 for 384 numbers. What a code says of a vector's cosine with another is
// an estimate; the best few hundred by it hold the true best, which the vectors themselves then tell apart.
//
// A vector x is coded as its difference from a centre c: the signs s of x-c, and how far x is from c. For
// a query q, q·x = (q-c)·c + c·x + (q-c)·(x-c), where only the last product is estimated: as (q-c)·s times the
// share of x-c that its signs stand for. The closer the centre is to the middle of the vectors the better.
package codes

import (
	"encoding/binary"
	"fmt"
	"math"
)

// BlockSize is the most vectors of a block. A block has the vectors of the ids that begin with its number.
const BlockSize = 1 << blockBits

const blockBits = 11

// enough is how many vectors a centre is the mean of at most. More would not move it, and numbers of 32 bits could
// not count them.
const enough = 1 << 20

// BlockOf is the number of the block that an id belongs to.
func BlockOf(id int64) int64 { return id >> blockBits }

// Block is the codes of up to BlockSize vectors of one length.
type Block struct {
	number int64
	centre []float32
	sum    []float32 // of the vectors that were coded until now, in this block and those before
	count  uint32    // how many those were
	slots  []uint16  // the last bits of the ids
	scales []scale
	signs  []uint64 // words(dim) a vector
}

// scale is what the estimate of one vector needs beside its signs.
type scale struct {
	base  float32 // c·x
	share float32 // |x-c|² / Σ|x-c|: what (q-c)·s is multiplied by
}

// New begins a block. Its centre is the mean of all vectors coded before, of which the block before knows, and else
// the mean of the vectors that are coded first.
func New(number int64, before *Block, first [][]float32) *Block {
	b := &Block{number: number}
	if before != nil && before.count > 0 && len(before.sum) > 0 {
		b.sum, b.count = before.sum, before.count
		b.centre = mean(before.sum, before.count)
		return b
	}
	dim := len(first[0])
	b.sum = make([]float32, dim)
	total := make([]float32, dim)
	for _, v := range first {
		add(total, v)
	}
	b.centre = mean(total, uint32(len(first)))
	return b
}

func mean(sum []float32, count uint32) []float32 {
	m := make([]float32, len(sum))
	for i, x := range sum {
		m[i] = x / float32(count)
	}
	return m
}

func add(sum, v []float32) {
	for i, x := range v {
		sum[i] += x
	}
}

func words(dim int) int { return (dim + 63) / 64 }

// Len is how many vectors the block has.
func (b *Block) Len() int { return len(b.slots) }

// IDs are those of the vectors, in the order in which they were added.
func (b *Block) IDs() []int64 {
	ids := make([]int64, len(b.slots))
	for i, slot := range b.slots {
		ids[i] = b.number<<blockBits | int64(slot)
	}
	return ids
}

// Add codes a unit vector. The id is one of the block's and not in it yet.
func (b *Block) Add(id int64, v []float32) {
	s, signs := b.code(v)
	b.slots = append(b.slots, uint16(id&(BlockSize-1)))
	b.scales = append(b.scales, s)
	b.signs = append(b.signs, signs...)
	if b.count < enough {
		add(b.sum, v)
		b.count++
	}
}

func (b *Block) code(v []float32) (scale, []uint64) {
	signs := make([]uint64, words(len(v)))
	var base, square, length float32
	for i, x := range v {
		d := x - b.centre[i]
		base += b.centre[i] * x
		square += d * d
		if d >= 0 {
			signs[i/64] |= 1 << (i % 64)
			length += d
		} else {
			length -= d
		}
	}
	if length == 0 { // the vector is the centre
		return scale{base: base}, signs
	}
	return scale{base, square / length}, signs
}

// Holds says whether the block has exactly the code of v for an id.
func (b *Block) Holds(id int64, v []float32) bool {
	w := words(len(v))
	for i, slot := range b.slots {
		if int64(slot) != id&(BlockSize-1) {
			continue
		}
		s, signs := b.code(v)
		return b.scales[i] == s && string(wordBytes(b.signs[i*w:(i+1)*w])) == string(wordBytes(signs))
	}
	return false
}

// Remove takes the vectors of ids out. Ids that it has not are passed over.
func (b *Block) Remove(ids ...int64) {
	going := make(map[uint16]bool, len(ids))
	for _, id := range ids {
		if BlockOf(id) == b.number {
			going[uint16(id&(BlockSize-1))] = true
		}
	}
	w := words(len(b.centre))
	kept := 0
	for i, slot := range b.slots {
		if going[slot] {
			continue
		}
		b.slots[kept], b.scales[kept] = slot, b.scales[i]
		copy(b.signs[kept*w:(kept+1)*w], b.signs[i*w:(i+1)*w])
		kept++
	}
	b.slots, b.scales, b.signs = b.slots[:kept], b.scales[:kept], b.signs[:kept*w]
}

// The form of a block, little endian: form (1 byte), 0 (1 byte), how many vectors (2 bytes), count (4 bytes), centre and sum (4
// bytes a number), then scales (8 bytes a vector), signs (8 bytes a word), slots (2 bytes a vector).
const (
	form       = 1
	headerSize = 8
)

var order = binary.LittleEndian

// Bytes gives the form in which a block is kept.
func (b *Block) Bytes() []byte {
	dim, n := len(b.centre), len(b.slots)
	out := make([]byte, 0, size(dim, n))
	out = append(out, form, 0)
	out = order.AppendUint16(out, uint16(n))
	out = order.AppendUint32(out, b.count)
	out = appendFloats(out, b.centre)
	out = appendFloats(out, b.sum)
	for _, s := range b.scales {
		out = appendFloats(out, []float32{s.base, s.share})
	}
	out = append(out, wordBytes(b.signs)...)
	for _, slot := range b.slots {
		out = order.AppendUint16(out, slot)
	}
	return out
}

func size(dim, n int) int { return headerSize + 8*dim + n*(8+8*words(dim)+2) }

func appendFloats(out []byte, v []float32) []byte {
	for _, x := range v {
		out = order.AppendUint32(out, math.Float32bits(x))
	}
	return out
}

func wordBytes(ws []uint64) []byte {
	out := make([]byte, 0, 8*len(ws))
	for _, w := range ws {
		out = order.AppendUint64(out, w)
	}
	return out
}

// view is where the parts of a kept block are.
type view struct {
	n, dim              int
	count               uint32
	centre, sum, scales []byte
	signs, slots        []byte
}

func parse(data []byte, dim int) (view, error) {
	if len(data) < headerSize || data[0] != form || data[1] != 0 {
		return view{}, fmt.Errorf("not a block of codes")
	}
	v := view{n: int(order.Uint16(data[2:])), dim: dim, count: order.Uint32(data[4:])}
	if v.n > BlockSize || len(data) != size(dim, v.n) {
		return view{}, fmt.Errorf("a block of %d codes of %d numbers has %d bytes", v.n, dim, len(data))
	}
	rest := data[headerSize:]
	cut := func(n int) (part []byte) {
		part, rest = rest[:n:n], rest[n:]
		return part
	}
	v.centre, v.sum = cut(4*dim), cut(4*dim)
	v.scales, v.signs, v.slots = cut(8*v.n), cut(8*words(dim)*v.n), cut(2*v.n)
	return v, nil
}

// Parse reads a block from the form in which it is kept.
func Parse(number int64, data []byte, dim int) (*Block, error) {
	v, err := parse(data, dim)
	if err != nil {
		return nil, fmt.Errorf("block %d: %w", number, err)
	}
	b := &Block{number: number, count: v.count, centre: floats(v.centre), sum: floats(v.sum)}
	scales := floats(v.scales)
	for i := range v.n {
		b.scales = append(b.scales, scale{scales[2*i], scales[2*i+1]})
		b.slots = append(b.slots, order.Uint16(v.slots[2*i:]))
	}
	for at := 0; at < len(v.signs); at += 8 {
		b.signs = append(b.signs, order.Uint64(v.signs[at:]))
	}
	return b, nil
}

func floats(data []byte) []float32 {
	v := make([]float32, len(data)/4)
	for i := range v {
		v[i] = math.Float32frombits(order.Uint32(data[4*i:]))
	}
	return v
}
