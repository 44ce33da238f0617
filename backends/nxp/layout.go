package nxp

import (
	"encoding/binary"
	"fmt"

	"github.com/ptero-rt/ptero/executor"
	"github.com/ptero-rt/ptero/internal/fault"
)

// transposes says whether a tensor must be transposed on its way through a
// port: only where the NPU wants channels last, there is more than one channel
// and the elements do not lie so already.
func (p *Port) transposes(t *executor.Tensor) (bool, error) {
	bad := func(want string) error {
		return &fault.Error{Rule: "layout", Want: want, Found: fmt.Sprintf("sizes %v with dim order %v", t.Sizes, t.DimOrder), Code: fault.InvalidProgram}
	}
	rank := len(t.Sizes)
	switch {
	case p.ChannelsLast && rank < 3:
		return false, bad("a tensor of rank 3 or more for a port with channels last")
	case p.ChannelsLast && channelsInnermost(t):
		return false, nil
	case t.IsContiguous():
		return p.ChannelsLast && t.Sizes[rank-3] != 1, nil
	case p.ChannelsLast:
		return false, bad("contiguous or channels-last dim order")
	}
	return false, bad("contiguous dim order")
}

// channelsInnermost says whether the elements of […, C, H, W] lie as […, H, W, C].
func channelsInnermost(t *executor.Tensor) bool {
	rank, want := len(t.Sizes), 1
	for i := range rank {
		d := rank - i // innermost first: C, W, H, then the others
		switch i {
		case 0:
			d = rank - 3
		case 1, 2:
		default:
			d = rank - 1 - i
		}
		if t.Sizes[d] != 1 && t.Strides[d] != want {
			return false
		}
		want *= t.Sizes[d]
	}
	return true
}

// toChannelsLast copies […, C, H, W] to […, H, W, C].
func toChannelsLast(dst, src []byte, t *executor.Tensor) {
	c := t.Sizes[len(t.Sizes)-3]
	transpose(dst, src, t, c, t.Sizes[len(t.Sizes)-2]*t.Sizes[len(t.Sizes)-1])
}

// toChannelsFirst copies […, H, W, C] to […, C, H, W], t having the latter's sizes.
func toChannelsFirst(dst, src []byte, t *executor.Tensor) {
	c := t.Sizes[len(t.Sizes)-3]
	transpose(dst, src, t, t.Sizes[len(t.Sizes)-2]*t.Sizes[len(t.Sizes)-1], c)
}

// transpose turns matrices of rows × columns elements, one after the other, into their transposes.
func transpose(dst, src []byte, t *executor.Tensor, rows, columns int) {
	size := t.DType.Size()
	matrix := rows * columns * size
	if matrix == 0 {
		return
	}
	for len(src) >= matrix {
		d, s := dst[:matrix], src[:matrix]
		switch size {
		case 1:
			transposeBytes(d, s, rows, columns)
		case 4:
			transposeWords(d, s, rows, columns)
		default:
			for r := range rows {
				for c := range columns {
					copy(d[(c*rows+r)*size:][:size], s[(r*columns+c)*size:])
				}
			}
		}
		dst, src = dst[matrix:], src[matrix:]
	}
}

func transposeBytes(dst, src []byte, rows, columns int) {
	for r := range rows {
		at := r
		for _, b := range src[r*columns:][:columns] {
			dst[at] = b
			at += rows
		}
	}
}

func transposeWords(dst, src []byte, rows, columns int) {
	for r := range rows {
		for c := range columns {
			binary.NativeEndian.PutUint32(dst[4*(c*rows+r):], binary.NativeEndian.Uint32(src[4*(r*columns+c):]))
		}
	}
}
