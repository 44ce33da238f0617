package quant

import (
	"fmt"

	"github.com/ptero-rt/ptero/backends/cpu/arg"
	"github.com/ptero-rt/ptero/backends/cpu/dense"
	"github.com/ptero-rt/ptero/backends/cpu/fmath"
	"github.com/ptero-rt/ptero/backends/cpu/site"
	"github.com/ptero-rt/ptero/backends/cpu/walk"
	"github.com/ptero-rt/ptero/executor"
	"github.com/ptero-rt/ptero/memory"
)

func mixed(name, names string, transposed bool) executor.Op {
	sig := arg.Sign(name, names)
	return site.Planned(sig, func() site.Work {
		return &mixedCall{sig: sig, transposed: transposed, off: make([]int32, dense.OffsetCount)}
	})
}

// mixedCall multiplies floats with int8 weights that have a scale for each row, or for each of its equal groups: weights
// [k][n] for mm, [n][k] for linear. mm widens the weights to f32 in temp memory for the call, linear one row at a time.
type mixedCall struct {
	sig           *arg.Signature
	transposed    bool
	x, w, s, z, y *executor.Tensor
	m, n, k       int
	groups        int
	off           []int32
	product       dense.Product[float32]
	in, out, line []float32
	parts         int
	size          [arg.MaxRank]int
}

// slots is the number of rows of weights that linear widens at once.
const slots = 8

func (c *mixedCall) Plan(args []*executor.Value) error {
	sig, r := c.sig, c.sig.Read(args)
	types := arg.Of(arg.F16, arg.BF16, arg.F32)
	c.x, c.w, c.s, c.y = r.Of(0, types), r.Of(1, arg.Of(arg.I8)), r.Of(2, types), r.Of(r.Out(), types)
	if c.z = r.Optional(3); c.z != nil {
		r.Of(3, types)
	}
	for i, t := range [...]*executor.Tensor{c.x, c.w, c.s, c.z} {
		r.Packed(i, t)
	}
	if r.Packed(r.Out(), c.y); r.Err != nil {
		return r.Err
	}
	rank := c.x.Rank()
	if c.w.Rank() != 2 || rank < 1 || rank > arg.MaxRank {
		return sig.Bad(1, "2 dimensions", site.Sizes(c.w))
	}
	c.k, c.n = c.w.Sizes[0], c.w.Sizes[1]
	if c.transposed {
		c.n, c.k = c.k, c.n
	}
	if c.x.Sizes[rank-1] != c.k {
		return sig.Bad(1, fmt.Sprintf("weights for %d inputs", c.x.Sizes[rank-1]), site.Sizes(c.w))
	}
	c.groups = 1
	if c.s.Rank() == 2 {
		c.groups = c.s.Sizes[1]
	} else if c.s.Rank() != 1 {
		return sig.Bad(2, "1 or 2 dimensions", site.Sizes(c.s))
	}
	if c.s.Sizes[0] != c.w.Sizes[0] || c.groups < 1 || c.w.Sizes[1]%c.groups != 0 {
		return sig.Bad(2, fmt.Sprintf("one scale for each of %d rows, or for each of its equal groups", c.w.Sizes[0]), site.Sizes(c.s))
	}
	if c.z != nil && c.z.NumElements() != c.s.NumElements() {
		return sig.Bad(3, site.Sizes(c.s), site.Sizes(c.z))
	}
	copy(c.size[:], c.x.Sizes)
	c.size[rank-1] = c.n
	c.m = 1
	for _, n := range c.x.Sizes[:rank-1] {
		c.m *= n
	}
	return sig.Resize(sig.Out(), c.y, c.size[:rank]...)
}

func (c *mixedCall) floats() int {
	if c.transposed {
		return c.m*c.k + c.m*c.n + slots*(c.k+c.m)
	}
	return c.m*c.k + c.m*c.n + c.n*c.k + c.m
}

func (c *mixedCall) Needs() []memory.Need { return site.Temp("widened weights", 4*c.floats()) }

func (c *mixedCall) Run(s *executor.Scope) error {
	if c.m*c.n == 0 {
		return nil
	}
	b, err := s.TempBytes(4 * c.floats())
	if err != nil {
		return err
	}
	tmp := executor.SliceBytes[float32](b)
	x, tmp := tmp[:c.m*c.k], tmp[c.m*c.k:]
	y, tmp := tmp[:c.m*c.n], tmp[c.m*c.n:]
	for i := range x {
		x[i] = float32(walk.Float(c.x, i))
	}
	if c.transposed {
		c.in, c.out, c.line, c.parts = x, y, tmp, min(slots, c.n)
		dense.Run(s, c.parts, c.m*c.n*c.k, c)
	} else {
		w, start := tmp[:c.n*c.k], tmp[c.n*c.k:]
		clear(start)
		for r := range c.k {
			c.widen(w[r*c.n:][:c.n], r)
		}
		c.product = dense.Product[float32]{M: c.m, N: c.n, K: c.k, A: x, LDA: c.k, B: w, LDB: c.n, Off: c.off, C: y, LDC: c.n, Start: start, Tier: dense.Best()}
		c.product.Setup()
		dense.Run(s, c.product.Parts(), c.product.Work(), &c.product)
	}
	switch c.y.DType {
	case arg.F32:
		copy(executor.Slice[float32](c.y), y)
	case arg.F16:
		fmath.ToHalf(executor.Slice[uint16](c.y), y)
	default:
		fmath.ToBrain(executor.Slice[uint16](c.y), y)
	}
	return nil
}

// Do computes every parts-th output of linear for all rows of the input.
func (c *mixedCall) Do(part int) {
	line := c.line[part*(c.k+c.m):][:c.k+c.m]
	w, sums := line[:c.k], line[c.k:]
	for j := part; j < c.n; j += c.parts {
		c.widen(w, j)
		dots := dense.DotRows[float32]{M: 1, N: c.m, K: c.k, A: w, LDA: c.k, B: c.in, LDB: c.k, C: sums, LDC: c.m, Tier: dense.Best()}
		for i := range dots.Parts() {
			dots.Do(i)
		}
		for i, v := range sums {
			c.out[i*c.n+j] = v
		}
	}
}

// widen gives row r of the weights as floats.
func (c *mixedCall) widen(dst []float32, r int) {
	w := executor.Slice[int8](c.w)[r*len(dst):][:len(dst)]
	group := max(1, len(dst)/c.groups)
	for g := range c.groups {
		scale, zero := float32(walk.Float(c.s, r*c.groups+g)), float32(0)
		if c.z != nil {
			zero = float32(walk.Float(c.z, r*c.groups+g))
		}
		lo, hi := min(g*group, len(w)), min((g+1)*group, len(w))
		out := dst[lo:hi]
		for i, v := range w[lo:hi] {
			out[i] = (float32(v) - zero) * scale
		}
	}
}
