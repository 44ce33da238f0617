package memory

import (
	"fmt"
	"slices"
	"strings"

	"github.com/ptero-rt/ptero/hal"
	"github.com/ptero-rt/ptero/internal/fault"
)

// Violation is one reason why a layout does not fit, with those who have most to do with it and changes of which each
// alone would cure it.
type Violation struct {
	*fault.Error
	Offenders []Owner
	Fixes     []string
}

// checker collects what the board's map says against a demand, apart from sizes.
type checker struct {
	board hal.Board
	pools []hal.Pool
	place hal.Placement
	d     *Demand
	list  []Violation
}

// check gives every violation of a demand that does not depend on how much room there is.
func check(b hal.Board, d *Demand) []Violation {
	c := &checker{board: b, pools: b.Pools(), place: b.Placement(), d: d}
	c.arenas()
	c.buffers()
	c.calls()
	return c.list
}

func (c *checker) add(rule, path, want, found string, fixes ...string) {
	e := &fault.Error{Path: c.d.Method + "." + path, Rule: rule, Want: want, Found: found, Code: fault.MemoryAllocationFailed}
	if len(fixes) > 0 {
		e.Found += "; would fit: " + strings.Join(fixes, ", or ")
	}
	c.list = append(c.list, Violation{Error: e, Fixes: fixes})
}

func (c *checker) arenas() {
	for _, a := range c.d.Arenas {
		path := fmt.Sprintf("mem_id[%d]", a.MemID)
		id := c.place.Arena(a.MemID)
		if int(id) >= len(c.pools) {
			if a.Bytes > 0 {
				c.add("arena_id", path, "a mem_id that the board maps to a pool: "+c.knownArenas(), fmt.Sprintf("%d (%d B)", a.MemID, a.Bytes),
					fmt.Sprintf(`"arenas": {"%d": "%s"} in the board profile`, a.MemID, c.largest()))
			}
			continue
		}
		p := &c.pools[id]
		if a.Bytes > 0 && !p.Attr.Has(hal.CPURead|hal.CPUWrite) {
			c.add("pool_readonly", path, "a pool that the CPU writes", p.Name)
		}
		for _, dev := range a.Devices {
			if !c.sees(dev, id) && !c.buffersReport(a.MemID, dev) {
				c.visible(path, fmt.Sprintf("arena %d", a.MemID), dev, id, hal.AnyClass, fmt.Sprintf(`mem_id %d`, a.MemID), a.Bytes)
			}
		}
	}
}

// buffersReport says whether a buffer of the arena is used by dev, so that the buffer is reported rather than the arena.
func (c *checker) buffersReport(memID uint32, dev string) bool {
	return slices.ContainsFunc(c.d.Spans, func(s Buffer) bool { return s.MemID == memID && slices.Contains(s.Devices, dev) })
}

func (c *checker) buffers() {
	for i := range c.d.Spans {
		s := &c.d.Spans[i]
		id := c.place.Arena(s.MemID)
		if int(id) >= len(c.pools) || len(s.Devices) == 0 {
			continue
		}
		path := fmt.Sprintf("instructions[%d]", s.First)
		what, size := fmt.Sprintf("mem_id %d", s.MemID), c.arenaBytes(s.MemID)
		seen := true
		for _, dev := range s.Devices {
			if !c.sees(dev, id) {
				c.visible(path, s.Label, dev, id, s.Class, what, size)
				seen = false
			}
		}
		if seen && s.Kind == Scratch {
			c.class(path, s.Label, s.Class, id, s.Devices, what, size)
		}
	}
}

func (c *checker) calls() {
	for i := range c.d.Calls {
		call := &c.d.Calls[i]
		for k := range call.Needs {
			if n := &call.Needs[k]; n.Bytes > 0 {
				c.need(call, n)
			}
		}
	}
}

// need checks one need of a call. It formats nothing where there is nothing to say: programs have thousands.
func (c *checker) need(call *Call, n *Need) {
	id, rule, what := c.place.Temp, "temp_missing", "temp"
	switch n.Place {
	case Fast:
		id, rule, what = c.place.Fast, "fast_missing", "fast_scratch"
	case Resident:
		kind := Constants
		if n.Device != "" {
			kind = Driver
		}
		id, rule, what = fixedPool(&c.place, kind), "pool_missing", "constants"
	}
	missing := int(id) >= len(c.pools)
	large := n.Place == Fast && n.Bytes > c.place.FastBytes
	if !missing && !large && n.Device == "" {
		return
	}
	path, label := fmt.Sprintf("instructions[%d]", call.Instruction), strings.TrimSpace(call.Label+" "+n.Role)
	if missing {
		c.add(rule, path, fmt.Sprintf("%d B of %s for %s", n.Bytes, strings.ReplaceAll(what, "_", " "), label), "none on board "+c.board.Name(),
			fmt.Sprintf(`"%s" in the board profile`, what))
		return
	}
	if large {
		c.add("fast_size", path, fmt.Sprintf("%d B of fast scratch for %s", n.Bytes, label), fmt.Sprintf("%d B in %s", c.place.FastBytes, c.pools[id].Name),
			fmt.Sprintf(`"fast_scratch": {"size": %d}`, n.Bytes))
	}
	switch {
	case n.Device == "":
	case !c.sees(n.Device, id):
		c.visible(path, label, n.Device, id, n.Class, what, n.Bytes)
	case n.Place != Resident:
		c.class(path, label, n.Class, id, []string{n.Device}, what, n.Bytes)
	}
}

