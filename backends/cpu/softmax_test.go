package cpu_test

import (
	"math/rand/v2"
	"slices"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/ptero-rt/ptero/backends/cpu/arg"
	"github.com/ptero-rt/ptero/executor"
)

var softmaxes = []string{"aten::_softmax.out", "aten::_log_softmax.out"}

func along(dim int) []*executor.Value {
	return []*executor.Value{executor.NewInt(int64(dim)), executor.NewBool(false)}
}

// The output may be the input.
func TestSoftmaxInPlace(t *testing.T) {
	r := rand.New(rand.NewPCG(1, 5))
	for _, w := range pools(t) {
		for _, d := range []executor.DType{arg.F32, arg.F64, arg.F16, arg.BF16} {
			for _, sizes := range [][]int{{}, {7}, {1300}, {2, 3, 40}, {40, 3, 2}, {5, 600}, {600, 5}, {20, 30, 40}, {300, 4, 70}} {
				for dim := range max(1, len(sizes)) {
					for _, name := range softmaxes {
						x := random(r, d, sizes...)
						want := executor.NewTensorOrder(d, sizes, x.DimOrder, nil)
						require.NoError(t, call(t, w, name, append(append([]*executor.Value{val(x)}, along(dim)...), val(want))...))
						args := append(append([]*executor.Value{val(x)}, along(dim)...), val(x))
						state, needs, err := all[name].Prepare(args)
						require.NoError(t, err)
						require.NoError(t, all[name].Run(executor.ScopeFor(w, needs), state, args))
						require.True(t, slices.Equal(want.Data, x.Data), "%s of %v %v along %d", name, d, sizes, dim)
					}
				}
			}
		}
	}
}

// Without elements any type will do, if the output has the same.
func TestSoftmaxOfNothing(t *testing.T) {
	for _, name := range softmaxes {
		for _, d := range []executor.DType{arg.U8, arg.I8, arg.I16, arg.I32, arg.I64, arg.Bool, arg.F16, arg.F32, arg.F64, arg.C64, arg.C128} {
			for _, sizes := range [][]int{{0}, {0, 3}, {3, 0}} {
				x := val(executor.NewTensor(d, sizes, nil))
				for dim := -1; dim < len(sizes); dim++ {
					require.NoError(t, call(t, nil, name, append(append([]*executor.Value{x}, along(dim)...), val(executor.NewTensor(d, sizes, nil)))...))
				}
				require.ErrorContains(t, call(t, nil, name, append(append([]*executor.Value{x}, along(2)...), val(executor.NewTensor(d, sizes, nil)))...), "dimension")
				if !arg.Floats.Has(d) {
					require.Error(t, call(t, nil, name, append(append([]*executor.Value{x}, along(0)...), val(executor.NewTensor(arg.F32, sizes, nil)))...))
				}
			}
			if !arg.Floats.Has(d) {
				one := val(executor.NewTensor(d, nil, nil))
				require.Error(t, call(t, nil, name, append(append([]*executor.Value{one}, along(0)...), one)...), "%v", d)
			}
		}
	}
}
