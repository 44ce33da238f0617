package walk

import (
	"math"

	"github.com/ptero-rt/ptero/backends/cpu/arg"
	"github.com/ptero-rt/ptero/backends/cpu/fmath"
	"github.com/ptero-rt/ptero/backends/cpu/lanes"
	"github.com/ptero-rt/ptero/executor"
)

// types are those of a conversion, from and to.
type types [2]executor.DType

// vectorised are the conversions of real numbers that go in vectors where elements are packed.
var vectorised = map[types]Load{
	{arg.I8, arg.I16}:  casting(fmath.I8ToI16),
	{arg.U8, arg.I16}:  casting(fmath.U8ToI16),
	{arg.I8, arg.I32}:  casting(fmath.I8ToI32),
	{arg.U8, arg.I32}:  casting(fmath.U8ToI32),
	{arg.I16, arg.I32}: casting(fmath.I16ToI32),
	{arg.I8, arg.I64}:  casting(fmath.I8ToI64),
	{arg.U8, arg.I64}:  casting(fmath.U8ToI64),
	{arg.I16, arg.I64}: casting(fmath.I16ToI64),
	{arg.I32, arg.I64}: casting(fmath.I32ToI64),
	{arg.I8, arg.F64}:  casting(fmath.I8ToF64),
	{arg.U8, arg.F64}:  casting(fmath.U8ToF64),
	{arg.I16, arg.F64}: casting(fmath.I16ToF64),
	{arg.I32, arg.F64}: casting(fmath.I32ToF64),
	{arg.F32, arg.F64}: casting(fmath.F32ToF64),
	{arg.I32, arg.I16}: casting(fmath.I32ToI16),
	{arg.F64, arg.F32}: casting(fmath.F64ToF32),

	{arg.U8, arg.F32}:   decoding(fmath.DecodeU8),
	{arg.I8, arg.F32}:   decoding(fmath.DecodeI8),
	{arg.I16, arg.F32}:  decoding(fmath.DecodeI16),
	{arg.I32, arg.F32}:  decoding(fmath.DecodeI32),
	{arg.Bool, arg.F32}: inVectors(fmath.BoolToF32, boolTo(math.Float32bits(1))),
	{arg.Bool, arg.I32}: inVectors(fmath.BoolToI32, boolTo[uint32](1)),
	{arg.Bool, arg.I64}: inVectors(fmath.BoolToI64, boolTo[uint64](1)),

	{arg.F32, arg.I32}: inVectors(fmath.Truncate, truncateNarrow[float32, int32]),
	{arg.F32, arg.I16}: inVectors(fmath.F32ToI16, truncateNarrow[float32, int16]),
	{arg.F32, arg.I8}:  inVectors(fmath.F32ToI8, truncateNarrow[float32, int8]),
	{arg.F32, arg.U8}:  inVectors(fmath.F32ToU8, truncate[float32, uint8]), // what needs more than 32 bits has none of the lowest
	{arg.F64, arg.I32}: inVectors(fmath.F64ToI32, truncateNarrow[float64, int32]),

	{arg.I64, arg.F32}: stepwise(fmath.I64ToF32, cast[int64, float32], 4),
	{arg.I64, arg.F64}: stepwise(fmath.I64ToF64, cast[int64, float64], 8),
	{arg.F32, arg.I64}: stepwise(fmath.F32ToI64, truncate[float32, int64], 8),
	{arg.F64, arg.I64}: stepwise(fmath.F64ToI64, truncate[float64, int64], 8),

	{arg.I64, arg.I32}: lowHalves,
}

// casting is for conversions that are those of Go.
func casting[D, S realNumber](vectors func(dst []D, src []S)) Load {
	return inVectors(vectors, cast[S, D])
}

// decoding is for those to f32 that subtract and scale.
func decoding[S integer](decode func(dst []float32, src []S, zero int32, scale float32)) Load {
	return casting(func(dst []float32, src []S) { decode(dst, src, 0, 1) })
}

// fewLoaded are fewer elements than are worth calling vectors for.
const fewLoaded = 8

func inVectors[D, S realNumber](vectors func(dst []D, src []S), strided Load) Load {
	return func(dst, src []byte, off, stride, n int) {
		if stride != 1 || n < fewLoaded {
			strided(dst, src, off, stride, n)
			return
		}
		vectors(executor.SliceBytes[D](dst)[:n], executor.SliceBytes[S](src)[off:off+n])
	}
}

// stepwise is for vectors that stop at what they do not know: rest does some elements, then the vectors go on. size is
// that of an element in dst.
func stepwise[D, S realNumber](vectors func(dst []D, src []S) int, rest Load, size int) Load {
	return func(dst, src []byte, off, stride, n int) {
		if stride != 1 || n < fewLoaded {
			rest(dst, src, off, stride, n)
			return
		}
		d, s := executor.SliceBytes[D](dst)[:n], executor.SliceBytes[S](src)[off:off+n]
		for i := 0; i < n; {
			i += vectors(d[i:], s[i:])
			k := min(32, n-i)
			rest(dst[i*size:], src, off+i, 1, k)
			i += k
		}
	}
}

// lowHalves converts i64 to i32, in vectors where elements are packed.
func lowHalves(dst, src []byte, off, stride, n int) {
	i := 0
	if stride == 1 && n > 0 && lanes.Low32 != nil {
		x := src[8*off:][:8*n]
		i = lanes.Low32(dst[:4*n], x, x) / 4
	}
	cast[int64, int32](dst[4*i:], src, off+i*stride, stride, n-i)
}
