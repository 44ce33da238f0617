// Package sim is a board without hardware. Its pools are separate mappings with guard pages on both sides and addresses of
// their own; where the real pool is cached and not coherent, the CPU and the devices see two memories that only cache
// maintenance brings in step:
//
//	CPU ──▶ Window ─┐ Clean: lines that the CPU changed ─▶ ┌─ DeviceBytes ◀── simulated NPU
//	                └─◀──────────────────── Invalidate ────┘
//
// So a missing or misplaced Sync is a wrong result on a desk, not a rare one in the field.
package sim

import (
	"errors"
	"fmt"
	"sync"
	"sync/atomic"

	"github.com/ptero-rt/ptero/hal"
)

// Options choose how unkind the board is. The zero value is kind.
type Options struct {
	// EvictSeed, where not 0, makes the board write back some of the CPU's changed lines while devices run, at random
	// but repeatably.
	EvictSeed uint64
}

// Errors of a simulated board, for errors.Is.
var (
	ErrNotVisible = errors.New("the device does not reach these bytes")
	ErrClosed     = errors.New("the board is closed")
	ErrPool       = errors.New("no such pool")
)

// Board is a simulated board. Its methods may be called by several goroutines at once, except Close.
type Board struct {
	spec   hal.Spec
	banks  []*bank
	clock  hal.Clock
	closed atomic.Bool
	trace  traffic
}

// bank is the memory behind one pool.
type bank struct {
	cpu *mapping
	mu  sync.Mutex
	*cache
}

// mapping is reserved address space; bytes is the part between its guards.
type mapping struct{ bytes, all []byte }

// Host opens the board "host".
func Host() (*Board, error) { return Open(hal.Host(), Options{}) }

// Open maps the pools of spec. Where int has 32 bits there may be no room for all of a large pool: its window is then
// shorter than the pool.
func Open(spec hal.Spec, o Options) (*Board, error) {
	b := &Board{spec: spec, clock: hal.NewHostClock(), trace: traffic{count: map[actorPool]*Traffic{}}}
	b.spec.Pools = append([]hal.Pool(nil), spec.Pools...)
	for i := range b.spec.Pools {
		p := &b.spec.Pools[i]
		k, err := openBank(p, o)
		if err != nil {
			_ = b.Close()
			return nil, fmt.Errorf("board %s: pool %s: %d B: %w", spec.Name, p.Name, p.Size, err)
		}
		b.banks = append(b.banks, k)
	}
	return b, nil
}

// openBank maps a pool, or as much of it as there is room for.
func openBank(p *hal.Pool, o Options) (*bank, error) {
	for size := p.Size; ; size /= 2 {
		k, err := newBank(p, size, o)
		if err == nil || size < smallest || !mayCut(p) {
			return k, err
		}
	}
}

const smallest = 16 << 20

func mayCut(p *hal.Pool) bool { return p.Attr.Has(hal.Universal) || ^uint(0)>>32 == 0 }

func newBank(p *hal.Pool, size uint64, o Options) (*bank, error) {
	m, err := reserve(size)
	if err != nil {
		return nil, err
	}
	k := &bank{cpu: m}
	if twoViews(p) {
		if k.cache, err = newCache(m, p, o.EvictSeed); err != nil {
			return nil, errors.Join(err, m.close())
		}
	}
	return k, nil
}

