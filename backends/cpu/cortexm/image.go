package cortexm

import (
	"fmt"
	"math/bits"

	"github.com/ptero-rt/ptero/backends/cpu/arg"
	"github.com/ptero-rt/ptero/executor"
)

// image is an int8 tensor of any dim order, with strides.
type image struct{ n, c, h, w, sn, sc, sh, sw int }

// layout is where batch, channels, height and width of images stand among their dimensions. Operators whose images are
// [N, H, W, C] have names of their own.
type layout struct {
	name       string
	n, c, h, w int
}

var (
	nchw = layout{"", 0, 1, 2, 3}
	nhwc = layout{"_nhwc", 0, 3, 1, 2}
)

// sign makes the signature of an operator on images.
func (l layout) sign(name, names string) *arg.Signature {
	return arg.Sign("cortex_m::"+name+l.name+".out", names)
}

// imageOf reads an int8 tensor of four dimensions.
func imageOf(r *arg.Reader, i int) *executor.Tensor {
	t := r.Of(i, int8s)
	r.Rank(i, t, 4)
	return t
}

func (l layout) see(t *executor.Tensor) image {
	s, st := t.Sizes, t.Strides
	return image{s[l.n], s[l.c], s[l.h], s[l.w], st[l.n], st[l.c], st[l.h], st[l.w]}
}

// sizes are those of an image's dimensions.
func (l layout) sizes(n, c, h, w int) (size [4]int) {
	size[l.n], size[l.c], size[l.h], size[l.w] = n, c, h, w
	return size
}

// limit is the largest size argument: products of two cannot overflow.
const limit = 1<<(bits.UintSize/2-1) - 1

// two reads a list of two numbers in lo…limit, for height and width.
func two(r *arg.Reader, i, lo int) (p [2]int) {
	var room [4]int
	list := r.Ints(i, room[:0])
	if len(list) != 2 {
		r.Bad(i, "two numbers", fmt.Sprint(len(list)))
		return p
	}
	for d, x := range list {
		if x < lo || x > limit {
			r.Bad(i, fmt.Sprintf("%d…%d", lo, limit), fmt.Sprint(x))
		}
		p[d] = x
	}
	return p
}

// window is how a kernel moves over an image, height then width.
type window struct{ kernel, stride, pad, dil [2]int }

// span gives the taps lo…hi of a pooling window at output o that lie inside n, and where tap 0 is.
func (w *window) span(d, o, n int) (at, lo, hi int) {
	at = o*w.stride[d] - w.pad[d]
	return at, max(0, -at), min(w.kernel[d], n-at)
}
