package walk

import (
	"math"

	"github.com/ptero-rt/ptero/backends/cpu/arg"
	"github.com/ptero-rt/ptero/backends/cpu/fmath"
	"github.com/ptero-rt/ptero/executor"
)

// F16ToF32 widens an IEEE half.
func F16ToF32(h uint16) float32 { return fmath.Widen(h) }

// F32ToF16 narrows to an IEEE half, ties to even.
func F32ToF16(f float32) uint16 { return fmath.Narrow(f) }

// BF16ToF32 widens a bfloat16.
func BF16ToF32(h uint16) float32 { return fmath.WidenBrain(h) }

// F32ToBF16 narrows to a bfloat16, ties to even.
func F32ToBF16(f float32) uint16 { return fmath.NarrowBrain(f) }

// half is a 16-bit float type. All its conversions go through f32, some at a time, since machines have instructions for
// those.
type half uint8

const (
	ieee half = iota
	brain
)

// onStack is the number of f32 that conversions hold on the stack.
const onStack = 128

func (h half) wide(x uint16) float32 {
	if h == ieee {
		return F16ToF32(x)
	}
	return BF16ToF32(x)
}

func (h half) widen(dst []float32, src []uint16, off, stride int) {
	switch {
	case stride == 1 && h == ieee:
		fmath.FromHalf(dst, src[off:off+len(dst)])
	case stride == 1:
		fmath.FromBrain(dst, src[off:off+len(dst)])
	case h == ieee:
		for i := range dst {
			dst[i] = F16ToF32(src[off])
			off += stride
		}
	default:
		for i := range dst {
			dst[i] = BF16ToF32(src[off])
			off += stride
		}
	}
}

func (h half) narrow(dst []uint16, src []float32) {
	if h == ieee {
		fmath.ToHalf(dst, src)
	} else {
		fmath.ToBrain(dst, src)
	}
}

// RoundHalves rounds numbers in place to F16 or BF16.
func RoundHalves(x []float32, d executor.DType) {
	h := ieee
	if d == arg.BF16 {
		h = brain
	}
	var buf [onStack]uint16
	for len(x) > 0 {
		n := min(len(x), len(buf))
		h.narrow(buf[:n], x[:n])
		h.widen(x[:n], buf[:n], 0, 1)
		x = x[n:]
	}
}

// load gives the conversion to a type, nil where there is none.
func (h half) load(to executor.DType) Load {
	switch to {
	case arg.F32:
		return func(dst, src []byte, off, stride, n int) {
			h.widen(executor.SliceBytes[float32](dst)[:n], executor.SliceBytes[uint16](src), off, stride)
		}
	case arg.U8:
		return halfToInt[uint8](h, false)
	case arg.I8:
		return halfToInt[int8](h, true)
	case arg.I16:
		return halfToInt[int16](h, true)
	case arg.I32:
		return halfToInt[int32](h, true)
	case arg.I64:
		return halfToInt[int64](h, false)
	case arg.U16:
		return halfToInt[uint16](h, true)
	case arg.U32:
		return halfToInt[uint32](h, false)
	case arg.U64:
		return halfToInt[uint64](h, false)
	case arg.F64:
		return halfToF64(h)
	case arg.F16, arg.BF16:
		return halfToHalf(h, ieee+brain-h)
	case arg.Bool:
		return halfToBool
	}
	return nil
}

// halfToInt truncates as floats do: see truncate.
func halfToInt[T integer](h half, narrow bool) Load {
	return func(dst, src []byte, off, stride, n int) {
		var buf [onStack]float32
		d, s := executor.SliceBytes[T](dst)[:n], executor.SliceBytes[uint16](src)
		for len(d) > 0 {
			x := buf[:min(len(d), onStack)]
			h.widen(x, s, off, stride)
			truncateSome(d[:len(x)], x, narrow)
			d, off = d[len(x):], off+len(x)*stride
		}
	}
}

// truncateSome truncates up to onStack numbers. It goes through int32, of which the smallest may stand for one that needs
// more.
func truncateSome[T integer](d []T, x []float32, narrow bool) {
	var buf [onStack]int32
	whole := buf[:len(x)]
	fmath.Truncate(whole, x)
	least := int32(0)
	for i, v := range whole {
		least = min(least, v)
		d[i] = T(v)
	}
	if least == math.MinInt32 && !narrow {
		for i, v := range x {
			d[i] = T(arg.Truncate(float64(v)))
		}
	}
}

func halfToF64(h half) Load {
	return func(dst, src []byte, off, stride, n int) {
		var buf [onStack]float32
		d, s := executor.SliceBytes[float64](dst)[:n], executor.SliceBytes[uint16](src)
		for len(d) > 0 {
			x := buf[:min(len(d), onStack)]
			h.widen(x, s, off, stride)
			fmath.F32ToF64(d[:len(x)], x)
			d, off = d[len(x):], off+len(x)*stride
		}
	}
}

func halfToHalf(from, to half) Load {
	return func(dst, src []byte, off, stride, n int) {
		var buf [onStack]float32
		d, s := executor.SliceBytes[uint16](dst)[:n], executor.SliceBytes[uint16](src)
		for len(d) > 0 {
			x := buf[:min(len(d), onStack)]
			from.widen(x, s, off, stride)
			to.narrow(d[:len(x)], x)
			d, off = d[len(x):], off+len(x)*stride
		}
	}
}

// halfToBool looks at the bits but the sign.
func halfToBool(dst, src []byte, off, stride, n int) {
	d, s := dst[:n], executor.SliceBytes[uint16](src)
	for i := range d {
		d[i] = truth(s[off]<<1 != 0)
		off += stride
	}
}

// toHalf converts numbers to f32 and narrows those.
func toHalf[S realNumber](h half) Load {
	return func(dst, src []byte, off, stride, n int) {
		var buf [onStack]float32
		d, s := executor.SliceBytes[uint16](dst)[:n], executor.SliceBytes[S](src)
		for len(d) > 0 {
			x := buf[:min(len(d), onStack)]
			if stride == 1 {
				for i, v := range s[off : off+len(x)] {
					x[i] = float32(v)
				}
			} else {
				at := off
				for i := range x {
					x[i] = float32(s[at])
					at += stride
				}
			}
			h.narrow(d[:len(x)], x)
			d, off = d[len(x):], off+len(x)*stride
		}
	}
}

// f32ToHalf narrows packed numbers in one piece.
func f32ToHalf(h half) Load {
	strided := toHalf[float32](h)
	return func(dst, src []byte, off, stride, n int) {
		if stride != 1 {
			strided(dst, src, off, stride, n)
			return
		}
		h.narrow(executor.SliceBytes[uint16](dst)[:n], executor.SliceBytes[float32](src)[off:off+n])
	}
}
