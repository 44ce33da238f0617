package cortexm

import (
	"math/rand/v2"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/ptero-rt/ptero/backends/cpu/arg"
	"github.com/ptero-rt/ptero/executor"
)

// The sums of the weights that files carry for vector machines hold the bias too, so that a bias beside them is not added.
func TestLinearTakesTheSumsOfWeights(t *testing.T) {
	r := rand.New(rand.NewPCG(21, 22))
	tensor, one := executor.NewTensorValue, executor.NewInts
	for range 20 {
		m, k, n, offset := 1+r.IntN(4), 1+r.IntN(40), 1+r.IntN(20), int32(r.IntN(255)-127)
		x, w := random8(r, executor.NewTensor(arg.I8, []int{m, k}, nil)), random8(r, executor.NewTensor(arg.I8, []int{n, k}, nil))
		bias, sums := random32(r, n, -4000, 4000), executor.NewTensor(arg.I32, []int{n}, nil)
		for o := range n {
			sum := int32(0)
			for _, v := range executor.Slice[int8](w)[o*k:][:k] {
				sum += int32(v)
			}
			executor.Slice[int32](sums)[o] = sum*offset + executor.Slice[int32](bias)[o]
		}
		none, results := executor.NewNone(), [3]*executor.Tensor{}
		for i, base := range [3][2]*executor.Value{{tensor(bias), none}, {none, tensor(sums)}, {tensor(bias), tensor(sums)}} {
			results[i] = executor.NewTensor(arg.I8, []int{m, n}, nil)
			run(t, linear(), tensor(x), tensor(w), base[0], base[1], executor.NewInt(int64(offset)), executor.NewInt(0), executor.NewInt(3),
				one(1<<30), one(-7), executor.NewInt(127), executor.NewInt(-128), tensor(results[i]))
			require.Equal(t, results[0].Data, results[i].Data)
		}
	}
}
