package nn

import (
	"fmt"

	"github.com/ptero-rt/ptero/backends/cpu/arg"
	"github.com/ptero-rt/ptero/backends/cpu/dense"
	"github.com/ptero-rt/ptero/backends/cpu/site"
	"github.com/ptero-rt/ptero/backends/cpu/walk"
	"github.com/ptero-rt/ptero/executor"
)

var nearestSig = arg.Sign("aten::upsample_nearest2d.vec_out", "input output_size scale_factors out")

// resample is what all resampling operators know: planes in and out, and how far apart in the input two outputs lie.
type resample struct {
	x, y    *executor.Tensor
	in, out planes
	factor  [2]float64 // scale factors that the caller gave, 0 where the sizes decide
	align   bool
}

// pixels says whether the channels of a pixel lie together on both sides.
func (r *resample) pixels() bool { return r.in.sc == 1 && r.out.sc == 1 && r.in.c > 1 }

// settle reads input and out and settles the output's size.
func (p *resample) settle(r *arg.Reader, want [2]int) {
	p.x = image(r, 0, arg.Any)
	p.y = r.Like(r.Out(), p.x)
	switch {
	case r.Err != nil:
	case p.x.Rank() != 4:
		r.Bad(0, "4 dimensions", site.Sizes(p.x))
	case min(want[0], want[1]) < 1:
		r.Bad(1, "output sizes of at least 1", fmt.Sprint(want))
	}
	if resizePlanes(r, r.Out(), p.y, p.x, want); r.Err == nil {
		p.in, p.out = planesOf(p.x), planesOf(p.y)
	}
}

// vec reads output_size or scale_factors, of which exactly one is given.
func (p *resample) vec(r *arg.Reader, size, factors int) {
	if r.None(size) == r.None(factors) {
		r.Bad(size, "either output_size or scale_factors", "both or none")
	}
	p.factor = [2]float64{}
	if !r.None(size) {
		p.settle(r, pair(r, size, 1, limit, [2]int{}))
		return
	}
	x, f := r.Tensor(0), r.Doubles(factors)
	if r.Err == nil && (len(f) != 2 || x.Rank() != 4) {
		r.Bad(factors, "two factors for 4 dimensions", fmt.Sprintf("%d for %d", len(f), x.Rank()))
	}
	if r.Err != nil {
		return
	}
	var want [2]int
	for d := range 2 {
		n := float64(x.Sizes[2+d]) * f[d]
		if !(n >= 1 && n < limit) {
			r.Bad(factors, "factors that give sizes of at least 1", fmt.Sprint(f[d]))
			return
		}
		want[d], p.factor[d] = int(n), f[d]
	}
	p.settle(r, want)
}

// scale is the distance in the input between neighbouring outputs, in the type that PyTorch computes it in.
func scale[F float32 | float64](in, out int, factor float64, align bool) F {
	switch {
	case align && out > 1:
		return F(in-1) / F(out-1)
	case align:
		return 0
	case factor > 0:
		return F(1 / factor)
	}
	return F(in) / F(out)
}

func upsampleNearest2d() executor.Op {
	return site.Typed(nearestSig, arg.Any&^arg.Of(arg.C128), func(d executor.DType) site.Work {
		switch d.Size() {
		case 1:
			return &nearest[uint8]{}
		case 2:
			return &nearest[uint16]{}
		case 4:
			return &nearest[uint32]{}
		}
		return &nearest[uint64]{}
	})
}

// nearest copies the input element at floor(output position · scale).
type nearest[T uint8 | uint16 | uint32 | uint64] struct {
	resample
	from, to []T
	parts    int
}

func (n *nearest[T]) Plan(args []*executor.Value) error {
	r := nearestSig.Read(args)
	n.vec(&r, 1, 2)
	return r.Err
}

func (n *nearest[T]) Run(s *executor.Scope) error {
	n.from, n.to = executor.Slice[T](n.x), executor.Slice[T](n.y)
	work := n.out.count() * n.out.h * n.out.w
	if n.pixels() {
		n.parts = walk.Parts(work)
		dense.Run(s, n.parts, work, (*nearestPixels[T])(n))
	} else {
		dense.Run(s, n.out.count(), work, n)
	}
	return nil
}

// nearestPixels is nearest for whole pixels, whose channels lie together.
type nearestPixels[T uint8 | uint16 | uint32 | uint64] nearest[T]

// Do resamples some rows of the images.
func (n *nearestPixels[T]) Do(part int) {
	lo, hi := walk.Part(n.out.n*n.out.h, n.parts, part, 1)
	sy := scale[float32](n.in.h, n.out.h, n.factor[0], false)
	sx := scale[float32](n.in.w, n.out.w, n.factor[1], false)
	var from [cut]int
	for x := 0; x < n.out.w; x += cut {
		from := n.columns(&from, x, sx)
		last := -1
		for row := lo; row < hi; row++ {
			image, oy := row/n.out.h, row%n.out.h
			line := image*n.in.sn + nearestIndex(oy, n.in.h, n.out.h, sy)*n.in.sh
			at := image*n.out.sn + oy*n.out.sh + x*n.out.sw
			if line == last && n.out.sw == n.out.c {
				copy(n.to[at:at+len(from)*n.out.c], n.to[at-n.out.sh:])
			} else {
				n.line(n.from[line:], from, at)
			}
			last = line
		}
	}
}

// line copies the pixels of a line that start at the places from.
func (n *nearestPixels[T]) line(x []T, from []int, at int) {
	c := n.out.c
	for _, k := range from {
		dst, src := n.to[at:][:c], x[k:][:c]
		if c < 8 {
			for i, v := range src {
				dst[i] = v
			}
		} else {
			copy(dst, src)
		}
		at += n.out.sw
	}
}

// nearestIndex gives the input position of output o.
func nearestIndex(o, in, out int, scale float32) int {
	switch {
	case out == in:
		return o
	case out == 2*in:
		return o / 2
	}
	return min(int(float32(o)*scale), in-1)
}

// cut is how many columns are resampled together, whose places in the input are found once for all rows.
const cut = 64

// columns gives where the columns from x on are in a line of the input.
func (r *resample) columns(from *[cut]int, x int, sx float32) []int {
	list := from[:min(cut, r.out.w-x)]
	for j := range list {
		list[j] = nearestIndex(x+j, r.in.w, r.out.w, sx) * r.in.sw
	}
	return list
}

// Do resamples one plane.
func (n *nearest[T]) Do(plane int) {
	in, out := n.from[n.in.at(plane):], n.out.at(plane)
	sy := scale[float32](n.in.h, n.out.h, n.factor[0], false)
	sx := scale[float32](n.in.w, n.out.w, n.factor[1], false)
	var from [cut]int
	for x := 0; x < n.out.w; x += cut {
		from := n.columns(&from, x, sx)
		last := -1
		for oy := range n.out.h {
			line := nearestIndex(oy, n.in.h, n.out.h, sy) * n.in.sh
			at := out + oy*n.out.sh + x*n.out.sw
			switch {
			case n.out.sw == 1 && line == last:
				copy(n.to[at:at+len(from)], n.to[at-n.out.sh:])
			case n.out.sw == 1:
				src, dst := in[line:], n.to[at:][:len(from)]
				for j, k := range from {
					dst[j] = src[k]
				}
			default:
				for _, k := range from {
					n.to[at] = in[line+k]
					at += n.out.sw
				}
			}
			last = line
		}
	}
}
