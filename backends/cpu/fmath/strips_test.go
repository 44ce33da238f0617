package fmath

import (
	"math/rand/v2"
	"testing"

	"github.com/stretchr/testify/require"
)

// The sums of strips are the same bits as those of the loops that say what they are.
func TestStrips(t *testing.T) {
	r := rand.New(rand.NewPCG(1, 2))
	for range 150 {
		n, width, used := r.IntN(30)+1, 1+r.IntN(70), r.IntN(9)
		step := width + r.IntN(5)
		x := make([]float32, n*step)
		for i := range x {
			x[i] = float32(r.NormFloat64())
		}
		half, brain, double := make([]uint16, len(x)), make([]uint16, len(x)), make([]float64, len(x))
		for i := range double {
			double[i] = r.NormFloat64()
		}
		ToHalf(half, x)
		ToBrain(brain, x)
		start := make([]float64, 8*width)
		for i := range start {
			start[i] = r.NormFloat64()
		}
		for name, strip := range map[string]struct {
			lines func(sums []float64)
			at    func(i int) float64
		}{
			"single": {func(s []float64) { AccumulateLines(s, width, x, n, step, used) }, func(i int) float64 { return float64(x[i]) }},
			"half":   {func(s []float64) { AccumulateHalfLines(s, width, half, n, step, used) }, func(i int) float64 { return float64(Widen(half[i])) }},
			"brain":  {func(s []float64) { AccumulateBrainLines(s, width, brain, n, step, used) }, func(i int) float64 { return float64(WidenBrain(brain[i])) }},
			"double": {func(s []float64) { AccumulateDoubleLines(s, width, double, n, step, used) }, func(i int) float64 { return double[i] }},
		} {
			want, got := append([]float64{}, start...), append([]float64{}, start...)
			for i := range n {
				for j := range width {
					if i < 8 && i >= used {
						want[i*width+j] = 0
					}
					want[i%8*width+j] += strip.at(i*step + j)
				}
			}
			strip.lines(got)
			require.Equal(t, want, got, name)
		}

		sums, quotients, narrow, divisor := make([]float64, width), make([]float64, width), make([]float32, width), float64(1+r.IntN(20))
		for name, strip := range map[string]struct {
			sum func()
			at  func(i int) float64
		}{
			"single": {func() { SumLines(sums, x, n, step) }, func(i int) float64 { return float64(x[i]) }},
			"half":   {func() { SumHalfLines(sums, half, n, step) }, func(i int) float64 { return float64(Widen(half[i])) }},
			"brain":  {func() { SumBrainLines(sums, brain, n, step) }, func(i int) float64 { return float64(WidenBrain(brain[i])) }},
			"double": {func() { SumDoubleLines(sums, double, n, step) }, func(i int) float64 { return double[i] }},
		} {
			strip.sum()
			for j := range width {
				var f [8]float64
				for i := range n {
					f[i&7] += strip.at(i*step + j)
				}
				require.Equal(t, ((f[0]+f[4])+(f[2]+f[6]))+((f[1]+f[5])+(f[3]+f[7])), sums[j], name)
			}
		}
		Divide(quotients, sums, divisor)
		DivideNarrow(narrow, sums, divisor)
		for j := range width {
			require.Equal(t, sums[j]/divisor, quotients[j])
			require.Equal(t, float32(sums[j]/divisor), narrow[j])
		}

		var want, got [8]float64
		for i, h := range half {
			want[i&7] += float64(Widen(h))
		}
		SumHalf(&got, half)
		require.Equal(t, want, got)
		want, got = [8]float64{}, [8]float64{}
		for i, h := range brain {
			want[i&7] += float64(WidenBrain(h))
		}
		SumBrain(&got, brain)
		require.Equal(t, want, got)
	}
}

