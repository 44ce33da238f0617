package pack

import (
	"cmp"
	"math"
	"math/bits"
	"slices"
)

// order is a static order of blocks: which properties are compared, in turn, the greater first.
type order string

// The letters of an order, as MiniMalloc names them, and S.
const (
	byArea  = 'A' // bytes × sections
	byTotal = 'T' // most bytes open in any of its sections
	byWidth = 'W' // duration
	bySize  = 'Z' // bytes
	byMeet  = 'O' // blocks that meet it
	byStart = 'S' // earliest start
)

// weight is a block's rank under an order.
type weight struct {
	open
	keys [4]int64
}

// sort puts a list in the search's order and numbers the ranks.
func (s *search) sort(list []open) {
	s.weights = s.weights[:0]
	for _, o := range list {
		w := weight{open: o}
		for k, c := range s.order {
			w.keys[k] = s.property(o.block, c)
		}
		s.weights = append(s.weights, w)
	}
	slices.SortFunc(s.weights, func(a, b weight) int {
		for k := range a.keys {
			if c := cmp.Compare(b.keys[k], a.keys[k]); c != 0 {
				return c
			}
		}
		return cmp.Compare(a.block, b.block)
	})
	for k, w := range s.weights {
		list[k] = open{w.block, int32(k)}
	}
}

func (s *search) property(i int32, c rune) int64 {
	b := &s.m.blocks[i]
	switch c {
	case byArea:
		high, low := bits.Mul64(uint64(b.size), uint64(b.duration()))
		if high > 0 || low > math.MaxInt64 {
			return math.MaxInt64
		}
		return int64(low)
	case byTotal:
		var most int64
		for _, r := range b.hull {
			for t := r.first; t < r.last; t++ {
				most = max(most, s.total[t])
			}
		}
		return most
	case byWidth:
		return b.duration()
	case bySize:
		return b.size
	case byStart:
		return -b.live[0].lower
	case byMeet:
		return int64(len(s.m.above[i]))
	}
	return 0
}

// duration is the time from a block's first moment to its last, saturated.
func (b *block) duration() int64 {
	last := b.live[0].upper
	for _, v := range b.live {
		last = max(last, v.upper)
	}
	if d := last - b.live[0].lower; d > 0 {
		return d
	}
	return math.MaxInt64
}
