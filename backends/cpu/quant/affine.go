package quant

import (
	"fmt"
	"math"
	"strings"

	"github.com/ptero-rt/ptero/backends/cpu/arg"
	"github.com/ptero-rt/ptero/backends/cpu/site"
	"github.com/ptero-rt/ptero/backends/cpu/walk"
	"github.com/ptero-rt/ptero/executor"
	"github.com/ptero-rt/ptero/memory"
)

// granularity says which elements share a scale and a zero point.
type granularity int

const (
	byNumber  granularity = iota // all; scale and zero point are numbers
	byTensor                     // all; they are tensors of one element
	byChannel                    // those at one position of an axis
	byToken                      // those of one row along the last dimension
)

// QuantizePerTensor makes the operator that quantises with one scale, under the given name.
func QuantizePerTensor(name string) executor.Op {
	return quantize(name, "input scale zero_point quant_min quant_max dtype out", byNumber)
}

// DequantizePerTensor makes its inverse. Schemas older than the argument out_dtype are accepted.
func DequantizePerTensor(name string) executor.Op {
	return dequantize(name, "input scale zero_point quant_min quant_max dtype out_dtype", byNumber)
}

func quantize(name, names string, g granularity) executor.Op {
	sig := arg.Sign(name, names)
	return site.Planned(sig, func() site.Work { return newAffine(sig, g, true) })
}

// dequantize accepts call sites whose schema lacks the last name before out, the output's type.
func dequantize(name, names string, g granularity) executor.Op {
	sig, old := arg.Sign(name, names+" out"), arg.Sign(name, names[:strings.LastIndexByte(names, ' ')]+" out")
	now := site.Planned(sig, func() site.Work { return newAffine(sig, g, false) })
	return site.Grown(now, site.Planned(old, func() site.Work { return newAffine(old, g, false) }), old.Out())
}

// affine is q = clamp(round(x / scale) + zero point) or its inverse x = (q − zero point) · scale.
type affine struct {
	sig          *arg.Signature
	g            granularity
	quantising   bool
	axis, lo, hi int // positions of arguments
	in, par      walk.View
	min, max     float64
	count        int       // pairs of scale and zero point
	scale, zero  []float64 // scale is inverted for quantising
	one          [2]float64
	// by channel: both as f32
	scale32, zero32 []float32
	wide            bool // scales are an f64 tensor by channel or token: PyTorch then computes in f64
	small           bool // zero points are whole and fit f32 with room to spare
	parts           int
	x, y            *executor.Tensor
	convert         func(a *affine, part int)
	scales, points  *executor.Tensor
}

func newAffine(sig *arg.Signature, g granularity, quantising bool) *affine {
	return &affine{sig: sig, g: g, quantising: quantising, axis: position(sig, "axis"), lo: position(sig, "quant_min"), hi: position(sig, "quant_max")}
}

var codes = arg.Of(arg.U8, arg.I8, arg.I16, arg.I32, arg.U16, bits16)

const bits16 executor.DType = 22

func (a *affine) Plan(args []*executor.Value) error {
	r := a.sig.Read(args)
	from, to := codes, arg.Floats
	if a.quantising {
		from, to = to, from
	}
	if a.x, a.y = r.Of(0, from), r.Of(r.Out(), to); r.Err != nil {
		return r.Err
	}
	q := a.x.DType
	if a.quantising {
		q = a.y.DType
	}
	a.limits(&r, q)
	if r.Resize(r.Out(), a.y, a.x.Sizes...); r.Err != nil {
		return r.Err
	}
	if a.params(&r); r.Err != nil {
		return r.Err
	}
	a.parts = walk.Parts(a.y.NumElements())
	if a.convert == nil {
		a.convert = a.kernel(q)
	}
	return a.in.See(a.y, a.x)
}

// limits reads the smallest and largest code, which must be values of the type.
func (a *affine) limits(r *arg.Reader, d executor.DType) {
	lo, hi := codeRange(d)
	l, h := r.Int(a.lo), r.Int(a.hi)
	switch {
	case a.quantising && l < lo:
		r.Bad(a.lo, fmt.Sprintf("at least %d for %v", lo, d), fmt.Sprint(l))
	case a.quantising && h > hi:
		r.Bad(a.hi, fmt.Sprintf("at most %d for %v", hi, d), fmt.Sprint(h))
	case l > h:
		r.Bad(a.lo, fmt.Sprintf("at most quant_max %d", h), fmt.Sprint(l))
	}
	a.min, a.max = float64(l), float64(h)
}

