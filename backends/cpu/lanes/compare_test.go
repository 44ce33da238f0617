package lanes_test

import (
	"math"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/ptero-rt/ptero/backends/cpu/lanes"
	"github.com/ptero-rt/ptero/executor"
)

type realNumber interface {
	executor.Element
	uint8 | int8 | int16 | int32 | int64 | float64
}

// room is space for n elements, as bytes and as elements.
func room[T executor.Element](n int) ([]byte, []T) {
	size := len(executor.SliceBytes[T](make([]byte, 64)))
	size = 64 / size
	b := make([]byte, (n*size+63)&^63)[:n*size]
	return b, executor.SliceBytes[T](b)
}

// related compares a relation with Go's, over all pairs of telling numbers in every place.
func related[T realNumber](t *testing.T, name string, r lanes.Relation, some []T, f func(a, b T) bool) {
	t.Run(name, func(t *testing.T) {
		if r == nil {
			t.Skip("this machine has no vectors")
		}
		for n := range 140 {
			from, a := room[T](n)
			with, b := room[T](n)
			dst := make([]byte, n+1)
			dst[n] = 42
			for i := range a {
				k := i + n*n
				a[i], b[i] = some[k%len(some)], some[k/len(some)%len(some)]
			}
			require.Equal(t, n&^31, r(dst[:n], from, with))
			require.Equal(t, byte(42), dst[n])
			for i := range n &^ 31 {
				if want := truth(f(a[i], b[i])); want != dst[i] {
					t.Fatalf("%v, %v at %d of %d: %d, want %d", a[i], b[i], i, n, dst[i], want)
				}
			}
		}
	})
}

func relations[T realNumber](t *testing.T, name string, eq, ne, lt, le lanes.Relation, some ...T) {
	related(t, "equal "+name, eq, some, func(a, b T) bool { return a == b })
	related(t, "unequal "+name, ne, some, func(a, b T) bool { return a != b })
	related(t, "less "+name, lt, some, func(a, b T) bool { return a < b })
	related(t, "less or equal "+name, le, some, func(a, b T) bool { return a <= b })
}

func TestRelations(t *testing.T) {
	relations[uint8](t, "u8", lanes.Equal8, lanes.Unequal8, lanes.LessU8, lanes.LessEqualU8, 0, 1, 127, 128, 254, 255, 77)
	relations[int8](t, "i8", lanes.Equal8, lanes.Unequal8, lanes.LessI8, lanes.LessEqualI8, 0, 1, -1, 127, -128, 77, -77)
	relations[int16](t, "i16", lanes.Equal16, lanes.Unequal16, lanes.LessI16, lanes.LessEqualI16, 0, 1, -1, math.MaxInt16, math.MinInt16, 256, 255)
	relations[int32](t, "i32", lanes.Equal32, lanes.Unequal32, lanes.LessI32, lanes.LessEqualI32, 0, 1, -1, math.MaxInt32, math.MinInt32, 1<<16, 1<<16+1)
	relations[int64](t, "i64", lanes.Equal64, lanes.Unequal64, lanes.LessI64, lanes.LessEqualI64, 0, 1, -1, math.MaxInt64, math.MinInt64, 1<<32, 1<<32+1)
	relations(t, "f64", lanes.EqualF64, lanes.UnequalF64, lanes.LessF64, lanes.LessEqualF64, 0, math.Copysign(0, -1), 1, -1, math.Inf(1), math.Inf(-1), math.NaN(), 1e-300)
}
