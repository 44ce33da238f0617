package quant

import (
	"math"

	"github.com/ptero-rt/ptero/backends/cpu/arg"
	"github.com/ptero-rt/ptero/backends/cpu/fmath"
	"github.com/ptero-rt/ptero/backends/cpu/site"
	"github.com/ptero-rt/ptero/backends/cpu/walk"
	"github.com/ptero-rt/ptero/executor"
)

var (
	chooseSig      = arg.Sign("quantized_decomposed::choose_qparams.Tensor_out", "input quant_min quant_max eps dtype scale_out zero_point_out")
	chooseTokenSig = arg.Sign("quantized_decomposed::choose_qparams_per_token_asymmetric.out", "input dtype scale_out zero_point_out")
)

func chooseParams() executor.Op {
	return site.Planned(chooseSig, func() site.Work { return &choose{sig: chooseSig, at: 5} })
}

func chooseParamsPerToken() executor.Op {
	return site.Planned(chooseTokenSig, func() site.Work { return &choose{sig: chooseTokenSig, at: 2, token: true} })
}

// choose finds the scale and zero point with which the codes cover the range of the input, zero included: of all of it, or
// of each row along the last dimension. Arithmetic is that of the input's type, as in PyTorch; results are f64 and i64.
type choose struct {
	sig         *arg.Signature
	at          int // of scale_out
	token       bool
	lo, hi, eps float32
	x, s, z     *executor.Tensor
	size        [arg.MaxRank]int
	rows, to    walk.View // where the input's rows begin, and their elements of scale_out
	load        walk.Load // of other types than f32, to some
	bytes       []byte
	some        []float32 // a stretch of a row, in bytes
}

// stretch is the number of elements that are widened at once.
const stretch = 256

func (c *choose) Plan(args []*executor.Value) error {
	r := c.sig.Read(args)
	c.x = r.Of(0, arg.Floats)
	c.s, c.z = r.Of(c.at, arg.Of(arg.F64, arg.F32)), r.Of(c.at+1, arg.Of(arg.I64, arg.I32))
	if r.Err != nil {
		return r.Err
	}
	if c.some == nil {
		c.bytes = make([]byte, 4*stretch)
		c.some = executor.SliceBytes[float32](c.bytes)
	}
	if c.load = nil; c.x.DType != arg.F32 {
		c.load = walk.Loader(c.x.DType, arg.F32)
	}
	rank := c.x.Rank()
	c.lo, c.hi, c.eps = -128, 127, 0x1p-23
	if c.token {
		if rank < 1 || rank > arg.MaxRank || c.x.Sizes[rank-1] == 0 {
			return c.sig.Bad(0, "rows of at least one element", site.Sizes(c.x))
		}
		copy(c.size[:], c.x.Sizes)
		c.size[rank-1] = 1
		r.Resize(c.at, c.s, c.size[:rank]...)
		if r.Resize(c.at+1, c.z, c.size[:rank]...); r.Err != nil {
			return r.Err
		}
		outer := c.x.Sizes[:rank-1]
		c.rows.Broadcast(outer, c.x.Strides, outer)
		c.to.Broadcast(outer, c.s.Strides, outer)
		return nil
	}
	if c.x.NumElements() == 0 {
		return c.sig.Bad(0, "at least one element", site.Sizes(c.x))
	}
	lo, hi, eps := r.Int(1), r.Int(2), r.Double(3)
	if lo >= hi {
		r.Bad(1, "less than quant_max", "not")
	}
	c.lo, c.hi, c.eps = float32(lo), float32(hi), float32(eps)
	for i, t := range [...]*executor.Tensor{c.s, c.z} {
		if t.NumElements() != 1 {
			r.Bad(c.at+i, "one element", site.Sizes(t))
		}
	}
	return r.Err
}

