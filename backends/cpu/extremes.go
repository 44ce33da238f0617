package cpu

import (
	"math"
	"slices"

	"github.com/ptero-rt/ptero/backends/cpu/arg"
	"github.com/ptero-rt/ptero/backends/cpu/fmath"
	"github.com/ptero-rt/ptero/backends/cpu/lanes"
	"github.com/ptero-rt/ptero/backends/cpu/walk"
	"github.com/ptero-rt/ptero/executor"
)

// extreme is how the largest or the smallest element of one type is found: the first of equals; NaN beats everything.
type extreme struct {
	start  walk.Acc
	value  fold
	both   fold // the element and which it was
	which  fold // which it was
	finish func(c *reduceCall, outs *walk.Outputs, j int, a *walk.Acc)
}

// extremes are by element type. Halves are compared as f32; types that are missing as i64.
type extremes [arg.Bool + 1]*extreme

var (
	maxima = extremes{
		arg.U8:   wholeExtreme(true, &lanes.MaxOfU8, vector(lanes.MaxU8, largerOf[uint8]), nil),
		arg.I8:   wholeExtreme(true, &lanes.MaxOfI8, vector(lanes.MaxI8, largerOf[int8]), nil),
		arg.I16:  wholeExtreme(true, &lanes.MaxOfI16, vector(lanes.MaxI16, largerOf[int16]), nil),
		arg.I32:  wholeExtreme(true, &lanes.MaxOfI32, vector(lanes.MaxI32, largerOf[int32]), lanes.SearchMaxI32),
		arg.I64:  wholeExtreme(true, &lanes.MaxOfI64, vector(lanes.MaxI64, largerOf[int64]), lanes.SearchMaxI64),
		arg.F32:  floatExtreme(true, fmath.MaxOf, paired(fmath.Max), lanes.SearchMaxF32),
		arg.F64:  floatExtreme(true, lanes.MaxOfF64, vector(lanes.TakeMaxF64, largerOf[float64]), lanes.SearchMaxF64),
		arg.Bool: wholeExtreme(true, &lanes.MaxOfU8, vector(lanes.MaxU8, largerOf[uint8]), nil),
	}
	minima = extremes{
		arg.U8:   wholeExtreme(false, &lanes.MinOfU8, vector(lanes.MinU8, smallerOf[uint8]), nil),
		arg.I8:   wholeExtreme(false, &lanes.MinOfI8, vector(lanes.MinI8, smallerOf[int8]), nil),
		arg.I16:  wholeExtreme(false, &lanes.MinOfI16, vector(lanes.MinI16, smallerOf[int16]), nil),
		arg.I32:  wholeExtreme(false, &lanes.MinOfI32, vector(lanes.MinI32, smallerOf[int32]), lanes.SearchMinI32),
		arg.I64:  wholeExtreme(false, &lanes.MinOfI64, vector(lanes.MinI64, smallerOf[int64]), lanes.SearchMinI64),
		arg.F32:  floatExtreme(false, fmath.MinOf, paired(fmath.Min), lanes.SearchMinF32),
		arg.F64:  floatExtreme(false, lanes.MinOfF64, vector(lanes.TakeMinF64, smallerOf[float64]), lanes.SearchMinF64),
		arg.Bool: wholeExtreme(false, &lanes.MinOfU8, vector(lanes.MinU8, smallerOf[uint8]), nil),
	}
)

// extremeOf gives the type that elements of type d are compared in, and how.
func (list *extremes) extremeOf(d executor.DType) (executor.DType, *extreme) {
	switch {
	case arg.IsHalf(d):
		d = arg.F32
	case d > arg.Bool || list[d] == nil:
		d = arg.I64
	}
	return d, list[d]
}

// foldExtreme picks an element, and with a second output which it was.
func foldExtreme(list *extremes) func(*reduceCall, []*executor.Value, executor.DType) (executor.DType, error) {
	return func(c *reduceCall, _ []*executor.Value, common executor.DType) (executor.DType, error) {
		as, e := list.extremeOf(common)
		c.Results = [2]executor.DType{as, arg.I64}
		f := e.value
		if c.op.outs == 2 {
			f = e.both
		}
		c.set(e.start, f, e.finish)
		return as, nil
	}
}

func foldArgument(list *extremes) func(*reduceCall, []*executor.Value, executor.DType) (executor.DType, error) {
	return func(c *reduceCall, _ []*executor.Value, common executor.DType) (executor.DType, error) {
		as, e := list.extremeOf(common)
		c.set(e.start, e.which, finishWhich)
		c.Results[0] = arg.I64
		return as, nil
	}
}

func finishWhich(_ *reduceCall, outs *walk.Outputs, j int, a *walk.Acc) { put(outs, 0, j, a.At) }

// chunk is how many elements are compared before it is looked whether the extreme is among them: less is to be searched
// for it then.
const chunk = 256

