package walk

import (
	"math/rand/v2"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/ptero-rt/ptero/backends/cpu/arg"
	"github.com/ptero-rt/ptero/executor"
)

// randomViews makes two views of one random shape: out is packed in a random order of dimensions or a slice of such a
// tensor, in has any strides. need is how many elements either side must have.
func randomViews(r *rand.Rand) (to, from View, need [2]int) {
	rank := r.IntN(6)
	to.N, to.Rank = 1, rank
	size := []int{1, 2, 3, 4, 7, 8, 16, 33, 64, 200}
	for d := range rank {
		n := size[r.IntN(len(size))]
		if to.N*n > 1<<17 {
			n = 1 + r.IntN(2)
		}
		to.Size[d] = n
		to.N *= n
	}
	from.N, from.Rank, from.Size = to.N, rank, to.Size
	lay := func(v *View, gaps bool) int {
		n := 1
		for _, d := range r.Perm(rank) {
			v.Stride[d] = n
			n *= v.Size[d]
			if gaps && r.IntN(4) == 0 {
				n += r.IntN(5)
			}
		}
		return n
	}
	need[0] = lay(&to, r.IntN(2) == 0)
	need[1] = lay(&from, r.IntN(2) == 0)
	if r.IntN(3) == 0 { // logical order on both sides, but for gaps
		n := 1
		for d := rank - 1; d >= 0; d-- {
			to.Stride[d], from.Stride[d] = n, n
			n *= to.Size[d]
			if d == rank-1 {
				n += r.IntN(3)
			}
		}
		need = [2]int{n, n}
	}
	for d := range rank {
		switch r.IntN(8) {
		case 0: // one element for all
			from.Stride[d] = 0
		case 1: // backwards
			from.Base += (from.Size[d] - 1) * from.Stride[d]
			from.Stride[d] = -from.Stride[d]
		}
	}
	return to, from, need
}

// places lists where the elements of a view lie, in row-major order of its sizes.
func placesOf(v *View) []int {
	at := []int{v.Base}
	for d := range v.Rank {
		next := make([]int, 0, len(at)*v.Size[d])
		for _, p := range at {
			for i := range v.Size[d] {
				next = append(next, p+i*v.Stride[d])
			}
		}
		at = next
	}
	return at
}

// TestPath compares paths between random views, in any number of parts, with moving elements one by one.
func TestPath(t *testing.T) {
	r := rand.New(rand.NewPCG(3, 4))
	load := Loader(arg.I16, arg.I32)
	for range 250 {
		to, from, need := randomViews(r)
		size := []int{1, 2, 4, 8, 16}[r.IntN(5)]
		var p Path
		p.Lay(&to, &from, size)
		require.Equal(t, to.N, p.N())
		in, narrow := make([]byte, need[1]*size), make([]byte, need[1]*2)
		for i := range in {
			in[i] = byte(r.Uint32())
		}
		for i := range executor.SliceBytes[int16](narrow) {
			executor.SliceBytes[int16](narrow)[i] = int16(i)
		}
		want, converted := make([]byte, need[0]*size), make([]byte, need[0]*4)
		a, b := placesOf(&to), placesOf(&from)
		for k, at := range a {
			copy(want[at*size:][:size], in[b[k]*size:])
			executor.SliceBytes[int32](converted)[at] = int32(int16(b[k]))
		}
		for _, parts := range []int{1, 2, 5, MaxParts} {
			p.Lay(&to, &from, size)
			got := make([]byte, len(want))
			for part := range parts {
				p.Move(got, in, parts, part)
			}
			require.Equal(t, want, got, "%+v, %d parts", p, parts)
			p.Lay(&to, &from, 4)
			got = make([]byte, len(converted))
			for part := range parts {
				p.Convert(load, got, narrow, parts, part, make([]byte, 4*Block))
			}
			require.Equal(t, converted, got, "%+v, %d parts", p, parts)
		}
	}
}
