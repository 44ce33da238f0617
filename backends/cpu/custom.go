package cpu

import (
	"fmt"
	"math"
	"math/cmplx"

	"github.com/ptero-rt/ptero/backends/cpu/arg"
	"github.com/ptero-rt/ptero/backends/cpu/site"
	"github.com/ptero-rt/ptero/backends/cpu/walk"
	"github.com/ptero-rt/ptero/executor"
	"github.com/ptero-rt/ptero/internal/fault"
	"github.com/ptero-rt/ptero/memory"
)

// customs are ExecuTorch's own operators outside the families: allclose with an output, tiles of an image, a copy that
// stands for what a delegate left over.
func customs() []executor.Op {
	out := arg.Sign("aten::allclose.out", "self other rtol atol equal_nan dummy_param out")
	tensor := arg.Sign("aten::allclose.Tensor", "self other rtol atol equal_nan dummy_param out")
	tiles := arg.Sign("preprocess::tile_crop.out", "input tile_size out")
	return []executor.Op{
		site.Planned(out, func() site.Work { return &closeCall{sig: out} }),
		site.Planned(tensor, func() site.Work { return &closeCall{sig: tensor} }),
		site.Planned(tiles, func() site.Work { return &tileCall{sig: tiles} }),
		(&moving{sig: arg.Sign("llama::fallback.out", "input output"), look: lookSame}).make(),
	}
}

// closeCall compares two tensors that broadcast: |a − b| ≤ atol + rtol·|b| for all elements, infinities and, if told so,
// NaN only with themselves.
type closeCall struct {
	sig        *arg.Signature
	out        *executor.Tensor
	in         [2]*executor.Tensor
	views      [2]walk.View
	cast       walk.Cast
	rtol, atol float64
	nan        bool
}

func (c *closeCall) BoundNeeds(args []*executor.Value) []memory.Need {
	pairs := min(walk.Block, elementsAt(args[0])) * min(walk.Block, elementsAt(args[1])) // they broadcast
	return site.Temp("element blocks", 2*16*min(walk.Block, pairs))
}

func (c *closeCall) Plan(args []*executor.Value) error {
	sig, r := c.sig, c.sig.Read(args)
	c.in[0], c.out = r.Of(0, arg.RealBool|arg.Complex), r.Of(6, arg.Of(arg.Bool))
	c.in[1] = r.Like(1, c.in[0])
	c.rtol, c.atol, c.nan = r.Double(2), r.Double(3), r.Bool(4)
	for i, x := range [...]float64{2: c.rtol, 3: c.atol} {
		if !(x >= 0) {
			r.Bad(i, "a tolerance ≥ 0", fmt.Sprint(x))
		}
	}
	if r.Err != nil {
		return r.Err
	}
	as := arg.F64
	if arg.Complex.Has(c.in[0].DType) {
		as = arg.C128
	}
	if err := c.cast.Set(c.in[0].DType, as); err != nil {
		return fault.Under(sig.Op, err)
	}
	var buf, one [arg.MaxRank]int
	shape, err := walk.Broadcast(buf[:0], c.in[0], c.in[1])
	if err != nil {
		return fault.Under(sig.Op, err)
	}
	for i, t := range c.in {
		c.views[i].Broadcast(t.Sizes, t.Strides, shape)
	}
	for d := range c.out.Rank() {
		one[d] = 1
	}
	return sig.Resize(6, c.out, one[:c.out.Rank()]...)
}

func (c *closeCall) Run(s *executor.Scope) error {
	n := c.views[0].N
	size := c.cast.To.Size()
	temp, err := s.TempBytes(2 * size * min(walk.Block, n))
	if err != nil {
		return err
	}
	second := temp[len(temp)/2:]
	c.out.Data[0] = 1
	if n == 0 {
		return nil
	}
	var cur [2]walk.Cursor
	c.views[0].Seek(&cur[0], 0)
	c.views[1].Seek(&cur[1], 0)
	for ; n > 0; n -= walk.Block {
		k := min(n, walk.Block)
		c.views[0].Gather(&cur[0], c.cast.Load, temp, c.in[0].Data, size, k)
		c.views[1].Gather(&cur[1], c.cast.Load, second, c.in[1].Data, size, k)
		if !c.close(temp[:k*size], second) {
			c.out.Data[0] = 0
			return nil
		}
	}
	return nil
}

func (c *closeCall) close(a, b []byte) bool {
	if c.cast.To == arg.C128 {
		return closeAll(c, a, b, cmplx.Abs)
	}
	return closeAll(c, a, b, math.Abs)
}

func closeAll[T float64 | complex128](c *closeCall, a, b []byte, abs func(T) float64) bool {
	y := executor.SliceBytes[T](b)
	for i, x := range executor.SliceBytes[T](a) {
		switch d := abs(x - y[i]); {
		case x == y[i], c.nan && x != x && y[i] != y[i]:
		case math.IsInf(d, 0) || !(d <= c.atol+c.rtol*abs(y[i])):
			return false
		}
	}
	return true
}

// tileCall cuts an image [channels, height, width] into square tiles, row by row.
type tileCall struct {
	sig  *arg.Signature
	copy walk.Copy
}

func (c *tileCall) Plan(args []*executor.Value) error {
	sig := c.sig
	r := sig.Read(args)
	in, out := inOut(&r)
	if r.Err != nil {
		return r.Err
	}
	if in.Rank() != 3 || out.Rank() != 4 {
		return sig.Bad(0, "an image of 3 dimensions", fmt.Sprint(in.Rank()))
	}
	channels, height, width := in.Sizes[0], in.Sizes[1], in.Sizes[2]
	size, err := sig.IntIn(args, 1, 1, int64(max(height, width, 1)))
	if err != nil {
		return err
	}
	if height%size != 0 || width%size != 0 {
		return sig.Bad(1, fmt.Sprintf("a divisor of %d and %d", height, width), fmt.Sprint(size))
	}
	rows, columns := height/size, width/size
	if err := sig.Resize(2, out, rows*columns, channels, size, size); err != nil {
		return err
	}
	v := &c.copy.View
	*v = walk.View{N: 1}
	var order [arg.MaxRank]int
	for _, d := range [...]struct{ n, stride, order int }{
		{rows, size * in.Strides[1], columns * out.Strides[0]}, {columns, size * in.Strides[2], out.Strides[0]},
		{channels, in.Strides[0], out.Strides[1]}, {size, in.Strides[1], out.Strides[2]}, {size, in.Strides[2], out.Strides[3]},
	} {
		order[v.Rank] = d.order
		v.Add(d.n, d.stride)
	}
	v.Merge(order[:])
	return fault.Under(sig.Op, c.copy.Plan(out, in, in.DType))
}

func (c *tileCall) Run(s *executor.Scope) error { return c.copy.Run(s) }
