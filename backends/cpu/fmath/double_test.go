package fmath

import (
	"math"
	"math/rand/v2"
	"testing"

	"github.com/stretchr/testify/require"
)

// Every function is compared with package math, which is within one unit in the last place, over all exponents and signs;
// and one element at a time, by the portable function, gives the same bits as many.
func TestDoublesAgainstMath(t *testing.T) {
	// In package math of Go 1.26 for amd64, Exp overflows early, Log2 loses places near 1, and so do Asin and Acos; Log
	// reads the exponent of numbers without all places as it is written.
	exp := func(x float64) float64 {
		if math.Abs(x) < 700 {
			return math.Exp(x)
		}
		return math.Exp(x/2) * math.Exp(x/2)
	}
	log2 := func(x float64) float64 {
		if x > 0.5 && x < 2 {
			return math.Log(x) / math.Ln2
		}
		return math.Log2(x)
	}
	log := func(x float64) float64 {
		if x > 0 && x < 0x1p-1022 {
			return math.Log(x*0x1p54) - 54*math.Ln2
		}
		return math.Log(x)
	}
	cosine := func(x float64) float64 { return math.Sqrt((1 - x) * (1 + x)) }
	gelu := func(x float64) float64 { return x * 0.5 * math.Erfc(-x*(1/math.Sqrt2)) }
	for _, f := range []struct {
		name string
		f    func(dst, src []float64)
		want func(float64) float64
		ulp  float64
	}{
		{"exp", Exp64, exp, 3},
		{"expm1", Expm164, math.Expm1, 3},
		{"sigmoid", Sigmoid64, func(x float64) float64 { return 1 / (1 + exp(-x)) }, 4},
		{"tanh", Tanh64, math.Tanh, 4},
		{"sinh", Sinh64, func(x float64) float64 { return math.Copysign(math.Sinh(math.Abs(x)), x) }, 4},
		{"cosh", Cosh64, math.Cosh, 3},
		{"log", Log64, log, 2},
		{"log2", Log264, log2, 4},
		{"log10", Log1064, func(x float64) float64 { return log(x) * math.Log10E }, 4},
		{"log1p", Log1p64, math.Log1p, 3},
		{"asinh", Asinh64, math.Asinh, 5},
		{"acosh", Acosh64, math.Acosh, 5},
		{"asin", Asin64, func(x float64) float64 { return math.Atan2(x, cosine(x)) }, 4},
		{"acos", Acos64, func(x float64) float64 { return math.Atan2(cosine(x), x) }, 4},
		{"erf", Erf64, math.Erf, 3},
		{"gelu", Gelu64, gelu, 6},
	} {
		t.Run(f.name, func(t *testing.T) {
			src := sweep64()
			dst := make([]float64, len(src))
			f.f(dst, src)
			worst, at := 0.0, 0
			for i, x := range src {
				want := f.want(x)
				if math.Abs(want) < 0x1p-1022 && math.Abs(dst[i]-want) <= 5e-324*8 {
					continue
				}
				if f.name == "gelu" && x < -2 && x > -37 {
					// Not every machine's Erfc keeps all places that far out.
					require.InEpsilon(t, want, dst[i], 1e-12, "%g", x)
					continue
				}
				if u := units64(dst[i], want); u > worst {
					worst, at = u, i
				}
			}
			t.Logf("%.2f units in the last place", worst)
			require.LessOrEqual(t, worst, f.ulp, "%s(%g) = %g, want %g", f.name, src[at], dst[at], f.want(src[at]))
			zeros := []float64{0, math.Copysign(0, -1)}
			f.f(zeros, zeros)
			if f.want(0) == 0 {
				require.Equal(t, []bool{false, true}, []bool{math.Signbit(zeros[0]), math.Signbit(zeros[1])})
			}
			for i := range src {
				var one [1]float64
				f.f(one[:], src[i:i+1])
				if (one[0] == one[0] || dst[i] == dst[i]) && math.Float64bits(one[0]) != math.Float64bits(dst[i]) {
					t.Fatalf("%s(%g): %g alone, %g among others", f.name, src[i], one[0], dst[i])
				}
			}
		})
	}
}

func units64(got, want float64) float64 {
	if got == want || got != got && want != want {
		return 0
	}
	if math.IsInf(want, 0) || math.IsInf(got, 0) || got != got || want != want {
		return math.Inf(1)
	}
	w := math.Abs(want)
	return math.Abs(got-want) / (math.Nextafter(w, math.Inf(1)) - w)
}

func sweep64() []float64 {
	var xs []float64
	r := rand.New(rand.NewPCG(1, 2))
	for e := -1074; e <= 1023; e++ {
		for range 5 {
			x := math.Ldexp(1+r.Float64(), e)
			xs = append(xs, x, -x)
		}
	}
	for range 40000 {
		xs = append(xs, float64(40*r.Float64())-20, float64(2*r.Float64())-1, float64(1500*r.Float64())-750)
	}
	inf := math.Inf(1)
	return append(xs, 0, math.Copysign(0, -1), 1, -1, 0.5, -0.5, inf, -inf, math.NaN(), 5e-324, math.MaxFloat64, -math.MaxFloat64, 709.7, 710.3, -745.1, 1000, 8, 26.5, 27.4)
}

// The approximation by the hyperbolic tangent.
func TestGeluTanh64(t *testing.T) {
	src := sweep64()
	dst := make([]float64, len(src))
	GeluTanh64(dst, src)
	for i, x := range src {
		u := 0.79788456080286535588 * (x + 0.044715*x*x*x)
		want := 0.5 * x * (1 + math.Tanh(u))
		if x == x && math.Abs(want) < math.Inf(1) {
			require.InDelta(t, want, dst[i], 1e-15*math.Max(1, math.Abs(x)), "%g", x)
		}
		var one [1]float64
		GeluTanh64(one[:], src[i:i+1])
		if (one[0] == one[0] || dst[i] == dst[i]) && math.Float64bits(one[0]) != math.Float64bits(dst[i]) {
			t.Fatalf("%g: %g alone, %g among others", x, one[0], dst[i])
		}
	}
}
