package cpu

import (
	"bytes"
	"math/bits"

	"github.com/ptero-rt/ptero/backends/cpu/arg"
	"github.com/ptero-rt/ptero/backends/cpu/fmath"
	"github.com/ptero-rt/ptero/backends/cpu/lanes"
	"github.com/ptero-rt/ptero/backends/cpu/walk"
	"github.com/ptero-rt/ptero/executor"
)

// fold is the arithmetic of a reduction over elements of one type: of rows, and of strips of outputs.
type fold struct {
	row   walk.Fold
	strip *walk.StripFold
}

func foldSum(c *reduceCall, args []*executor.Value, common executor.DType) (executor.DType, error) {
	if arg.Complex.Has(common) {
		as, f := foldsOfComplex(common)
		c.set(walk.Acc{}, f.sum, finishComplexSum)
		c.Results[0] = complexResult(c.out[0].DType)
		return as, nil
	}
	if arg.Floats.Has(common) {
		as, f := floatSum(common, args[0].Tensor().DType)
		c.set(walk.Acc{}, f, finishSum)
		c.Results[0] = floatResult(c.out[0].DType)
		return as, nil
	}
	as, f := c.wholeFold(&wholeSums, &ringSums, wholeFrom(args, common))
	c.set(walk.Acc{}, f, finishInt)
	return as, nil
}

// floatSum is the sum of elements of a type that are taken for another. Halves that are what they are taken for need no
// conversion.
func floatSum(common, from executor.DType) (executor.DType, fold) {
	switch {
	case common == arg.F64:
		return arg.F64, fold{sumF64, sumStripF64}
	case common == arg.F16 && from == arg.F16:
		return arg.F16, fold{sumF16, sumStripF16}
	case common == arg.BF16 && from == arg.BF16:
		return arg.BF16, fold{sumBF16, sumStripBF16}
	}
	return arg.F32, fold{sumF32, sumStripF32}
}

// floatResult is the type in which results are written that go to an output of type to.
func floatResult(to executor.DType) executor.DType {
	if to == arg.F32 || arg.IsHalf(to) {
		return arg.F32
	}
	return arg.F64
}

// foldMean rounds the mean only.
func foldMean(c *reduceCall, args []*executor.Value, common executor.DType) (executor.DType, error) {
	as, err := foldSum(c, args, common)
	c.finish, c.Round = finishMean, as
	switch as {
	case arg.C64, arg.C128:
		_, f := foldsOfComplex(as)
		c.finish, c.Strip = finishComplexMean, f.mean.strip
	case arg.F32:
		c.Strip = meanStripF32
	case arg.F64:
		c.Strip = meanStripF64
	case arg.F16:
		c.Strip = meanStripF16
	case arg.BF16:
		c.Strip = meanStripBF16
	}
	return as, err
}

func finishSum(c *reduceCall, outs *walk.Outputs, j int, a *walk.Acc) { c.putReal(outs, 0, j, a.Sum()) }
func finishMean(c *reduceCall, outs *walk.Outputs, j int, a *walk.Acc) {
	c.putReal(outs, 0, j, a.Sum()/c.count)
}

func finishInt(c *reduceCall, outs *walk.Outputs, j int, a *walk.Acc) {
	switch c.Results[0].Size() {
	case 1:
		put(outs, 0, j, uint8(a.I))
	case 2:
		put(outs, 0, j, int16(a.I))
	case 4:
		put(outs, 0, j, int32(a.I))
	default:
		put(outs, 0, j, a.I)
	}
}

// The sums of floats add in f64, in eight lanes: that is at least as exact as the cascade of partial sums that PyTorch uses.

func sumF32(a *walk.Acc, x []byte, _ int)  { fmath.Sum(&a.F, executor.SliceBytes[float32](x)) }
func sumF64(a *walk.Acc, x []byte, _ int)  { lanes.SumF64(&a.F, executor.SliceBytes[float64](x)) }
func sumF16(a *walk.Acc, x []byte, _ int)  { fmath.SumHalf(&a.F, executor.SliceBytes[uint16](x)) }
func sumBF16(a *walk.Acc, x []byte, _ int) { fmath.SumBrain(&a.F, executor.SliceBytes[uint16](x)) }

// wholeFolds are by element type. Bools count as 0 and 1; types that are missing are converted to i64.
type wholeFolds [arg.Bool + 1]fold

