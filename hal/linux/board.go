package linux

import (
	"errors"
	"fmt"
	"sync/atomic"

	"github.com/ptero-rt/ptero/hal"
)

// Source says where the memory of a pool comes from: Heap or Physical.
type Source interface {
	open(s system, p *hal.Pool) (*mapping, error)
}

// Heap is a DMA heap, for instance "/dev/dma_heap/linux,cma". The pool becomes one buffer of it.
type Heap struct{ Path string }

// Physical is a device that maps bus addresses: "/dev/mem", at the pool's base, or a UIO device, at Offset.
type Physical struct {
	Path   string
	Offset *uint64 // nil: the pool's base
}

// Board is memory that the kernel lends. Its methods may be called by several goroutines at once, except Close.
type Board struct {
	spec   hal.Spec
	sys    system
	maps   []*mapping
	clock  hal.Clock
	closed atomic.Bool
}

// mapping is the memory of one pool.
type mapping struct {
	bytes  []byte
	fd     int
	synced bool // by ioctl on fd
}

// ErrClosed is the error of calls on a closed board.
var ErrClosed = errors.New("the board is closed")

// Open maps every pool of spec from its source, named by pool. All that is wrong is reported together, and nothing stays
// mapped then.
func Open(spec hal.Spec, sources map[string]Source) (*Board, error) {
	return open(spec, sources, kernel())
}

func open(spec hal.Spec, sources map[string]Source, sys system) (*Board, error) {
	b := &Board{spec: spec, sys: sys, clock: hal.NewHostClock(), maps: make([]*mapping, len(spec.Pools))}
	var errs []error
	for i := range spec.Pools {
		p := &spec.Pools[i]
		from, ok := sources[p.Name]
		if !ok {
			errs = append(errs, fmt.Errorf("pool %s: want a source, found none", p.Name))
			continue
		}
		m, err := from.open(sys, p)
		if err != nil {
			errs = append(errs, fmt.Errorf("pool %s: %d B: %w", p.Name, p.Size, err))
			continue
		}
		b.maps[i] = m
	}
	if len(errs) > 0 {
		return nil, errors.Join(append(errs, b.Close())...)
	}
	return b, nil
}

// Name gives the name of the board.
func (b *Board) Name() string { return b.spec.Name }

// Pools gives the pools in fixed order. The slice belongs to the board.
func (b *Board) Pools() []hal.Pool { return b.spec.Pools }

// Devices gives the devices that the profile lists. The slice belongs to the board.
func (b *Board) Devices() []hal.Device { return b.spec.Devices }

// Placement gives the board's convention for arenas.
func (b *Board) Placement() hal.Placement { return b.spec.Placement }

// Clock gives the machine's monotonic clock.
func (b *Board) Clock() hal.Clock { return b.clock }

func (b *Board) mapping(p hal.PoolID) (*mapping, error) {
	if b.closed.Load() {
		return nil, ErrClosed
	}
	if int(p) >= len(b.maps) {
		return nil, fmt.Errorf("no such pool: want 0…%d, found %d", len(b.maps)-1, p)
	}
	return b.maps[p], nil
}

// Window gives the whole pool.
func (b *Board) Window(p hal.PoolID) (hal.Region, error) {
	m, err := b.mapping(p)
	if err != nil {
		return hal.Region{}, err
	}
	return hal.Region{Bytes: m.bytes, Addr: b.spec.Pools[p].Base, Pool: p}, nil
}

// Locate finds bytes of a window. Other memory of the process no device can read.
func (b *Board) Locate(bytes []byte) (hal.Region, bool) {
	for i := range b.maps {
		if w, err := b.Window(hal.PoolID(i)); err == nil {
			if r, ok := w.Locate(bytes); ok {
				return r, true
			}
		}
	}
	return hal.Region{}, false
}

// FD gives the descriptor of a pool's buffer for a driver to import, false for physical windows. It stays the board's.
func (b *Board) FD(p hal.PoolID) (int, bool) {
	m, err := b.mapping(p)
	if err != nil || !m.synced {
		return 0, false
	}
	return m.fd, true
}

// Sync does cache maintenance on the buffer that r is part of; physical windows need none. The kernel does it only for
// devices that have imported the buffer, and always on all of it. Dropping the CPU's lines would therefore lose what it
// wrote elsewhere in the pool, so Invalidate writes everything back first; a device's results are safe from that, as
// their lines were written back and dropped before the job.
func (b *Board) Sync(r hal.Region, d hal.Direction) error {
	m, err := b.mapping(r.Pool)
	if err != nil {
		return err
	}
	if d < hal.Clean || d > hal.CleanInvalidate {
		return fmt.Errorf("sync direction: want 1…3, found %d", d)
	}
	if !m.synced || len(r.Bytes) == 0 {
		return nil
	}
	switch d {
	case hal.Clean:
		return b.bufferSync(m, syncEnd|syncWrite)
	case hal.CleanInvalidate:
		return b.bufferSync(m, syncEnd|syncRead|syncWrite)
	}
	if err := b.bufferSync(m, syncEnd|syncWrite); err != nil {
		return err
	}
	return b.bufferSync(m, syncStart|syncRead)
}

func (b *Board) bufferSync(m *mapping, flags uint64) error {
	arg := bufferSync{flags}.bytes()
	if err := b.sys.ioctl(m.fd, ioctlBufferSync, arg[:]); err != nil {
		return fmt.Errorf("DMA_BUF_IOCTL_SYNC %#x: %w", flags, err)
	}
	return nil
}

// Close unmaps and closes everything. A second Close does nothing.
func (b *Board) Close() error {
	if b.closed.Swap(true) {
		return nil
	}
	var errs []error
	for _, m := range b.maps {
		if m != nil {
			errs = append(errs, b.sys.munmap(m.bytes), b.sys.close(m.fd))
		}
	}
	return errors.Join(errs...)
}
