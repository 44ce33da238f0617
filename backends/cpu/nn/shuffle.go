package nn

import (
	"fmt"

	"github.com/ptero-rt/ptero/backends/cpu/arg"
	"github.com/ptero-rt/ptero/backends/cpu/dense"
	"github.com/ptero-rt/ptero/backends/cpu/site"
	"github.com/ptero-rt/ptero/backends/cpu/walk"
	"github.com/ptero-rt/ptero/executor"
)

var (
	shuffleSig   = arg.Sign("aten::pixel_shuffle.out", "self upscale_factor out")
	unshuffleSig = arg.Sign("aten::pixel_unshuffle.out", "self downscale_factor out")
)

func pixelShuffle() executor.Op   { return shuffleOf(shuffleSig, false) }
func pixelUnshuffle() executor.Op { return shuffleOf(unshuffleSig, true) }

func shuffleOf(sig *arg.Signature, back bool) executor.Op {
	return site.Planned(sig, func() site.Work { return &shuffle{sig: sig, back: back} })
}

// shuffle moves blocks of r·r channels into squares of r·r pixels, or back: both are a copy between two views of the same
// dimensions, one of the tensor that is deep (many channels) and one of the tensor that is wide.
type shuffle struct {
	sig   *arg.Signature
	back  bool
	path  walk.Path
	parts int
	x, y  *executor.Tensor
}

func (s *shuffle) Plan(args []*executor.Value) error {
	read := s.sig.Read(args)
	x := read.Of(0, arg.Any)
	y, r := read.Like(2, x), read.IntIn(1, 1, 1<<15)
	if read.Err != nil {
		return read.Err
	}
	rank := x.Rank()
	if rank < 3 || rank > arg.MaxRank {
		return s.sig.Bad(0, between(3, arg.MaxRank)+" dimensions", site.Sizes(x))
	}
	var shape [arg.MaxRank]int
	copy(shape[:], x.Sizes)
	c, h, w := &shape[rank-3], &shape[rank-2], &shape[rank-1]
	if s.back {
		if *h%r != 0 || *w%r != 0 {
			return s.sig.Bad(0, fmt.Sprintf("height and width divisible by %d", r), site.Sizes(x))
		}
		*c, *h, *w = *c*r*r, *h/r, *w/r
	} else {
		if *c%(r*r) != 0 {
			return s.sig.Bad(0, fmt.Sprintf("channels divisible by %d", r*r), site.Sizes(x))
		}
		*c, *h, *w = *c/(r*r), *h*r, *w*r
	}
	if err := s.sig.Resize(2, y, shape[:rank]...); err != nil {
		return err
	}
	s.x, s.y, s.parts = x, y, walk.Parts(y.NumElements())
	if s.back {
		return s.lay(y, x, r)
	}
	return s.lay(x, y, r)
}

// lay lays the path from one tensor to the other, in either direction.
func (s *shuffle) lay(deep, wide *executor.Tensor, r int) error {
	var d, w walk.View
	rank := deep.Rank()
	full := false
	dim := func(n, deep, wide int) {
		switch {
		case n == 1:
		case d.Rank == arg.MaxRank:
			full = true
		default:
			d.Size[d.Rank], d.Stride[d.Rank] = n, deep
			w.Size[d.Rank], w.Stride[d.Rank] = n, wide
			d.Rank++
			w.Rank++
		}
	}
	for i, n := range deep.Sizes[:rank-3] {
		dim(n, deep.Strides[i], wide.Strides[i])
	}
	from, to := tail(deep), tail(wide)
	dim(to.c, r*r*from.sc, to.sc)
	dim(r, r*from.sc, to.sh)
	dim(r, from.sc, to.sw)
	dim(from.h, from.sh, r*to.sh)
	dim(from.w, from.sw, r*to.sw)
	if full {
		return s.sig.Bad(0, fmt.Sprintf("at most %d dimensions other than 1", arg.MaxRank-2), site.Sizes(s.x))
	}
	if s.back {
		s.path.Lay(&d, &w, deep.DType.Size())
	} else {
		s.path.Lay(&w, &d, deep.DType.Size())
	}
	return nil
}

// tail is planesOf for the last three dimensions of any rank.
func tail(t *executor.Tensor) planes {
	r := t.Rank()
	return planes{n: 1, c: t.Sizes[r-3], h: t.Sizes[r-2], w: t.Sizes[r-1], sc: t.Strides[r-3], sh: t.Strides[r-2], sw: t.Strides[r-1]}
}

func (s *shuffle) Run(scope *executor.Scope) error {
	if s.y.NumElements() == 0 {
		return nil
	}
	dense.Run(scope, s.parts, s.y.NumElements(), s)
	return nil
}

// Do moves one part of the elements.
func (s *shuffle) Do(part int) {
	s.path.Move(s.y.Data, s.x.Data, s.parts, part)
}
