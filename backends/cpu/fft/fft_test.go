package fft

import (
	"math"
	"math/cmplx"
	"math/rand/v2"
	"testing"

	"github.com/stretchr/testify/require"
)

func naive(x []complex128) []complex128 {
	n := len(x)
	y := make([]complex128, n)
	for k := range y {
		for j, v := range x {
			s, c := math.Sincos(-2 * math.Pi * float64(j*k%n) / float64(n))
			y[k] += v * complex(c, s)
		}
	}
	return y
}

func noise(r *rand.Rand, n int) []complex128 {
	x := make([]complex128, n)
	for i := range x {
		x[i] = complex(r.NormFloat64(), r.NormFloat64())
	}
	return x
}

func TestTransform(t *testing.T) {
	r := rand.New(rand.NewPCG(1, 2))
	lengths := []int{97, 128, 131, 134, 210, 211, 243, 256, 360, 3721, 67 * 61}
	for n := 1; n <= 70; n++ {
		lengths = append(lengths, n)
	}
	for _, n := range lengths {
		if testing.Short() && n > 256 {
			continue
		}
		x := noise(r, n)
		p := NewPlan(n)
		scratch := make([]complex128, p.Scratch())
		require.LessOrEqual(t, p.Scratch()+n, ScratchBound(n))
		y := append([]complex128{}, x...)
		p.Transform(y, scratch, false)
		for k, want := range naive(x) {
			require.Less(t, cmplx.Abs(y[k]-want), 1e-11*float64(n), "%d of %d", k, n)
		}
		p.Transform(y, scratch, true)
		for k, want := range x {
			require.Less(t, cmplx.Abs(y[k]/complex(float64(n), 0)-want), 1e-12, "back, %d of %d", k, n)
		}
	}
}

func TestReal(t *testing.T) {
	r := rand.New(rand.NewPCG(3, 4))
	for n := 2; n <= 150; n += 2 {
		signal := make([]complex128, n)
		x := make([]complex128, n/2+1)
		for i := range signal {
			signal[i] = complex(r.NormFloat64(), 0)
			if i%2 == 0 {
				x[i/2] = signal[i]
			} else {
				x[i/2] += complex(0, real(signal[i]))
			}
		}
		p := NewReal(n)
		require.Equal(t, n, p.Len())
		scratch := make([]complex128, p.Scratch())
		p.Forward(x, scratch)
		for k, want := range naive(signal)[:n/2+1] {
			require.Less(t, cmplx.Abs(x[k]-want), 1e-11*float64(n), "%d of %d", k, n)
		}
		p.Backward(x, scratch)
		for k, want := range signal {
			got := real(x[k/2])
			if k%2 == 1 {
				got = imag(x[k/2])
			}
			require.InDelta(t, real(want), got/float64(n), 1e-12)
		}
	}
}