// twoViews says whether CPU and devices can disagree on what a pool holds.
func twoViews(p *hal.Pool) bool {
	return p.Attr.Has(hal.CPUCached|hal.CPUWrite) && !p.Attr.Has(hal.Coherent) && p.Line > 0 && len(p.Views) > 0
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

// Window gives the pool as the CPU sees it.
func (b *Board) Window(p hal.PoolID) (hal.Region, error) {
	if b.closed.Load() {
		return hal.Region{}, ErrClosed
	}
	if int(p) >= len(b.banks) {
		return hal.Region{}, fmt.Errorf("%w: want 0…%d, found %d", ErrPool, len(b.banks)-1, p)
	}
	return b.window(p), nil
}

func (b *Board) window(p hal.PoolID) hal.Region {
	return hal.Region{Bytes: b.banks[p].cpu.bytes, Addr: b.spec.Pools[p].Base, Pool: p}
}

// offset gives where r begins in its pool, false where it is not part of the pool's window.
func (b *Board) offset(r hal.Region) (uint64, bool) {
	at, ok := b.window(r.Pool).Locate(r.Bytes)
	return at.Addr - b.spec.Pools[r.Pool].Base, ok
}

// Locate says where bytes lie. Bytes of a window have the pool's address; all others (a mapped file) count as the
// board's loader would have put them into the pool of constants, at their address in this process, provided that a
// device reaches that pool at all.
func (b *Board) Locate(bytes []byte) (hal.Region, bool) {
	for i := range b.banks {
		if r, ok := b.window(hal.PoolID(i)).Locate(bytes); ok {
			return r, true
		}
	}
	id := b.spec.Placement.Constants
	if int(id) >= len(b.banks) || len(bytes) == 0 {
		return hal.Region{}, false
	}
	if p := &b.spec.Pools[id]; len(p.Views) == 0 && !p.Attr.Has(hal.Universal) {
		return hal.Region{}, false
	}
	return hal.Region{Bytes: bytes, Addr: uint64(address(bytes)), Pool: id}, true
}

// Sync does cache maintenance on r, rounded out to lines.
func (b *Board) Sync(r hal.Region, d hal.Direction) error {
	if b.closed.Load() {
		return ErrClosed
	}
	if int(r.Pool) >= len(b.banks) {
		return fmt.Errorf("%w: want 0…%d, found %d", ErrPool, len(b.banks)-1, r.Pool)
	}
	if d < hal.Clean || d > hal.CleanInvalidate {
		return fmt.Errorf("sync direction: want 1…3, found %d", d)
	}
	k := b.banks[r.Pool]
	off, ok := b.offset(r)
	if !ok || k.cache == nil {
		return nil
	}
	k.mu.Lock()
	defer k.mu.Unlock()
	k.sync(off, uint64(len(r.Bytes)), d)
	return nil
}

// DeviceBytes gives r as a device sees it. The device is named as in hal.ViewOf.
func (b *Board) DeviceBytes(device string, r hal.Region) ([]byte, error) {
	if b.closed.Load() {
		return nil, ErrClosed
	}
	if int(r.Pool) >= len(b.banks) {
		return nil, fmt.Errorf("%w: want 0…%d, found %d", ErrPool, len(b.banks)-1, r.Pool)
	}
	p := &b.spec.Pools[r.Pool]
	view, ok := hal.ViewOf(b, r.Pool, device)
	if !ok {
		return nil, fmt.Errorf("%w: %s has no view of %s (%#x, %d B)", ErrNotVisible, device, p.Name, r.Addr, len(r.Bytes))
	}
	k := b.banks[r.Pool]
	off, ok := b.offset(r)
	if !ok {
		return r.Bytes, nil // located bytes outside the window are never written by the CPU
	}
	if end := off + uint64(len(r.Bytes)); end > view.Limit {
		return nil, fmt.Errorf("%w: %s reaches %d B of %s, the region ends at %d", ErrNotVisible, device, view.Limit, p.Name, end)
	}
	if k.cache == nil {
		return r.Bytes, nil
	}
	k.mu.Lock()
	defer k.mu.Unlock()
	return k.lend(off, uint64(len(r.Bytes))), nil
}

// Evict writes back some of the CPU's changed lines among the bytes that devices were given since the last Invalidate.
// A simulated device that works in steps calls it between them. Without a seed it does nothing.
func (b *Board) Evict() {
	for _, k := range b.banks {
		if k.cache != nil {
			k.mu.Lock()
			k.evict()
			k.mu.Unlock()
		}
	}
}

// Trim gives the pages of r back to the system. They read as zero afterwards.
func (b *Board) Trim(r hal.Region) error {
	if b.closed.Load() {
		return ErrClosed
	}
	if int(r.Pool) >= len(b.banks) {
		return fmt.Errorf("%w: want 0…%d, found %d", ErrPool, len(b.banks)-1, r.Pool)
	}
	k := b.banks[r.Pool]
	off, ok := b.offset(r)
	if !ok {
		return fmt.Errorf("trim: %w: the region lies outside pool %s", ErrPool, b.spec.Pools[r.Pool].Name)
	}
	k.mu.Lock()
	defer k.mu.Unlock()
	err := k.cpu.trim(off, off+uint64(len(r.Bytes)))
	if k.cache != nil {
		err = errors.Join(err, k.trim(off, uint64(len(r.Bytes))))
	}
	return err
}

// Close unmaps the pools; nobody may use their bytes any more. A second Close does nothing.
func (b *Board) Close() error {
	if b.closed.Swap(true) {
		return nil
	}
	var errs []error
	for _, k := range b.banks {
		errs = append(errs, k.cpu.close())
		if k.cache != nil {
			errs = append(errs, k.cache.close())
		}
	}
	return errors.Join(errs...)
}
