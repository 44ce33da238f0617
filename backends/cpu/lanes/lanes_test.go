package lanes_test

import (
	"math"
	"math/rand/v2"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/ptero-rt/ptero/backends/cpu/lanes"
	"github.com/ptero-rt/ptero/executor"
)

// check compares a loop with a function of single elements, on random bits of every length.
func check[T executor.Element](t *testing.T, name string, loop lanes.Loop, f func(a, b T) T) {
	t.Run(name, func(t *testing.T) {
		if loop == nil {
			t.Skip("this machine has no vectors")
		}
		r := rand.New(rand.NewPCG(1, 2))
		for n := range 300 {
			n &^= 7
			a, b, dst := make([]byte, n), make([]byte, n), make([]byte, n)
			for i := range a {
				a[i], b[i] = byte(r.Uint32()), byte(r.Uint32())
				if n&16 != 0 { // small numbers, for shifts and bools
					a[i] &= 1
					if b[i] &= 0x3f; i%8 != 0 {
						b[i] = 0
					}
				}
			}
			done := loop(dst, a, b)
			require.Equal(t, n&^31, done)
			want := make([]byte, n)
			w, x, y := executor.SliceBytes[T](want), executor.SliceBytes[T](a), executor.SliceBytes[T](b)
			for i := range w {
				w[i] = f(x[i], y[i])
			}
			for i, v := range executor.SliceBytes[T](dst[:done]) {
				if v == v || w[i] == w[i] { // NaN is any NaN
					require.Equal(t, w[i], v, "%v, %v", x[i], y[i])
				}
			}
		}
	})
}

type whole interface {
	uint8 | int8 | int16 | int32 | int64
}

func wrapping[T whole](t *testing.T, name string, add, sub, neg lanes.Loop) {
	check(t, "add "+name, add, func(a, b T) T { return a + b })
	check(t, "sub "+name, sub, func(a, b T) T { return a - b })
	check(t, "neg "+name, neg, func(a, _ T) T { return -a })
}

func ordered[T whole](t *testing.T, name string, larger, smaller lanes.Loop) {
	check(t, "max "+name, larger, func(a, b T) T { return max(a, b) })
	check(t, "min "+name, smaller, func(a, b T) T { return min(a, b) })
}

func truth(b bool) uint8 {
	if b {
		return 1
	}
	return 0
}

// Loops with a number do what those of two operands do where the second holds it everywhere.
func TestLoopsWithNumber(t *testing.T) {
	if lanes.And == nil {
		t.Skip("this machine has no vectors")
	}
	for name, f := range map[string][2]lanes.Loop{
		"and": {lanes.AndNumber, lanes.And}, "or": {lanes.OrNumber, lanes.Or}, "xor": {lanes.XorNumber, lanes.Xor},
		"bool and": {lanes.BoolAndNumber, lanes.BoolAnd}, "bool or": {lanes.BoolOrNumber, lanes.BoolOr}, "bool xor": {lanes.BoolXorNumber, lanes.BoolXor},
	} {
		r := rand.New(rand.NewPCG(1, 2))
		for n := 32; n < 400; n++ {
			a, b, want := make([]byte, n), make([]byte, n), make([]byte, n)
			for i := range a {
				a[i] = byte(r.Uint32()) & -byte(r.Uint32()&1)
				if b[i] = byte(r.Uint32()) & -byte(r.Uint32()&1); i >= 8 {
					b[i] = b[i-8]
				}
			}
			got := append([]byte{}, want...)
			require.Equal(t, f[1](want, a, b), f[0](got, a, b[:32:32]), name)
			require.Equal(t, want, got, "%s of %d", name, n)
		}
	}
}

