package cortexm

import (
	"fmt"

	"github.com/ptero-rt/ptero/backends/cpu/arg"
	"github.com/ptero-rt/ptero/backends/cpu/dense"
	"github.com/ptero-rt/ptero/backends/cpu/site"
	"github.com/ptero-rt/ptero/executor"
	"github.com/ptero-rt/ptero/memory"
)

// rows is a product of rows of x with rows of w, both contiguous over k, batch by batch:
//
//	Σ(x+a)(w+b) = Σx·w + a·Σw + b·Σx + k·a·b
//
// What does not depend on x is summed up in start, once if the weights are constant.
type rows struct {
	batch, m, n, k int
	t              [3]*executor.Tensor // of x, w and y
	x, w, y        []int8
	xOff, wOff     int32
	start, acc     []int32 // n for each batch of w; n for each row that is worked on
	keep           []int32 // start from Prepare
	scale          scaling
	zero, lo, hi   int32
	parts          int
	tier           dense.Tier
}

// slots is the number of rows that are worked on at once.
const slots = 8

// sums writes start for one batch: base (or zero) + a·Σw + k·a·b.
func (r *rows) sums(dst []int32, w []int8, base []int32) {
	for j := range dst {
		var sum int32
		for _, v := range w[j*r.k:][:r.k] {
			sum += int32(v)
		}
		dst[j] = r.xOff*sum + int32(r.k)*r.xOff*r.wOff
		if base != nil {
			dst[j] += base[j]
		}
	}
}

func (r *rows) tempBytes() int {
	n := r.n * min(slots, max(1, r.batch*r.m))
	if r.keep == nil {
		n += r.batch * r.n
	}
	return 4 * n
}

// begin takes the temp memory of a call and the elements of its tensors.
func (r *rows) begin(s *executor.Scope) error {
	b, err := s.TempBytes(r.tempBytes())
	if err != nil {
		return err
	}
	tmp := executor.SliceBytes[int32](b)
	r.parts = min(slots, r.batch*r.m)
	r.x, r.w, r.y = executor.Slice[int8](r.t[0]), executor.Slice[int8](r.t[1]), executor.Slice[int8](r.t[2])
	r.acc = tmp[:r.n*r.parts]
	r.start = r.keep
	if r.keep == nil {
		r.start = tmp[r.n*r.parts:]
	}
	return nil
}

// Do computes every parts-th row.
func (r *rows) Do(part int) {
	acc := r.acc[part*r.n:][:r.n]
	for i := part; i < r.batch*r.m; i += r.parts {
		w, start := r.w, r.start
		if len(r.start) > r.n {
			w, start = r.w[i/r.m*r.n*r.k:], r.start[i/r.m*r.n:]
		}
		x := r.x[i*r.k:][:r.k]
		dense.DotsInt8(r.tier, x, w, r.k, acc)
		var xs int32
		if r.wOff != 0 {
			for _, v := range x {
				xs += int32(v)
			}
			xs *= r.wOff
		}
		y := r.y[i*r.n:][:r.n]
		for j, a := range acc {
			y[j] = clampInt8(r.scale.requantise(a+start[j]+xs), r.zero, r.lo, r.hi)
		}
	}
}

var linearSig = arg.Sign("cortex_m::quantized_linear.out", "input weights bias kernel_sum input_offset filter_offset output_offset requantize_multipliers requantize_shifts activation_max activation_min out")

func linear() executor.Op {
	return site.Planned(linearSig, func() site.Work { return &linearCall{rows: rows{tier: dense.Best()}} })
}

// linearCall takes a bias, or the sums of the weights with bias and input offset folded in, or neither.
type linearCall struct {
	rows
	base   *executor.Tensor
	opened bool
}

