package cpu

import (
	"fmt"
	"math"

	"github.com/ptero-rt/ptero/backends/cpu/arg"
	"github.com/ptero-rt/ptero/backends/cpu/dense"
	"github.com/ptero-rt/ptero/backends/cpu/site"
	"github.com/ptero-rt/ptero/backends/cpu/walk"
	"github.com/ptero-rt/ptero/executor"
	"github.com/ptero-rt/ptero/memory"
)

// distances are pairwise distances between rows.
func distances() []executor.Op {
	cdist := arg.Sign("aten::_cdist_forward.out", "x1 x2 p compute_mode out")
	pdist := arg.Sign("aten::_pdist_forward.out", "self p out")
	return []executor.Op{
		site.Planned(cdist, func() site.Work { return &distCall{sig: cdist} }),
		site.Planned(pdist, func() site.Work { return &distCall{sig: pdist, self: true} }),
	}
}

// distCall measures each row of a against each of b, or each pair of rows of a. It computes in the type of the tensors as
// PyTorch does, in f32 for smaller ones; sums do not depend on the number of workers.
type distCall struct {
	sig       *arg.Signature
	self      bool
	a, b, out *executor.Tensor
	p         float64
	folded    bool // p has a norm of its own
	norm      dense.Norm
	batches   [3]walk.View // of a, b and out: which matrix
	n         int          // batches
	load      walk.Load    // of rows that are not used where they lie
	single    pairs[float32]
	double    pairs[float64]
}

// wide says whether the tensors are of f64.
func (c *distCall) wide() bool { return c.a.DType == arg.F64 }

func (c *distCall) Needs() []memory.Need {
	n := 4 * c.elements()
	if c.wide() {
		n *= 2
	}
	return []memory.Need{{Role: "rows", Place: memory.Temp, Bytes: uint64(max(n, 1)), Align: 64}}
}

// BoundNeeds takes rows to be as many and as long as they get.
func (c *distCall) BoundNeeds(args []*executor.Value) []memory.Need {
	c.a, c.b = args[0].Tensor(), args[0].Tensor()
	if !c.self {
		c.b = args[1].Tensor()
	}
	if c.a == nil || c.b == nil || c.a.Rank() < 2 || c.b.Rank() < 2 {
		return nil
	}
	return c.Needs()
}

// elements are those of temp memory: copies of both matrices' rows and the panels.
func (c *distCall) elements() int {
	na, nb, m := c.a.Sizes[c.a.Rank()-2], c.b.Sizes[c.b.Rank()-2], c.a.Sizes[c.a.Rank()-1]
	return (na+nb)*m + dense.PanelCount(nb, m)
}

func (c *distCall) Plan(args []*executor.Value) error {
	sig, r := c.sig, c.sig.Read(args)
	c.a = r.Of(0, arg.Floats)
	c.b, c.out = c.a, r.Like(r.Out(), c.a)
	at := 1
	if !c.self {
		c.b, at = r.Like(1, c.a), 2
	}
	if c.p = r.Double(at); !(c.p >= 0) {
		r.Bad(at, "p ≥ 0", fmt.Sprint(c.p))
	}
	if r.Err != nil {
		return r.Err
	}
	c.folded, c.norm = true, 0
	switch {
	case c.p == 0:
		c.norm = dense.Counts
	case c.p == 1:
		c.norm = dense.Sums
	case c.p == 2:
		c.norm = dense.Squares
	case math.IsInf(c.p, 1) && c.self:
		c.norm = dense.Largest
	case math.IsInf(c.p, 1):
		c.norm = dense.Peaks // PyTorch drops NaN here, but not from distances within a matrix
	default:
		c.folded = false
	}
	c.load = walk.Loader(c.a.DType, arg.Compute(c.a.DType))
	if c.a.Rank() < 2 || c.b.Rank() < 2 || c.self && c.a.Rank() != 2 {
		return sig.Bad(0, "matrices", fmt.Sprintf("rank %d and %d", c.a.Rank(), c.b.Rank()))
	}
	ra, rb := c.a.Rank(), c.b.Rank()
	if c.a.Sizes[ra-1] != c.b.Sizes[rb-1] {
		return sig.Bad(1, fmt.Sprintf("rows of %d", c.a.Sizes[ra-1]), fmt.Sprint(c.b.Sizes[rb-1]))
	}
	if c.self {
		n := c.a.Sizes[0]
		return sig.Resize(sig.Out(), c.out, n*(n-1)/2)
	}
	var buf [arg.MaxRank]int
	rank := max(ra, rb)
	shape := buf[:rank]
	shape[rank-2], shape[rank-1] = c.a.Sizes[ra-2], c.b.Sizes[rb-2]
	for d := range rank - 2 {
		shape[d] = 1
		for _, t := range [2]*executor.Tensor{c.a, c.b} {
			k := d - (rank - t.Rank())
			if k < 0 || t.Sizes[k] == 1 || t.Sizes[k] == shape[d] {
				continue
			}
			if shape[d] != 1 {
				return sig.Bad(1, "batches that broadcast", fmt.Sprintf("%d and %d", shape[d], t.Sizes[k]))
			}
			shape[d] = t.Sizes[k]
		}
	}
	if err := sig.Resize(sig.Out(), c.out, shape...); err != nil {
		return err
	}
	for i, t := range [3]*executor.Tensor{c.a, c.b, c.out} {
		c.batches[i].Broadcast(t.Sizes[:t.Rank()-2], t.Strides, shape[:rank-2])
	}
	c.n = c.batches[0].N
	return nil
}

func (c *distCall) Run(s *executor.Scope) error {
	if c.out.NumElements() == 0 {
		return nil
	}
	if c.wide() {
		return c.double.run(s, c)
	}
	return c.single.run(s, c)
}
