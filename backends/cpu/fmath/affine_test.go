package fmath

import (
	"math"
	"math/rand/v2"
	"testing"

	"github.com/stretchr/testify/require"
)

// same compares bits; NaN is any NaN.
func same(t *testing.T, want, got []float32, why string) {
	t.Helper()
	require.Len(t, got, len(want))
	for i := range want {
		if want[i] != want[i] && got[i] != got[i] {
			continue
		}
		require.Equal(t, math.Float32bits(want[i]), math.Float32bits(got[i]), "%s: element %d of %d: want %g, got %g", why, i, len(want), want[i], got[i])
	}
}

// numbers gives n plain ones and, from a few places on, special ones.
func numbers(n, seed int, special bool) []float32 {
	odd := sweep()
	x := make([]float32, n)
	for i := range x {
		x[i] = float32((i*37+seed*11)%101)/16 - 3
		if special && (i*7+seed)%13 == 0 {
			x[i] = odd[(i*131+seed*17)%len(odd)]
		}
	}
	return x
}

// Whole runs, which go in vectors, must give what single elements, which do not, give.
func TestRunsAgree(t *testing.T) {
	for n := range 150 {
		x, w, b := numbers(n, 1, true), numbers(n, 2, true), numbers(n, 3, true)
		want, got := make([]float32, n), make([]float32, n)
		for _, f := range []struct {
			name string
			do   func(dst, x, w, b []float32)
		}{
			{"line", func(dst, x, _, _ []float32) { Line(dst, x, 1.7, -0.3) }},
			{"standardise", func(dst, x, _, _ []float32) { Standardise(dst, x, 0.1, 1.0/3, -0.7) }},
			{"standardise each", func(dst, x, w, b []float32) { StandardiseEach(dst, x, w, b, 0.1, 1.0/3) }},
			{"blend", func(dst, x, w, b []float32) { Blend(dst, x, w, b, x, 0.3, 0.8) }},
		} {
			for i := range n {
				f.do(want[i:i+1], x[i:i+1], w[i:i+1], b[i:i+1])
			}
			f.do(got, x, w, b)
			same(t, want, got, f.name)
		}
	}
}

// Rows in vectors must give what the definition gives, one element after the other.
func TestStandardiseRows(t *testing.T) {
	const eps = 1e-5
	for n := 1; n < 70; n++ {
		for _, special := range []bool{false, true} {
			rows := 1 + n%5
			x, w, b := numbers(rows*n, n, special), numbers(max(n, rows), 2, false), numbers(max(n, rows), 3, false)
			for _, weighted := range []string{"no", "each", "single"} {
				want := make([]float32, rows*n)
				means, rstds := make([]float32, rows), make([]float32, rows)
				for r := range rows {
					var sums, squares [8]float64
					for i, v := range x[r*n:][:n] {
						sums[i&7] += float64(v)
					}
					mean := total(&sums) / float64(n)
					for i, v := range x[r*n:][:n] {
						squares[i&7] += float64((float64(v) - mean) * (float64(v) - mean))
					}
					rstd := 1 / math.Sqrt(total(&squares)/float64(n)+eps)
					means[r], rstds[r] = float32(mean), float32(rstd)
					for i, v := range x[r*n:][:n] {
						scaled := float64((float64(v) - mean) * rstd)
						switch weighted {
						case "each":
							scaled = float64(scaled*float64(w[i])) + float64(b[i])
						case "single":
							scaled = float64((float64(v)-mean)*float64(rstd*float64(w[r]))) + float64(b[r])
						}
						want[r*n+i] = float32(scaled + 0)
					}
				}
				got, mean, rstd := make([]float32, rows*n+1), make([]float32, rows), make([]float32, rows)
				got[rows*n] = 42
				switch weighted {
				case "each":
					StandardiseRows(got[:rows*n], x, w, b, mean, rstd, eps)
				case "single":
					StandardiseChannels(got[:rows*n], x, w, b, mean, rstd, eps)
				default:
					StandardiseRows(got[:rows*n], x, nil, nil, mean, rstd, eps)
				}
				same(t, want, got[:rows*n], "row elements")
				same(t, means, mean, "means")
				same(t, rstds, rstd, "deviations")
				require.EqualValues(t, 42, got[rows*n], "nothing beyond the last row")
			}
		}
	}
}

// Rows of doubles in vectors give the bits that a row alone does, which is done one element after the other.
func TestStandardiseDoubleRows(t *testing.T) {
	r := rand.New(rand.NewPCG(5, 6))
	random := func(n int) []float64 {
		x := make([]float64, n)
		for i := range x {
			x[i] = 3 + r.NormFloat64()
		}
		return x
	}
	for n := 1; n < 40; n++ {
		rows := 1 + n%5
		x, w, b := random(rows*n), random(max(n, rows)), random(max(n, rows))
		for _, weighted := range []string{"no", "each", "single"} {
			want, means, rstds := make([]float64, rows*n), make([]float64, rows), make([]float64, rows)
			for i := range rows {
				at, one := i*n, i+1
				switch weighted {
				case "each":
					StandardiseDoubleColumns(want[at:], x[at:], n, 1, 1, w, b, false, means[i:one], rstds[i:one], 1e-5)
				case "single":
					StandardiseDoubleColumns(want[at:], x[at:], n, 1, 1, w[i:], b[i:], true, means[i:one], rstds[i:one], 1e-5)
				default:
					StandardiseDoubleColumns(want[at:], x[at:], n, 1, 1, nil, nil, false, means[i:one], rstds[i:one], 1e-5)
				}
			}
			got, mean, rstd := make([]float64, rows*n+1), make([]float64, rows), make([]float64, rows)
			got[rows*n] = 42
			switch weighted {
			case "each":
				StandardiseDoubleRows(got[:rows*n], x, w, b, mean, rstd, 1e-5)
			case "single":
				StandardiseDoubleChannels(got[:rows*n], x, w, b, mean, rstd, 1e-5)
			default:
				StandardiseDoubleRows(got[:rows*n], x, nil, nil, mean, rstd, 1e-5)
			}
			require.Equal(t, append(want, 42), got)
			require.Equal(t, means, mean)
			require.Equal(t, rstds, rstd)
		}
	}
}

