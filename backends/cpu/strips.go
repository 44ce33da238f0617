package cpu

import (
	"github.com/ptero-rt/ptero/backends/cpu/arg"
	"github.com/ptero-rt/ptero/backends/cpu/fmath"
	"github.com/ptero-rt/ptero/backends/cpu/lanes"
	"github.com/ptero-rt/ptero/backends/cpu/walk"
	"github.com/ptero-rt/ptero/executor"
)

// Floats are folded in eight lanes of doubles, line k of a strip's Acc for every eighth element, in the order of the folds
// of rows; whole numbers in one line.
var (
	sumStripF32  = &walk.StripFold{Lines: sumLinesF32, Finish: finishSums}
	sumStripF64  = &walk.StripFold{Lines: sumLinesF64, Finish: finishSums}
	sumStripF16  = &walk.StripFold{Lines: sumLinesF16, Finish: finishSums}
	sumStripBF16 = &walk.StripFold{Lines: sumLinesBF16, Finish: finishSums}

	meanStripF32  = &walk.StripFold{Lines: sumLinesF32, Finish: finishMeans}
	meanStripF64  = &walk.StripFold{Lines: sumLinesF64, Finish: finishMeans}
	meanStripF16  = &walk.StripFold{Lines: sumLinesF16, Finish: finishMeans}
	meanStripBF16 = &walk.StripFold{Lines: sumLinesBF16, Finish: finishMeans}

	productStripF32 = &walk.StripFold{Lines: multiplyLines[float32], Finish: finishProducts}
	productStripF64 = &walk.StripFold{Lines: multiplyLines[float64], Finish: finishProducts}

	complexStrip = &walk.StripFold{Lines: sumLinesComplex, Finish: finishComplexSums}
)

var (
	addF64 = vector(lanes.AddF64, add[float64])
	mulF64 = vector(lanes.MulF64, mul[float64])
	addI64 = vector(lanes.Add64, add[int64])
	orBits = vector(lanes.Or, bitOr[uint8])
)

// lane is a line of a strip's accumulators.
func lane[T executor.Element](s *walk.Strip, k int) []T {
	return executor.SliceBytes[T](s.Acc)[k*s.Width:][:s.Width]
}

func laneBytes(s *walk.Strip, k int) []byte { return s.Acc[8*k*s.Width:][:8*s.Width] }

// use starts as many lanes as n more lines need.
func use(s *walk.Strip, n int, start float64) {
	for ; s.Lanes < min(n, 8); s.Lanes++ {
		fresh := lane[float64](s, s.Lanes)
		for j := range fresh {
			fresh[j] = start
		}
	}
}

// joinLanes folds the lanes into the first, in the tree of Acc.Sum.
func joinLanes(s *walk.Strip, op walk.Kernel) []float64 {
	for half := 4; half > 0; half /= 2 {
		for k := range min(half, max(s.Lanes-half, 0)) { // the others would change nothing
			op(nil, laneBytes(s, k), laneBytes(s, k), laneBytes(s, k+half), nil)
		}
	}
	return lane[float64](s, 0)
}

func sumLinesF32(s *walk.Strip, x []byte, n, step, at int) {
	acc, v := executor.SliceBytes[float64](s.Acc), executor.SliceBytes[float32](x)
	if at == 0 && n == s.Count && (n <= 8 || n*step <= 2048) { // few lines, or they stay in the cache: one column at a time
		s.Lanes = 1
		fmath.SumLines(acc[:s.Width], v, n, step)
		return
	}
	use(s, n, 0)
	fmath.AccumulateLines(acc, s.Width, v, n, step)
}

func sumLinesF16(s *walk.Strip, x []byte, n, step, _ int) {
	use(s, n, 0)
	fmath.AccumulateHalfLines(executor.SliceBytes[float64](s.Acc), s.Width, executor.SliceBytes[uint16](x), n, step)
}

func sumLinesBF16(s *walk.Strip, x []byte, n, step, _ int) {
	use(s, n, 0)
	fmath.AccumulateBrainLines(executor.SliceBytes[float64](s.Acc), s.Width, executor.SliceBytes[uint16](x), n, step)
}

func sumLinesF64(s *walk.Strip, x []byte, n, step, _ int) {
	use(s, n, 0)
	for i := range n {
		sums := laneBytes(s, i&7)
		addF64(nil, sums, sums, x[8*i*step:][:len(sums)], nil)
	}
}

func finishSums(s *walk.Strip, outs *walk.Outputs) { writeFloats(s, outs, 0, joinLanes(s, addF64), 1) }

