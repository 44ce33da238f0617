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

// kernel picks the loop for a type of codes.
func (a *affine) kernel(q executor.DType) func(*affine, int) {
	switch q {
	case arg.U8:
		return loop[uint8](a.quantising)
	case arg.I8:
		return loop[int8](a.quantising)
	case arg.I16:
		return loop[int16](a.quantising)
	case arg.I32:
		return loop[int32](a.quantising)
	}
	return loop[uint16](a.quantising)
}

func loop[Q code](quantising bool) func(*affine, int) {
	if quantising {
		return encode[Q]
	}
	return decode[Q]
}

// run is elements lo…hi of the output, whose inputs begin at in and whose parameters at par, each a step apart.
type run struct{ lo, hi, in, sIn, par, sPar int }

// next gives the first n elements, and keeps the others.
func (r *run) next(n int) run {
	first := *r
	r.lo += n
	r.in += n * r.sIn
	r.par += n * r.sPar
	first.hi = r.lo
	return first
}

// runs calls do for pieces of a part whose inputs and parameters lie evenly.
func (a *affine) runs(part int, do func(run)) {
	lo, hi := walk.Part(a.y.NumElements(), a.parts, part, 64)
	if lo >= hi {
		return
	}
	var ci, cp walk.Cursor
	a.in.Seek(&ci, lo)
	a.par.Seek(&cp, lo)
	r := run{lo: lo, sIn: a.in.Stride[a.in.Rank-1], sPar: a.par.Stride[a.par.Rank-1]}
	for even := a.in.Packed(); r.lo < hi; {
		n := min(a.par.Left(&cp), hi-r.lo)
		if r.in, r.par = r.lo, cp.Off; !even {
			n, r.in = min(n, a.in.Left(&ci)), ci.Off
			a.in.Skip(&ci, n)
		}
		r.hi = r.lo + n
		do(r)
		a.par.Skip(&cp, n)
		r.lo = r.hi
	}
}

// vectors says whether a run is converted in vectors: with zero points and limits that f32 holds with room to spare, and
// one pair of parameters, or a row of f32 pairs that is long enough.
func (a *affine) vectors(r run, double bool) bool {
	const limit = 1 << 16
	if !a.small || a.quantising && (a.min < -limit || a.max > limit) {
		return false
	}
	return r.sPar == 0 || r.sPar == 1 && a.g == byChannel && !double && r.hi-r.lo >= 8
}

// encode quantises. The product with the reciprocal of the scale is rounded to f32, as PyTorch computes it, unless input
// or scales are f64.
func encode[Q code](a *affine, part int) {
	y := executor.Slice[Q](a.y)
	lo, hi := float32(a.min), float32(a.max)
	double := a.x.DType == arg.F64
	if a.x.DType == arg.F32 && a.in.Packed() && a.par.Single() && !a.wide && a.g != byToken { // one run, and nothing held in between
		a.runs(part, func(r run) {
			if !a.vectors(r, double) {
				encodeEach(a, y, r)
				return
			}
			scale, zero := float32(a.scale[r.par]), float32(a.zero[r.par])
			pack(y[r.lo:r.hi], executor.Slice[float32](a.x)[r.in:][:r.hi-r.lo], scale, 0, lo-zero, hi-zero, int32(zero))
		})
		return
	}
	var some [stretch]float32
	a.runs(part, func(r run) {
		if !a.vectors(r, double) || double && r.sIn != 1 {
			encodeEach(a, y, r)
			return
		}
		for r.lo < r.hi {
			r := r.next(min(stretch, r.hi-r.lo))
			n := r.hi - r.lo
			to, t := y[r.lo:r.hi], some[:n]
			scale, zero := a.scale[r.par], a.zero[r.par]
			first, last := zero, 0.0 // the zero point is added before rounding, or behind
			if a.g != byToken {
				first, last = last, first
			}
			low, high := lo-float32(last), hi-float32(last)
			switch {
			case double:
				fmath.ScaleRoundF64(t, executor.Slice[float64](a.x)[r.in:][:n], scale, first)
				pack(to, t, 1, 0, low, high, int32(last))
			case a.wide && r.sPar == 0:
				fmath.ScaleRound(t, widen(a.x, t, r), scale, first)
				pack(to, t, 1, 0, low, high, int32(last))
			case r.sPar == 0:
				pack(to, widen(a.x, t, r), float32(scale), float32(first), low, high, int32(last))
			default:
				if a.wide {
					scale := a.scale[r.par:][:n]
					for i, v := range widen(a.x, t, r) {
						t[i] = float32(math.RoundToEven(float64(v) * scale[i]))
					}
				} else {
					fmath.Mul(t, widen(a.x, t, r), a.scale32[r.par:][:n])
					fmath.Round(t, t)
				}
				fmath.Add(t, t, a.zero32[r.par:][:n])
				pack(to, t, 1, 0, lo, hi, 0)
			}
		}
	})
}

