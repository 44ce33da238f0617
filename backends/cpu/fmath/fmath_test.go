package fmath

import (
	"math"
	"testing"

	"github.com/stretchr/testify/require"
)

// units is the distance of got from the true value, in units of a float32's last place there.
func units(got float32, want float64) float64 {
	w := float32(want)
	if got == w || got != got && want != want {
		return 0
	}
	if math.IsInf(want, 0) || got != got || want != want {
		return math.Inf(1)
	}
	ulp := float64(math.Nextafter32(float32(math.Abs(float64(w))), float32(math.Inf(1)))) - math.Abs(float64(w))
	if math.IsInf(ulp, 0) {
		ulp = math.Ldexp(1, 104)
	}
	return math.Abs(float64(got)-want) / ulp
}

// Every function is compared with Go's float64 functions over all exponents and signs.
func TestAgainstFloat64(t *testing.T) {
	for _, f := range []struct {
		name string
		f    func(dst, src []float32)
		want func(float64) float64
		ulp  float64
	}{
		{"exp", Exp, math.Exp, 0.6},
		{"expm1", Expm1, math.Expm1, 0.6},
		{"sinh", Sinh, func(x float64) float64 { return math.Copysign(math.Sinh(math.Abs(x)), x) }, 0.6},
		{"cosh", Cosh, math.Cosh, 0.6},
		{"tanh", Tanh, math.Tanh, 0.6},
		{"sigmoid", Sigmoid, func(x float64) float64 { return 1 / (1 + math.Exp(-x)) }, 0.6},
		{"gelu", Gelu, func(x float64) float64 { return 0.5 * x * math.Erfc(-x/math.Sqrt2) }, 0.7},
		{"log", Log, math.Log, 0.6},
		{"log2", Log2, math.Log2, 0.6},
		{"log10", Log10, math.Log10, 0.6},
		{"log1p", Log1p, math.Log1p, 0.6},
		{"sin", Sin, math.Sin, 0.6},
		{"cos", Cos, math.Cos, 0.6},
		{"tan", Tan, math.Tan, 0.6},
		{"asin", Asin, math.Asin, 0.6},
		{"acos", Acos, math.Acos, 0.6},
		{"atan", Atan, math.Atan, 0.6},
		{"asinh", Asinh, math.Asinh, 0.6},
		{"acosh", Acosh, math.Acosh, 0.6},
		{"atanh", Atanh, math.Atanh, 0.6},
		{"erf", Erf, math.Erf, 0.6},
	} {
		t.Run(f.name, func(t *testing.T) {
			src := sweep()
			dst := make([]float32, len(src))
			f.f(dst, src)
			worst, at := 0.0, 0
			for i, x := range src {
				if f.name == "gelu" && math.Abs(float64(x)) > 13 && x < 0 {
					continue // below the smallest normal number
				}
				if u := units(dst[i], f.want(float64(x))); u > worst {
					worst, at = u, i
				}
			}
			require.LessOrEqual(t, worst, f.ulp, "%s(%g) = %g, want %g", f.name, src[at], dst[at], f.want(float64(src[at])))
			// One element at a time takes the portable loop: the same bits.
			for i := range src {
				var one [1]float32
				f.f(one[:], src[i:i+1])
				if one[0] != one[0] && dst[i] != dst[i] {
					continue
				}
				require.Equal(t, math.Float32bits(one[0]), math.Float32bits(dst[i]), "%s(%g)", f.name, src[i])
			}
		})
	}
}

// sweep goes over all exponents with a few hundred mantissas each, and over the usual range densely.
func sweep() []float32 {
	var xs []float32
	for b := uint32(0); b < 0x7f800000; b += 0x7fff1 {
		xs = append(xs, math.Float32frombits(b), math.Float32frombits(b|1<<31))
	}
	for x := float32(-20); x < 20; x += 1.0 / 1024 {
		xs = append(xs, x)
	}
	inf := float32(math.Inf(1))
	return append(xs, 0, float32(math.Copysign(0, -1)), 1, -1, inf, -inf, float32(math.NaN()), 1e-45, -1e-45, math.MaxFloat32, -math.MaxFloat32)
}

func BenchmarkExp(b *testing.B)  { bench(b, Exp) }
func BenchmarkTanh(b *testing.B) { bench(b, Tanh) }
func BenchmarkGelu(b *testing.B) { bench(b, Gelu) }
func BenchmarkLog(b *testing.B)  { bench(b, Log) }
func BenchmarkSin(b *testing.B)  { bench(b, Sin) }
func BenchmarkErf(b *testing.B)  { bench(b, Erf) }
func BenchmarkAtan(b *testing.B) { bench(b, Atan) }

func bench(b *testing.B, f func(dst, src []float32)) {
	src, dst := make([]float32, 4096), make([]float32, 4096)
	for i := range src {
		src[i] = float32(i)/512 - 4
	}
	for b.Loop() {
		f(dst, src)
	}
	b.ReportMetric(float64(b.Elapsed().Nanoseconds())/float64(b.N)/float64(len(src)), "ns/element")
}

