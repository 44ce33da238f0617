package memory

import (
	"fmt"
	"slices"

	"github.com/ptero-rt/ptero/hal"
)

// Box is a run of bytes of a pool for a while, for drawings: at [Offset, Offset+Bytes) of the pool and, counted in
// instructions over all methods laid end to end, during [First, Last).
type Box struct {
	Pool          hal.PoolID
	Method        string
	Kind          Kind
	Label         string
	Offset, Bytes uint64
	First, Last   int
}

// Band is a run of bytes of a pool that a method holds as a whole: an arena, the temp arena, fast scratch, or memory
// that is only counted. Boxes lie inside of bands.
type Band struct {
	Pool          hal.PoolID
	Label         string
	Kind          Kind
	Offset, Bytes uint64
	Planned       bool // boxes tell its bytes apart; what is only counted has none
}

// Boxes gives the layout as rectangles: bands by pool and offset, the boxes inside of them, and the number of instructions
// that the methods have together. Blocks that found no place are left out.
func (l *Layout) Boxes() (bands []Band, boxes []Box, length int) {
	seen := map[string]bool{}
	for i := range l.methods {
		m := &l.methods[i]
		n := m.demand.length()
		for j := range m.blocks {
			b := &m.blocks[j]
			if !b.known || b.share != "" && seen[b.share] {
				continue
			}
			seen[b.share] = b.share != ""
			bands = append(bands, Band{Pool: b.pool, Label: m.bandLabel(b, len(l.methods) > 1), Kind: b.kind, Offset: b.off, Bytes: b.bytes, Planned: b.role != fixed})
			boxes = append(boxes, m.boxes(b, length, n)...)
		}
		length += n
	}
	slices.SortStableFunc(bands, func(a, b Band) int {
		if a.Pool != b.Pool {
			return int(a.Pool) - int(b.Pool)
		}
		return compare(a.Offset, b.Offset)
	})
	return bands, boxes, length
}

// length is the number of instructions that lifetimes and calls speak of.
func (d *Demand) length() int {
	n := 1
	for i := range d.Spans {
		n = max(n, d.Spans[i].Last)
	}
	for i := range d.Calls {
		n = max(n, d.Calls[i].Instruction+1)
	}
	return n
}

func (m *placed) bandLabel(b *block, several bool) string {
	label := b.label
	switch b.role {
	case piece:
		label = fmt.Sprintf("arena %d", b.memID)
	case temp:
		label = "temp"
	case fast:
		label = "fast scratch"
	}
	if several && b.share == "" {
		label = m.demand.Method + " " + label
	}
	return label
}

func (m *placed) boxes(b *block, at, length int) (list []Box) {
	box := Box{Pool: b.pool, Method: m.demand.Method}
	switch b.role {
	case piece:
		for i := range m.demand.Spans {
			s := &m.demand.Spans[i]
			from, to := max(s.Offset, b.start), min(s.Offset+s.Bytes, b.start+b.bytes)
			if s.MemID != b.memID || from >= to || s.First >= s.Last {
				continue
			}
			box.Kind, box.Label, box.Offset, box.Bytes, box.First, box.Last = s.Kind, s.Label, b.off+from-b.start, to-from, at+s.First, at+s.Last
			list = append(list, box)
		}
	case temp, fast:
		place := Temp
		if b.role == fast {
			place = Fast
		}
		for i := range m.demand.Calls {
			c := &m.demand.Calls[i]
			one := need(&Demand{Calls: m.demand.Calls[i : i+1]}, place)
			if one.bytes > 0 {
				box.Kind, box.Label, box.Offset, box.Bytes, box.First, box.Last = b.kind, one.label, b.off, one.bytes, at+c.Instruction, at+c.Instruction+1
				list = append(list, box)
			}
		}
	default:
		box.Kind, box.Label, box.Offset, box.Bytes, box.First, box.Last = b.kind, b.label, b.off, b.bytes, at, at+length
		list = append(list, box)
	}
	return list
}

// PoolBase is the CPU bus address of a pool, counted as in Report.Pools.
func (l *Layout) PoolBase(i int) uint64 { return l.ledger.pools[i].pool.Base }
