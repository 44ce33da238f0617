package cpu

import (
	"math"
	"math/bits"
	"slices"

	"github.com/ptero-rt/ptero/backends/cpu/arg"
	"github.com/ptero-rt/ptero/backends/cpu/fmath"
	"github.com/ptero-rt/ptero/backends/cpu/walk"
	"github.com/ptero-rt/ptero/executor"
)

func foldSum(c *reduceCall, _ []*executor.Value, common executor.DType) (executor.DType, error) {
	switch {
	case arg.Complex.Has(common):
		c.set(walk.Acc{}, sumComplex, finishComplex)
		return arg.C128, nil
	case common == arg.F64:
		c.set(walk.Acc{}, sumF64, finishSum)
		return arg.F64, nil
	case arg.Floats.Has(common):
		c.set(walk.Acc{}, sumF32, finishSum)
		c.strip(arg.F32, sumStrip)
		return arg.F32, nil
	}
	c.set(walk.Acc{}, sumInt, finishInt)
	return arg.I64, nil
}

func foldMean(c *reduceCall, args []*executor.Value, common executor.DType) (executor.DType, error) {
	as, err := foldSum(c, args, common)
	c.finish = finishMean
	if as == arg.F32 {
		c.strip(arg.F32, meanStrip)
	}
	return as, err
}

func finishSum(c *reduceCall, p int, a *walk.Acc)  { c.putReal(0, p, a.Sum()) }
func finishMean(c *reduceCall, p int, a *walk.Acc) { c.putReal(0, p, a.Sum()/c.count) }
func finishInt(c *reduceCall, p int, a *walk.Acc)  { c.putInt(0, p, a.I) }

func finishComplex(c *reduceCall, p int, a *walk.Acc) {
	switch out := c.out[0]; out.DType {
	case arg.C128:
		executor.Slice[complex128](out)[p] = complex(a.F[0], a.F[1])
	case arg.C64:
		executor.Slice[complex64](out)[p] = complex(float32(a.F[0]), float32(a.F[1]))
	default:
		c.putReal(0, p, a.F[0])
	}
}

// sumF32 adds in f64, in eight lanes: that is at least as exact as the cascade of partial sums that PyTorch uses.
func sumF32(a *walk.Acc, x []byte, _ int) { fmath.Sum(&a.F, executor.SliceBytes[float32](x)) }

func sumF64(a *walk.Acc, x []byte, _ int) {
	v := executor.SliceBytes[float64](x)
	f := &a.F
	s0, s1, s2, s3, s4, s5, s6, s7 := f[0], f[1], f[2], f[3], f[4], f[5], f[6], f[7]
	for len(v) >= 8 {
		s0 += v[0]
		s1 += v[1]
		s2 += v[2]
		s3 += v[3]
		s4 += v[4]
		s5 += v[5]
		s6 += v[6]
		s7 += v[7]
		v = v[8:]
	}
	*f = [8]float64{s0, s1, s2, s3, s4, s5, s6, s7}
	for i, e := range v {
		f[i] += e
	}
}

func sumInt(a *walk.Acc, x []byte, _ int) {
	s := a.I
	for _, e := range executor.SliceBytes[int64](x) {
		s += e
	}
	a.I = s
}

func sumComplex(a *walk.Acc, x []byte, _ int) {
	for _, e := range executor.SliceBytes[complex128](x) {
		a.F[0] += real(e)
		a.F[1] += imag(e)
	}
}

func foldProduct(c *reduceCall, _ []*executor.Value, common executor.DType) (executor.DType, error) {
	switch {
	case common == arg.F64:
		c.set(walk.Acc{F: [8]float64{1}}, productFloat[float64], finishFirst)
		return arg.F64, nil
	case arg.Floats.Has(common):
		c.set(walk.Acc{F: [8]float64{1}}, productFloat[float32], finishFirst)
		c.strip(arg.F32, productStrip)
		return arg.F32, nil
	}
	c.set(walk.Acc{I: 1}, productInt, finishInt)
	return arg.I64, nil
}

func finishFirst(c *reduceCall, p int, a *walk.Acc) { c.putReal(0, p, a.F[0]) }

func productFloat[T float](a *walk.Acc, x []byte, _ int) {
	s := a.F[0]
	for _, e := range executor.SliceBytes[T](x) {
		s *= float64(e)
	}
	a.F[0] = s
}

