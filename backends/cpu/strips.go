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
	zeros  [8 * walk.StripWidth]byte
)

// lane is a line of a strip's accumulators.
func lane[T executor.Element](s *walk.Strip, k int) []T {
	return executor.SliceBytes[T](s.Acc)[k*s.Width:][:s.Width]
}

func laneBytes(s *walk.Strip, k int) []byte { return s.Acc[8*k*s.Width:][:8*s.Width] }

// use gives how many lanes have a value, before n more lines give one to others.
func use(s *walk.Strip, n int) int {
	used := s.Lanes
	s.Lanes = max(used, min(n, 8))
	return used
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
	fmath.AccumulateLines(acc, s.Width, v, n, step, use(s, n))
}

func sumLinesF16(s *walk.Strip, x []byte, n, step, _ int) {
	fmath.AccumulateHalfLines(executor.SliceBytes[float64](s.Acc), s.Width, executor.SliceBytes[uint16](x), n, step, use(s, n))
}

func sumLinesBF16(s *walk.Strip, x []byte, n, step, _ int) {
	fmath.AccumulateBrainLines(executor.SliceBytes[float64](s.Acc), s.Width, executor.SliceBytes[uint16](x), n, step, use(s, n))
}

func sumLinesF64(s *walk.Strip, x []byte, n, step, _ int) {
	used := use(s, n)
	for i := range n {
		sums := laneBytes(s, i&7)
		before := sums
		if i >= used && i < 8 {
			before = zeros[:len(sums)]
		}
		addF64(nil, sums, before, x[8*i*step:][:len(sums)], nil)
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
	used := use(s, n)
	v := executor.SliceBytes[T](x)
	for i := range n {
		p := lane[float64](s, i&7)
		line := v[i*step:][:len(p)]
		if i >= used && i < 8 {
			for j, e := range line {
				p[j] = float64(e)
			}
			continue
		}
		for j, e := range line {
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
	return &walk.StripFold{Lines: wholeLines(0, line, addLine[int64]), Finish: finishWhole}
}

func multiplyStrip(line func(products []int64, x []byte)) *walk.StripFold {
	return &walk.StripFold{Lines: wholeLines(1, line, multiplyLine[int64]), Finish: finishWhole}
}

func wholeLines(start int64, line, join func(acc []int64, x []byte)) walk.Lines {
	return func(s *walk.Strip, x []byte, n, step, at int) {
		size := len(x) / ((n-1)*step + s.Width)
		acc, i := lane[int64](s, 0), 0
		if at == 0 {
			k := atOnce(s, n, step)
			wide := executor.SliceBytes[int64](s.Acc)[:k*s.Width]
			for j := range wide {
				wide[j] = start
			}
			for ; i+k <= n; i += k {
				line(wide, x[i*step*size:][:len(wide)*size])
			}
			for p := 1; p < k; p++ {
				join(acc, laneBytes(s, p))
			}
		}
		for ; i < n; i++ {
			line(acc, x[i*step*size:][:s.Width*size])
		}
	}
}

// atOnce is how many lines are taken as one: narrow ones that follow each other without a gap. What comes of them is
// joined at the end.
func atOnce(s *walk.Strip, n, step int) int {
	if step != s.Width {
		return 1
	}
	return min(walk.StripWidth/s.Width, n)
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

// bestLines folds lines of elements of a size with a kernel whose second operand is what was found before.
func bestLines(size int, op walk.Kernel) walk.Lines {
	return func(s *walk.Strip, x []byte, n, step, at int) {
		width := s.Width * size
		acc, i := s.Acc[:width], 0
		if at == 0 {
			k := atOnce(s, n, step)
			wide := s.Acc[:k*width]
			copy(wide, x)
			for i = k; i+k <= n; i += k {
				op(nil, wide, x[i*step*size:][:len(wide)], wide, nil)
			}
			for rest := wide[width:]; len(rest) > 0; rest = rest[width:] {
				op(nil, acc, rest[:width], acc, nil)
			}
		}
		for ; i < n; i++ {
			op(nil, acc, x[i*step*size:][:width], acc, nil)
		}
	}
}

// anyStrip puts the bits of all elements of an output together.
func anyStrip[T uint8 | uint16 | uint32 | uint64](isTrue func(T) bool) *walk.StripFold {
	return &walk.StripFold{
		Lines: bestLines(sizeOf[T](), vector(lanes.Or, bitOr[uint8])),
		Finish: func(s *walk.Strip, outs *walk.Outputs) {
			for j, e := range lane[T](s, 0) {
				outs[0][j] = truth(isTrue(e))
			}
		},
	}
}

func sizeOf[T executor.Element]() int { return 8 / len(executor.SliceBytes[T](make([]byte, 8))) }