// wholeExtreme makes the extreme of whole numbers from those of rows, of two lines and of many.
func wholeExtreme[T integer](largest bool, of *lanes.Extreme[T], line walk.Kernel, search lanes.Search[T]) *extreme {
	e := &extreme{start: walk.Acc{I: math.MinInt64, At: -1}}
	beats := func(x, y int64) bool { return x > y }
	if !largest {
		e.start.I = math.MaxInt64
		beats = func(x, y int64) bool { return x < y }
	}
	e.value.row = func(a *walk.Acc, x []byte, _ int) {
		if m := int64(of.Row(executor.SliceBytes[T](x))); beats(m, a.I) {
			a.I = m
		}
	}
	e.both.row = func(a *walk.Acc, x []byte, at int) {
		v, found := executor.SliceBytes[T](x), -1
		for i := 0; i < len(v); i += chunk {
			if m := int64(of.Row(v[i:min(i+chunk, len(v))])); beats(m, a.I) || a.At < 0 {
				a.I, a.At, found = m, 0, i
			}
		}
		if found >= 0 {
			a.At = int64(at + found + slices.Index(v[found:], T(a.I)))
		}
	}
	e.finish = func(c *reduceCall, outs *walk.Outputs, j int, a *walk.Acc) {
		put(outs, 0, j, T(a.I))
		c.putSecond(outs, j, a.At)
	}
	e.complete(extremeStrips(largest, line, search))
	e.value.strip.Rows = func(s *walk.Strip, x []byte, next int) {
		of.Rows(lane[T](s, 0), executor.SliceBytes[T](x), s.Count, next)
	}
	return e
}

func floatExtreme[T float](largest bool, of func([]T) T, line walk.Kernel, search lanes.Search[T]) *extreme {
	e := &extreme{start: walk.Acc{F: [8]float64{math.Inf(-1)}, At: -1}}
	beats := func(x, y float64) bool { return !(x <= y) && y == y }
	if !largest {
		e.start.F[0] = math.Inf(1)
		beats = func(x, y float64) bool { return !(x >= y) && y == y }
	}
	first := func(v []T) T {
		m := of(v)
		if m == 0 { // of either sign
			m = v[slices.Index(v, 0)]
		}
		return m
	}
	e.value.row = func(a *walk.Acc, x []byte, _ int) {
		if m := float64(first(executor.SliceBytes[T](x))); beats(m, a.F[0]) {
			a.F[0] = m
		}
	}
	e.both.row = func(a *walk.Acc, x []byte, at int) {
		v, found := executor.SliceBytes[T](x), -1
		for i := 0; i < len(v); i += chunk {
			if m := float64(of(v[i:min(i+chunk, len(v))])); beats(m, a.F[0]) || a.At < 0 {
				a.F[0], a.At, found = m, 0, i
			}
		}
		if found < 0 {
			return
		}
		m := T(a.F[0])
		for i, e := range v[found:] {
			if e == m || e != e && m != m {
				a.F[0], a.At = float64(e), int64(at+found+i)
				return
			}
		}
	}
	e.finish = func(c *reduceCall, outs *walk.Outputs, j int, a *walk.Acc) {
		put(outs, 0, j, T(a.F[0]))
		c.putSecond(outs, j, a.At)
	}
	e.complete(extremeStrips(largest, line, search))
	e.value.strip.Rows = rowsOf(first)
	return e
}

func (e *extreme) complete(value, both, which *walk.StripFold) {
	e.which.row = e.both.row
	e.value.strip, e.both.strip, e.which.strip = value, both, which
}

// extremeStrips keep the best elements of a strip in Acc and their numbers in Aux.
func extremeStrips[T arith](largest bool, line walk.Kernel, search lanes.Search[T]) (value, both, which *walk.StripFold) {
	size := sizeOf[T]()
	values := plainLines(size, line)
	one := greater[T]
	if !largest {
		one = lesser[T]
	}
	lines := func(s *walk.Strip, x []byte, n, step, at int) {
		best, where, v := lane[T](s, 0), executor.SliceBytes[int64](s.Aux)[:s.Width], executor.SliceBytes[T](x)
		first, done := 0, 0
		if at == 0 {
			copy(best, v)
			clear(where)
			first = 1
		}
		if search != nil && first < n {
			done = search(best, where, v[first*step:], n-first, step, int64(at+first))
		}
		for i := first; i < n && done < len(best); i++ {
			one(best[done:], where[done:], v[i*step+done:], int64(at+i))
		}
	}
	write := func(s *walk.Strip, outs *walk.Outputs) {
		copy(outs[0], s.Acc[:s.Width*size])
		copy(outs[1], s.Aux[:8*s.Width])
	}
	return &walk.StripFold{Lines: values, Finish: finishPlain(size)},
		&walk.StripFold{Lines: lines, Finish: write},
		&walk.StripFold{Lines: lines, Finish: func(s *walk.Strip, outs *walk.Outputs) { copy(outs[0], s.Aux[:8*s.Width]) }}
}

// greater takes in a line, number i, where it is more than the best so far.
func greater[T arith](best []T, where []int64, x []T, i int64) {
	x, where = x[:len(best)], where[:len(best)]
	for j, e := range x {
		if b := best[j]; !(e <= b) && b == b {
			best[j], where[j] = e, i
		}
	}
}

func lesser[T arith](best []T, where []int64, x []T, i int64) {
	x, where = x[:len(best)], where[:len(best)]
	for j, e := range x {
		if b := best[j]; !(e >= b) && b == b {
			best[j], where[j] = e, i
		}
	}
}
