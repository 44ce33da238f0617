package nn

import (
	"fmt"

	"github.com/ptero-rt/ptero/backends/cpu/arg"
	"github.com/ptero-rt/ptero/backends/cpu/dense"
	"github.com/ptero-rt/ptero/backends/cpu/site"
	"github.com/ptero-rt/ptero/executor"
	"github.com/ptero-rt/ptero/memory"
)

var (
	shuffleSig   = arg.Sign("aten::pixel_shuffle.out", "self upscale_factor out")
	unshuffleSig = arg.Sign("aten::pixel_unshuffle.out", "self downscale_factor out")
)

func pixelShuffle() executor.Op   { return shuffleOf(shuffleSig, false) }
func pixelUnshuffle() executor.Op { return shuffleOf(unshuffleSig, true) }

func shuffleOf(sig *arg.Signature, back bool) executor.Op {
	return site.Operator(sig, func(args []*executor.Value) (site.Call, error) {
		x, err := sig.Tensor(args, 0)
		if err != nil {
			return nil, err
		}
		switch x.DType.Size() {
		case 1:
			return &shuffle[uint8]{sig: sig, back: back}, nil
		case 2:
			return &shuffle[uint16]{sig: sig, back: back}, nil
		case 4:
			return &shuffle[uint32]{sig: sig, back: back}, nil
		case 8:
			return &shuffle[uint64]{sig: sig, back: back}, nil
		case 16:
			return &shuffle[complex128]{sig: sig, back: back}, nil
		}
		return nil, sig.DType(0, x, arg.Any)
	})
}

// shuffle moves blocks of r·r channels into squares of r·r pixels, or back. deep is the tensor with many channels.
type shuffle[T executor.Element] struct {
	sig        *arg.Signature
	back       bool
	r          int
	deep, wide planes
	lead       [arg.MaxRank]int // leading dimensions, with their strides in both
	leads      int
	sd, sw     [arg.MaxRank]int
	x, y       []T
}

func (s *shuffle[T]) Needs() []memory.Need { return nil }

func (s *shuffle[T]) Plan(args []*executor.Value) error {
	x, err := s.sig.Tensor(args, 0)
	if err != nil {
		return err
	}
	y, err := s.sig.Tensor(args, 2)
	if err != nil {
		return err
	}
	if y.DType != x.DType {
		return s.sig.Bad(2, x.DType.String(), y.DType.String())
	}
	if s.r, err = s.sig.IntIn(args, 1, 1, 1<<15); err != nil {
		return err
	}
	rank := x.Rank()
	if rank < 3 || rank > arg.MaxRank {
		return s.sig.Bad(0, between(3, arg.MaxRank)+" dimensions", site.Sizes(x))
	}
	var shape [arg.MaxRank]int
	copy(shape[:], x.Sizes)
	c, h, w := &shape[rank-3], &shape[rank-2], &shape[rank-1]
	if s.back {
		if *h%s.r != 0 || *w%s.r != 0 {
			return s.sig.Bad(0, fmt.Sprintf("height and width divisible by %d", s.r), site.Sizes(x))
		}
		*c, *h, *w = *c*s.r*s.r, *h/s.r, *w/s.r
	} else {
		if *c%(s.r*s.r) != 0 {
			return s.sig.Bad(0, fmt.Sprintf("channels divisible by %d", s.r*s.r), site.Sizes(x))
		}
		*c, *h, *w = *c/(s.r*s.r), *h*s.r, *w*s.r
	}
	if err := s.sig.Resize(2, y, shape[:rank]...); err != nil {
		return err
	}
	deep, wide := x, y
	if s.back {
		deep, wide = y, x
	}
	s.deep, s.wide = tail(deep), tail(wide)
	s.leads = 1
	copy(s.lead[:], x.Sizes[:rank-3])
	for i := range rank - 3 {
		s.leads *= x.Sizes[i]
		s.sd[i], s.sw[i] = deep.Strides[i], wide.Strides[i]
	}
	return nil
}

// tail is planesOf for the last three dimensions of any rank.
func tail(t *executor.Tensor) planes {
	r := t.Rank()
	return planes{n: 1, c: t.Sizes[r-3], h: t.Sizes[r-2], w: t.Sizes[r-1], sc: t.Strides[r-3], sh: t.Strides[r-2], sw: t.Strides[r-1]}
}

func (s *shuffle[T]) Run(scope *executor.Scope, args []*executor.Value) error {
	x, y := args[0].Tensor(), args[2].Tensor()
	s.x, s.y = executor.Slice[T](x), executor.Slice[T](y)
	if y.NumElements() == 0 {
		return nil
	}
	dense.Run(scope, s.leads*s.deep.c, y.NumElements(), s)
	return nil
}

// Do moves one plane of the deep tensor.
func (s *shuffle[T]) Do(part int) {
	n, c := part/s.deep.c, part%s.deep.c
	d, w := c*s.deep.sc, 0
	for i := len(s.lead) - 1; i >= 0; i-- {
		if s.lead[i] == 0 {
			continue
		}
		d += n % s.lead[i] * s.sd[i]
		w += n % s.lead[i] * s.sw[i]
		n /= s.lead[i]
	}
	w += c/(s.r*s.r)*s.wide.sc + c/s.r%s.r*s.wide.sh + c%s.r*s.wide.sw
	for y := range s.deep.h {
		a, b := d+y*s.deep.sh, w+y*s.r*s.wide.sh
		for range s.deep.w {
			if s.back {
				s.y[a] = s.x[b]
			} else {
				s.y[b] = s.x[a]
			}
			a += s.deep.sw
			b += s.r * s.wide.sw
		}
	}
}
