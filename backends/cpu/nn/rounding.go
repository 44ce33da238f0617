package nn

import (
	"math"

	"github.com/ptero-rt/ptero/backends/cpu/arg"
	"github.com/ptero-rt/ptero/backends/cpu/walk"
	"github.com/ptero-rt/ptero/executor"
)

// rounding is how numbers are rounded to a 16-bit float type, one at a time: most on their bits as f32.
type rounding struct {
	shift       uint32 // by as many bits the type is narrower
	least, span uint32 // twice the bits of the least normal number, and how far those go that stay finite
	to          executor.DType
}

func roundingTo(d executor.DType) rounding {
	if d == arg.BF16 {
		return rounding{shift: 16, least: 1 << 24, span: 253 << 24, to: d}
	}
	const lowest, highest = 127 - 14, 127 + 15
	return rounding{shift: 13, least: lowest << 24, span: (highest - lowest) << 24, to: d}
}

// round gives the nearest number of the type, ties to even.
func (r *rounding) round(x float32) float32 {
	if b := math.Float32bits(x); r.fits(b) {
		return r.bits(b)
	}
	return r.rest(x)
}

// fits says whether bits rounds the number that b are the bits of: round takes a call, which is too long for inner loops.
func (r *rounding) fits(b uint32) bool { return b<<1-r.least < r.span }

func (r *rounding) bits(b uint32) float32 {
	s := r.shift & 31
	return math.Float32frombits((b + 1<<s>>1 - 1 + b>>s&1) >> s << s)
}

// rest rounds zero, subnormal, very large and infinite numbers, and NaN.
func (r *rounding) rest(x float32) float32 {
	switch {
	case x == 0:
		return x
	case r.to == arg.BF16:
		return walk.BF16ToF32(walk.F32ToBF16(x))
	}
	return walk.F16ToF32(walk.F32ToF16(x))
}

// roundAll is round for all of x.
func (r *rounding) roundAll(x []float32) { walk.RoundHalves(x, r.to) }
