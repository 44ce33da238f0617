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
	sumStripF32  = &walk.StripFold{Lines: sumLinesF32, Rows: sumRowsF32, Finish: finishSums}
	sumStripF64  = &walk.StripFold{Lines: sumLinesF64, Rows: sumRowsF64, Finish: finishSums}
	sumStripF16  = &walk.StripFold{Lines: sumLinesF16, Rows: sumRowsF16, Finish: finishSums}
	sumStripBF16 = &walk.StripFold{Lines: sumLinesBF16, Rows: sumRowsBF16, Finish: finishSums}

	meanStripF32  = &walk.StripFold{Lines: sumLinesF32, Rows: sumRowsF32, Finish: finishMeans}
	meanStripF64  = &walk.StripFold{Lines: sumLinesF64, Rows: sumRowsF64, Finish: finishMeans}
	meanStripF16  = &walk.StripFold{Lines: sumLinesF16, Rows: sumRowsF16, Finish: finishMeans}
	meanStripBF16 = &walk.StripFold{Lines: sumLinesBF16, Rows: sumRowsBF16, Finish: finishMeans}

	productStripF32 = &walk.StripFold{Lines: multiplyLines[float32], Finish: finishProducts}
	productStripF64 = &walk.StripFold{Lines: multiplyLines[float64], Finish: finishProducts}

	productStripI64 = &walk.StripFold{Lines: plainLines(8, mulI64), Finish: finishWhole}
)

