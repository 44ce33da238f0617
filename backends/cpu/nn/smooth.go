package nn

import (
	"github.com/ptero-rt/ptero/backends/cpu/dense"
	"github.com/ptero-rt/ptero/backends/cpu/fmath"
	"github.com/ptero-rt/ptero/backends/cpu/walk"
)

// tents are the triangles of antialiased resampling and what it needs room for: how many rows and columns of the input
// the widest covers, and the parts that the planes are cut into, each with its own lines and weights.
type tents[F float32 | float64] struct {
	rows, columns int
	parts         int
	temp          []F
}

// plan reckons with every smaller output where its shape may change.
func (t *tents[F]) plan(r *resample, dynamic bool) {
	widest := func(d, in, out int) int {
		width := 2 * max(scale[F](in, out, r.factor[d], r.align), 1)
		if dynamic && r.factor[d] == 0 || width >= F(in) {
			return in
		}
		return min(in, int(width)+2)
	}
	t.rows, t.columns = widest(0, r.in.h, r.out.h), widest(1, r.in.w, r.out.w)
	t.parts = min(r.out.count(), walk.Parts(8*r.out.count()*r.out.h*r.out.w))
}

// room is the elements of one part: a line of sums, a ring of lines, the weights of a cut of columns.
func (t *tents[F]) room() int { return cut * (1 + t.rows + t.columns) }

func (t *tents[F]) bytes() int { return t.parts * t.room() * sizeOf[F]() }

// smooth is bilinear in its antialiased form: each line of the input is resampled once, and an output is made of lines.
type smooth[T dense.Real, F float32 | float64] bilinear[T, F]

// Do resamples the planes of one part.
func (b *smooth[T, F]) Do(part int) {
	if b.out.w <= narrow {
		b.few(part)
	} else {
		b.many(part)
	}
}

// narrow is up to how many columns less of the stack is cleared.
const narrow = 8

//go:noinline
func (b *smooth[T, F]) few(part int) {
	var tents [narrow]tent[F]
	var totals [narrow]F
	b.planes(part, tents[:], totals[:])
}

//go:noinline
func (b *smooth[T, F]) many(part int) {
	var tents [cut]tent[F]
	var totals [cut]F
	b.planes(part, tents[:], totals[:])
}

// planes resamples the planes of one part, as many columns at a time as there is room for tents.
func (b *smooth[T, F]) planes(part int, tents []tent[F], totals []F) {
	lo, hi := walk.Part(b.out.count(), b.tent.parts, part, 1)
	room := b.tent.temp[part*b.tent.room():][:b.tent.room()]
	sums, lines, weights := room[:cut], room[cut:][:cut*b.tent.rows], room[cut*(1+b.tent.rows):]
	sy := scale[F](b.in.h, b.out.h, b.factor[0], b.align)
	sx := scale[F](b.in.w, b.out.w, b.factor[1], b.align)
	for x := 0; x < b.out.w; x += len(tents) {
		n := min(len(tents), b.out.w-x)
		for j := range n {
			t := tentAt(x+j, b.in.w, b.out.w, sx)
			tents[j], totals[j] = t, 0
			w := weights[j*b.tent.columns:]
			for k := range max(t.hi-t.lo, 0) {
				w[k] = t.weight(t.lo + k)
				totals[j] += w[k]
			}
		}
		for plane := lo; plane < hi; plane++ {
			b.columns(plane, x, sy, tents[:n], totals[:n], sums[:n], lines, weights)
		}
	}
}

// columns resamples the columns of a plane that tents stand for, from x on.
func (b *smooth[T, F]) columns(plane, x int, sy F, tents []tent[F], totals, sums, lines, weights []F) {
	in, at := b.elems.x[b.in.at(plane):], b.out.at(plane)+x*b.out.sw
	ready := 0 // lines before this one have been resampled
	for oy := range b.out.h {
		t := tentAt(oy, b.in.h, b.out.h, sy)
		for y := max(ready, t.lo); y < t.hi; y++ {
			line, from := lines[y%b.tent.rows*cut:][:len(tents)], in[y*b.in.sh:]
			for j := range tents {
				line[j] = tentSum(from, &tents[j], weights[j*b.tent.columns:], b.in.sw)
			}
			ready = y + 1
		}
		clear(sums)
		var total F
		for y := t.lo; y < t.hi; y++ {
			w := t.weight(y)
			addScaled(sums, lines[y%b.tent.rows*cut:][:len(sums)], w)
			total += w
		}
		to := at + oy*b.out.sh
		for j, v := range sums {
			if d := F(total * totals[j]); d != 0 {
				v /= d
			}
			b.elems.y[to] = rounded[T](v, b.whole)
			to += b.out.sw
		}
	}
}

// tentSum is the weighted sum of the elements under a tent.
func tentSum[T dense.Real, F float32 | float64](line []T, t *tent[F], w []F, step int) F {
	var sum F
	at := t.lo * step
	for _, w := range w[:max(t.hi-t.lo, 0)] {
		sum += F(w * F(line[at]))
		at += step
	}
	return sum
}

func addScaled[F float32 | float64](sum, x []F, w F) {
	if s, ok := any(sum).([]float32); ok && len(s) > narrow {
		fmath.AddScaled(s, s, any(x).([]float32), float32(w))
		return
	}
	for j, v := range x {
		sum[j] += F(w * v)
	}
}

// tent is the triangle around an output: the elements that it covers, its centre and 1 over its half width.
type tent[F float32 | float64] struct {
	lo, hi          int
	centre, inverse F
}

// tentAt is the tent of output o. Along a dimension that keeps its size it covers one element, whatever its neighbours hold.
func tentAt[F float32 | float64](o, n, outs int, scale F) tent[F] {
	if n == outs {
		return tent[F]{o, o + 1, F(o) + 0.5, 1}
	}
	support := max(scale, 1)
	centre := F(scale * (F(o) + 0.5))
	return tent[F]{max(int(centre-support+0.5), 0), min(int(centre+support+0.5), n), centre, 1 / support}
}

// weight is the height above element i.
func (t *tent[F]) weight(i int) F {
	x := F((F(i) - t.centre + 0.5) * t.inverse)
	if x < 0 {
		x = -x
	}
	return max(1-x, 0)
}
