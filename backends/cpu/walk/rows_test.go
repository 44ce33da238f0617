package walk_test

import (
	"fmt"
	"math/rand/v2"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/ptero-rt/ptero/backends/cpu/arg"
	"github.com/ptero-rt/ptero/backends/cpu/walk"
	"github.com/ptero-rt/ptero/executor"
)

type copyRows struct{}

func (copyRows) Row(_, _ int, outs *[3][]byte, in []byte) { copy(outs[0], in) }

// TestRowsOfEverySize copies rows of elements of each size from one dim order to another.
func TestRowsOfEverySize(t *testing.T) {
	r := rand.New(rand.NewPCG(4, 5))
	order := func(rank int) []uint8 {
		list := make([]uint8, rank)
		for i, d := range r.Perm(rank) {
			list[i] = uint8(d)
		}
		return list
	}
	for range 200 {
		d := []executor.DType{arg.U8, arg.F16, arg.I32, arg.F64, arg.C128}[r.IntN(5)]
		sizes := []int{1 + r.IntN(20), 1 + r.IntN(20), 1 + r.IntN(20)}
		x, y := executor.NewTensorOrder(d, sizes, order(3), nil), executor.NewTensorOrder(d, sizes, order(3), nil)
		for i := range x.Data {
			x.Data[i] = byte(r.Uint32())
		}
		rows := walk.Rows{Kernel: copyRows{}}
		require.NoError(t, rows.Plan(x, 1<<r.IntN(3), d, walk.Out{Tensor: y, As: d}))
		require.NoError(t, rows.Run(executor.ScopeFor(nil, rows.Needs())))
		size := d.Size()
		element := func(t *executor.Tensor, i, j, k int) []byte {
			at := i*t.Strides[0] + j*t.Strides[1] + k*t.Strides[2]
			return t.Data[at*size : (at+1)*size]
		}
		for i := range sizes[0] {
			for j := range sizes[1] {
				for k := range sizes[2] {
					if got, want := element(y, i, j, k), element(x, i, j, k); string(got) != string(want) {
						require.Fail(t, fmt.Sprintf("%v%v from %v to %v at %d %d %d: %v for %v", d, sizes, x.DimOrder, y.DimOrder, i, j, k, got, want))
					}
				}
			}
		}
	}
}
