package walk

import (
	"encoding/binary"
	"fmt"
	"math/bits"

	"github.com/ptero-rt/ptero/backends/cpu/arg"
	"github.com/ptero-rt/ptero/executor"
	"github.com/ptero-rt/ptero/internal/fault"
)

// pick is one index tensor, or a mask over one or more dimensions, whose hits count as one list of indices.
type pick struct {
	t      *executor.Tensor
	dim    int
	n      int  // size of the dimension that is indexed
	view   View // by position
	mask   bool
	hits   int
	picked View // of the tensor, over the mask's dimensions
	cur    Cursor
	off    Cursor
	pos    int
	once   int // the place of the only hit
}

// widen broadcasts sizes onto a right-aligned shape.
func widen(pos *[arg.MaxRank]int, rank int, sizes []int) (int, error) {
	for i := range len(sizes) {
		n := sizes[len(sizes)-1-i]
		have := &pos[arg.MaxRank-1-i]
		switch {
		case i >= rank || *have == 1:
			*have = n
		case n != 1 && n != *have:
			return 0, fault.New(fault.InvalidArgument, "", "index tensors that broadcast", fmt.Sprintf("sizes %d and %d", *have, n))
		}
	}
	return max(rank, len(sizes)), nil
}

// Count is the number of bytes that are not 0.
func Count(mask []byte) (n int) {
	const low = 0x7f7f7f7f7f7f7f7f
	for ; len(mask) >= 8; mask = mask[8:] {
		x := binary.NativeEndian.Uint64(mask)
		n += bits.OnesCount64((x&low + low | x) &^ low) // the upper bit of each byte that is not 0
	}
	for _, b := range mask {
		if b != 0 {
			n++
		}
	}
	return n
}

// lay sees the index tensor broadcast over the positions.
func (p *pick) lay(positions *View) {
	if !p.mask {
		p.view.Broadcast(p.t.Sizes, p.t.Strides, positions.Size[:positions.Rank])
	}
}

func (p *pick) rewind() {
	p.view.Seek(&p.cur, 0)
	p.pos = 0
	if !p.mask {
		return
	}
	p.picked.Seek(&p.off, 0)
	if p.hits == 1 {
		var one [1]int64
		p.next(one[:])
		p.once = int(one[0])
	}
}

// add adds to the places what the next indices say; fresh places count as 0.
func (p *pick) add(x *Index, table []int64, fresh bool) error {
	if p.mask {
		if p.hits != 1 {
			p.next(table)
			return nil
		}
		for i := range table {
			table[i] += int64(p.once)
		}
		return nil
	}
	stride := int64(x.stride[p.dim])
	for len(table) > 0 {
		k := min(len(table), p.view.Left(&p.cur))
		if bad, ok := p.places(table[:k], p.cur.Off, stride, x.Wrap, fresh); !ok {
			return p.outside(bad, x.Wrap)
		}
		p.view.Skip(&p.cur, k)
		table = table[k:]
	}
	return nil
}

// places is that for the indices of one run from element off on.
func (p *pick) places(table []int64, off int, stride int64, wrap, fresh bool) (bad int64, ok bool) {
	step := p.view.Stride[p.view.Rank-1]
	if p.t.DType == arg.I64 {
		return places(table, executor.Slice[int64](p.t)[off:], step, int64(p.n), stride, wrap, fresh)
	}
	return places(table, executor.Slice[int32](p.t)[off:], step, int64(p.n), stride, wrap, fresh)
}

// places adds stride times each index to its place, up to the first index outside of n, which it returns.
func places[T int32 | int64](table []int64, index []T, step int, n, stride int64, wrap, fresh bool) (bad int64, ok bool) {
	if step == 1 && fresh {
		for i, v := range index[:len(table)] {
			at := int64(v)
			if at < 0 && wrap {
				at += n
			}
			if uint64(at) >= uint64(n) {
				return at, false
			}
			table[i] = at * stride
		}
		return 0, true
	}
	from := 0
	for i := range table {
		at := int64(index[from])
		if at < 0 && wrap {
			at += n
		}
		if uint64(at) >= uint64(n) {
			return at, false
		}
		if at *= stride; !fresh {
			at += table[i]
		}
		table[i] = at
		from += step
	}
	return 0, true
}

func (p *pick) outside(at int64, wrap bool) error {
	lo := 0
	if wrap {
		lo = -p.n
		if at < 0 {
			at -= int64(p.n)
		}
	}
	return fault.New(fault.InvalidArgument, "", fmt.Sprintf("indices in %d…%d for dimension %d", lo, p.n-1, p.dim), fmt.Sprint(at))
}

// next adds the places of the mask's next hits; after the last comes the first again.
func (p *pick) next(table []int64) {
	for len(table) > 0 {
		if p.pos == p.view.N {
			p.view.Seek(&p.cur, 0)
			p.picked.Seek(&p.off, 0)
			p.pos = 0
		}
		k := min(p.view.Left(&p.cur), p.picked.Left(&p.off))
		m, step := p.cur.Off, p.view.Stride[p.view.Rank-1]
		off, stride := int64(p.off.Off), int64(p.picked.Stride[p.picked.Rank-1])
		used := 0
		for used < k && len(table) > 0 {
			if p.t.Data[m] != 0 {
				table[0] += off
				table = table[1:]
			}
			m += step
			off += stride
			used++
		}
		p.view.Skip(&p.cur, used)
		p.picked.Skip(&p.off, used)
		p.pos += used
	}
}
