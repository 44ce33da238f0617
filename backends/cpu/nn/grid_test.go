package nn_test

import (
	"fmt"
	"math"
	"slices"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/ptero-rt/ptero/backends/cpu/arg"
	"github.com/ptero-rt/ptero/backends/cpu/nn"
	"github.com/ptero-rt/ptero/backends/cpu/walk"
	"github.com/ptero-rt/ptero/executor"
)

// gridCases are what eager PyTorch 2.15 gives on the CPU for a 5 × 7 image of (37·i mod 23) / 8 − 1 and the positions of gridPoints:
// 16-bit floats are rounded after every operation, a position that is no number is the start for padding and spoils weights.
var gridCases = []struct {
	d             executor.DType
	mode, padding int64
	align         bool
	want          []float64
}{
	{arg.F16, 0, 0, false, []float64{0.911132812, 0.580566406, 0.135986328, 0, 0, 0.769042969}},
	{arg.F16, 0, 0, true, []float64{0.691894531, 0.577636719, 0.516601562, 0, 0, 1.359375}},
	{arg.F16, 0, 1, false, []float64{1.11816406, 0.580566406, 0.135986328, 0.875, 0.72265625, 1.37695312}},
	{arg.F16, 0, 1, true, []float64{0.691894531, 0.577636719, 0.516601562, 0.875, 1.24902344, 1.359375}},
	{arg.F16, 0, 2, false, []float64{1.11816406, 0.580566406, 0.135986328, 0.354980469, 0.79296875, 1.37695312}},
	{arg.F16, 0, 2, true, []float64{0.691894531, 0.577636719, 0.516601562, 0.603027344, 1.07421875, 1.359375}},
	{arg.F16, 1, 0, false, []float64{1.25, 0.25, -0.5, 0, 0, 1.5}},
	{arg.F16, 1, 0, true, []float64{1.25, 1, 0.625, 0, 0, 1.5}},
	{arg.F16, 1, 1, false, []float64{1.25, 0.25, -0.5, 0.875, 1.25, 1.5}},
	{arg.F16, 1, 1, true, []float64{1.25, 1, 0.625, 0.875, 1.25, 1.5}},
	{arg.F16, 1, 2, false, []float64{1.25, 0.25, -0.5, 0.625, 1.375, 1.5}},
	{arg.F16, 1, 2, true, []float64{1.25, 1, 0.625, 0.625, 1.375, 1.5}},
	{arg.F16, 2, 0, false, []float64{1.25585938, 0.631835938, -0.0818481445, 0, 0, 0.937011719}},
	{arg.F16, 2, 0, true, []float64{1.02734375, 0.649414062, 0.516113281, 0.00151824951, 0, 1.54492188}},
	{arg.F16, 2, 1, false, []float64{1.47460938, 0.588867188, -0.0184783936, 0.873046875, 0.854492188, 1.59863281}},
	{arg.F16, 2, 1, true, []float64{0.886230469, 0.630371094, 0.536621094, 0.875488281, 1.24804688, 1.49414062}},
	{arg.F16, 2, 2, false, []float64{1.50292969, 0.588867188, -0.0184783936, 0.177368164, 1.03222656, 1.66015625}},
	{arg.F16, 2, 2, true, []float64{1.06347656, 0.628417969, 0.483154297, 0.634765625, 1.1953125, 1.51953125}},
	{arg.BF16, 0, 0, false, []float64{0.8984375, 0.5859375, 0.15625, 0, 0, 0.7734375}},
	{arg.BF16, 0, 0, true, []float64{0.6875, 0.58984375, 0.53125, 0, 0, 1.359375}},
	{arg.BF16, 0, 1, false, []float64{1.109375, 0.5859375, 0.15625, 0.875, 0.71875, 1.375}},
	{arg.BF16, 0, 1, true, []float64{0.6875, 0.58984375, 0.53125, 0.875, 1.25, 1.359375}},
	{arg.BF16, 0, 2, false, []float64{1.109375, 0.5859375, 0.15625, 0.361328125, 0.79296875, 1.375}},
	{arg.BF16, 0, 2, true, []float64{0.6875, 0.58984375, 0.53125, 0.609375, 1.046875, 1.359375}},
	{arg.BF16, 1, 0, false, []float64{1.25, 0.25, -0.5, 0, 0, 1.5}},
	{arg.BF16, 1, 0, true, []float64{1.25, 1, 0.625, 0, 0, 1.5}},
	{arg.BF16, 1, 1, false, []float64{1.25, 0.25, -0.5, 0.875, 1.25, 1.5}},
	{arg.BF16, 1, 1, true, []float64{1.25, 1, 0.625, 0.875, 1.25, 1.5}},
	{arg.BF16, 1, 2, false, []float64{1.25, 0.25, -0.5, 0.625, 1.375, 1.5}},
	{arg.BF16, 1, 2, true, []float64{1.25, 1, 0.625, 0.625, 1.375, 1.5}},
	{arg.BF16, 2, 0, false, []float64{1.265625, 0.609375, -0.0512695312, 0, 0, 0.9609375}},
	{arg.BF16, 2, 0, true, []float64{1.015625, 0.68359375, 0.55078125, 0.00213623047, 0, 1.5546875}},
	{arg.BF16, 2, 1, false, []float64{1.5078125, 0.57421875, 0.0133056641, 0.8671875, 0.875, 1.6171875}},
	{arg.BF16, 2, 1, true, []float64{0.87109375, 0.64453125, 0.5859375, 0.875, 1.28125, 1.5078125}},
	{arg.BF16, 2, 2, false, []float64{1.5078125, 0.57421875, 0.0133056641, 0.203125, 1.046875, 1.6796875}},
	{arg.BF16, 2, 2, true, []float64{1.0625, 0.640625, 0.490234375, 0.62109375, 1.1875, 1.53125}},
	{arg.F32, 0, 0, false, []float64{0.911781192, 0.580914497, 0.136937737, 0, 0, 0.767760813, math.NaN(), math.NaN()}},
	{arg.F32, 0, 1, false, []float64{1.1187501, 0.580914497, 0.136937737, 0.875, 0.724062085, 1.3771497, 0.875, 0.0625}},
	{arg.F32, 0, 2, false, []float64{1.1187501, 0.580914497, 0.136937737, 0.354218781, 0.793248236, 1.3771497, 0.875, 1.0625}},
	{arg.F32, 1, 0, false, []float64{1.25, 0.25, -0.5, 0, 0, 1.5, 0, 0}},
	{arg.F32, 1, 1, false, []float64{1.25, 0.25, -0.5, 0.875, 1.25, 1.5, 0.5, 0.25}},
	{arg.F32, 1, 2, false, []float64{1.25, 0.25, -0.5, 0.625, 1.375, 1.5, 0.5, 1.25}},
	{arg.F32, 2, 0, false, []float64{1.25661838, 0.630210459, -0.0810883939, 0, 0, 0.938597739, math.NaN(), math.NaN()}},
	{arg.F32, 2, 1, false, []float64{1.47276044, 0.588471889, -0.0193495955, 0.875000179, 0.852860689, 1.60095251, math.NaN(), math.NaN()}},
	{arg.F32, 2, 2, false, []float64{1.50280774, 0.588471889, -0.0193495955, 0.177847892, 1.02985716, 1.66423118, math.NaN(), math.NaN()}},
}

