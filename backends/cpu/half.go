package cpu

import (
	"math"

	"github.com/ptero-rt/ptero/backends/cpu/arg"
	"github.com/ptero-rt/ptero/backends/cpu/fmath"
	"github.com/ptero-rt/ptero/backends/cpu/walk"
	"github.com/ptero-rt/ptero/executor"
)

// PyTorch computes some functions of 16-bit floats in several steps and rounds after each. The kernels here do so; like all
// kernels of those types they get and give f32 (aten/src/ATen/native/cpu/BinaryOpsKernel.cpp and UnaryOpsKernel.cpp).

// halves is what depends on the 16-bit type: kernels, and how numbers are rounded to it.
type halves struct {
	brain              bool
	floorDiv, truncDiv *walk.Table
}

var ieee, brain = newHalves(false), newHalves(true)

// halvesOf gives those of a type, nil for wider ones.
func halvesOf(d executor.DType) *halves {
	switch d {
	case arg.F16:
		return ieee
	case arg.BF16:
		return brain
	}
	return nil
}

func newHalves(brain bool) *halves {
	h := &halves{brain: brain}
	h.floorDiv = &walk.Table{arg.F32: each2(h.floorDivOf)}
	h.truncDiv = &walk.Table{arg.F32: func(_ *walk.Params, dst, a, b, _ []byte) {
		y, x, z := two[float32, float32](dst, a, b)
		fmath.Div(y, x, z)
		h.roundAll(y)
		fmath.Trunc(y, y)
	}}
	return h
}

func (h *halves) round(x float32) float32 {
	if h.brain {
		return fmath.WidenBrain(fmath.NarrowBrain(x))
	}
	return fmath.Widen(fmath.Narrow(x))
}

// roundAll rounds numbers in place.
func (h *halves) roundAll(x []float32) {
	var buf [256]uint16
	for len(x) > 0 {
		part, half := x[:min(len(x), len(buf))], buf[:min(len(x), len(buf))]
		if h.brain {
			fmath.ToBrain(half, part)
			fmath.FromBrain(part, half)
		} else {
			fmath.ToHalf(half, part)
			fmath.FromHalf(part, half)
		}
		x = x[len(part):]
	}
}

// floorDivOf is floorDiv with every step rounded.
func (h *halves) floorDivOf(a, b float32) float32 {
	if b == 0 {
		return a / b
	}
	r := fmod32(a, b)
	q := h.round(h.round(a-r) / b)
	if r != 0 && (r < 0) != (b < 0) {
		q = h.round(q - 1)
	}
	if q == 0 {
		return float32(math.Copysign(0, float64(a/b)))
	}
	f := float32(math.Floor(float64(q)))
	if h.round(q-f) > 0.5 {
		f = h.round(f + 1)
	}
	return f
}
