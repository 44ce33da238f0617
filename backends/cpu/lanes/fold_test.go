package lanes_test

import (
	"fmt"
	"math"
	"math/rand/v2"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/ptero-rt/ptero/backends/cpu/lanes"
	"github.com/ptero-rt/ptero/executor"
)

// folded compares folds of rows of every length with a loop.
func folded[T whole](t *testing.T, most, least *lanes.Extreme[T], sum func([]T) int64) {
	r := rand.New(rand.NewPCG(3, 4))
	var none T
	t.Run(fmt.Sprintf("%T", none), func(t *testing.T) {
		for n := range 300 {
			x := random[T](r, n+1)[1:] // not aligned
			if n == 0 {
				require.Zero(t, sum(x))
				continue
			}
			hi, lo, total := x[0], x[0], int64(0)
			for _, v := range x {
				hi, lo, total = max(hi, v), min(lo, v), total+int64(v)
			}
			require.Equal(t, hi, most.Row(x))
			require.Equal(t, lo, least.Row(x))
			require.Equal(t, total, sum(x))
		}
	})
}

// random makes elements of random bits.
func random[T executor.Element](r *rand.Rand, n int) []T {
	b := make([]byte, 8*n)
	for i := range b {
		b[i] = byte(r.Uint32())
	}
	return executor.SliceBytes[T](b)[:n]
}

func TestFolds(t *testing.T) {
	folded(t, &lanes.MaxOfU8, &lanes.MinOfU8, lanes.SumU8)
	folded(t, &lanes.MaxOfI8, &lanes.MinOfI8, lanes.SumI8)
	folded(t, &lanes.MaxOfI16, &lanes.MinOfI16, lanes.SumI16)
	folded(t, &lanes.MaxOfI32, &lanes.MinOfI32, lanes.SumI32)
	folded(t, &lanes.MaxOfI64, &lanes.MinOfI64, lanes.SumI64)
	check(t, "max i64", lanes.MaxI64, func(a, b int64) int64 { return max(a, b) })
	check(t, "min i64", lanes.MinI64, func(a, b int64) int64 { return min(a, b) })
	check(t, "take max", lanes.TakeMaxF64, func(a, b float64) float64 {
		if a > b || a != a {
			return a
		}
		return b
	})
	check(t, "take min", lanes.TakeMinF64, func(a, b float64) float64 {
		if a < b || a != a {
			return a
		}
		return b
	})
}

func TestWideningAdditions(t *testing.T) {
	widened(t, lanes.AddU8, func(v uint8) int64 { return int64(v) })
	widened(t, lanes.AddI8, func(v int8) int64 { return int64(v) })
	widened(t, lanes.AddI16, func(v int16) int64 { return int64(v) })
	widened(t, lanes.AddI32, func(v int32) int64 { return int64(v) })
	widened(t, lanes.AddBool, func(v uint8) int64 { return int64(truth(v != 0)) })
}

func widened[T whole](t *testing.T, add func(sums []int64, x []T), wide func(T) int64) {
	r := rand.New(rand.NewPCG(13, 14))
	for n := 1; n < 100; n++ {
		x, sums := random[T](r, n+1)[1:], random[int64](r, n)
		want := append([]int64{}, sums...)
		for i, v := range x {
			want[i] += wide(v)
		}
		add(sums, x)
		require.Equal(t, want, sums)
	}
}

func TestCountBool(t *testing.T) {
	r := rand.New(rand.NewPCG(5, 6))
	for n := range 200 {
		x, want := make([]uint8, n), int64(0)
		for i := range x {
			if r.IntN(2) == 0 {
				x[i] = uint8(1 + r.IntN(255))
				want++
			}
		}
		require.Equal(t, want, lanes.CountBool(x))
	}
}

func TestFoldsOfDoubles(t *testing.T) {
	r := rand.New(rand.NewPCG(7, 8))
	for n := range 200 {
		x := make([]float64, n)
		hi, lo := math.Inf(-1), math.Inf(1)
		var want [8]float64
		for i := range x {
			x[i] = r.NormFloat64()
			hi, lo = max(hi, x[i]), min(lo, x[i])
			want[i&7] += x[i]
		}
		var sums [8]float64
		lanes.SumF64(&sums, x)
		require.Equal(t, want, sums)
		require.Equal(t, hi, lanes.MaxOfF64(x))
		require.Equal(t, lo, lanes.MinOfF64(x))
		for i := range x {
			was := x[i]
			x[i] = math.NaN()
			require.True(t, math.IsNaN(lanes.MaxOfF64(x)) && math.IsNaN(lanes.MinOfF64(x)))
			x[i] = was
		}
	}
}

type sought interface {
	int32 | int64 | float32 | float64
}

func TestSearches(t *testing.T) {
	searches(t, lanes.SearchMaxI32, lanes.SearchMinI32, func(r *rand.Rand) int32 { return int32(r.Uint32()) >> r.IntN(31) })
	searches(t, lanes.SearchMaxI64, lanes.SearchMinI64, func(r *rand.Rand) int64 { return int64(r.Uint64()) >> r.IntN(63) })
	searches(t, lanes.SearchMaxF32, lanes.SearchMinF32, func(r *rand.Rand) float32 { return float32(special(r)) })
	searches(t, lanes.SearchMaxF64, lanes.SearchMinF64, special)
}

func special(r *rand.Rand) float64 {
	if r.IntN(20) == 0 {
		return []float64{math.NaN(), math.Inf(1), math.Inf(-1), 0, math.Copysign(0, -1)}[r.IntN(5)]
	}
	return r.NormFloat64()
}

func searches[T sought](t *testing.T, most, least lanes.Search[T], number func(*rand.Rand) T) {
	if most == nil {
		t.Skip("this machine has no vectors")
	}
	r := rand.New(rand.NewPCG(11, 12))
	for range 500 {
		n, width, first := 1+r.IntN(12), 1+r.IntN(70), r.Int64N(1<<40)
		step := width + r.IntN(4)
		x, start := make([]T, n*step), make([]T, width)
		for i := range x {
			x[i] = number(r)
		}
		for j := range start {
			start[j] = number(r)
		}
		for k, search := range []lanes.Search[T]{most, least} {
			best, where := append([]T{}, start...), make([]int64, width)
			done := search(best, where, x, n, step, first)
			for j := range width {
				b, at := start[j], int64(0)
				for i := range n {
					if e := x[i*step+j]; j < done && b == b && (k == 0 && !(e <= b) || k == 1 && !(e >= b)) {
						b, at = e, first+int64(i)
					}
				}
				require.Equal(t, at, where[j])
				require.True(t, b == best[j] || b != b && best[j] != best[j], "%v, want %v", best[j], b)
			}
		}
	}
}
