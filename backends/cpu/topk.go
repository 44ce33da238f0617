package cpu

import (
	"fmt"
	"math"
	"math/bits"
	"slices"

	"github.com/ptero-rt/ptero/backends/cpu/arg"
	"github.com/ptero-rt/ptero/backends/cpu/walk"
	"github.com/ptero-rt/ptero/executor"
	"github.com/ptero-rt/ptero/internal/fault"
	"github.com/ptero-rt/ptero/memory"
)

// topkCall is aten::topk: the largest or the smallest k elements along a dimension, and where they were.
type topkCall struct {
	sig     *arg.Signature
	rows    walk.Rows
	as      executor.DType
	k       int
	largest bool
	room    [][]entry // of each part, for a k above few
}

func (c *topkCall) Needs() []memory.Need {
	needs := c.rows.Needs()
	bytes := 0
	for _, room := range c.room {
		bytes += len(room) * entryBytes
	}
	if bytes > 0 {
		needs = append(needs, memory.Need{Role: "candidates", Place: memory.Resident, Bytes: uint64(bytes)})
	}
	return needs
}

func (c *topkCall) BoundNeeds(args []*executor.Value) []memory.Need {
	return rowNeeds(c.sig, args, 2, 2)
}

func (c *topkCall) Plan(args []*executor.Value) error {
	sig := c.sig
	r := sig.Read(args)
	in := r.Of(0, arg.Real)
	values, indices := r.Like(5, in), r.Of(6, arg.Of(arg.I64))
	dim := r.Dim(2, in)
	if r.Err != nil {
		return r.Err
	}
	n := 1
	if in.Rank() > 0 {
		n = in.Sizes[dim]
	}
	if c.k, c.largest = r.IntIn(1, 0, int64(n)), r.Bool(3); r.Err != nil {
		return r.Err
	}
	var shape [arg.MaxRank]int
	copy(shape[:], in.Sizes)
	if in.Rank() > 0 {
		shape[dim] = c.k
	} else {
		c.k = 1 // the output has room for the one element, and gets it though k be 0
	}
	for i, t := range [2]*executor.Tensor{values, indices} {
		if err := sig.Resize(5+i, t, shape[:in.Rank()]...); err != nil {
			return err
		}
	}
	c.as = arg.I64
	if arg.Floats.Has(in.DType) {
		c.as = arg.Compute(in.DType)
	}
	c.rows.Kernel = c
	if err := c.rows.Plan(in, 1<<uint(dim), c.as, walk.Out{Tensor: values, As: c.as}, walk.Out{Tensor: indices, As: arg.I64}); err != nil {
		return fault.Under(sig.Op, err)
	}
	if n > 1<<31-1 {
		return sig.Bad(0, "fewer than 2³¹ elements along dim", fmt.Sprint(n))
	}
	if c.k <= few {
		return nil
	}
	for len(c.room) < c.rows.Parts() {
		c.room = append(c.room, nil)
	}
	for i := range c.room {
		if room := min(n, 2*c.k); len(c.room[i]) < room {
			c.room[i] = make([]entry, room)
		}
	}
	return nil
}

func (c *topkCall) Run(s *executor.Scope) error { return c.rows.Run(s) }

// Row is walk.RowKernel: the first k of the row in order, NaN above everything, equals in the order they come.
func (c *topkCall) Row(part, _ int, outs *[3][]byte, in []byte) {
	var room []entry
	if c.k > few {
		room = c.room[part]
	}
	switch c.as {
	case arg.F32:
		topRow(outs, executor.SliceBytes[float32](in), room, c.largest, c.k)
	case arg.F64:
		topRow(outs, executor.SliceBytes[float64](in), room, c.largest, c.k)
	default:
		topRow(outs, executor.SliceBytes[int64](in), room, c.largest, c.k)
	}
}

func topRow[T int64 | float32 | float64](outs *[3][]byte, x []T, room []entry, largest bool, k int) {
	y, at := executor.SliceBytes[T](outs[0]), executor.SliceBytes[int64](outs[1])
	switch {
	case k > few:
		for i, e := range topOf(x, room, largest, k) {
			y[i], at[i] = x[e.at], int64(e.at)
		}
	case k > 0:
		insertTop(y, at, x, largest, k)
	}
}

