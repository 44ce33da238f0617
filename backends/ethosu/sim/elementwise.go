package sim

import (
	"math/bits"

	"github.com/ptero-rt/ptero/backends/ethosu/stream"
)

// line is a row of an operand with the steps that walk it along the output; broadcast axes have step 0.
type line struct {
	values []int32
	stepX  int
	stepC  int
}

func lineOf(f *stream.FeatureMap, dense []int32, y int) line {
	if f.Height == 1 {
		y = 0
	}
	l := line{values: dense[y*f.Width*f.Depth:]}
	if f.Width > 1 {
		l.stepX = f.Depth
	}
	if f.Depth > 1 {
		l.stepC = 1
	}
	return l
}

func (s *kernelStep) elementwiseRow(m *machine, acc []int64, y int) {
	k := s.k
	a := lineOf(&k.IFM, m.ifm, y)
	b := line{values: zeroLine[:]}
	if k.HasIFM2 {
		b = lineOf(&k.IFM2, m.ifm2, y)
	}
	if k.Reversed {
		a, b = b, a
	}
	depth := k.OFM.Depth
	for x := range k.OFM.Width {
		va, vb := a.values[x*a.stepX:], b.values[x*b.stepX:]
		s.function(acc[x*depth:(x+1)*depth], va, vb, a.stepC, b.stepC)
	}
}

var zeroLine [1]int32

// function applies the operation to one pixel: operand scaling, then the function itself.
func (s *kernelStep) function(dst []int64, a, b []int32, sa, sb int) {
	k := s.k
	switch k.Elementwise {
	case stream.EltAdd, stream.EltSub:
		s.add(dst, a, b, sa, sb)
	case stream.EltMul:
		for i := range dst {
			dst[i] = int64(a[i*sa]) * int64(b[i*sb])
		}
	case stream.EltMin:
		for i := range dst {
			dst[i] = min(s.compared(a[i*sa], &k.IFMScale), s.compared(b[i*sb], &k.IFM2Scale))
		}
	case stream.EltMax:
		for i := range dst {
			dst[i] = max(s.compared(a[i*sa], &k.IFMScale), s.compared(b[i*sb], &k.IFM2Scale))
		}
	case stream.EltAbs:
		for i := range dst {
			v := s.compared(a[i*sa], &k.IFMScale)
			dst[i] = max(v, -v)
		}
	case stream.EltCmpEQ, stream.EltCmpNE, stream.EltCmpGE, stream.EltCmpGT:
		for i := range dst {
			dst[i] = compare(k.Elementwise, s.compared(a[i*sa], &k.IFMScale), s.compared(b[i*sb], &k.IFM2Scale))
		}
	default:
		for i := range dst {
			dst[i] = s.plain(a[i*sa], b[i*sb])
		}
	}
}

// add adds or subtracts.
func (s *kernelStep) add(dst []int64, a, b []int32, sa, sb int) {
	k := s.k
	sign := int64(1)
	if k.Elementwise == stream.EltSub {
		sign = -1
	}
	if s.product == stream.U85 || k.IFM.Bits < 32 && k.ScaleMode != stream.OpaOpb16 {
		for i := range dst {
			dst[i] = s.first(a[i*sa]) + sign*s.second(b[i*sb])
		}
		return
	}
	first, second := int64(1), sign // factors of the operands
	if k.IFM.Bits < 32 {
		first, second = int64(k.IFMScale.Scale&0xffff), sign*int64(k.IFM2Scale.Scale)
	}
	for i := range dst {
		dst[i] = int64(a[i*sa])*first + int64(b[i*sb])*second
	}
}

// first and second scale the operands of an addition whose scaling rounds: on U55 and U65 one goes through 32 bits while
// the other is shifted up.
func (s *kernelStep) first(v int32) int64 {
	k := s.k
	if s.product == stream.U85 {
		return rescale(int64(v), k.IFMScale)
	}
	if k.ScaleMode == stream.Opa32 {
		return rescale(int64(v), k.IFMScale)
	}
	return s.shiftedUp(v)
}

func (s *kernelStep) second(v int32) int64 {
	k := s.k
	if s.product == stream.U85 {
		return rescale(int64(v), k.IFM2Scale)
	}
	if k.ScaleMode == stream.Opa32 {
		return s.shiftedUp(v)
	}
	return rescale(int64(v), k.IFMScale)
}

func (s *kernelStep) shiftedUp(v int32) int64 {
	if s.k.IFM.Bits == 16 {
		return int64(v) << 14
	}
	return int64(v) << 19
}

// compared scales an operand of a minimum, maximum, absolute value or comparison, which U85 alone does.
func (s *kernelStep) compared(v int32, scale *stream.Scaling) int64 {
	if s.product == stream.U85 {
		return rescale(int64(v), *scale)
	}
	return int64(v)
}

func compare(mode stream.ElementwiseMode, a, b int64) int64 {
	var yes bool
	switch mode {
	case stream.EltCmpEQ:
		yes = a == b
	case stream.EltCmpNE:
		yes = a != b
	case stream.EltCmpGE:
		yes = a >= b
	default:
		yes = a > b
	}
	if yes {
		return -1
	}
	return 0
}

// plain applies the functions whose operands are not scaled.
func (s *kernelStep) plain(a, b int32) int64 {
	k := s.k
	width := uint(k.IFM.Bits)
	switch k.Elementwise {
	case stream.EltLRelu:
		switch {
		case s.product == stream.U85 && a < 0:
			return rescale(int64(a), k.IFM2Scale)
		case s.product == stream.U85:
			return rescale(int64(a), k.IFMScale)
		case a < 0:
			return rescale(int64(a), k.OFMScale)
		}
		return int64(a)
	case stream.EltCLZ:
		return int64(bits.LeadingZeros32(uint32(a)))
	case stream.EltSHR:
		return shiftRight(int64(a), uint(b)&63, k.OFMScale.Round)
	case stream.EltSHL:
		return int64(a << (uint(b) & 63))
	case stream.EltLSR:
		return int64(uint64(uint32(a)) & (1<<width - 1) >> (uint(b) & 63))
	case stream.EltDiv:
		if b == 0 {
			return 0
		}
		return int64(a) / int64(b)
	case stream.EltAnd:
		return int64(a & b)
	case stream.EltOr:
		return int64(a | b)
	case stream.EltXor:
		return int64(a ^ b)
	case stream.EltNot:
		return int64(^a)
	}
	return int64(a &^ b)
}
