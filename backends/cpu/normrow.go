package cpu

import (
	"math"

	"github.com/ptero-rt/ptero/backends/cpu/arg"
	"github.com/ptero-rt/ptero/backends/cpu/fmath"
	"github.com/ptero-rt/ptero/backends/cpu/walk"
	"github.com/ptero-rt/ptero/executor"
)

// rowWeights are the weights or the biases of a normalisation, in the type that it computes in.
type rowWeights struct {
	t    *executor.Tensor // nil: none
	n    int
	each int    // elements that share a weight and get a copy of it
	own  []byte // converted, or all alike where there is no tensor
	load walk.Load
	seen []byte // of this run; nil: none
}

// plan takes up a tensor of n elements, or none.
func (w *rowWeights) plan(t *executor.Tensor, as executor.DType, n, each int) {
	w.t, w.n, w.each, w.own, w.load = t, n, each, w.own[:0], nil
	if t == nil || t.DType == as && each == 1 {
		return
	}
	w.load = walk.Loader(t.DType, as)
	w.hold(n * each * as.Size())
}

// hold makes room for elements that are not the tensor's.
func (w *rowWeights) hold(bytes int) {
	if cap(w.own) < bytes {
		w.own = make([]byte, bytes)
	}
	w.own = w.own[:bytes]
}

// even stands in for an absent tensor.
func (w *rowWeights) even(x float64, as executor.DType) {
	w.hold(w.n * w.each * as.Size())
	for i := range w.n * w.each {
		walk.Put(w.own[i*as.Size():], as, arg.Scalar{Kind: executor.KindDouble, F: x})
	}
}

// refresh takes the tensor's present bytes.
func (w *rowWeights) refresh() {
	switch {
	case w.load != nil:
		w.load(w.own, w.t.Data, 0, 1, w.n)
		if w.seen = w.own; w.each > 1 {
			if size := len(w.own) / (w.n * w.each); size == 4 {
				spread(executor.SliceBytes[float32](w.own), w.n, w.each)
			} else {
				spread(executor.SliceBytes[float64](w.own), w.n, w.each)
			}
		}
	case w.t != nil:
		w.seen = w.t.Data
	case len(w.own) > 0:
		w.seen = w.own
	default:
		w.seen = nil
	}
}

// spread makes each of n elements to so many copies, in place.
func spread[T float](own []T, n, each int) {
	for i := n - 1; i >= 0; i-- {
		x := own[i]
		for k := range own[i*each:][:each] {
			own[i*each+k] = x
		}
	}
}

// complete makes one of weights and biases stand in for all, where the other is there.
func complete(weight, bias *rowWeights, as executor.DType) {
	switch {
	case weight.t == nil && bias.t != nil:
		weight.even(1, as)
	case weight.t != nil && bias.t == nil:
		bias.even(0, as)
	}
}

// weightsOf gives n weights from first on, nil where there are none.
func weightsOf[T float](w *rowWeights, first, n int) []T {
	if w.seen == nil {
		return nil
	}
	return executor.SliceBytes[T](w.seen)[first : first+n]
}

// normRow takes two passes, mean and squared distances, in f64.
func normRow[T float](dst, src []byte, w, b []T, period int, eps float64) (mean, rstd float64) {
	y, x := one[T, T](dst, src)
	if len(x) == 0 {
		return 0, math.NaN()
	}
	mean, rstd = momentsOf[T](src, eps)
	if period == 1 && w != nil && b != nil {
		standardiseEach(y, x, w, b, mean, rstd)
		return mean, rstd
	}
	for i, k := 0, 0; i < len(x); k++ {
		scale, shift := rstd, 0.0
		if w != nil {
			scale *= float64(w[k])
		}
		if b != nil {
			shift = float64(b[k])
		}
		end := min(i+period, len(x))
		standardise(y[i:end], x[i:end], mean, scale, shift)
		i = end
	}
	return mean, rstd
}

func standardise[T float](y, x []T, mean, scale, shift float64) {
	if y, ok := any(y).([]float32); ok {
		fmath.Standardise(y, any(x).([]float32), mean, scale, shift)
		return
	}
	for i, v := range x {
		y[i] = T(float64((float64(v)-mean)*scale) + shift)
	}
}

func standardiseEach[T float](y, x, w, b []T, mean, scale float64) {
	if y, ok := any(y).([]float32); ok {
		fmath.StandardiseEach(y, any(x).([]float32), any(w).([]float32), any(b).([]float32), mean, scale)
		return
	}
	for i, v := range x {
		y[i] = T(float64(float64((float64(v)-mean)*scale)*float64(w[i])) + float64(b[i]))
	}
}

func momentsOf[T float](src []byte, eps float64) (mean, rstd float64) {
	if x, ok := any(executor.SliceBytes[T](src)).([]float32); ok {
		return fmath.Moments(x, eps)
	}
	n := float64(len(src) / 8)
	var a walk.Acc
	sumF64(&a, src, 0)
	mean = a.Sum() / n
	a = walk.Acc{Mean: complex(mean, 0)}
	spreadF64(&a, src, 0)
	return mean, 1 / math.Sqrt(a.Sum()/n+eps)
}

// normRows normalises rows with a weight for each of their elements, if there are any, or with one for each row.
func normRows[T float](c *normCall, row, rows int, outs *[3][]byte, in []byte, each, channels bool, standardise, byChannel func(y, x, weight, bias, mean, rstd []T, eps float64)) {
	y, x := one[T, T](outs[0], in)
	mean, rstd := executor.SliceBytes[T](outs[1]), executor.SliceBytes[T](outs[2])
	n := len(x) / rows
	for i, step := 0, rows; i < rows; i += step {
		first, f, weights := (row+i)/c.after%c.groups*c.perRow, standardise, c.perRow
		switch {
		case channels:
			step = min(rows-i, c.groups-first)
			f, weights = byChannel, step
		case each && c.groups > 1:
			step = 1
		}
		f(y[i*n:][:step*n], x[i*n:][:step*n], weightsOf[T](&c.weights[0], first, weights), weightsOf[T](&c.weights[1], first, weights), mean[i:i+step], rstd[i:i+step], c.eps)
	}
}

// Columns is walk.ColumnsKernel.
func (c *normCall) Columns(row int, outs *[3][]byte, x []byte, n, width, dy, dx int) {
	if c.as == arg.F64 {
		normColumns(c, row, outs, x, n, width, dy, dx, fmath.StandardiseDoubleColumns)
		return
	}
	normColumns(c, row, outs, x, n, width, dy, dx, fmath.StandardiseColumns)
}

func normColumns[T float](c *normCall, row int, outs *[3][]byte, x []byte, n, width, dy, dx int,
	standardise func(y, x []T, n, dy, dx int, weight, bias []T, single bool, mean, rstd []T, eps float64)) {
	y, v, mean, rstd := executor.SliceBytes[T](outs[0]), executor.SliceBytes[T](x), executor.SliceBytes[T](outs[1]), executor.SliceBytes[T](outs[2])
	single := c.perRow == 1 && c.groups > 1
	first, weights := 0, c.perRow
	for j, step := 0, width; j < width; j += step {
		if single {
			first = (row + j) % c.groups
			step = min(width-j, c.groups-first)
			weights = step
		}
		standardise(y[j:], v[j:], n, dy, dx, weightsOf[T](&c.weights[0], first, weights), weightsOf[T](&c.weights[1], first, weights), single, mean[j:j+step], rstd[j:j+step], c.eps)
	}
}
