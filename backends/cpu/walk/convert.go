package walk

import (
	"github.com/ptero-rt/ptero/backends/cpu/arg"
	"github.com/ptero-rt/ptero/backends/cpu/fmath"
	"github.com/ptero-rt/ptero/executor"
)

// Load reads n elements of src, from element off on in steps of stride elements (which may be 0 or negative), and writes
// them converted and packed to dst. Conversions follow PyTorch; floats that do not fit an integer type give what x86
// gives, on every machine.
type Load func(dst, src []byte, off, stride, n int)

type integer interface {
	~uint8 | ~int8 | ~uint16 | ~int16 | ~uint32 | ~int32 | ~uint64 | ~int64
}

type float interface{ ~float32 | ~float64 }

type realNumber interface{ integer | float }

// Loader gives the conversion between two types, nil where there is none (complex to real, unknown types).
func Loader(from, to executor.DType) Load {
	if from == to {
		return Mover(from.Size())
	}
	switch from {
	case arg.Bool:
		return fromBool(to)
	case arg.U8:
		return fromInt[uint8](to)
	case arg.I8:
		return fromInt[int8](to)
	case arg.I16:
		return fromInt[int16](to)
	case arg.I32:
		return fromInt[int32](to)
	case arg.I64:
		return fromInt[int64](to)
	case arg.U16:
		return fromInt[uint16](to)
	case arg.U32:
		return fromInt[uint32](to)
	case arg.U64:
		return fromInt[uint64](to)
	case arg.F32:
		switch to {
		case arg.F16:
			return storeF16
		case arg.BF16:
			return storeBF16
		case arg.I32:
			return truncateI32
		case arg.Bool:
			return boolF32
		}
		return fromFloat[float32](to)
	case arg.F64:
		return fromFloat[float64](to)
	case arg.F16:
		return fromF16(to)
	case arg.BF16:
		return fromBF16(to)
	case arg.C64:
		if to == arg.C128 {
			return func(dst, src []byte, off, stride, n int) {
				d, s := executor.SliceBytes[complex128](dst)[:n], executor.SliceBytes[complex64](src)
				for i := range d {
					d[i] = complex128(s[off])
					off += stride
				}
			}
		}
	case arg.C128:
		if to == arg.C64 {
			return func(dst, src []byte, off, stride, n int) {
				d, s := executor.SliceBytes[complex64](dst)[:n], executor.SliceBytes[complex128](src)
				for i := range d {
					d[i] = complex64(s[off])
					off += stride
				}
			}
		}
	}
	if from == arg.C32 && to == arg.C64 {
		return func(dst, src []byte, off, stride, n int) {
			d, s := executor.SliceBytes[float32](dst)[:2*n], executor.SliceBytes[uint16](src)
			for i := 0; i < n; i++ {
				d[2*i], d[2*i+1] = F16ToF32(s[2*off]), F16ToF32(s[2*off+1])
				off += stride
			}
		}
	}
	if from == arg.C64 && to == arg.C32 {
		return func(dst, src []byte, off, stride, n int) {
			d, s := executor.SliceBytes[uint16](dst)[:2*n], executor.SliceBytes[float32](src)
			for i := 0; i < n; i++ {
				d[2*i], d[2*i+1] = F32ToF16(s[2*off]), F32ToF16(s[2*off+1])
				off += stride
			}
		}
	}
	return nil
}

func fromBool(to executor.DType) Load {
	switch to {
	case arg.U8, arg.I8:
		return each(func(x uint8) uint8 { return truth(x != 0) })
	case arg.I16, arg.U16:
		return each(func(x uint8) uint16 { return uint16(truth(x != 0)) })
	case arg.I32, arg.U32:
		return each(func(x uint8) uint32 { return uint32(truth(x != 0)) })
	case arg.I64, arg.U64:
		return each(func(x uint8) uint64 { return uint64(truth(x != 0)) })
	case arg.F32:
		return each(func(x uint8) float32 { return float32(truth(x != 0)) })
	case arg.F64:
		return each(func(x uint8) float64 { return float64(truth(x != 0)) })
	case arg.F16:
		return each(func(x uint8) uint16 { return F32ToF16(float32(truth(x != 0))) })
	case arg.BF16:
		return each(func(x uint8) uint16 { return F32ToBF16(float32(truth(x != 0))) })
	case arg.C64:
		return each(func(x uint8) complex64 { return complex(float32(truth(x != 0)), 0) })
	case arg.C128:
		return each(func(x uint8) complex128 { return complex(float64(truth(x != 0)), 0) })
	}
	return nil
}