// widen gives a run's floats, where they lie or in some.
func widen(x *executor.Tensor, some []float32, r run) []float32 {
	switch {
	case x.DType == arg.F32 && r.sIn == 1:
		return executor.Slice[float32](x)[r.in:][:len(some)]
	case x.DType == arg.F32:
		from := executor.Slice[float32](x)[r.in:]
		for i := range some {
			some[i] = from[i*r.sIn]
		}
		return some
	}
	from := executor.Slice[uint16](x)[r.in:]
	var packed [stretch]uint16
	if r.sIn != 1 {
		for i := range some {
			packed[i] = from[i*r.sIn]
		}
		from = packed[:]
	}
	if x.DType == arg.F16 {
		fmath.FromHalf(some, from[:len(some)])
	} else {
		fmath.FromBrain(some, from[:len(some)])
	}
	return some
}

// pack rounds x·inverse + shift, clamped, to codes, and adds zero.
func pack[Q code](y []Q, x []float32, inverse, shift, lo, hi float32, zero int32) {
	switch y := any(y).(type) {
	case []int8:
		fmath.EncodeI8(y, x, inverse, shift, lo, hi, zero)
		return
	case []uint8:
		fmath.EncodeU8(y, x, inverse, shift, lo, hi, zero)
		return
	case []int16:
		fmath.EncodeI16(y, x, inverse, shift, lo, hi, zero)
		return
	}
	for i, v := range x {
		y[i] = Q(fmath.Encode(v, inverse, shift, lo, hi, zero))
	}
}

// decode undoes it.
func decode[Q code](a *affine, part int) {
	x := executor.Slice[Q](a.x)
	each := func(r run) bool {
		return !a.vectors(r, false) || a.y.DType == arg.F64 || a.x.DType == arg.I32 && (a.wide || r.sPar != 0)
	}
	if a.y.DType == arg.F32 && a.in.Stride[a.in.Rank-1] == 1 { // nothing is held in between
		y := executor.Slice[float32](a.y)
		a.runs(part, func(r run) {
			if each(r) {
				decodeEach(a, x, r)
				return
			}
			piece := stretch
			if r.sPar == 0 && !a.wide { // one pass over the elements
				piece = r.hi - r.lo
			}
			for r.lo < r.hi {
				r := r.next(min(piece, r.hi-r.lo))
				decodeRun(a, y[r.lo:r.hi], x[r.in:][:r.hi-r.lo], r)
			}
		})
		return
	}
	var some [stretch]float32
	var packed [stretch]Q
	a.runs(part, func(r run) {
		if each(r) {
			decodeEach(a, x, r)
			return
		}
		for r.lo < r.hi {
			r := r.next(min(stretch, r.hi-r.lo))
			n := r.hi - r.lo
			from := x[r.in:]
			if r.sIn != 1 {
				for i := range n {
					packed[i] = from[i*r.sIn]
				}
				from = packed[:]
			}
			t := some[:n]
			if a.y.DType == arg.F32 {
				t = executor.Slice[float32](a.y)[r.lo:r.hi]
			}
			decodeRun(a, t, from[:n], r)
			switch a.y.DType {
			case arg.F16:
				fmath.ToHalf(executor.Slice[uint16](a.y)[r.lo:r.hi], t)
			case arg.BF16:
				fmath.ToBrain(executor.Slice[uint16](a.y)[r.lo:r.hi], t)
			}
		}
	})
}