// wholeFold chooses the folds of elements of type d, and the type of what they give: i64, or d where the output is of it,
// as what does not fit is cut off in the end anyway.
func (c *reduceCall) wholeFold(wide, ring *wholeFolds, d executor.DType) (executor.DType, fold) {
	c.Results[0] = arg.I64
	switch {
	case d > arg.Bool || wide[d].row == nil:
		d = arg.I64
	case d == c.out[0].DType && ring[d].row != nil:
		c.Results[0] = d
		return d, ring[d]
	}
	return d, wide[d]
}

// wholeFrom is the type in which elements are folded that are taken for integers of type common: their own, as what does
// not fit is cut off the result as well as off the elements. That is not so for bools, nor for floats out of range.
func wholeFrom(args []*executor.Value, common executor.DType) executor.DType {
	from := args[0].Tensor().DType
	if common == arg.Bool || arg.Floats.Has(from) {
		return common
	}
	return from
}

var wholeSums = wholeFolds{
	arg.U8:   wholeSum(lanes.SumU8, addLines(lanes.AddU8)),
	arg.I8:   wholeSum(lanes.SumI8, addLines(lanes.AddI8)),
	arg.I16:  wholeSum(lanes.SumI16, addLines(lanes.AddI16)),
	arg.I32:  wholeSum(lanes.SumI32, addLines(lanes.AddI32)),
	arg.I64:  wholeSum(lanes.SumI64, plainLines(8, addI64)),
	arg.Bool: wholeSum(lanes.CountBool, addLines(lanes.AddBool)),
}

var ringSums = wholeFolds{
	arg.U8:  ringFold(addWhole(lanes.SumU8), vector(lanes.Add8, add[uint8]), lanes.SumU8),
	arg.I8:  ringFold(addWhole(lanes.SumI8), vector(lanes.Add8, add[int8]), lanes.SumI8),
	arg.I16: ringFold(addWhole(lanes.SumI16), vector(lanes.Add16, add[int16]), lanes.SumI16),
	arg.I32: ringFold(addWhole(lanes.SumI32), vector(lanes.Add32, add[int32]), lanes.SumI32),
}

func addWhole[T integer](sum func([]T) int64) walk.Fold {
	return func(a *walk.Acc, x []byte, _ int) { a.I += sum(executor.SliceBytes[T](x)) }
}

func wholeSum[T integer](sum func([]T) int64, lines walk.Lines) fold {
	return fold{addWhole(sum), addStrip(sum, lines)}
}

func foldProduct(c *reduceCall, args []*executor.Value, common executor.DType) (executor.DType, error) {
	if arg.Complex.Has(common) {
		as, f := foldsOfComplex(common)
		c.set(walk.Acc{F: [8]float64{1, 0, 1, 0, 1, 0, 1, 0}}, f.product, finishComplexProduct)
		c.Results[0] = complexResult(c.out[0].DType)
		return as, nil
	}
	if arg.Floats.Has(common) {
		c.Results[0] = floatResult(c.out[0].DType)
		start := walk.Acc{F: [8]float64{1, 1, 1, 1, 1, 1, 1, 1}}
		if common == arg.F64 {
			c.set(start, fold{multiplyFloats[float64], productStripF64}, finishProduct)
			return arg.F64, nil
		}
		c.set(start, fold{multiplyFloats[float32], productStripF32}, finishProduct)
		return arg.F32, nil
	}
	as, f := c.wholeFold(&wholeProducts, &ringProducts, wholeFrom(args, common))
	c.set(walk.Acc{I: 1}, f, finishInt)
	return as, nil
}

func finishProduct(c *reduceCall, outs *walk.Outputs, j int, a *walk.Acc) {
	c.putReal(outs, 0, j, a.Product())
}

// multiplyFloats works in eight lanes as sums do: one product after the other would wait for each multiplication.
func multiplyFloats[T float](a *walk.Acc, x []byte, _ int) {
	v, f := executor.SliceBytes[T](x), &a.F
	p0, p1, p2, p3, p4, p5, p6, p7 := f[0], f[1], f[2], f[3], f[4], f[5], f[6], f[7]
	for len(v) >= 8 {
		p0 *= float64(v[0])
		p1 *= float64(v[1])
		p2 *= float64(v[2])
		p3 *= float64(v[3])
		p4 *= float64(v[4])
		p5 *= float64(v[5])
		p6 *= float64(v[6])
		p7 *= float64(v[7])
		v = v[8:]
	}
	*f = [8]float64{p0, p1, p2, p3, p4, p5, p6, p7}
	for i, e := range v {
		f[i] *= float64(e)
	}
}

