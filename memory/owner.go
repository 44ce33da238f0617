package memory

import (
	"cmp"
	"fmt"
	"slices"

	"github.com/ptero-rt/ptero/hal"
)

// Owner is who a number of bytes of a pool belong to. Instruction is the one that decides the size or at which the bytes
// begin to live, -1 where there is none; MemID is 0 outside of arenas.
type Owner struct {
	Kind        Kind   `json:"kind"`
	Label       string `json:"label"`
	Bytes       uint64 `json:"bytes"`
	Method      string `json:"method"`
	Instruction int    `json:"instruction"`
	MemID       uint32 `json:"mem_id"`
}

// owners gives everybody who has bytes of a pool when the methods hold what their strategies let them: static methods
// everything, of the dynamic ones the one that needs most of this pool, the shared region once. The bytes add up to what
// is used. An arena is told apart as it is at its fullest moment; the rest of it is one owner.
func (l *Layout) owners(id hal.PoolID) []Owner {
	var list []Owner
	shares := map[string]bool{}
	var dynamic, shared *placed
	var dynamicBytes, sharedBytes uint64
	all := append(slices.Clone(l.held), l.methods...)
	for i := range all {
		m := &all[i]
		var transient uint64
		for j := range m.blocks {
			b := &m.blocks[j]
			switch {
			case b.pool != id:
			case b.share != "" && shares[b.share]:
			case b.resident || m.demand.Strategy == Static:
				shares[b.share] = b.share != ""
				list = append(list, ownersOf(m.demand, b)...)
			default:
				transient = saturate(transient, b.bytes)
			}
		}
		if m.demand.Strategy == Dynamic && transient > dynamicBytes {
			dynamic, dynamicBytes = m, transient
		}
		if m.demand.Strategy == Shared && transient > sharedBytes {
			shared, sharedBytes = m, transient
		}
	}
	for _, m := range []*placed{dynamic, shared} {
		if m == nil {
			continue
		}
		for j := range m.blocks {
			if b := &m.blocks[j]; b.pool == id && !b.resident {
				list = append(list, ownersOf(m.demand, b)...)
			}
		}
	}
	if p := &l.ledger.region.parts[id]; p.held && p.bytes > sharedBytes {
		list = append(list, Owner{Kind: Activations, Label: "shared region: alignment", Bytes: p.bytes - sharedBytes, Instruction: -1})
	}
	slices.SortStableFunc(list, func(a, b Owner) int { return cmp.Compare(b.Bytes, a.Bytes) })
	return list
}

// ownersOf tells the bytes of one block apart.
func ownersOf(d *Demand, b *block) []Owner {
	whole := Owner{Kind: b.kind, Label: b.label, Bytes: b.bytes, Method: d.Method, Instruction: b.call, MemID: b.memID}
	if b.role != piece {
		return []Owner{whole}
	}
	whole.Label = fmt.Sprintf("arena %d", b.memID)
	live := fullest(d, b)
	if len(live) == 0 {
		return []Owner{whole}
	}
	var list []Owner
	pos := b.start
	for _, s := range live {
		from, to := max(pos, s.Offset), min(b.start+b.bytes, s.Offset+s.Bytes)
		if from >= to {
			continue
		}
		list = append(list, Owner{Kind: s.Kind, Label: s.Label, Bytes: to - from, Method: d.Method, Instruction: s.First, MemID: b.memID})
		whole.Bytes -= to - from
		pos = to
	}
	if whole.Bytes > 0 {
		whole.Label += ", free at its fullest moment"
		list = append(list, whole)
	}
	return list
}

// fullest gives the buffers inside a block at the first moment at which most bytes are live, by offset. All state of a
// persistent block is live always.
func fullest(d *Demand, b *block) []*Buffer {
	var in []*Buffer
	for i := range d.Spans {
		s := &d.Spans[i]
		if s.MemID == b.memID && s.Bytes > 0 && s.Offset < b.start+b.bytes && s.Offset+s.Bytes > b.start && (!b.resident || s.Kind == Persistent) {
			in = append(in, s)
		}
	}
	slices.SortStableFunc(in, func(x, y *Buffer) int { return cmp.Compare(x.Offset, y.Offset) })
	if b.resident {
		return in
	}
	at, _ := fullestOf(in)
	return slices.DeleteFunc(in, func(s *Buffer) bool { return !s.liveAt(at) })
}

func (s *Buffer) liveAt(t int) bool { return s.First <= t && t < s.Last }

// fullestOf gives the first moment at which buffers that do not move cover most bytes, and how many; bytes that several live
// buffers cover count once. The buffers must be in order of offset.
func fullestOf(in []*Buffer) (at int, bytes uint64) {
	var moments []int
	for _, s := range in {
		moments = append(moments, s.First)
	}
	slices.Sort(moments)
	for _, t := range slices.Compact(moments) {
		if n := covered(in, t); n > bytes {
			at, bytes = t, n
		}
	}
	return at, bytes
}

func covered(in []*Buffer, t int) (n uint64) {
	pos := uint64(0)
	for _, s := range in {
		if !s.liveAt(t) {
			continue
		}
		if end := s.Offset + s.Bytes; end > pos {
			n += end - max(pos, s.Offset)
			pos = end
		}
	}
	return n
}

func total(list []Owner) (n uint64) {
	for i := range list {
		n = saturate(n, list[i].Bytes)
	}
	return n
}
