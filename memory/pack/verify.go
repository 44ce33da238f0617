package pack

import (
	"errors"
	"fmt"
	"math"
	"sort"
)

// This file shares no code with the solver: what it accepts does not rest on what the solver believes. It works on the
// caller's buffers, not on blocks or sections.

// Verify checks a plan from nothing but the problem: every buffer within its pool's capacity, at a multiple of its
// alignment, in a pool that it may lie in, where it is fixed if it is; the members of a group in one pool at their
// relative offsets; and no two buffers of different groups alive at the same time on the same bytes of a pool. It
// returns all violations, joined.
func Verify(buffers []Buffer, pools []Pool, plan *Plan) error {
	if len(plan.Pool) != len(buffers) || len(plan.Offsets) != len(buffers) {
		return fmt.Errorf("plan: %d pools and %d offsets for %d buffers", len(plan.Pool), len(plan.Offsets), len(buffers))
	}
	v := verifier{buffers: buffers, plan: plan}
	in := make([][]life, len(pools))
	for i := range buffers {
		p := plan.Pool[i]
		if p < 0 || p >= len(pools) {
			v.report(i, "pool %d: there are %d", p, len(pools))
			continue
		}
		v.one(i, pools[p])
		if buffers[i].Size == 0 {
			continue
		}
		for _, live := range buffers[i].Live {
			in[p] = append(in[p], life{live.Lower, live.Upper, i})
		}
		if len(buffers[i].Live) == 0 {
			in[p] = append(in[p], life{math.MinInt64, math.MaxInt64, i})
		}
	}
	v.rigid()
	for p := range in {
		v.disjoint(pools[p].Name, in[p])
	}
	return errors.Join(v.errs...)
}

// VerifyPlacement checks a placement in one pool of a capacity as Verify does, and that the height is what it says.
func VerifyPlacement(buffers []Buffer, capacity uint64, p *Placement) error {
	free := make([]Buffer, len(buffers))
	copy(free, buffers)
	var height uint64
	for i := range free {
		free[i].Pools = 0
		if i < len(p.Offsets) && free[i].Size > 0 {
			height = max(height, p.Offsets[i]+free[i].Size)
		}
	}
	err := Verify(free, []Pool{{Name: "pool", Capacity: capacity}}, &Plan{Pool: make([]int, len(buffers)), Offsets: p.Offsets})
	if err == nil && height != p.Height {
		err = fmt.Errorf("height: want %d, have %d", height, p.Height)
	}
	return err
}

// life is one interval of a buffer's life.
type life struct {
	lower, upper int64
	buffer       int
}

type verifier struct {
	buffers []Buffer
	plan    *Plan
	errs    []error
}

func (v *verifier) name(i int) string { return fmt.Sprintf("buffer %d (%q)", i, v.buffers[i].ID) }

func (v *verifier) report(i int, format string, args ...any) {
	v.errs = append(v.errs, fmt.Errorf("%s: %s", v.name(i), fmt.Sprintf(format, args...)))
}

// one checks what concerns a buffer alone.
func (v *verifier) one(i int, pool Pool) {
	b, at := &v.buffers[i], v.plan.Offsets[i]
	if b.Size > 0 && (at > pool.Capacity || b.Size > pool.Capacity-at) {
		v.report(i, "bytes [%d, %d+%d) of %s, which has %d", at, at, b.Size, pool.Name, pool.Capacity)
	}
	if b.Align > 1 && at%b.Align != 0 {
		v.report(i, "offset %d is not a multiple of its alignment %d", at, b.Align)
	}
	if p := v.plan.Pool[i]; b.Pools != 0 && (p > 63 || uint64(b.Pools)&(1<<uint(p)) == 0) {
		v.report(i, "lies in pool %d (%s), where it may not", p, pool.Name)
	}
	if b.Fixed && at != b.Offset {
		v.report(i, "offset %d, but it is fixed at %d", at, b.Offset)
	}
}

// rigid checks groups against their first member.
func (v *verifier) rigid() {
	first := map[int]int{}
	for i, b := range v.buffers {
		if b.Group == 0 || b.Size == 0 {
			continue
		}
		k, seen := first[b.Group]
		if !seen {
			first[b.Group] = i
			continue
		}
		if v.plan.Pool[i] != v.plan.Pool[k] {
			v.report(i, "pool %d, but its group %d lies in pool %d", v.plan.Pool[i], b.Group, v.plan.Pool[k])
			continue
		}
		if v.plan.Offsets[i]-v.plan.Offsets[k] != b.Rel-v.buffers[k].Rel { // modulo 2^64
			v.report(i, "offset %d relative to %d of %s: its group %d wants %d relative to %d", v.plan.Offsets[i],
				v.plan.Offsets[k], v.name(k), b.Group, b.Rel, v.buffers[k].Rel)
		}
	}
}

// disjoint sweeps over time and compares each buffer that begins with all that are alive.
func (v *verifier) disjoint(pool string, lives []life) {
	sort.Slice(lives, func(i, j int) bool {
		if lives[i].lower != lives[j].lower {
			return lives[i].lower < lives[j].lower
		}
		return lives[i].buffer < lives[j].buffer
	})
	var alive []life
	for _, l := range lives {
		kept := alive[:0]
		for _, o := range alive {
			if o.upper > l.lower {
				kept = append(kept, o)
			}
		}
		alive = kept
		b, at := &v.buffers[l.buffer], v.plan.Offsets[l.buffer]
		for _, o := range alive {
			c, oat := &v.buffers[o.buffer], v.plan.Offsets[o.buffer]
			if o.buffer == l.buffer || b.Group != 0 && b.Group == c.Group {
				continue
			}
			if at < oat+c.Size && oat < at+b.Size {
				v.report(l.buffer, "bytes [%d, %d) of %s overlap [%d, %d) of %s, and both are alive at %d", at, at+b.Size,
					pool, oat, oat+c.Size, v.name(o.buffer), l.lower)
			}
		}
		alive = append(alive, l)
	}
}
