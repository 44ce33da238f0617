package cpu

import (
	"math"

	"github.com/ptero-rt/ptero/backends/cpu/arg"
	"github.com/ptero-rt/ptero/backends/cpu/fmath"
	"github.com/ptero-rt/ptero/backends/cpu/lanes"
	"github.com/ptero-rt/ptero/backends/cpu/plane"
	"github.com/ptero-rt/ptero/backends/cpu/walk"
	"github.com/ptero-rt/ptero/executor"
)

// foldUnbiased is the variance whose divisor is one less, or not.
func foldUnbiased(c *reduceCall, args []*executor.Value, common executor.DType) (executor.DType, error) {
	less, err := c.op.sig.Bool(args, 2)
	if err != nil {
		return 0, err
	}
	return foldVariance(c, common, float64(truth(less))), nil
}

// foldCorrected is the variance whose divisor is less by any number, 1 if absent.
func foldCorrected(c *reduceCall, args []*executor.Value, common executor.DType) (executor.DType, error) {
	less := 1.0
	if !args[2].IsNone() {
		s, err := c.op.sig.Scalar(args, 2)
		if err != nil {
			return 0, err
		}
		less = s.Float()
	}
	return foldVariance(c, common, less), nil
}

var (
	varianceStripF32 = &walk.StripFold{Lines: sumLinesF32, Centre: centreStrip, Second: spreadLines(fmath.SpreadLines, fmath.SpreadColumns), Finish: finishVariances,
		Single: loneVariances(fmath.Line, paired(fmath.Sub)), Always: loneVariance}
	varianceStripF64 = &walk.StripFold{Lines: sumLinesF64, Centre: centreStrip, Second: spreadLines(fmath.SpreadDoubleLines, fmath.SpreadDoubleColumns), Finish: finishVariances,
		Single: loneVariances(fmath.LineF64, vector(lanes.SubF64, sub[float64])), Always: loneVariance}
)

// foldVariance takes two passes, the mean and the squared distances from it, both summed in f64.
func foldVariance(c *reduceCall, common executor.DType, less float64) executor.DType {
	c.Correction = less
	for k, t := range c.out {
		if t != nil {
			c.Results[k] = floatResult(t.DType)
		}
	}
	if arg.Complex.Has(common) {
		as, f := foldsOfComplex(common)
		if c.out[1] != nil {
			c.Results[1] = complexResult(c.out[1].DType)
		}
		c.set(walk.Acc{}, f.variance, finishVariance)
		c.Middle, c.Second = centreComplex, f.spread
		return as
	}
	as, f := arg.F32, fold{sumF32, varianceStripF32}
	second := spreadF32
	if common == arg.F64 {
		as, f = arg.F64, fold{sumF64, varianceStripF64}
		second = spreadF64
	}
	c.set(walk.Acc{}, f, finishVariance)
	c.Middle, c.Second = centre, second
	return as
}

// centre leaves the mean; the second pass sums the squared distances from it. PyTorch updates its mean with one element
// after the other: ±Inf makes that NaN, unless it comes last.
func centre(a *walk.Acc, n int) {
	*a = walk.Acc{Mean: complex(updated(a.Sum()/float64(n), n), 0)}
}

func updated(mean float64, n int) float64 {
	if n > 1 && math.IsInf(mean, 0) {
		return math.NaN()
	}
	return mean
}

func spreadF32(a *walk.Acc, x []byte, _ int) {
	fmath.Spread(&a.F, executor.SliceBytes[float32](x), real(a.Mean))
}

func spreadF64(a *walk.Acc, x []byte, _ int) {
	v, f, mean := executor.SliceBytes[float64](x), &a.F, real(a.Mean)
	for i, e := range v {
		d := e - mean
		f[i&7] += float64(d * d)
	}
}

// freedom is what the squares of n distances are divided by; nothing has no variance.
func freedom(n, correction float64) float64 {
	if n == 0 {
		return 0
	}
	return max(n-correction, 0)
}

func finishVariance(c *reduceCall, outs *walk.Outputs, j int, a *walk.Acc) {
	c.putReal(outs, 0, j, a.Sum()/freedom(c.count, c.Correction))
	switch {
	case c.op.outs < 2:
	case arg.Complex.Has(c.Results[1]):
		c.putComplex(outs, 1, j, a.Mean)
	default:
		c.putReal(outs, 1, j, real(a.Mean))
	}
}

// centreStrip leaves the means in Aux.
func centreStrip(s *walk.Strip) {
	fmath.Divide(executor.SliceBytes[float64](s.Aux), joinSums(s), float64(s.Count))
	s.Lanes = 0
}

// spreadLines makes Lines of functions of fmath, as sumLines does.
func spreadLines[T float](add func(sums []float64, width int, x []T, n, step, used int, means []float64), sum func(sums []float64, x []T, n, step int, means []float64)) walk.Lines {
	return func(s *walk.Strip, x []byte, n, step, at int) {
		acc, v, means := executor.SliceBytes[float64](s.Acc), executor.SliceBytes[T](x), executor.SliceBytes[float64](s.Aux)[:s.Width]
		if wholeColumns(s, len(x), n, at) {
			s.Lanes = 1
			sum(acc[:s.Width], v, n, step, means)
			return
		}
		add(acc, s.Width, v, n, step, use(s, n), means)
	}
}

func finishVariances(s *walk.Strip, outs *walk.Outputs) {
	writeFloats(s, outs, 0, joinSums(s), freedom(float64(s.Count), s.Correction))
	if outs[1] != nil {
		means := executor.SliceBytes[float64](s.Aux)[:s.Width]
		var all walk.Acc
		if sumF64(&all, s.Aux[:8*s.Width], 0); all.Sum()-all.Sum() != 0 { // not finite: some of them may not be
			for j, mean := range means {
				means[j] = updated(mean, s.Count)
			}
		}
		writeFloats(s, outs, 1, means, 1)
	}
}

// loneVariance is that of any one element, if it has no freedom.
func loneVariance(correction float64) (x float64, ok bool) {
	return math.NaN(), !(freedom(1, correction) > 0)
}

// loneVariances makes Single of functions that scale and shift, and subtract: an element's distance from itself is 0, unless
// it is not finite, and the sum that its mean comes of is never −0.
func loneVariances[T float](line func(dst, src []T, scale, shift T), minus walk.Kernel) func(s *walk.Strip, x []byte, outs *walk.Outputs) {
	return func(s *walk.Strip, x []byte, outs *walk.Outputs) {
		if outs[1] != nil { // first, as either output may lie where the elements do
			line(executor.SliceBytes[T](outs[1]), executor.SliceBytes[T](x), 1, 0)
		}
		if _, none := loneVariance(s.Correction); !none {
			minus(nil, outs[0], x, x, nil)
			return
		}
		put(outs, 0, 0, T(math.NaN()))
		plane.Fill(outs[0], outs[0][:len(x)/s.Width])
	}
}
