package cpu

import (
	"bytes"
	"fmt"

	"github.com/ptero-rt/ptero/backends/cpu/arg"
	"github.com/ptero-rt/ptero/backends/cpu/site"
	"github.com/ptero-rt/ptero/backends/cpu/walk"
	"github.com/ptero-rt/ptero/executor"
	"github.com/ptero-rt/ptero/internal/fault"
)

// masked are the operators that pack or unpack the elements which a mask picks, in logical order.
func masked() []executor.Op {
	scatter := arg.Sign("aten::masked_scatter.out", "self mask source out")
	gather := arg.Sign("aten::masked_select.out", "self mask out")
	return []executor.Op{
		site.Planned(scatter, func() site.Work { return &scatterCall{sig: scatter} }),
		site.Planned(gather, func() site.Work { return &gatherCall{sig: gather} }),
	}
}

// selectMask checks the mask and gives the shape that it and self broadcast to.
func selectMask(r *arg.Reader, buf []int) (self, mask *executor.Tensor, shape []int) {
	if self, mask = r.Tensor(0), r.Of(1, arg.Of(arg.Bool)); r.Err != nil {
		return nil, nil, nil
	}
	shape, err := walk.Broadcast(buf, self, mask)
	if err != nil {
		r.Bad(1, "a shape that broadcasts with "+arg.List(self.Sizes), arg.List(mask.Sizes))
	}
	return self, mask, shape
}

// scatterCall is masked_scatter: the picked places get the source's elements, first come first served.
type scatterCall struct {
	sig                     *arg.Signature
	self, mask, source, out *executor.Tensor
	views                   [4]walk.View
	apart                   bool      // elements do not lie in logical order everywhere
	copy                    walk.Copy // of self, then
}

func (c *scatterCall) Plan(args []*executor.Value) error {
	r := c.sig.Read(args)
	var buf [arg.MaxRank]int
	self, mask, shape := selectMask(&r, buf[:0])
	source, out := r.Like(2, self), r.Like(3, self)
	if r.Resize(3, out, shape...); r.Err != nil {
		return r.Err
	}
	c.self, c.mask, c.source, c.out = self, mask, source, out
	for k, t := range [3]*executor.Tensor{self, mask, out} {
		c.views[k].Broadcast(t.Sizes, t.Strides, shape)
	}
	c.views[3].Logical(source)
	v := &c.views
	if c.apart = !v[0].Packed() || !v[1].Packed() || !v[2].Packed() || source.NumElements() > 0 && !v[3].Packed(); !c.apart {
		return nil
	}
	if err := c.copy.View.See(out, self); err != nil {
		return fault.Under(c.sig.Op, err)
	}
	return fault.Under(c.sig.Op, c.copy.Plan(out, self, self.DType))
}

func (c *scatterCall) Run(s *executor.Scope) error {
	if c.apart {
		if err := c.copy.Run(s); err != nil {
			return err
		}
	}
	if c.out.NumElements() > 0 && !c.scatter() {
		return c.sig.Bad(2, "an element for each place that the mask picks", fmt.Sprint(c.source.NumElements()))
	}
	return nil
}

// scatter says whether there were enough elements.
func (c *scatterCall) scatter() bool {
	switch c.self.DType.Size() {
	case 1:
		return pickAmong[uint8](c)
	case 2:
		return pickAmong[uint16](c)
	case 4:
		return pickAmong[uint32](c)
	case 8:
		return pickAmong[uint64](c)
	}
	return pickAmong[complex128](c)
}

func pickAmong[T executor.Element](c *scatterCall) bool {
	out, self, source := executor.Slice[T](c.out), executor.Slice[T](c.self), executor.Slice[T](c.source)
	if c.apart {
		return pickApart(c, out, source)
	}
	self, mask := self[:len(out)], c.mask.Data[:len(out)]
	for i, m := range mask {
		v := self[i]
		if m != 0 {
			if len(source) == 0 {
				return false
			}
			v, source = source[0], source[1:]
		}
		out[i] = v
	}
	return true
}

