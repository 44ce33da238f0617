package sim

import (
	"bytes"
	"errors"
	"math/rand/v2"

	"github.com/ptero-rt/ptero/hal"
)

// cache makes two memories of a pool. The CPU's stores cannot be seen, so a line counts as changed when it differs from
// what it held when it was last in step with memory, or when it was dropped (a store allocates it again) since.
type cache struct {
	cpu     []byte
	memory  *mapping // what devices see
	synced  *mapping // the CPU's lines as they were when last in step
	dropped *mapping // a byte a line: 1 after CleanInvalidate, until Invalidate or Clean
	line    uint64

	rng  *rand.Rand // nil: no eviction
	lent [][2]uint64

	cleaned, invalidated, evicted uint64 // lines
}

func newCache(cpu *mapping, p *hal.Pool, seed uint64) (*cache, error) {
	c := &cache{cpu: cpu.bytes, line: uint64(p.Line), lent: make([][2]uint64, 0, 64)}
	if seed != 0 {
		c.rng = rand.New(rand.NewPCG(seed, p.Base))
	}
	var errs [3]error
	size := uint64(len(cpu.bytes))
	c.memory, errs[0] = reserve(size)
	c.synced, errs[1] = reserve(size)
	c.dropped, errs[2] = reserve((size + c.line - 1) / c.line)
	if err := errors.Join(errs[:]...); err != nil {
		return nil, errors.Join(err, c.close())
	}
	return c, nil
}

func (c *cache) close() error {
	var errs []error
	for _, m := range []*mapping{c.memory, c.synced, c.dropped} {
		if m != nil {
			errs = append(errs, m.close())
		}
	}
	return errors.Join(errs...)
}

// lines rounds a range out to whole lines of the pool.
func (c *cache) lines(off, n uint64) (from, to uint64) {
	return off / c.line, min((off+n+c.line-1)/c.line, uint64(len(c.dropped.bytes)))
}

// at gives the bounds of a line; the last one may be short.
func (c *cache) at(line uint64) (from, to uint64) {
	return line * c.line, min((line+1)*c.line, uint64(len(c.cpu)))
}

func (c *cache) changed(from, to uint64) bool {
	return !bytes.Equal(c.cpu[from:to], c.synced.bytes[from:to])
}

func (c *cache) writeBack(from, to uint64) {
	copy(c.memory.bytes[from:to], c.cpu[from:to])
	copy(c.synced.bytes[from:to], c.cpu[from:to])
}

func (c *cache) sync(off, n uint64, d hal.Direction) {
	if d == hal.Invalidate {
		c.evict()
		c.lent = c.lent[:0]
	}
	first, last := c.lines(off, n)
	for l := first; l < last; l++ {
		from, to := c.at(l)
		if d != hal.Invalidate {
			if c.dropped.bytes[l] != 0 || c.changed(from, to) {
				c.writeBack(from, to)
				c.cleaned++
			}
			c.dropped.bytes[l] = 0
		}
		switch d {
		case hal.Invalidate:
			copy(c.cpu[from:to], c.memory.bytes[from:to])
			copy(c.synced.bytes[from:to], c.memory.bytes[from:to])
			c.dropped.bytes[l] = 0
			c.invalidated++
		case hal.CleanInvalidate:
			c.dropped.bytes[l] = 1
			c.invalidated++
		}
	}
}

// lend gives the devices' bytes and remembers which, as those whose eviction can do harm.
func (c *cache) lend(off, n uint64) []byte {
	if c.rng != nil && len(c.lent) < cap(c.lent) {
		c.lent = append(c.lent, [2]uint64{off, n})
		c.evict()
	}
	return c.memory.bytes[off : off+n : off+n]
}

func (c *cache) evict() {
	if c.rng == nil {
		return
	}
	for _, r := range c.lent {
		first, last := c.lines(r[0], r[1])
		for l := first; l < last; l++ {
			from, to := c.at(l)
			if c.changed(from, to) && c.rng.Uint32()&1 == 0 {
				c.writeBack(from, to)
				c.evicted++
			}
		}
	}
}

func (c *cache) trim(off, n uint64) error {
	first, last := c.lines(off, n)
	clear(c.dropped.bytes[first:last])
	return errors.Join(c.memory.trim(off, off+n), c.synced.trim(off, off+n))
}
