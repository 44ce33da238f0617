package quant

import (
	"math"
	"math/rand/v2"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/ptero-rt/ptero/backends/cpu/arg"
	"github.com/ptero-rt/ptero/backends/cpu/walk"
	"github.com/ptero-rt/ptero/executor"
)

// TestTokensGetTheirRange checks scales of rows of all lengths, types and strides; a row with NaN has no scale but NaN.
func TestTokensGetTheirRange(t *testing.T) {
	r := rand.New(rand.NewPCG(51, 52))
	for _, d := range []executor.DType{arg.F32, arg.F16, arg.BF16} {
		for range 60 {
			rows, n := 1+r.IntN(5), 1+r.IntN(40)
			if r.IntN(4) == 0 {
				n = 200 + r.IntN(400)
			}
			x := executor.NewTensorOrder(d, []int{rows, n}, [][]uint8{{0, 1}, {1, 0}}[r.IntN(2)], nil)
			want := make([]float32, rows)
			for i := range rows {
				var lo, hi, nan float32
				for j := range n {
					v := float32(r.NormFloat64() * 10)
					if r.IntN(500) == 0 {
						v = float32(math.NaN())
					}
					at := (i*x.Strides[0] + j*x.Strides[1])
					walk.Put(x.Data[at*d.Size():][:d.Size()], d, arg.Scalar{Kind: executor.KindDouble, F: float64(v)})
					v = float32(walk.Get(x.Data, d, at).F)
					lo, hi = min(lo, v), max(hi, v)
					nan += v * 0
				}
				width := rounded(float64(hi-lo), d)
				want[i] = max(float32(rounded(float64(float32(width)/255), d)), 0x1p-23) + nan
			}
			scale, zero := executor.NewTensor(arg.F64, []int{rows, 1}, nil), executor.NewTensor(arg.I64, []int{rows, 1}, nil)
			call(t, chooseParamsPerToken(), executor.NewTensorValue(x), executor.NewInt(1), executor.NewTensorValue(scale), executor.NewTensorValue(zero))
			for i, s := range executor.Slice[float64](scale) {
				if want[i] != want[i] {
					require.True(t, math.IsNaN(s), "%v × %d", d, n)
					continue
				}
				require.Equal(t, float64(want[i]), s, "%v × %d", d, n)
			}
		}
	}
}