var wholeProducts = wholeFolds{
	arg.U8:   {multiplyWhole[uint8], multiplyStrip(multiplyLine[uint8])},
	arg.I8:   {multiplyWhole[int8], multiplyStrip(multiplyLine[int8])},
	arg.I16:  {multiplyWhole[int16], multiplyStrip(multiplyLine[int16])},
	arg.I32:  {multiplyWhole[int32], multiplyStrip(multiplyLine[int32])},
	arg.I64:  {multiplyWhole[int64], productStripI64},
	arg.Bool: {everyBool, everyStrip},
}

var ringProducts = wholeFolds{
	arg.U8:  ringFold[uint8](multiplyWhole[uint8], vector(lanes.Mul8, mul[uint8]), nil),
	arg.I8:  ringFold[int8](multiplyWhole[int8], vector(lanes.Mul8, mul[int8]), nil),
	arg.I16: ringFold[int16](multiplyWhole[int16], vector(lanes.Mul16, mul[int16]), nil),
	arg.I32: ringFold[int32](multiplyWhole[int32], vector(lanes.Mul32, mul[int32]), nil),
}

func multiplyWhole[T integer](a *walk.Acc, x []byte, _ int) {
	p, q, r, s := a.I, int64(1), int64(1), int64(1)
	v := executor.SliceBytes[T](x)
	for len(v) >= 4 {
		p *= int64(v[0])
		q *= int64(v[1])
		r *= int64(v[2])
		s *= int64(v[3])
		v = v[4:]
	}
	for _, e := range v {
		p *= int64(e)
	}
	a.I = p * q * r * s
}

func everyBool(a *walk.Acc, x []byte, _ int) {
	if bytes.IndexByte(x, 0) >= 0 {
		a.I = 0
	}
}

// foldAny looks at the elements as they are: bits say whether a number is 0, but for the sign of floats.
func foldAny(c *reduceCall, _ []*executor.Value, common executor.DType) (executor.DType, error) {
	of := &anyBits
	switch {
	case arg.Floats.Has(common):
		of = &anyFloat
	case common == arg.C128:
		common = arg.Bool
	case arg.Complex.Has(common):
		of = &anyComplex
	}
	c.set(walk.Acc{}, of[bits.TrailingZeros(uint(common.Size()))], finishAny)
	c.Results[0] = arg.Bool
	return common, nil
}

func finishAny(_ *reduceCall, outs *walk.Outputs, j int, a *walk.Acc) { outs[0][j] = uint8(a.I) }

// anyBits, anyFloat and anyComplex are by the logarithm of an element's size. Wider numbers are made bools first.
var (
	anyBits  = [4]fold{anyOf[uint8](1<<8 - 1), anyOf[uint16](1<<16 - 1), anyOf[uint32](1<<32 - 1), anyOf[uint64](1<<64 - 1)}
	anyFloat = [4]fold{1: anyOf[uint16](1<<15 - 1), 2: anyOf[uint32](1<<31 - 1), 3: anyOf[uint64](1<<63 - 1)}

	anyComplex = [4]fold{2: anyOf[uint32](0x7fff7fff), 3: anyOf[uint64](0x7fffffff7fffffff)}
)

// anyOf is for elements that are true if one of the bits of mask is set.
func anyOf[T uint8 | uint16 | uint32 | uint64](mask T) fold {
	return fold{
		row: func(a *walk.Acc, x []byte, _ int) {
			if a.I == 0 && anyTrue(executor.SliceBytes[T](x), mask) {
				a.I = 1
			}
		},
		strip: anyStrip(mask),
	}
}

// anyTrue stops at the first eight of which one is true.
func anyTrue[T uint8 | uint16 | uint32 | uint64](v []T, mask T) bool {
	for ; len(v) >= 8; v = v[8:] {
		if (v[0]|v[1]|v[2]|v[3]|v[4]|v[5]|v[6]|v[7])&mask != 0 {
			return true
		}
	}
	var all T
	for _, x := range v {
		all |= x
	}
	return all&mask != 0
}
