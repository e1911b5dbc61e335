// Package half converts between float32 and float16.
package half

import "math"

// Bits rounds to the nearest float16, ties to even; what is too large becomes infinite.
func Bits(f float32) uint16 {
	bits := math.Float32bits(f)
	sign := uint16(bits >> 16 & 0x8000)
	exponent := int(bits>>23&0xff) - 127
	mantissa := bits & 0x7fffff
	switch {
	case exponent == 128 && mantissa != 0:
		return sign | 0x7e00 // not a number
	case exponent > 15:
		return sign | 0x7c00
	case exponent < -25:
		return sign
	}
	shift := uint(13)
	half := uint32(0)
	if exponent >= -14 {
		half = uint32(exponent+15) << 10
	} else { // subnormal: the leading one becomes visible
		mantissa |= 0x800000
		shift += uint(-14 - exponent)
	}
	half += mantissa >> shift
	rest, tie := mantissa&(1<<shift-1), uint32(1)<<(shift-1)
	if rest > tie || rest == tie && half&1 == 1 {
		half++ // a carry into the exponent is right, into infinity too
	}
	return sign | uint16(half)
}

// Float32 widens a float16, without loss.
func Float32(h uint16) float32 {
	sign := uint32(h&0x8000) << 16
	exponent, mantissa := uint32(h>>10&0x1f), uint32(h&0x3ff)
	switch exponent {
	case 0:
		f := float32(mantissa) / (1 << 24)
		return math.Float32frombits(math.Float32bits(f) | sign)
	case 0x1f:
		return math.Float32frombits(sign | 0x7f800000 | mantissa<<13)
	}
	return math.Float32frombits(sign | (exponent+127-15)<<23 | mantissa<<13)
}
