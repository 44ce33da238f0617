package nn

import (
	"fmt"
	"math"

	"github.com/ptero-rt/ptero/backends/cpu/arg"
	"github.com/ptero-rt/ptero/backends/cpu/dense"
	"github.com/ptero-rt/ptero/backends/cpu/site"
	"github.com/ptero-rt/ptero/executor"
	"github.com/ptero-rt/ptero/memory"
)

var (
	nearestSig    = arg.Sign("aten::upsample_nearest2d.vec_out", "input output_size scale_factors out")
	bilinearSig   = arg.Sign("aten::upsample_bilinear2d.vec_out", "input output_size align_corners scale_factors out")
	bilinearAASig = arg.Sign("aten::_upsample_bilinear2d_aa.out", "input output_size align_corners scales_h scales_w out")
)

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
	return site.Operator(nearestSig, func(args []*executor.Value) (site.Call, error) {
		x, err := nearestSig.Tensor(args, 0)
		if err != nil {
			return nil, err
		}
		switch x.DType.Size() {
		case 1:
			return &nearest[uint8]{}, nil
		case 2:
			return &nearest[uint16]{}, nil
		case 4:
			return &nearest[uint32]{}, nil
		case 8:
			return &nearest[uint64]{}, nil
		}
		return nil, nearestSig.DType(0, x, arg.RealBool)
	})
}

// nearest copies the input element at floor(output position · scale).
type nearest[T uint8 | uint16 | uint32 | uint64] struct {
	resample
	x, y []T
}

func (n *nearest[T]) Needs() []memory.Need { return nil }

func (n *nearest[T]) Plan(args []*executor.Value) error { return n.vec(nearestSig, args, 1, 2, 3) }

func (n *nearest[T]) Run(s *executor.Scope, args []*executor.Value) error {
	n.x, n.y = executor.Slice[T](args[0].Tensor()), executor.Slice[T](args[3].Tensor())
	work := n.out.count() * n.out.h * n.out.w
	if n.pixels() {
		dense.Run(s, n.out.n*n.out.h, work, (*nearestPixels[T])(n))
	} else {
		dense.Run(s, n.out.count(), work, n)
	}
	return nil
}

// nearestPixels is nearest for whole pixels, whose channels lie together.
type nearestPixels[T uint8 | uint16 | uint32 | uint64] nearest[T]

// Do resamples one row of one image.
func (n *nearestPixels[T]) Do(part int) {
	c, oy := n.out.c, part%n.out.h
	in, at := part/n.out.h*n.in.sn, part/n.out.h*n.out.sn+oy*n.out.sh
	sy := scale[float32](n.in.h, n.out.h, n.factor[0], false)
	sx := scale[float32](n.in.w, n.out.w, n.factor[1], false)
	line := in + nearestIndex(oy, n.in.h, n.out.h, sy)*n.in.sh
	for ox := range n.out.w {
		copy(n.y[at:at+c], n.x[line+nearestIndex(ox, n.in.w, n.out.w, sx)*n.in.sw:])
		at += n.out.sw
	}
}

// index gives the input position of output o.
func nearestIndex(o, in, out int, scale float32) int {
	switch {
	case out == in:
		return o
	case out == 2*in:
		return o / 2
	}
	return min(int(float32(o)*scale), in-1)
}

// Do resamples one plane.
func (n *nearest[T]) Do(plane int) {
	in, out := n.in.at(plane), n.out.at(plane)
	sy := scale[float32](n.in.h, n.out.h, n.factor[0], false)
	sx := scale[float32](n.in.w, n.out.w, n.factor[1], false)
	for oy := range n.out.h {
		line := in + nearestIndex(oy, n.in.h, n.out.h, sy)*n.in.sh
		at := out + oy*n.out.sh
		for ox := range n.out.w {
			n.y[at+ox*n.out.sw] = n.x[line+nearestIndex(ox, n.in.w, n.out.w, sx)*n.in.sw]
		}
	}
}

func upsampleBilinear2d() executor.Op {
	return site.Operator(bilinearSig, func(args []*executor.Value) (site.Call, error) {
		return openBilinear(bilinearSig, args, false)
	})
}