func productInt(a *walk.Acc, x []byte, _ int) {
	s := a.I
	for _, e := range executor.SliceBytes[int64](x) {
		s *= e
	}
	a.I = s
}

// foldAny looks at the elements as they are: bits say whether a number is 0, but for the sign of floats.
func foldAny(c *reduceCall, _ []*executor.Value, common executor.DType) (executor.DType, error) {
	f := &anyBits
	if arg.Floats.Has(common) {
		f = &anyFloat
	}
	k := bits.TrailingZeros(uint(common.Size()))
	c.set(walk.Acc{}, f[k].fold, finishInt)
	c.strip(arg.Bool, f[k].strip)
	return common, nil
}

// anyBits and anyFloat are by the logarithm of an element's size.
var (
	anyBits = [4]anyFold{
		anyOf(func(x uint8) bool { return x != 0 }), anyOf(func(x uint16) bool { return x != 0 }),
		anyOf(func(x uint32) bool { return x != 0 }), anyOf(func(x uint64) bool { return x != 0 }),
	}
	anyFloat = [4]anyFold{
		1: anyOf(func(x uint16) bool { return x<<1 != 0 }), 2: anyOf(func(x uint32) bool { return x<<1 != 0 }), 3: anyOf(func(x uint64) bool { return x<<1 != 0 }),
	}
)

type anyFold struct {
	fold  walk.Fold
	strip walk.Strip
}

func anyOf[T executor.Element](isTrue func(T) bool) anyFold {
	return anyFold{
		fold: func(a *walk.Acc, x []byte, _ int) {
			if a.I == 0 && slices.ContainsFunc(executor.SliceBytes[T](x), isTrue) {
				a.I = 1
			}
		},
		strip: func(outs *walk.Outputs, x []byte, n, step, next int, _ []byte) {
			v := executor.SliceBytes[T](x)
			for j := range outs[0] {
				at := j * next
				outs[0][j] = 0
				for range n {
					if isTrue(v[at]) {
						outs[0][j] = 1
						break
					}
					at += step
				}
			}
		},
	}
}

// foldExtreme picks the largest or the smallest element, the first of equals; NaN beats everything.
func foldExtreme(largest bool) func(*reduceCall, []*executor.Value, executor.DType) (executor.DType, error) {
	strips := [3]walk.Strip{1: extremeStrip(largest, false), 2: extremeStrip(largest, true)} // by outputs
	return func(c *reduceCall, _ []*executor.Value, common executor.DType) (executor.DType, error) {
		as := pick(c, common, largest)
		if c.finish = finishPickedReal; as == arg.I64 {
			c.finish = finishPickedInt
		}
		if as == arg.F32 {
			c.strip(arg.F32, strips[max(c.op.outs, 1)])
		}
		return as, nil
	}
}

func foldArgument(largest bool) func(*reduceCall, []*executor.Value, executor.DType) (executor.DType, error) {
	strip := argumentStrip(largest)
	return func(c *reduceCall, _ []*executor.Value, common executor.DType) (executor.DType, error) {
		as := pick(c, common, largest)
		c.finish = func(c *reduceCall, p int, a *walk.Acc) { c.putInt(0, p, a.At) }
		if as == arg.F32 {
			c.strip(arg.I64, strip)
		}
		return as, nil
	}
}

func pick(c *reduceCall, common executor.DType, largest bool) executor.DType {
	limit := math.Inf(-1)
	start := walk.Acc{I: math.MinInt64, At: -1}
	if !largest {
		limit, start.I = math.Inf(1), math.MaxInt64
	}
	start.F[0] = limit
	switch {
	case common == arg.F64 && largest:
		c.set(start, pickMaxF64, nil)
		return arg.F64
	case common == arg.F64:
		c.set(start, pickMinF64, nil)
		return arg.F64
	case arg.Floats.Has(common) && largest:
		c.set(start, pickMaxF32, nil)
		return arg.F32
	case arg.Floats.Has(common):
		c.set(start, pickMinF32, nil)
		return arg.F32
	case largest:
		c.set(start, pickMaxInt, nil)
	default:
		c.set(start, pickMinInt, nil)
	}
	return arg.I64
}

func finishPickedReal(c *reduceCall, p int, a *walk.Acc) {
	c.putReal(0, p, a.F[0])
	if c.op.outs == 2 {
		c.putInt(1, p, a.At)
	}
}

