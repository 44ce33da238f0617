package fmath

import (
	"math"
	"math/big"
	"math/rand/v2"
	"testing"

	"github.com/stretchr/testify/require"
)

// Powers of float64 numbers against exact ones, which whole exponents have.
func TestPowOf(t *testing.T) {
	r := rand.New(rand.NewPCG(71, 72))
	for range 5000 {
		b := int64(r.IntN(2000) + 1)
		a := math.Exp((r.Float64()*2 - 1) * 700 / float64(b))
		if r.IntN(4) == 0 {
			a = float64(r.IntN(20) + 1)
			b = int64(r.IntN(40) + 1)
		}
		if r.IntN(2) == 0 {
			a = -a
		}
		exact := big.NewFloat(1).SetPrec(2000)
		for square, n := new(big.Float).SetPrec(2000).SetFloat64(a), b; n > 0; n >>= 1 {
			if n&1 == 1 {
				exact.Mul(exact, square)
			}
			square.Mul(square, square)
		}
		for _, sign := range []float64{1, -1} {
			if sign < 0 {
				exact.Quo(big.NewFloat(1), exact)
			}
			got := PowOf(a, sign*float64(b))
			want, _ := exact.Float64()
			if want == 0 || math.IsInf(want, 0) || math.Abs(want) < 0x1p-1022 {
				continue
			}
			off := new(big.Float).Sub(exact, big.NewFloat(got))
			unit := math.Nextafter(math.Abs(want), math.Inf(1)) - math.Abs(want)
			units, _ := off.Quo(off.Abs(off), big.NewFloat(unit)).Float64()
			most := 0.75
			if b <= 4 {
				most = 2
			}
			require.LessOrEqual(t, units, most, "%g to the power of %g is %g", a, sign*float64(b), got)
		}
	}
	// A root has as many places.
	for range 2000 {
		x := math.Ldexp(1+r.Float64(), r.IntN(2000)-1000)
		require.LessOrEqual(t, units64(PowOf(x, 0.5), math.Sqrt(x)), 1.0)
	}
	// So have powers of numbers without all places.
	for range 2000 {
		x, b := math.Ldexp(1+r.Float64(), -1074+r.IntN(52)), -r.Float64()*0.9
		require.LessOrEqual(t, units64(PowOf(x, b), PowOf(x*0x1p64, b)*PowOf(0x1p64, -b)), 2.0, "%g to the power of %g", x, b)
	}
	// Values and limits of C's pow.
	inf, nan, minus := math.Inf(1), math.NaN(), math.Copysign(0, -1)
	for _, c := range [][3]float64{
		{2, 10, 1024}, {3, 20, 3486784401}, {-3, 3, -27}, {-2, 0.5, nan}, {10, -1, 0.1}, {1, 1e300, 1}, {-1, 1e300, 1}, {2, 1024, inf}, {-2, 1025, -inf},
		{2, -1074, 5e-324}, {2, -1080, 0}, {-2, -1081, minus}, {0, 0, 1}, {nan, 0, 1}, {1, nan, 1}, {0, -1, inf}, {minus, -1, -inf}, {minus, 0.5, 0}, {-inf, 0.5, inf},
		{inf, -2, 0}, {0.5, inf, 0}, {2, inf, inf}, {5e-324, 0.5, 0x1p-537}, {1.5, 1e-320, 1}, {math.MaxFloat64, 1, math.MaxFloat64}, {math.MaxFloat64, -1, 1 / math.MaxFloat64},
	} {
		got := PowOf(c[0], c[1])
		if c[2] != c[2] {
			require.True(t, got != got, "%v", c)
			continue
		}
		require.Equal(t, math.Float64bits(c[2]), math.Float64bits(got), "%v: %g", c, got)
	}
}

// An angle has the sign of its first number, however small that is.
func TestAtan2Of(t *testing.T) {
	for _, y := range []float64{0, 5e-324, 1e-310, 1e-200, 1, 1e300, math.Inf(1)} {
		for _, x := range []float64{0, 5e-324, 1e-310, 1e-200, 1, 1e300, math.Inf(1)} {
			a := Atan2Of(y, x)
			require.Equal(t, math.Atan2(y, x), a)
			require.InDelta(t, math.Pi-a, Atan2Of(y, -x), 1e-15, "%g %g", y, -x)
			for _, x := range []float64{x, -x} {
				require.Equal(t, -Atan2Of(y, x), Atan2Of(math.Copysign(y, -1), x), "%g %g", -y, x)
			}
		}
	}
}

func BenchmarkPowOf(b *testing.B) {
	x := 1.7
	for b.Loop() {
		x = PowOf(x, 2.5) + 1.2 - float64(int(x))
	}
}
