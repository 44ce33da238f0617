package fft

import (
	"fmt"
	"math"
	"math/rand/v2"
	"testing"

	"github.com/stretchr/testify/require"
)

// naive is the transform by its definition.
func naive(x []complex128, inverse bool) []complex128 {
	n := len(x)
	y, roots := make([]complex128, n), make([]complex128, n)
	for k := range roots {
		s, c := math.Sincos(-2 * math.Pi * float64(k) / float64(n))
		if inverse {
			s = -s
		}
		roots[k] = complex(c, s)
	}
	for k := range y {
		at := 0
		for _, v := range x {
			y[k] += v * roots[at]
			if at += k; at >= n {
				at -= n
			}
		}
	}
	return y
}

func noise[T Float](r *rand.Rand, n int) []T {
	x := make([]T, n)
	for i := range x {
		x[i] = T(r.NormFloat64())
	}
	return x
}

// layout is a tensor [outer][n][inner] of real or complex numbers, or the same with n last.
type layout struct {
	outer, inner int
	last         bool
}

func (l layout) strides(n int) (outer, step, inner int) {
	if l.last {
		return l.inner * n, 1, n
	}
	return n * l.inner, l.inner, 1
}

// side makes a side of that layout and its strides in floats.
func side[T Float](l layout, x []T, n, per int) (s Side[T], outer, inner, step int) {
	outer, step, inner = l.strides(n)
	outer, inner = outer*per, inner*per
	if per == 1 {
		return Reals(x, step), outer, inner, step
	}
	return Complexes(x, step*per), outer, inner, step * per
}

func run[T Float](kind Kind, n int, inverse bool, scale float64, l layout, x []T, force *kernels[T]) []T {
	inPer, outPer, inLen, outLen := 2, 2, n, n
	switch kind {
	case RealIn:
		inPer, outLen = 1, n/2+1
	case RealInFull:
		inPer = 1
	case RealOut:
		outPer, inLen = 1, n/2+1
	}
	y := make([]T, l.outer*l.inner*outLen*outPer)
	in, io, ii, _ := side(l, x, inLen, inPer)
	out, oo, oi, _ := side(l, y, outLen, outPer)
	var r Rows[T]
	r.vectors, r.single = force, portable[T](1)
	r.Plan(kind, n, inverse, scale, []Axis{{l.outer, io, oo}, {l.inner, ii, oi}})
	r.Setup(in, out, make([]T, r.Floats()))
	for i := range r.Parts() {
		r.Do(i)
	}
	return y
}

// row takes one row out of a layout as complex numbers.
func row[T Float](l layout, x []T, n, per, o, i int) []complex128 {
	_, outer, inner, step := side(l, x, n, per)
	y := make([]complex128, n)
	for k := range y {
		at := o*outer + i*inner + k*step
		y[k] = complex(float64(x[at]), 0)
		if per == 2 {
			y[k] += complex(0, float64(x[at+1]))
		}
	}
	return y
}

func check[T Float](t *testing.T, r *rand.Rand, kind Kind, n int, inverse bool, l layout, tolerance float64) {
	inPer, inLen := 2, n
	switch kind {
	case RealIn, RealInFull:
		inPer = 1
	case RealOut:
		inLen, inverse = n/2+1, true
	}
	x := noise[T](r, l.outer*l.inner*inLen*inPer)
	const scale = 0.75
	y := run(kind, n, inverse, scale, l, x, nil)
	for _, lanes := range []int{1, most} {
		k := portable[T](lanes)
		require.Equal(t, run(kind, n, inverse, scale, l, x, k), y, "kind %d of %d, %d lanes", kind, n, lanes)
	}
	for o := range l.outer {
		for i := range l.inner {
			from := row(l, x, inLen, inPer, o, i)
			if kind == RealOut {
				from = append(from, make([]complex128, n-inLen)...)
				from[0] = complex(real(from[0]), 0)
				if n%2 == 0 {
					from[n/2] = complex(real(from[n/2]), 0)
				}
				for k := n/2 + 1; k < n; k++ {
					from[k] = complex(real(from[n-k]), -imag(from[n-k]))
				}
			}
			want := naive(from, inverse)
			outPer := 2
			switch kind {
			case RealIn:
				want = want[:n/2+1]
			case RealOut:
				outPer = 1
			}
			for k, v := range row(l, y, len(want), outPer, o, i) {
				d := v - want[k]*scale
				require.Less(t, math.Hypot(real(d), imag(d)), tolerance*(1+math.Sqrt(float64(n))), "kind %d, %d of %d, row %d %d", kind, k, n, o, i)
			}
		}
	}
}

