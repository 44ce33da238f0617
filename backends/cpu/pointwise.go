package cpu

import (
	"slices"

	"github.com/ptero-rt/ptero/backends/cpu/arg"
	"github.com/ptero-rt/ptero/backends/cpu/site"
	"github.com/ptero-rt/ptero/backends/cpu/walk"
	"github.com/ptero-rt/ptero/executor"
	"github.com/ptero-rt/ptero/internal/fault"
	"github.com/ptero-rt/ptero/memory"
)

// pointwise is an operator whose output element depends on the input elements at the same place only. Everything that
// such operators share is here: reading operands, promotion, shapes, when to plan again.
type pointwise struct {
	sig       *arg.Signature
	ins       []operand
	types     arg.Set // common types that the operator accepts
	table     *walk.Table
	once      bool // the kernels take the second operand, a number, as Operand.Once says
	exact     bool // the second operand, if a number or of rank 0, is not rounded to the common type
	float     bool // integers and bools are computed as f32, and the result is a float
	logical   bool // operands are computed as bools once they are of the common type
	toBool    bool // the kernel gives bools
	magnitude bool // the kernel gives reals for complex numbers
	anyOut    bool // the output may have any type
	// choose picks the kernels by other arguments and fills in their parameters; nil: table, no parameters.
	choose func(c *pointCall, args []*executor.Value) (*walk.Table, error)
	extra  []int // positions that choose reads
	filled bool  // some operand is a number, or may be
}

type operand struct {
	at   int
	kind operandKind
}

type operandKind uint8

const (
	tensor   operandKind = iota
	number               // a scalar argument
	mask                 // a tensor that is taken as bools and has no say in the common type
	constant             // a scalar argument that has no say in the common type
	optional             // a tensor that may be absent; a number is put there by choose
)

// pointCall is the state of a call site.
type pointCall struct {
	op     *pointwise
	Map    walk.Map
	common executor.DType
	as     executor.DType // what the kernel computes in: common, or what stands for it
	fill   *[3]arg.Scalar // what stands for absent operands; nil where none can be
	seen   *site.Seen     // what the plan was made for; nil where the file decides all but which tensors are in the slots
	stays  bool           // and that as well
}

func (op *pointwise) make() executor.Op {
	for _, in := range op.ins {
		op.filled = op.filled || in.kind != tensor && in.kind != mask
	}
	return executor.Op{
		Name:    op.sig.Op,
		Prepare: func(args []*executor.Value) (any, []memory.Need, error) { return op.open(new(pointCall), args) },
		PrepareMany: func(n int) func(args []*executor.Value) (any, []memory.Need, error) {
			calls := make([]pointCall, n)
			var last *pointCall // prepared in full, for lastArgs
			var lastArgs []*executor.Value
			return func(args []*executor.Value) (any, []memory.Need, error) {
				c := &calls[0]
				calls = calls[1:]
				if last != nil && c.repeat(last, lastArgs, args) {
					return c, nil, nil
				}
				state, needs, err := op.open(c, args)
				if err == nil && c.seen == nil && c.Map.Plain() {
					last, lastArgs = c, args
				}
				return state, needs, err
			}
		},
		Run: func(s *executor.Scope, state any, args []*executor.Value) error {
			return state.(*pointCall).run(s, args)
		},
	}
}

// open prepares a call site, whose state is c.
func (op *pointwise) open(c *pointCall, args []*executor.Value) (any, []memory.Need, error) {
	if err := op.sig.Check(args); err != nil {
		return nil, nil, err
	}
	c.op = op
	if op.filled {
		c.fill = new([3]arg.Scalar)
	}
	needs, err := c.prepare(args)
	return c, needs, err
}

// repeat prepares a call like another, whose arguments were like: tensors of the same types and layouts, numbers of the same
// value. Programs unroll loops and stack layers, so most calls have such a predecessor. It gives false where that is not so.
func (c *pointCall) repeat(of *pointCall, was, args []*executor.Value) bool {
	op := of.op
	if len(args) != len(was) {
		return false
	}
	for _, i := range op.extra {
		if *args[i] != *was[i] {
			return false
		}
	}
	out := args[op.sig.Out()].Tensor()
	if !similar(out, of.Map.Out()) {
		return false
	}
	var ins [3]*executor.Tensor
	for k := range op.ins {
		ins[k] = args[op.ins[k].at].Tensor()
		if !similar(ins[k], of.Map.Tensor(k)) {
			return false
		}
	}
	c.op, c.common, c.as, c.stays = op, of.common, of.as, site.Stay(op.sig, args)
	c.Map.Repeat(&of.Map, out, &ins)
	return true
}

// similar says whether t is a tensor of o's type and layout, with a static shape.
func similar(t, o *executor.Tensor) bool {
	return t != nil && o != nil && t.DType == o.DType && t.Dynamism == 0 && t.SameLayout(o)
}

func (c *pointCall) run(s *executor.Scope, args []*executor.Value) error {
	if !c.current(args) {
		if err := c.plan(args); err != nil {
			if c.seen != nil {
				c.seen.Forget()
			}
			return err
		}
		if c.seen != nil {
			c.seen.Remember(args)
		}
	}
	return fault.Under(c.op.sig.Op, c.Map.Run(s))
}

// current says whether the plan still holds.
func (c *pointCall) current(args []*executor.Value) bool {
	switch {
	case c.seen != nil:
		return c.seen.Holds(args)
	case c.stays:
		return true
	}
	for k := range c.op.ins {
		if args[c.op.ins[k].at].Tensor() != c.Map.Tensor(k) {
			return false
		}
	}
	return args[c.op.sig.Out()].Tensor() == c.Map.Out()
}

