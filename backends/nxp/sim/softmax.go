package sim

import (
	"encoding/binary"

	"github.com/ptero-rt/ptero/backends/nxp"
)

// softmax evaluates exponentials from a table of values and slopes.
type softmax struct {
	window
	exp [256]uint32 // e^(-scale × distance from the maximum), 65535 = 1
}

func newSoftmax(k *nxp.Kernel, weights []byte) *softmax {
	s := &softmax{window: window{k: k, pitch: k.InC}}
	if overlap(k.Dst, k.Src) {
		s.frame = make([]byte, k.InC)
	}
	pairs := weights[int(k.Weights.Offset)+nxp.SoftmaxPairs:]
	for i := range 128 {
		slope := int32(binary.LittleEndian.Uint16(pairs[4*i:]))
		if slope != 0 { // slopes are never positive; 16 bits hold them modulo 2^16
			slope -= 1 << 16
		}
		value := int32(binary.LittleEndian.Uint16(pairs[4*i+2:]))
		s.exp[2*i], s.exp[2*i+1] = uint32(value), uint32(max(0, value+slope/2))
	}
	return s
}

func (s *softmax) rows() int { return 1 }

// row rounds half up, as far as known: see [Rescale] on what is inferred.
func (s *softmax) row(int) {
	top := int8(-128)
	for _, b := range s.src {
		top = max(top, int8(b))
	}
	var sum uint64
	for _, b := range s.src {
		sum += uint64(s.exp[int(top)-int(int8(b))])
	}
	scale, zero := s.k.Scale, int64(s.k.Scale.Zero)
	if sum *= uint64(scale.Mantissa); sum == 0 {
		sum = 1
	}
	for i, b := range s.src {
		e := uint64(s.exp[int(top)-int(int8(b))]) << scale.Shift
		y := int64((2*e+sum)/(2*sum)) + zero
		s.dst[i] = byte(int8(min(max(y, -128), 127)))
	}
}