// The vector loops must give what the portable ones give, for every length and with every special number in every place.
func TestLoopsAgree(t *testing.T) {
	special := sweep()
	a, b, c := make([]float32, 200), make([]float32, 200), make([]float32, 200)
	mask := make([]uint8, 200)
	for i := range a {
		a[i], b[i], c[i] = special[i*37%len(special)], special[len(special)-1-i*91%len(special)], special[i*131%len(special)]
		mask[i] = uint8(i * i % 3)
		if i%5 == 0 {
			b[i] = a[i]
		}
		if i%7 == 0 {
			a[i] = special[len(special)-1-i%11]
		}
	}
	floats := map[string]func(dst, a, b, c []float32, m []uint8){
		"add":        func(d, a, b, _ []float32, _ []uint8) { Add(d, a, b) },
		"sub":        func(d, a, b, _ []float32, _ []uint8) { Sub(d, a, b) },
		"mul":        func(d, a, b, _ []float32, _ []uint8) { Mul(d, a, b) },
		"div":        func(d, a, b, _ []float32, _ []uint8) { Div(d, a, b) },
		"max":        func(d, a, b, _ []float32, _ []uint8) { Max(d, a, b) },
		"min":        func(d, a, b, _ []float32, _ []uint8) { Min(d, a, b) },
		"scaled":     func(d, a, b, _ []float32, _ []uint8) { AddScaled(d, a, b, 1.7) },
		"affine":     func(d, a, b, c []float32, _ []uint8) { Affine(d, a, b, c) },
		"clamp":      func(d, a, _, _ []float32, _ []uint8) { Clamp(d, a, -0.5, 6) },
		"relu":       func(d, a, _, _ []float32, _ []uint8) { Clamp(d, a, 0, float32(math.Inf(1))) },
		"leaky":      func(d, a, _, _ []float32, _ []uint8) { Leaky(d, a, 0.01) },
		"sqrt":       func(d, a, _, _ []float32, _ []uint8) { Sqrt(d, a) },
		"rsqrt":      func(d, a, _, _ []float32, _ []uint8) { Rsqrt(d, a) },
		"reciprocal": func(d, a, _, _ []float32, _ []uint8) { Reciprocal(d, a) },
		"abs":        func(d, a, _, _ []float32, _ []uint8) { Abs(d, a) },
		"neg":        func(d, a, _, _ []float32, _ []uint8) { Neg(d, a) },
		"sign":       func(d, a, _, _ []float32, _ []uint8) { Sign(d, a) },
		"floor":      func(d, a, _, _ []float32, _ []uint8) { Floor(d, a) },
		"ceil":       func(d, a, _, _ []float32, _ []uint8) { Ceil(d, a) },
		"trunc":      func(d, a, _, _ []float32, _ []uint8) { Trunc(d, a) },
		"round":      func(d, a, _, _ []float32, _ []uint8) { Round(d, a) },
		"sub number": func(d, a, b, _ []float32, _ []uint8) { SubNumber(d, a, 1.5) },
		"div number": func(d, a, b, _ []float32, _ []uint8) { DivNumber(d, a, 3) },
		"atan2":      func(d, a, b, _ []float32, _ []uint8) { Atan2(d, a, b) },
		"pow":        func(d, a, b, _ []float32, _ []uint8) { Pow(d, a, b) },
		"choose":     func(d, a, b, _ []float32, m []uint8) { Choose(d, m, a, b) },
	}
	for name, f := range floats {
		for n := range 130 {
			got, want := make([]float32, n+1), make([]float32, 1)
			got[n] = 42
			f(got[:n], a[:n], b[:n], c[:n], mask[:n])
			require.Equal(t, float32(42), got[n], "%s wrote beyond %d", name, n)
			for i := range n {
				f(want, a[i:i+1], b[i:i+1], c[i:i+1], mask[i:i+1])
				if want[0] != want[0] && got[i] != got[i] {
					continue
				}
				require.Equal(t, math.Float32bits(want[0]), math.Float32bits(got[i]), "%s(%g, %g) in %d", name, a[i], b[i], n)
			}
		}
	}
	for name, f := range map[string]func(dst []uint8, a, b []float32){"equal": Equal, "unequal": Unequal, "less": Less, "lessEqual": LessEqual} {
		for n := range 130 {
			got, want := make([]uint8, n+1), make([]uint8, 1)
			got[n] = 42
			f(got[:n], a[:n], b[:n])
			require.Equal(t, uint8(42), got[n], "%s wrote beyond %d", name, n)
			for i := range n {
				f(want, a[i:i+1], b[i:i+1])
				require.Equal(t, want[0], got[i], "%s(%g, %g) in %d", name, a[i], b[i], n)
			}
		}
	}
	var lanes, want [8]float64
	Sum(&lanes, b[:20])
	for i, v := range b[:20] {
		want[i&7] += float64(v)
	}
	require.Equal(t, want, lanes)
}

