package cpu

import (
	"fmt"
	"math"

	"github.com/ptero-rt/ptero/backends/cpu/arg"
	"github.com/ptero-rt/ptero/backends/cpu/fft"
	"github.com/ptero-rt/ptero/backends/cpu/walk"
	"github.com/ptero-rt/ptero/executor"
	"github.com/ptero-rt/ptero/internal/fault"
	"github.com/ptero-rt/ptero/memory"
)

// ffts are the discrete Fourier transforms of real tensors, of complex ones, and back to real ones. Everything is
// computed in f64. The last dimension of the list is the one that is halved.
func ffts() []executor.Op {
	forward := arg.Sign("aten::_fft_r2c.out", "self dim normalization onesided out")
	back := arg.Sign("aten::_fft_c2r.out", "self dim normalization last_dim_size out")
	both := arg.Sign("aten::_fft_c2c.out", "self dim normalization forward out")
	return []executor.Op{
		planned(forward, func() work { return &fftCall{sig: forward, kind: realIn} }),
		planned(back, func() work { return &fftCall{sig: back, kind: realOut} }),
		planned(both, func() work { return &fftCall{sig: both, kind: complexBoth} }),
	}
}

type fftKind uint8

const (
	realIn fftKind = iota
	realOut
	complexBoth
)

// fftCall copies the input into complex numbers of full size, in row-major order, transforms one dimension after the
// other in place, and copies what is wanted out.
type fftCall struct {
	sig     *arg.Signature
	kind    fftKind
	in, out *executor.Tensor
	dims    [arg.MaxRank]int // the last one first
	ndims   int
	shape   [arg.MaxRank]int // of the full spectrum
	rank    int
	total   int
	inverse bool
	scale   float64
	plans   [arg.MaxRank]*fft.Plan
	pairs   *fft.Real // rows of reals that lie one after the other, taken by twos; nil: not so
	from    executor.DType
	load    walk.Load
	// loadPairs loads reals by twos.
	loadPairs walk.Load
}

// fftLimit bounds the elements that a transform works on, so that sizes in a file cannot ask for all memory.
const fftLimit = 1 << 28

func (c *fftCall) needs(args []*executor.Value, planned bool) []memory.Need {
	n := c.total + c.scratch()
	if !planned {
		// The full spectrum has fewer than twice the elements of the larger side, and so has each row.
		in, out := args[0].Tensor(), args[c.sig.Out()].Tensor()
		if in == nil || out == nil {
			return nil
		}
		n = 2 * max(in.Bound(), out.Bound())
		n += fft.ScratchBound(n)
	}
	return []memory.Need{{Role: "spectrum", Place: memory.Temp, Bytes: 16 * uint64(max(n, 1)), Align: 64}}
}

func (c *fftCall) scratch() int {
	most, from := 0, 0
	if c.pairs != nil {
		most, from = c.pairs.Scratch(), 1
	}
	for k := from; k < c.ndims; k++ {
		most = max(most, c.plans[k].Scratch()+c.plans[k].Len())
	}
	return most
}

func (c *fftCall) plan(args []*executor.Value) error {
	sig := c.sig
	var err error
	if c.in, err = sig.Tensor(args, 0); err != nil {
		return err
	}
	if c.out, err = sig.Tensor(args, sig.Out()); err != nil {
		return err
	}
	if err := c.types(); err != nil {
		return err
	}
	if err := c.dimensions(args); err != nil {
		return err
	}
	if err := c.lengths(args); err != nil {
		return err
	}
	c.total = 1
	for d := range c.rank {
		if n := c.shape[d]; n > 0 && c.total > fftLimit/n {
			return sig.Wrong(fmt.Sprintf("at most %d elements", fftLimit), intsText(c.shape[:c.rank]))
		}
		c.total *= c.shape[d]
	}
	signal := 1.0
	for k := range c.ndims {
		n := c.shape[c.dims[k]]
		if n < 1 {
			return sig.Bad(1, "dimensions of at least 1", fmt.Sprint(n))
		}
		signal *= float64(n)
		if k == 0 && c.takePairs(n) {
			continue
		}
		if c.plans[k] == nil || c.plans[k].Len() != n {
			c.plans[k] = fft.NewPlan(n)
		}
	}
	return c.normalize(args, signal)
}