func codeRange(d executor.DType) (lo, hi int64) {
	switch d {
	case arg.U8:
		return 0, 255
	case arg.I8:
		return -128, 127
	case arg.I16:
		return math.MinInt16, math.MaxInt16
	case arg.U16, bits16:
		return 0, math.MaxUint16
	}
	return math.MinInt32, math.MaxInt32
}

// params finds scales and zero points, and lays out which pair each element takes.
func (a *affine) params(r *arg.Reader) {
	a.par.Start(a.y)
	a.count = 1
	rank := a.x.Rank()
	if a.g == byNumber {
		a.one = [2]float64{r.Double(1), float64(r.Int(2))}
		if a.quantising {
			a.one[0] = 1 / a.one[0]
		}
		a.par.Merge(a.y.Strides)
		return
	}
	a.scales, a.points = r.Of(1, arg.Floats), r.Optional(2)
	if a.points != nil {
		r.Of(2, arg.Signed|arg.Floats)
	}
	switch a.g {
	case byChannel:
		d := r.Dim(a.axis, a.x)
		if rank > 0 {
			a.count = a.x.Sizes[d]
			a.par.Stride[d] = 1
		}
	case byToken:
		for d := rank - 2; d >= 0; d-- {
			a.par.Stride[d] = a.count
			a.count *= a.x.Sizes[d]
		}
	}
	if r.Err != nil {
		return
	}
	a.wide = a.scales.DType == arg.F64 && a.g != byTensor
	for i, t := range [...]*executor.Tensor{a.scales, a.points} {
		if t == nil {
			continue
		}
		if t.NumElements() != a.count {
			r.Bad(1+i, fmt.Sprintf("%d elements", a.count), site.Sizes(t))
		}
		r.Packed(1+i, t)
	}
	a.par.Merge(a.y.Strides)
}

// pairBytes is the temp memory of a scale and a zero point.
func (a *affine) pairBytes() int {
	if a.g == byChannel {
		return 2 * (8 + 4)
	}
	return 2 * 8
}

func (a *affine) Needs() []memory.Need {
	if a.g == byNumber {
		return nil
	}
	return site.Temp("scales and zero points", a.pairBytes()*a.count)
}

func (a *affine) Run(s *executor.Scope) error {
	if a.y.NumElements() == 0 {
		return nil
	}
	var temp []byte
	if a.g == byNumber {
		a.scale, a.zero = a.one[:1], a.one[1:]
	} else {
		var err error
		temp, err = s.TempBytes(a.pairBytes() * a.count)
		if err != nil {
			return err
		}
		both := executor.SliceBytes[float64](temp)
		a.scale, a.zero = both[:a.count], both[a.count:2*a.count]
		read(a.scale, a.scales)
		if a.quantising {
			for i, x := range a.scale {
				a.scale[i] = 1 / x
			}
		}
		if a.points == nil {
			clear(a.zero)
		} else {
			read(a.zero, a.points)
		}
	}
	if a.g == byChannel {
		narrow := executor.SliceBytes[float32](temp[16*a.count:])
		a.scale32, a.zero32 = narrow[:a.count], narrow[a.count:]
		for i, x := range a.scale {
			a.scale32[i], a.zero32[i] = float32(x), float32(a.zero[i])
		}
	}
	a.small = true
	for _, z := range a.zero {
		a.small = a.small && z == math.Trunc(z) && math.Abs(z) <= 1<<20
	}
	if a.parts == 1 {
		a.Do(0)
	} else {
		s.Parallel(a.parts, a)
	}
	return nil
}

// read widens the elements of a small tensor.
func read(dst []float64, t *executor.Tensor) {
	switch t.DType {
	case arg.F64:
		copy(dst, executor.Slice[float64](t))
	case arg.I64:
		for i, x := range executor.Slice[int64](t)[:len(dst)] {
			dst[i] = float64(x)
		}
	default:
		for i := range dst {
			dst[i] = walk.Float(t, i)
		}
	}
}

// Do converts one part.
func (a *affine) Do(part int) { a.convert(a, part) }
