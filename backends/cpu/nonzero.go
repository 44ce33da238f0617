package cpu

import (
	"fmt"

	"github.com/ptero-rt/ptero/backends/cpu/arg"
	"github.com/ptero-rt/ptero/backends/cpu/site"
	"github.com/ptero-rt/ptero/backends/cpu/walk"
	"github.com/ptero-rt/ptero/executor"
	"github.com/ptero-rt/ptero/memory"
)

// listings are the operators that write a list as long as data says: where a tensor is not zero, and each index as often
// as a tensor tells.
func listings() []executor.Op {
	nonzero := arg.Sign("aten::nonzero.out", "self out")
	repeat := arg.Sign("aten::repeat_interleave.Tensor_out", "repeats output_size out")
	return []executor.Op{
		site.Planned(nonzero, func() site.Work { return &nonzeroCall{sig: nonzero} }),
		site.Planned(repeat, func() site.Work { return &repeatsCall{sig: repeat} }),
	}
}

// nonzeroCall goes through the tensor in logical order twice: it counts, then writes coordinates.
type nonzeroCall struct {
	sig     *arg.Signature
	in, out *executor.Tensor
	cast    walk.Cast // to bools
	rank    int
	size    [arg.MaxRank]int
	stride  [arg.MaxRank]int
}

func (c *nonzeroCall) BoundNeeds(args []*executor.Value) []memory.Need {
	return site.Temp("element blocks", min(walk.Block, elementsAt(args[0])))
}

func (c *nonzeroCall) Plan(args []*executor.Value) error {
	r := c.sig.Read(args)
	c.in, c.out = r.Tensor(0), r.Of(1, arg.Of(arg.I64))
	if r.Rank(1, c.out, 2); r.Err != nil {
		return r.Err
	}
	if c.cast.Set(c.in.DType, arg.Bool) != nil {
		return c.sig.Bad(0, arg.RealBool.String(), c.in.DType.String())
	}
	c.rank = c.in.Rank()
	copy(c.size[:], c.in.Sizes)
	copy(c.stride[:], c.in.Strides)
	if c.rank == 0 {
		c.rank, c.size[0], c.stride[0] = 1, 1, 1
	}
	return nil
}

func (c *nonzeroCall) Run(s *executor.Scope) error {
	block, err := s.TempBytes(min(walk.Block, c.in.NumElements()))
	if err != nil {
		return err
	}
	found, n := 0, c.in.NumElements()
	for at := 0; at < n; at += len(block) {
		k := min(len(block), n-at)
		c.cast.Load(block, c.in.Data, at, 1, k)
		found += walk.Count(block[:k])
	}
	if err := c.sig.Resize(1, c.out, found, c.in.Rank()); err != nil {
		return err
	}
	if found == 0 || c.in.Rank() == 0 {
		return nil
	}
	c.write(block, n)
	return nil
}

// write goes row by row through the last dimension.
func (c *nonzeroCall) write(block []byte, n int) {
	list := coordinates{y: executor.Slice[int64](c.out), down: c.out.Strides[0], right: c.out.Strides[1], rank: c.rank}
	last := c.rank - 1
	width, step := c.size[last], c.stride[last]
	for off := 0; n > 0; n -= width {
		for j := 0; j < width; j += len(block) {
			k := min(len(block), width-j)
			c.cast.Load(block, c.in.Data, off+j*step, step, k)
			list.add(block[:k], j)
		}
		for d := last - 1; d >= 0; d-- {
			off += c.stride[d]
			if list.index[d]++; list.index[d] < int64(c.size[d]) {
				break
			}
			off -= c.size[d] * c.stride[d]
			list.index[d] = 0
		}
	}
}

// coordinates is the list that is written.
type coordinates struct {
	y           []int64
	down, right int
	rank        int
	index       [arg.MaxRank]int64 // of the row that is gone through
	at          int                // in y
}

// add writes the coordinates of those elements of a row, from element j on, that the bools say.
func (l *coordinates) add(some []byte, j int) {
	y, at, last := l.y, l.at, l.rank-1
	packed := l.right == 1 && l.down == l.rank
	switch {
	case packed && last == 0:
		for i, b := range some {
			if b != 0 {
				y[at] = int64(j + i)
				at++
			}
		}
	case packed && last == 1:
		row := l.index[0]
		for i, b := range some {
			if b != 0 {
				to := y[at : at+2]
				to[0], to[1] = row, int64(j+i)
				at += 2
			}
		}
	case packed && last == 2:
		plane, row := l.index[0], l.index[1]
		for i, b := range some {
			if b != 0 {
				to := y[at : at+3]
				to[0], to[1], to[2] = plane, row, int64(j+i)
				at += 3
			}
		}
	case packed:
		for i, b := range some {
			if b != 0 {
				to, from := y[at:at+l.rank], l.index[:last]
				for d, x := range from {
					to[d] = x
				}
				to[last] = int64(j + i)
				at += l.rank
			}
		}
	default:
		for i, b := range some {
			if b != 0 {
				for d, x := range l.index[:last] {
					y[at+d*l.right] = x
				}
				y[at+last*l.right] = int64(j + i)
				at += l.down
			}
		}
	}
	l.at = at
}

type repeatsCall struct {
	sig     *arg.Signature
	in, out *executor.Tensor
	want    int64 // -1: not given
}

func (c *repeatsCall) Plan(args []*executor.Value) error {
	r := c.sig.Read(args)
	c.in = r.Of(0, arg.Signed|arg.Of(arg.U8))
	c.out, c.want = r.Like(2, c.in), r.IntOr(1, -1)
	r.Rank(0, c.in, 1)
	if c.want < -1 {
		r.Bad(1, "a size ≥ 0", fmt.Sprint(c.want))
	}
	return r.Err
}

func (c *repeatsCall) Run(*executor.Scope) error {
	switch c.in.DType {
	case arg.U8:
		return repeats[uint8](c)
	case arg.I8:
		return repeats[int8](c)
	case arg.I16:
		return repeats[int16](c)
	case arg.I32:
		return repeats[int32](c)
	}
	return repeats[int64](c)
}

// repeats writes indices in the type of the repeats, in which those that do not fit wrap around.
func repeats[T integer](c *repeatsCall) error {
	times, most := executor.Slice[T](c.in), int64(c.out.Bound())
	var total int64
	for _, n := range times {
		switch {
		case n < 0:
			return c.sig.Bad(0, "numbers ≥ 0", fmt.Sprint(n))
		case int64(n) > most-total:
			return c.sig.Bad(2, fmt.Sprintf("at most %d elements", most), "repeats for more")
		}
		total += int64(n)
	}
	if c.want >= 0 && c.want != total && len(times) > 0 {
		return c.sig.Bad(1, fmt.Sprintf("%d, the sum of repeats", total), fmt.Sprint(c.want))
	}
	if err := c.sig.Resize(2, c.out, int(total)); err != nil {
		return err
	}
	y, at := executor.Slice[T](c.out), 0
	for i, n := range times {
		if n == 1 {
			y[at] = T(i)
			at++
			continue
		}
		for end := at + int(n); at < end; at++ {
			y[at] = T(i)
		}
	}
	return nil
}