// few is up to which k the best are kept in order while the row is gone through.
const few = 32

func insertTop[T int64 | float32 | float64](y []T, at []int64, x []T, largest bool, k int) {
	better := func(a, b T) bool { return a > b || a != a && b == b }
	if !largest {
		better = func(a, b T) bool { return a < b || b != b && a == a }
	}
	n := 0
	for i, v := range x {
		if n == k {
			if last := y[k-1]; largest && v <= last || !largest && v >= last || !better(v, last) {
				continue
			}
		}
		j := min(n, k-1)
		for j > 0 && better(v, y[j-1]) {
			y[j], at[j] = y[j-1], at[j-1]
			j--
		}
		y[j], at[j] = v, int64(i)
		n = min(n+1, k)
	}
}

// entry is a candidate: the less rank is, the better it is, and of equals the first.
type entry struct {
	rank uint64
	at   int32
}

const entryBytes = 16

func (e entry) before(o entry) bool { return e.rank < o.rank || e.rank == o.rank && e.at < o.at }

func (e entry) compare(o entry) int {
	if e.before(o) {
		return -1
	}
	return 1 // no two are alike
}

// topOf gives the best k of x in order. It gathers candidates until room, of 2k entries or the whole row, is full, and
// goes on with the best k of them and what is better than the last of those.
func topOf[T int64 | float32 | float64](x []T, room []entry, largest bool, k int) []entry {
	var (
		n     int
		full  bool // there are k already, of which last is the last
		last  entry
		worst T
	)
	for i, v := range x {
		if full && (largest && v <= worst || !largest && v >= worst) {
			continue
		}
		e := entry{rankOf(v), int32(i)}
		if largest {
			e.rank = ^e.rank
		}
		if full && !e.before(last) {
			continue
		}
		room[n] = e
		if n++; n == len(room) && n > k {
			selectBest(room, k)
			n, full, last = k, true, room[k-1]
			worst = x[last.at]
		}
	}
	if n > k {
		selectBest(room[:n], k)
	}
	slices.SortFunc(room[:k], entry.compare)
	return room[:k]
}

// rankOf orders numbers as whole ones: the two zeros are equal, NaN is above everything.
func rankOf[T int64 | float32 | float64](v T) uint64 {
	const sign = 1 << 63
	if i, ok := any(v).(int64); ok {
		return uint64(i) ^ sign
	}
	switch u := math.Float64bits(float64(v)); {
	case v != v:
		return math.MaxUint64
	case v == 0:
		return sign
	case u&sign != 0:
		return ^u
	default:
		return u | sign
	}
}

// selectBest puts the best k entries before the others and the last of them at k-1: quickselect, which sorts where the
// pivots go wrong.
func selectBest(e []entry, k int) {
	lo, hi := 0, len(e)
	for turns := 4 * bits.Len(uint(len(e))); hi-lo > 12; turns-- {
		if turns == 0 {
			break
		}
		// The pivot is the middle one of three; it ends up at j.
		a, b, c := lo, lo+(hi-lo)/2, hi-1
		if e[b].before(e[a]) {
			e[a], e[b] = e[b], e[a]
		}
		if e[c].before(e[b]) {
			e[b], e[c] = e[c], e[b]
			if e[b].before(e[a]) {
				e[a], e[b] = e[b], e[a]
			}
		}
		pivot := e[b]
		e[b], e[lo+1] = e[lo+1], pivot
		i, j := lo+1, hi-1
		for {
			for i++; e[i].before(pivot); i++ {
			}
			for j--; pivot.before(e[j]); j-- {
			}
			if i >= j {
				break
			}
			e[i], e[j] = e[j], e[i]
		}
		e[lo+1], e[j] = e[j], pivot
		switch {
		case j == k-1:
			return
		case j < k-1:
			lo = j + 1
		default:
			hi = j
		}
	}
	slices.SortFunc(e[lo:hi], entry.compare)
}