var (
	addF64 = vector(lanes.AddF64, add[float64])
	mulF64 = vector(lanes.MulF64, mul[float64])
	addI64 = vector(lanes.Add64, add[int64])
	mulI64 = vector(lanes.Mul64, mul[int64])
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

// joinSums adds the lanes as Acc.Sum does.
func joinSums(s *walk.Strip) []float64 {
	switch s.Lanes {
	case 1:
	case 8:
		fmath.JoinLanes(executor.SliceBytes[float64](s.Acc), s.Width)
	default:
		return joinLanes(s, addF64)
	}
	return lane[float64](s, 0)
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

// wholeColumns says whether n lines, of so many bytes, are all and to be summed a column at a time. Narrow lines are, as eight
// columns fill no vector.
func wholeColumns(s *walk.Strip, bytes, n, at int) bool {
	return at == 0 && n == s.Count && n > 1 && (n <= 8 || bytes <= 8<<10 || s.Width >= 4 && s.Width < 16 && s.Width != 8)
}

// sumLines makes Lines of functions of fmath: one adds lines to the lanes, the other sums all lines of a column at a time,
// for a few lines or such that stay in the cache.
func sumLines[T executor.Element](add func(sums []float64, width int, x []T, n, step, used int), sum func(sums []float64, x []T, n, step int)) walk.Lines {
	return func(s *walk.Strip, x []byte, n, step, at int) {
		acc, v := executor.SliceBytes[float64](s.Acc), executor.SliceBytes[T](x)
		if wholeColumns(s, len(x), n, at) {
			s.Lanes = 1
			sum(acc[:s.Width], v, n, step)
			return
		}
		add(acc, s.Width, v, n, step, use(s, n))
	}
}

var (
	sumLinesF32  = sumLines(fmath.AccumulateLines, fmath.SumLines)
	sumLinesF64  = sumLines(fmath.AccumulateDoubleLines, fmath.SumDoubleLines)
	sumLinesF16  = sumLines(fmath.AccumulateHalfLines, fmath.SumHalfLines)
	sumLinesBF16 = sumLines(fmath.AccumulateBrainLines, fmath.SumBrainLines)
)

// sumRows makes Rows of a function of fmath.
func sumRows[T executor.Element](sum func(sums []float64, x []T, n, next int)) func(s *walk.Strip, x []byte, next int) {
	return func(s *walk.Strip, x []byte, next int) {
		s.Lanes = 1
		sum(lane[float64](s, 0), executor.SliceBytes[T](x), s.Count, next)
	}
}

var (
	sumRowsF32  = sumRows(fmath.SumRows)
	sumRowsF64  = sumRows(fmath.SumDoubleRows)
	sumRowsF16  = sumRows(fmath.SumHalfRows)
	sumRowsBF16 = sumRows(fmath.SumBrainRows)
)

func finishSums(s *walk.Strip, outs *walk.Outputs) { writeFloats(s, outs, 0, joinSums(s), 1) }

func finishMeans(s *walk.Strip, outs *walk.Outputs) {
	writeFloats(s, outs, 0, joinSums(s), float64(s.Count))
}

// writeFloats writes x divided by a number as results k.
func writeFloats(s *walk.Strip, outs *walk.Outputs, k int, x []float64, by float64) {
	if s.Results[k] == arg.F32 {
		fmath.DivideNarrow(executor.SliceBytes[float32](outs[k]), x, by)
		return
	}
	fmath.Divide(executor.SliceBytes[float64](outs[k]), x, by)
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

// addStrip and multiplyStrip make strips of functions of rows and lines of whole numbers, whose sums or products are i64.
func addStrip[T integer](sum func([]T) int64, line walk.Lines) *walk.StripFold {
	return &walk.StripFold{Lines: line, Rows: rowsOf(sum), Finish: finishWhole}
}

// rowsOf makes Rows of a function that gives what Acc keeps of a row.
func rowsOf[T, R executor.Element](of func([]T) R) func(s *walk.Strip, x []byte, next int) {
	return func(s *walk.Strip, x []byte, next int) {
		results, v := lane[R](s, 0), executor.SliceBytes[T](x)
		for j := range results {
			results[j] = of(v[j*next:][:s.Count])
		}
	}
}

func multiplyStrip(line func(products, x []byte)) *walk.StripFold {
	return &walk.StripFold{Lines: wholeLines(1, line, mulI64), Finish: finishWhole}
}

func wholeLines(start int64, line func(acc, x []byte), join walk.Kernel) walk.Lines {
	return func(s *walk.Strip, x []byte, n, step, at int) {
		width, size := 8*s.Width, len(x)/((n-1)*step+s.Width)
		i := 0
		if at == 0 {
			k := atOnce(s, n, 4, step, len(s.Acc)/8)
			wide := s.Acc[:k*width]
			begin(executor.SliceBytes[int64](wide), start)
			for ; i+k <= n; i += k {
				line(wide, x[i*step*size:][:k*s.Width*size])
			}
			for k > 1 {
				half := (k + 1) / 2
				join(nil, wide[:(k-half)*width], wide[half*width:k*width], wide, nil)
				k = half
			}
		}
		for ; i < n; i++ {
			line(s.Acc[:width], x[i*step*size:][:s.Width*size])
		}
	}
}

// ringFold folds whole numbers in their own type, with wrap-around: line does two lines, of a row, if there is a way.
func ringFold[T integer](row walk.Fold, line walk.Kernel, of func([]T) int64) fold {
	size := sizeOf[T]()
	strip := &walk.StripFold{Lines: plainLines(size, line), Finish: finishPlain(size)}
	if of != nil {
		strip.Rows = rowsOf(func(x []T) T { return T(of(x)) })
	}
	return fold{row, strip}
}

// finishPlain writes what folds keep in the type of the result.
func finishPlain(size int) func(s *walk.Strip, outs *walk.Outputs) {
	return func(s *walk.Strip, outs *walk.Outputs) { copy(outs[0], s.Acc[:s.Width*size]) }
}

func begin(acc []int64, start int64) {
	if start == 0 {
		clear(acc)
		return
	}
	for j := range acc {
		acc[j] = start
	}
}

// atOnce is how many of n lines are taken as one, of at most limit elements: those that follow each other without a gap, at
// most n/least of them, and as many each time. What comes of them is joined at the end.
func atOnce(s *walk.Strip, n, least, step, limit int) int {
	if step != s.Width {
		return 1
	}
	k := max(1, min(limit/s.Width, n/least))
	return n / ((n + k - 1) / k)
}

func finishWhole(s *walk.Strip, outs *walk.Outputs) {
	copy(executor.SliceBytes[int64](outs[0]), lane[int64](s, 0))
}

func addLines[T integer](add func(sums []int64, x []T)) walk.Lines {
	return wholeLines(0, func(sums, x []byte) { add(executor.SliceBytes[int64](sums), executor.SliceBytes[T](x)) }, addI64)
}

func multiplyLine[T integer](products, x []byte) {
	y := executor.SliceBytes[int64](products)
	v := executor.SliceBytes[T](x)[:len(y)]
	for j, e := range v {
		y[j] *= int64(e)
	}
}

// plainLines folds lines of elements of a size into one of the same type, with a kernel whose second operand is what came of
// those before. Where the order does not matter, that is: several lines may be taken as one.
func plainLines(size int, op walk.Kernel) walk.Lines {
	return func(s *walk.Strip, x []byte, n, step, at int) {
		width := s.Width * size
		acc, i := s.Acc[:width], 0
		if at == 0 {
			i = atOnce(s, n, 1, step, len(s.Acc)/(2*size))
			k := i
			best := x // until something came of it
			for wide := s.Acc[:k*width]; i+k <= n; i += k {
				op(nil, wide, x[i*step*size:][:len(wide)], best, nil)
				best = wide
			}
			for k > 1 {
				half := (k + 1) / 2
				op(nil, s.Acc[:(k-half)*width], best[half*width:k*width], best, nil)
				if k&1 == 1 && &best[0] != &s.Acc[0] {
					copy(s.Acc[(half-1)*width:half*width], best[(half-1)*width:])
				}
				best, k = s.Acc, half
			}
			if &best[0] != &acc[0] {
				copy(acc, best)
			}
		}
		for ; i < n; i++ {
			op(nil, acc, x[i*step*size:][:width], acc, nil)
		}
	}
}

// everyStrip is the product of bools: the least of them.
var everyStrip = &walk.StripFold{
	Lines: plainLines(1, vector(lanes.MinU8, smallerOf[uint8])),
	Finish: func(s *walk.Strip, outs *walk.Outputs) {
		for j, e := range lane[uint8](s, 0) {
			put(outs, 0, j, int64(min(e, 1)))
		}
	},
}

// anyStrip puts the bits of all elements of an output together.
func anyStrip[T uint8 | uint16 | uint32 | uint64](mask T) *walk.StripFold {
	return &walk.StripFold{
		Rows:  rowsOf(func(x []T) T { return T(truth(anyTrue(x, mask))) }),
		Lines: plainLines(sizeOf[T](), vector(lanes.Or, bitOr[uint8])),
		Finish: func(s *walk.Strip, outs *walk.Outputs) {
			for j, e := range lane[T](s, 0) {
				outs[0][j] = truth(e&mask != 0)
			}
		},
	}
}

func sizeOf[T executor.Element]() int { return 8 / len(executor.SliceBytes[T](make([]byte, 8))) }