func (c *choose) Run(*executor.Scope) error {
	rank, n := c.x.Rank(), c.x.NumElements()
	if !c.token {
		lo, hi := c.span(0, n, 1)
		scale := max(c.round(c.round(hi-lo)/(c.hi-c.lo)), c.eps)
		c.put(0, scale, max(float64(c.lo), min(float64(c.hi), float64(int32(int64(c.lo)-down(lo/scale))))))
		return nil
	}
	if n == 0 {
		return nil
	}
	var scales []float64
	var zeros []int64
	if c.s.DType == arg.F64 && c.z.DType == arg.I64 {
		scales, zeros = executor.Slice[float64](c.s), executor.Slice[int64](c.z)
	}
	last := c.x.Sizes[rank-1]
	var at, to walk.Cursor
	c.rows.Seek(&at, 0)
	c.to.Seek(&to, 0)
	down, across := c.rows.Stride[c.rows.Rank-1], c.to.Stride[c.to.Rank-1]
	for left := n / last; left > 0; {
		k := min(left, c.rows.Left(&at), c.to.Left(&to))
		in, out := at.Off, to.Off
		for range k {
			lo, hi := c.span(in, last, c.x.Strides[rank-1])
			scale := max(c.round(c.round(hi-lo)/(c.hi-c.lo)), c.eps)
			a, b := c.round(lo/scale), c.round(hi/scale)
			zero := c.round(c.hi - b)
			if c.round(c.lo+a)+c.round(c.hi+b) > 0 {
				zero = c.round(c.lo - a)
			}
			whole := math.RoundToEven(float64(max(c.lo, min(c.hi, zero))))
			if zeros == nil {
				c.put(out, scale, whole)
			} else {
				scales[out], zeros[out] = float64(scale), arg.Truncate(whole)
			}
			in, out = in+down, out+across
		}
		c.rows.Skip(&at, k)
		c.to.Skip(&to, k)
		left -= k
	}
	return nil
}

// round rounds to the type of the input.
func (c *choose) round(x float32) float32 {
	if !arg.IsHalf(c.x.DType) {
		return x
	}
	return float32(rounded(float64(x), c.x.DType))
}

// down is the nearest int32, or the smallest one for NaN and what does not fit, as on x86.
func down(x float32) int64 {
	if r := math.RoundToEven(float64(x)); math.Abs(r) < 1<<31 {
		return int64(r)
	}
	return math.MinInt32
}

// span is the range of n elements, zero included; NaN if any element is.
func (c *choose) span(at, n, step int) (lo, hi float32) {
	if c.load == nil && step == 1 {
		return extend(0, 0, executor.Slice[float32](c.x)[at:at+n])
	}
	for n > 0 {
		part := c.some[:min(n, len(c.some))]
		if c.load == nil {
			x := executor.Slice[float32](c.x)[at:]
			for i := range part {
				part[i] = x[i*step]
			}
		} else {
			c.load(c.bytes, c.x.Data, at, step, len(part))
		}
		lo, hi = extend(lo, hi, part)
		at += len(part) * step
		n -= len(part)
	}
	return lo, hi
}

func extend(lo, hi float32, x []float32) (float32, float32) {
	if len(x) >= 16 {
		return min(lo, fmath.MinOf(x)), max(hi, fmath.MaxOf(x))
	}
	if lo != lo {
		return lo, hi
	}
	for _, v := range x {
		if !(v >= lo) {
			if lo = v; v != v {
				return v, v
			}
		}
		if v > hi {
			hi = v
		}
	}
	return lo, hi
}

func (c *choose) put(i int, scale float32, zero float64) {
	if c.s.DType == arg.F64 {
		executor.Slice[float64](c.s)[i] = float64(scale)
	} else {
		executor.Slice[float32](c.s)[i] = scale
	}
	z := arg.Truncate(zero)
	if c.z.DType == arg.I64 {
		executor.Slice[int64](c.z)[i] = z
	} else {
		executor.Slice[int32](c.z)[i] = int32(z)
	}
}
