package nn_test

import (
	"math"
	"math/rand/v2"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/ptero-rt/ptero/backends/cpu/arg"
	"github.com/ptero-rt/ptero/backends/cpu/nn"
	"github.com/ptero-rt/ptero/executor"
	"github.com/ptero-rt/ptero/internal/workers"
)

// The references of this file follow the definitions of PyTorch's interpolate, one output at a time, in f64.

// pixel reads an element of an image tensor.
func pixel(t *executor.Tensor, n, c, y, x int) float64 {
	at := n*t.Strides[0] + c*t.Strides[1] + y*t.Strides[2] + x*t.Strides[3]
	if t.DType == arg.F64 {
		return executor.Slice[float64](t)[at]
	}
	return float64(executor.Slice[float32](t)[at])
}

// tap is an element of the input along one dimension, and its weight.
type tap struct {
	at     int
	weight float64
}

// apart is how far neighbouring outputs lie apart in the input.
func apart(in, out int, align bool) float64 {
	if align {
		return float64(in-1) / math.Max(float64(out-1), 1)
	}
	return float64(in) / float64(out)
}

func nearestTaps(o, in, out int, _ bool) []tap {
	return []tap{{o * in / out, 1}}
}

func linearTaps(o, in, out int, align bool) []tap {
	at := apart(in, out, align) * float64(o)
	if !align {
		at = math.Max(apart(in, out, false)*(float64(o)+0.5)-0.5, 0)
	}
	i := min(int(at), in-1)
	w := at - float64(i)
	return []tap{{i, 1 - w}, {min(i+1, in-1), w}}
}

func tentTaps(o, in, out int, align bool) []tap {
	s := apart(in, out, align)
	half := math.Max(s, 1)
	centre := s * (float64(o) + 0.5)
	var list []tap
	var total float64
	for i := range in {
		if w := 1 - math.Abs((float64(i)+0.5-centre)/half); w > 0 {
			list = append(list, tap{i, w})
			total += w
		}
	}
	for k := range list {
		list[k].weight /= total
	}
	return list
}

func TestResamplingAgainstNaive(t *testing.T) {
	ops := executor.Ops{}.Add(nn.Ops()...)
	r := rand.New(rand.NewPCG(31, 32))
	eight := workers.New(8)
	defer eight.Close()
	none := executor.NewNone()
	for _, c := range []struct {
		name  string
		taps  func(o, in, out int, align bool) []tap
		align []bool
	}{
		{"aten::upsample_nearest2d.vec_out", nearestTaps, []bool{false}},
		{"aten::upsample_bilinear2d.vec_out", linearTaps, []bool{false, true}},
		{"aten::_upsample_bilinear2d_aa.out", tentTaps, []bool{false}},
	} {
		for range 60 {
			n, ch := 1+r.IntN(2), []int{1, 3, 19}[r.IntN(3)]
			h, w, oh, ow := 1+r.IntN(30), 1+r.IntN(150), 1+r.IntN(30), 1+r.IntN(150)
			order := [][]uint8{{0, 1, 2, 3}, {0, 2, 3, 1}}[r.IntN(2)]
			d := []executor.DType{arg.F32, arg.F64}[r.IntN(2)]
			align := c.align[r.IntN(len(c.align))]
			x := executor.NewTensorOrder(d, []int{n, ch, h, w}, order, nil)
			y := executor.NewTensorOrder(d, []int{n, ch, oh, ow}, order, nil)
			size := executor.NewInts(int64(oh), int64(ow))
			args := []*executor.Value{executor.NewTensorValue(x), size, executor.NewBool(align), none, executor.NewTensorValue(y)}
			switch c.name {
			case "aten::upsample_nearest2d.vec_out":
				args = []*executor.Value{executor.NewTensorValue(x), size, none, executor.NewTensorValue(y)}
			case "aten::_upsample_bilinear2d_aa.out":
				args = []*executor.Value{executor.NewTensorValue(x), size, executor.NewBool(align), none, none, executor.NewTensorValue(y)}
			}
			got := outcome(t, ops[c.name], args, nil)
			require.Equal(t, got, outcome(t, ops[c.name], args, eight), "with 8 workers")
			for b := range n {
				for k := range ch {
					for oy := range oh {
						ys := c.taps(oy, h, oh, align)
						for ox := range ow {
							var want float64
							for _, q := range ys {
								for _, p := range c.taps(ox, w, ow, align) {
									want += q.weight * p.weight * pixel(x, b, k, q.at, p.at)
								}
							}
							require.InDelta(t, want, pixel(y, b, k, oy, ox), 1e-4, "%s %v %v → %d×%d, %v, align %v, at %d, %d, %d, %d", c.name, x.Sizes, d, oh, ow, order, align, b, k, oy, ox)
						}
					}
				}
			}
		}
	}
}

