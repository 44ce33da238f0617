package walk

import (
	"math/bits"

	"github.com/ptero-rt/ptero/backends/cpu/arg"
	"github.com/ptero-rt/ptero/backends/cpu/plane"
	"github.com/ptero-rt/ptero/executor"
)

// Fetch copies elements of a size out of the indexed tensor, Store into it.
func Fetch(size int) *Exchange { return &fetches[class(size)] }

// Store is the opposite of Fetch.
func Store(size int) *Exchange { return &stores[class(size)] }

// class numbers the sizes 1, 2, 4, 8 and 16.
func class(size int) int { return min(max(bits.Len(uint(size)), 1), 5) - 1 }

var (
	fetches = [...]Exchange{fetching[uint8](1), fetching[uint16](2), fetching[uint32](4), fetching[uint64](8), fetching[complex128](16)}
	stores  = [...]Exchange{storing[uint8](1), storing[uint16](2), storing[uint32](4), storing[uint64](8), storing[complex128](16)}
	sums    = [...]Exchange{
		arg.Bool: combine(func(a, b uint8) uint8 { return truth(a|b != 0) }),
		arg.U8:   sum[uint8](), arg.I8: sum[uint8](), arg.I16: sum[uint16](), arg.I32: sum[uint32](), arg.I64: sum[uint64](),
		arg.U16: sum[uint16](), arg.U32: sum[uint32](), arg.U64: sum[uint64](),
		arg.F32: sum[float32](), arg.F64: sum[float64](), arg.C64: sum[complex64](), arg.C128: sum[complex128](),
		arg.F16:  combine(func(a, b uint16) uint16 { return F32ToF16(F16ToF32(a) + F16ToF32(b)) }),
		arg.BF16: combine(func(a, b uint16) uint16 { return F32ToBF16(BF16ToF32(a) + BF16ToF32(b)) }),
		arg.C32: combine(func(a, b uint32) uint32 {
			return Halves(a, b, func(x, y float32) float32 { return x + y })
		}),
	}
	wideSums = [...]Exchange{sumWide(F16ToF32), sumWide(BF16ToF32)}
)

func fetching[T executor.Element](size int) Exchange {
	return Exchange{
		run: func(t []byte, i, di int, o []byte, j, dj, n int) { stride[T](o, j, dj, t, i, di, n) },
		table: func(t []byte, at []int64, base int, o []byte, j, dj int) {
			plane.Fetch(o, j*size, dj*size, t[base*size:], at, size, size)
		},
		rows: func(t []byte, at []int64, base int, o []byte, j, dj, n int) {
			plane.Fetch(o, j*size, dj*size, t[base*size:], at, size, n*size)
		},
	}
}

func storing[T executor.Element](size int) Exchange {
	return Exchange{
		run: stride[T],
		table: func(t []byte, at []int64, base int, o []byte, j, dj int) {
			plane.Store(t[base*size:], at, size, o, j*size, dj*size, size)
		},
		rows: func(t []byte, at []int64, base int, o []byte, j, dj, n int) {
			plane.Store(t[base*size:], at, size, o, j*size, dj*size, n*size)
		},
	}
}

// Add adds elements of a type to those of the indexed tensor, each sum rounded; bools are joined. It is nil for types that
// have no sum.
func Add(d executor.DType) *Exchange {
	if d < 0 || int(d) >= len(sums) || sums[d].run == nil {
		return nil
	}
	return &sums[d]
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
func AddWide(d executor.DType) *Exchange {
	if d == arg.F16 {
		return &wideSums[0]
	}
	return &wideSums[1]
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
