package nn

import (
	"fmt"
	"math/bits"

	"github.com/ptero-rt/ptero/backends/cpu/arg"
	"github.com/ptero-rt/ptero/backends/cpu/dense"
	"github.com/ptero-rt/ptero/backends/cpu/site"
	"github.com/ptero-rt/ptero/executor"
	"github.com/ptero-rt/ptero/memory"
)

var convSig = arg.Sign("aten::convolution.out", "input weight bias stride padding dilation transposed output_padding groups out")

func convolution() executor.Op {
	return byType(convSig, newConv[float32], newConv[float64], newConv[uint8], newConv[int8], newConv[int16], newConv[int32], newConv[int64])
}

const (
	limit = 1<<(bits.UintSize/2-1) - 1 // the largest size argument: products of two cannot overflow
	most  = 1<<31 - 1                  // the largest number of elements
)

// geometry are the arguments of a convolution that decide its shape; sig names them from at on: stride, padding, dilation,
// transposed, output padding, groups.
type geometry struct {
	dense.Shape
	rank int // spatial dimensions
	out  [5]int
}

// read fills the geometry from the arguments and the sizes of input and weight.
func (g *geometry) read(r *arg.Reader, at, xi int, x *executor.Tensor, wi int, w *executor.Tensor) {
	transposed, groups := r.Bool(at+3), r.IntIn(at+5, 1, limit)
	switch {
	case r.Err != nil:
	case x.Rank() < 3 || x.Rank() > 5:
		r.Bad(xi, "3, 4 or 5 dimensions", site.Sizes(x))
	case w.Rank() != x.Rank():
		r.Bad(wi, fmt.Sprintf("%d dimensions as the input", x.Rank()), site.Sizes(w))
	}
	if r.Err != nil {
		return
	}
	g.rank = x.Rank() - 2
	one := [3]int{1, 1, 1}
	g.Shape = dense.Shape{Batch: x.Sizes[0], InC: x.Sizes[1], Groups: groups, Transposed: transposed, In: one, Out: one, Kernel: one, Stride: one, Dil: one}
	var extra [3]int
	for _, l := range [...]struct {
		arg, lo int
		to      *[3]int
	}{{at, 1, &g.Stride}, {at + 1, 0, &g.Pad}, {at + 2, 1, &g.Dil}, {at + 4, 0, &extra}} {
		spatial(r, l.arg, g.rank, l.lo, l.to)
	}
	if r.Err == nil {
		r.Err = g.fit(r.Sig, at, xi, x, wi, w, extra)
	}
}

// fit finds the output's sizes; extra is the output padding.
func (g *geometry) fit(sig *arg.Signature, at, xi int, x *executor.Tensor, wi int, w *executor.Tensor, extra [3]int) error {
	groups, transposed := g.Groups, g.Transposed
	for d := range g.rank {
		g.In[3-g.rank+d], g.Kernel[3-g.rank+d] = x.Sizes[2+d], w.Sizes[2+d]
	}
	wantIn := w.Sizes[1] * groups
	g.OutC = w.Sizes[0]
	if transposed {
		wantIn, g.OutC = w.Sizes[0], w.Sizes[1]*groups
	}
	if g.InC != wantIn || g.InC%groups != 0 {
		return sig.Bad(wi, fmt.Sprintf("weights for %d input channels in %d groups", g.InC, groups), site.Sizes(w))
	}
	if g.OutC%groups != 0 || g.OutC == 0 || g.InC == 0 {
		return sig.Bad(wi, fmt.Sprintf("output channels in %d groups", groups), site.Sizes(w))
	}
	g.out = [5]int{g.Batch, g.OutC}
	phases, plane := 1, 1
	for d := 3 - g.rank; d < 3; d++ {
		k := g.Kernel[d]
		if k < 1 || g.In[d] < 1 {
			return sig.Bad(wi, "sizes of at least 1", fmt.Sprintf("kernel %v on %v", g.Kernel, g.In))
		}
		reach := (k - 1) * g.Dil[d]
		room := 0
		if transposed {
			if extra[d] >= g.Stride[d] && extra[d] >= g.Dil[d] {
				return sig.Bad(at+4, "less than stride or dilation", fmt.Sprint(extra))
			}
			g.Out[d] = dense.Spread(g.In[d], k, g.Stride[d], g.Pad[d], g.Dil[d], extra[d])
			phases = bounded(phases, g.Stride[d])
			room = max(0, reach/g.Stride[d]-g.Pad[d]/g.Stride[d]) + max(g.In[d], (g.Out[d]-1+g.Pad[d])/g.Stride[d]+1)
		} else {
			padded := g.In[d] + 2*g.Pad[d]
			if padded <= reach {
				return sig.Bad(wi, fmt.Sprintf("a kernel that fits the padded input of %d", padded), fmt.Sprintf("a reach of %d", reach+1))
			}
			g.Out[d] = dense.Windows(g.In[d], k, g.Stride[d], g.Pad[d], g.Dil[d], false)
			room = (g.Out[d] + reach/g.Stride[d]) * min(g.Stride[d], k)
		}
		if g.Out[d] < 1 {
			return sig.Bad(xi, "an input that gives outputs", fmt.Sprintf("size %d", g.Out[d]))
		}
		plane = bounded(plane, room)
		g.out[2+d-(3-g.rank)] = g.Out[d]
	}
	if taps := g.Kernel[0] * g.Kernel[1] * g.Kernel[2]; bounded(phases, taps) > 1<<24 {
		return sig.Bad(at, fmt.Sprintf("strides whose product with the %d taps of the kernel is at most 2²⁴", taps), fmt.Sprint(g.Stride))
	}
	if bounded(plane, g.InC/groups) >= most {
		return sig.Bad(xi, "a padded input of less than 2³¹ elements", fmt.Sprintf("%d channels of %d", g.InC/groups, plane))
	}
	return nil
}

