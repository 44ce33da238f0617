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

// runs calls do for pieces lo…hi of a part whose inputs and parameters lie evenly, from in and par on.
func (a *affine) runs(part int, do func(lo, hi, in, par int)) {
	lo, hi := walk.Part(a.y.NumElements(), a.parts, part, 64)
	last := a.par.Rank - 1
	even, row := a.in.Packed(), a.par.Size[last]
	if even && (a.par.Single() || last == 1 && a.par.Stride[1] == 0 && a.par.Stride[0] == 1) { // rows behind one another
		par := 0
		if lo > 0 {
			par = lo / row
		}
		for end := (par + 1) * row; lo < hi; end += row {
			do(lo, min(end, hi), lo, par)
			lo = end
			par++
		}
		return
	}
	var ci, cp walk.Cursor
	a.in.Seek(&ci, lo)
	a.par.Seek(&cp, lo)
	for lo < hi {
		n, in := min(a.par.Left(&cp), hi-lo), lo
		if !even {
			n, in = min(n, a.in.Left(&ci)), ci.Off
			a.in.Skip(&ci, n)
		}
		do(lo, lo+n, in, cp.Off)
		a.par.Skip(&cp, n)
		lo += n
	}
}

// steps are from one input to the next in a run, and from one pair of parameters.
func (a *affine) steps() (in, par int) {
	return a.in.Stride[a.in.Rank-1], a.par.Stride[a.par.Rank-1]
}

// vectors says from which length on runs are converted in vectors: with zero points and limits that f32 holds with room to
// spare, and one pair of parameters, or a row of f32 pairs that is long enough.
func (a *affine) vectors(double bool) int {
	const limit, never = 1 << 16, math.MaxInt
	if !a.small || a.quantising && (a.min < -limit || a.max > limit) {
		return never
	}
	switch _, par := a.steps(); {
	case par == 0:
		return 0
	case par == 1 && a.g == byChannel && !double:
		return 8
	}
	return never
}

// encode quantises. The product with the reciprocal of the scale is rounded to f32, as PyTorch computes it, unless input
// or scales are f64.
func encode[Q code](a *affine, part int) {
	y := executor.Slice[Q](a.y)
	least, most := float32(a.min), float32(a.max)
	double := a.x.DType == arg.F64
	sIn, sPar := a.steps()
	from := a.vectors(double)
	if double && sIn != 1 {
		from = math.MaxInt
	}
	// The zero point is added before rounding, or behind.
	split := func(zero float64) (first, last float64) {
		if a.g == byToken {
			return zero, 0
		}
		return 0, zero
	}
	if a.x.DType == arg.F32 && sIn == 1 && sPar == 0 && !a.wide { // nothing is held in between
		x := executor.Slice[float32](a.x)
		a.runs(part, func(lo, hi, in, par int) {
			if hi-lo < from {
				encodeEach(a, y[lo:hi], in, par)
				return
			}
			first, last := split(a.zero[par])
			pack(y[lo:hi], x[in:][:hi-lo], float32(a.scale[par]), float32(first), least-float32(last), most-float32(last), int32(last))
		})
		return
	}
	var some [stretch]float32
	a.runs(part, func(lo, hi, in, par int) {
		if hi-lo < from {
			encodeEach(a, y[lo:hi], in, par)
			return
		}
		for lo < hi {
			n := min(stretch, hi-lo)
			to, t := y[lo:lo+n], some[:n]
			scale, zero := a.scale[par], a.zero[par]
			first, last := split(zero)
			low, high := least-float32(last), most-float32(last)
			switch {
			case double:
				fmath.ScaleRoundF64(t, executor.Slice[float64](a.x)[in:][:n], scale, first)
				pack(to, t, 1, 0, low, high, int32(last))
			case a.wide && sPar == 0:
				fmath.ScaleRound(t, widen(a.x, t, in, sIn), scale, first)
				pack(to, t, 1, 0, low, high, int32(last))
			case sPar == 0:
				pack(to, widen(a.x, t, in, sIn), float32(scale), float32(first), low, high, int32(last))
			default:
				if a.wide {
					scale := a.scale[par:][:n]
					for i, v := range widen(a.x, t, in, sIn) {
						t[i] = float32(math.RoundToEven(float64(v) * scale[i]))
					}
				} else {
					fmath.Mul(t, widen(a.x, t, in, sIn), a.scale32[par:][:n])
					fmath.Round(t, t)
				}
				fmath.Add(t, t, a.zero32[par:][:n])
				pack(to, t, 1, 0, least, most, 0)
			}
			lo, in, par = lo+n, in+n*sIn, par+n*sPar
		}
	})
}

