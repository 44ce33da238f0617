package walk

import (
	"math"
	"math/rand/v2"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/ptero-rt/ptero/backends/cpu/arg"
	"github.com/ptero-rt/ptero/executor"
)

// Elements that are converted together, packed or not, give what each gives by itself.
func TestConversionsAgree(t *testing.T) {
	types := []executor.DType{
		arg.Bool, arg.U8, arg.I8, arg.I16, arg.I32, arg.I64, arg.U16, arg.U32, arg.U64, arg.F16, arg.BF16, arg.F32, arg.F64, arg.C32, arg.C64, arg.C128,
	}
	const n = 600
	r := rand.New(rand.NewPCG(7, 8))
	for _, from := range types {
		src := make([]byte, 16*n)
		telling := []float64{0, math.Copysign(0, -1), 1, -1, 0.5, -2.5, 127, 128, 255, 256, -129, 65504, 1e9, 3e9, -3e9, 1e18, 1e30, math.Inf(1), math.Inf(-1), math.NaN()}
		for i := range n {
			x := telling[r.IntN(len(telling))]
			if r.IntN(2) == 0 {
				x = math.Round(r.NormFloat64()*1000) / 8
			}
			Put(src[i*from.Size():], from, arg.Scalar{Kind: executor.KindDouble, F: x})
		}
		for _, to := range types {
			load := Loader(from, to)
			if load == nil {
				continue
			}
			for _, c := range []struct{ off, stride, n int }{{0, 1, n}, {3, 1, 517}, {0, 2, 300}, {n - 1, -1, n}, {7, 0, 100}, {5, 1, 3}} {
				got, want := make([]byte, c.n*to.Size()), make([]byte, 16)
				load(got, src, c.off, c.stride, c.n)
				for i := range c.n {
					load(want, src, c.off+i*c.stride, 1, 1)
					g, w := Get(got, to, i), Get(want, to, 0)
					if g.F != g.F && w.F != w.F {
						continue
					}
					require.Equal(t, w, g, "%v to %v, element %d of %+v", from, to, i, c)
				}
			}
		}
	}
}
