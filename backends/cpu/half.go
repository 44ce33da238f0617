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
	as                        executor.DType
	floorDiv, truncDiv, logit *walk.Table
}

var ieee, brain = newHalves(arg.F16), newHalves(arg.BF16)

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

func newHalves(as executor.DType) *halves {
	h := &halves{as: as}
	h.floorDiv = &walk.Table{arg.F32: h.floorDivide}
	h.truncDiv = &walk.Table{arg.F32: func(_ *walk.Params, dst, a, b, _ []byte) {
		y, x, z := two[float32, float32](dst, a, b)
		fmath.Div(y, x, z)
		h.roundAll(y)
		fmath.Trunc(y, y)
	}}
	h.logit = &walk.Table{arg.F32: h.logitOf}
	return h
}

func (h *halves) round(x float32) float32 {
	if h.as == arg.BF16 {
		return fmath.WidenBrain(fmath.NarrowBrain(x))
	}
	return fmath.Widen(fmath.Narrow(x))
}

// roundAll rounds numbers in place.
func (h *halves) roundAll(x []float32) { walk.RoundHalves(x, h.as) }

// floorDivide is floorDiv with every step rounded, some elements at a time. Rounding again what was rounded changes nothing.
func (h *halves) floorDivide(_ *walk.Params, dst, a, b, _ []byte) {
	y, x, z := two[float32, float32](dst, a, b)
	var rests, quotients, parts [128]float32
	for len(y) > 0 {
		n := min(len(y), len(rests))
		r, q, f, num, d := rests[:n], quotients[:n], parts[:n], x[:n], z[:n]
		for i, v := range num {
			r[i] = fmod32(v, d[i])
		}
		fmath.Sub(q, num, r)
		h.roundAll(q)
		fmath.Div(q, q, d)
		h.roundAll(q)
		for i, v := range r {
			if v != 0 && (v < 0) != (d[i] < 0) {
				q[i]--
			}
		}
		h.roundAll(q)
		fmath.Floor(f, q)
		fmath.Sub(r, q, f)
		h.roundAll(r)
		for i, v := range r {
			if v > 0.5 {
				f[i]++
			}
		}
		h.roundAll(f)
		for i, v := range f {
			switch {
			case d[i] == 0:
				v = num[i] / d[i]
			case q[i] == 0:
				v = float32(math.Copysign(0, float64(num[i]/d[i])))
			}
			y[i] = v
		}
		x, y, z = x[n:], y[n:], z[n:]
	}
}

// logitOf is the logarithm of the odds, of probabilities between the bounds in F.
func (h *halves) logitOf(p *walk.Params, dst, a, _, _ []byte) {
	y, x := one[float32, float32](dst, a)
	var buf [256]float32
	for len(x) > 0 {
		n := min(len(x), len(buf))
		odds, rest := y[:n], buf[:n]
		keepBetween(odds, x[:n], float32(p.F[0]), float32(p.F[1]))
		for i, v := range odds {
			rest[i] = 1 - v
		}
		h.roundAll(rest)
		fmath.Div(odds, odds, rest)
		h.roundAll(odds)
		fmath.Log(odds, odds)
		y, x = y[n:], x[n:]
	}
}