// takePairs says whether the halved dimension, of size n, is the last one of a real tensor in row-major order.
func (c *fftCall) takePairs(n int) bool {
	reals := c.in
	if c.kind == realOut {
		reals = c.out
	}
	if c.kind == complexBoth || c.dims[0] != c.rank-1 || n%2 != 0 || !reals.IsContiguous() {
		c.pairs = nil
		return false
	}
	if c.pairs == nil || c.pairs.Len() != n {
		c.pairs = fft.NewReal(n)
	}
	return true
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
	if c.load == nil || c.from != in {
		c.from = in
		if c.load = walk.Loader(in, arg.C128); c.load == nil {
			return c.sig.Bad(0, "a type with a transform", in.String())
		}
		c.loadPairs = walk.Mover(arg.C128.Size())
		if in == arg.F32 {
			c.loadPairs = walk.Loader(arg.C64, arg.C128)
		}
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
	dims, err := sig.Ints(args, 1, buf[:0])
	if err != nil {
		return err
	}
	if len(dims) == 0 && c.kind != complexBoth || c.in.Rank() == 0 || len(dims) > c.in.Rank() {
		return sig.Bad(1, fmt.Sprintf("at least one of %d dimensions", c.in.Rank()), intsText(dims))
	}
	var seen arg.Dims
	c.ndims = len(dims)
	for i, x := range dims {
		d, err := sig.Wrap(1, int64(x), c.in.Rank())
		if err != nil {
			return err
		}
		if seen.Has(d) {
			return sig.Bad(1, "each dimension once", fmt.Sprintf("%d twice", x))
		}
		seen |= 1 << uint(d)
		c.dims[len(dims)-1-i] = d
	}
	return nil
}

// lengths finds the full shape and the output's.
func (c *fftCall) lengths(args []*executor.Value) error {
	sig := c.sig
	c.rank = c.in.Rank()
	copy(c.shape[:], c.in.Sizes)
	last := c.dims[0]
	var out [arg.MaxRank]int
	copy(out[:], c.in.Sizes)
	switch c.kind {
	case realIn:
		one, err := sig.Bool(args, 3)
		if err != nil {
			return err
		}
		if c.inverse = false; one {
			out[last] = c.shape[last]/2 + 1
		}
	case realOut:
		n, err := sig.IntIn(args, 3, 1, fftLimit)
		if err != nil {
			return err
		}
		if have := c.in.Sizes[last]; have < n/2+1 {
			return sig.Bad(3, fmt.Sprintf("a size that %d numbers give", have), fmt.Sprint(n))
		}
		c.inverse = true
		c.shape[last], out[last] = n, n
	default:
		forward, err := sig.Bool(args, 3)
		if err != nil {
			return err
		}
		c.inverse = !forward
	}
	return sig.Resize(sig.Out(), c.out, out[:c.rank]...)
}

func (c *fftCall) normalize(args []*executor.Value, signal float64) error {
	mode, err := c.sig.IntIn(args, 2, 0, 2)
	if err != nil {
		return err
	}
	switch mode {
	case 0:
		c.scale = 1
	case 1:
		c.scale = 1 / math.Sqrt(signal)
	case 2:
		c.scale = 1 / signal
	}
	return nil
}

func (c *fftCall) run(s *executor.Scope) error {
	if c.total == 0 || c.out.NumElements() == 0 {
		return nil
	}
	temp, err := s.TempBytes(16 * (c.total + c.scratch()))
	if err != nil {
		return err
	}
	all := executor.SliceBytes[complex128](temp)
	x, scratch := all[:c.total], all[c.total:]
	c.read(x, temp)
	for i := range c.ndims {
		k := i
		if c.kind == realOut {
			k = c.ndims - 1 - i // the halved dimension is last on the way back
		}
		if k == 0 && c.pairs != nil {
			c.transformPairs(x, scratch)
			continue
		}
		if c.kind == realOut && k == 0 {
			c.mirror(x)
		}
		c.transform(x, scratch, c.plans[k], c.dims[k])
	}
	if err := c.write(x); err != nil {
		return fault.Under(c.sig.Op, err)
	}
	return nil
}
