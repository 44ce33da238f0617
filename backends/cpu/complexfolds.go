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
	sum, mean, product, variance fold
	spread                       walk.Fold // the second pass of a variance
}

// foldsOfComplex gives the type in which complex numbers are folded, and the folds.
func foldsOfComplex(common executor.DType) (executor.DType, *complexFolds) {
	if common == arg.C128 {
		return arg.C128, &foldsC128
	}
	return arg.C64, &foldsC64
}

var (
	foldsC64  = complexFoldsOf[float32](sumF32, addPairsF32)
	foldsC128 = complexFoldsOf[float64](sumF64, addPairsF64)
)

func complexFoldsOf[T float](sum walk.Fold, add func(s *walk.Strip, sums, line []byte)) complexFolds {
	sums := pairLines(0, add)
	return complexFolds{
		sum:      fold{sum, &walk.StripFold{Lines: sums, Finish: finishComplexSums}},
		mean:     fold{sum, &walk.StripFold{Lines: sums, Finish: finishComplexMeans}},
		product:  fold{multiplyPairs[T], &walk.StripFold{Lines: pairLines(1, multiplyPairLine[T]), Finish: finishComplexProducts}},
		spread:   spreadPairs[T],
		variance: fold{sum, &walk.StripFold{Lines: sums, Centre: centrePairs, Second: pairLines(0, spreadPairLine[T]), Finish: finishComplexVariances}},
	}
}

// complexResult is the type in which complex results are written that go to an output of type to.
func complexResult(to executor.DType) executor.DType {
	if to == arg.C128 {
		return arg.C128
	}
	return arg.C64
}