func fromInt[S integer](to executor.DType) Load {
	switch to {
	case arg.U8:
		return cast[S, uint8]
	case arg.I8:
		return cast[S, int8]
	case arg.I16:
		return cast[S, int16]
	case arg.I32:
		return cast[S, int32]
	case arg.I64:
		return cast[S, int64]
	case arg.U16:
		return cast[S, uint16]
	case arg.U32:
		return cast[S, uint32]
	case arg.U64:
		return cast[S, uint64]
	case arg.F32:
		return cast[S, float32]
	case arg.F64:
		return cast[S, float64]
	}
	return narrow[S](to)
}

func fromFloat[S float](to executor.DType) Load {
	switch to {
	case arg.U8:
		return truncate[S, uint8]
	case arg.I8:
		return truncateNarrow[S, int8]
	case arg.I16:
		return truncateNarrow[S, int16]
	case arg.I32:
		return truncateNarrow[S, int32]
	case arg.I64:
		return truncate[S, int64]
	case arg.U16:
		return truncateNarrow[S, uint16]
	case arg.U32:
		return truncate[S, uint32]
	case arg.U64:
		return truncate[S, uint64]
	case arg.F32:
		return cast[S, float32]
	case arg.F64:
		return cast[S, float64]
	}
	return narrow[S](to)
}

// truncate goes through int64, truncateNarrow through int32, as x86 code compiled from PyTorch does.
func truncate[S float, T integer](dst, src []byte, off, stride, n int) {
	d, s := executor.SliceBytes[T](dst)[:n], executor.SliceBytes[S](src)
	for i := range d {
		d[i] = T(arg.Truncate(float64(s[off])))
		off += stride
	}
}

func truncateNarrow[S float, T integer](dst, src []byte, off, stride, n int) {
	d, s := executor.SliceBytes[T](dst)[:n], executor.SliceBytes[S](src)
	for i := range d {
		d[i] = T(truncate32(float64(s[off])))
		off += stride
	}
}

func truncateI32(dst, src []byte, off, stride, n int) {
	if stride != 1 {
		truncateNarrow[float32, int32](dst, src, off, stride, n)
		return
	}
	fmath.Truncate(executor.SliceBytes[int32](dst)[:n], executor.SliceBytes[float32](src)[off:off+n])
}

func toBool[S realNumber](dst, src []byte, off, stride, n int) {
	d, s := dst[:n], executor.SliceBytes[S](src)
	if stride == 1 {
		for i, v := range s[off : off+n] {
			d[i] = truth(v != 0)
		}
		return
	}
	for i := range d {
		d[i] = truth(s[off] != 0)
		off += stride
	}
}

var zeros [Block]float32

func boolF32(dst, src []byte, off, stride, n int) {
	if stride != 1 {
		toBool[float32](dst, src, off, stride, n)
		return
	}
	for d, s := dst[:n], executor.SliceBytes[float32](src)[off:off+n]; len(d) > 0; {
		k := min(len(d), Block)
		fmath.Unequal(d[:k], s[:k], zeros[:k])
		d, s = d[k:], s[k:]
	}
}

func storeF16(dst, src []byte, off, stride, n int) {
	d, s := executor.SliceBytes[uint16](dst)[:n], executor.SliceBytes[float32](src)
	if stride == 1 {
		fmath.ToHalf(d, s[off:off+n])
		return
	}
	for i := range d {
		d[i] = F32ToF16(s[off])
		off += stride
	}
}

func storeBF16(dst, src []byte, off, stride, n int) {
	d, s := executor.SliceBytes[uint16](dst)[:n], executor.SliceBytes[float32](src)
	if stride == 1 {
		fmath.ToBrain(d, s[off:off+n])
		return
	}
	for i := range d {
		d[i] = F32ToBF16(s[off])
		off += stride
	}
}

// narrow is the rest of the types that integers and floats convert to alike.
func narrow[S realNumber](to executor.DType) Load {
	switch to {
	case arg.Bool:
		return toBool[S]
	case arg.F16:
		return each(func(x S) uint16 { return F32ToF16(float32(x)) })
	case arg.BF16:
		return each(func(x S) uint16 { return F32ToBF16(float32(x)) })
	case arg.C64:
		return each(func(x S) complex64 { return complex(float32(x), 0) })
	case arg.C128:
		return each(func(x S) complex128 { return complex(float64(x), 0) })
	}
	return nil
}

