package quant

import (
	"fmt"

	"github.com/ptero-rt/ptero/backends/cpu/arg"
	"github.com/ptero-rt/ptero/backends/cpu/site"
	"github.com/ptero-rt/ptero/backends/cpu/walk"
	"github.com/ptero-rt/ptero/executor"
	"github.com/ptero-rt/ptero/memory"
)

func embedding(name, extra string, bits int) executor.Op {
	sig := arg.Sign(name, "weight weight_scales weight_zero_points weight_quant_min weight_quant_max indices "+extra+" out")
	return site.Plain(sig, func() site.Call { return &rows{sig: sig, bits: bits} })
}

// rows looks rows of a quantised table up: (code − zero point) · scale, with one pair for a row or for each of its equal
// groups. Codes of 4 and 2 bits are stored with 8 and 2 added; of two in a byte the first is the high nibble, of four the
// first has the lowest bits.
type rows struct {
	sig             *arg.Signature
	bits            int
	w, s, z, idx, y *executor.Tensor
	dim, groups     int
	size            [arg.MaxRank]int
}

func (c *rows) Needs() []memory.Need { return nil }

func (c *rows) Plan(args []*executor.Value) (err error) {
	sig := c.sig
	for _, t := range [...]struct {
		at int
		to **executor.Tensor
	}{{0, &c.w}, {1, &c.s}, {5, &c.idx}, {sig.Out(), &c.y}} {
		if *t.to, err = sig.Tensor(args, t.at); err != nil {
			return err
		}
		if err := packed(sig, t.at, *t.to); err != nil {
			return err
		}
	}
	if c.z, err = sig.Optional(args, 2); err != nil {
		return err
	}
	types := arg.Of(arg.U8)
	if c.bits == 8 {
		types = arg.Of(arg.U8, arg.I8)
	}
	if err := sig.DType(0, c.w, types); err != nil {
		return err
	}
	if err := sig.DType(1, c.s, arg.Floats); err != nil {
		return err
	}
	if err := sig.DType(5, c.idx, arg.Of(arg.I64, arg.I32)); err != nil {
		return err
	}
	if err := sig.DType(sig.Out(), c.y, arg.Floats); err != nil {
		return err
	}
	if c.w.Rank() != 2 {
		return sig.Bad(0, "2 dimensions", site.Sizes(c.w))
	}
	c.dim, c.groups = c.w.Sizes[1]*8/c.bits, 1
	if r := c.s.Rank(); r == 2 {
		c.groups = c.s.Sizes[1]
	} else if r != 1 {
		return sig.Bad(1, "1 or 2 dimensions", site.Sizes(c.s))
	}
	if c.s.Sizes[0] != c.w.Sizes[0] || c.groups < 1 || c.dim%c.groups != 0 {
		return sig.Bad(1, fmt.Sprintf("one scale for each of %d rows, or for each of its equal groups", c.w.Sizes[0]), site.Sizes(c.s))
	}
	if c.z != nil {
		if err := sig.DType(2, c.z, arg.Floats|arg.Signed|arg.Of(arg.U8)); err != nil {
			return err
		}
		if c.z.NumElements() != c.s.NumElements() {
			return sig.Bad(2, site.Sizes(c.s), site.Sizes(c.z))
		}
		if err := packed(sig, 2, c.z); err != nil {
			return err
		}
	}
	r := c.idx.Rank()
	if r+1 > arg.MaxRank {
		return sig.Bad(5, fmt.Sprintf("less than %d dimensions", arg.MaxRank), site.Sizes(c.idx))
	}
	copy(c.size[:], c.idx.Sizes)
	c.size[r] = c.dim
	return sig.Resize(sig.Out(), c.y, c.size[:r+1]...)
}

func (c *rows) Run(_ *executor.Scope, _ []*executor.Value) error {
	per := c.w.Sizes[1]
	group := c.dim / c.groups
	for i := range c.idx.NumElements() {
		r := int64(0)
		if c.idx.DType == arg.I64 {
			r = executor.Slice[int64](c.idx)[i]
		} else {
			r = int64(executor.Slice[int32](c.idx)[i])
		}
		if r < 0 || r >= int64(c.w.Sizes[0]) {
			return c.sig.Bad(5, fmt.Sprintf("0…%d", c.w.Sizes[0]-1), fmt.Sprint(r))
		}
		row := c.w.Data[int(r)*per:][:per]
		for g := range c.groups {
			scale, zero := float32(element(c.s, int(r)*c.groups+g)), float32(0)
			if c.z != nil {
				zero = float32(element(c.z, int(r)*c.groups+g))
			}
			for j := g * group; j < (g+1)*group; j++ {
				c.put(i*c.dim+j, (float32(c.code(row, j))-zero)*scale)
			}
		}
	}
	return nil
}

func (c *rows) code(row []byte, j int) int {
	switch c.bits {
	case 4:
		return int(row[j/2]>>(4-j%2*4)&15) - 8
	case 2:
		return int(row[j/4]>>(j%4*2)&3) - 2
	}
	if c.w.DType == arg.I8 {
		return int(int8(row[j]))
	}
	return int(row[j])
}

// put writes an element of the output; like PyTorch it rounds to the scales' type first.
func (c *rows) put(i int, x float32) {
	switch c.s.DType {
	case arg.F16:
		x = walk.F16ToF32(walk.F32ToF16(x))
	case arg.BF16:
		x = walk.BF16ToF32(walk.F32ToBF16(x))
	}
	switch c.y.DType {
	case arg.F32:
		executor.Slice[float32](c.y)[i] = x
	case arg.F64:
		executor.Slice[float64](c.y)[i] = float64(x)
	case arg.F16:
		executor.Slice[uint16](c.y)[i] = walk.F32ToF16(x)
	default:
		executor.Slice[uint16](c.y)[i] = walk.F32ToBF16(x)
	}
}