// putComplex writes result k of output j.
func (c *reduceCall) putComplex(outs *walk.Outputs, k, j int, x complex128) {
	if c.Results[k] == arg.C128 {
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

// share divides by a number as PyTorch's mean does, which takes it for a complex one: if one part is infinite the other is
// NaN. That is not so for the means of a variance, which are those of the parts.
func share(x complex128, n float64) complex128 {
	re, im := quotient(fma64, real(x), imag(x), n, 0)
	return complex(re, im)
}

// multiplyPairs multiplies every fourth number.
func multiplyPairs[T float](a *walk.Acc, x []byte, _ int) {
	f := &a.F
	for v, k := executor.SliceBytes[T](x), 0; len(v) > 0; v, k = v[2:], (k+2)&7 {
		f[k], f[k+1] = product(f[k], f[k+1], float64(v[0]), float64(v[1]))
	}
}

func finishComplexProduct(c *reduceCall, outs *walk.Outputs, j int, a *walk.Acc) {
	f := &a.F
	lanes := min(int(c.count), 4)
	for half := 4; half > 1; half /= 2 { // as joinPairs
		for k := 0; k < min(half, 2*lanes-half); k += 2 {
			f[k], f[k+1] = product(f[k], f[k+1], f[k+half], f[k+half+1])
		}
	}
	c.putComplex(outs, 0, j, complex(f[0], f[1]))
}

// The variance of complex numbers is that of the real parts and that of the imaginary ones together, and real.

func centreComplex(a *walk.Acc, n int) {
	sum := complexTotal(a)
	*a = walk.Acc{Mean: complex(updated(real(sum)/float64(n), n), updated(imag(sum)/float64(n), n))}
}

func spreadPairs[T float](a *walk.Acc, x []byte, _ int) {
	v, f, mean := executor.SliceBytes[T](x), &a.F, [2]float64{real(a.Mean), imag(a.Mean)}
	for i, e := range v {
		d := float64(e) - mean[i&1]
		f[i&7] += float64(d * d)
	}
}

// Strips keep four lanes of lines, of pairs each.

// pairLines makes Lines of a function that takes a line into a lane, which begins with real numbers.
func pairLines(start float64, take func(s *walk.Strip, lane, line []byte)) walk.Lines {
	return func(s *walk.Strip, x []byte, n, step, at int) {
		size := len(x) / ((n-1)*step + s.Width)
		if at == 0 {
			s.Lanes = min(s.Count, 4)
			all := executor.SliceBytes[complex128](s.Acc)[:s.Lanes*s.Width]
			for j := range all {
				all[j] = complex(start, 0)
			}
		}
		for i := range n {
			take(s, pairLane(s, i&3), x[i*step*size:][:s.Width*size])
		}
	}
}

func pairLane(s *walk.Strip, k int) []byte { return s.Acc[16*k*s.Width:][:16*s.Width] }

func addPairsF32(_ *walk.Strip, sums, line []byte) {
	fmath.Accumulate(executor.SliceBytes[float64](sums), executor.SliceBytes[float32](line))
}

func addPairsF64(_ *walk.Strip, sums, line []byte) { addF64(nil, sums, sums, line, nil) }

func multiplyPairLine[T float](_ *walk.Strip, products, line []byte) {
	f, v := executor.SliceBytes[float64](products), executor.SliceBytes[T](line)
	for j := 0; j+1 < len(v); j += 2 {
		f[j], f[j+1] = product(f[j], f[j+1], float64(v[j]), float64(v[j+1]))
	}
}

func spreadPairLine[T float](s *walk.Strip, sums, line []byte) {
	f, means := executor.SliceBytes[float64](sums), executor.SliceBytes[float64](s.Aux)
	for j, e := range executor.SliceBytes[T](line) {
		d := float64(e) - means[j]
		f[j] += float64(d * d)
	}
}

// joinPairs folds the lanes into the first, in the tree of complexTotal.
func joinPairs(s *walk.Strip, op walk.Kernel) []byte {
	for half := 2; half > 0; half /= 2 {
		for k := range min(half, max(s.Lanes-half, 0)) { // the others would change nothing
			op(nil, pairLane(s, k), pairLane(s, k), pairLane(s, k+half), nil)
		}
	}
	return pairLane(s, 0)
}

func finishComplexSums(s *walk.Strip, outs *walk.Outputs) {
	writeComplexes(s, outs, 0, joinPairs(s, addF64))
}

func finishComplexMeans(s *walk.Strip, outs *walk.Outputs) {
	means := executor.SliceBytes[complex128](joinPairs(s, addF64))
	for j, x := range means {
		means[j] = share(x, float64(s.Count))
	}
	writeComplexes(s, outs, 0, pairLane(s, 0))
}

func finishComplexProducts(s *walk.Strip, outs *walk.Outputs) {
	writeComplexes(s, outs, 0, joinPairs(s, multiplyComplex[float64]))
}

// centrePairs leaves the means in Aux.
func centrePairs(s *walk.Strip) {
	sums := executor.SliceBytes[float64](joinPairs(s, addF64))
	fmath.Divide(executor.SliceBytes[float64](s.Aux)[:len(sums)], sums, float64(s.Count))
}

func finishComplexVariances(s *walk.Strip, outs *walk.Outputs) {
	f := executor.SliceBytes[float64](joinPairs(s, addF64))
	for j := range s.Width {
		f[j] = f[2*j] + f[2*j+1]
	}
	writeFloats(s, outs, 0, f[:s.Width], freedom(float64(s.Count), s.Correction))
	if outs[1] != nil {
		writeComplexes(s, outs, 1, s.Aux)
	}
}

// writeComplexes writes the first of x as results k.
func writeComplexes(s *walk.Strip, outs *walk.Outputs, k int, x []byte) {
	x = x[:16*s.Width]
	if s.Results[k] == arg.C128 {
		copy(outs[k], x)
		return
	}
	fmath.DivideNarrow(executor.SliceBytes[float32](outs[k]), executor.SliceBytes[float64](x), 1)
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

// runningPairs and runningDoublePairs are runningSums and runningTotals of the parts.
func runningPairs(dst, src []byte, n, width, dy, dx int) {
	for j := 0; j < 2*width; j += walk.ColumnWidth {
		runningSums(dst[4*j:], src[4*j:], n, min(walk.ColumnWidth, 2*width-j), 2*dy, 2*dx)
	}
}

func runningDoublePairs(dst, src []byte, n, width, dy, dx int) {
	runningTotals[float64](dst, src, n, 2*width, 2*dy, 2*dx)
}
