package nn_test

import (
	"context"
	"math"
	"os"
	"path/filepath"
	"runtime"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/ptero-rt/ptero"
	"github.com/ptero-rt/ptero/backends/cpu/cortexm"
	"github.com/ptero-rt/ptero/backends/cpu/nn"
	"github.com/ptero-rt/ptero/backends/cpu/quant"
	"github.com/ptero-rt/ptero/executor"
	"github.com/ptero-rt/ptero/fixtures"
	"github.com/ptero-rt/ptero/hal/sim"
	"github.com/ptero-rt/ptero/memory"
)

// TestRunsAllocateNothing runs every program of the corpus that is about a dense or a quantised operator.
func TestRunsAllocateNothing(t *testing.T) {
	var files []string
	for _, op := range append(append(nn.Ops(), quant.Ops()...), cortexm.Ops()...) {
		list, err := filepath.Glob(fixtures.Path("cpu", "ops", strings.ReplaceAll(op.Name, "::", "."), "*.bpte"))
		require.NoError(t, err)
		files = append(files, list...)
	}
	more, err := filepath.Glob(fixtures.Path("cpu", "models", "cortex_m_ops", "*.bpte"))
	require.NoError(t, err)
	files = append(files, more...)
	if len(files) == 0 {
		t.Skip("the corpus is not in fixtures/cpu")
	}
	board, err := sim.Host()
	require.NoError(t, err)
	defer board.Close()
	space := memory.NewSpace(board)
	for _, file := range files {
		m, err := ptero.Open(file, ptero.In(space), ptero.Threads(1))
		require.NoError(t, err, file)
		f, err := m.Load("forward")
		require.NoError(t, err, file)
		for i := range f.NumInputs() {
			if v := f.Input(i); v.Tensor() != nil {
				require.NoError(t, f.SetInputTensor(i, executor.NewTensorOrder(v.Tensor().DType, v.Tensor().Sizes, v.Tensor().DimOrder, nil)))
			}
		}
		require.NoError(t, f.Run(context.Background()), file)
		if n := testing.AllocsPerRun(3, func() { err = f.Run(context.Background()) }); n != 0 {
			t.Errorf("%v allocations: %s", n, file)
		}
		require.NoError(t, err, file)
		require.NoError(t, f.Close())
		require.NoError(t, m.Close())
	}
}

// TestWorkersAllocateNothing counts what whole networks allocate on four workers, which AllocsPerRun cannot: it allows one
// core only.
func TestWorkersAllocateNothing(t *testing.T) {
	for _, name := range []string{"resnet18_small_64", "mobilenet_v2_035_96", "vit_tiny_32"} {
		file := fixtures.Path("cpu", "models", name, "portable_f32.bpte")
		if _, err := os.Stat(file); err != nil {
			t.Skipf("%s is not in fixtures/cpu", name)
		}
		m, err := ptero.Open(file, ptero.Threads(4))
		require.NoError(t, err)
		f, err := m.Load("forward")
		require.NoError(t, err)
		x := f.Input(0).Tensor()
		require.NoError(t, f.SetInputTensor(0, executor.NewTensorOrder(x.DType, x.Sizes, x.DimOrder, nil)))
		require.NoError(t, f.Run(context.Background()))
		const runs = 10
		least := uint64(math.MaxUint64) // the runtime's own goroutines may allocate now and then, but not again and again
		for attempt := 0; attempt < 3 && least >= runs; attempt++ {
			var before, after runtime.MemStats
			runtime.ReadMemStats(&before)
			for range runs {
				require.NoError(t, f.Run(context.Background()))
			}
			runtime.ReadMemStats(&after)
			least = min(least, after.Mallocs-before.Mallocs)
		}
		require.Less(t, least, uint64(runs), name)
		require.NoError(t, f.Close())
		require.NoError(t, m.Close())
	}
}