func (c *checker) arenaBytes(memID uint32) uint64 {
	for _, a := range c.d.Arenas {
		if a.MemID == memID {
			return a.Bytes
		}
	}
	return 0
}

func (c *checker) sees(device string, id hal.PoolID) bool {
	_, ok := hal.ViewOf(c.board, id, device)
	return ok
}

// visible reports that dev does not see the pool, which of the others it sees, and what to change.
func (c *checker) visible(path, label, dev string, id hal.PoolID, class hal.Class, what string, size uint64) {
	good := c.suitable([]string{dev}, class, size)
	want := "a pool that " + dev + " sees for " + label
	if len(good) == 0 {
		c.add("pool_visibility", path, want, c.pools[id].Name+" (no pool of board "+c.board.Name()+" would do)")
		return
	}
	c.add("pool_visibility", path, want, c.pools[id].Name, what+" in "+strings.Join(good, " or "))
}

// class reports a pool that is farther from the core than the role wants.
func (c *checker) class(path, label string, class hal.Class, id hal.PoolID, devices []string, what string, size uint64) {
	if classOK(&c.pools[id], class) {
		return
	}
	var fixes []string
	if good := c.suitable(devices, class, size); len(good) > 0 {
		fixes = append(fixes, what+" in "+strings.Join(good, " or "))
	}
	c.add("pool_class", path, fmt.Sprintf("a pool of class %s for %s", class, label), fmt.Sprintf("%s (%s)", c.pools[id].Name, c.pools[id].Class), fixes...)
}

// classOK says whether a pool is as near as wanted. No device insists on TCM, so the zero class asks for nothing.
func classOK(p *hal.Pool, class hal.Class) bool {
	return class == hal.AnyClass || class == hal.TCM || p.Attr.Has(hal.Universal) || p.Class <= class
}

// suitable names the pools that could hold size bytes that devices share with the CPU.
func (c *checker) suitable(devices []string, class hal.Class, size uint64) (names []string) {
	for i := range c.pools {
		if c.pools[i].Size >= size && suits(c.board, hal.PoolID(i), devices, class) {
			names = append(names, c.pools[i].Name)
		}
	}
	return names
}

func suits(b hal.Board, id hal.PoolID, devices []string, class hal.Class) bool {
	p := &b.Pools()[id]
	if !p.Attr.Has(hal.CPURead|hal.CPUWrite) || p.Class == hal.Flash || !classOK(p, class) {
		return false
	}
	return !slices.ContainsFunc(devices, func(d string) bool { _, ok := hal.ViewOf(b, id, d); return !ok })
}

func (c *checker) knownArenas() string {
	if len(c.place.Arenas) == 0 {
		return "none"
	}
	var ids []uint32
	for id := range c.place.Arenas {
		ids = append(ids, id)
	}
	slices.Sort(ids)
	var parts []string
	for _, id := range ids {
		if p := c.place.Arenas[id]; int(p) < len(c.pools) {
			parts = append(parts, fmt.Sprintf("%d (%s)", id, c.pools[p].Name))
		}
	}
	return strings.Join(parts, ", ")
}

// largest names the largest pool that can hold arenas.
func (c *checker) largest() string {
	name, most := "", uint64(0)
	for i := range c.pools {
		if p := &c.pools[i]; p.Size > most && suits(c.board, hal.PoolID(i), nil, hal.AnyClass) {
			name, most = p.Name, p.Size
		}
	}
	return name
}

// notes says which buffers that a device writes share cache lines with their neighbours: correct, because maintenance
// brackets every job, but neither may be touched while the device runs.
func notes(b hal.Board, d *Demand) []string {
	pools, place := b.Pools(), b.Placement()
	count := map[hal.PoolID]int{}
	for i := range d.Spans {
		s := &d.Spans[i]
		id := place.Arena(s.MemID)
		if len(s.Devices) == 0 || int(id) >= len(pools) {
			continue
		}
		p := &pools[id]
		if p.Line > 0 && p.Attr.Has(hal.CPUCached) && !p.Attr.Has(hal.Coherent) && (s.Offset%uint64(p.Line) != 0 || s.Bytes%uint64(p.Line) != 0) {
			count[id]++
		}
	}
	var list []string
	for i := range pools {
		if n := count[hal.PoolID(i)]; n > 0 {
			list = append(list, fmt.Sprintf("%s: buffers that a device uses and that share %d-byte cache lines of %s with a neighbour: %d; the CPU must not touch those lines while the device runs", d.Method, pools[i].Line, pools[i].Name, n))
		}
	}
	return list
}