var gridPoints = [][2]float64{{-0.91, 0.33}, {0.257, -0.611}, {0.753, 0.121}, {1.37, -1.9}, {-2.61, 0.499}, {0.0312, 0.977}, {math.NaN(), 0.2}, {math.Inf(1), 0.3}}

func TestGridSamplerAsEager(t *testing.T) {
	op := executor.Ops{}.Add(nn.Ops()...)["aten::grid_sampler_2d.out"]
	tensor := func(d executor.DType, sizes []int, numbers ...float64) *executor.Tensor {
		t := executor.NewTensor(d, sizes, nil)
		for i, v := range numbers {
			switch d {
			case arg.F16:
				executor.Slice[uint16](t)[i] = walk.F32ToF16(float32(v))
			case arg.BF16:
				executor.Slice[uint16](t)[i] = walk.F32ToBF16(float32(v))
			default:
				executor.Slice[float32](t)[i] = float32(v)
			}
		}
		return t
	}
	var image, points []float64
	for i := range 35 {
		image = append(image, float64(37*i%23)/8-1)
	}
	for _, p := range gridPoints {
		points = append(points, p[0], p[1])
	}
	for i, c := range slices.Concat(gridCases, gridCases) {
		n, rows, times := len(c.want), 1, 1
		if i >= len(gridCases) { // more than are sampled together
			rows, times = 3, 15
		}
		y := executor.NewTensor(c.d, []int{1, 1, rows, times * n}, nil)
		args := []*executor.Value{
			executor.NewTensorValue(tensor(c.d, []int{1, 1, 5, 7}, image...)),
			executor.NewTensorValue(tensor(c.d, []int{1, rows, times * n, 2}, slices.Repeat(points[:2*n], rows*times)...)),
			executor.NewInt(c.mode), executor.NewInt(c.padding), executor.NewBool(c.align), executor.NewTensorValue(y),
		}
		state, needs, err := op.Prepare(args)
		require.NoError(t, err)
		temp := 0
		for _, need := range needs {
			temp += int(need.Bytes)
		}
		require.NoError(t, op.Run(executor.NewScope(nil, temp+64), state, args))
		name := fmt.Sprintf("%v, mode %d, padding %d, align %v", c.d, c.mode, c.padding, c.align)
		if c.d != arg.F32 {
			require.Equal(t, executor.Slice[uint16](tensor(c.d, []int{rows * times * n}, slices.Repeat(c.want, rows*times)...)), executor.Slice[uint16](y), name)
			continue
		}
		for i, v := range executor.Slice[float32](y) {
			want := c.want[i%n]
			if math.IsNaN(want) {
				require.True(t, math.IsNaN(float64(v)), "%s: %d", name, i)
				continue
			}
			require.InDelta(t, want, v, 1e-5, "%s: %d", name, i)
		}
	}
}
