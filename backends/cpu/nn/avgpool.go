package nn

import (
	"github.com/ptero-rt/ptero/backends/cpu/arg"
	"github.com/ptero-rt/ptero/backends/cpu/dense"
	"github.com/ptero-rt/ptero/backends/cpu/fmath"
	"github.com/ptero-rt/ptero/backends/cpu/site"
	"github.com/ptero-rt/ptero/backends/cpu/walk"
	"github.com/ptero-rt/ptero/executor"
	"github.com/ptero-rt/ptero/memory"
)

var (
	avgPoolSig      = arg.Sign("aten::avg_pool2d.out", "self kernel_size stride padding ceil_mode count_include_pad divisor_override out")
	adaptivePoolSig = arg.Sign("aten::_adaptive_avg_pool2d.out", "self output_size out")
	avgTypes        = arg.Floats | arg.Of(arg.I64)
)

func avgPool2d() executor.Op {
	return avgPoolOf(avgPoolSig, false)
}

func adaptiveAvgPool2d() executor.Op {
	return avgPoolOf(adaptivePoolSig, true)
}

func avgPoolOf(sig *arg.Signature, adaptive bool) executor.Op {
	m := mean{sig: sig, adaptive: adaptive}
	return site.Typed(sig, avgTypes, func(d executor.DType) site.Work {
		switch d {
		case arg.F64:
			return &avgPool[float64, float64]{mean: m}
		case arg.I64:
			return &avgPool[int64, int64]{mean: m}
		}
		return &avgPool[float32, float64]{mean: m}
	})
}

// mean is what average pooling knows before types: which elements each output averages, and over how many.
type mean struct {
	sig        *arg.Signature
	in, out    planes
	rows, cols []stretch // that each output averages
	few        bool      // elements in all windows of a plane
	adaptive   bool
	win        window
	includePad bool
	divisor    int // 0: the count
}

// readWindows reads the windows of avg_pool2d and gives the output's height and width.
func (m *mean) readWindows(r *arg.Reader, x *executor.Tensor) [2]int {
	m.win.read(r, 1, -1, 4)
	m.includePad = r.Bool(5)
	m.divisor = 0
	if !r.None(6) {
		if m.divisor = r.IntIn(6, -limit, limit); m.divisor == 0 {
			r.Bad(6, "anything but 0", "0")
		}
	}
	return m.win.outs(r, 0, x)
}

// readSize reads the output's height and width, from which the windows follow.
func (m *mean) readSize(r *arg.Reader) [2]int {
	out := pair(r, 1, 0, limit, [2]int{-1, -1})
	if out[0] < 0 {
		r.Bad(1, "two numbers", "none")
	}
	return out
}

// smallPlane is up to how many elements a plane has whose lines are too little to add up, unless windows overlap a lot.
const smallPlane = 256

// stretch is the rows or columns that an output averages, and how many its window counts with padding.
type stretch struct{ lo, hi, counted int }

func (m *mean) lay(x, y *executor.Tensor) {
	m.in, m.out = planesOf(x), planesOf(y)
	var h, w int
	m.rows, h = m.stretches(m.rows, 0, m.in.h, m.out.h)
	m.cols, w = m.stretches(m.cols, 1, m.in.w, m.out.w)
	m.few = m.in.h*m.in.w <= smallPlane && h*w <= 3*m.in.h*m.in.w
}

// stretches gives those of all outputs in dimension d, and their length together.
func (m *mean) stretches(list []stretch, d, n, outs int) ([]stretch, int) {
	list, length := list[:0], 0
	for o := range outs {
		s := m.span(d, o, n, outs)
		list = append(list, s)
		length += max(s.hi-s.lo, 0)
	}
	return list, length
}

// span is the stretch of output o in dimension d.
func (m *mean) span(d, o, n, outs int) stretch {
	if m.adaptive {
		lo, hi := o*n/outs, ((o+1)*n+outs-1)/outs
		return stretch{lo, hi, hi - lo}
	}
	lo := o*m.win.stride[d] - m.win.pad[d]
	hi := min(lo+m.win.kernel[d], n+m.win.pad[d])
	return stretch{max(lo, 0), min(hi, n), hi - lo}
}

