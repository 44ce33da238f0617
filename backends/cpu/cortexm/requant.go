package cortexm

import (
	"math/bits"

	"github.com/ptero-rt/ptero/backends/cpu/arg"
)

// scaling is a factor multiplier · 2^(shift−31).
type scaling struct{ multiplier, shift int32 }

// requantise scales a sum as arm_nn_requantize does: left shift, doubling high multiplication rounded up from one half,
// then a right shift rounded to nearest with ties away from zero. 32-bit steps wrap around.
func (s scaling) requantise(x int32) int32 {
	x <<= uint32(max(s.shift, 0))
	x = int32((int64(x)*int64(s.multiplier) + 1<<30) >> 31)
	return divideByPowerOfTwo(x, max(-s.shift, 0))
}

// divideByPowerOfTwo rounds to nearest, ties away from zero for results that stay negative or not.
func divideByPowerOfTwo(x, exponent int32) int32 {
	mask := int32(1)<<uint32(exponent) - 1
	rest, threshold := x&mask, mask>>1
	x >>= uint32(exponent)
	if x < 0 {
		threshold++
	}
	if rest > threshold {
		x++
	}
	return x
}

// clampInt8 adds the output's zero point and clamps.
func clampInt8(x, zero, lo, hi int32) int8 { return int8(max(lo, min(hi, x+zero))) }

// highMul is arm_nn_doubling_high_mult: the upper half of 2·a·b, rounded to nearest, saturated.
func highMul(a, b int32) int32 {
	if a == b && a == -1<<31 {
		return 1<<31 - 1
	}
	round := int64(1) << 30
	if (a < 0) != (b < 0) {
		round = 1 - round
	}
	return int32((int64(a)*int64(b) + round) / (1 << 31))
}

// mulByPowerOfTwo shifts left and saturates.
func mulByPowerOfTwo(x, exponent int32) int32 {
	limit := int32(1)<<uint32(31-exponent) - 1
	switch {
	case x > limit:
		return 1<<31 - 1
	case x < -limit:
		return -1 << 31
	}
	return x << uint32(exponent)
}

// expNegative is e^x for x ≤ 0 with five integer bits, as a fraction of 2³¹: a polynomial near −1/8 for the part below a
// quarter, then a factor for each bit above.
func expNegative(x int32) int32 {
	if x == 0 {
		return 1<<31 - 1
	}
	const quarter = 1 << 24
	low := x&(quarter-1) - quarter
	rest := low - x
	t := low<<5 + 1<<28
	t2 := highMul(t, t)
	t3 := highMul(t2, t)
	t4 := divideByPowerOfTwo(highMul(t2, t2), 2)
	poly := t + divideByPowerOfTwo(highMul(t4+t3, 715827883)+t2, 1)
	y := 1895147668 + highMul(1895147668, poly)
	for i, factor := range [...]int32{1672461947, 1302514674, 790015084, 290630308, 39332535, 720401, 242} {
		if rest&(quarter<<i) != 0 {
			y = highMul(y, factor)
		}
	}
	return y
}

// oneOver is 1/(1+x) for x in 0…1 as fractions of 2³¹, by three steps of Newton.
func oneOver(x int32) int32 {
	sum := int64(x) + 1<<31 - 1
	if sum >= 0 {
		sum++
	} else {
		sum--
	}
	half := int32(sum / 2)
	y := 1515870810 + highMul(half, -1010580540)
	for range 3 {
		y += mulByPowerOfTwo(highMul(y, 1<<29-highMul(half, y)), 2)
	}
	return mulByPowerOfTwo(y, 1)
}

func leadingZeros(x int32) int32 { return int32(bits.LeadingZeros32(uint32(x))) }

// readScaling reads a multiplier and a shift.
func readScaling(r *arg.Reader, at int) scaling {
	return scaling{int32(r.IntIn(at, -1<<31, 1<<31-1)), int32(r.IntIn(at+1, -31, 31))}
}

// readOffset reads a zero point or an offset that is one negated.
func readOffset(r *arg.Reader, at int) int32 { return int32(r.IntIn(at, -1<<15, 1<<15)) }