// bounded multiplies, not beyond most.
func bounded(a, b int) int {
	if b > 0 && a > most/b {
		return most
	}
	return a * b
}

// spatial reads a list of one entry for all dimensions or one for each into the last places of to.
func spatial(r *arg.Reader, i, rank, lo int, to *[3]int) {
	var room [8]int
	list := r.Ints(i, room[:0])
	if r.Err != nil || len(list) == 0 && lo == 0 {
		return
	}
	if len(list) != 1 && len(list) != rank {
		r.Bad(i, fmt.Sprintf("1 or %d numbers", rank), number(len(list)))
		return
	}
	for d := range rank {
		x := list[min(d, len(list)-1)]
		if x < lo || x > limit {
			r.Bad(i, between(lo, limit), number(x))
		}
		to[3-rank+d] = x
	}
}

// conv is the state of one convolution.
type conv[T dense.Real] struct {
	x, w, b  *executor.Tensor // b may be nil
	y        *executor.Tensor
	geo      geometry
	c        *dense.Conv[T]
	planned  bool
	weight   []T // packed at Prepare, or nil
	bias     []T
	hasBias  bool // bias holds its final content
	inPlace  bool // the weight tensor's bytes are W
	resident int
}

func newConv[T dense.Real]() site.Work { return &conv[T]{c: dense.NewConv[T](dense.Best())} }

func (c *conv[T]) Plan(args []*executor.Value) error {
	r := convSig.Read(args)
	x := r.Tensor(0)
	w, b, y := r.Like(1, x), r.Optional(2), r.Like(9, x)
	var g geometry
	g.read(&r, 3, 0, x, 1, w)
	if b != nil {
		r.Of(2, arg.Real)
		if b.Rank() != 1 || b.Sizes[0] != g.OutC {
			r.Bad(2, fmt.Sprintf("sizes [%d]", g.OutC), site.Sizes(b))
		}
	}
	r.Resize(9, y, g.out[:g.rank+2]...)
	if r.Err != nil {
		return r.Err
	}
	c.x, c.w, c.b, c.y = x, w, b, y
	strides(&c.c.XStride, x)
	strides(&c.c.YStride, y)
	if !c.planned || c.geo.Shape != g.Shape {
		c.geo = g
		c.c.X, c.c.Y = view[T](x), view[T](y)
		c.c.Plan(g.Shape)
		c.inPlace = g.InPlace() && w.IsContiguous() && !arg.IsHalf(w.DType)
	}
	if !c.planned {
		c.planned = true
		return c.pack(w, b)
	}
	if len(c.bias) < g.OutC {
		c.bias = make([]T, g.OutC)
	}
	return nil
}

// strides are those of a tensor with 1 to 3 spatial dimensions; absent ones have size 1.
func strides(to *[5]int, t *executor.Tensor) {
	*to = [5]int{t.Strides[0], t.Strides[1]}
	r := t.Rank() - 2
	for d := range r {
		to[5-r+d] = t.Strides[2+d]
	}
}

// pack keeps the weights as the planes want them, if they never change and do not lie so already, and the bias.
func (c *conv[T]) pack(w, b *executor.Tensor) error {
	if w.Constant() && !c.inPlace {
		c.weight = make([]T, c.geo.WeightCount())
		c.packWeight(c.weight, w)
		c.resident = len(c.weight) * sizeOf[T]()
	}
	c.bias = make([]T, c.geo.OutC)
	if b == nil || b.Constant() {
		c.hasBias = true
		return c.loadBias(b)
	}
	return nil
}

func (c *conv[T]) packWeight(dst []T, w *executor.Tensor) {
	if c.geo.InPlace() && w.IsContiguous() { // 16-bit floats
		view[T](w).Load(dst, 0, 1, c.geo.WeightCount())
		return
	}
	var st [5]int
	strides(&st, w)
	c.c.PackWeights(dst, view[T](w), st)
}

func (c *conv[T]) loadBias(b *executor.Tensor) error {
	if b == nil {
		return nil
	}
	return loadAs(c.bias[:c.geo.OutC], b)
}

func (c *conv[T]) Needs() []memory.Need {
	l := site.Need(nil, "packed weights", memory.Resident, c.resident)
	return site.Need(l, "padded input", memory.Temp, c.tempCount()*sizeOf[T]())
}

func (c *conv[T]) tempCount() int {
	n := c.c.PlaneCount()
	if c.weight == nil && !c.inPlace {
		n += c.geo.WeightCount()
	}
	return n
}

func (c *conv[T]) Run(s *executor.Scope) error {
	x, w, b, y := c.x, c.w, c.b, c.y
	if y.NumElements() == 0 {
		return nil
	}
	c.c.X, c.c.Y = view[T](x), view[T](y)
	if !c.hasBias {
		if err := c.loadBias(b); err != nil {
			return err
		}
	}
	tmp, err := temp[T](s, c.tempCount())
	if err != nil {
		return err
	}
	n := c.c.PlaneCount()
	c.c.Start, c.c.Planes = c.bias, tmp[:n]
	switch {
	case c.inPlace:
		c.c.W = executor.Slice[T](w)
	case c.weight != nil:
		c.c.W = c.weight
	default:
		c.packWeight(tmp[n:], w)
		c.c.W = tmp[n:]
	}
	c.c.Run(s)
	return nil
}