// over is what the sum of a window is divided by.
func (m *mean) over(row, col *stretch) int {
	switch {
	case m.divisor != 0:
		return m.divisor
	case m.adaptive || m.includePad:
		return max(row.counted*col.counted, 1)
	}
	return max(row.hi-row.lo, 1) * max(col.hi-col.lo, 1)
}

// avgPool averages windows of planes, which it sums in type A; integers divide towards zero.
type avgPool[T int64 | float32 | float64, A int64 | float64] struct {
	mean
	elems widened[T]
	parts int // that the planes are cut into
}

func (p *avgPool[T, A]) Needs() []memory.Need { return p.elems.needs() }

func (p *avgPool[T, A]) Plan(args []*executor.Value) error {
	r := p.sig.Read(args)
	x := image(&r, 0, avgTypes)
	y := r.Like(p.sig.Out(), x)
	if p.adaptive {
		resizePlanes(&r, p.sig.Out(), y, x, p.readSize(&r))
	} else {
		resizePlanes(&r, p.sig.Out(), y, x, p.readWindows(&r, x))
	}
	if r.Err != nil {
		return r.Err
	}
	p.lay(x, y)
	p.elems.plan(x, y)
	return nil
}

func (p *avgPool[T, A]) Run(s *executor.Scope) error {
	if len(p.rows) == 0 || len(p.cols) == 0 {
		return nil
	}
	if err := p.elems.open(s); err != nil {
		return err
	}
	work := p.out.count() * max(p.in.h*p.in.w, p.out.h*p.out.w)
	if !p.adaptive {
		work = p.out.count() * p.out.h * p.out.w * p.win.kernel[0] * p.win.kernel[1]
	}
	if p.in.sc == 1 && p.out.sc == 1 && p.in.c >= wide {
		dense.Run(s, p.out.n*p.out.h*p.blocks(), work, (*avgPixels[T, A])(p))
	} else {
		p.parts = min(p.out.count(), walk.Parts(work))
		dense.Run(s, p.parts, work, p)
	}
	p.elems.close()
	return nil
}

// wide is from how many channels or elements together sums pay that are done in vectors.
const wide = 16

// Do averages the planes of one part.
func (p *avgPool[T, A]) Do(part int) {
	lo, hi := walk.Part(p.out.count(), p.parts, part, 1)
	first := &p.cols[0]
	average := p.lines
	switch {
	case p.in.sw != 1 || p.out.w == 1 && first.hi-first.lo == p.in.sh:
		average = p.windows
	case p.few:
		average = p.small
	}
	for plane := lo; plane < hi; plane++ {
		average(plane)
	}
}

// windows averages the windows of a plane one by one.
func (p *avgPool[T, A]) windows(plane int) {
	in, out := p.elems.x[p.in.at(plane):], p.out.at(plane)
	for oy := range p.rows {
		row, at := &p.rows[oy], out+oy*p.out.sh
		for ox := range p.cols {
			col := &p.cols[ox]
			p.elems.y[at] = T(windowSum[T, A](in, &p.in, row, col) / A(p.over(row, col)))
			at += p.out.sw
		}
	}
}

// small does so in the order of lines: the sums are the same.
func (p *avgPool[T, A]) small(plane int) {
	in, out, sh := p.elems.x[p.in.at(plane):], p.out.at(plane), p.in.sh
	for oy := range p.rows {
		row, at := &p.rows[oy], out+oy*p.out.sh
		for ox := range p.cols {
			col := &p.cols[ox]
			var sum A
			for x := col.lo; x < col.hi; x++ {
				var column A
				for i := row.lo*sh + x; i < row.hi*sh; i += sh {
					column += A(in[i])
				}
				sum += column
			}
			p.elems.y[at] = T(sum / A(p.over(row, col)))
			at += p.out.sw
		}
	}
}

