package cpu

import (
	"math"
	"slices"

	"github.com/ptero-rt/ptero/backends/cpu/arg"
	"github.com/ptero-rt/ptero/backends/cpu/fmath"
	"github.com/ptero-rt/ptero/backends/cpu/site"
	"github.com/ptero-rt/ptero/backends/cpu/walk"
	"github.com/ptero-rt/ptero/executor"
	"github.com/ptero-rt/ptero/internal/fault"
	"github.com/ptero-rt/ptero/memory"
)

// softmaxes normalise exponentials along a dimension.
func softmaxes() []executor.Op {
	return []executor.Op{
		softmax("aten::_softmax.out", softmaxF32, softmaxRow, columnTable{arg.F32: softmaxColumns, arg.F64: softmaxDoubles}),
		softmax("aten::_log_softmax.out", logSoftmaxF32, logSoftmaxRow, columnTable{arg.F32: logSoftmaxColumns, arg.F64: logSoftmaxDoubles}),
	}
}

func softmax(name string, f32, f64 func(dst, src []byte), columns columnTable) executor.Op {
	sig := arg.Sign(name, "self dim half_to_float out")
	return site.Planned(sig, func() site.Work { return &softmaxCall{sig: sig, f32: f32, f64: f64, columns: &columns} })
}

type softmaxCall struct {
	sig      *arg.Signature
	f32, f64 func(dst, src []byte)
	columns  *columnTable
	row      func(dst, src []byte)
	rows     walk.Rows
}

func (c *softmaxCall) Needs() []memory.Need { return c.rows.Needs() }

func (c *softmaxCall) BoundNeeds(args []*executor.Value) []memory.Need {
	return rowNeeds(c.sig, args, 1, 1)
}

// rowNeeds is the temp memory for rows of the first argument along the dimension at position i, however long they get.
func rowNeeds(sig *arg.Signature, args []*executor.Value, i, outs int) []memory.Need {
	t := args[0].Tensor()
	if t == nil || t.Rank() == 0 {
		return walk.RowNeeds(1, 1, outs)
	}
	if d, err := sig.Dim(args, i, t.Rank()); err == nil && args[i].Fixed() {
		return walk.RowNeeds(t.Sizes[d], t.Bound(), outs)
	}
	return walk.RowNeeds(slices.Max(t.Sizes), t.Bound(), outs)
}

func (c *softmaxCall) Plan(args []*executor.Value) error {
	sig := c.sig
	types := arg.Floats
	if t := args[0].Tensor(); t != nil && t.NumElements() == 0 && !types.Has(t.DType) {
		types = arg.Of(t.DType) // as PyTorch, which asks for floats only where there is something to compute
	}
	in, out, dim, err := dimOf(sig, args, 1, types)
	if err != nil {
		return err
	}
	as := arg.Compute(in.DType)
	if c.row = c.f32; as == arg.F64 {
		c.row = c.f64
	}
	c.rows.Kernel, c.rows.Columns = c, c.columns.Of(as)
	return fault.Under(sig.Op, c.rows.Plan(in, 1<<uint(dim), as, walk.Out{Tensor: out, As: as}))
}

func (c *softmaxCall) Run(s *executor.Scope) error { return c.rows.Run(s) }

// Row is walk.RowKernel.
func (c *softmaxCall) Row(_, _ int, outs *[3][]byte, in []byte) { c.row(outs[0], in) }

func softmaxF32(dst, src []byte) {
	y, x := one[float32, float32](dst, src)
	fmath.SubNumber(y, x, fmath.MaxOf(x))
	fmath.Exp(y, y)
	var a walk.Acc
	fmath.Sum(&a.F, y)
	fmath.DivNumber(y, y, float32(a.Sum()))
}

func logSoftmaxF32(dst, src []byte) {
	y, x := one[float32, float32](dst, src)
	fmath.SubNumber(y, x, fmath.MaxOf(x))
	fmath.SubNumber(y, y, float32(fmath.LogOf(sumOfExponentials(y))))
}

// sumOfExponentials leaves x as it is. Short rows take little room, which Go clears first.
func sumOfExponentials(x []float32) float64 {
	var a walk.Acc
	if len(x) <= 32 {
		var room [32]float32
		addExponentials(&a, x, room[:])
	} else {
		var room [512]float32
		addExponentials(&a, x, room[:])
	}
	return a.Sum()
}

func addExponentials(a *walk.Acc, x, room []float32) {
	for len(x) > 0 {
		e := room[:min(len(x), len(room))]
		fmath.Exp(e, x[:len(e)])
		fmath.Sum(&a.F, e)
		x = x[len(e):]
	}
}

