package ptero_test

import (
	"context"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/ptero-rt/ptero"
	"github.com/ptero-rt/ptero/executor"
	"github.com/ptero-rt/ptero/fixtures"
)

// F23: a model closed before its method: the method says so instead of reading what is gone. Opening and closing again and
// again works.
func TestModelClosedFirst(t *testing.T) {
	for range 100 {
		m, err := ptero.Open(fixtures.Path("models", "kws_cortex_m.pte"))
		require.NoError(t, err)
		f, err := m.Load("forward")
		require.NoError(t, err)
		x := f.Input(0).Tensor()
		require.NoError(t, f.SetInputTensor(0, executor.NewTensorOrder(x.DType, x.Sizes, x.DimOrder, nil)))
		require.NoError(t, f.Run(context.Background()))
		require.NoError(t, m.Close())
		require.ErrorIs(t, f.Run(context.Background()), executor.ErrClosed)
		require.NoError(t, f.Close())
	}
}