func TestLoops(t *testing.T) {
	check(t, "and", lanes.And, func(a, b uint64) uint64 { return a & b })
	check(t, "or", lanes.Or, func(a, b uint64) uint64 { return a | b })
	check(t, "xor", lanes.Xor, func(a, b uint64) uint64 { return a ^ b })
	check(t, "not", lanes.Not, func(a, _ uint64) uint64 { return ^a })
	check(t, "bool and", lanes.BoolAnd, func(a, b uint8) uint8 { return truth(a != 0 && b != 0) })
	check(t, "bool or", lanes.BoolOr, func(a, b uint8) uint8 { return truth(a != 0 || b != 0) })
	check(t, "bool xor", lanes.BoolXor, func(a, b uint8) uint8 { return truth((a != 0) != (b != 0)) })
	check(t, "bool not", lanes.BoolNot, func(a, _ uint8) uint8 { return truth(a == 0) })
	wrapping[uint8](t, "u8", lanes.Add8, lanes.Sub8, lanes.Neg8)
	wrapping[int16](t, "i16", lanes.Add16, lanes.Sub16, lanes.Neg16)
	wrapping[int32](t, "i32", lanes.Add32, lanes.Sub32, lanes.Neg32)
	wrapping[int64](t, "i64", lanes.Add64, lanes.Sub64, lanes.Neg64)
	ordered[uint8](t, "u8", lanes.MaxU8, lanes.MinU8)
	ordered[int8](t, "i8", lanes.MaxI8, lanes.MinI8)
	ordered[int16](t, "i16", lanes.MaxI16, lanes.MinI16)
	ordered[int32](t, "i32", lanes.MaxI32, lanes.MinI32)
	check(t, "mul i16", lanes.Mul16, func(a, b int16) int16 { return a * b })
	check(t, "mul i32", lanes.Mul32, func(a, b int32) int32 { return a * b })
	check(t, "abs i8", lanes.Abs8, func(a, _ int8) int8 {
		if a < 0 {
			return -a
		}
		return a
	})
	check(t, "abs i16", lanes.Abs16, func(a, _ int16) int16 {
		if a < 0 {
			return -a
		}
		return a
	})
	check(t, "abs i32", lanes.Abs32, func(a, _ int32) int32 {
		if a < 0 {
			return -a
		}
		return a
	})
	check(t, "left i32", lanes.ShiftLeft32, func(a, n int32) int32 { return a << uint32(n) })
	check(t, "left i64", lanes.ShiftLeft64, func(a, n int64) int64 { return a << uint64(n) })
	check(t, "right i32", lanes.ShiftRight32, func(a, n int32) int32 { return a >> uint32(n) })
	check(t, "right i64", lanes.ShiftRight64, func(a, n int64) int64 { return a >> uint64(n) })
	check(t, "add f64", lanes.AddF64, func(a, b float64) float64 { return a + b })
	check(t, "sub f64", lanes.SubF64, func(a, b float64) float64 { return a - b })
	check(t, "mul f64", lanes.MulF64, func(a, b float64) float64 { return a * b })
	check(t, "div f64", lanes.DivF64, func(a, b float64) float64 { return a / b })
	check(t, "abs f64", lanes.AbsF64, func(a, _ float64) float64 { return math.Abs(a) })
	check(t, "neg f64", lanes.NegF64, func(a, _ float64) float64 { return -a })
	check(t, "sqrt", lanes.SqrtF64, func(a, _ float64) float64 { return math.Sqrt(a) })
	check(t, "floor", lanes.FloorF64, func(a, _ float64) float64 { return math.Floor(a) })
	check(t, "ceil", lanes.CeilF64, func(a, _ float64) float64 { return math.Ceil(a) })
	check(t, "trunc", lanes.TruncF64, func(a, _ float64) float64 { return math.Trunc(a) })
	check(t, "round", lanes.RoundF64, func(a, _ float64) float64 { return math.RoundToEven(a) })
	check(t, "reciprocal", lanes.ReciprocalF64, func(a, _ float64) float64 { return 1 / a })
	check(t, "rsqrt", lanes.RsqrtF64, func(a, _ float64) float64 { return 1 / math.Sqrt(a) })
}