func upsampleBilinear2dAA() executor.Op {
	return site.Operator(bilinearAASig, func(args []*executor.Value) (site.Call, error) {
		return openBilinear(bilinearAASig, args, true)
	})
}

func openBilinear(sig *arg.Signature, args []*executor.Value, smooth bool) (site.Call, error) {
	x, err := sig.Tensor(args, 0)
	if err != nil {
		return nil, err
	}
	switch x.DType {
	case arg.F16, arg.BF16, arg.F32:
		return &bilinear[float32, float32]{sig: sig, smooth: smooth}, nil
	case arg.F64:
		return &bilinear[float64, float64]{sig: sig, smooth: smooth}, nil
	case arg.U8:
		return &bilinear[uint8, float32]{sig: sig, smooth: smooth}, nil
	case arg.I8:
		return &bilinear[int8, float32]{sig: sig, smooth: smooth}, nil
	case arg.I16:
		return &bilinear[int16, float32]{sig: sig, smooth: smooth}, nil
	case arg.I32:
		return &bilinear[int32, float64]{sig: sig, smooth: smooth}, nil
	case arg.I64:
		return &bilinear[int64, float64]{sig: sig, smooth: smooth}, nil
	}
	return nil, sig.DType(0, x, numbers)
}

// bilinear weighs neighbours linearly, in type F; integers are rounded. smooth is the antialiased form, whose triangle
// widens with the reduction.
type bilinear[T dense.Real, F float32 | float64] struct {
	resample
	sig    *arg.Signature
	smooth bool
	elems  widened[T]
	width  int
}

func (b *bilinear[T, F]) Needs() []memory.Need { return b.elems.needs(b.width) }

func (b *bilinear[T, F]) Plan(args []*executor.Value) error {
	if err := b.read(args); err != nil {
		return err
	}
	b.width = widthOf(args[0].Tensor(), args[b.sig.Out()].Tensor())
	return nil
}

func (b *bilinear[T, F]) read(args []*executor.Value) (err error) {
	if b.align, err = b.sig.Bool(args, 2); err != nil {
		return err
	}
	if !b.smooth {
		return b.vec(b.sig, args, 1, 3, 4)
	}
	x, err := b.sig.Tensor(args, 0)
	if err != nil {
		return err
	}
	y, err := b.sig.Tensor(args, 5)
	if err != nil {
		return err
	}
	want, err := pair(b.sig, args, 1, 1, limit, [2]int{})
	if err != nil {
		return err
	}
	for d := range 2 {
		b.factor[d] = 0
		if !args[3+d].IsNone() {
			f, err := b.sig.Double(args, 3+d)
			if err != nil {
				return err
			}
			if !(f >= 1.0/limit && f <= limit) {
				return b.sig.Bad(3+d, "a positive factor", fmt.Sprint(f))
			}
			b.factor[d] = f
		}
	}
	return b.settle(b.sig, x, y, 5, want)
}

func (b *bilinear[T, F]) Run(s *executor.Scope, args []*executor.Value) error {
	y := args[b.sig.Out()].Tensor()
	if err := b.elems.open(s, args[0].Tensor(), y); err != nil {
		return err
	}
	work := 8 * b.out.count() * b.out.h * b.out.w
	if b.pixels() && !b.smooth {
		dense.Run(s, b.out.n*b.out.h, work, (*bilinearPixels[T, F])(b))
	} else {
		dense.Run(s, b.out.count(), work, b)
	}
	b.elems.close(y)
	return nil
}

// Do resamples one plane.
func (b *bilinear[T, F]) Do(plane int) {
	in, out := b.elems.x[b.in.at(plane):], b.out.at(plane)
	sy := scale[F](b.in.h, b.out.h, b.factor[0], b.align)
	sx := scale[F](b.in.w, b.out.w, b.factor[1], b.align)
	for oy := range b.out.h {
		at := out + oy*b.out.sh
		if b.smooth {
			for ox := range b.out.w {
				b.elems.y[at] = rounded[T](triangle(in, &b.in, oy, ox, sy, sx))
				at += b.out.sw
			}
			continue
		}
		y0, y1, wy := neighbours(oy, b.in.h, b.out.h, sy, b.align)
		upper, lower := in[y0*b.in.sh:], in[y1*b.in.sh:]
		for ox := range b.out.w {
			x0, x1, wx := neighbours(ox, b.in.w, b.out.w, sx, b.align)
			x0, x1 = x0*b.in.sw, x1*b.in.sw
			v := (1-wy)*((1-wx)*F(upper[x0])+wx*F(upper[x1])) + wy*((1-wx)*F(lower[x0])+wx*F(lower[x1]))
			b.elems.y[at] = rounded[T](v)
			at += b.out.sw
		}
	}
}

