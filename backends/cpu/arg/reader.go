package arg

import (
	"fmt"

	"github.com/ptero-rt/ptero/executor"
)

// Reader reads several arguments of one call, one after the other, and keeps the first error: after it everything is read
// as zero or nil, and further errors are dropped. So errors are looked at once, before anything read is looked into:
//
//	r := sig.Read(args)
//	self := r.Of(0, arg.Floats)
//	index, out := r.Of(2, arg.Of(arg.I64)), r.Like(3, self)
//	sorted := r.Bool(1)
//	if r.Err != nil {
//		return r.Err
//	}
type Reader struct {
	Sig *Signature
	Err error

	args []*executor.Value
}

// Read begins to read the arguments of a call.
func (s *Signature) Read(args []*executor.Value) Reader { return Reader{Sig: s, args: args} }

// got reads one value as a Signature does.
func got[T any](r *Reader, i int, read func(*Signature, []*executor.Value, int) (T, error)) (x T) {
	if r.Err == nil {
		x, r.Err = read(r.Sig, r.args, i)
	}
	return x
}

// Tensor reads a required tensor.
func (r *Reader) Tensor(i int) *executor.Tensor {
	if t := r.args[i].Tensor(); t != nil && r.Err == nil {
		return t // as calls have it
	}
	return got(r, i, (*Signature).Tensor)
}

// Of reads a required tensor whose type is of the set.
func (r *Reader) Of(i int, types Set) *executor.Tensor {
	t := r.Tensor(i)
	if r.Err == nil {
		r.Err = r.Sig.DType(i, t, types)
	}
	return t
}

// Like reads a required tensor of another's type.
func (r *Reader) Like(i int, other *executor.Tensor) *executor.Tensor {
	t := r.Tensor(i)
	if r.Err == nil && t.DType != other.DType {
		r.Err = r.Sig.Bad(i, other.DType.String(), t.DType.String())
	}
	return t
}

// Rank wants the tensor at i, if one was read, to have so many dimensions.
func (r *Reader) Rank(i int, t *executor.Tensor, rank int) {
	if r.Err == nil && t != nil && t.Rank() != rank {
		r.Err = r.Sig.Bad(i, fmt.Sprintf("%d dimensions", rank), "sizes "+List(t.Sizes))
	}
}

// Apart wants the tensors at i and k, if they were read, to be two: operators that move elements would write what they have
// yet to read. PyTorch's exporter gives each result a tensor of its own, and its operators in place have names of their own.
func (r *Reader) Apart(i, k int) {
	if t := r.args[i].Tensor(); r.Err == nil && t != nil && t == r.args[k].Tensor() {
		r.Err = r.Sig.Bad(i, "a tensor that is not "+r.Sig.Names[k], "the same")
	}
}

// Packed wants the tensor at i, if one was read, to lie in row-major order.
func (r *Reader) Packed(i int, t *executor.Tensor) {
	if r.Err == nil && t != nil && !t.IsContiguous() {
		r.Err = r.Sig.Bad(i, "row-major order", fmt.Sprint("dim order ", append([]uint8{}, t.DimOrder...)))
	}
}

// Optional reads a tensor that may be absent: nil then.
func (r *Reader) Optional(i int) *executor.Tensor { return got(r, i, (*Signature).Optional) }

// Tensors reads a list of tensors, all there.
func (r *Reader) Tensors(i int) []*executor.Value { return got(r, i, (*Signature).Tensors) }

// Int reads an integer.
func (r *Reader) Int(i int) int64 { return got(r, i, (*Signature).Int) }

// IntOr reads an integer that may be absent.
func (r *Reader) IntOr(i int, absent int64) int64 {
	if r.None(i) {
		return absent
	}
	return r.Int(i)
}

// Bool reads a bool.
func (r *Reader) Bool(i int) bool { return got(r, i, (*Signature).Bool) }

// BoolOr reads a bool that may be absent.
func (r *Reader) BoolOr(i int, absent bool) bool {
	if r.None(i) {
		return absent
	}
	return r.Bool(i)
}

// Double reads a floating number; an int is converted.
func (r *Reader) Double(i int) float64 { return got(r, i, (*Signature).Double) }

// DoubleOr reads a floating number that may be absent.
func (r *Reader) DoubleOr(i int, absent float64) float64 {
	if r.None(i) {
		return absent
	}
	return r.Double(i)
}

// Doubles reads a list of floating numbers; it is empty if there is none.
func (r *Reader) Doubles(i int) []float64 { return r.args[i].Doubles() }

// Text reads a string that may be absent.
func (r *Reader) Text(i int, absent string) (s string) {
	if r.Err == nil {
		s, r.Err = r.Sig.Text(r.args, i, absent)
	}
	return s
}

// Scalar reads a number with its tag.
func (r *Reader) Scalar(i int) (x Scalar) {
	if r.Err == nil {
		x, r.Err = r.Sig.Scalar(r.args, i)
	}
	return x
}

// IntIn reads an integer that must lie in [lo, hi].
func (r *Reader) IntIn(i int, lo, hi int64) (x int) {
	if r.Err == nil {
		x, r.Err = r.Sig.IntIn(r.args, i, lo, hi)
	}
	return x
}

// Dim reads a dimension of a tensor and makes it non-negative; rank 0 counts as rank 1.
func (r *Reader) Dim(i int, of *executor.Tensor) (d int) {
	if r.Err == nil {
		d, r.Err = r.Sig.Dim(r.args, i, of.Rank())
	}
	return d
}

// DimSet reads a list of a tensor's dimensions as Signature.DimSet does.
func (r *Reader) DimSet(i int, of *executor.Tensor) (m Dims) {
	if r.Err == nil {
		m, r.Err = r.Sig.DimSet(r.args, i, of.Rank())
	}
	return m
}

// Ints reads a list of ints into buf[:0]; an absent list gives nil.
func (r *Reader) Ints(i int, buf []int) (list []int) {
	if r.Err == nil {
		list, r.Err = r.Sig.Ints(r.args, i, buf)
	}
	return list
}

// Out is the position of the last argument.
func (r *Reader) Out() int { return r.Sig.Out() }

// None says whether an argument is absent.
func (r *Reader) None(i int) bool { return r.args[i].IsNone() }

// Bad keeps an InvalidArgument error about argument i; want and found complete "want …, found …".
func (r *Reader) Bad(i int, want, found string) {
	if r.Err == nil {
		r.Err = r.Sig.Bad(i, want, found)
	}
}

// Resize gives the tensor at i a new shape, or keeps why it cannot have it.
func (r *Reader) Resize(i int, t *executor.Tensor, sizes ...int) {
	if r.Err == nil {
		r.Err = r.Sig.Resize(i, t, sizes...)
	}
}
