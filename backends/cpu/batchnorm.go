package cpu

import (
	"fmt"
	"math"

	"github.com/ptero-rt/ptero/backends/cpu/arg"
	"github.com/ptero-rt/ptero/backends/cpu/fmath"
	"github.com/ptero-rt/ptero/backends/cpu/walk"
	"github.com/ptero-rt/ptero/executor"
	"github.com/ptero-rt/ptero/internal/fault"
	"github.com/ptero-rt/ptero/memory"
)

// affineCall is batch normalisation with running statistics: a scale and a shift for each channel. Elements that go through
// as they lie are done a run at a time, of one channel or of all where those lie together; others by walk.Map.
type affineCall struct {
	sig     *arg.Signature
	eps     int // position of eps
	in, out *executor.Tensor
	params  [4]*executor.Tensor // weight, bias, mean, variance
	scale   executor.Tensor
	shift   executor.Tensor
	dims    [2][arg.MaxRank]int
	epsilon float64
	m       walk.Map
	span    int // elements that lie together and share a scale and a shift; 0: leave all to m
	parts   int
}

const (
	fewest = 64      // elements that are done in one call where channels lie together; the entries are repeated if there are less
	most   = 1 << 16 // elements of a call otherwise
)

func (c *affineCall) Needs() []memory.Need {
	var needs []memory.Need
	if c.span == 0 {
		needs = c.m.Needs()
	}
	return append(needs, memory.Need{Role: "scale and shift", Place: memory.Resident, Bytes: uint64(2 * len(c.scale.Data))})
}

func (c *affineCall) BoundNeeds(args []*executor.Value) []memory.Need {
	out, in := args[c.sig.Out()-2].Tensor(), args[0].Tensor()
	if out == nil || in == nil {
		return nil
	}
	c.m.Reserve()
	o := walk.Operand{Type: arg.Compute(in.DType)}
	return walk.BoundNeeds(out, o.Type, o, o, o)
}

func (c *affineCall) Plan(args []*executor.Value) error {
	sig, r := c.sig, c.sig.Read(args)
	n := r.Out()
	c.in, c.out = r.Of(0, arg.Floats), r.Of(n-2, arg.Floats)
	if c.eps == 7 && r.Bool(5) && r.Err == nil {
		return fault.New(fault.NotSupported, sig.Op, "training false: running statistics are not updated", "true")
	}
	if c.epsilon = r.Double(c.eps); r.Err != nil {
		return r.Err
	}
	if c.in.Rank() < 2 {
		return sig.Bad(0, "at least 2 dimensions", fmt.Sprint(c.in.Rank()))
	}
	channels := c.in.Sizes[1]
	c.params = [4]*executor.Tensor{r.Optional(1), r.Optional(2), r.Tensor(3), r.Tensor(4)}
	for k, t := range c.params {
		if t != nil && (t.NumElements() != channels || !arg.Floats.Has(t.DType)) {
			r.Bad(1+k, fmt.Sprintf("%d floats", channels), fmt.Sprintf("%v %s", t.DType, arg.List(t.Sizes)))
		}
	}
	r.Resize(n-2, c.out, c.in.Sizes...)
	for i := n - 1; i <= n; i++ {
		r.Resize(i, r.Tensor(i), 0)
	}
	if r.Err != nil {
		return r.Err
	}
	as := arg.Compute(c.in.DType)
	c.span = 0
	entries := channels
	if c.in.DType == as && c.out.DType == as && c.in.SameLayout(c.out) && channels > 0 {
		if c.span = c.in.Strides[1]; channels == 1 {
			c.span = 1
		}
		c.parts = walk.Parts(c.in.NumElements())
		if c.span == 1 {
			entries *= max(1, fewest/channels)
		}
	}
	if bytes := entries * as.Size(); len(c.scale.Data) != bytes {
		c.scale.Data = executor.NewTensor(as, []int{entries}, nil).Data
		c.shift.Data = executor.NewTensor(as, []int{entries}, nil).Data
	}
	rank := c.in.Rank()
	for d := range rank {
		c.dims[0][d], c.dims[1][d] = 1, 1
	}
	c.dims[0][1] = channels
	for _, t := range [2]*executor.Tensor{&c.scale, &c.shift} {
		t.DType, t.Sizes, t.Strides = as, c.dims[0][:rank], c.dims[1][:rank]
	}
	op := func(t *executor.Tensor) walk.Operand { return walk.Operand{Tensor: t, Type: as} }
	return fault.Under(sig.Op, c.m.Plan(affineTable.Of(as), c.out, as, op(c.in), op(&c.scale), op(&c.shift)))
}

var affineTable = &walk.Table{arg.F32: affineF32, arg.F64: affineF64}

func affineF32(_ *walk.Params, dst, a, b, c []byte) {
	fmath.Affine(three[float32, float32](dst, a, b, c))
}

