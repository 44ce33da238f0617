package walk

import (
	"math/rand/v2"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/ptero-rt/ptero/backends/cpu/arg"
	"github.com/ptero-rt/ptero/executor"
)

// Short runs gathered together are those gathered one by one, from any position on and in pieces of any length.
func TestShortRuns(t *testing.T) {
	r := rand.New(rand.NewPCG(9, 10))
	src := make([]byte, 1<<15)
	for i := range src {
		src[i] = byte(r.Uint32())
	}
	for range 300 {
		v := View{N: 1, Rank: 2 + r.IntN(3)}
		for d := range v.Rank {
			v.Size[d], v.Stride[d] = 2+r.IntN(6), r.IntN(5)
			v.N *= v.Size[d]
		}
		size := 1 << r.IntN(5)
		load := Mover(size)
		var a, b Cursor
		p := r.IntN(v.N)
		v.Seek(&a, p)
		v.Seek(&b, p)
		for p < v.N {
			n := min(1+r.IntN(100), v.N-p)
			want, got := make([]byte, n*size), make([]byte, n*size)
			v.Gather(&a, load, want, src, size, n)
			v.gatherShort(&b, load, got, src, size, n)
			require.Equal(t, want, got)
			require.Equal(t, a, b)
			p += n
		}
	}
}

// Blocks that are kept because what they hold comes again are what gathering would give.
func TestFetchRepeats(t *testing.T) {
	r := rand.New(rand.NewPCG(13, 14))
	src := make([]byte, 1<<12)
	for i := range src {
		src[i] = byte(r.Uint32())
	}
	for range 2000 {
		v := View{N: 1, Rank: 1 + r.IntN(4)}
		for d := range v.Rank {
			v.Size[d], v.Stride[d] = 2+r.IntN(5), r.IntN(3)
			v.N *= v.Size[d]
		}
		tensor := &executor.Tensor{DType: arg.I32}
		x := &mixed{}
		x.in[0] = input{Operand: Operand{Tensor: tensor, Type: arg.I32}, load: Mover(4), mode: gather, size: 4}
		x.views[0] = v
		var a Cursor
		var g gathering
		p, step := r.IntN(v.N), 1+r.IntN(40)
		v.Seek(&a, p)
		v.Seek(&g.cur[0], p)
		temp := make([]byte, 4*step)
		for p < v.N {
			n := min(step, v.N-p)
			want := make([]byte, n*4)
			v.Gather(&a, Mover(4), want, src, 4, n)
			require.Equal(t, want, x.fetch(0, &g, src, temp, n))
			require.Equal(t, a, g.cur[0])
			p += n
		}
	}
}
