// Package hal says what ptero needs to know about hardware memory: pools with addresses, who sees them, and how to keep
// caches honest. It knows no tensors, no files and no NPUs.
//
//	CPU ──────┬────────┬─────────┐            Pool    data: name, class, base, size, views
//	          ▼        ▼         ▼            Region  bytes of a pool: as the CPU sees them, with their address
//	      ┌──────┐ ┌──────┐ ┌─────────┐      Board   the pools, mapped; Locate and Sync
//	      │ DTCM │ │ SRAM │ │   DDR   │
//	      └──────┘ └──▲───┘ └────▲────┘
//	NPU ──────────────┴──────────┘            (a View per device; no view = not visible)
//
// hal maps, memory carves, executor runs: nothing here allocates.
package hal

import "fmt"

// PoolID is an index into Board.Pools.
type PoolID uint8

// NoPool marks the absence of a pool.
const NoPool PoolID = 0xFF

// Class is the kind of memory behind a pool, nearest to the core first.
type Class uint8

// Classes of memory.
const (
	TCM Class = iota
	SRAM
	DRAM
	Flash
	AnyClass Class = 0xFF // in a demand: no preference
)

// String gives the class as board profiles spell it.
func (c Class) String() string {
	switch c {
	case TCM:
		return "tcm"
	case SRAM:
		return "sram"
	case DRAM:
		return "dram"
	case Flash:
		return "flash"
	case AnyClass:
		return "any"
	}
	return fmt.Sprintf("class(%d)", uint8(c))
}

// Attr is a set of properties of a pool as the CPU sees it.
type Attr uint16

// Properties of a pool.
const (
	CPURead   Attr = 1 << iota
	CPUWrite       // absent: read-only for the CPU
	CPUCached      // through a write-back data cache
	Coherent       // devices and CPU see each other's writes without maintenance
	Retained       // keeps its content through standby
	Universal      // satisfies every class, memory mode and device (the board "host")
)

// Has says whether all bits of want are set.
func (a Attr) Has(want Attr) bool { return a&want == want }

// View is a pool as one device sees it: its bus address there and the number of bytes it reaches.
type View struct {
	Device string
	Base   uint64
	Limit  uint64
}

// Perf holds the figures that cost models use; zero means unknown.
type Perf struct {
	ReadBytesPerSecond, WriteBytesPerSecond float64
	ReadLatencyNs, WriteLatencyNs           float64
	BurstBytes                              uint32
	Outstanding                             uint32
	ReadPicojoulePerByte                    float64
	WritePicojoulePerByte                   float64
}

// Span is a part of a pool, relative to its base, that belongs to somebody else.
type Span struct {
	Offset, Size uint64
	Why          string
}

// Pool describes one memory. It is data: copying it is free.
type Pool struct {
	Name     string
	Class    Class
	Attr     Attr
	Base     uint64 // CPU bus address
	Size     uint64 // bytes; for Universal pools the most that may be used
	Align    uint32 // guaranteed alignment of Base
	Line     uint32 // cache line bytes, 0 where none matters
	Views    []View // devices that reach it
	Perf     Perf
	Reserved []Span
}

// View gives the pool as device sees it. A Universal pool is seen by every device at its CPU address.
func (p *Pool) View(device string) (View, bool) {
	for _, v := range p.Views {
		if v.Device == device {
			return v, true
		}
	}
	if p.Attr.Has(Universal) {
		return View{Device: device, Base: p.Base, Limit: p.Size}, true
	}
	return View{}, false
}

// Device is an accelerator of the board. Kind is the product, for instance "ethos-u55-256" or "neutron-n3"; empty where
// the program decides.
type Device struct {
	Name         string
	Kind         string
	ClockHz      uint64
	SystemConfig string // Vela's name, where the board has one
}

// Placement is the board's convention for what lies where: mem_id to pool, and the pools of all that the file does not plan.
//
// The file never stores it: mem_id is the only carrier of "which pool", and its meaning is the runner's.
type Placement struct {
	Arenas    map[uint32]PoolID // mem_id, from 1 as in the file
	Default   PoolID            // pool of other mem_ids; NoPool: they are an error
	Temp      PoolID            // temp arena: kernel temporaries, legacy delegate scratch
	Fast      PoolID            // fast scratch that the file does not plan; NoPool where there is none
	FastBytes uint64            // its size
	Constants PoolID            // program and constants
}

// Arena gives the pool of a mem_id, NoPool where the board has none for it.
func (p *Placement) Arena(memID uint32) PoolID {
	if id, ok := p.Arenas[memID]; ok {
		return id
	}
	return p.Default
}

// Region is a run of bytes of a pool. It is a value; copying it is free and does not copy the bytes. Bytes is the CPU's
// view, Addr the CPU bus address of the first byte.
type Region struct {
	Bytes []byte
	Addr  uint64
	Pool  PoolID
}

// Slice gives n bytes from off on. It panics like a slice expression when they are not there.
func (r Region) Slice(off, n uint64) Region {
	return Region{Bytes: r.Bytes[off : off+n : off+n], Addr: r.Addr + off, Pool: r.Pool}
}

// Direction says which way Sync moves data between the CPU's cache and memory.
type Direction uint8

// Cache maintenance: before a device reads, after a device wrote, and before a device reads and writes.
const (
	Clean           Direction = iota + 1 // CPU → memory
	Invalidate                           // memory → CPU
	CleanInvalidate                      // CPU → memory, then the CPU's copy is dropped
)

// Clock is a free-running counter. Hz is its rate, Bits its width (it wraps), Name what a report calls it.
type Clock interface {
	Name() string
	Hz() uint64
	Bits() uint
	Now() uint64
}

// Board is hardware: its pools in fixed order, nearest first, mapped for the CPU. All methods may be called by several
// goroutines at once.
type Board interface {
	Name() string
	Pools() []Pool
	Devices() []Device
	Placement() Placement
	// Window maps the whole pool, or a part from its start where this process has not enough addresses. The bytes stay
	// valid until Close.
	Window(p PoolID) (Region, error)
	// Locate says where bytes lie that are not from a Window (a memory-mapped file): false if no device can read them there.
	Locate(b []byte) (Region, bool)
	// Sync does cache maintenance on r rounded out to lines; nothing where the pool is coherent or not cached.
	Sync(r Region, d Direction) error
	Clock() Clock
	Close() error
}

// Trimmer is a Board that can give the physical memory behind a region back to the system; the content is lost.
type Trimmer interface {
	Trim(r Region) error
}

// Simulated is a Board without hardware: it hands a simulated device the bytes that the device would see. On a coherent
// pool these are the CPU's own bytes; elsewhere they are another memory that only Sync brings in step.
type Simulated interface {
	// DeviceBytes gives r as device sees it, or an error where the device does not reach all of it.
	DeviceBytes(device string, r Region) ([]byte, error)
}
