package cpu

import (
	"fmt"
	"math"

	"github.com/ptero-rt/ptero/backends/cpu/arg"
	"github.com/ptero-rt/ptero/backends/cpu/walk"
	"github.com/ptero-rt/ptero/executor"
	"github.com/ptero-rt/ptero/internal/fault"
	"github.com/ptero-rt/ptero/memory"
)

// prims are the operators between kernels: arithmetic on numbers, questions about shapes, and the two that alias or stack
// tensors. Their last argument is the result, whose kind they set; there is no return slot.
//
// Source: pytorch/executorch kernels/prim_ops/register_prim_ops.cpp at cff6f4dd. Division of integers follows Python,
// which that file does not for negatives.
func prims() []executor.Op {
	ops := []executor.Op{
		prim("aten::sym_size.int", "self dim out", symSize),
		prim("aten::sym_numel", "self out", symNumel),
		prim("aten::_local_scalar_dense", "self out", localScalar),
		prim("executorch_prim::truediv.Scalar", "a b out", trueDiv),
		prim("executorch_prim::neg.Scalar", "a out", negate),
		prim("executorch_prim::sym_float.Scalar", "a out", symFloat),
		prim("executorch_prim::sym_int.Scalar", "a out", whole(math.Trunc)),
		prim("executorch_prim::ceil.Scalar", "a out", whole(math.Ceil)),
		prim("executorch_prim::round.Scalar", "a out", whole(math.RoundToEven)),
		prim("executorch_prim::trunc.Scalar", "a out", whole(math.Trunc)),
		prim("executorch_prim::sym_not.Scalar", "a out", symNot),
		prim("executorch_prim::sym_ite.Scalar", "condition a b out", symIte),
	}
	for name, f := range map[string]struct {
		ints   func(a, b int64) (int64, bool)
		floats func(a, b float64) float64
	}{
		"add.Scalar":      {func(a, b int64) (int64, bool) { return a + b, true }, func(a, b float64) float64 { return a + b }},
		"sub.Scalar":      {func(a, b int64) (int64, bool) { return a - b, true }, func(a, b float64) float64 { return a - b }},
		"mul.Scalar":      {func(a, b int64) (int64, bool) { return a * b, true }, func(a, b float64) float64 { return a * b }},
		"floordiv.Scalar": {floorQuotient, func(a, b float64) float64 { return math.Floor(a / b) }},
		"floordiv.int":    {floorQuotient, nil},
		"mod.Scalar":      {floorRemainder, floorModulo},
		"mod.int":         {floorRemainder, nil},
		"sym_max.Scalar":  {func(a, b int64) (int64, bool) { return max(a, b), true }, math.Max},
		"sym_min.Scalar":  {func(a, b int64) (int64, bool) { return min(a, b), true }, math.Min},
	} {
		ops = append(ops, prim("executorch_prim::"+name, "a b out", numeric(f.ints, f.floats)))
	}
	for name, f := range map[string]struct {
		ints   func(a, b int64) bool
		floats func(a, b float64) bool
	}{
		"eq": {func(a, b int64) bool { return a == b }, func(a, b float64) bool { return a == b }},
		"gt": {func(a, b int64) bool { return a > b }, func(a, b float64) bool { return a > b }},
		"lt": {func(a, b int64) bool { return a < b }, func(a, b float64) bool { return a < b }},
		"ge": {func(a, b int64) bool { return a >= b }, func(a, b float64) bool { return a >= b }},
		"le": {func(a, b int64) bool { return a <= b }, func(a, b float64) bool { return a <= b }},
	} {
		ops = append(ops, prim("executorch_prim::"+name+".Scalar", "a b out", comparison(f.ints, f.floats)))
	}
	view := prim("executorch_prim::et_view.default", "self size out", etView)
	view.Views = true
	old := prim("executorch_prim::et_view", "self size out", etView) // the name before it had an overload
	old.Views = true
	sig := arg.Sign("executorch_prim::et_copy_index.tensor", "copy_to copy_from index")
	index := executor.Op{
		Name:    sig.Op,
		Prepare: func(args []*executor.Value) (any, []memory.Need, error) { return nil, nil, sig.Check(args) },
		Run:     func(_ *executor.Scope, _ any, args []*executor.Value) error { return copyIndex(sig, args) }, // not through prim: loops have it
		Fills:   []int{0},
	}
	return append(intFirst(ops), view, old, index)
}

// primitive is the body of a prim operator; its arguments were counted.
type primitive func(sig *arg.Signature, args []*executor.Value) error

func prim(name, names string, f primitive) executor.Op {
	sig := arg.Sign(name, names)
	return executor.Op{
		Name:    name,
		Prepare: func(args []*executor.Value) (any, []memory.Need, error) { return nil, nil, sig.Check(args) },
		Run:     func(_ *executor.Scope, _ any, args []*executor.Value) error { return f(sig, args) },
	}
}

