package walk

import (
	"encoding/binary"
	"math"

	"github.com/ptero-rt/ptero/backends/cpu/arg"
	"github.com/ptero-rt/ptero/backends/cpu/fmath"
	"github.com/ptero-rt/ptero/backends/cpu/lanes"
	"github.com/ptero-rt/ptero/backends/cpu/plane"
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

// Loader gives the conversion between two types, nil for types that nothing converts.
func Loader(from, to executor.DType) Load {
	switch {
	case from == to:
		return Mover(from.Size())
	case arg.Complex.Has(from):
		return fromComplex(from, to)
	case arg.Complex.Has(to):
		return toComplex(from, to)
	}
	if load := vectorised[types{from, to}]; load != nil {
		return load
	}
	switch from {
	case arg.Bool:
		return fromBool(to)
	case arg.U8:
		return fromInt[uint8](from, to)
	case arg.I8:
		return fromInt[int8](from, to)
	case arg.I16:
		return fromInt[int16](from, to)
	case arg.I32:
		return fromInt[int32](from, to)
	case arg.I64:
		return fromInt[int64](from, to)
	case arg.U16:
		return fromInt[uint16](from, to)
	case arg.U32:
		return fromInt[uint32](from, to)
	case arg.U64:
		return fromInt[uint64](from, to)
	case arg.F32:
		switch to {
		case arg.F16:
			return f32ToHalf(ieee)
		case arg.BF16:
			return f32ToHalf(brain)
		case arg.Bool:
			return boolF32
		}
		return fromFloat[float32](to)
	case arg.F64:
		if to == arg.Bool {
			return toBool[float64](8, lanes.UnequalF64)
		}
		return fromFloat[float64](to)
	case arg.F16:
		return ieee.load(to)
	case arg.BF16:
		return brain.load(to)
	}
	return nil
}

func fromBool(to executor.DType) Load {
	switch to {
	case arg.U8, arg.I8:
		return intToBool[uint8](1)
	case arg.I16, arg.U16:
		return boolTo[uint16](1)
	case arg.U32:
		return boolTo[uint32](1)
	case arg.U64:
		return boolTo[uint64](1)
	case arg.F64:
		return boolTo(math.Float64bits(1))
	case arg.F16:
		return boolTo(F32ToF16(1))
	case arg.BF16:
		return boolTo(F32ToBF16(1))
	}
	return nil
}

// boolTo gives the bits of one for what is not 0.
func boolTo[T uint8 | uint16 | uint32 | uint64](one T) Load {
	return func(dst, src []byte, off, stride, n int) {
		d := executor.SliceBytes[T](dst)[:n]
		if stride == 1 {
			s := src[off:][:len(d)]
			for i := range d {
				d[i] = -T((uint32(s[i])+255)>>8) & one // the sum carries for what is not 0
			}
			return
		}
		for i := range d {
			d[i] = -T((uint32(src[off])+255)>>8) & one
			off += stride
		}
	}
}

func fromInt[S integer](from, to executor.DType) Load {
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
	case arg.Bool:
		return intToBool[S](from.Size())
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

// toBool has the relation of packed elements to zero in vectors.
func toBool[S realNumber](size int, unequal lanes.Relation) Load {
	return func(dst, src []byte, off, stride, n int) {
		d, s := dst[:n], executor.SliceBytes[S](src)
		if stride == 1 {
			done := unequal.Zero(d, src[off*size:], size)
			d = d[done:]
			for i, v := range s[off+done : off+n] {
				d[i] = truth(v != 0)
			}
			return
		}
		for i := range d {
			d[i] = truth(s[off] != 0)
			off += stride
		}
	}
}

func intToBool[S integer](size int) Load {
	if size == 1 {
		return bytesToBool
	}
	return toBool[S](size, [...]lanes.Relation{1: lanes.Unequal8, 2: lanes.Unequal16, 4: lanes.Unequal32, 8: lanes.Unequal64}[size])
}

// bytesToBool does eight at a time what vectors leave.
func bytesToBool(dst, src []byte, off, stride, n int) {
	d := dst[:n]
	if stride != 1 {
		for i := range d {
			d[i] = truth(src[off] != 0)
			off += stride
		}
		return
	}
	s := src[off : off+n]
	done := lanes.Unequal8.Zero(d, s, 1)
	for d, s = d[done:], s[done:]; len(d) >= 8 && len(s) >= 8; d, s = d[8:], s[8:] {
		x := binary.NativeEndian.Uint64(s)
		x |= x&0x7f7f7f7f7f7f7f7f + 0x7f7f7f7f7f7f7f7f // the upper bit of each byte that is not 0
		binary.NativeEndian.PutUint64(d, x>>7&0x0101010101010101)
	}
	for i, v := range s {
		d[i] = truth(v != 0)
	}
}

var zeros [Block]float32

func boolF32(dst, src []byte, off, stride, n int) {
	d, s := dst[:n], executor.SliceBytes[float32](src)
	if stride != 1 {
		for i := range d {
			d[i] = truth(s[off] != 0)
			off += stride
		}
		return
	}
	for s = s[off : off+n]; len(d) > 0; {
		k := min(len(d), Block)
		fmath.Unequal(d[:k], s[:k], zeros[:k])
		d, s = d[k:], s[k:]
	}
}

// narrow is the rest of the types that integers and floats convert to alike.
func narrow[S realNumber](to executor.DType) Load {
	switch to {
	case arg.F16:
		return toHalf[S](ieee)
	case arg.BF16:
		return toHalf[S](brain)
	}
	return nil
}

func cast[S, T realNumber](dst, src []byte, off, stride, n int) {
	d, s := executor.SliceBytes[T](dst)[:n], executor.SliceBytes[S](src)
	if stride == 1 {
		s = s[off : off+n]
		i := 0
		for ; i+4 <= n; i += 4 { // the loop takes as long as a conversion
			y, x := (*[4]T)(d[i:]), (*[4]S)(s[i:])
			y[0], y[1], y[2], y[3] = T(x[0]), T(x[1]), T(x[2]), T(x[3])
		}
		for ; i < n; i++ {
			d[i] = T(s[i])
		}
		return
	}
	for i := range d {
		d[i] = T(s[off])
		off += stride
	}
}

func truth(b bool) uint8 {
	if b {
		return 1
	}
	return 0
}

// Mover copies elements of a size unchanged; nil for sizes that no type has.
func Mover(size int) Load {
	if size >= len(movers) {
		return nil
	}
	return movers[size]
}

var movers = [...]Load{1: mover[uint8](1), 2: mover[uint16](2), 4: mover[uint32](4), 8: mover[uint64](8), 16: mover[complex128](16)}

func mover[T executor.Element](size int) Load {
	return func(dst, src []byte, off, stride, n int) {
		switch stride {
		case 0:
			plane.Fill(dst[:n*size], src[off*size:][:size])
		case 1:
			copy(dst[:n*size], src[off*size:][:n*size])
		default:
			d, s := executor.SliceBytes[T](dst)[:n], executor.SliceBytes[T](src)
			for i := range d {
				d[i] = s[off]
				off += stride
			}
		}
	}
}