func (c *pointCall) prepare(args []*executor.Value) ([]memory.Need, error) {
	op := c.op
	if !site.Steady(op.sig, args) {
		c.seen = new(site.Seen)
		c.seen.Settle(op.sig, args)
	}
	var r reading
	if err := c.read(args, &r); err != nil {
		if c.seen != nil && c.seen.Open() {
			return nil, nil // decided in Run, by what the arguments are then
		}
		return nil, err
	}
	if c.seen != nil {
		c.Map.Reserve()
		return walk.BoundNeeds(r.out, c.result(), r.ops[:len(op.ins)]...), nil
	}
	c.stays = site.Stay(op.sig, args)
	if err := c.lay(&r); err != nil {
		return nil, err
	}
	return c.Map.Needs(), nil
}

func (c *pointCall) plan(args []*executor.Value) error {
	var r reading
	if err := c.read(args, &r); err != nil {
		return err
	}
	return c.lay(&r)
}

// reading is what read found.
type reading struct {
	out   *executor.Tensor
	table *walk.Table
	ops   [3]walk.Operand
}

// result is the type that the kernel writes.
func (c *pointCall) result() executor.DType {
	if c.op.toBool {
		return arg.Bool
	}
	if c.op.magnitude && c.common == arg.C128 {
		return arg.F64
	}
	if c.op.magnitude && arg.Complex.Has(c.common) {
		return arg.F32
	}
	return c.as
}

// read looks at types, not at shapes: the operands as the kernel takes them, and the kernels.
func (c *pointCall) read(args []*executor.Value, r *reading) (err error) {
	op, sig, ops := c.op, c.op.sig, &r.ops
	if r.out, err = sig.Tensor(args, sig.Out()); err != nil {
		return err
	}
	var mix walk.Mix
	var nums [3]arg.Scalar
	last := 0
	for k, in := range op.ins {
		switch in.kind {
		case number:
			if nums[k], err = sig.Scalar(args, in.at); err != nil {
				return err
			}
			mix.Number(nums[k])
			continue
		case constant:
			if nums[k], err = sig.Scalar(args, in.at); err != nil {
				return err
			}
			continue
		case optional:
			if ops[k].Tensor, err = sig.Optional(args, in.at); err != nil {
				return err
			}
			if ops[k].Tensor == nil {
				continue
			}
		default:
			if ops[k].Tensor, err = sig.Tensor(args, in.at); err != nil {
				return err
			}
		}
		if in.kind != mask {
			mix.Tensor(ops[k].Tensor.DType, ops[k].Tensor.Rank())
			last = in.at
		}
	}
	c.common = mix.Result()
	if !op.types.Has(c.common) {
		return sig.Bad(last, op.types.String(), c.common.String())
	}
	common := c.common
	switch {
	case op.logical:
		c.common = arg.Bool
	case op.float && arg.IntBool.Has(common):
		c.common = arg.F32
	}
	r.table = op.table
	if op.choose != nil {
		if r.table, err = op.choose(c, args); err != nil {
			return err
		}
	}
	if c.as = c.common; r.table.Of(c.as) == nil {
		c.as = arg.Compute(c.common)
	}
	if err = c.checkOut(r.out); err != nil {
		return err
	}
	for k, in := range op.ins {
		ops[k].Type, ops[k].Round = c.as, c.common
		if in.kind == mask {
			ops[k].Type, ops[k].Round = arg.Bool, arg.Bool
		}
		if op.logical && ops[k].Tensor.Rank() == 0 { // only those may be of a wider type than the common one
			ops[k].Round = common
		}
		if in.kind == number || in.kind == constant {
			c.fill[k] = nums[k]
		}
		ops[k].Once = op.once && in.kind == number
		if op.exact && k == 1 && (ops[k].Tensor == nil || ops[k].Tensor.Rank() == 0) && !arg.Complex.Has(c.common) {
			ops[k].Round = ops[k].Type
		}
	}
	if r.table.Of(c.as) == nil {
		return sig.Bad(last, "a type that the operator computes in", c.common.String())
	}
	return nil
}

func (c *pointCall) checkOut(out *executor.Tensor) error {
	from := c.common
	switch {
	case c.op.anyOut:
		return nil
	case c.op.toBool:
		from = arg.Bool
	case c.op.magnitude && arg.Complex.Has(from):
		from = c.result()
	}
	if !walk.CanCast(from, out.DType) {
		return c.op.sig.Bad(c.op.sig.Out(), "a type that "+from.String()+" casts to", out.DType.String())
	}
	return nil
}

// lay resizes the output and plans the loop.
func (c *pointCall) lay(r *reading) error {
	op := c.op
	if !alike(r.out, r.ops[:len(op.ins)]) {
		if err := c.resize(r); err != nil {
			return err
		}
	}
	if err := c.Map.Plan(r.table.Of(c.as), r.out, c.result(), r.ops[:len(op.ins)]...); err != nil {
		return fault.Under(op.sig.Op, err)
	}
	for k := range op.ins {
		if r.ops[k].Tensor == nil {
			c.Map.SetNumber(k, c.fill[k])
		}
	}
	return nil
}

func (c *pointCall) resize(r *reading) error {
	var buf [arg.MaxRank]int
	shape, err := walk.Broadcast(buf[:0], r.ops[0].Tensor, r.ops[1].Tensor, r.ops[2].Tensor)
	if err != nil {
		return fault.Under(c.op.sig.Op, err)
	}
	return c.op.sig.Resize(c.op.sig.Out(), r.out, shape...)
}

// alike says whether all operands are tensors of the output's shape, as most are: nothing is broadcast then.
func alike(out *executor.Tensor, ops []walk.Operand) bool {
	for k := range ops {
		if ops[k].Tensor == nil || !slices.Equal(ops[k].Tensor.Sizes, out.Sizes) {
			return false
		}
	}
	return true
}
