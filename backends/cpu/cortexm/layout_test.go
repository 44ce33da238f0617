package cortexm

import (
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/ptero-rt/ptero/backends/cpu/arg"
	"github.com/ptero-rt/ptero/executor"
)

// Nothing is padded with values and turned into nothing, whichever dimension is empty.
func TestMovesOfNothing(t *testing.T) {
	tensor := executor.NewTensorValue
	for d := range 4 {
		sizes := []int{4, 1, 3, 2}
		sizes[d] = 0
		x := tensor(executor.NewTensor(arg.I8, sizes, nil))
		turned := []int{sizes[2], sizes[0], sizes[3], sizes[1]}
		y := executor.NewTensor(arg.I8, turned, nil)
		run(t, transpose(), x, executor.NewInts(2, 0, 3, 1), tensor(y))
		padded := []int{sizes[0] + 2, sizes[1] + 3, sizes[2] + 1, sizes[3] + 4}
		if channelsLast(x.Tensor()) {
			padded = []int{sizes[0] + 2, sizes[1] + 4, sizes[2] + 3, sizes[3] + 1}
		}
		y = executor.NewTensor(arg.I8, padded, nil)
		run(t, pad(), x, executor.NewInts(2, 0, 0, 3), executor.NewInts(0, 3, 1, 1), executor.NewInt(7), tensor(y))
		for _, v := range executor.Slice[int8](y) {
			require.Equal(t, int8(7), v)
		}
	}
}

func run(t *testing.T, op executor.Op, args ...*executor.Value) {
	t.Helper()
	state, needs, err := op.Prepare(args)
	require.NoError(t, err)
	require.NoError(t, op.Run(executor.ScopeFor(nil, needs), state, args))
}
