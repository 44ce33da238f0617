package cortexm

import (
	"fmt"
	"math/bits"

	"github.com/ptero-rt/ptero/backends/cpu/arg"
	"github.com/ptero-rt/ptero/backends/cpu/site"
	"github.com/ptero-rt/ptero/executor"
)

// image is an int8 tensor [N, C, H, W] of any dim order, with strides.
type image struct{ n, c, h, w, sn, sc, sh, sw int }

func imageOf(sig *arg.Signature, args []*executor.Value, i int) (*executor.Tensor, image, error) {
	t, err := sig.Tensor(args, i)
	if err != nil {
		return nil, image{}, err
	}
	if err := sig.DType(i, t, int8s); err != nil {
		return nil, image{}, err
	}
	if t.Rank() != 4 {
		return nil, image{}, sig.Bad(i, "4 dimensions", site.Sizes(t))
	}
	return t, see(t), nil
}

func see(t *executor.Tensor) image {
	s, st := t.Sizes, t.Strides
	return image{s[0], s[1], s[2], s[3], st[0], st[1], st[2], st[3]}
}

// limit is the largest size argument: products of two cannot overflow.
const limit = 1<<(bits.UintSize/2-1) - 1

// two reads a list of two numbers in lo…limit, for height and width.
func two(sig *arg.Signature, args []*executor.Value, i, lo int) (p [2]int, err error) {
	var room [4]int
	list, err := sig.Ints(args, i, room[:0])
	if err != nil {
		return p, err
	}
	if len(list) != 2 {
		return p, sig.Bad(i, "two numbers", fmt.Sprint(len(list)))
	}
	for d, x := range list {
		if x < lo || x > limit {
			return p, sig.Bad(i, fmt.Sprintf("%d…%d", lo, limit), fmt.Sprint(x))
		}
		p[d] = x
	}
	return p, nil
}

// window is how a kernel moves over an image, height then width.
type window struct{ kernel, stride, pad, dil [2]int }

// span gives the taps lo…hi of a pooling window at output o that lie inside n, and where tap 0 is.
func (w *window) span(d, o, n int) (at, lo, hi int) {
	at = o*w.stride[d] - w.pad[d]
	return at, max(0, -at), min(w.kernel[d], n-at)
}