func (c *linearCall) Plan(args []*executor.Value) error {
	r := linearSig.Read(args)
	x, w, y := r.Of(0, int8s), r.Of(1, int8s), r.Of(11, int8s)
	for i, t := range [...]*executor.Tensor{0: x, 1: w, 11: y} {
		r.Packed(i, t)
	}
	c.xOff, c.wOff, c.zero = readOffset(&r, 4), readOffset(&r, 5), readOffset(&r, 6)
	c.scale = scaling{single(&r, 7, -1<<31, 1<<31-1), single(&r, 8, -31, 31)}
	c.lo, c.hi = bounds(&r, 10, 9)
	if r.Err != nil {
		return r.Err
	}
	if x.Rank() < 1 || x.Rank() > arg.MaxRank || w.Rank() != 2 || w.Sizes[1] != x.Sizes[x.Rank()-1] {
		return linearSig.Bad(1, "sizes [out in] for input "+site.Sizes(x), site.Sizes(w))
	}
	var base [2]*executor.Tensor
	for i := range base {
		t := r.Optional(2 + i)
		if t == nil || t.NumElements() == 0 {
			continue
		}
		if base[i] = t; t.DType != arg.I32 || t.NumElements() != w.Sizes[0] {
			r.Bad(2+i, fmt.Sprintf("%d of int32", w.Sizes[0]), t.DType.String()+" "+site.Sizes(t))
		}
	}
	c.base = base[0]
	if base[1] != nil { // the bias is in it
		c.base, c.xOff = base[1], 0
	}
	var shape [arg.MaxRank]int
	copy(shape[:], x.Sizes)
	shape[x.Rank()-1] = w.Sizes[0]
	if r.Resize(11, y, shape[:x.Rank()]...); r.Err != nil {
		return r.Err
	}
	c.t = [3]*executor.Tensor{x, w, y}
	c.batch, c.m, c.n, c.k = 1, 1, w.Sizes[0], w.Sizes[1]
	for _, n := range x.Sizes[:x.Rank()-1] {
		c.m *= n
	}
	if !c.opened {
		c.opened = true
		if w.Constant() && (c.base == nil || c.base.Constant()) && arg.Fixed(args, 4, 5) {
			c.keep = make([]int32, c.n)
			c.sums(c.keep, executor.Slice[int8](w), c.baseData())
		}
	}
	return nil
}

// single reads the one entry of a list: linear has one scale for all outputs.
func single(r *arg.Reader, i, lo, hi int) int32 {
	var room [4]int
	list := r.Ints(i, room[:0])
	if len(list) != 1 {
		r.Bad(i, "one number", fmt.Sprint(len(list)))
		return 0
	}
	if list[0] < lo || list[0] > hi {
		r.Bad(i, fmt.Sprintf("%d…%d", lo, hi), fmt.Sprint(list[0]))
	}
	return int32(list[0])
}

func (c *linearCall) baseData() []int32 {
	if c.base == nil {
		return nil
	}
	return executor.Slice[int32](c.base)
}

func (c *linearCall) Needs() []memory.Need { return site.Temp("sums", c.tempBytes()) }

func (c *linearCall) Run(s *executor.Scope) error {
	if c.m*c.n == 0 {
		return nil
	}
	if err := c.begin(s); err != nil {
		return err
	}
	if c.keep == nil {
		c.sums(c.start[:c.n], c.w, c.baseData())
	}
	dense.Run(s, c.parts, c.m*c.n*c.k, &c.rows)
	return nil
}

var bmmSig = arg.Sign("cortex_m::quantized_batch_matmul.out", "lhs lhs_zero_point rhs_transposed rhs_zero_point output_zero_point output_multiplier output_shift scratch out")

func batchMatmul() executor.Op {
	return site.Planned(bmmSig, func() site.Work { return &bmmCall{rows: rows{tier: dense.Best(), lo: -128, hi: 127}} })
}

// bmmCall multiplies [B, M, K] with the transposed [B, N, K]; what the schema calls zero points are their negatives.
type bmmCall struct{ rows }

func (c *bmmCall) Plan(args []*executor.Value) error {
	r := bmmSig.Read(args)
	for n, i := range [...]int{0, 2, 8} {
		c.t[n] = r.Of(i, int8s)
		r.Rank(i, c.t[n], 3)
		r.Packed(i, c.t[n])
	}
	c.xOff, c.wOff, c.zero = readOffset(&r, 1), readOffset(&r, 3), readOffset(&r, 4)
	if c.scale = readScaling(&r, 5); r.Err != nil {
		return r.Err
	}
	a, b := c.t[0], c.t[1]
	if a.Sizes[0] != b.Sizes[0] || a.Sizes[2] != b.Sizes[2] {
		return bmmSig.Bad(2, fmt.Sprintf("sizes [%d N %d]", a.Sizes[0], a.Sizes[2]), site.Sizes(b))
	}
	c.batch, c.m, c.k, c.n = a.Sizes[0], a.Sizes[1], a.Sizes[2], b.Sizes[1]
	return bmmSig.Resize(8, c.t[2], c.batch, c.m, c.n)
}

func (c *bmmCall) Needs() []memory.Need { return site.Temp("sums", c.tempBytes()) }

func (c *bmmCall) Run(s *executor.Scope) error {
	if c.batch*c.m*c.n == 0 {
		return nil
	}
	if err := c.begin(s); err != nil {
		return err
	}
	for b := range c.batch {
		c.sums(c.start[b*c.n:(b+1)*c.n], c.w[b*c.n*c.k:], nil)
	}
	dense.Run(s, c.parts, c.batch*c.m*c.n*c.k, &c.rows)
	return nil
}