// bilinearPixels is bilinear for whole pixels, whose channels lie together.
type bilinearPixels[T dense.Real, F float32 | float64] bilinear[T, F]

// Do resamples one row of one image.
func (b *bilinearPixels[T, F]) Do(part int) {
	c, oy := b.out.c, part%b.out.h
	in, at := b.elems.x[part/b.out.h*b.in.sn:], part/b.out.h*b.out.sn+oy*b.out.sh
	sy := scale[F](b.in.h, b.out.h, b.factor[0], b.align)
	sx := scale[F](b.in.w, b.out.w, b.factor[1], b.align)
	y0, y1, wy := neighbours(oy, b.in.h, b.out.h, sy, b.align)
	upper, lower := in[y0*b.in.sh:], in[y1*b.in.sh:]
	for ox := range b.out.w {
		x0, x1, wx := neighbours(ox, b.in.w, b.out.w, sx, b.align)
		x0, x1 = x0*b.in.sw, x1*b.in.sw
		y := b.elems.y[at:][:c]
		u0, u1, l0, l1 := upper[x0:][:c], upper[x1:][:c], lower[x0:][:c], lower[x1:][:c]
		for k := range y {
			v := (1-wy)*((1-wx)*F(u0[k])+wx*F(u1[k])) + wy*((1-wx)*F(l0[k])+wx*F(l1[k]))
			y[k] = rounded[T](v)
		}
		at += b.out.sw
	}
}

// neighbours gives the two input positions around output o and the weight of the second.
func neighbours[F float32 | float64](o, in, out int, scale F, align bool) (i, j int, w F) {
	if in == out {
		return o, o, 0
	}
	pos := scale * F(o)
	if !align {
		if pos = F(scale*(F(o)+0.5)) - 0.5; pos < 0 {
			pos = 0
		}
	}
	i = min(int(pos), in-1)
	if w = pos - F(i); w > 1 {
		w = 1
	}
	return i, min(i+1, in-1), w
}

// reach gives the input positions that the triangle around output o covers, its centre and 1/width.
func reach[F float32 | float64](o, n int, scale F) (lo, hi int, centre, inverse F) {
	support := max(scale, 1)
	centre = scale * (F(o) + 0.5)
	return max(int(centre-support+0.5), 0), min(int(centre+support+0.5), n), centre, 1 / support
}

func triangle[T dense.Real, F float32 | float64](in []T, p *planes, oy, ox int, sy, sx F) F {
	y0, y1, cy, iy := reach(oy, p.h, sy)
	x0, x1, cx, ix := reach(ox, p.w, sx)
	var sum, wsum, xsum F
	for y := y0; y < y1; y++ {
		wy := weight((F(y) - cy + 0.5) * iy)
		var line, wline F
		for x := x0; x < x1; x++ {
			w := weight((F(x) - cx + 0.5) * ix)
			line += w * F(in[y*p.sh+x*p.sw])
			wline += w
		}
		sum += wy * line
		wsum += wy
		xsum = wline
	}
	if wsum == 0 || xsum == 0 {
		return sum
	}
	return sum / (wsum * xsum)
}

// weight is the triangle's height at x.
func weight[F float32 | float64](x F) F {
	if x < 0 {
		x = -x
	}
	if x >= 1 {
		return 0
	}
	return 1 - x
}

// rounded converts a result to the element type; integers round half to even.
func rounded[T dense.Real, F float32 | float64](v F) T {
	var z T
	switch any(z).(type) {
	case float32, float64:
		return T(v)
	}
	return T(math.RoundToEven(float64(v)))
}
