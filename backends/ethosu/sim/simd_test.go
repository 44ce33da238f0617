package sim

import (
	"math/rand/v2"
	"testing"

	"github.com/stretchr/testify/require"
)

// The kernels that this machine has give the bits of the generic ones.
func TestVector(t *testing.T) {
	r := rand.New(rand.NewPCG(1, 2))
	have, want := newVector(), genericVector()
	for range 300 {
		t.Run("", func(t *testing.T) {
			testGEMM(t, r, have, want)
			testDepthwise(t, r, have, want)
			testRequantize(t, r, have, want)
			testWiden(t, r, have, want)
		})
	}
}

func random16(r *rand.Rand, n, limit int) []int16 {
	s := make([]int16, n)
	for i := range s {
		s[i] = int16(r.IntN(2*limit+1) - limit)
	}
	return s
}

func testGEMM(t *testing.T, r *rand.Rand, have, want vector) {
	pairs, runs := 1+r.IntN(20), make([]int, 1+r.IntN(5))
	x := random16(r, 4096, 383)
	for i := range runs {
		runs[i] = r.IntN(1000)
	}
	var pixels [tilePixels]int
	for i := range pixels {
		pixels[i] = r.IntN(3000)
	}
	w := random16(r, len(runs)*pairs*2*lanes, 255)
	a, b := make([]int32, tilePixels*lanes), make([]int32, tilePixels*lanes)
	have.gemm(a, x, &pixels, runs, pairs, w)
	want.gemm(b, x, &pixels, runs, pairs, w)
	require.Equal(t, b, a)
	gemmOther(t, b, x, &pixels, runs, pairs, w)
}

func testDepthwise(t *testing.T, r *rand.Rand, have, want vector) {
	blocks, taps := 1+r.IntN(6), make([]int, 2*(1+r.IntN(6)))
	x := random16(r, 2048, 383)
	for i := range taps {
		taps[i] = r.IntN(1500)
	}
	w := random16(r, blocks*len(taps)*lanes, 255)
	a, b := make([]int32, blocks*lanes), make([]int32, blocks*lanes)
	have.depthwise(a, x, taps, blocks, w)
	want.depthwise(b, x, taps, blocks, w)
	require.Equal(t, b, a)
}

func testRequantize(t *testing.T, r *rand.Rand, have, want vector) {
	blocks := 1 + r.IntN(5)
	q := make([]quant, blocks)
	if r.IntN(2) == 0 {
		q = q[:1]
	}
	for i := range q {
		for c := range lanes {
			q[i].bias[c], q[i].scale[c] = int32(r.IntN(1<<20)-1<<19), r.Int32()
			shift := 12 + r.IntN(50)
			q[i].shift[c] = int64(shift)
			q[i].half[c] = 1 << (shift - 1)
			if r.IntN(2) == 0 && shift > 31 {
				q[i].double[c] = 1 << 30
			}
		}
	}
	acc := make([]int32, blocks*lanes)
	for i := range acc {
		acc[i] = int32(r.IntN(1<<21) - 1<<20)
	}
	a, b := make([]byte, blocks*lanes), make([]byte, blocks*lanes)
	have.requantize(a, acc, q, blocks, -7, -128, 127)
	want.requantize(b, acc, q, blocks, -7, -128, 127)
	require.Equal(t, b, a)
	have.requantize(a, acc, q, blocks, 128, 0, 255)
	want.requantize(b, acc, q, blocks, 128, 0, 255)
	require.Equal(t, b, a)
}

func testWiden(t *testing.T, r *rand.Rand, have, want vector) {
	blocks, step := 1+r.IntN(9), lanes+r.IntN(40)
	src := make([]byte, blocks*32)
	for i := range src {
		src[i] = byte(r.Uint32())
	}
	a, b := make([]int16, blocks*step+lanes), make([]int16, blocks*step+lanes)
	for _, signed := range []bool{true, false} {
		have.widen(a, src, blocks, step, lanes+r.IntN(2)*16, 11, signed)
		want.widen(b, src, blocks, step, lanes, 11, signed)
		have.widen(a, src, blocks, step, lanes, 11, signed)
		require.Equal(t, b, a)
	}
}
