package cortexm

import (
	"fmt"

	"github.com/ptero-rt/ptero/backends/cpu/arg"
	"github.com/ptero-rt/ptero/backends/cpu/dense"
	"github.com/ptero-rt/ptero/backends/cpu/site"
	"github.com/ptero-rt/ptero/executor"
	"github.com/ptero-rt/ptero/memory"
)

func conv2d(l layout) executor.Op {
	sig := l.sign("quantized_conv2d", "input weight bias stride padding dilation input_offset output_offset requantize_multipliers requantize_shifts activation_min activation_max scratch out")
	return site.Planned(sig, func() site.Work {
		return &conv{sig: sig, layout: l, at: places{dil: 5, offset: 6}, tier: dense.Best()}
	})
}

func depthwiseConv2d(l layout) executor.Op {
	sig := l.sign("quantized_depthwise_conv2d", "input weight bias stride padding dilation depth_multiplier input_offset output_offset requantize_multipliers requantize_shifts activation_min activation_max scratch out")
	return site.Planned(sig, func() site.Work {
		return &conv{sig: sig, layout: l, at: places{dil: 5, multiplier: 6, offset: 7}, tier: dense.Best()}
	})
}

func transposeConv2d(l layout) executor.Op {
	sig := l.sign("quantized_transpose_conv2d", "input weight bias stride padding output_padding dilation input_offset output_offset requantize_multipliers requantize_shifts activation_min activation_max scratch output_scratch out")
	return site.Planned(sig, func() site.Work {
		return &conv{sig: sig, layout: l, at: places{extra: 5, dil: 6, offset: 7}, tier: dense.Best()}
	})
}

// places says where the schemas differ; 0 where an argument does not exist. From offset on they agree.
type places struct{ extra, dil, multiplier, offset int }

// conv is a convolution, forward, depthwise or transposed, best over images whose channels lie together. Weights are [O, kh, kw, I], so that the
// window of an output, gathered into one run of bytes, meets a row of weights; depthwise weights are [1, kh, kw, O].
type conv struct {
	sig          *arg.Signature
	layout       layout
	at           places
	tier         dense.Tier
	win          window
	in, out      image
	groups       int
	multiplier   int // of depthwise
	xOff         int32
	zero, lo, hi int32
	opened       bool
	turned       []int8  // depthwise weights of one input channel as rows of an ordinary convolution
	keep, start  []int32 // bias + offset·Σw
	scales       []scaling
	fixedScales  bool
	t            [3]*executor.Tensor // input, weight, out
	params       [3]*executor.Tensor // bias or nil, multipliers, shifts
	x, w, y      []int8
	patch        []int8
	acc          []int32
	parts        int
}

func (c *conv) depthwise() bool  { return c.at.multiplier != 0 }
func (c *conv) transposed() bool { return c.at.extra != 0 }

// row is the number of weights of one output channel.
func (c *conv) row() int {
	if c.depthwise() {
		return c.win.kernel[0] * c.win.kernel[1]
	}
	return c.win.kernel[0] * c.win.kernel[1] * (c.in.c / c.groups)
}

func (c *conv) Plan(args []*executor.Value) error {
	sig, r, at := c.sig, c.sig.Read(args), c.at.offset
	x, w, y := imageOf(&r, 0), imageOf(&r, 1), r.Of(r.Out(), int8s)
	r.Packed(1, w)
	c.win.stride, c.win.pad, c.win.dil = two(&r, 3, 1), two(&r, 4, 0), two(&r, c.at.dil, 1)
	var extra [2]int
	if c.transposed() {
		extra = two(&r, c.at.extra, 0)
	}
	if c.depthwise() {
		c.multiplier = r.IntIn(c.at.multiplier, 1, limit)
	}
	if c.xOff = readOffset(&r, at); c.xOff < -127 || c.xOff > 128 {
		r.Bad(at, "-127…128", fmt.Sprint(c.xOff))
	}
	c.zero = readOffset(&r, at+1)
	if c.lo, c.hi = bounds(&r, at+4, at+5); r.Err != nil {
		return r.Err
	}
	in := c.layout.see(x)
	c.win.kernel = [2]int{w.Sizes[1], w.Sizes[2]}
	outC := w.Sizes[0]
	c.in = in
	switch {
	case c.depthwise():
		outC, c.groups = w.Sizes[3], in.c
		if w.Sizes[0] != 1 || outC != bounded(in.c, c.multiplier) {
			return sig.Bad(1, fmt.Sprintf("sizes [1 kh kw %d·%d]", in.c, c.multiplier), site.Sizes(w))
		}
	case w.Sizes[3] < 1 || in.c%w.Sizes[3] != 0 || in.c == 0 || outC%(in.c/w.Sizes[3]) != 0:
		return sig.Bad(1, fmt.Sprintf("input channels that divide %d, and outputs in as many groups", in.c), site.Sizes(w))
	default:
		c.groups = in.c / w.Sizes[3]
	}
	var size [2]int
	for d, n := range [...]int{in.h, in.w} {
		k := c.win.kernel[d]
		if c.transposed() {
			size[d] = dense.Spread(n, k, c.win.stride[d], c.win.pad[d], c.win.dil[d], extra[d])
		} else {
			size[d] = dense.Windows(n, k, c.win.stride[d], c.win.pad[d], c.win.dil[d], false)
		}
		if k < 1 || n < 1 || size[d] < 1 {
			return sig.Bad(1, "a kernel that fits the padded input "+site.Sizes(x), site.Sizes(w))
		}
	}
	sizes := c.layout.sizes(in.n, outC, size[0], size[1])
	if r.Resize(r.Out(), y, sizes[:]...); r.Err != nil {
		return r.Err
	}
	c.out = c.layout.see(y)
	c.t = [3]*executor.Tensor{x, w, y}
	return c.constants(&r, args, w)
}

