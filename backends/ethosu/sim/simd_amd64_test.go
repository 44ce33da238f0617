package sim

import (
	"testing"

	"github.com/stretchr/testify/require"
	"golang.org/x/sys/cpu"
)

// gemmOther checks the AVX2 kernel on machines that would choose another.
func gemmOther(t *testing.T, want []int32, x []int16, pixels *[tilePixels]int, runs []int, pairs int, w []int16) {
	if !cpu.X86.HasAVX2 {
		t.Skip("this machine has no AVX2")
	}
	have := make([]int32, len(want))
	gemmAVX2(&have[0], &x[0], &pixels[0], &runs[0], len(runs), pairs, &w[0])
	require.Equal(t, want, have)
}