// widen gives a run's floats, where they lie or in some.
func widen(x *executor.Tensor, some []float32, in, step int) []float32 {
	switch {
	case x.DType == arg.F32 && step == 1:
		return executor.Slice[float32](x)[in:][:len(some)]
	case x.DType == arg.F32:
		from := executor.Slice[float32](x)[in:]
		for i := range some {
			some[i] = from[i*step]
		}
		return some
	}
	from := executor.Slice[uint16](x)[in:]
	var packed [stretch]uint16
	if step != 1 {
		for i := range some {
			packed[i] = from[i*step]
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
	sIn, sPar := a.steps()
	from := a.vectors(false)
	if a.y.DType == arg.F64 || a.x.DType == arg.I32 && (a.wide || sPar != 0) || a.stepwise() {
		from = math.MaxInt
	}
	if a.y.DType == arg.F32 && sIn == 1 { // nothing is held in between
		y := executor.Slice[float32](a.y)
		a.runs(part, func(lo, hi, in, par int) {
			switch n := hi - lo; {
			case n < from:
				decodeEach(a, x, lo, hi, in, par)
			case sPar != 0:
				for ; lo < hi; lo, in, par = lo+stretch, in+stretch, par+stretch*sPar {
					n := min(stretch, hi-lo)
					decodeRun(a, y[lo:lo+n], x[in:][:n], par, sPar)
				}
			case a.wide:
				wideValues(y[lo:hi], x[in:][:n], a.zero[par], a.scale[par])
			default:
				values(y[lo:hi], x[in:][:n], a.zero[par], float32(a.scale[par]))
			}
		})
		return
	}
	var some [stretch]float32
	var packed [stretch]Q
	a.runs(part, func(lo, hi, in, par int) {
		if hi-lo < from {
			decodeEach(a, x, lo, hi, in, par)
			return
		}
		for lo < hi {
			n := min(stretch, hi-lo)
			from := x[in:]
			if sIn != 1 {
				for i := range n {
					packed[i] = from[i*sIn]
				}
				from = packed[:]
			}
			t := some[:n]
			if a.y.DType == arg.F32 {
				t = executor.Slice[float32](a.y)[lo : lo+n]
			}
			decodeRun(a, t, from[:n], par, sPar)
			switch a.y.DType {
			case arg.F16:
				fmath.ToHalf(executor.Slice[uint16](a.y)[lo:lo+n], t)
			case arg.BF16:
				fmath.ToBrain(executor.Slice[uint16](a.y)[lo:lo+n], t)
			}
			lo, in, par = lo+n, in+n*sIn, par+n*sPar
		}
	})
}

// decodeRun decodes a run's packed elements in f32.
func decodeRun[Q code](a *affine, t []float32, from []Q, par, step int) {
	switch scale, zero := a.scale[par], a.zero[par]; {
	case step == 0 && !a.wide:
		values(t, from, zero, float32(scale))
	case step == 0:
		wideValues(t, from, zero, scale)
	case a.wide:
		values(t, from, 0, 1)
		zero, scale := a.zero[par:][:len(t)], a.scale[par:][:len(t)]
		for i, v := range t {
			t[i] = float32((float64(v) - zero[i]) * scale[i])
		}
	default:
		values(t, from, 0, 1)
		fmath.Sub(t, t, a.zero32[par:][:len(t)])
		fmath.Mul(t, t, a.scale32[par:][:len(t)])
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

// wideValues is values computed in f64.
func wideValues[Q code](y []float32, x []Q, zero, scale float64) {
	switch x := any(x).(type) {
	case []int8:
		fmath.ShiftScaleI8(y, x, zero, scale)
		return
	case []uint8:
		fmath.ShiftScaleU8(y, x, zero, scale)
		return
	}
	values(y, x, 0, 1)
	fmath.ShiftScale(y, y, zero, scale)
}

// encodeEach is encode for a run that vectors cannot do, one by one in f64.
func encodeEach[Q code](a *affine, y []Q, in, par int) {
	sIn, sPar := a.steps()
	for i := range y {
		v, zero := walk.Float(a.x, in), a.zero[par]
		switch double := a.x.DType == arg.F64 || a.wide; {
		case a.g == byToken && double:
			v = math.RoundToEven(float64(v*a.scale[par]) + zero)
		case a.g == byToken:
			v = math.RoundToEven(float64(float32(float32(v)*float32(a.scale[par])) + float32(zero)))
		case double:
			v = math.RoundToEven(v*a.scale[par]) + zero
		default:
			v = math.RoundToEven(float64(float32(v)*float32(a.scale[par]))) + zero
		}
		if v != v {
			v = math.MinInt32 // what x86 converts NaN to
		} else {
			v = max(a.min, min(v, a.max))
		}
		y[i] = Q(int64(v))
		in, par = in+sIn, par+sPar
	}
}

// stepwise says whether the difference of a code and the zero point is rounded before it is scaled: with one pair of
// parameters PyTorch computes in the type of the output, and there are codes or differences that it cannot hold.
func (a *affine) stepwise() bool {
	zero, exact := a.zero[0], 0.0
	switch a.y.DType {
	case arg.BF16:
		exact = 1 << 8
	case arg.F16:
		exact = 1 << 11
	case arg.F32:
		exact = 1 << 24
	}
	if a.g > byTensor || exact == 0 || zero == 0 && a.y.DType == arg.F32 {
		return false
	}
	lo, hi := codeRange(a.x.DType)
	return max(-float64(lo), float64(hi), float64(hi)-zero, zero-float64(lo)) > exact
}

// decodeEach is decode for a run that vectors cannot do, one by one in f64.
func decodeEach[Q code](a *affine, x []Q, lo, hi, in, par int) {
	sIn, sPar := a.steps()
	to := a.y.DType
	for ; lo < hi; lo, in, par = lo+1, in+sIn, par+sPar {
		v, zero, scale := float64(x[in]), a.zero[par], a.scale[par]
		switch {
		case a.g <= byTensor && to == arg.F64 || a.wide:
			v = (v - zero) * scale
		case a.g <= byTensor:
			v = rounded(rounded(v, to)-float64(float32(zero)), to)
			v = float64(float32(v) * float32(scale))
		default:
			v = float64(float32(v-zero) * float32(scale))
		}
		switch to {
		case arg.F64:
			executor.Slice[float64](a.y)[lo] = v
		case arg.F32:
			executor.Slice[float32](a.y)[lo] = float32(v)
		case arg.F16:
			executor.Slice[uint16](a.y)[lo] = walk.F32ToF16(float32(v))
		default:
			executor.Slice[uint16](a.y)[lo] = walk.F32ToBF16(float32(v))
		}
	}
}

// rounded is v as a number of type d.
func rounded(v float64, d executor.DType) float64 {
	switch d {
	case arg.F64:
		return v
	case arg.F16:
		return float64(walk.F16ToF32(walk.F32ToF16(float32(v))))
	case arg.BF16:
		return float64(walk.BF16ToF32(walk.F32ToBF16(float32(v))))
	}
	return float64(float32(v))
}