// shortRun is up to which length a run is not worth two loops.
const shortRun = 16

// decodeRun decodes a run's packed elements in f32.
func decodeRun[Q code](a *affine, t []float32, from []Q, r run) {
	switch scale, zero := a.scale[r.par], a.zero[r.par]; {
	case r.sPar == 0 && !a.wide:
		values(t, from, zero, float32(scale))
	case r.sPar == 0 && len(t) <= shortRun:
		for i, v := range from {
			t[i] = float32((float64(v) - zero) * scale)
		}
	case r.sPar == 0:
		values(t, from, 0, 1)
		fmath.ShiftScale(t, t, zero, scale)
	case a.wide:
		values(t, from, 0, 1)
		zero, scale := a.zero[r.par:][:len(t)], a.scale[r.par:][:len(t)]
		for i, v := range t {
			t[i] = float32((float64(v) - zero[i]) * scale[i])
		}
	default:
		values(t, from, 0, 1)
		fmath.Sub(t, t, a.zero32[r.par:][:len(t)])
		fmath.Mul(t, t, a.scale32[r.par:][:len(t)])
	}
}

// values is (x − zero)·scale.
func values[Q code](y []float32, x []Q, zero float64, scale float32) {
	switch x := any(x).(type) {
	case []int8:
		fmath.DecodeI8(y, x, int32(zero), scale)
		return
	case []uint8:
		fmath.DecodeU8(y, x, int32(zero), scale)
		return
	case []int16:
		fmath.DecodeI16(y, x, int32(zero), scale)
		return
	case []int32:
		fmath.DecodeI32(y, x, int32(zero), scale)
		return
	}
	for i, v := range x {
		y[i] = float32(int32(v)-int32(zero)) * scale
	}
}

// encodeEach is encode for a run that vectors cannot do, one by one in f64.
func encodeEach[Q code](a *affine, y []Q, r run) {
	for ; r.lo < r.hi; r.next(1) {
		v, zero := walk.Float(a.x, r.in), a.zero[r.par]
		switch double := a.x.DType == arg.F64 || a.wide; {
		case a.g == byToken && double:
			v = math.RoundToEven(float64(v*a.scale[r.par]) + zero)
		case a.g == byToken:
			v = math.RoundToEven(float64(float32(float32(v)*float32(a.scale[r.par])) + float32(zero)))
		case double:
			v = math.RoundToEven(v*a.scale[r.par]) + zero
		default:
			v = math.RoundToEven(float64(float32(v)*float32(a.scale[r.par]))) + zero
		}
		if v != v {
			v = math.MinInt32 // what x86 converts NaN to
		} else {
			v = max(a.min, min(v, a.max))
		}
		y[r.lo] = Q(int64(v))
	}
}

// decodeEach is decode for a run that vectors cannot do, one by one in f64.
func decodeEach[Q code](a *affine, x []Q, r run) {
	for ; r.lo < r.hi; r.next(1) {
		v := float64(x[r.in]) - a.zero[r.par]
		if a.y.DType == arg.F64 || a.wide {
			v *= a.scale[r.par]
		} else {
			v = float64(float32(v) * float32(a.scale[r.par]))
		}
		switch a.y.DType {
		case arg.F64:
			executor.Slice[float64](a.y)[r.lo] = v
		case arg.F32:
			executor.Slice[float32](a.y)[r.lo] = float32(v)
		case arg.F16:
			executor.Slice[uint16](a.y)[r.lo] = walk.F32ToF16(float32(v))
		default:
			executor.Slice[uint16](a.y)[r.lo] = walk.F32ToBF16(float32(v))
		}
	}
}
