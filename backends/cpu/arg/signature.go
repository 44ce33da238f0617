package arg

import (
	"fmt"
	"strings"

	"github.com/ptero-rt/ptero/executor"
	"github.com/ptero-rt/ptero/internal/fault"
)

// Signature is an operator's name with the names of its arguments, outs included, in schema order. It is immutable.
type Signature struct {
	Op    string
	Names []string
}

// Sign makes a signature from argument names separated by blanks.
func Sign(op, names string) *Signature { return &Signature{Op: op, Names: strings.Fields(names)} }

// Out is the position of the last argument.
func (s *Signature) Out() int { return len(s.Names) - 1 }

// Check wants all arguments to be there: the schema's, with or without the return slot that files repeat at the end.
func (s *Signature) Check(args []*executor.Value) error {
	if n := len(args); n != len(s.Names) && n != len(s.Names)+1 {
		return &fault.Error{Path: s.Op, Code: fault.InvalidProgram, Rule: "arg_count",
			Want: fmt.Sprintf("%d arguments (%s)", len(s.Names), strings.Join(s.Names, ", ")), Found: fmt.Sprint(n)}
	}
	return nil
}

// Bad makes an InvalidArgument error about argument i; want and found complete "want …, found …".
func (s *Signature) Bad(i int, want, found string) error {
	return fault.New(fault.InvalidArgument, s.at(i), want, found)
}

// Wrong makes an InvalidArgument error about the call as a whole.
func (s *Signature) Wrong(want, found string) error {
	return fault.New(fault.InvalidArgument, s.Op, want, found)
}

// List writes numbers for an error; it copies them, which keeps the caller's array off the heap.
func List(numbers []int) string { return fmt.Sprint(append([]int{}, numbers...)) }

func (s *Signature) at(i int) string {
	if i < len(s.Names) {
		return s.Op + "(" + s.Names[i] + ")"
	}
	return fmt.Sprintf("%s(%d)", s.Op, i)
}

func (s *Signature) kind(args []*executor.Value, i int, want string) error {
	return fault.New(fault.InvalidType, s.at(i), want, args[i].Kind().String())
}

// Tensor reads a required tensor.
func (s *Signature) Tensor(args []*executor.Value, i int) (*executor.Tensor, error) {
	if t := args[i].Tensor(); t != nil {
		return t, nil
	}
	return nil, s.kind(args, i, "tensor")
}

// Optional reads a tensor that may be absent: nil then.
func (s *Signature) Optional(args []*executor.Value, i int) (*executor.Tensor, error) {
	if args[i].IsNone() {
		return nil, nil
	}
	if t := args[i].Tensor(); t != nil {
		return t, nil
	}
	return nil, s.kind(args, i, "tensor or none")
}

// DType wants the tensor at i to have a type of the set.
func (s *Signature) DType(i int, t *executor.Tensor, set Set) error {
	if set.Has(t.DType) {
		return nil
	}
	return s.Bad(i, set.String(), t.DType.String())
}

// Int reads an integer.
func (s *Signature) Int(args []*executor.Value, i int) (int64, error) {
	switch args[i].Kind() {
	case executor.KindInt, executor.KindBool:
		return args[i].Int(), nil
	}
	return 0, s.kind(args, i, "int")
}

// IntOr reads an integer that may be absent.
func (s *Signature) IntOr(args []*executor.Value, i int, absent int64) (int64, error) {
	if args[i].IsNone() {
		return absent, nil
	}
	return s.Int(args, i)
}

// IntIn reads an integer that must lie in [lo, hi].
func (s *Signature) IntIn(args []*executor.Value, i int, lo, hi int64) (int, error) {
	x, err := s.Int(args, i)
	if err == nil && (x < lo || x > hi) {
		err = s.Bad(i, fmt.Sprintf("%d…%d", lo, hi), fmt.Sprint(x))
	}
	return int(x), err
}

// Bool reads a bool (an int counts as one, as in ExecuTorch's older files).
func (s *Signature) Bool(args []*executor.Value, i int) (bool, error) {
	switch args[i].Kind() {
	case executor.KindInt, executor.KindBool:
		return args[i].Int() != 0, nil
	}
	return false, s.kind(args, i, "bool")
}

// Double reads a floating number; an int is converted.
func (s *Signature) Double(args []*executor.Value, i int) (float64, error) {
	switch args[i].Kind() {
	case executor.KindDouble, executor.KindInt, executor.KindBool:
		return args[i].Double(), nil
	}
	return 0, s.kind(args, i, "double")
}

// Scalar reads a number with its tag.
func (s *Signature) Scalar(args []*executor.Value, i int) (Scalar, error) {
	v := args[i]
	switch v.Kind() {
	case executor.KindDouble:
		return Scalar{Kind: executor.KindDouble, F: v.Double()}, nil
	case executor.KindInt, executor.KindBool:
		return Scalar{Kind: v.Kind(), I: v.Int()}, nil
	}
	return Scalar{}, s.kind(args, i, "number")
}

