// Package optest holds what the tests of operators share: calls without a program around them, and tensors whose dim
// order is as random as their elements.
package optest

import (
	"math/rand/v2"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/ptero-rt/ptero/backends/cpu/arg"
	"github.com/ptero-rt/ptero/backends/cpu/walk"
	"github.com/ptero-rt/ptero/executor"
	"github.com/ptero-rt/ptero/internal/workers"
)

// Call prepares an operator and runs it with as many workers as the pool has (nil: one), in no more temp memory than it
// stated. With one worker it runs again, and wants no allocation then. It gives the operator's error.
func Call(t testing.TB, w *workers.Pool, op executor.Op, args ...*executor.Value) error {
	t.Helper()
	state, needs, err := op.Prepare(args)
	if err != nil {
		return err
	}
	s := executor.ScopeFor(w, needs)
	if err := op.Run(s, state, args); err != nil {
		return err
	}
	if w.Size() == 1 {
		require.Zero(t, testing.AllocsPerRun(2, func() { // one run may meet an allocation of the runtime's own
			s.Reset()
			err = op.Run(s, state, args)
		}), op.Name)
	}
	return err
}

// Random makes a tensor of a random dim order, or half the time in row-major order, of the numbers that next gives.
func Random(r *rand.Rand, d executor.DType, next func() float64, sizes ...int) *executor.Tensor {
	order := make([]uint8, len(sizes))
	for i, p := range r.Perm(len(sizes)) {
		order[i] = uint8(p)
	}
	if r.IntN(2) == 0 {
		for i := range order {
			order[i] = uint8(i)
		}
	}
	t := executor.NewTensorOrder(d, sizes, order, nil)
	size := d.Size()
	for i := range t.NumElements() {
		walk.Put(t.Data[i*size:(i+1)*size], d, arg.Scalar{Kind: executor.KindDouble, F: next()})
	}
	return t
}

// At is the number at a logical index of a tensor, or of what it broadcasts to.
func At(t *executor.Tensor, index ...int) float64 {
	off := 0
	lead := len(index) - t.Rank()
	for d, n := range t.Sizes {
		if n > 1 {
			off += index[d+lead] * t.Strides[d]
		}
	}
	return walk.Get(t.Data, t.DType, off).Float()
}
