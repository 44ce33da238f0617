package cpu

import (
	"fmt"

	"github.com/ptero-rt/ptero/backends/cpu/arg"
	"github.com/ptero-rt/ptero/executor"
)

// The functions below read what arguments of several families mean together, which goes beyond single values as package
// arg has them.

// inOut reads the input, argument 0, and the output of an operator that moves elements, both of one type.
func inOut(r *arg.Reader) (in, out *executor.Tensor) {
	in = r.Tensor(0)
	return in, r.Like(r.Out(), in)
}

// dimOf reads an operator's input, argument 0, its output, and the dimension at position i; the output gets the
// input's shape. Both types must be of the set.
func dimOf(sig *arg.Signature, args []*executor.Value, i int, types arg.Set) (in, out *executor.Tensor, dim int, err error) {
	r := sig.Read(args)
	in, out = r.Of(0, types), r.Of(r.Out(), types)
	if dim = r.Dim(i, in); r.Err == nil {
		r.Resize(r.Out(), out, in.Sizes...)
	}
	return in, out, dim, r.Err
}

// rankedDim reads a dimension of a tensor that must have one.
func rankedDim(r *arg.Reader, i int, t *executor.Tensor) int {
	if r.Err == nil && t.Rank() == 0 {
		r.Err = noDimension(r.Sig)
	}
	return r.Dim(i, t)
}

func noDimension(sig *arg.Signature) error { return sig.Bad(0, "at least one dimension", "rank 0") }

// sliceOf reads start, end and step at positions i to i+2 as Python does: clamped to size, negatives from the end.
func sliceOf(r *arg.Reader, i, size int) (start, length, step int) {
	n := int64(size)
	from, to, by := r.IntOr(i, 0), r.IntOr(i+1, n), r.Int(i+2)
	if by <= 0 {
		r.Bad(i+2, "a step > 0", fmt.Sprint(by))
		return 0, 0, 0
	}
	if from < 0 {
		from += n
	}
	if to < 0 {
		to += n
	}
	from = min(max(from, 0), n)
	to = min(max(to, from), n)
	by = min(by, n+1) // no more than one element then
	return int(from), int((to - from + by - 1) / by), int(by)
}

// indexIn reads an index of a dimension of the given size; negatives count from the end.
func indexIn(sig *arg.Signature, args []*executor.Value, i, size int) (int, error) {
	if v := args[i]; v.Kind() == executor.KindInt && uint64(v.Int()) < uint64(size) {
		return int(v.Int()), nil // as loops have it
	}
	x, err := sig.IntIn(args, i, -int64(size), int64(size)-1)
	if x < 0 {
		x += size
	}
	return x, err
}

// fitting reads a number that must be representable in d, as PyTorch wants of numbers that fill tensors.
func fitting(r *arg.Reader, i int, d executor.DType) arg.Scalar {
	s := r.Scalar(i)
	if r.Err == nil && !s.Fits(d) {
		r.Bad(i, "a number that fits "+d.String(), s.String())
	}
	return s
}

// viewSizes reads a shape with at most one -1 and wants it to have n elements.
func viewSizes(sig *arg.Signature, args []*executor.Value, i, n int, buf []int) ([]int, error) {
	size, err := sig.Ints(args, i, buf)
	if err != nil {
		return nil, err
	}
	if len(size) > arg.MaxRank {
		return nil, sig.Bad(i, "at most 16 sizes", "more")
	}
	open, product, most := -1, 1, max(n, 1)
	for d, s := range size {
		switch {
		case s == -1 && open < 0:
			open = d
		case s < 0:
			return nil, sig.Bad(i, "sizes ≥ 0, one of them -1 at most", arg.List(size))
		case s > 0 && most > 0 && product > most/s:
			product = most + 1 // too large, unless a zero follows
		default:
			product *= s
		}
		if s == 0 {
			product, most = 0, 0
		}
	}
	if open >= 0 {
		if product == 0 || n%product != 0 {
			return nil, sig.Bad(i, elementsText(n), arg.List(size))
		}
		size[open] = n / product
		product = n
	}
	if product != n {
		return nil, sig.Bad(i, elementsText(n), arg.List(size))
	}
	return size, nil
}

// elementsAt is how many elements a tensor has at most; 0 if the value is none.
func elementsAt(v *executor.Value) int {
	if t := v.Tensor(); t != nil {
		return t.Bound()
	}
	return 0
}

func elementsText(n int) string { return fmt.Sprintf("sizes of %d elements", n) }
