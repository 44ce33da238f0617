package walk

import (
	"math/rand/v2"
	"testing"

	"github.com/stretchr/testify/require"
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
