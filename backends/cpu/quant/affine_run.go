package quant

import (
	"math"

	"github.com/ptero-rt/ptero/backends/cpu/arg"
	"github.com/ptero-rt/ptero/backends/cpu/fmath"
	"github.com/ptero-rt/ptero/backends/cpu/walk"
	"github.com/ptero-rt/ptero/executor"
)

type code interface {
	~uint8 | ~int8 | ~int16 | ~uint16 | ~int32
}

// kernel picks the loop for a type of codes and a type of floats.
func (a *affine) kernel(q, f executor.DType) func(*affine, int) {
	switch q {
	case arg.U8:
		return loop[uint8](f, a.quantising)
	case arg.I8:
		return loop[int8](f, a.quantising)
	case arg.I16:
		return loop[int16](f, a.quantising)
	case arg.I32:
		return loop[int32](f, a.quantising)
	}
	return loop[uint16](f, a.quantising)
}

func loop[Q code](f executor.DType, quantising bool) func(*affine, int) {
	if quantising {
		switch f {
		case arg.F16:
			return encode[Q, uint16, f16]
		case arg.BF16:
			return encode[Q, uint16, bf16]
		case arg.F64:
			return encode[Q, float64, f64]
		}
		return encodeF32[Q]
	}
	switch f {
	case arg.F16:
		return decode[Q, uint16, f16]
	case arg.BF16:
		return decode[Q, uint16, bf16]
	case arg.F64:
		return decode[Q, float64, f64]
	}
	return decodeF32[Q]
}

// A format says how floats of storage type S are read and written.
type format[S any] interface {
	widen(S) float64
	narrow(float64) S
}

type (
	f16  struct{}
	bf16 struct{}
	f32  struct{}
	f64  struct{}
)

func (f16) widen(x uint16) float64   { return float64(walk.F16ToF32(x)) }
func (f16) narrow(x float64) uint16  { return walk.F32ToF16(float32(x)) }
func (bf16) widen(x uint16) float64  { return float64(walk.BF16ToF32(x)) }
func (bf16) narrow(x float64) uint16 { return walk.F32ToBF16(float32(x)) }
func (f32) widen(x float32) float64  { return float64(x) }
func (f32) narrow(x float64) float32 { return float32(x) }
func (f64) widen(x float64) float64  { return x }
func (f64) narrow(x float64) float64 { return x }

// runs calls do for pieces of a part whose inputs and parameters lie evenly.
func (a *affine) runs(part int, do func(lo, hi, in, sIn, par, sPar int)) {
	lo, hi := walk.Part(a.y.NumElements(), a.parts, part, 64)
	if lo >= hi {
		return
	}
	var ci, cp walk.Cursor
	a.in.Seek(&ci, lo)
	a.par.Seek(&cp, lo)
	for lo < hi {
		n := min(a.in.Left(&ci), a.par.Left(&cp), hi-lo)
		do(lo, lo+n, ci.Off, a.in.Stride[a.in.Rank-1], cp.Off, a.par.Stride[a.par.Rank-1])
		a.in.Skip(&ci, n)
		a.par.Skip(&cp, n)
		lo += n
	}
}

// pairs is runs for elements that share a scale and a small zero point.
func (a *affine) pairs(part int, do func(lo, hi, in, sIn int, scale float32, zero int32)) {
	a.runs(part, func(lo, hi, in, sIn, par, sPar int) {
		for lo < hi {
			n := hi - lo
			if sPar != 0 {
				n = 1
			}
			do(lo, lo+n, in, sIn, float32(a.scale[par]), int32(a.zero[par]))
			lo += n
			in += n * sIn
			par += sPar
		}
	})
}

// encode quantises. The product with the reciprocal of the scale is rounded to f32, as PyTorch computes it, unless input
// or scales are f64.
func encode[Q code, S executor.Element, F format[S]](a *affine, part int) {
	var f F
	x, y := executor.Slice[S](a.x), executor.Slice[Q](a.y)
	double := a.x.DType == arg.F64 || a.wide
	a.runs(part, func(lo, hi, in, sIn, par, sPar int) {
		for i := lo; i < hi; i++ {
			v, zero := f.widen(x[in]), a.zero[par]
			if double {
				v *= a.scale[par]
			} else {
				v = float64(float32(v) * float32(a.scale[par]))
			}
			if a.g == byToken {
				v = math.RoundToEven(v + zero)
			} else {
				v = math.RoundToEven(v) + zero
			}
			if v != v {
				v = math.MinInt32 // what x86 converts NaN to
			} else {
				v = max(a.min, min(v, a.max))
			}
			y[i] = Q(int64(v))
			in += sIn
			par += sPar
		}
	})
}

// decode undoes it.
func decode[Q code, S executor.Element, F format[S]](a *affine, part int) {
	var f F
	x, y := executor.Slice[Q](a.x), executor.Slice[S](a.y)
	double := a.y.DType == arg.F64 || a.wide
	a.runs(part, func(lo, hi, in, sIn, par, sPar int) {
		for i := lo; i < hi; i++ {
			v := float64(x[in]) - a.zero[par]
			if double {
				v *= a.scale[par]
			} else {
				v = float64(float32(v) * float32(a.scale[par]))
			}
			y[i] = f.narrow(v)
			in += sIn
			par += sPar
		}
	})
}

// encodeF32 is encode for f32, codes of 16 bits at most and small whole zero points: it clamps first.
func encodeF32[Q code](a *affine, part int) {
	const limit = 1 << 16
	if a.wide || !a.small || a.g == byToken || a.min < -limit || a.max > limit {
		encode[Q, float32, f32](a, part)
		return
	}
	x, y := executor.Slice[float32](a.x), executor.Slice[Q](a.y)
	a.pairs(part, func(lo, hi, in, sIn int, inverse float32, zero int32) {
		low, high := float32(a.min)-float32(zero), float32(a.max)-float32(zero)
		if sIn == 1 {
			x := x[in : in+hi-lo]
			switch y := any(y).(type) {
			case []int8:
				fmath.EncodeI8(y[lo:hi], x, inverse, low, high, zero)
				return
			case []uint8:
				fmath.EncodeU8(y[lo:hi], x, inverse, low, high, zero)
				return
			case []int16:
				fmath.EncodeI16(y[lo:hi], x, inverse, low, high, zero)
				return
			}
		}
		for i := lo; i < hi; i++ {
			y[i] = Q(fmath.Encode(x[in], inverse, low, high, zero))
			in += sIn
		}
	})
}

// decodeF32 is decode for f32, codes of 16 bits at most and small whole zero points.
func decodeF32[Q code](a *affine, part int) {
	if a.wide || !a.small || a.x.DType == arg.I32 {
		decode[Q, float32, f32](a, part)
		return
	}
	x, y := executor.Slice[Q](a.x), executor.Slice[float32](a.y)
	a.pairs(part, func(lo, hi, in, sIn int, scale float32, zero int32) {
		if sIn == 1 {
			switch x := any(x).(type) {
			case []int8:
				fmath.DecodeI8(y[lo:hi], x[in:in+hi-lo], zero, scale)
				return
			case []uint8:
				fmath.DecodeU8(y[lo:hi], x[in:in+hi-lo], zero, scale)
				return
			}
		}
		for i := lo; i < hi; i++ {
			y[i] = float32(int32(x[in])-zero) * scale
			in += sIn
		}
	})
}
