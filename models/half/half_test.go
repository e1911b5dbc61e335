package half

import (
	"math"
	"testing"
)

func TestEveryFloat16ComesBack(t *testing.T) {
	for bits := range 1 << 16 {
		f := Float32(uint16(bits))
		if math.IsNaN(float64(f)) {
			if got := Bits(f); got&0x7c00 != 0x7c00 || got&0x3ff == 0 {
				t.Errorf("%#04x is no number and became %#04x", bits, got)
			}
			continue
		}
		if got := Bits(f); got != uint16(bits) {
			t.Errorf("%#04x is %g and became %#04x", bits, f, got)
		}
	}
}

func TestBitsRounds(t *testing.T) {
	for f, want := range map[float32]uint16{
		1 + 1.0/2048:               0x3c00, // a tie goes to the even one below
		1 + 3.0/2048:               0x3c02, // and to the even one above
		1 + 1.0/2048 + 1.0/1000000: 0x3c01,
		65519:                      0x7bff, // the last that is not rounded to infinity
		65520:                      0x7c00,
		-1e9:                       0xfc00,
		1.0 / (1 << 25):            0, // half of the smallest
		1.1 / (1 << 25):            1,
		1.0 / (1 << 26):            0,
		2047.0 / (1 << 25):         0x0400, // from a subnormal into a normal number
	} {
		if got := Bits(f); got != want {
			t.Errorf("%g is %#04x, not %#04x", f, got, want)
		}
	}
}