// Parameters of halves are computed in halves; a range without a scale still gives a zero point among the codes. Expected
// values were written down from PyTorch.
func TestParametersOfHalvesAndOfInfinities(t *testing.T) {
	tensor := executor.NewTensorValue
	filled := func(d executor.DType, xs ...float64) *executor.Value {
		x := executor.NewTensor(d, []int{1, len(xs)}, nil)
		for i, v := range xs {
			walk.Put(x.Data[i*d.Size():][:d.Size()], d, arg.Scalar{Kind: executor.KindDouble, F: v})
		}
		return tensor(x)
	}
	inf := math.Inf(1)
	for _, c := range []struct {
		d        executor.DType
		xs       []float64
		lo, hi   int64
		eps      float64
		scale    float64
		zero     int64
		rowScale float64
		rowZero  int64
	}{
		{arg.F16, []float64{-0.18310546875, 1.853515625, -3.5390625, 3.544921875, 3.58984375}, -128, 127, 1e-07, 0.0279541015625, -1, 0.0279541015625, -1},
		{arg.F16, []float64{2.103515625, 1.8203125, 2.51953125, 1.2158203125, 1.90625}, -128, 127, 1e-07, 0.00988006591796875, -128, 0.00988006591796875, -128},
		{arg.F16, []float64{-575, -90.9375, -409.25, -697, -310.75}, -128, 127, 1e-07, 2.732421875, 127, 2.732421875, 127},
		{arg.F16, []float64{-1.2802734375, -0.77197265625, 1.583984375, -0.481689453125, -2.197265625}, 0, 255, 1e-07, 0.01483154296875, 148, 0.01483154296875, 20},
		{arg.F16, []float64{1.45703125, 2.01171875, 1.708984375, 1.3212890625, 2.28515625}, 0, 255, 1e-07, 0.00896453857421875, 0, 0.00896453857421875, -128},
		{arg.F16, []float64{-349.25, -472.25, -695, -17.53125, -350.5}, 0, 255, 1e-07, 2.724609375, 255, 2.724609375, 127},
		{arg.BF16, []float64{-2.734375, -2.828125, -0.53125, 0.640625, -3.671875}, -128, 127, 1e-07, 0.0169677734375, 88, 0.0169677734375, 89},
		{arg.BF16, []float64{2.15625, 2.953125, 2.65625, 1.5234375, 2.609375}, -128, 127, 1e-07, 0.0115966796875, -128, 0.0115966796875, -128},
		{arg.BF16, []float64{-96.5, -147, -242, -318, -572}, -128, 127, 1e-07, 2.25, 126, 2.25, 127},
		{arg.BF16, []float64{-2.5, -1.6484375, 0.287109375, -3.125, 2.859375}, 0, 255, 1e-07, 0.0235595703125, 133, 0.0235595703125, 6},
		{arg.BF16, []float64{2.96875, 1.25, 2.4375, 1.1640625, 1.9609375}, 0, 255, 1e-07, 0.01165771484375, 0, 0.01165771484375, -128},
		{arg.BF16, []float64{-240, -98.5, -436, -540, -304}, 0, 255, 1e-07, 2.125, 254, 2.125, 127},
		{arg.F32, []float64{2.0737967491149902, -3.343712329864502, -2.0369057655334473, 1.9216264486312866, -0.2512369751930237}, -128, 127, 1e-07, 0.021245133131742477, 29, 0.021245133131742477, 29},
		{arg.F32, []float64{1.714604139328003, 2.9385287761688232, 1.7739640474319458, 1.404022216796875, 2.3783979415893555}, -128, 127, 1e-07, 0.01152364257723093, -128, 0.01152364257723093, -128},
		{arg.F32, []float64{-450.864501953125, -525.6930541992188, -575.7980346679688, -630.46923828125, -516.46044921875}, -128, 127, 1e-07, 2.472428321838379, 127, 2.472428321838379, 127},
		{arg.F32, []float64{-3.4155304431915283, 0.5962432622909546, 0.9976003766059875, 2.047330379486084, -1.0522536039352417}, 0, 255, 1e-07, 0.021422984078526497, 159, 0.021422984078526497, 31},
		{arg.F32, []float64{1.7958369255065918, 2.815016984939575, 2.7590901851654053, 1.02153480052948, 2.4430763721466064}, 0, 255, 1e-07, 0.011039282195270061, 0, 0.011039282195270061, -128},
		{arg.F32, []float64{-53.45447540283203, -71.34521484375, -575.37353515625, -5.918804168701172, -44.907161712646484}, 0, 255, 1e-07, 2.256366729736328, 255, 2.256366729736328, 127},
		{arg.F32, []float64{inf, 1}, -128, 127, 1e-07, inf, -128, inf, math.MinInt64},
		{arg.F32, []float64{inf, 1}, 0, 255, 1e-07, inf, 0, inf, math.MinInt64},
		{arg.F32, []float64{-inf, 2}, -128, 127, 1e-07, inf, 127, inf, 127},
		{arg.F32, []float64{-inf, 2}, 0, 255, 1e-07, inf, 0, inf, 127},
		{arg.F32, []float64{-inf, inf}, -128, 127, 1e-07, inf, 127, inf, math.MinInt64},
		{arg.F32, []float64{-inf, inf}, 0, 255, 1e-07, inf, 0, inf, math.MinInt64},
		{arg.F32, []float64{0, 0}, -128, 127, 0, 0, 127, 1.1920928955078125e-07, 127},
	} {
		s, z := executor.NewTensor(arg.F64, []int{1}, nil), executor.NewTensor(arg.I64, []int{1}, nil)
		x := filled(c.d, c.xs...)
		call(t, chooseParams(), x, executor.NewInt(c.lo), executor.NewInt(c.hi), executor.NewDouble(c.eps), executor.NewInt(1), tensor(s), tensor(z))
		require.Equal(t, c.scale, executor.Slice[float64](s)[0], "%v", c)
		require.Equal(t, c.zero, executor.Slice[int64](z)[0], "%v", c)
		s, z = executor.NewTensor(arg.F64, []int{1, 1}, nil), executor.NewTensor(arg.I64, []int{1, 1}, nil)
		call(t, chooseParamsPerToken(), x, executor.NewInt(1), tensor(s), tensor(z))
		require.Equal(t, c.rowScale, executor.Slice[float64](s)[0], "%v", c)
		require.Equal(t, c.rowZero, executor.Slice[int64](z)[0], "%v", c)
	}
}