// Rows that lie side by side give what they give one after the other, but for the bits that float32 has no room for.
func TestStandardiseColumns(t *testing.T) {
	const eps = 1e-5
	lengths, widths := []int{70, 300}, []int{16, 70, 131} // gone through line by line
	for k := 1; k < 30; k++ {
		lengths, widths = append(lengths, k), append(widths, k)
	}
	for _, n := range lengths {
		for _, width := range widths {
			dx, dy := width+n%3, width+n%2
			rows, w, b := numbers(width*n, n, n%4 == 0), numbers(max(n, width), 2, false), numbers(max(n, width), 3, false)
			src, dst := make([]float32, n*dx), make([]float32, n*dy+1)
			double, doubled := make([]float64, n*dx), make([]float64, n*dy+1)
			for i, v := range rows {
				at := i%n*dx + i/n
				src[at], double[at] = v, float64(v)
			}
			wide := func(x []float32) []float64 {
				y := make([]float64, len(x))
				for i, v := range x {
					y[i] = float64(v)
				}
				return y
			}
			for _, weighted := range []string{"no", "each", "single"} {
				want, means, rstds := make([]float32, width*n), make([]float32, width), make([]float32, width)
				mean, rstd, mean64, rstd64 := make([]float32, width), make([]float32, width), make([]float64, width), make([]float64, width)
				for i := range n {
					dst[i*dy+width], doubled[i*dy+width] = 42, 42
				}
				switch weighted {
				case "each":
					StandardiseRows(want, rows, w, b, means, rstds, eps)
					StandardiseColumns(dst, src, n, dy, dx, w, b, false, mean, rstd, eps)
					StandardiseDoubleColumns(doubled, double, n, dy, dx, wide(w), wide(b), false, mean64, rstd64, eps)
				case "single":
					StandardiseChannels(want, rows, w, b, means, rstds, eps)
					StandardiseColumns(dst, src, n, dy, dx, w, b, true, mean, rstd, eps)
					StandardiseDoubleColumns(doubled, double, n, dy, dx, wide(w), wide(b), true, mean64, rstd64, eps)
				default:
					StandardiseRows(want, rows, nil, nil, means, rstds, eps)
					StandardiseColumns(dst, src, n, dy, dx, nil, nil, false, mean, rstd, eps)
					StandardiseDoubleColumns(doubled, double, n, dy, dx, nil, nil, false, mean64, rstd64, eps)
				}
				narrow := func(x []float64) []float32 {
					y := make([]float32, len(x))
					F64ToF32(y, x)
					return y
				}
				got, got64 := make([]float32, width*n), make([]float64, width*n)
				for i := range got {
					at := i%n*dy + i/n
					got[i], got64[i] = dst[at], doubled[at]
				}
				same(t, want, got, "elements")
				same(t, want, narrow(got64), "wide elements")
				if weighted == "no" { // over the numbers
					StandardiseColumns(src, src, n, dx, dx, nil, nil, false, mean, rstd, eps)
					for i := range got {
						at := i%n*dx + i/n
						got[i], src[at] = src[at], rows[i]
					}
					same(t, want, got, "elements in place")
				}
				same(t, means, mean, "means")
				same(t, rstds, rstd, "deviations")
				same(t, means, narrow(mean64), "wide means")
				same(t, rstds, narrow(rstd64), "wide deviations")
				if last := n*dy - dy + width; last < len(dst) {
					require.EqualValues(t, 42, dst[last], "nothing beyond the last line")
					require.EqualValues(t, 42, doubled[last], "nothing beyond the last line")
				}
			}
		}
	}
}

func TestLines(t *testing.T) {
	for n := 1; n < 40; n++ {
		const runs = 5
		x, scale, shift := numbers(runs*n, n, true), numbers(runs, 2, false), numbers(runs, 3, false)
		want, got := make([]float32, runs*n), make([]float32, runs*n+1)
		got[runs*n] = 42
		for i := range want {
			want[i] = float32(x[i]*scale[i/n]) + shift[i/n]
		}
		Lines(got[:runs*n], x, scale, shift, n)
		same(t, want, got[:runs*n], "lines")
		require.EqualValues(t, 42, got[runs*n], "nothing beyond the last run")
	}
}

func TestLineF64(t *testing.T) {
	for n := range 70 {
		x, want, got := make([]float64, n), make([]float64, n), make([]float64, n)
		for i := range x {
			x[i] = float64(i)/7 - 3
			LineF64(want[i:i+1], x[i:i+1], 1.0/3, -0.3)
		}
		LineF64(got, x, 1.0/3, -0.3)
		require.Equal(t, want, got)
	}
}

func TestInverseRoots(t *testing.T) {
	r := rand.New(rand.NewPCG(51, 52))
	for n := range 40 {
		single, double := make([]float32, n), make([]float64, n)
		for i := range n {
			single[i], double[i] = r.Float32()*100, r.Float64()*100
		}
		a, b, eps := make([]float64, n), make([]float64, n), r.Float64()/100
		InverseRoots(a, single, eps)
		InverseRootsF64(b, double, eps)
		for i := range n {
			require.Equal(t, 1/math.Sqrt(float64(single[i])+eps), a[i])
			require.Equal(t, 1/math.Sqrt(double[i]+eps), b[i])
		}
	}
}