// pickApart is pickAmong for elements that lie in any way, run by run, into a copy of self.
func pickApart[T executor.Element](c *scatterCall, out, source []T) bool {
	v, mask := &c.views, c.mask.Data
	var at [4]walk.Cursor
	for k := 1; k < len(at); k++ {
		v[k].Seek(&at[k], 0)
	}
	dm, do := v[1].Stride[v[1].Rank-1], v[2].Stride[v[2].Rank-1]
	from, have, next := 0, 0, v[3].Stride[v[3].Rank-1] // a run of the source
	for left, rest := v[2].N, v[3].N; left > 0; {
		n := min(v[1].Left(&at[1]), v[2].Left(&at[2]))
		m, o := at[1].Off, at[2].Off
		for range n {
			if mask[m] != 0 {
				if have == 0 {
					if rest == 0 {
						return false
					}
					from, have = at[3].Off, v[3].Left(&at[3])
					v[3].Skip(&at[3], have)
					rest -= have
				}
				out[o] = source[from]
				from += next
				have--
			}
			m, o = m+dm, o+do
		}
		v[1].Skip(&at[1], n)
		v[2].Skip(&at[2], n)
		left -= n
	}
	return true
}

// gatherCall is masked_select, whose output is as long as the mask has picks.
type gatherCall struct {
	sig             *arg.Signature
	self, mask, out *executor.Tensor
	views           [2]walk.View
}

func (c *gatherCall) Plan(args []*executor.Value) error {
	r := c.sig.Read(args)
	var buf [arg.MaxRank]int
	self, mask, shape := selectMask(&r, buf[:0])
	c.out = r.Like(2, self)
	if r.Rank(2, c.out, 1); r.Err != nil {
		return r.Err
	}
	c.self, c.mask = self, mask
	c.views[0].Broadcast(self.Sizes, self.Strides, shape)
	c.views[1].Broadcast(mask.Sizes, mask.Strides, shape)
	return nil
}

func (c *gatherCall) Run(*executor.Scope) error {
	n := c.views[1].N
	picked := 0
	var self, mask walk.Cursor
	if n > 0 {
		if c.views[1].Packed() {
			picked = n - bytes.Count(c.mask.Data[:n], []byte{0})
		} else {
			c.views[1].Seek(&mask, 0)
			for range n {
				if c.mask.Data[mask.Off] != 0 {
					picked++
				}
				c.views[1].Skip(&mask, 1)
			}
		}
	}
	if err := c.sig.Resize(2, c.out, picked); err != nil {
		return err
	}
	if picked == 0 {
		return nil
	}
	size, dst := c.self.DType.Size(), c.out.Data
	if c.views[0].Packed() && c.views[1].Packed() {
		packedPicks(size)(dst, c.self.Data, c.mask.Data[:n])
		return nil
	}
	c.views[0].Seek(&self, 0)
	c.views[1].Seek(&mask, 0)
	for range n {
		if c.mask.Data[mask.Off] != 0 {
			copy(dst, c.self.Data[self.Off*size:][:size])
			dst = dst[size:]
		}
		c.views[0].Skip(&self, 1)
		c.views[1].Skip(&mask, 1)
	}
	return nil
}

func packedPicks(size int) func(dst, self, mask []byte) {
	switch size {
	case 1:
		return picks[uint8]
	case 2:
		return picks[uint16]
	case 4:
		return picks[uint32]
	case 8:
		return picks[uint64]
	}
	return picks[complex128]
}

func picks[T executor.Element](dst, self, mask []byte) {
	out, from := executor.SliceBytes[T](dst), executor.SliceBytes[T](self)[:len(mask)]
	k := 0
	for i, m := range mask {
		if m != 0 {
			out[k] = from[i]
			k++
		}
	}
}
