package walk

import (
	"github.com/ptero-rt/ptero/backends/cpu/arg"
	"github.com/ptero-rt/ptero/executor"
)

// Fetch copies elements of a size out of the indexed tensor, Store into it.
func Fetch(size int) Exchange {
	switch size {
	case 1:
		return fetching[uint8]()
	case 2:
		return fetching[uint16]()
	case 4:
		return fetching[uint32]()
	case 8:
		return fetching[uint64]()
	}
	return fetching[complex128]()
}

func fetching[T executor.Element]() Exchange {
	return Exchange{
		run: func(t []byte, i, di int, o []byte, j, dj, n int) { stride[T](o, j, dj, t, i, di, n) },
		table: func(t []byte, at []int64, base int, o []byte, j, dj int) {
			x, y := executor.SliceBytes[T](t), executor.SliceBytes[T](o)
			x = x[base:]
			if dj == 1 {
				y = y[j:][:len(at)]
				for k, p := range at {
					y[k] = x[p]
				}
				return
			}
			for _, p := range at {
				y[j] = x[p]
				j += dj
			}
		},
	}
}

// Store copies elements of a size into the indexed tensor.
func Store(size int) Exchange {
	switch size {
	case 1:
		return storing[uint8]()
	case 2:
		return storing[uint16]()
	case 4:
		return storing[uint32]()
	case 8:
		return storing[uint64]()
	}
	return storing[complex128]()
}

func storing[T executor.Element]() Exchange {
	return Exchange{
		run: stride[T],
		table: func(t []byte, at []int64, base int, o []byte, j, dj int) {
			x, y := executor.SliceBytes[T](t), executor.SliceBytes[T](o)
			x = x[base:]
			for _, p := range at {
				x[p] = y[j]
				j += dj
			}
		},
	}
}

// Add adds elements of a type to those of the indexed tensor, each sum rounded; bools are joined. ok is false for types
// that have no sum.
func Add(d executor.DType) (e Exchange, ok bool) {
	switch d {
	case arg.Bool:
		return combine(func(a, b uint8) uint8 { return truth(a|b != 0) }), true
	case arg.U8, arg.I8:
		return sum[uint8](), true
	case arg.I16, arg.U16:
		return sum[uint16](), true
	case arg.I32, arg.U32:
		return sum[uint32](), true
	case arg.I64, arg.U64:
		return sum[uint64](), true
	case arg.F32:
		return sum[float32](), true
	case arg.F64:
		return sum[float64](), true
	case arg.C64:
		return sum[complex64](), true
	case arg.C128:
		return sum[complex128](), true
	case arg.F16:
		return combine(func(a, b uint16) uint16 { return F32ToF16(F16ToF32(a) + F16ToF32(b)) }), true
	case arg.BF16:
		return combine(func(a, b uint16) uint16 { return F32ToBF16(BF16ToF32(a) + BF16ToF32(b)) }), true
	}
	return Exchange{}, false
}

func sum[T uint8 | uint16 | uint32 | uint64 | float32 | float64 | complex64 | complex128]() Exchange {
	return Exchange{
		run: func(t []byte, i, di int, o []byte, j, dj, n int) {
			x, y := executor.SliceBytes[T](t), executor.SliceBytes[T](o)
			for range n {
				x[i] += y[j]
				i += di
				j += dj
			}
		},
		table: func(t []byte, at []int64, base int, o []byte, j, dj int) {
			x, y := executor.SliceBytes[T](t), executor.SliceBytes[T](o)
			x = x[base:]
			for _, p := range at {
				x[p] += y[j]
				j += dj
			}
		},
	}
}

func combine[T executor.Element](f func(a, b T) T) Exchange {
	return Exchange{
		run: func(t []byte, i, di int, o []byte, j, dj, n int) {
			x, y := executor.SliceBytes[T](t), executor.SliceBytes[T](o)
			for range n {
				x[i] = f(x[i], y[j])
				i += di
				j += dj
			}
		},
		table: func(t []byte, at []int64, base int, o []byte, j, dj int) {
			x, y := executor.SliceBytes[T](t), executor.SliceBytes[T](o)
			x = x[base:]
			for _, p := range at {
				x[p] = f(x[p], y[j])
				j += dj
			}
		},
	}
}

// AddWide adds elements of a 16-bit float type to those of an indexed tensor that is held in f32.
func AddWide(d executor.DType) Exchange {
	if d == arg.F16 {
		return sumWide(F16ToF32)
	}
	return sumWide(BF16ToF32)
}

func sumWide(wide func(uint16) float32) Exchange {
	return Exchange{
		run: func(t []byte, i, di int, o []byte, j, dj, n int) {
			x, y := executor.SliceBytes[float32](t), executor.SliceBytes[uint16](o)
			for range n {
				x[i] += wide(y[j])
				i += di
				j += dj
			}
		},
		table: func(t []byte, at []int64, base int, o []byte, j, dj int) {
			x, y := executor.SliceBytes[float32](t)[base:], executor.SliceBytes[uint16](o)
			for _, p := range at {
				x[p] += wide(y[j])
				j += dj
			}
		},
	}
}