// So are those of squared distances.
func TestSpreads(t *testing.T) {
	r := rand.New(rand.NewPCG(5, 6))
	for range 150 {
		n, width, used := r.IntN(30)+1, 1+r.IntN(70), r.IntN(9)
		step := width + r.IntN(5)
		single, double := make([]float32, n*step), make([]float64, n*step)
		for i := range single {
			single[i], double[i] = float32(r.NormFloat64()), r.NormFloat64()
		}
		start := make([]float64, 9*width)
		for i := range start {
			start[i] = r.NormFloat64()
		}
		start, means := start[:8*width], start[8*width:]
		spread := func(at func(i int) float64) []float64 {
			sums := append([]float64{}, start...)
			for i := range n {
				for j, mean := range means {
					if i < 8 && i >= used {
						sums[i*width+j] = 0
					}
					d := at(i*step+j) - mean
					sums[i%8*width+j] += float64(d * d)
				}
			}
			return sums
		}
		got := append([]float64{}, start...)
		SpreadLines(got, width, single, n, step, used, means)
		require.Equal(t, spread(func(i int) float64 { return float64(single[i]) }), got)
		copy(got, start)
		SpreadDoubleLines(got, width, double, n, step, used, means)
		require.Equal(t, spread(func(i int) float64 { return double[i] }), got)

		used = 0
		clear(start)
		totals := func(at func(i int) float64) []float64 {
			lanes := spread(at)
			JoinLanes(lanes, width)
			return lanes[:width]
		}
		sums := make([]float64, width)
		SpreadColumns(sums, single, n, step, means)
		require.Equal(t, totals(func(i int) float64 { return float64(single[i]) }), sums)
		SpreadDoubleColumns(sums, double, n, step, means)
		require.Equal(t, totals(func(i int) float64 { return double[i] }), sums)
	}
}

func TestRows(t *testing.T) {
	r := rand.New(rand.NewPCG(3, 4))
	for range 300 {
		n, rows := r.IntN(50), 1+r.IntN(5)
		next := n + r.IntN(3)
		x := make([]float32, rows*next+1)
		for i := range x {
			x[i] = float32(r.NormFloat64())
		}
		half, brain, double := make([]uint16, len(x)), make([]uint16, len(x)), make([]float64, len(x))
		ToHalf(half, x)
		ToBrain(brain, x)
		for i := range double {
			double[i] = r.NormFloat64()
		}
		for name, kind := range map[string]struct {
			sum func(sums []float64)
			at  func(i int) float64
		}{
			"single": {func(s []float64) { SumRows(s, x, n, next) }, func(i int) float64 { return float64(x[i]) }},
			"half":   {func(s []float64) { SumHalfRows(s, half, n, next) }, func(i int) float64 { return float64(Widen(half[i])) }},
			"brain":  {func(s []float64) { SumBrainRows(s, brain, n, next) }, func(i int) float64 { return float64(WidenBrain(brain[i])) }},
			"double": {func(s []float64) { SumDoubleRows(s, double, n, next) }, func(i int) float64 { return double[i] }},
		} {
			sums := make([]float64, rows)
			kind.sum(sums)
			for j, got := range sums {
				lanes := make([]float64, 8)
				for i := range n {
					lanes[i&7] += kind.at(j*next + i)
				}
				JoinLanes(lanes, 1)
				require.Equal(t, lanes[0], got, "%s, %d numbers", name, n)
			}
		}
	}
	for width := 1; width < 70; width++ {
		sums := make([]float64, 8*width)
		for i := range sums {
			sums[i] = r.NormFloat64()
		}
		want := make([]float64, width)
		for j := range want {
			f := func(k int) float64 { return sums[k*width+j] }
			want[j] = ((f(0) + f(4)) + (f(2) + f(6))) + ((f(1) + f(5)) + (f(3) + f(7)))
		}
		JoinLanes(sums, width)
		require.Equal(t, want, sums[:width])
	}
}

// The sum of negative zeros is 0 in every way to add them.
func TestNegativeZeros(t *testing.T) {
	minus := float32(0)
	minus *= -1
	for n := 1; n < 20; n++ {
		x := make([]float32, n*8)
		for i := range x {
			x[i] = minus
		}
		sums := make([]float64, 64)
		AccumulateLines(sums, 8, x, n, 8, 0)
		short := make([]float64, 8)
		SumLines(short, x, n, 8)
		for j := range 8 {
			require.Equal(t, 1/float64(sums[j]) > 0, 1/short[j] > 0, "%d lines", n)
		}
	}
}