func softmaxColumns(dst, src []byte, n, width, dy, dx int) {
	y, x := executor.SliceBytes[float32](dst), executor.SliceBytes[float32](src)
	var most, total [walk.ColumnWidth]float32
	var sums [walk.ColumnWidth]float64
	exponentials(y, x, n, width, dy, dx, &most, &sums)
	for j, s := range sums[:width] {
		total[j] = float32(s)
	}
	for i := range n {
		line := y[i*dy:][:width]
		fmath.Div(line, line, total[:width])
	}
}

func logSoftmaxColumns(dst, src []byte, n, width, dy, dx int) {
	y, x := executor.SliceBytes[float32](dst), executor.SliceBytes[float32](src)
	var most, total, some [walk.ColumnWidth]float32
	var sums [walk.ColumnWidth]float64
	exponentials(some[:], x, n, width, 0, dx, &most, &sums)
	fmath.Log64(sums[:width], sums[:width])
	for j, s := range sums[:width] {
		total[j] = float32(s)
	}
	for i := range n {
		line := y[i*dy:][:width]
		fmath.Sub(line, x[i*dx:], most[:width])
		fmath.Sub(line, line, total[:width])
	}
}

// exponentials leaves in y the exponentials of how far x is below the largest of its column, in sums their sums. Where dy is
// 0 they all go to one line, for x is still needed and may lie where the output will.
func exponentials(y, x []float32, n, width, dy, dx int, most *[walk.ColumnWidth]float32, sums *[walk.ColumnWidth]float64) {
	m := most[:width]
	copy(m, x)
	for i := 1; i < n; i++ {
		fmath.Max(m, x[i*dx:][:width], m)
	}
	for i := range n {
		line := y[i*dy:][:width]
		fmath.Sub(line, x[i*dx:], m)
		fmath.Exp(line, line)
		fmath.Accumulate(sums[:], line)
	}
}

func softmaxDoubles(dst, src []byte, n, width, dy, dx int) {
	y, x := executor.SliceBytes[float64](dst), executor.SliceBytes[float64](src)
	var most, sums [walk.ColumnWidth]float64
	doubleExponentials(y, x, n, width, dy, dx, &most, &sums)
	for i := range n {
		line := y[i*dy:][:width]
		for j, e := range line {
			line[j] = e / sums[j&(walk.ColumnWidth-1)]
		}
	}
}

func logSoftmaxDoubles(dst, src []byte, n, width, dy, dx int) {
	y, x := executor.SliceBytes[float64](dst), executor.SliceBytes[float64](src)
	var most, sums, some [walk.ColumnWidth]float64
	doubleExponentials(some[:], x, n, width, 0, dx, &most, &sums)
	fmath.Log64(sums[:width], sums[:width])
	for i := range n {
		line := y[i*dy:][:width]
		for j, v := range x[i*dx:][:width] {
			line[j] = v - most[j&(walk.ColumnWidth-1)] - sums[j&(walk.ColumnWidth-1)]
		}
	}
}

// doubleExponentials is exponentials in float64.
func doubleExponentials(y, x []float64, n, width, dy, dx int, most, sums *[walk.ColumnWidth]float64) {
	copy(most[:width], x)
	for i := 1; i < n; i++ {
		for j, v := range x[i*dx:][:width] {
			m := &most[j&(walk.ColumnWidth-1)]
			*m = max(*m, v)
		}
	}
	for i := range n {
		line := y[i*dy:][:width]
		for j, v := range x[i*dx:][:width] {
			line[j] = v - most[j&(walk.ColumnWidth-1)]
		}
		fmath.Exp64(line, line)
		for j, e := range line {
			sums[j&(walk.ColumnWidth-1)] += e
		}
	}
}

func softmaxRow(dst, src []byte) {
	y, x := one[float64, float64](dst, src)
	m, sum := largest(x), 0.0
	for i, v := range x {
		y[i] = v - m
	}
	fmath.Exp64(y, y)
	for _, e := range y {
		sum += e
	}
	for i := range y {
		y[i] /= sum
	}
}

func logSoftmaxRow(dst, src []byte) {
	y, x := one[float64, float64](dst, src)
	m, sum := largest(x), 0.0
	for i, v := range x {
		y[i] = v - m
	}
	var some [64]float64
	for rest := y; len(rest) > 0; {
		part := some[:min(len(rest), len(some))]
		fmath.Exp64(part, rest[:len(part)])
		for _, e := range part {
			sum += e
		}
		rest = rest[len(part):]
	}
	log := fmath.LogOf(sum)
	for i := range y {
		y[i] -= log
	}
}

// largest is NaN if any element is.
func largest(x []float64) float64 {
	m := math.Inf(-1)
	for _, v := range x {
		m = max(m, v)
	}
	return m
}
