package cpu

import (
	"fmt"

	"github.com/ptero-rt/ptero/backends/cpu/arg"
	"github.com/ptero-rt/ptero/backends/cpu/site"
	"github.com/ptero-rt/ptero/backends/cpu/walk"
	"github.com/ptero-rt/ptero/executor"
	"github.com/ptero-rt/ptero/internal/fault"
)

// splits are the operators that cut one tensor into several along a dimension.
func splits() []executor.Op {
	return []executor.Op{
		split(arg.Sign("aten::split_copy.Tensor_out", "self split_size dim out"), 2, splitEven),
		split(arg.Sign("aten::split_with_sizes_copy.out", "self split_sizes dim out"), 2, splitSizes),
		split(arg.Sign("aten::unbind_copy.int_out", "self dim out"), 1, nil),
	}
}

type splitCall struct {
	sig   *arg.Signature
	dim   int // the position of the dimension
	width widths
	outs  []walk.Copy
}

// widths gives the extent of output i along a dimension of the given size.
type widths func(sig *arg.Signature, args []*executor.Value, i, size int) (int, error)

// split makes an operator whose dimension is argument dim. width nil: each output is one index, without the dimension.
func split(sig *arg.Signature, dim int, width widths) executor.Op {
	return site.Planned(sig, func() site.Work { return &splitCall{sig: sig, dim: dim, width: width} })
}

func (c *splitCall) Run(s *executor.Scope) error {
	for i := range c.outs {
		if err := c.outs[i].Run(s); err != nil {
			return err
		}
	}
	return nil
}

func (c *splitCall) Plan(args []*executor.Value) error {
	sig, r := c.sig, c.sig.Read(args)
	in, outs := r.Tensor(0), r.Tensors(r.Out())
	at := rankedDim(&r, c.dim, in)
	if r.Err != nil {
		return r.Err
	}
	if len(outs) != len(c.outs) {
		c.outs = make([]walk.Copy, len(outs))
	}
	pos, total := 0, in.Sizes[at]
	for i, v := range outs {
		n := 1
		if c.width != nil {
			var err error
			if n, err = c.width(sig, args, i, total); err != nil {
				return err
			}
		}
		if n > total-pos {
			return sig.Bad(sig.Out(), fmt.Sprintf("tensors for %d along dimension %d", total, at), fmt.Sprintf("%d of them", len(outs)))
		}
		if err := c.piece(&c.outs[i], in, v.Tensor(), at, pos, n, c.width == nil); err != nil {
			return err
		}
		pos += n
	}
	if pos != total {
		return sig.Bad(sig.Out(), fmt.Sprintf("tensors for all %d along dimension %d", total, at), fmt.Sprintf("tensors for %d", pos))
	}
	return nil
}

func (c *splitCall) piece(p *walk.Copy, in, out *executor.Tensor, at, pos, n int, drop bool) error {
	sig := c.sig
	if out.DType != in.DType {
		return sig.Bad(sig.Out(), in.DType.String(), out.DType.String())
	}
	var shape, stride [arg.MaxRank]int
	rank := 0
	for d, s := range in.Sizes {
		if d == at {
			if drop {
				continue
			}
			s = n
		}
		shape[rank], stride[rank] = s, in.Strides[d]
		rank++
	}
	if err := sig.Resize(sig.Out(), out, shape[:rank]...); err != nil {
		return err
	}
	v := &p.View
	v.Start(out)
	copy(v.Stride[:], stride[:rank])
	v.Base = pos * in.Strides[at]
	v.Merge(out.Strides)
	return fault.Under(sig.Op, p.Plan(out, in, in.DType))
}

// splitEven cuts pieces of one size; the last may be smaller.
func splitEven(sig *arg.Signature, args []*executor.Value, i, size int) (int, error) {
	n, err := sig.Int(args, 1)
	if err != nil {
		return 0, err
	}
	if n < 0 || n == 0 && size > 0 {
		return 0, sig.Bad(1, "a size > 0", fmt.Sprint(n))
	}
	if n == 0 || int64(i) > int64(size)/n {
		return 0, nil
	}
	return int(min(n, int64(size)-int64(i)*n)), nil
}

func splitSizes(sig *arg.Signature, args []*executor.Value, i, size int) (int, error) {
	items := args[1].Items()
	if len(items) != args[sig.Out()].Len() {
		return 0, sig.Bad(1, fmt.Sprintf("%d sizes", args[sig.Out()].Len()), fmt.Sprint(len(items)))
	}
	v := items[i]
	if v == nil || v.Kind() != executor.KindInt || v.Int() < 0 || v.Int() > int64(size) {
		return 0, sig.Bad(1, fmt.Sprintf("sizes in 0…%d", size), "another")
	}
	return int(v.Int()), nil
}
