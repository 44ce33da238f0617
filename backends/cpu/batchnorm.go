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

// affineCall is batch normalisation with running statistics: a scale and a shift for each channel.
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
}

func (c *affineCall) needs(args []*executor.Value, planned bool) []memory.Need {
	var needs []memory.Need
	if planned {
		needs = c.m.Needs()
	} else if out, t := args[c.sig.Out()-2].Tensor(), args[0].Tensor(); out != nil && t != nil {
		c.m.Reserve()
		o := walk.Operand{Type: arg.Compute(t.DType)}
		needs = walk.BoundNeeds(out, o.Type, o, o, o)
	}
	if n := len(c.scale.Data); n > 0 {
		needs = append(needs, memory.Need{Role: "scale and shift", Place: memory.Resident, Bytes: uint64(2 * n)})
	}
	return needs
}

func (c *affineCall) plan(args []*executor.Value) error {
	sig := c.sig
	var err error
	if c.in, err = sig.Tensor(args, 0); err != nil {
		return err
	}
	n := sig.Out()
	if c.out, err = sig.Tensor(args, n-2); err != nil {
		return err
	}
	if err := sig.DType(0, c.in, arg.Floats); err != nil {
		return err
	}
	if err := sig.DType(n-2, c.out, arg.Floats); err != nil {
		return err
	}
	if c.eps == 7 {
		training, err := sig.Bool(args, 5)
		if err != nil {
			return err
		}
		if training {
			return fault.New(fault.NotSupported, sig.Op, "training false: running statistics are not updated", "true")
		}
	}
	if c.epsilon, err = sig.Double(args, c.eps); err != nil {
		return err
	}
	if c.in.Rank() < 2 {
		return sig.Bad(0, "at least 2 dimensions", fmt.Sprint(c.in.Rank()))
	}
	channels := c.in.Sizes[1]
	for k := range c.params {
		if c.params[k], err = sig.Optional(args, 1+k); err != nil {
			return err
		}
		t := c.params[k]
		if t == nil {
			if k >= 2 {
				return sig.Bad(1+k, "a tensor", "none")
			}
			continue
		}
		if t.NumElements() != channels || !arg.Floats.Has(t.DType) {
			return sig.Bad(1+k, fmt.Sprintf("%d floats", channels), fmt.Sprintf("%v %s", t.DType, intsText(t.Sizes)))
		}
	}
	if err := sig.Resize(n-2, c.out, c.in.Sizes...); err != nil {
		return err
	}
	for i := n - 1; i <= n; i++ {
		t, err := sig.Tensor(args, i)
		if err != nil {
			return err
		}
		if err := sig.Resize(i, t, 0); err != nil {
			return err
		}
	}
	as := arg.Compute(c.in.DType)
	bytes := channels * as.Size()
	if len(c.scale.Data) != bytes {
		c.scale.Data = executor.NewTensor(as, []int{channels}, nil).Data
		c.shift.Data = executor.NewTensor(as, []int{channels}, nil).Data
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
	if err := c.m.Plan(affineTable.Of(as), c.out, as, op(c.in), op(&c.scale), op(&c.shift)); err != nil {
		return fault.Under(sig.Op, err)
	}
	return nil
}

var affineTable = &walk.Table{arg.F32: affineF32, arg.F64: affineF64}

func affineF32(_ *walk.Params, dst, a, b, c []byte) {
	fmath.Affine(three[float32, float32](dst, a, b, c))
}

func affineF64(_ *walk.Params, dst, a, b, c []byte) {
	y, x, scale, shift := three[float64, float64](dst, a, b, c)
	for i := range y {
		y[i] = float64(x[i]*scale[i]) + shift[i]
	}
}

func (c *affineCall) run(s *executor.Scope) error {
	if c.m.Empty() {
		return nil
	}
	for i := range c.in.Sizes[1] {
		scale := 1 / math.Sqrt(element(c.params[3], i)+c.epsilon)
		if c.params[0] != nil {
			scale *= element(c.params[0], i)
		}
		shift := -element(c.params[2], i) * scale
		if c.params[1] != nil {
			shift += element(c.params[1], i)
		}
		if c.scale.DType == arg.F64 {
			executor.Slice[float64](&c.scale)[i], executor.Slice[float64](&c.shift)[i] = scale, shift
		} else {
			executor.Slice[float32](&c.scale)[i], executor.Slice[float32](&c.shift)[i] = float32(scale), float32(shift)
		}
	}
	return c.m.Run(s)
}