// lines averages a plane's windows many at a time: lines of the input are added up for each line of the output, then the
// columns of each window.
func (p *avgPool[T, A]) lines(plane int) {
	in, out := p.elems.x[p.in.at(plane):], p.out.at(plane)
	var room [averageRoom]A
	for x := 0; x < p.out.w; {
		n, base, span := p.together(x)
		for oy := range p.rows {
			row, at := &p.rows[oy], out+oy*p.out.sh+x*p.out.sw
			if span > len(room) { // a single window
				p.elems.y[at] = T(windowSum[T, A](in, &p.in, row, &p.cols[x]) / A(p.over(row, &p.cols[x])))
				continue
			}
			sums := room[:span]
			clear(sums)
			for y := row.lo; y < row.hi; y++ {
				accumulate(sums, in[y*p.in.sh+base:][:span])
			}
			for k := range p.cols[x : x+n] {
				col := &p.cols[x+k]
				var sum A
				if col.lo < col.hi {
					for _, v := range sums[col.lo-base : col.hi-base] {
						sum += v
					}
				}
				p.elems.y[at] = T(sum / A(p.over(row, col)))
				at += p.out.sw
			}
		}
		x += n
	}
}

// averageRoom is how many columns of the input are summed together.
const averageRoom = 512

// together finds how many outputs from x on are made at a time, of span columns of the input from base on.
func (m *mean) together(x int) (n, base, span int) {
	base = m.cols[x].lo
	end := base
	for _, c := range m.cols[x:] {
		if n > 0 && max(c.hi, end)-base > averageRoom {
			break
		}
		end = max(end, c.hi)
		n++
	}
	return n, base, end - base
}

func windowSum[T int64 | float32 | float64, A int64 | float64](in []T, p *planes, row, col *stretch) (sum A) {
	y0, y1, x0, x1 := row.lo, row.hi, col.lo, col.hi
	if x0 >= x1 || y0 >= y1 {
		return 0
	}
	if all, ok := any(in).([]float32); ok && p.sw == 1 && x1-x0 == p.sh && (y1-y0)*p.sh >= wide { // whole lines
		var a walk.Acc
		fmath.Sum(&a.F, all[y0*p.sh:y1*p.sh])
		return A(a.Sum())
	}
	for y := y0; y < y1; y++ {
		at := y*p.sh + x0*p.sw
		for range x1 - x0 {
			sum += A(in[at])
			at += p.sw
		}
	}
	return sum
}

// avgPixels is avgPool where channels lie together: it sums whole pixels, a block of channels at a time.
type avgPixels[T int64 | float32 | float64, A int64 | float64] avgPool[T, A]

// pixelBlock is how many channels are summed together.
const pixelBlock = 256

func (m *mean) blocks() int { return (m.in.c + pixelBlock - 1) / pixelBlock }

// Do averages one block of channels of one row of one image.
func (p *avgPixels[T, A]) Do(part int) {
	block, oy, n := part%p.blocks(), part/p.blocks()%p.out.h, part/p.blocks()/p.out.h
	c := block * pixelBlock
	var room [pixelBlock]A
	sums := room[:min(pixelBlock, p.in.c-c)]
	row := &p.rows[oy]
	for ox := range p.cols {
		col := &p.cols[ox]
		clear(sums)
		for y := row.lo; y < row.hi; y++ {
			at := n*p.in.sn + y*p.in.sh + col.lo*p.in.sw + c
			for range col.hi - col.lo {
				accumulate(sums, p.elems.x[at:][:len(sums)])
				at += p.in.sw
			}
		}
		dst := p.elems.y[n*p.out.sn+oy*p.out.sh+ox*p.out.sw+c:][:len(sums)]
		over := A(p.over(row, col))
		for k, v := range sums {
			dst[k] = T(v / over)
		}
	}
}

func accumulate[T int64 | float32 | float64, A int64 | float64](sums []A, x []T) {
	if f, ok := any(x).([]float32); ok {
		fmath.Accumulate(any(sums).([]float64), f)
		return
	}
	for k, v := range x {
		sums[k] += A(v)
	}
}