func bounded(a, b int) int {
	if b > 0 && a > limit/b {
		return limit
	}
	return a * b
}

// constants reads bias, multipliers and shifts, and keeps what the file alone decides.
func (c *conv) constants(r *arg.Reader, args []*executor.Value, w *executor.Tensor) error {
	n, at, ts := c.out.c, c.at.offset, &c.params
	*ts = [3]*executor.Tensor{r.Optional(2), r.Tensor(at + 2), r.Tensor(at + 3)}
	fixed := true
	for i, at := range [...]int{2, at + 2, at + 3} {
		t := ts[i]
		if t == nil {
			continue
		}
		if t.DType != arg.I32 || t.NumElements() != n {
			r.Bad(at, fmt.Sprintf("%d of int32", n), t.DType.String()+" "+site.Sizes(t))
		}
		fixed = fixed && t.Constant()
	}
	if r.Err != nil {
		return r.Err
	}
	if !c.opened {
		c.opened = true
		c.scales = make([]scaling, n)
		if c.depthwise() && c.in.c == 1 && w.Constant() {
			c.turn(executor.Slice[int8](w))
		}
		if fixed {
			c.fixedScales = true
			if err := c.readScales(ts[1], ts[2]); err != nil {
				return err
			}
			if w.Constant() && arg.Fixed(args, at) {
				c.keep = make([]int32, n)
				c.sums(c.keep, executor.Slice[int8](w), ts[0])
			}
		}
	}
	return nil
}

func (c *conv) readScales(multipliers, shifts *executor.Tensor) error {
	m, s := executor.Slice[int32](multipliers), executor.Slice[int32](shifts)
	for i := range c.scales {
		if s[i] < -31 || s[i] > 31 {
			return c.sig.Bad(c.at.offset+3, "-31…31", fmt.Sprintf("%d for channel %d", s[i], i))
		}
		c.scales[i] = scaling{m[i], s[i]}
	}
	return nil
}

// turn makes [O, kh, kw] of [kh, kw, O].
func (c *conv) turn(w []int8) {
	c.turned = make([]int8, len(w))
	n, k := c.out.c, c.row()
	for t := range k {
		for o := range n {
			c.turned[o*k+t] = w[t*n+o]
		}
	}
}

// sums writes bias + offset·Σw for every output channel.
func (c *conv) sums(dst []int32, w []int8, bias *executor.Tensor) {
	clear(dst)
	if c.depthwise() {
		for i, v := range w {
			dst[i%len(dst)] += int32(v)
		}
	} else {
		k := c.row()
		for o := range dst {
			for _, v := range w[o*k:][:k] {
				dst[o] += int32(v)
			}
		}
	}
	for o := range dst {
		dst[o] *= c.xOff
	}
	if bias != nil {
		for o, b := range executor.Slice[int32](bias) {
			dst[o] += b
		}
	}
}

// patchBytes is the room for one window: all channels of a group, or for depthwise of the image.
func (c *conv) patchBytes() int {
	n := c.row()
	if c.depthwise() {
		n *= c.in.c
	}
	return (n + 63) &^ 63
}

func (c *conv) slots() int { return min(slots, max(1, c.out.n*c.out.h)) }

func (c *conv) tempBytes() int {
	n := c.slots() * (c.patchBytes() + 4*c.out.c)
	if c.keep == nil {
		n += 4 * c.out.c
	}
	return n
}

