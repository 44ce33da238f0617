package plan

import (
	"fmt"
	"slices"

	"github.com/ptero-rt/ptero/executor"
	"github.com/ptero-rt/ptero/hal"
	"github.com/ptero-rt/ptero/internal/fault"
	"github.com/ptero-rt/ptero/memory"
	"github.com/ptero-rt/ptero/memory/pack"
)

// pools are the board's pools as the planner sees them: those that a mem_id stands for, nearest first.
type pools struct {
	board  hal.Board
	ids    []hal.PoolID
	memIDs []uint32 // that stands for the pool in the file
	list   []pack.Pool
	notes  []string
}

// newPools finds the pools with the room that arenas may have: what is left beside the program, constants and temporaries
// of all methods.
func newPools(b hal.Board, linked []*executor.Linked, o Options) (*pools, error) {
	p := &pools{board: b}
	place, all := b.Placement(), b.Pools()
	room, err := headroom(b, linked)
	if err != nil {
		return nil, err
	}
	used := map[uint32]bool{}
	for id := range place.Arenas {
		used[id] = true
	}
	for i := range all {
		id := hal.PoolID(i)
		memID := uint32(0)
		for candidate, at := range place.Arenas {
			if at == id && candidate != sharedArena && (memID == 0 || candidate < memID) {
				memID = candidate
			}
		}
		if memID == 0 && place.Default == id {
			memID = 1
		}
		if memID == 0 && pinned(o.Pins, all[i].Name) {
			for memID = 3; used[memID]; memID++ {
			}
			p.notes = append(p.notes, fmt.Sprintf(`mem_id %d stands for pool %s: the runner needs "arenas": {"%d": "%s"}`, memID, all[i].Name, memID, all[i].Name))
		}
		if memID == 0 || !all[i].Attr.Has(hal.CPURead|hal.CPUWrite) {
			continue
		}
		used[memID] = true
		p.ids, p.memIDs = append(p.ids, id), append(p.memIDs, memID)
		p.list = append(p.list, pack.Pool{Name: all[i].Name, Capacity: room[i], Rates: []pack.Rate{rate(&all[i]), rate(&all[i])}})
	}
	for _, pin := range o.Pins {
		if !slices.ContainsFunc(p.list, func(q pack.Pool) bool { return q.Name == pin.Pool }) {
			var names []string
			for _, q := range all {
				names = append(names, q.Name)
			}
			return nil, fault.New(fault.InvalidArgument, "pin "+pin.Pool, fmt.Sprintf("a pool that the CPU writes, of %v", names), pin.Pool)
		}
	}
	if len(p.list) == 0 {
		return nil, fault.New(fault.NotFound, "board "+b.Name(), "a pool that a mem_id stands for", "none")
	}
	return p, nil
}

// sharedArena is the mem_id in which methods of one program share state by name (exir's share_mutable_buffers).
const sharedArena = 2

// pool is where an arena of the new plan lies.
func (p *pools) pool(memID uint32) hal.PoolID {
	if i := slices.Index(p.memIDs, memID); i >= 0 {
		return p.ids[i]
	}
	place := p.board.Placement()
	return place.Arena(memID)
}

func pinned(pins []Pin, pool string) bool {
	return slices.ContainsFunc(pins, func(p Pin) bool { return p.Pool == pool })
}

// headroom gives the bytes of each pool that are free when nothing is planned in arenas but the state that methods share,
// and no call needs anything.
func headroom(b hal.Board, linked []*executor.Linked) ([]uint64, error) {
	var demands []memory.Demand
	for _, l := range linked {
		d := l.Outline()
		d.Arenas = slices.DeleteFunc(d.Arenas, func(a memory.Arena) bool { return a.Share == "" })
		d.Spans = nil
		var calls []memory.Call
		for _, c := range d.Calls {
			c.Needs = slices.DeleteFunc(slices.Clone(c.Needs), func(n memory.Need) bool { return n.Place != memory.Resident })
			calls = append(calls, c)
		}
		d.Calls, d.Strategy = calls, memory.Shared // methods run one after the other
		demands = append(demands, d)
	}
	layout, err := memory.NewSpace(b).Fit(demands...)
	if err != nil {
		return nil, err
	}
	var room []uint64
	for _, p := range layout.Report("").Pools {
		room = append(room, uint64(max(p.Headroom, 0))&^63)
	}
	return room, nil
}

// beside gives the pools with the room that is left beside the temp and fast scratch arenas of a method.
func (p *pools) beside(m *method) []pack.Pool {
	list := slices.Clone(p.list)
	temp := make([]uint64, len(p.board.Pools()))
	m.addTemp(temp, p.board.Placement(), true)
	for i, id := range p.ids {
		n := (temp[id] + 63) &^ 63
		list[i].Capacity -= min(list[i].Capacity, n)
	}
	return list
}

// rate is what a byte costs in a pool, in femtoseconds and femtojoules; where the profile has no figures, a guess by the
// class of memory that keeps the order right: near is cheap.
func rate(p *hal.Pool) pack.Rate {
	guess := map[hal.Class]uint64{hal.TCM: 250_000, hal.SRAM: 500_000, hal.DRAM: 2_000_000, hal.Flash: 8_000_000}[p.Class]
	r := pack.Rate{ReadTime: guess, WriteTime: guess, ReadEnergy: guess, WriteEnergy: guess}
	if bw := p.Perf.ReadBytesPerSecond; bw > 0 {
		r.ReadTime = uint64(1e15 / bw)
	}
	if bw := p.Perf.WriteBytesPerSecond; bw > 0 {
		r.WriteTime = uint64(1e15 / bw)
	}
	if e := p.Perf.ReadPicojoulePerByte; e > 0 {
		r.ReadEnergy = uint64(e * 1000)
	}
	if e := p.Perf.WritePicojoulePerByte; e > 0 {
		r.WriteEnergy = uint64(e * 1000)
	}
	return r
}

// allowed says which pools an item may lie in: its devices see them, their class is near enough, and pins.
func (p *pools) allowed(it *item, pins []Pin) pack.PoolSet {
	all := p.board.Pools()
	var set pack.PoolSet
	for i, id := range p.ids {
		pool := &all[id]
		ok := it.Class == hal.AnyClass || it.Class == hal.TCM || pool.Class <= it.Class || pool.Attr.Has(hal.Universal)
		for _, d := range it.Devices {
			_, sees := hal.ViewOf(p.board, id, d)
			ok = ok && sees
		}
		for _, pin := range pins {
			if pin.Scratch && it.call >= 0 || !pin.Scratch && it.MemID == pin.MemID {
				ok = ok && pin.Pool == pool.Name
			}
		}
		if ok {
			set |= 1 << i
		}
	}
	return set
}

// suit says whether the board has pools for all of a list of scratch.
func (p *pools) suit(list []item) bool {
	for i := range list {
		set, ok := p.allowed(&list[i], nil), false
		for k := range p.list {
			ok = ok || set>>k&1 != 0 && p.list[k].Capacity >= list[i].Bytes
		}
		if !ok {
			return false
		}
	}
	return true
}

// align is the alignment of a buffer: 16, or a cache line where a device writes it in memory that is not coherent.
func (p *pools) align(b *memory.Buffer) uint64 {
	a := uint64(16)
	if len(b.Devices) == 0 {
		return a
	}
	all := p.board.Pools()
	for _, id := range p.ids {
		if q := &all[id]; q.Attr.Has(hal.CPUCached) && !q.Attr.Has(hal.Coherent) {
			a = max(a, uint64(q.Line))
		}
	}
	return a
}
