package quant

import (
	"encoding/binary"
	"fmt"

	"github.com/ptero-rt/ptero/backends/cpu/arg"
	"github.com/ptero-rt/ptero/backends/cpu/fmath"
	"github.com/ptero-rt/ptero/backends/cpu/site"
	"github.com/ptero-rt/ptero/backends/cpu/walk"
	"github.com/ptero-rt/ptero/executor"
)

func embedding(name, extra string, bits int) executor.Op {
	sig := arg.Sign(name, "weight weight_scales weight_zero_points weight_quant_min weight_quant_max indices "+extra+" out")
	return site.Planned(sig, func() site.Work {
		return &rows{sig: sig, bits: bits, numbers: make([]byte, 4*piece), rounded: make([]byte, 2*piece)}
	})
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
	types           [2]executor.DType // of scales and output
	narrow, widen   walk.Load         // f32 to what is rounded to, and from there to the output; nil where there is no step
	codes           [piece]uint8
	numbers         []byte // a piece in f32
	rounded         []byte // and in 16 bits
}

// piece is how many elements are decoded at a time.
const piece = 256

func (c *rows) Plan(args []*executor.Value) error {
	sig, r := c.sig, c.sig.Read(args)
	types := arg.Of(arg.U8)
	if c.bits == 8 {
		types = arg.Of(arg.U8, arg.I8)
	}
	c.w, c.s, c.idx, c.y = r.Of(0, types), r.Of(1, arg.Floats), r.Of(5, arg.Of(arg.I64, arg.I32)), r.Of(r.Out(), arg.Floats)
	if c.z = r.Optional(2); c.z != nil {
		r.Of(2, arg.Floats|arg.Signed|arg.Of(arg.U8))
	}
	for i, t := range [...]*executor.Tensor{0: c.w, 1: c.s, 2: c.z, 5: c.idx} {
		r.Packed(i, t)
	}
	r.Packed(r.Out(), c.y)
	r.Rank(0, c.w, 2)
	if r.Err != nil {
		return r.Err
	}
	c.dim, c.groups = c.w.Sizes[1]*8/c.bits, 1
	if c.s.Rank() == 2 {
		c.groups = c.s.Sizes[1]
	} else if c.s.Rank() != 1 {
		return sig.Bad(1, "1 or 2 dimensions", site.Sizes(c.s))
	}
	if c.s.Sizes[0] != c.w.Sizes[0] || c.groups < 1 || c.dim%c.groups != 0 {
		return sig.Bad(1, fmt.Sprintf("one scale for each of %d rows, or for each of its equal groups", c.w.Sizes[0]), site.Sizes(c.s))
	}
	if c.z != nil && c.z.NumElements() != c.s.NumElements() {
		return sig.Bad(2, site.Sizes(c.s), site.Sizes(c.z))
	}
	c.steps()
	rank := c.idx.Rank()
	if rank+1 > arg.MaxRank {
		return sig.Bad(5, fmt.Sprintf("less than %d dimensions", arg.MaxRank), site.Sizes(c.idx))
	}
	copy(c.size[:], c.idx.Sizes)
	c.size[rank] = c.dim
	return sig.Resize(sig.Out(), c.y, c.size[:rank+1]...)
}

// steps finds how numbers in f32 become elements of the output; like PyTorch it rounds to the scales' type first.
func (c *rows) steps() {
	s, y := c.s.DType, c.y.DType
	if c.types == [2]executor.DType{s, y} {
		return
	}
	c.types, c.narrow, c.widen = [2]executor.DType{s, y}, nil, nil
	switch {
	case arg.IsHalf(s):
		c.narrow = walk.Loader(arg.F32, s)
		if y != s {
			c.widen = walk.Loader(s, y)
		}
	case y != arg.F32:
		c.narrow = walk.Loader(arg.F32, y)
	}
}

func (c *rows) Run(*executor.Scope) error {
	if c.idx.DType == arg.I64 {
		return gatherRows(c, executor.Slice[int64](c.idx))
	}
	return gatherRows(c, executor.Slice[int32](c.idx))
}