// Text reads a string that may be absent.
func (s *Signature) Text(args []*executor.Value, i int, absent string) (string, error) {
	switch args[i].Kind() {
	case executor.None:
		return absent, nil
	case executor.KindString:
		return args[i].String(), nil
	}
	return "", s.kind(args, i, "string")
}

// Dim reads a dimension of a tensor of the given rank and makes it non-negative; rank 0 counts as rank 1.
func (s *Signature) Dim(args []*executor.Value, i, rank int) (int, error) {
	x, err := s.Int(args, i)
	if err != nil {
		return 0, err
	}
	return s.Wrap(i, x, rank)
}

// Wrap makes dimension d of argument i non-negative; rank 0 counts as rank 1.
func (s *Signature) Wrap(i int, d int64, rank int) (int, error) {
	n := int64(max(rank, 1))
	if d < -n || d >= n {
		return 0, s.Bad(i, fmt.Sprintf("dimension in %d…%d", -n, n-1), fmt.Sprint(d))
	}
	if d < 0 {
		d += n
	}
	return int(d), nil
}

// Ints reads an int list into buf[:0] and gives it back; an absent list gives nil. It allocates only if buf is too small.
func (s *Signature) Ints(args []*executor.Value, i int, buf []int) ([]int, error) {
	switch args[i].Kind() {
	case executor.None:
		return nil, nil
	case executor.KindIntList:
	default:
		return nil, s.kind(args, i, "int list")
	}
	buf = buf[:0]
	for _, v := range args[i].Items() {
		if v == nil || v.Kind() != executor.KindInt && v.Kind() != executor.KindBool {
			return nil, s.Bad(i, "ints", "an entry of another kind")
		}
		buf = append(buf, int(v.Int()))
	}
	return buf, nil
}

// Fixed says whether the file alone decides the arguments at the given positions.
func Fixed(args []*executor.Value, at ...int) bool {
	for _, i := range at {
		if !args[i].Fixed() {
			return false
		}
	}
	return true
}

// MaxRank is the largest rank of a tensor that an operator can be given.
const MaxRank = executor.MaxRank

// Dims is a set of dimensions, one bit each.
type Dims uint32

// Has says whether dimension d is in the set.
func (m Dims) Has(d int) bool { return m&(1<<uint(d)) != 0 }

// DimSet reads a list of dimensions; negatives count from the end, duplicates are refused. An absent or empty list gives
// all dimensions of the rank.
func (s *Signature) DimSet(args []*executor.Value, i, rank int) (Dims, error) {
	all := Dims(1<<uint(rank) - 1)
	switch args[i].Kind() {
	case executor.None:
		return all, nil
	case executor.KindInt:
		d, err := s.Dim(args, i, rank)
		return 1 << uint(d), err
	case executor.KindIntList:
	default:
		return 0, s.kind(args, i, "int list")
	}
	var buf [MaxRank]int
	list, err := s.DimList(args, i, rank, buf[:0])
	switch {
	case err != nil:
		return 0, err
	case len(list) == 0:
		return all, nil
	}
	var m Dims
	for _, d := range list {
		m |= 1 << uint(d)
	}
	return m, nil
}

// DimList reads a list of dimensions into buf[:0], as Ints does, and makes them non-negative; duplicates are refused.
func (s *Signature) DimList(args []*executor.Value, i, rank int, buf []int) ([]int, error) {
	list, err := s.Ints(args, i, buf)
	var seen Dims
	for k, x := range list {
		d, err := s.Wrap(i, int64(x), rank)
		if err != nil {
			return nil, err
		}
		if seen.Has(d) {
			return nil, s.Bad(i, "each dimension once", fmt.Sprintf("%d twice", x))
		}
		seen |= 1 << uint(d)
		list[k] = d
	}
	return list, err
}

// Tensors reads a tensor list and wants every entry to be there.
func (s *Signature) Tensors(args []*executor.Value, i int) ([]*executor.Value, error) {
	if k := args[i].Kind(); k != executor.KindTensorList && k != executor.KindOptionalTensorList {
		return nil, s.kind(args, i, "tensor list")
	}
	items := args[i].Items()
	for n, v := range items {
		if v == nil || v.Tensor() == nil {
			return nil, s.Bad(i, "tensors", fmt.Sprintf("entry %d is none", n))
		}
	}
	return items, nil
}

// Resize gives the tensor at i a new shape, or says why it cannot have it.
func (s *Signature) Resize(i int, t *executor.Tensor, sizes ...int) error {
	if err := t.Resize(sizes...); err != nil {
		return fault.Under(s.at(i), err)
	}
	return nil
}
