package cortexm

import (
	"math"
	"math/big"
	"math/rand/v2"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/ptero-rt/ptero/backends/cpu/arg"
	"github.com/ptero-rt/ptero/executor"
)

// exact is requantisation from its definition: twice rounded, in unlimited integers.
func exact(x int32, s scaling) int64 {
	v := big.NewInt(int64(x << uint(max(s.shift, 0)))) // the left shift wraps around
	v.Mul(v, big.NewInt(int64(s.multiplier)))
	v.Add(v, big.NewInt(1<<30))
	v.Rsh(v, 31)
	r := uint(max(-s.shift, 0))
	if r == 0 {
		return int64(int32(v.Int64()))
	}
	f := new(big.Rat).SetFrac(v, new(big.Int).Lsh(big.NewInt(1), r))
	q, _ := f.Float64()
	if q < 0 {
		return -int64(math.Floor(-q + 0.5))
	}
	return int64(math.Floor(q + 0.5))
}

func TestRequantiseRoundsTwice(t *testing.T) {
	r := rand.New(rand.NewPCG(1, 2))
	for range 200000 {
		x := int32(r.Uint32()) >> r.IntN(32)
		s := scaling{int32(r.Int64N(1 << 31)), int32(r.IntN(40) - 31)}
		require.EqualValues(t, exact(x, s), s.requantise(x), "%d by %+v", x, s)
	}
	// Half a step: away from zero.
	half := scaling{1 << 30, -1}
	for x, want := range map[int32]int32{2: 1, -2: -1, 6: 2, -6: -2, 4: 1, 1: 1, -1: 0} {
		require.Equal(t, want, half.requantise(x), "%d", x)
	}
}

func TestSoftmaxIsWithinOneStep(t *testing.T) {
	r := rand.New(rand.NewPCG(3, 4))
	for range 200 {
		n := 1 + r.IntN(40)
		beta := 0.01 + r.Float64()*0.3
		// input multiplier and shift of the scale β·2²⁶, as converters compute them
		frac, exp := math.Frexp(beta * (1 << 26))
		multiplier, shift := int64(math.Round(frac*(1<<31))), int64(exp)
		diffMin := -int64(math.Floor(31 * math.Ldexp(1, 26) / math.Ldexp(1, int(shift))))
		x := executor.NewTensor(arg.I8, []int{3, n}, nil)
		y := executor.NewTensor(arg.I8, []int{3, n}, nil)
		xs := executor.Slice[int8](x)
		for i := range xs {
			xs[i] = int8(r.IntN(256) - 128)
		}
		args := []*executor.Value{executor.NewTensorValue(x), executor.NewInt(-1), executor.NewInt(3), executor.NewInt(-128), executor.NewInt(multiplier), executor.NewInt(shift), executor.NewInt(diffMin), executor.NewTensorValue(y)}
		op := softmax()
		state, needs, err := op.Prepare(args)
		require.NoError(t, err)
		require.Empty(t, needs)
		require.NoError(t, op.Run(executor.NewScope(nil, 0), state, args))
		for row := range 3 {
			var sum float64
			for _, v := range xs[row*n : (row+1)*n] {
				sum += math.Exp(beta * float64(v))
			}
			for i, v := range xs[row*n : (row+1)*n] {
				want := max(-128, min(127, math.Exp(beta*float64(v))/sum*256-128))
				require.InDelta(t, want, float64(executor.Slice[int8](y)[row*n+i]), 1.01)
			}
		}
	}
}

func TestFixedPointFunctions(t *testing.T) {
	for _, x := range []float64{-1e-6, -0.1, -0.25, -0.3, -1, -2.5, -7, -15, -31} {
		got := float64(expNegative(int32(x*(1<<26)))) / (1 << 31)
		require.InDelta(t, math.Exp(x), got, 1e-6, "exp(%v)", x)
	}
	require.EqualValues(t, math.MaxInt32, expNegative(0))
	for _, x := range []float64{0, 0.1, 0.5, 0.999} {
		got := float64(oneOver(int32(x*(1<<31)))) / (1 << 31)
		require.InDelta(t, 1/(1+x), got, 1e-6, "1/(1+%v)", x)
	}
}
