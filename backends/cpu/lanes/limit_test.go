package lanes_test

import (
	"math"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/ptero-rt/ptero/backends/cpu/lanes"
	"github.com/ptero-rt/ptero/executor"
)

type bounded interface {
	executor.Element
	uint8 | int8 | int16 | int32 | int64 | float32 | float64
}

// limited compares loops with bounds with Go's min and max on all triples of telling numbers, in every place.
func limited[T bounded](t *testing.T, name string, limit lanes.Limit, between lanes.Between, bits func(T) uint64, some ...T) {
	t.Run(name, func(t *testing.T) {
		if between == nil {
			t.Skip("this machine has no vectors")
		}
		for n := range 100 {
			from, a := room[T](n)
			lower, lo := room[T](n)
			upper, hi := room[T](n)
			to, dst := room[T](n)
			for i := range a {
				k := i + n*n
				a[i], lo[i], hi[i] = some[k%len(some)], some[k/len(some)%len(some)], some[(k+n)%len(some)]
			}
			require.Equal(t, len(to)&^31, between(to, from, lower, upper))
			same := func(want, got T, i int) {
				if want == want || got == got {
					require.Equal(t, bits(want), bits(got), "%v in %v to %v", a[i], lo[i], hi[i])
				}
			}
			for i := range (len(to) &^ 31) / (max(len(to), 1) / max(n, 1)) {
				same(min(max(a[i], lo[i]), hi[i]), dst[i], i)
			}
			if limit == nil || n == 0 || lo[0] != lo[0] || hi[0] != hi[0] {
				continue
			}
			require.Equal(t, len(to)&^31, limit(to, from, bits(lo[0]), bits(hi[0])))
			for i := range (len(to) &^ 31) / (len(to) / n) {
				v := a[i]
				if v < lo[0] {
					v = lo[0]
				}
				if v > hi[0] {
					v = hi[0]
				}
				same(v, dst[i], i)
			}
		}
	})
}

func TestLimits(t *testing.T) {
	limited(t, "u8", lanes.LimitU8, lanes.BetweenU8, func(x uint8) uint64 { return uint64(x) }, 0, 1, 127, 128, 255)
	limited(t, "i8", lanes.LimitI8, lanes.BetweenI8, func(x int8) uint64 { return uint64(x) }, 0, 1, -1, 127, -128)
	limited(t, "i16", lanes.LimitI16, lanes.BetweenI16, func(x int16) uint64 { return uint64(x) }, 0, 1, -1, math.MaxInt16, math.MinInt16)
	limited(t, "i32", lanes.LimitI32, lanes.BetweenI32, func(x int32) uint64 { return uint64(x) }, 0, 1, -1, math.MaxInt32, math.MinInt32)
	limited(t, "i64", lanes.LimitI64, lanes.BetweenI64, func(x int64) uint64 { return uint64(x) }, 0, 1, -1, math.MaxInt64, math.MinInt64)
	zero, inf, nan := math.Copysign(0, -1), math.Inf(1), math.NaN()
	limited(t, "f32", nil, lanes.BetweenF32, func(x float32) uint64 { return uint64(math.Float32bits(x)) }, 0, float32(zero), 1, -1, float32(inf), -float32(inf), float32(nan))
	limited(t, "f64", lanes.LimitF64, lanes.BetweenF64, math.Float64bits, 0, zero, 1, -1, inf, -inf, nan)
}

func multiples[T bounded](t *testing.T, name string, loop lanes.Scaled, bits func(T) uint64, some ...T) {
	for _, s := range some {
		var f lanes.Loop
		if loop != nil {
			f = func(dst, a, b []byte) int { return loop(dst, a, b, bits(s)) }
		}
		check(t, name, f, func(a, b T) T { return a + T(s*b) })
	}
}

func TestScaled(t *testing.T) {
	multiples(t, "i8", lanes.Scaled8, func(x int8) uint64 { return uint64(x) }, 2, -3, -128)
	multiples(t, "i16", lanes.Scaled16, func(x int16) uint64 { return uint64(x) }, 2, -3, math.MinInt16)
	multiples(t, "i32", lanes.Scaled32, func(x int32) uint64 { return uint64(x) }, 2, -3, math.MinInt32)
	multiples(t, "i64", lanes.Scaled64, func(x int64) uint64 { return uint64(x) }, 2, -3, 1<<40+77, math.MinInt64)
	multiples(t, "f64", lanes.ScaledF64, math.Float64bits, 2, -0.3)
}

func TestZero(t *testing.T) {
	if lanes.Equal16 == nil {
		t.Skip("this machine has no vectors")
	}
	for _, n := range []int{0, 31, 64, 2048, 2049, 5000, 6400} {
		from, a := room[int16](n)
		dst := make([]byte, n)
		for i := range a {
			a[i] = int16(i % 3)
		}
		done := lanes.Equal16.Zero(dst, from, 2)
		require.Equal(t, n&^31, done)
		for i := range done {
			require.Equal(t, truth(a[i] == 0), dst[i])
		}
	}
}