func fromF16(to executor.DType) Load {
	if to == arg.F32 {
		return loadF16
	}
	return fromHalf(F16ToF32, to)
}

func fromBF16(to executor.DType) Load {
	if to == arg.F32 {
		return loadBF16
	}
	return fromHalf(BF16ToF32, to)
}

func fromHalf(wide func(uint16) float32, to executor.DType) Load {
	switch to {
	case arg.U8:
		return each(func(x uint16) uint8 { return uint8(arg.Truncate(float64(wide(x)))) })
	case arg.I8:
		return each(func(x uint16) int8 { return int8(truncate32(float64(wide(x)))) })
	case arg.I16:
		return each(func(x uint16) int16 { return int16(truncate32(float64(wide(x)))) })
	case arg.I32:
		return each(func(x uint16) int32 { return truncate32(float64(wide(x))) })
	case arg.I64:
		return each(func(x uint16) int64 { return arg.Truncate(float64(wide(x))) })
	case arg.U16:
		return each(func(x uint16) uint16 { return uint16(truncate32(float64(wide(x)))) })
	case arg.U32:
		return each(func(x uint16) uint32 { return uint32(arg.Truncate(float64(wide(x)))) })
	case arg.U64:
		return each(func(x uint16) uint64 { return uint64(arg.Truncate(float64(wide(x)))) })
	case arg.F64:
		return each(func(x uint16) float64 { return float64(wide(x)) })
	case arg.F16:
		return each(func(x uint16) uint16 { return F32ToF16(wide(x)) })
	case arg.BF16:
		return each(func(x uint16) uint16 { return F32ToBF16(wide(x)) })
	case arg.Bool:
		return each(func(x uint16) uint8 { return truth(wide(x) != 0) })
	case arg.C64:
		return each(func(x uint16) complex64 { return complex(wide(x), 0) })
	case arg.C128:
		return each(func(x uint16) complex128 { return complex(float64(wide(x)), 0) })
	}
	return nil
}

func loadF16(dst, src []byte, off, stride, n int) {
	d, s := executor.SliceBytes[float32](dst)[:n], executor.SliceBytes[uint16](src)
	if stride == 1 {
		fmath.FromHalf(d, s[off:off+n])
		return
	}
	for i := range d {
		d[i] = F16ToF32(s[off])
		off += stride
	}
}

func loadBF16(dst, src []byte, off, stride, n int) {
	d, s := executor.SliceBytes[float32](dst)[:n], executor.SliceBytes[uint16](src)
	if stride == 1 {
		fmath.FromBrain(d, s[off:off+n])
		return
	}
	for i := range d {
		d[i] = BF16ToF32(s[off])
		off += stride
	}
}

func cast[S, T realNumber](dst, src []byte, off, stride, n int) {
	d, s := executor.SliceBytes[T](dst)[:n], executor.SliceBytes[S](src)
	if stride == 1 {
		s = s[off : off+n]
		for i := range d {
			d[i] = T(s[i])
		}
		return
	}
	for i := range d {
		d[i] = T(s[off])
		off += stride
	}
}

func each[S, T executor.Element](f func(S) T) Load {
	return func(dst, src []byte, off, stride, n int) {
		d, s := executor.SliceBytes[T](dst)[:n], executor.SliceBytes[S](src)
		for i := range d {
			d[i] = f(s[off])
			off += stride
		}
	}
}

func truth(b bool) uint8 {
	if b {
		return 1
	}
	return 0
}

func truncate32(f float64) int32 {
	if f > -2147483649 && f < 2147483648 {
		return int32(f)
	}
	return -2147483648
}

// Mover copies elements of a size unchanged; nil for sizes that no type has.
func Mover(size int) Load {
	switch size {
	case 1:
		return move[uint8]
	case 2:
		return move[uint16]
	case 4:
		return move[uint32]
	case 8:
		return move[uint64]
	case 16:
		return move[complex128]
	}
	return nil
}

func move[T executor.Element](dst, src []byte, off, stride, n int) {
	d, s := executor.SliceBytes[T](dst)[:n], executor.SliceBytes[T](src)
	if stride == 1 {
		copy(d, s[off:off+n])
		return
	}
	if stride == 0 {
		x := s[off]
		for i := range d {
			d[i] = x
		}
		return
	}
	for i := range d {
		d[i] = s[off]
		off += stride
	}
}
