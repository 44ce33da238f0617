package nn_test

import (
	"math/rand/v2"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/ptero-rt/ptero/backends/cpu/arg"
	"github.com/ptero-rt/ptero/backends/cpu/nn"
	"github.com/ptero-rt/ptero/backends/cpu/optest"
	"github.com/ptero-rt/ptero/executor"
)

// A convolution is linear in its input and in its weight, so its gradients are the transposes of it: for every y = conv(x, w)
// and g, the inner products <y, g>, <x, dx> and <w, dw> are the same number. Small whole numbers in float64 make them equal.
func TestConvolutionGradientsAreTransposes(t *testing.T) {
	ops := executor.Ops{}.Add(nn.Ops()...)
	r := rand.New(rand.NewPCG(17, 4))
	run := func(name string, args ...*executor.Value) error {
		return optest.Call(t, nil, ops[name], args...)
	}
	tensor := func(seed uint64, sizes ...int) *executor.Tensor {
		order := []uint8{0, 1, 2, 3}[:len(sizes)]
		if len(sizes) == 4 && r.IntN(2) == 0 {
			order = []uint8{0, 2, 3, 1}
		}
		x := executor.NewTensorOrder(arg.F64, sizes, order, nil)
		fill(x, seed)
		return x
	}
	done := 0
	for seed := range uint64(400) {
		rank, groups, transposed := 1+r.IntN(2), 1+r.IntN(3), r.IntN(2) == 0
		batch, inC, outC := 1+r.IntN(2), groups*(1+r.IntN(3)), groups*(1+r.IntN(3))
		in, kernel, out := []int{batch, inC}, []int{outC, inC / groups}, []int{batch, outC}
		if transposed {
			kernel = []int{inC, outC / groups}
		}
		var stride, pad, dil, extra []int64
		for range rank {
			n, k, s, p, d := 1+r.IntN(9), 1+r.IntN(3), 1+r.IntN(3), r.IntN(3), 1+r.IntN(2)
			e, size := 0, (n+2*p-d*(k-1)-1)/s+1
			if transposed {
				e = r.IntN(max(s, d))
				size = (n-1)*s - 2*p + d*(k-1) + e + 1
			}
			in, kernel, out = append(in, n), append(kernel, k), append(out, size)
			stride, pad, dil, extra = append(stride, int64(s)), append(pad, int64(p)), append(dil, int64(d)), append(extra, int64(e))
		}
		if out[2] < 1 || out[len(out)-1] < 1 {
			continue
		}
		x, w, g := tensor(seed, in...), tensor(seed+1000, kernel...), tensor(seed+2000, out...)
		y, dx, dw, db := tensor(0, out...), tensor(0, in...), tensor(0, kernel...), executor.NewTensor(arg.F64, []int{outC}, nil)
		list := func(x []int64) *executor.Value { return executor.NewInts(x...) }
		value := executor.NewTensorValue
		if err := run("aten::convolution.out", value(x), value(w), executor.NewNone(), list(stride), list(pad), list(dil),
			executor.NewBool(transposed), list(extra), executor.NewInt(int64(groups)), value(y)); err != nil {
			continue // a kernel that is larger than what it slides over
		}
		require.NoError(t, run("aten::convolution_backward.out", value(g), value(x), value(w), executor.NewInts(int64(outC)), list(stride), list(pad), list(dil),
			executor.NewBool(transposed), list(extra), executor.NewInt(int64(groups)), executor.NewBools(true, true, true), value(dx), value(dw), value(db)))
		want := inner(y, g)
		require.Equal(t, want, inner(x, dx), "input: %v by %v, stride %v, padding %v, dilation %v, transposed %v", in, kernel, stride, pad, dil, transposed)
		require.Equal(t, want, inner(w, dw), "weight: %v by %v, stride %v, padding %v, dilation %v, transposed %v", in, kernel, stride, pad, dil, transposed)
		done++
	}
	require.Greater(t, done, 200)
}

func inner(a, b *executor.Tensor) float64 {
	sum := 0.0
	x, y := logical(a), logical(b)
	for i := range x {
		sum += x[i] * y[i]
	}
	return sum
}
