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
	in, out planes
	factor  [2]float64 // scale factors that the caller gave, 0 where the sizes decide
	align   bool
}

// pixels says whether the channels of a pixel lie together on both sides.
func (r *resample) pixels() bool { return r.in.sc == 1 && r.out.sc == 1 && r.in.c > 1 }

// settle checks input and out and settles the output's size: want, or the input's times the factors.
func (r *resample) settle(sig *arg.Signature, x, y *executor.Tensor, out int, want [2]int) error {
	if x.Rank() != 4 {
		return sig.Bad(0, "4 dimensions", site.Sizes(x))
	}
	if err := image(sig, 0, x); err != nil {
		return err
	}
	if y.DType != x.DType {
		return sig.Bad(out, x.DType.String(), y.DType.String())
	}
	for d := range 2 {
		if want[d] < 1 {
			return sig.Bad(1, "output sizes of at least 1", fmt.Sprint(want))
		}
	}
	if err := resizePlanes(sig, out, y, x, want[0], want[1]); err != nil {
		return err
	}
	r.in, r.out = planesOf(x), planesOf(y)
	return nil
}

// vec reads output_size or scale_factors, of which exactly one is given.
func (r *resample) vec(sig *arg.Signature, args []*executor.Value, size, factors, out int) error {
	x, err := sig.Tensor(args, 0)
	if err != nil {
		return err
	}
	y, err := sig.Tensor(args, out)
	if err != nil {
		return err
	}
	if args[size].IsNone() == args[factors].IsNone() {
		return sig.Bad(size, "either output_size or scale_factors", "both or none")
	}
	var want [2]int
	r.factor = [2]float64{}
	if !args[size].IsNone() {
		if want, err = pair(sig, args, size, 1, limit, want); err != nil {
			return err
		}
	} else {
		f := args[factors].Doubles()
		if len(f) != 2 || x.Rank() != 4 {
			return sig.Bad(factors, "two factors for 4 dimensions", fmt.Sprintf("%d for %d", len(f), x.Rank()))
		}
		for d := range 2 {
			n := float64(x.Sizes[2+d]) * f[d]
			if !(n >= 1 && n < limit) {
				return sig.Bad(factors, "factors that give sizes of at least 1", fmt.Sprint(f[d]))
			}
			want[d], r.factor[d] = int(n), f[d]
		}
	}
	return r.settle(sig, x, y, out, want)
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
	from, to *executor.Tensor
	x, y     []T
	parts    int
}

func (n *nearest[T]) Plan(args []*executor.Value) error {
	n.from, n.to = args[0].Tensor(), args[3].Tensor()
	return n.vec(nearestSig, args, 1, 2, 3)
}

func (n *nearest[T]) Run(s *executor.Scope) error {
	n.x, n.y = executor.Slice[T](n.from), executor.Slice[T](n.to)
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
				copy(n.y[at:at+len(from)*n.out.c], n.y[at-n.out.sh:])
			} else {
				n.line(n.x[line:], from, at)
			}
			last = line
		}
	}
}

// line copies the pixels of a line that start at the places from.
func (n *nearestPixels[T]) line(x []T, from []int, at int) {
	c := n.out.c
	for _, k := range from {
		dst, src := n.y[at:][:c], x[k:][:c]
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
	in, out := n.x[n.in.at(plane):], n.out.at(plane)
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
				copy(n.y[at:at+len(from)], n.y[at-n.out.sh:])
			case n.out.sw == 1:
				src, dst := in[line:], n.y[at:][:len(from)]
				for j, k := range from {
					dst[j] = src[k]
				}
			default:
				for _, k := range from {
					n.y[at] = in[line+k]
					at += n.out.sw
				}
			}
			last = line
		}
	}
}