func (c *conv) Needs() []memory.Need {
	return site.Need(site.Temp("windows and sums", c.tempBytes()), "packed weights", memory.Resident, len(c.turned))
}

func (c *conv) Run(s *executor.Scope) error {
	if c.out.n*c.out.c == 0 {
		return nil
	}
	b, err := s.TempBytes(c.tempBytes())
	if err != nil {
		return err
	}
	c.parts = c.slots()
	c.patch = executor.SliceBytes[int8](b[:c.parts*c.patchBytes()])
	tmp := executor.SliceBytes[int32](b[len(c.patch):])
	c.acc, c.start = tmp[:c.parts*c.out.c], c.keep
	c.x, c.w, c.y = executor.Slice[int8](c.t[0]), executor.Slice[int8](c.t[1]), executor.Slice[int8](c.t[2])
	if !c.fixedScales {
		if err := c.readScales(c.params[1], c.params[2]); err != nil {
			return err
		}
	}
	if c.keep == nil {
		c.start = tmp[len(c.acc):][:c.out.c]
		c.sums(c.start, c.w, c.params[0])
	}
	if c.turned != nil {
		c.w = c.turned
	}
	dense.Run(s, c.parts, c.out.n*c.out.c*c.out.h*c.out.w*c.row(), c)
	return nil
}

// Do computes every parts-th row of outputs.
func (c *conv) Do(part int) {
	patch := c.patch[part*c.patchBytes():][:c.patchBytes()]
	acc := c.acc[part*c.out.c:][:c.out.c]
	for row := part; row < c.out.n*c.out.h; row += c.parts {
		n, oy := row/c.out.h, row%c.out.h
		for ox := range c.out.w {
			if c.depthwise() && c.turned == nil {
				c.gather(patch, n, oy, ox, 0, c.in.c)
				if c.multiplier == 1 {
					dense.DepthInt8(c.tier, c.row(), patch, c.w, acc)
				} else {
					c.spread(acc, patch)
				}
			} else {
				cg, og, k := c.in.c/c.groups, c.out.c/c.groups, c.row()
				for g := range c.groups {
					c.gather(patch, n, oy, ox, g*cg, cg)
					dense.DotsInt8(c.tier, patch[:k], c.w[g*og*k:], k, acc[g*og:(g+1)*og])
				}
			}
			at := n*c.out.sn + oy*c.out.sh + ox*c.out.sw
			for o, a := range acc {
				c.y[at+o*c.out.sc] = clampInt8(c.scales[o].requantise(a+c.start[o]), c.zero, c.lo, c.hi)
			}
		}
	}
}

// spread multiplies a window of all channels with depthwise weights, several for each channel.
func (c *conv) spread(acc []int32, patch []int8) {
	clear(acc)
	for t := range c.win.kernel[0] * c.win.kernel[1] {
		x, w := patch[t*c.in.c:][:c.in.c], c.w[t*len(acc):][:len(acc)]
		for i, v := range x {
			for o := i * c.multiplier; o < (i+1)*c.multiplier; o++ {
				acc[o] += int32(v) * int32(w[o])
			}
		}
	}
}

// gather copies the window of an output, tap by tap, for channels first…first+count. Taps outside the image, and those
// that a transposed convolution does not reach, hold what the input offset makes zero.
func (c *conv) gather(patch []int8, n, oy, ox, first, count int) {
	nothing := int8(-c.xOff)
	base := n*c.in.sn + first*c.in.sc
	for ky := range c.win.kernel[0] {
		y, okY := c.source(0, oy, ky, c.in.h)
		for kx := range c.win.kernel[1] {
			dst := patch[:count]
			patch = patch[count:]
			x, ok := c.source(1, ox, kx, c.in.w)
			if !ok || !okY {
				for i := range dst {
					dst[i] = nothing
				}
				continue
			}
			at := base + y*c.in.sh + x*c.in.sw
			if c.in.sc == 1 {
				copy(dst, c.x[at:])
				continue
			}
			for i := range dst {
				dst[i] = c.x[at+i*c.in.sc]
			}
		}
	}
}

// source is the position in the input that tap k of output o reads.
func (c *conv) source(d, o, k, n int) (int, bool) {
	if c.transposed() {
		x := o + c.win.pad[d] - k*c.win.dil[d]
		return x / c.win.stride[d], x >= 0 && x%c.win.stride[d] == 0 && x/c.win.stride[d] < n
	}
	x := o*c.win.stride[d] - c.win.pad[d] + k*c.win.dil[d]
	return x, x >= 0 && x < n
}
