package sim

import (
	"math"
	"math/bits"

	"github.com/ptero-rt/ptero/backends/ethosu/stream"
)

// rescale returns v·scale ≫ shift with the rounding of s.
func rescale(v int64, s stream.Scaling) int64 {
	if s.Shift == 0 {
		return v * int64(s.Scale)
	}
	narrow := v >= math.MinInt32 && v <= math.MaxInt32 && s.Scale <= math.MaxInt32
	if s.Shift < 62 && (narrow || s.Scale == 1 && v < 1<<61 && v > -1<<61) {
		p := v*int64(s.Scale) + rounding(v, s)
		if s.Round == stream.RoundTruncToZero && p < 0 {
			return -(-p >> s.Shift)
		}
		return p >> s.Shift
	}
	return rescaleWide(v, s)
}

// rounding returns what is added to the product before the shift.
func rounding(v int64, s stream.Scaling) int64 {
	half := int64(1) << (s.Shift - 1)
	switch s.Round {
	case stream.RoundNatural:
		return half
	case stream.RoundDoubleSymmetric, stream.RoundDoubleAsymmetric:
		// The doubling high multiply of TFLite rounds once at bit 31 (less what the operand was shifted up), then the
		// remaining shift rounds again, away from zero.
		if s.Shift > 31-s.DblRnd {
			double := int64(1) << (30 - s.DblRnd)
			if v < 0 && s.Round == stream.RoundDoubleSymmetric {
				double = -double
			}
			return half + double
		}
		return half
	case stream.RoundSymmetric:
		if v < 0 && s.Scale > 0 {
			return half - 1
		}
		return half
	}
	return 0
}

// rescaleWide is rescale with a product of 128 bits.
func rescaleWide(v int64, s stream.Scaling) int64 {
	negative := v < 0
	magnitude := uint64(v)
	if negative {
		magnitude = -magnitude
	}
	hi, lo := bits.Mul64(magnitude, uint64(s.Scale))
	if s.Round == stream.RoundTruncToZero {
		q := int64(lo>>s.Shift | hi<<(64-s.Shift))
		if negative {
			return -q
		}
		return q
	}
	if negative {
		var borrow uint64
		lo, borrow = bits.Sub64(0, lo, 0)
		hi, _ = bits.Sub64(0, hi, borrow)
	}
	add := rounding(v, s)
	var carry uint64
	lo, carry = bits.Add64(lo, uint64(add), 0)
	hi, _ = bits.Add64(hi, uint64(add>>63), carry)
	return int64(lo>>s.Shift | hi<<(64-s.Shift))
}

// averageOf divides a sum by the count of its terms as the hardware does: a reciprocal of 31 bits and a rounding shift
// (the same as TOSA's AVG_POOL2D).
func averageOf(sum int64, count int, round stream.Round) int64 {
	if count <= 1 {
		return sum
	}
	k := bits.Len(uint(count - 1))
	scale := (int64(1)<<30 + 1) << k / int64(count)
	return rescale(sum, stream.Scaling{Scale: uint32(scale), Shift: uint8(30 + k), Round: round})
}

// shiftRight is the arithmetic shift of SHR with a rounding.
func shiftRight(v int64, by uint, round stream.Round) int64 {
	if by == 0 {
		return v
	}
	return rescale(v, stream.Scaling{Scale: 1, Shift: uint8(min(by, 62)), Round: round})
}
