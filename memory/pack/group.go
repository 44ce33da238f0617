package pack

import (
	"cmp"
	"errors"
	"fmt"
	"math"
	"slices"
)

// maxBytes bounds sizes, offsets and their sums, so that no arithmetic on them overflows.
const maxBytes = 1 << 60

// horizon is the time from the first moment that any buffer names to the last.
func horizon(buffers []Buffer) Interval {
	all := Interval{math.MaxInt64, math.MinInt64}
	for i := range buffers {
		for _, v := range buffers[i].Live {
			all.Lower, all.Upper = min(all.Lower, v.Lower), max(all.Upper, v.Upper)
		}
	}
	if all.Lower >= all.Upper {
		return Interval{0, 1}
	}
	return all
}

// label names a buffer in errors.
func label(buffers []Buffer, i int) string {
	if id := buffers[i].ID; id != "" {
		return fmt.Sprintf("buffer %d (%s)", i, id)
	}
	return fmt.Sprintf("buffer %d", i)
}

// check reports all that is wrong with the buffers themselves.
func check(buffers []Buffer) error {
	var errs []error
	bad := func(i int, format string, args ...any) {
		errs = append(errs, fmt.Errorf("%s: %s", label(buffers, i), fmt.Sprintf(format, args...)))
	}
	total := uint64(0)
	for i := range buffers {
		b := &buffers[i]
		for _, v := range b.Live {
			if v.Lower >= v.Upper {
				bad(i, "live [%d, %d): want lower < upper", v.Lower, v.Upper)
			}
		}
		if a := b.Align; a&(a-1) != 0 || a > maxAlign {
			bad(i, "alignment %d: want a power of two up to %d", a, maxAlign)
		}
		if b.Size > maxBytes || b.Offset > maxBytes || b.Rel > maxBytes {
			bad(i, "size %d, offset %d, relative offset %d: want at most %d", b.Size, b.Offset, b.Rel, uint64(maxBytes))
			continue
		}
		if b.Fixed && b.Align > 0 && b.Offset%b.Align != 0 {
			bad(i, "fixed at %d: not a multiple of its alignment %d", b.Offset, b.Align)
		}
		if b.Group < 0 {
			bad(i, "group %d: want 0 or more", b.Group)
		}
		if total += b.Size + max(b.Align, 1); total > maxBytes {
			bad(i, "sizes add up to more than %d", uint64(maxBytes))
			break
		}
	}
	return errors.Join(errs...)
}

// bodies joins the buffers into blocks: the members of a group into one, all others alone. Buffers of size 0 are left
// out: they would confuse the dominance rule of the search.
func bodies(buffers []Buffer) ([]block, error) {
	if err := check(buffers); err != nil {
		return nil, err
	}
	var sets [][]int
	at := map[int]int{}
	for i := range buffers {
		g := buffers[i].Group
		if buffers[i].Size == 0 {
			continue
		}
		if g == 0 {
			sets = append(sets, []int{i})
			continue
		}
		k, ok := at[g]
		if !ok {
			k, at[g] = len(sets), len(sets)
			sets = append(sets, nil)
		}
		sets[k] = append(sets[k], i)
	}
	var blocks []block
	var errs []error
	all := horizon(buffers)
	for _, set := range sets {
		b, err := body(buffers, set, all)
		if err != nil {
			errs = append(errs, err)
			continue
		}
		blocks = append(blocks, b)
	}
	return blocks, errors.Join(errs...)
}

// body makes one block of the members of a group; always is the life of those that never end.
func body(buffers []Buffer, set []int, always Interval) (block, error) {
	b := block{members: set, align: 1, fixed: -1}
	low := int64(math.MaxInt64)
	for _, i := range set {
		low = min(low, relOf(&buffers[i]))
	}
	for _, i := range set {
		m := &buffers[i]
		rel := relOf(m) - low
		b.rels = append(b.rels, rel)
		b.size = max(b.size, rel+int64(m.Size))
		// The bases that suit one more member: both conditions hold only if they agree modulo the smaller alignment.
		align := int64(max(m.Align, 1))
		phase := (align - rel%align) % align
		if small := min(align, b.align); phase%small != b.phase%small {
			return b, fmt.Errorf("%s: alignment %d at relative offset %d contradicts the rest of group %d", label(buffers, i), align, m.Rel, m.Group)
		}
		if align > b.align {
			b.align, b.phase = align, phase
		}
		if m.Fixed {
			base := int64(m.Offset) - rel
			if base < 0 {
				return b, fmt.Errorf("%s: fixed at %d: puts its group %d below 0", label(buffers, i), m.Offset, m.Group)
			}
			if b.fixed >= 0 && b.fixed != base {
				return b, fmt.Errorf("%s: fixed at %d: contradicts the rest of group %d", label(buffers, i), m.Offset, m.Group)
			}
			b.fixed = base
		}
		b.live = append(b.live, spans(m, rel, always)...)
	}
	if b.fixed >= 0 && b.settle(b.fixed) != b.fixed {
		return b, fmt.Errorf("%s: its group %d is fixed where an alignment is violated", label(buffers, set[0]), buffers[set[0]].Group)
	}
	slices.SortFunc(b.live, func(x, y span) int {
		return cmp.Or(cmp.Compare(x.lower, y.lower), cmp.Compare(x.upper, y.upper), cmp.Compare(x.lo, y.lo), cmp.Compare(x.hi, y.hi))
	})
	return b, nil
}

// relOf is the relative offset of a buffer; alone it is 0 by definition.
func relOf(b *Buffer) int64 {
	if b.Group == 0 {
		return 0
	}
	return int64(b.Rel)
}

// spans returns the intervals of a buffer's life, joined where they touch.
func spans(b *Buffer, rel int64, always Interval) []span {
	live := slices.Clone(b.Live)
	if len(live) == 0 {
		live = []Interval{always}
	}
	slices.SortFunc(live, func(x, y Interval) int { return cmp.Compare(x.Lower, y.Lower) })
	var out []span
	for _, v := range live {
		if n := len(out); n > 0 && v.Lower <= out[n-1].upper {
			out[n-1].upper = max(out[n-1].upper, v.Upper)
			continue
		}
		out = append(out, span{v.Lower, v.Upper, rel, rel + int64(b.Size)})
	}
	return out
}