func isNumber(v *executor.Value) bool {
	return v.Kind() == executor.KindInt || v.Kind() == executor.KindDouble || v.Kind() == executor.KindBool
}

// numbers wants the arguments before the result to be numbers.
func numbers(sig *arg.Signature, args []*executor.Value) error {
	for i := range sig.Out() {
		if !isNumber(args[i]) {
			_, err := sig.Scalar(args, i)
			return err
		}
	}
	return nil
}

// numeric gives an int for two ints and a double if either is one. ints says false for a division by zero.
func numeric(ints func(a, b int64) (int64, bool), floats func(a, b float64) float64) primitive {
	return func(sig *arg.Signature, args []*executor.Value) error {
		a, b := args[0], args[1]
		if a.Kind() == executor.KindInt && b.Kind() == executor.KindInt {
			x, ok := ints(a.Int(), b.Int())
			if !ok {
				return sig.Bad(1, "a divisor other than 0", "0")
			}
			args[2].SetInt(x)
			return nil
		}
		if err := numbers(sig, args); err != nil {
			return err
		}
		if a.Kind() == executor.KindDouble || b.Kind() == executor.KindDouble {
			if floats == nil {
				return fault.New(fault.InvalidType, sig.Op, "ints", "a double")
			}
			args[2].SetDouble(floats(a.Double(), b.Double()))
			return nil
		}
		x, ok := ints(a.Int(), b.Int())
		if !ok {
			return sig.Bad(1, "a divisor other than 0", "0")
		}
		args[2].SetInt(x)
		return nil
	}
}

func comparison(ints func(a, b int64) bool, floats func(a, b float64) bool) primitive {
	return func(sig *arg.Signature, args []*executor.Value) error {
		a, b := args[0], args[1]
		if a.Kind() == executor.KindInt && b.Kind() == executor.KindInt {
			args[2].SetBool(ints(a.Int(), b.Int()))
			return nil
		}
		if err := numbers(sig, args); err != nil {
			return err
		}
		if a.Kind() == executor.KindDouble || b.Kind() == executor.KindDouble {
			args[2].SetBool(floats(a.Double(), b.Double()))
			return nil
		}
		args[2].SetBool(ints(a.Int(), b.Int()))
		return nil
	}
}

func floorQuotient(a, b int64) (int64, bool) {
	if b == 0 {
		return 0, false
	}
	q := a / b
	if r := a % b; r != 0 && (r < 0) != (b < 0) {
		q--
	}
	return q, true
}

func floorRemainder(a, b int64) (int64, bool) {
	if b == 0 {
		return 0, false
	}
	r := a % b
	if r != 0 && (r < 0) != (b < 0) {
		r += b
	}
	return r, true
}

func floorModulo(a, b float64) float64 {
	r := math.Mod(a, b)
	if r != 0 && (r < 0) != (b < 0) {
		r += b
	}
	return r
}

func trueDiv(sig *arg.Signature, args []*executor.Value) error {
	if err := numbers(sig, args); err != nil {
		return err
	}
	args[2].SetDouble(args[0].Double() / args[1].Double())
	return nil
}

func negate(sig *arg.Signature, args []*executor.Value) error {
	if err := numbers(sig, args); err != nil {
		return err
	}
	if args[0].Kind() == executor.KindDouble {
		args[1].SetDouble(-args[0].Double())
	} else {
		args[1].SetInt(-args[0].Int())
	}
	return nil
}

func symFloat(sig *arg.Signature, args []*executor.Value) error {
	if err := numbers(sig, args); err != nil {
		return err
	}
	args[1].SetDouble(args[0].Double())
	return nil
}

// whole makes an int of a double; what does not fit gives the smallest int.
func whole(round func(float64) float64) primitive {
	return func(sig *arg.Signature, args []*executor.Value) error {
		if err := numbers(sig, args); err != nil {
			return err
		}
		if args[0].Kind() == executor.KindDouble {
			args[1].SetInt(arg.Truncate(round(args[0].Double())))
		} else {
			args[1].SetInt(args[0].Int())
		}
		return nil
	}
}

func symNot(sig *arg.Signature, args []*executor.Value) error {
	b, err := sig.Bool(args, 0)
	if err == nil {
		args[1].SetBool(!b)
	}
	return err
}

func symIte(sig *arg.Signature, args []*executor.Value) error {
	if err := numbers(sig, args); err != nil {
		return err
	}
	from := args[2]
	if args[0].Double() != 0 {
		from = args[1]
	}
	switch from.Kind() {
	case executor.KindInt:
		args[3].SetInt(from.Int())
	case executor.KindDouble:
		args[3].SetDouble(from.Double())
	default:
		args[3].SetBool(from.Bool())
	}
	return nil
}