func TestHalves(t *testing.T) {
	all := make([]uint16, 1<<16)
	for i := range all {
		all[i] = uint16(i)
	}
	wide := make([]float32, 1<<16)
	FromHalf(wide, all)
	for i, f := range wide {
		if w := Widen(uint16(i)); w == w || f == f {
			require.Equal(t, math.Float32bits(w), math.Float32bits(f), "%#x", i)
		}
	}
	src := append(wide, sweep()...)
	back := make([]uint16, len(src))
	ToHalf(back, src)
	for i, f := range src {
		if f == f {
			require.Equal(t, Narrow(f), back[i], "%g", f)
		} else {
			require.True(t, Widen(back[i]) != Widen(back[i]))
		}
	}
}

// Functions of two numbers against Go's, over all pairs of telling ones.
func TestPairsAgainstFloat64(t *testing.T) {
	inf := float32(math.Inf(1))
	list := []float32{0, float32(math.Copysign(0, -1)), 1, -1, 2, -2, 3, -3, 0.5, -0.5, 0.3, -7.7, 1e-20, -1e-20, 1e20, -1e20, 100, 1e-40, inf, -inf, float32(math.NaN()), 127, 2.5, 16777217}
	var a, b []float32
	for _, x := range list {
		for _, y := range list {
			a, b = append(a, x), append(b, y)
		}
	}
	for i := range 4000 {
		a, b = append(a, float32(i%61)/7-4), append(b, float32(i%97)/9-5)
	}
	for name, f := range map[string]struct {
		f    func(dst, a, b []float32)
		want func(a, b float64) float64
	}{"pow": {Pow, PowOf}, "atan2": {Atan2, Atan2Of}} {
		got := make([]float32, len(a))
		f.f(got, a, b)
		for i := range got {
			want := f.want(float64(a[i]), float64(b[i]))
			require.LessOrEqual(t, units(got[i], want), 0.7, "%s(%g, %g) = %g, want %g", name, a[i], b[i], got[i], want)
		}
	}
}

func TestMaxOf(t *testing.T) {
	x := make([]float32, 41)
	for i := range x {
		x[i] = -float32(i) - 1
	}
	require.Equal(t, float32(-1), MaxOf(x))
	for i := range x {
		was := x[i]
		x[i] = 5
		require.Equal(t, float32(5), MaxOf(x))
		x[i] = float32(math.NaN())
		require.True(t, MaxOf(x) != MaxOf(x))
		x[i] = was
	}
	require.Equal(t, float32(math.Inf(-1)), MaxOf(nil))
}

func TestTruncate(t *testing.T) {
	src := append(sweep(), 2147483520, 2147483648, -2147483648, -2147483904, 0.9, -0.9)
	got, one := make([]int32, len(src)), make([]int32, 1)
	Truncate(got, src)
	for i := range src {
		Truncate(one, src[i:i+1])
		require.Equal(t, one[0], got[i], "%g", src[i])
	}
}

func TestBrainSlices(t *testing.T) {
	const step = 40503 // through all exponents, both signs, NaN and infinities
	var src []float32
	for b := uint64(0); b < 1<<32; b += step {
		src = append(src, math.Float32frombits(uint32(b)))
	}
	src = append(src, float32(math.Inf(1)), float32(math.Inf(-1)), float32(math.NaN()), math.Float32frombits(0x7f7fffff), math.Float32frombits(0xff800001))
	dst, back := make([]uint16, len(src)), make([]float32, len(src))
	ToBrain(dst, src)
	FromBrain(back, dst)
	for i, v := range src {
		if dst[i] != NarrowBrain(v) || math.Float32bits(back[i]) != uint32(dst[i])<<16 {
			t.Fatalf("%x: %x, want %x", math.Float32bits(v), dst[i], NarrowBrain(v))
		}
	}
}

func TestLogit(t *testing.T) {
	src := append(sweep(), 0.5, 0.25, 0.9999999)
	dst := make([]float32, len(src))
	Logit(dst, src)
	for i, x := range src {
		want := math.Log(float64(x / (1 - x)))
		require.LessOrEqual(t, units(dst[i], want), 0.6, "%g", x)
	}
}

func TestAbsComplex(t *testing.T) {
	some := append(sweep(), float32(math.Inf(-1)))
	src, dst := make([]complex64, len(some)), make([]float32, len(some))
	for i, x := range some {
		src[i] = complex(x, some[i*37%len(some)])
		if i%3 == 0 {
			src[i] = complex(x, some[len(some)-1-i%12])
		}
	}
	AbsComplex(dst, src)
	for i, c := range src {
		want := math.Hypot(float64(real(c)), float64(imag(c)))
		require.LessOrEqual(t, units(dst[i], want), 0.51, "%g", c)
		var one [1]float32
		if AbsComplex(one[:], src[i:i+1]); one[0] == one[0] || dst[i] == dst[i] {
			require.Equal(t, one[0], dst[i], "%g", c)
		}
	}
}
