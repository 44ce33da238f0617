package cpu_test

import (
	"math"
	"math/cmplx"
	"math/rand/v2"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/ptero-rt/ptero/backends/cpu/arg"
	"github.com/ptero-rt/ptero/executor"
)

// complexAt reads one element of a complex or real tensor.
func complexAt(t *executor.Tensor, index []int) complex128 {
	off := 0
	for d, i := range index {
		off += i * t.Strides[d]
	}
	switch t.DType {
	case arg.C64:
		return complex128(executor.Slice[complex64](t)[off])
	case arg.C128:
		return executor.Slice[complex128](t)[off]
	}
	return complex(at(t, index), 0)
}

// Complex transforms along any dimensions, none included, against the definition, and those of reals against them. Results
// do not depend on the number of workers.
func TestFourierByDefinition(t *testing.T) {
	r := rand.New(rand.NewPCG(21, 22))
	all := pools(t)
	for range 40 {
		sizes := []int{1 + r.IntN(5), 1 + r.IntN(10), 1 + r.IntN(20)}
		var dims []int64
		for _, d := range r.Perm(3)[:r.IntN(4)] {
			dims = append(dims, int64(d))
		}
		for _, types := range [][2]executor.DType{{arg.F32, arg.C64}, {arg.F64, arg.C128}} {
			tolerance := 1e-11
			if types[0] == arg.F32 {
				tolerance = 2e-3
			}
			signal := random(r, types[0], sizes...)
			x, y, inverse := ordered(r, types[1], sizes...), ordered(r, types[1], sizes...), ordered(r, types[1], sizes...)
			each(sizes, func(i []int) {
				off := i[0]*x.Strides[0] + i[1]*x.Strides[1] + i[2]*x.Strides[2]
				if v := complex(at(signal, i), 0); types[0] == arg.F32 {
					executor.Slice[complex64](x)[off] = complex64(v)
				} else {
					executor.Slice[complex128](x)[off] = v
				}
			})
			list := executor.NewInts(dims...)
			var first []byte
			for _, w := range all {
				require.NoError(t, call(t, w, "aten::_fft_c2c.out", val(x), list, executor.NewInt(1), executor.NewBool(true), val(y)))
				if first == nil {
					first = append(first, y.Data...)
				}
				require.Equal(t, first, y.Data)
			}
			require.NoError(t, call(t, nil, "aten::_fft_c2c.out", val(y), list, executor.NewInt(1), executor.NewBool(false), val(inverse)))
			whole := ordered(r, types[1], sizes...)
			if len(dims) > 0 {
				require.NoError(t, call(t, nil, "aten::_fft_r2c.out", val(signal), list, executor.NewInt(1), executor.NewBool(false), val(whole)))
			}
			each(sizes, func(k []int) {
				require.Less(t, cmplx.Abs(complexAt(x, k)-complexAt(inverse, k)), tolerance)
				if len(dims) > 0 {
					require.Less(t, cmplx.Abs(complexAt(whole, k)-complexAt(y, k)), tolerance)
				}
				if r.IntN(20) > 0 {
					return
				}
				var want complex128
				scale := 1.0
				for _, d := range dims {
					scale /= math.Sqrt(float64(sizes[d]))
				}
				each(sizes, func(i []int) {
					angle, hit := 0.0, [3]bool{}
					for _, d := range dims {
						angle -= 2 * math.Pi * float64(i[d]*k[d]) / float64(sizes[d])
						hit[d] = true
					}
					for d := range 3 {
						if !hit[d] && i[d] != k[d] {
							return
						}
					}
					want += complexAt(x, i) * cmplx.Rect(scale, angle)
				})
				require.Less(t, cmplx.Abs(want-complexAt(y, k)), tolerance, "%v of %v", dims, sizes)
			})
		}
	}
}
