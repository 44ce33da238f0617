package cpu_test

import (
	"math"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/ptero-rt/ptero/backends/cpu/arg"
	"github.com/ptero-rt/ptero/backends/cpu/walk"
	"github.com/ptero-rt/ptero/executor"
)

// filled makes a tensor of numbers of any type; of complex ones the parts are the real and the imaginary part.
func filled(d executor.DType, sizes []int, parts ...float64) *executor.Tensor {
	t := executor.NewTensor(d, sizes, nil)
	part := walk.PartOf(d)
	for i, f := range parts {
		walk.Put(t.Data[i*part.Size():], part, arg.Scalar{Kind: executor.KindDouble, F: f})
	}
	return t
}

// Operands are cast to the common type before they are asked whether they are 0. A tensor of rank 0 has no say in that within
// its category, so that a number may wrap around to 0 or vanish. The truths are those that PyTorch 2.15 takes numbers for
// beside tensors of each type.
func TestLogicalOperatorsCastNumbersToTheCommonType(t *testing.T) {
	numbers := []*executor.Tensor{
		filled(arg.I16, []int{}, 256), filled(arg.I32, []int{}, 1<<16), filled(arg.I32, []int{}, 1<<16+1), filled(arg.I64, []int{}, 1<<32), filled(arg.I64, []int{}, math.MinInt64),
		filled(arg.F16, []int{}, 6e-8), filled(arg.BF16, []int{}, 1e-30), filled(arg.F32, []int{}, 1e-30), filled(arg.F32, []int{}, 1e-40),
		filled(arg.F64, []int{}, 1e-8), filled(arg.F64, []int{}, 3e-8), filled(arg.F64, []int{}, 1e-60), filled(arg.F64, []int{}, 1e30), filled(arg.F64, []int{}, nan),
		filled(arg.C64, []int{}, 1e-30), filled(arg.C64, []int{}, 0, 1e-30), filled(arg.C128, []int{}, 0, 1e-60), filled(arg.C128, []int{}, 1e-8),
		filled(arg.I64, []int{}, 0), filled(arg.F64, []int{}, math.Copysign(0, -1)),
	}
	kinds := map[executor.DType]string{
		arg.U8: "00100111111111111100", arg.I8: "00100111111111111100", arg.I16: "10100111111111111100", arg.I32: "11100111111111111100",
		arg.I64: "11111111111111111100", arg.Bool: "11111111111111111100", arg.F16: "11111100001011----00", arg.BF16: "11111111111011----00",
		arg.F32: "11111111111011110100", arg.F64: "11111111111111111100", arg.C64: "11111111111011110100", arg.C128: "11111111111111111100",
	}
	for _, w := range pools(t) {
		for d, truths := range kinds {
			for _, n := range []int{1, 37, 70001} {
				bools, x := executor.NewTensor(arg.Bool, []int{n}, nil), executor.NewTensor(d, []int{n}, nil)
				for i := range bools.Data {
					bools.Data[i] = byte(i % 3 & 1)
				}
				require.NoError(t, call(t, w, "aten::copy.out", val(x), val(bools), executor.NewBool(false), val(x)))
				for k, number := range numbers {
					if truths[k] == '-' || n > 37 && w == nil {
						continue // PyTorch computes nothing with complex halves
					}
					check := func(name string, want func(a, b bool) bool) {
						for _, args := range [][]*executor.Tensor{{x, number}, {number, x}} {
							out := executor.NewTensor(arg.Bool, []int{n}, nil)
							require.NoError(t, call(t, w, "aten::logical_"+name+".out", val(args[0]), val(args[1]), val(out)))
							for i, b := range bools.Data {
								if got := out.Data[i] != 0; got != want(b != 0, truths[k] == '1') {
									require.Failf(t, "wrong", "%s of %v and number %d, a %v: %v at %d", name, d, k, number.DType, got, i)
								}
							}
						}
					}
					check("and", func(a, b bool) bool { return a && b })
					check("or", func(a, b bool) bool { return a || b })
					check("xor", func(a, b bool) bool { return a != b })
				}
			}
		}
	}
	// Two tensors of rank 0, or two with dimensions, have a common type that holds both.
	for _, sizes := range [][]int{{}, {1}} {
		out := executor.NewTensor(arg.Bool, sizes, nil)
		for k, number := range numbers {
			other := executor.NewTensor(number.DType, sizes, nil)
			copy(other.Data, number.Data)
			require.NoError(t, call(t, nil, "aten::logical_and.out", val(filled(arg.U8, sizes, 1)), val(other), val(out)))
			require.Equal(t, []byte{[]byte("11111111111111111100")[k] - '0'}, out.Data, "%d", k)
		}
	}
}