func TestRows(t *testing.T) {
	r := rand.New(rand.NewPCG(1, 2))
	lengths := []int{97, 128, 131, 134, 210, 211, 243, 256, 360, 512}
	for n := 1; n <= 70; n++ {
		lengths = append(lengths, n)
	}
	layouts := []layout{{1, 1, true}, {1, 3, true}, {3, 7, true}, {2, 8, false}, {1, 17, false}}
	for i, n := range lengths {
		if testing.Short() && n > 40 {
			continue
		}
		l := layouts[i%len(layouts)]
		for _, kind := range []Kind{Complex, RealIn, RealInFull, RealOut} {
			check[float32](t, r, kind, n, i%2 == 0 && kind == Complex, l, 3e-6)
			check[float64](t, r, kind, n, i%2 == 1 && kind == Complex, l, 1e-13)
		}
	}
	for _, n := range []int{3721, 67 * 61, 2048, longest, longest + 100, longest + 404} {
		if !testing.Short() {
			check[float64](t, r, Complex, n, n%8 == 0, layout{1, 1, true}, 1e-12)
			check[float32](t, r, RealIn, n, false, layout{1, 1, true}, 1e-5)
		}
	}
	for _, kind := range []Kind{RealIn, RealInFull, RealOut} {
		if !testing.Short() {
			check[float32](t, r, kind, 2*longest+4, false, layout{1, 1, true}, 1e-5)
			check[float64](t, r, kind, 2*longest, false, layout{1, 1, true}, 1e-12)
			check[float32](t, r, kind, 5625, false, layout{1, 1, true}, 1e-5)
		}
	}
}

func TestBounds(t *testing.T) {
	for n := 1; n < 600; n++ {
		require.LessOrEqual(t, NewPlan[float32](n).room(), roomBound(n))
	}
	for _, n := range []int{1, 7, 12, 1000, 1021, 70000, 1 << 18} {
		for _, rows := range []int{1, 9, 1000} {
			var r Rows[float64]
			r.Plan(Complex, n, false, 1, []Axis{{rows, 2 * n, 2 * n}})
			require.LessOrEqual(t, 8*r.Floats(), BytesBound(n), "%d rows of %d", rows, n)
		}
	}
}

func BenchmarkRows(b *testing.B) {
	r := rand.New(rand.NewPCG(3, 4))
	for _, n := range []int{64, 256, 1000, 1021, 1024, 4096} {
		for _, kind := range []Kind{Complex, RealIn} {
			rows := 1 << 20 / n
			l := layout{1, rows, true}
			x := noise[float32](r, 2*rows*n)
			y := make([]float32, 2*rows*(n+1))
			per := 2
			if kind == RealIn {
				per = 1
			}
			b.Run(fmt.Sprintf("%d/%d", kind, n), func(b *testing.B) {
				in, _, ii, _ := side(l, x, n, per)
				out, _, oi, _ := side(l, y, n/2+1, 2)
				if kind == Complex {
					out, _, oi, _ = side(l, y, n, 2)
				}
				var r Rows[float32]
				r.Plan(kind, n, false, 1, []Axis{{rows, ii, oi}})
				r.Setup(in, out, make([]float32, r.Floats()))
				for b.Loop() {
					for i := range r.Parts() {
						r.Do(i)
					}
				}
			})
		}
	}
}