func symSize(sig *arg.Signature, args []*executor.Value) error {
	t, err := sig.Tensor(args, 0)
	if err != nil {
		return err
	}
	if t.Rank() == 0 {
		return noDimension(sig)
	}
	d, err := sig.Dim(args, 1, t.Rank())
	if err == nil {
		args[2].SetInt(int64(t.Sizes[d]))
	}
	return err
}

func symNumel(sig *arg.Signature, args []*executor.Value) error {
	t, err := sig.Tensor(args, 0)
	if err == nil {
		args[1].SetInt(int64(t.NumElements()))
	}
	return err
}

// localScalar is item(): the one element of a tensor, of the kind that its type has.
func localScalar(sig *arg.Signature, args []*executor.Value) error {
	t, err := sig.Tensor(args, 0)
	if err != nil {
		return err
	}
	if err := sig.DType(0, t, arg.RealBool); err != nil {
		return err
	}
	if t.NumElements() != 1 {
		return sig.Bad(0, "one element", fmt.Sprint(t.NumElements()))
	}
	s := walk.Get(t.Data, t.DType, 0)
	switch s.Kind {
	case executor.KindInt:
		args[1].SetInt(s.I)
	case executor.KindBool:
		args[1].SetBool(s.I != 0)
	default:
		args[1].SetDouble(s.F)
	}
	return nil
}

// etView makes the output a window on the input's bytes.
func etView(sig *arg.Signature, args []*executor.Value) error {
	self, err := sig.Tensor(args, 0)
	if err != nil {
		return err
	}
	out, err := sig.Tensor(args, 2)
	if err != nil {
		return err
	}
	var buf [arg.MaxRank]int
	size, err := viewSizes(sig, args, 1, self.NumElements(), buf[:0])
	if err != nil {
		return err
	}
	return fault.Under(sig.Op, out.View(self, size...))
}

// kinds says which argument of copyIndex is not of its kind.
func kinds(sig *arg.Signature, args []*executor.Value) error {
	for i := range 2 {
		if _, err := sig.Tensor(args, i); err != nil {
			return err
		}
	}
	_, err := sig.Int(args, 2)
	return err
}

// copyIndex stacks copy_from as row index of copy_to, which grows to hold it and no more.
func copyIndex(sig *arg.Signature, args []*executor.Value) error {
	to, from, index := args[0].Tensor(), args[1].Tensor(), args[2].Int()
	if k := args[2].Kind(); to == nil || from == nil || k != executor.KindInt && k != executor.KindBool {
		return kinds(sig, args)
	}
	rank := from.Rank()
	switch {
	case to.DType != from.DType:
		return sig.Bad(1, to.DType.String(), from.DType.String())
	case to.Rank() != rank+1 || rank == arg.MaxRank:
		return sig.Bad(1, fmt.Sprintf("rank %d", to.Rank()-1), fmt.Sprint(rank))
	case index < 0 || index >= int64(max(to.Bound(), 1)):
		return sig.Bad(2, "an index of a row that fits", fmt.Sprint(index))
	}
	fits := true
	for d, n := range from.Sizes {
		if fits = fits && to.Sizes[d+1] == n; !fits && (index > 0 || to.Dynamism == 0) {
			return sig.Bad(1, fmt.Sprintf("size %d in dimension %d", to.Sizes[d+1], d), fmt.Sprint(n))
		}
	}
	switch {
	case to.Dynamism == 0:
		if index >= int64(to.Sizes[0]) {
			return sig.Bad(2, fmt.Sprintf("0…%d", to.Sizes[0]-1), fmt.Sprint(index))
		}
	case fits:
		if err := to.ResizeRows(int(index) + 1); err != nil {
			return fault.Under(sig.Op+"(copy_to)", err)
		}
	default:
		var buf [arg.MaxRank]int
		buf[0] = int(index) + 1
		copy(buf[1:], from.Sizes)
		if err := sig.Resize(0, to, buf[:rank+1]...); err != nil {
			return err
		}
	}
	if len(from.Data) == 0 {
		return nil
	}
	if to.IsContiguous() && from.IsContiguous() {
		n := len(from.Data)
		copy(to.Data[int(index)*n:][:n], from.Data)
		return nil
	}
	var tv, fv walk.View
	var tc, fc walk.Cursor
	fv.Logical(from)
	tv.Broadcast(from.Sizes, to.Strides[1:], from.Sizes)
	tv.Base = int(index) * to.Strides[0]
	tv.Seek(&tc, 0)
	fv.Seek(&fc, 0)
	walk.Transfer(to.Data, &tv, &tc, from.Data, &fv, &fc, to.DType.Size(), fv.N)
	return nil
}