// fold brings a position along a dimension of n elements inside, as grid_sampler's padding modes say.
func fold(x float64, n, padding int, align bool) float64 {
	if padding == 2 {
		low, high := -0.5, float64(n)-0.5
		if align {
			low, high = 0, float64(n-1)
		}
		for high > low && (x < low || x > high) {
			if x < low {
				x = 2*low - x
			} else {
				x = 2*high - x
			}
		}
	}
	if padding > 0 {
		x = math.Min(math.Max(x, 0), float64(n-1))
	}
	return x
}

func TestGridSamplerAgainstNaive(t *testing.T) {
	op := executor.Ops{}.Add(nn.Ops()...)["aten::grid_sampler_2d.out"]
	r := rand.New(rand.NewPCG(33, 34))
	for range 100 {
		n, c, h, w, oh, ow := 1+r.IntN(2), 1+r.IntN(4), 2+r.IntN(9), 2+r.IntN(9), 1+r.IntN(5), 1+r.IntN(150)
		order := [][]uint8{{0, 1, 2, 3}, {0, 2, 3, 1}}[r.IntN(2)]
		mode, padding, align := r.IntN(2), r.IntN(3), r.IntN(2) == 0
		x := executor.NewTensorOrder(arg.F64, []int{n, c, h, w}, order, nil)
		y := executor.NewTensorOrder(arg.F64, []int{n, c, oh, ow}, order, nil)
		at := executor.NewTensor(arg.F64, []int{n, oh, ow, 2}, nil)
		fill(x, 5)
		for i := range executor.Slice[float64](at) {
			executor.Slice[float64](at)[i] = r.NormFloat64() * 1.5
		}
		args := []*executor.Value{executor.NewTensorValue(x), executor.NewTensorValue(at), executor.NewInt(int64(mode)), executor.NewInt(int64(padding)), executor.NewBool(align), executor.NewTensorValue(y)}
		state, _, err := op.Prepare(args)
		require.NoError(t, err)
		require.NoError(t, op.Run(executor.NewScope(nil, 0), state, args))
		place := func(v float64, n int) float64 {
			if align {
				return fold((v+1)/2*float64(n-1), n, padding, align)
			}
			return fold(((v+1)*float64(n)-1)/2, n, padding, align)
		}
		read := func(b, k int, py, px float64) float64 {
			if py < 0 || px < 0 || py >= float64(h) || px >= float64(w) {
				return 0
			}
			return pixel(x, b, k, int(py), int(px))
		}
		for b := range n {
			for oy := range oh {
				for ox := range ow {
					px, py := place(pixel(at, b, oy, ox, 0), w), place(pixel(at, b, oy, ox, 1), h)
					for k := range c {
						want := read(b, k, math.RoundToEven(py), math.RoundToEven(px))
						if mode == 0 {
							fy, fx := math.Floor(py), math.Floor(px)
							want = (read(b, k, fy, fx)*(fx+1-px)+read(b, k, fy, fx+1)*(px-fx))*(fy+1-py) + (read(b, k, fy+1, fx)*(fx+1-px)+read(b, k, fy+1, fx+1)*(px-fx))*(py-fy)
						}
						require.InDelta(t, want, pixel(y, b, k, oy, ox), 1e-9, "mode %d, padding %d, align %v, %v at %d, %d: %v, %v", mode, padding, align, order, oy, ox, py, px)
					}
				}
			}
		}
	}
}