func finishPickedInt(c *reduceCall, p int, a *walk.Acc) {
	c.putInt(0, p, a.I)
	if c.op.outs == 2 {
		c.putInt(1, p, a.At)
	}
}

// pickMaxF32 looks for the largest number first and for where it is only if that beats what was there.
func pickMaxF32(a *walk.Acc, x []byte, at int) {
	v := executor.SliceBytes[float32](x)
	if m, best := fmath.MaxOf(v), float32(a.F[0]); !(m <= best) && best == best || a.At < 0 {
		take(a, v, m, at)
	}
}

// take picks the first element that equals m, or is NaN as m is.
func take(a *walk.Acc, v []float32, m float32, at int) {
	for i, e := range v {
		if e == m || e != e && m != m {
			a.F[0], a.At = float64(e), int64(at+i)
			return
		}
	}
}

func pickMinF32(a *walk.Acc, x []byte, at int) {
	v := executor.SliceBytes[float32](x)
	if m, best := fmath.MinOf(v), float32(a.F[0]); !(m >= best) && best == best || a.At < 0 {
		take(a, v, m, at)
	}
}

func pickMaxF64(a *walk.Acc, x []byte, at int) {
	best, where := a.F[0], a.At
	for i, e := range executor.SliceBytes[float64](x) {
		if !(e <= best) && best == best || where < 0 {
			best, where = e, int64(at+i)
		}
	}
	a.F[0], a.At = best, where
}

func pickMinF64(a *walk.Acc, x []byte, at int) {
	best, where := a.F[0], a.At
	for i, e := range executor.SliceBytes[float64](x) {
		if !(e >= best) && best == best || where < 0 {
			best, where = e, int64(at+i)
		}
	}
	a.F[0], a.At = best, where
}

func pickMaxInt(a *walk.Acc, x []byte, at int) {
	best, where := a.I, a.At
	for i, e := range executor.SliceBytes[int64](x) {
		if e > best || where < 0 {
			best, where = e, int64(at+i)
		}
	}
	a.I, a.At = best, where
}

func pickMinInt(a *walk.Acc, x []byte, at int) {
	best, where := a.I, a.At
	for i, e := range executor.SliceBytes[int64](x) {
		if e < best || where < 0 {
			best, where = e, int64(at+i)
		}
	}
	a.I, a.At = best, where
}

// foldUnbiased is the variance whose divisor is one less, or not.
func foldUnbiased(c *reduceCall, args []*executor.Value, common executor.DType) (executor.DType, error) {
	less, err := c.op.sig.Bool(args, 2)
	if err != nil {
		return 0, err
	}
	c.ddof = 0
	if less {
		c.ddof = 1
	}
	return foldVariance(c, common), nil
}

// foldCorrected is the variance whose divisor is less by any number, 1 if absent.
func foldCorrected(c *reduceCall, args []*executor.Value, common executor.DType) (executor.DType, error) {
	c.ddof = 1
	if !args[2].IsNone() {
		s, err := c.op.sig.Scalar(args, 2)
		if err != nil {
			return 0, err
		}
		c.ddof = s.Float()
	}
	return foldVariance(c, common), nil
}

// foldVariance takes two passes, the mean and the squared distances from it, both summed in f64.
func foldVariance(c *reduceCall, common executor.DType) executor.DType {
	c.r.Middle = centre
	if common == arg.F64 {
		c.set(walk.Acc{}, sumF64, finishVariance)
		c.r.Second = spreadF64
		return arg.F64
	}
	c.set(walk.Acc{}, sumF32, finishVariance)
	c.r.Second = spreadF32
	return arg.F32
}

// centre leaves the mean; the second pass sums the squared distances from it.
func centre(a *walk.Acc, n int) { *a = walk.Acc{Mean: a.Sum() / float64(n)} }

func spreadF32(a *walk.Acc, x []byte, _ int) {
	fmath.Spread(&a.F, executor.SliceBytes[float32](x), a.Mean)
}

func spreadF64(a *walk.Acc, x []byte, _ int) {
	v, f, mean := executor.SliceBytes[float64](x), &a.F, a.Mean
	for i, e := range v {
		d := e - mean
		f[i&7] += float64(d * d)
	}
}

func finishVariance(c *reduceCall, p int, a *walk.Acc) {
	c.putReal(0, p, a.Sum()/max(c.count-c.ddof, 0))
	if c.op.outs == 2 {
		c.putReal(1, p, a.Mean)
	}
}
