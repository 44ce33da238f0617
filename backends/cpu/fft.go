package cpu

import (
	"fmt"
	"math"

	"github.com/ptero-rt/ptero/backends/cpu/arg"
	"github.com/ptero-rt/ptero/backends/cpu/fft"
	"github.com/ptero-rt/ptero/backends/cpu/site"
	"github.com/ptero-rt/ptero/executor"
	"github.com/ptero-rt/ptero/memory"
)

// ffts are the discrete Fourier transforms of real tensors, of complex ones, and back to real ones, computed in the type
// of the tensors as in PyTorch. The last dimension of the list is the one that is halved.
func ffts() []executor.Op {
	forward := arg.Sign("aten::_fft_r2c.out", "self dim normalization onesided out")
	back := arg.Sign("aten::_fft_c2r.out", "self dim normalization last_dim_size out")
	both := arg.Sign("aten::_fft_c2c.out", "self dim normalization forward out")
	return []executor.Op{
		site.Planned(forward, func() site.Work { return &fftCall{sig: forward, kind: realIn} }),
		site.Planned(back, func() site.Work { return &fftCall{sig: back, kind: realOut} }),
		site.Planned(both, func() site.Work { return &fftCall{sig: both, kind: complexBoth} }),
	}
}

type fftKind uint8

const (
	realIn fftKind = iota
	realOut
	complexBoth
)

// fftCall transforms one dimension after the other: the first from the input to the output, others where they lie. On the
// way back to reals the halved dimension is the last one, and what comes before it happens in temp memory.
type fftCall struct {
	sig     *arg.Signature
	kind    fftKind
	in, out *executor.Tensor
	dims    [arg.MaxRank]int // the halved one first
	ndims   int
	inverse bool
	full    bool // both halves of the spectrum of reals
	scale   float64
	total   int // complex numbers in temp memory
	single  spectrum[float32]
	double  spectrum[float64]
}

// fftLimit bounds the length of a transform, so that sizes in a file cannot ask for all memory.
const fftLimit = 1 << 28

func (c *fftCall) Needs() []memory.Need { return site.Temp("spectrum", max(c.bytes(), 1)) }

func (c *fftCall) BoundNeeds(args []*executor.Value) []memory.Need {
	in, out := elementsAt(args[0]), elementsAt(args[c.sig.Out()])
	return site.Temp("spectrum", 16*in+64+fft.BytesBound(2*max(in, out)))
}

func (c *fftCall) bytes() int {
	if c.wide() {
		return c.double.bytes(c)
	}
	return c.single.bytes(c)
}

// wide says whether the tensors are of f64.
func (c *fftCall) wide() bool { return c.in.DType == arg.F64 || c.in.DType == arg.C128 }

func (c *fftCall) Plan(args []*executor.Value) error {
	sig, r := c.sig, c.sig.Read(args)
	if c.in, c.out = r.Tensor(0), r.Tensor(r.Out()); r.Err != nil {
		return r.Err
	}
	if err := c.types(); err != nil {
		return err
	}
	if err := c.dimensions(args); err != nil {
		return err
	}
	mode := r.IntIn(2, 0, 2)
	if c.lengths(&r); r.Err != nil {
		return r.Err
	}
	signal := 1.0
	for _, d := range c.dims[:c.ndims] {
		n := c.length(d)
		if n < 1 || n > fftLimit {
			return sig.Bad(1, fmt.Sprintf("dimensions of 1 to %d", fftLimit), fmt.Sprint(n))
		}
		signal *= float64(n)
	}
	c.scale = [...]float64{1, 1 / math.Sqrt(signal), 1 / signal}[mode]
	c.total = 0
	if c.kind == realOut && c.ndims > 1 {
		c.total = c.in.NumElements()
	}
	if c.out.NumElements() == 0 || c.in.NumElements() == 0 {
		return nil
	}
	if c.wide() {
		c.double.plan(c)
	} else {
		c.single.plan(c)
	}
	return nil
}

// length is the number of reals or complex numbers that dimension d of the signal has.
func (c *fftCall) length(d int) int {
	if d == none {
		return 1
	}
	if c.kind == realOut {
		return c.out.Sizes[d]
	}
	return c.in.Sizes[d]
}

func (c *fftCall) types() error {
	in, out := c.in.DType, c.out.DType
	want := in
	switch c.kind {
	case realIn:
		if want = partner(in); arg.Complex.Has(in) {
			want = 0
		}
	case realOut:
		if want = partner(in); arg.Floats.Has(in) {
			want = 0
		}
	default:
		if !arg.Complex.Has(in) {
			want = 0
		}
	}
	if want == 0 {
		return c.sig.Bad(0, "a type with a transform", in.String())
	}
	if out != want {
		return c.sig.Bad(c.sig.Out(), want.String(), out.String())
	}
	return nil
}

// partner is the complex type of a real one, and the real type of a complex one; 0 if there is none.
func partner(d executor.DType) executor.DType {
	switch d {
	case arg.F32:
		return arg.C64
	case arg.F64:
		return arg.C128
	case arg.C64:
		return arg.F32
	case arg.C128:
		return arg.F64
	}
	return 0
}

func (c *fftCall) dimensions(args []*executor.Value) error {
	sig := c.sig
	var buf [arg.MaxRank]int
	dims, err := sig.DimList(args, 1, c.in.Rank(), buf[:0])
	if err != nil {
		return err
	}
	if len(dims) == 0 && c.kind != complexBoth || c.in.Rank() == 0 || len(dims) > c.in.Rank() {
		return sig.Bad(1, fmt.Sprintf("at least one of %d dimensions", c.in.Rank()), arg.List(dims))
	}
	c.ndims = len(dims)
	for i, d := range dims {
		c.dims[len(dims)-1-i] = d
	}
	return nil
}

// lengths finds the output's shape.
func (c *fftCall) lengths(r *arg.Reader) {
	rank := c.in.Rank()
	var out [arg.MaxRank]int
	copy(out[:], c.in.Sizes)
	last := c.dims[0]
	c.inverse = false
	switch c.kind {
	case realIn:
		if c.full = !r.Bool(3); !c.full {
			out[last] = out[last]/2 + 1
		}
	case realOut:
		n := r.IntIn(3, 1, fftLimit)
		if have := c.in.Sizes[last]; have < n/2+1 {
			r.Bad(3, fmt.Sprintf("a size that %d numbers give", have), fmt.Sprint(n))
		}
		c.inverse = true
		out[last] = n
	default:
		c.inverse = !r.Bool(3)
	}
	r.Resize(r.Out(), c.out, out[:rank]...)
}

func (c *fftCall) Run(s *executor.Scope) error {
	if c.out.NumElements() == 0 || c.in.NumElements() == 0 {
		return nil
	}
	temp, err := s.TempBytes(c.bytes())
	if err != nil {
		return err
	}
	if c.wide() {
		c.double.run(s, c, executor.SliceBytes[float64](temp))
	} else {
		c.single.run(s, c, executor.SliceBytes[float32](temp))
	}
	return nil
}
