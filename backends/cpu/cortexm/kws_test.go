package cortexm_test

import (
	"context"
	"encoding/binary"
	"encoding/json"
	"math"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/ptero-rt/ptero"
	"github.com/ptero-rt/ptero/executor"
	"github.com/ptero-rt/ptero/fixtures"
	"github.com/ptero-rt/ptero/internal/npy"
)

// TestKeywordSpottingIsExact runs the real keyword spotter on its ten recorded words: every output must be the number of
// steps that an independent emulation of the CMSIS-NN arithmetic found, and the word must come out on top.
func TestKeywordSpottingIsExact(t *testing.T) {
	var want struct {
		Scale float64
		Steps map[string][]int
	}
	require.NoError(t, json.Unmarshal(fixtures.Read(t, "models", "kws_expected.json"), &want))
	require.Len(t, want.Steps, 10)
	classes := []string{"silence", "unknown", "yes", "no", "up", "down", "left", "right", "on", "off", "stop", "go"}

	m, err := ptero.Open(fixtures.Path("models", "kws_cortex_m.pte"))
	require.NoError(t, err)
	defer m.Close()
	f, err := m.Load("forward")
	require.NoError(t, err)
	defer f.Close()
	for word, steps := range want.Steps {
		a, err := npy.ReadFile(fixtures.Path("models", "kws_inputs", word+".npy"))
		require.NoError(t, err)
		x := executor.NewTensorOrder(f.Input(0).Tensor().DType, a.Shape, f.Input(0).Tensor().DimOrder, nil)
		dst := executor.Slice[float32](x)
		for i := range dst {
			dst[i] = math.Float32frombits(binary.LittleEndian.Uint32(a.Data[4*i:]))
		}
		require.NoError(t, f.SetInputTensor(0, x))
		require.NoError(t, f.Run(context.Background()))
		top := 0
		for i, y := range executor.Slice[float32](f.Output(0).Tensor()) {
			require.Equal(t, steps[i], int(math.Round(float64(y)/want.Scale)), "%s: class %s", word, classes[i])
			if steps[i] > steps[top] {
				top = i
			}
		}
		require.Equal(t, word, classes[top])
	}
	require.Zero(t, testing.AllocsPerRun(5, func() { _ = f.Run(context.Background()) }))
}