func affineF64(_ *walk.Params, dst, a, b, c []byte) {
	affineLines(three[float64, float64](dst, a, b, c))
}

func affineLines(y, x, scale, shift []float64) {
	for i := range y {
		y[i] = float64(x[i]*scale[i]) + shift[i]
	}
}

func (c *affineCall) Run(s *executor.Scope) error {
	if c.m.Empty() {
		return nil
	}
	if c.scale.DType == arg.F64 {
		settle[float64](c)
	} else {
		settle[float32](c)
	}
	switch {
	case c.span == 0:
		return c.m.Run(s)
	case c.parts == 1:
		c.Do(0)
	default:
		s.Parallel(c.parts, c)
	}
	return nil
}

// Do does one part; it is called by the worker pool.
func (c *affineCall) Do(part int) {
	if c.scale.DType == arg.F64 {
		affineRuns(c, part, linesF64, affineLines)
		return
	}
	affineRuns(c, part, fmath.Lines, fmath.Affine)
}

func linesF64(y, x, scale, shift []float64, n int) {
	if n < shortRun { // a call takes longer than so few elements
		for k, s := range scale {
			t, y, x := shift[k], y[k*n:][:n], x[k*n:][:n]
			for i, v := range x {
				y[i] = float64(v*s) + t
			}
		}
		return
	}
	for k, s := range scale {
		fmath.LineF64(y[k*n:][:n], x[k*n:][:n], s, shift[k])
	}
}

// affineRuns does the runs of a part: lines those of one channel after the other, each those of all channels.
func affineRuns[T float](c *affineCall, part int, lines func(y, x, scale, shift []T, n int), each func(y, x, scale, shift []T)) {
	y, x := executor.Slice[T](c.out), executor.Slice[T](c.in)
	scale, shift := executor.SliceBytes[T](c.scale.Data), executor.SliceBytes[T](c.shift.Data)
	n := c.span
	if n == 1 {
		n = len(scale)
	}
	lo, hi := walk.Part(len(y), c.parts, part, n)
	if c.span == 1 {
		for ; lo < hi; lo += n {
			end := min(lo+n, hi)
			each(y[lo:end], x[lo:end], scale, shift)
		}
		return
	}
	for lo < hi {
		k := lo / n % len(scale)
		runs := min(len(scale)-k, (hi-lo)/n, max(1, most/n))
		lines(y[lo:lo+runs*n], x[lo:lo+runs*n], scale[k:k+runs], shift[k:], n)
		lo += runs * n
	}
}

// settle computes scales and shifts.
func settle[T float](c *affineCall) {
	scales, shifts := executor.SliceBytes[T](c.scale.Data), executor.SliceBytes[T](c.shift.Data)
	channels := c.in.Sizes[1]
	own := true
	for _, t := range c.params {
		own = own && (t == nil || t.DType == c.scale.DType)
	}
	if own {
		settleOwn(c, scales[:channels], shifts[:channels])
	} else {
		settleAny(c, scales[:channels], shifts[:channels])
	}
	for n := channels; n < len(scales); n += channels {
		copy(scales[n:], scales[:channels])
		copy(shifts[n:], shifts[:channels])
	}
}

// settleOwn does so where all parameters are of the type of the scales.
func settleOwn[T float](c *affineCall, scales, shifts []T) {
	var own [4][]T
	for k, t := range c.params {
		if t != nil {
			own[k] = executor.Slice[T](t)[:len(scales)]
		}
	}
	weight, bias, mean, variance := own[0], own[1], own[2][:len(scales)], own[3][:len(scales)]
	var roots [64]float64
	for lo := 0; lo < len(scales); lo += len(roots) {
		hi := min(lo+len(roots), len(scales))
		inverseRoots(roots[:hi-lo], variance[lo:hi], c.epsilon)
		for i := lo; i < hi; i++ {
			scale := roots[i-lo]
			if weight != nil {
				scale *= float64(weight[i])
			}
			shift := -float64(float64(mean[i]) * scale)
			if bias != nil {
				shift += float64(bias[i])
			}
			scales[i], shifts[i] = T(scale), T(shift)
		}
	}
}

func inverseRoots[T float](dst []float64, variance []T, eps float64) {
	if x, ok := any(variance).([]float32); ok {
		fmath.InverseRoots(dst, x, eps)
		return
	}
	fmath.InverseRootsF64(dst, any(variance).([]float64), eps)
}

// settleAny does so for parameters of any type.
func settleAny[T float](c *affineCall, scales, shifts []T) {
	for i := range scales {
		scale := 1 / math.Sqrt(walk.Float(c.params[3], i)+c.epsilon)
		if c.params[0] != nil {
			scale *= walk.Float(c.params[0], i)
		}
		shift := -float64(walk.Float(c.params[2], i) * scale)
		if c.params[1] != nil {
			shift += walk.Float(c.params[1], i)
		}
		scales[i], shifts[i] = T(scale), T(shift)
	}
}