func finishMeans(s *walk.Strip, outs *walk.Outputs) {
	writeFloats(s, outs, 0, joinLanes(s, addF64), float64(s.Count))
}

// writeFloats writes x divided by a number as results k.
func writeFloats(s *walk.Strip, outs *walk.Outputs, k int, x []float64, by float64) {
	if s.Results[k] == arg.F32 {
		fmath.DivideNarrow(executor.SliceBytes[float32](outs[k]), x, by)
		return
	}
	y := executor.SliceBytes[float64](outs[k])
	for j, v := range x {
		y[j] = v / by
	}
}

func multiplyLines[T float](s *walk.Strip, x []byte, n, step, _ int) {
	use(s, n, 1)
	v := executor.SliceBytes[T](x)
	for i := range n {
		p := lane[float64](s, i&7)
		for j, e := range v[i*step:][:len(p)] {
			p[j] *= float64(e)
		}
	}
}

func finishProducts(s *walk.Strip, outs *walk.Outputs) {
	writeFloats(s, outs, 0, joinLanes(s, mulF64), 1)
}

func sumLinesComplex(s *walk.Strip, x []byte, n, step, at int) {
	sums, v := lane[complex128](s, 0), executor.SliceBytes[complex128](x)
	if at == 0 {
		clear(sums)
	}
	for i := range n {
		for j, e := range v[i*step:][:len(sums)] {
			sums[j] += e
		}
	}
}

func finishComplexSums(s *walk.Strip, outs *walk.Outputs) {
	sums := lane[complex128](s, 0)
	if s.Results[0] == arg.C128 {
		copy(executor.SliceBytes[complex128](outs[0]), sums)
		return
	}
	y := executor.SliceBytes[complex64](outs[0])
	for j, v := range sums {
		y[j] = complex64(v)
	}
}

// addStrip and multiplyStrip make strips of functions that take in a line of whole numbers.
func addStrip(line func(sums []int64, x []byte)) *walk.StripFold {
	return &walk.StripFold{Lines: wholeLines(0, line), Finish: finishWhole}
}

func multiplyStrip(line func(products []int64, x []byte)) *walk.StripFold {
	return &walk.StripFold{Lines: wholeLines(1, line), Finish: finishWhole}
}

func wholeLines(start int64, line func(acc []int64, x []byte)) walk.Lines {
	return func(s *walk.Strip, x []byte, n, step, at int) {
		acc := lane[int64](s, 0)
		if at == 0 {
			for j := range acc {
				acc[j] = start
			}
		}
		size := len(x) / ((n-1)*step + s.Width)
		for i := range n {
			line(acc, x[i*step*size:][:s.Width*size])
		}
	}
}

func addLinesI64(s *walk.Strip, x []byte, n, step, at int) {
	sums := laneBytes(s, 0)
	if at == 0 {
		clear(sums)
	}
	for i := range n {
		addI64(nil, sums, sums, x[8*i*step:][:len(sums)], nil)
	}
}

func finishWhole(s *walk.Strip, outs *walk.Outputs) {
	copy(executor.SliceBytes[int64](outs[0]), lane[int64](s, 0))
}

func addLine[T integer](sums []int64, x []byte) {
	v := executor.SliceBytes[T](x)[:len(sums)]
	for j, e := range v {
		sums[j] += int64(e)
	}
}

func multiplyLine[T integer](products []int64, x []byte) {
	v := executor.SliceBytes[T](x)[:len(products)]
	for j, e := range v {
		products[j] *= int64(e)
	}
}

func countLine(sums []int64, x []byte) {
	for j, e := range x[:len(sums)] {
		sums[j] += int64(min(e, 1))
	}
}

func everyLine(products []int64, x []byte) {
	for j, e := range x[:len(products)] {
		products[j] *= int64(min(e, 1))
	}
}

// anyStrip puts the bits of all elements of an output together.
func anyStrip[T uint8 | uint16 | uint32 | uint64](isTrue func(T) bool) *walk.StripFold {
	return &walk.StripFold{
		Lines: func(s *walk.Strip, x []byte, n, step, at int) {
			all := lane[T](s, 0)
			v, i := executor.SliceBytes[T](x), 0
			if at == 0 {
				copy(all, v)
				i = 1
			}
			size := len(x) / len(v)
			acc := s.Acc[:s.Width*size]
			for ; i < n; i++ {
				orBits(nil, acc, acc, x[i*step*size:][:len(acc)], nil)
			}
		},
		Finish: func(s *walk.Strip, outs *walk.Outputs) {
			for j, e := range lane[T](s, 0) {
				outs[0][j] = truth(isTrue(e))
			}
		},
	}
}
