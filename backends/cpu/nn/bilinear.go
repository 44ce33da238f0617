package nn

import (
	"fmt"
	"math"

	"github.com/ptero-rt/ptero/backends/cpu/arg"
	"github.com/ptero-rt/ptero/backends/cpu/dense"
	"github.com/ptero-rt/ptero/backends/cpu/fmath"
	"github.com/ptero-rt/ptero/backends/cpu/site"
	"github.com/ptero-rt/ptero/executor"
	"github.com/ptero-rt/ptero/memory"
)

var (
	bilinearSig   = arg.Sign("aten::upsample_bilinear2d.vec_out", "input output_size align_corners scale_factors out")
	bilinearAASig = arg.Sign("aten::_upsample_bilinear2d_aa.out", "input output_size align_corners scales_h scales_w out")
)

func upsampleBilinear2d() executor.Op {
	return bilinearOf(bilinearSig, false)
}

func upsampleBilinear2dAA() executor.Op {
	return bilinearOf(bilinearAASig, true)
}

func bilinearOf(sig *arg.Signature, smooth bool) executor.Op {
	return byType(sig, newBilinear[float32, float32](sig, smooth), newBilinear[float64, float64](sig, smooth),
		newBilinear[uint8, float32](sig, smooth), newBilinear[int8, float32](sig, smooth), newBilinear[int16, float32](sig, smooth),
		newBilinear[int32, float64](sig, smooth), newBilinear[int64, float64](sig, smooth))
}

func newBilinear[T dense.Real, F float32 | float64](sig *arg.Signature, smooth bool) func() site.Work {
	return func() site.Work { return &bilinear[T, F]{sig: sig, smooth: smooth} }
}

// bilinear weighs neighbours linearly, in type F; integers are rounded. smooth is the antialiased form, whose triangle
// widens with the reduction.
type bilinear[T dense.Real, F float32 | float64] struct {
	resample
	sig    *arg.Signature
	smooth bool
	whole  bool // elements are integers
	elems  widened[T]
	tent   tents[F]
}

func (b *bilinear[T, F]) Needs() []memory.Need {
	needs := b.elems.needs()
	if b.smooth {
		needs = site.Need(needs, "weights and lines", memory.Temp, b.tent.bytes())
	}
	return needs
}

func (b *bilinear[T, F]) Plan(args []*executor.Value) error {
	r := b.sig.Read(args)
	b.align = r.Bool(2)
	if b.smooth {
		b.settle(&r, pair(&r, 1, 1, limit, [2]int{}))
		for d := range 2 {
			if b.factor[d] = r.DoubleOr(3+d, 1); !(b.factor[d] >= 1.0/limit && b.factor[d] <= limit) {
				r.Bad(3+d, "a positive factor", fmt.Sprint(b.factor[d]))
			}
			if r.None(3 + d) {
				b.factor[d] = 0
			}
		}
	} else {
		b.vec(&r, 1, 3)
	}
	if r.Err != nil {
		return r.Err
	}
	b.whole = arg.Integers.Has(b.x.DType)
	b.elems.plan(b.x, b.y)
	if b.smooth {
		b.tent.plan(&b.resample, b.y.Dynamism != 0)
	}
	return nil
}

func (b *bilinear[T, F]) Run(s *executor.Scope) error {
	if err := b.elems.open(s); err != nil {
		return err
	}
	work := 8 * b.out.count() * b.out.h * b.out.w
	switch {
	case b.smooth:
		tmp, err := s.TempBytes(b.tent.bytes())
		if err != nil {
			return err
		}
		b.tent.temp = executor.SliceBytes[F](tmp)
		dense.Run(s, b.tent.parts, work, (*smooth[T, F])(b))
	case b.pixels() && b.in.c >= wide:
		dense.Run(s, b.out.n*b.out.h, work, (*bilinearPixels[T, F])(b))
	default:
		dense.Run(s, b.out.count(), work, b)
	}
	b.elems.close()
	return nil
}

// Do resamples one plane.
func (b *bilinear[T, F]) Do(plane int) {
	in, out := b.elems.x[b.in.at(plane):], b.out.at(plane)
	sy := scale[F](b.in.h, b.out.h, b.factor[0], b.align)
	sx := scale[F](b.in.w, b.out.w, b.factor[1], b.align)
	var columns [cut]column[F]
	for x := 0; x < b.out.w; x += cut {
		columns := columns[:min(cut, b.out.w-x)]
		for j := range columns {
			i, k, w := neighbours(x+j, b.in.w, b.out.w, sx, b.align)
			columns[j] = column[F]{i * b.in.sw, k * b.in.sw, 1 - w, w}
		}
		for oy := range b.out.h {
			i, k, w := neighbours(oy, b.in.h, b.out.h, sy, b.align)
			upper, lower, v := in[i*b.in.sh:], in[k*b.in.sh:], 1-w
			at := out + oy*b.out.sh + x*b.out.sw
			for j := range columns {
				c := &columns[j]
				u := F(c.v*F(upper[c.i])) + F(c.w*F(upper[c.j]))
				l := F(c.v*F(lower[c.i])) + F(c.w*F(lower[c.j]))
				b.elems.y[at] = rounded[T](F(v*u)+F(w*l), b.whole)
				at += b.out.sw
			}
		}
	}
}

// column is where an output's column lies between two of the input, and their weights.
type column[F float32 | float64] struct {
	i, j int
	v, w F
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
		blend(y, u0, u1, l0, l1, wx, wy, b.whole)
		at += b.out.sw
	}
}

// blend weighs four pixels: the two upper ones, then the two lower ones.
func blend[T dense.Real, F float32 | float64](y, u0, u1, l0, l1 []T, wx, wy F, whole bool) {
	if dst, ok := any(y).([]float32); ok {
		fmath.Blend(dst, any(u0).([]float32), any(u1).([]float32), any(l0).([]float32), any(l1).([]float32), float32(wx), float32(wy))
		return
	}
	vx, vy, n := 1-wx, 1-wy, len(y)
	u0, u1, l0, l1 = u0[:n], u1[:n], l0[:n], l1[:n]
	for k := range y {
		u := F(vx*F(u0[k])) + F(wx*F(u1[k]))
		l := F(vx*F(l0[k])) + F(wx*F(l1[k]))
		y[k] = rounded[T](F(vy*u)+F(wy*l), whole)
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

// rounded converts a result to the element type; those of whole types are rounded, half to even. The type is not asked
// for every element.
func rounded[T dense.Real, F float32 | float64](v F, whole bool) T {
	if whole {
		return T(math.RoundToEven(float64(v)))
	}
	return T(v)
}