func gatherRows[T int32 | int64](c *rows, index []T) error {
	per, group, size := c.w.Sizes[1], c.dim/c.groups, c.y.DType.Size()
	scales, zeros, y := float32s(c.s), float32s(c.z), c.y.Data
	for _, r := range index {
		if r < 0 || int64(r) >= int64(c.w.Sizes[0]) {
			return c.sig.Bad(5, fmt.Sprintf("0…%d", c.w.Sizes[0]-1), fmt.Sprint(r))
		}
		row := c.w.Data[int(r)*per:][:per]
		for g := range c.groups {
			i := int(r)*c.groups + g
			scale, zero := parameter(c.s, scales, i), float32(0)
			if c.z != nil {
				zero = parameter(c.z, zeros, i)
			}
			for at, end := g*group, (g+1)*group; at < end; at += piece {
				n := min(piece, end-at)
				c.decode(y[:n*size], n, row, at, scale, zero)
				y = y[n*size:]
			}
		}
	}
	return nil
}

// float32s is a tensor's elements if they are of that type.
func float32s(t *executor.Tensor) []float32 {
	if t == nil || t.DType != arg.F32 {
		return nil
	}
	return executor.Slice[float32](t)
}

// parameter is element i of a tensor, whose elements x are if they are f32.
func parameter(t *executor.Tensor, x []float32, i int) float32 {
	if x != nil {
		return x[i]
	}
	return float32(walk.Float(t, i))
}

// decode writes n elements of a row, from element at on.
func (c *rows) decode(y []byte, n int, row []byte, at int, scale, zero float32) {
	block := y
	if c.narrow != nil {
		block = c.numbers[:4*n]
	}
	x := executor.SliceBytes[float32](block)
	if c.bits == 8 && c.w.DType == arg.I8 {
		decodeRow(x, executor.SliceBytes[int8](row)[at:][:n], 0, scale, zero, fmath.DecodeI8)
	} else {
		codes, middle := c.unpack(row, at, n)
		decodeRow(x, codes, middle, scale, zero, fmath.DecodeU8)
	}
	switch {
	case c.narrow == nil:
	case c.widen == nil:
		c.narrow(y, block, 0, 1, n)
	default:
		c.narrow(c.rounded, block, 0, 1, n)
		c.widen(y, c.rounded, 0, 1, n)
	}
}

// unpack gives n codes as bytes, and what was added to them.
func (c *rows) unpack(row []byte, at, n int) (codes []uint8, middle int32) {
	if c.bits == 8 {
		return row[at:][:n], 0
	}
	codes = c.codes[:n]
	i := 0
	if c.bits == 4 {
		for ; at%2 == 0 && i+8 <= n; i += 8 {
			x := uint64(binary.LittleEndian.Uint32(row[(at+i)/2:]))
			x = (x | x<<16) & 0x0000ffff_0000ffff
			x = (x | x<<8) & 0x00ff00ff_00ff00ff
			binary.LittleEndian.PutUint64(codes[i:], (x>>4|x<<8)&0x0f0f0f0f_0f0f0f0f)
		}
		for ; i < n; i++ {
			codes[i] = row[(at+i)/2] >> (4 - (at+i)%2*4) & 15
		}
		return codes, 8
	}
	for ; at%4 == 0 && i+8 <= n; i += 8 {
		x := uint64(binary.LittleEndian.Uint16(row[(at+i)/4:]))
		x = (x | x<<24) & 0x000000ff_000000ff
		x = (x | x<<12) & 0x000f000f_000f000f
		binary.LittleEndian.PutUint64(codes[i:], (x|x<<6)&0x03030303_03030303)
	}
	for ; i < n; i++ {
		codes[i] = row[(at+i)/4] >> ((at + i) % 4 * 2) & 3
	}
	return codes, 2
}

// decodeRow is (code − middle − zero) · scale; whole zero points, as they are, are taken off in integers, which is exact.
func decodeRow[Q uint8 | int8](x []float32, codes []Q, middle int32, scale, zero float32, vectors func([]float32, []Q, int32, float32)) {
	const most = 1 << 20
	if zero > -most && zero < most && zero == float32(int32(zero)) {
		vectors(x, codes, int32(zero)+middle, scale)
		return
	}
	for i, q := range codes[:len(x)] {
		x[i] = (float32(int32(q)-middle) - zero) * scale
	}
}
