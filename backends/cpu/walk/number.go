package walk

import (
	"github.com/ptero-rt/ptero/backends/cpu/arg"
	"github.com/ptero-rt/ptero/executor"
)

// Put writes a number into b as one element of type d; b is aligned for it. Numbers wrap and round as PyTorch casts them.
func Put(b []byte, d executor.DType, s arg.Scalar) {
	f, i := s.Float(), s.Int()
	switch d {
	case arg.Bool:
		b[0] = truth(s.Kind == executor.KindDouble && f != 0 || s.Kind != executor.KindDouble && i != 0)
	case arg.U8, arg.I8:
		b[0] = uint8(i)
	case arg.I16, arg.U16:
		executor.SliceBytes[uint16](b)[0] = uint16(i)
	case arg.I32, arg.U32:
		executor.SliceBytes[uint32](b)[0] = uint32(i)
	case arg.I64, arg.U64:
		executor.SliceBytes[uint64](b)[0] = uint64(i)
	case arg.F32:
		executor.SliceBytes[float32](b)[0] = float32(f)
	case arg.F64:
		executor.SliceBytes[float64](b)[0] = f
	case arg.F16:
		executor.SliceBytes[uint16](b)[0] = F32ToF16(float32(f))
	case arg.BF16:
		executor.SliceBytes[uint16](b)[0] = F32ToBF16(float32(f))
	case arg.C32:
		h := executor.SliceBytes[uint16](b)
		h[0], h[1] = F32ToF16(float32(f)), 0
	case arg.C64:
		executor.SliceBytes[complex64](b)[0] = complex(float32(f), 0)
	case arg.C128:
		executor.SliceBytes[complex128](b)[0] = complex(f, 0)
	}
}

// Get reads element i of a tensor's bytes as a number with its tag; half types are widened, complex gives the real part.
func Get(b []byte, d executor.DType, i int) arg.Scalar {
	integer := func(x int64) arg.Scalar { return arg.Scalar{Kind: executor.KindInt, I: x} }
	real := func(x float64) arg.Scalar { return arg.Scalar{Kind: executor.KindDouble, F: x} }
	switch d {
	case arg.Bool:
		return arg.Scalar{Kind: executor.KindBool, I: int64(truth(b[i] != 0))}
	case arg.U8:
		return integer(int64(b[i]))
	case arg.I8:
		return integer(int64(int8(b[i])))
	case arg.I16:
		return integer(int64(executor.SliceBytes[int16](b)[i]))
	case arg.U16:
		return integer(int64(executor.SliceBytes[uint16](b)[i]))
	case arg.I32:
		return integer(int64(executor.SliceBytes[int32](b)[i]))
	case arg.U32:
		return integer(int64(executor.SliceBytes[uint32](b)[i]))
	case arg.I64, arg.U64:
		return integer(executor.SliceBytes[int64](b)[i])
	case arg.F16:
		return real(float64(F16ToF32(executor.SliceBytes[uint16](b)[i])))
	case arg.BF16:
		return real(float64(BF16ToF32(executor.SliceBytes[uint16](b)[i])))
	case arg.F32:
		return real(float64(executor.SliceBytes[float32](b)[i]))
	case arg.F64:
		return real(executor.SliceBytes[float64](b)[i])
	case arg.C64:
		return real(float64(executor.SliceBytes[float32](b)[2*i]))
	case arg.C128:
		return real(executor.SliceBytes[float64](b)[2*i])
	}
	return arg.Scalar{Kind: executor.KindInt}
}

// truthAs gives whether elements are not 0 once they are of type as, in which they may wrap around or vanish.
func truthAs(from, as executor.DType) Load {
	parts := from.Size() / PartOf(from).Size()
	from, as = PartOf(from), PartOf(as)
	return func(dst, src []byte, off, stride, n int) {
		for i := range dst[:n] {
			dst[i] = 0
			for p := range parts {
				dst[i] |= truth(lasts(Get(src, from, parts*(off+i*stride)+p), as))
			}
		}
	}
}

// lasts says whether a number is not 0 in type d.
func lasts(s arg.Scalar, d executor.DType) bool {
	if arg.Integers.Has(d) {
		return uint64(s.Int())<<(64-8*d.Size()) != 0
	}
	switch f := s.Float(); d {
	case arg.F16:
		return F32ToF16(float32(f))<<1 != 0
	case arg.BF16:
		return F32ToBF16(float32(f))<<1 != 0
	case arg.F32:
		return float32(f) != 0
	default:
		return f != 0
	}
}

// Float reads element i of a tensor of signed or 8-bit integers or of floats.
func Float(t *executor.Tensor, i int) float64 {
	switch t.DType {
	case arg.F32:
		return float64(executor.Slice[float32](t)[i])
	case arg.F64:
		return executor.Slice[float64](t)[i]
	case arg.F16:
		return float64(F16ToF32(executor.Slice[uint16](t)[i]))
	case arg.BF16:
		return float64(BF16ToF32(executor.Slice[uint16](t)[i]))
	case arg.I64:
		return float64(executor.Slice[int64](t)[i])
	case arg.I32:
		return float64(executor.Slice[int32](t)[i])
	case arg.I16:
		return float64(executor.Slice[int16](t)[i])
	case arg.I8:
		return float64(executor.Slice[int8](t)[i])
	}
	return float64(executor.Slice[uint8](t)[i])
}
