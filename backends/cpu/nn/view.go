package nn

import (
	"slices"

	"github.com/ptero-rt/ptero/backends/cpu/arg"
	"github.com/ptero-rt/ptero/backends/cpu/dense"
	"github.com/ptero-rt/ptero/backends/cpu/site"
	"github.com/ptero-rt/ptero/executor"
)

// view gives a tensor's elements as T, the type that they are computed in.
func view[T dense.Number](t *executor.Tensor) dense.View[T] {
	switch t.DType {
	case arg.F16:
		return dense.View[T]{Half: executor.Slice[uint16](t), Format: dense.IEEE}
	case arg.BF16:
		return dense.View[T]{Half: executor.Slice[uint16](t), Format: dense.Brain}
	}
	return dense.View[T]{Same: executor.Slice[T](t)}
}

// planes is where the elements of an image tensor lie: (N) C H W, three dimensions or four.
type planes struct {
	n, c, h, w     int
	sn, sc, sh, sw int
}

func planesOf(t *executor.Tensor) planes {
	r := t.Rank()
	p := planes{n: 1, c: t.Sizes[r-3], h: t.Sizes[r-2], w: t.Sizes[r-1], sc: t.Strides[r-3], sh: t.Strides[r-2], sw: t.Strides[r-1]}
	if r == 4 {
		p.n, p.sn = t.Sizes[0], t.Strides[0]
	}
	return p
}

// at is the first element of plane i, of n·c.
func (p *planes) at(i int) int {
	if i < p.c { // of the first image: nothing to divide
		return i * p.sc
	}
	return i/p.c*p.sn + i%p.c*p.sc
}

func (p *planes) count() int { return p.n * p.c }

// image reads a tensor of rank 3 or 4 whose planes are not empty, of one of the types.
func image(r *arg.Reader, i int, types arg.Set) *executor.Tensor {
	t := r.Of(i, types)
	switch {
	case r.Err != nil:
	case t.Rank() != 3 && t.Rank() != 4:
		r.Bad(i, "3 or 4 dimensions", site.Sizes(t))
	case slices.Contains(t.Sizes[t.Rank()-3:], 0):
		r.Bad(i, "channels, height and width of at least 1", site.Sizes(t))
	}
	return t
}

// resizePlanes gives out, argument i, the sizes of in with another height and width.
func resizePlanes(r *arg.Reader, i int, out, in *executor.Tensor, size [2]int) {
	switch {
	case r.Err != nil:
	case in.Rank() == 3:
		r.Resize(i, out, in.Sizes[0], size[0], size[1])
	default:
		r.Resize(i, out, in.Sizes[0], in.Sizes[1], size[0], size[1])
	}
}

// pair reads an int list of one or two entries (height, width) that lie in [lo, hi]; an empty list gives absent.
func pair(r *arg.Reader, i int, lo, hi int, absent [2]int) [2]int {
	var room [2]int
	list := r.Ints(i, room[:0])
	var p [2]int
	switch len(list) {
	case 0:
		return absent
	case 1:
		p = [2]int{list[0], list[0]}
	case 2:
		p = [2]int{list[0], list[1]}
	default:
		r.Bad(i, "one or two numbers", number(len(list)))
		return absent
	}
	for _, x := range p {
		if x < lo || x > hi {
			r.Bad(i, between(lo, hi), number(x))
		}
	}
	return p
}
