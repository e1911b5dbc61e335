package codes

import (
	"fmt"
	"math"
)

// Round gives a vector in 16 bits a number: a scale (4 bytes), then whole numbers from -32767 to 32767, all little
// endian. Cosines of unit vectors stay right to 2e-5.
func Round(v []float32) []byte {
	var far float32
	for _, x := range v {
		far = max(far, x, -x)
	}
	scale := far / math.MaxInt16
	if scale == 0 {
		scale = 1
	}
	out := order.AppendUint32(make([]byte, 0, 4+2*len(v)), math.Float32bits(scale))
	for _, x := range v {
		out = order.AppendUint16(out, uint16(int16(math.RoundToEven(float64(x/scale)))))
	}
	return out
}

// Cosine is the product of a unit vector, as 4 bytes a number, with what Round made of another.
func Cosine(query, rounded []byte) (float64, error) {
	dim := len(query) / 4
	if len(query) != 4*dim || len(rounded) != 4+2*dim {
		return 0, fmt.Errorf("a rounded vector of %d bytes for a query of %d", len(rounded), len(query))
	}
	numbers := rounded[4:]
	var a, b float32
	for len(query) >= 8 && len(numbers) >= 4 { // two sums, so that one need not wait for the other
		a += float(query) * float32(int16(order.Uint16(numbers)))
		b += float(query[4:]) * float32(int16(order.Uint16(numbers[2:])))
		query, numbers = query[8:], numbers[4:]
	}
	if len(query) > 0 {
		a += float(query) * float32(int16(order.Uint16(numbers)))
	}
	return float64(a+b) * float64(float(rounded)), nil
}
