package cpu

import (
	"github.com/ptero-rt/ptero/backends/cpu/arg"
	"github.com/ptero-rt/ptero/backends/cpu/fmath"
	"github.com/ptero-rt/ptero/backends/cpu/walk"
	"github.com/ptero-rt/ptero/executor"
)

// Complex numbers are folded as pairs of floats: the even ones of the eight lanes of Acc are of real parts, the odd ones of
// imaginary parts, so that each has four.

// complexFolds are those of a type of numbers.
type complexFolds struct {
	sum, product, spread walk.Fold
	sums, means          *walk.StripFold
}

// foldsOfComplex gives the type in which complex numbers are folded, and the folds.
func foldsOfComplex(common executor.DType) (executor.DType, *complexFolds) {
	if common == arg.C128 {
		return arg.C128, &foldsC128
	}
	return arg.C64, &foldsC64
}

var (
	foldsC64  = complexFolds{sumF32, multiplyComplexes[float32], spreadComplex[float32], complexStrip(addPairsF32, finishComplexSums), complexStrip(addPairsF32, finishComplexMeans)}
	foldsC128 = complexFolds{sumF64, multiplyComplexes[float64], spreadComplex[float64], complexStrip(addPairsF64, finishComplexSums), complexStrip(addPairsF64, finishComplexMeans)}
)

// complexResult is the type in which complex results are written that go to an output of type to.
func complexResult(to executor.DType) executor.DType {
	if to == arg.C128 {
		return arg.C128
	}
	return arg.C64
}

// putComplex writes result k of output j.
func (c *reduceCall) putComplex(outs *walk.Outputs, k, j int, x complex128) {
	if c.r.Results[k] == arg.C128 {
		put(outs, k, j, x)
		return
	}
	put(outs, k, j, complex64(x))
}

// complexTotal is the sum of the lanes, in the tree of Acc.Sum.
func complexTotal(a *walk.Acc) complex128 {
	f := &a.F
	return complex((f[0]+f[4])+(f[2]+f[6]), (f[1]+f[5])+(f[3]+f[7]))
}

func finishComplexSum(c *reduceCall, outs *walk.Outputs, j int, a *walk.Acc) {
	c.putComplex(outs, 0, j, complexTotal(a))
}

func finishComplexMean(c *reduceCall, outs *walk.Outputs, j int, a *walk.Acc) {
	c.putComplex(outs, 0, j, share(complexTotal(a), c.count))
}

// share divides by a number as PyTorch does, which takes it for a complex one: if one part is infinite the other is NaN.
func share(x complex128, n float64) complex128 {
	re, im := quotient(fma64, real(x), imag(x), n, 0)
	return complex(re, im)
}

// multiplyComplexes multiplies every fourth number.
func multiplyComplexes[T float](a *walk.Acc, x []byte, _ int) {
	f := &a.F
	for v, k := executor.SliceBytes[T](x), 0; len(v) > 0; v, k = v[2:], (k+2)&7 {
		f[k], f[k+1] = product(f[k], f[k+1], float64(v[0]), float64(v[1]))
	}
}

func finishComplexProduct(c *reduceCall, outs *walk.Outputs, j int, a *walk.Acc) {
	f := &a.F
	lane := func(k int) complex128 { return complex(f[2*k], f[2*k+1]) }
	times := func(x, y complex128) complex128 {
		re, im := product(real(x), imag(x), real(y), imag(y))
		return complex(re, im)
	}
	c.putComplex(outs, 0, j, times(times(lane(0), lane(2)), times(lane(1), lane(3))))
}

// The variance of complex numbers is that of the real parts and that of the imaginary ones together, and real.

func centreComplex(a *walk.Acc, n int) { *a = walk.Acc{Mean: share(complexTotal(a), float64(n))} }

func spreadComplex[T float](a *walk.Acc, x []byte, _ int) {
	v, f, mean := executor.SliceBytes[T](x), &a.F, [2]float64{real(a.Mean), imag(a.Mean)}
	for i, e := range v {
		d := float64(e) - mean[i&1]
		f[i&7] += float64(d * d)
	}
}

// complexStrip keeps the sums of four lanes of lines, of pairs each.
func complexStrip(add func(sums, line []byte), finish func(*walk.Strip, *walk.Outputs)) *walk.StripFold {
	return &walk.StripFold{
		Lines: func(s *walk.Strip, x []byte, n, step, at int) {
			size := len(x) / ((n-1)*step + s.Width)
			if at == 0 {
				s.Lanes = min(s.Count, 4)
				clear(s.Acc[:16*s.Lanes*s.Width])
			}
			for i := range n {
				add(pairLane(s, i&3), x[i*step*size:][:s.Width*size])
			}
		},
		Finish: finish,
	}
}

// pairLane is a lane of a strip.
func pairLane(s *walk.Strip, k int) []byte { return s.Acc[16*k*s.Width:][:16*s.Width] }

func addPairsF32(sums, line []byte) {
	fmath.Accumulate(executor.SliceBytes[float64](sums), executor.SliceBytes[float32](line))
}

func addPairsF64(sums, line []byte) { addF64(nil, sums, sums, line, nil) }

// joinPairs adds the lanes as complexTotal does.
func joinPairs(s *walk.Strip) []byte {
	for half := 2; half > 0; half /= 2 {
		for k := range min(half, max(s.Lanes-half, 0)) { // the others would change nothing
			addF64(nil, pairLane(s, k), pairLane(s, k), pairLane(s, k+half), nil)
		}
	}
	return pairLane(s, 0)
}

func finishComplexSums(s *walk.Strip, outs *walk.Outputs) { writeComplexes(s, outs, joinPairs(s)) }

func finishComplexMeans(s *walk.Strip, outs *walk.Outputs) {
	sums := executor.SliceBytes[complex128](joinPairs(s))
	for j, x := range sums {
		sums[j] = share(x, float64(s.Count))
	}
	writeComplexes(s, outs, pairLane(s, 0))
}

func writeComplexes(s *walk.Strip, outs *walk.Outputs, x []byte) {
	if s.Results[0] == arg.C128 {
		copy(outs[0], x)
		return
	}
	fmath.DivideNarrow(executor.SliceBytes[float32](outs[0]), executor.SliceBytes[float64](x), 1)
}

// runningComplex sums in double precision, like PyTorch.
func runningComplex[T complexN](dst, src []byte) {
	y, x := one[T, T](dst, src)
	var s complex128
	for i, v := range x {
		s += complex128(v)
		y[i] = T(s)
	}
}
