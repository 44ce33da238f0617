package cpu_test

import (
	"math/rand/v2"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/ptero-rt/ptero/backends/cpu/arg"
	"github.com/ptero-rt/ptero/executor"
	"github.com/ptero-rt/ptero/internal/workers"
	"github.com/ptero-rt/ptero/memory"
)

// Calls that are prepared together compute what each computes that is prepared alone, however much a call differs from the
// one before: in type, shape, layout, broadcasting, or the numbers that it takes.
func TestCallsPreparedTogether(t *testing.T) {
	r := rand.New(rand.NewPCG(7, 11))
	types := []executor.DType{arg.F32, arg.F32, arg.F32, arg.I32, arg.F16}
	pick := func() executor.DType { return types[r.IntN(len(types))] }
	tensor := func(d executor.DType) *executor.Value {
		sizes := [][]int{{2, 3}, {2, 3}, {2, 3}, {3, 2}, {3}, {1, 3}, {}}[r.IntN(7)]
		return val(random(r, d, sizes...))
	}
	for name, build := range map[string]func() []*executor.Value{
		"aten::add.out": func() []*executor.Value {
			return []*executor.Value{tensor(pick()), tensor(pick()), executor.NewInt(int64(1 + r.IntN(2)))}
		},
		"aten::mul.out": func() []*executor.Value { return []*executor.Value{tensor(pick()), tensor(pick())} },
		"aten::mul.Scalar_out": func() []*executor.Value {
			return []*executor.Value{tensor(pick()), executor.NewDouble(r.NormFloat64())}
		},
		"aten::floor_divide.out":      func() []*executor.Value { return []*executor.Value{tensor(pick()), tensor(pick())} },
		"aten::where.self_out":        func() []*executor.Value { return []*executor.Value{tensor(arg.Bool), tensor(pick()), tensor(pick())} },
		"aten::clamp.Tensor_out":      func() []*executor.Value { return []*executor.Value{tensor(pick()), tensor(pick()), executor.NewNone()} },
		"aten::pow.Tensor_Scalar_out": func() []*executor.Value { return []*executor.Value{tensor(arg.F32), executor.NewInt(int64(r.IntN(4)))} },
		"aten::neg.out":               func() []*executor.Value { return []*executor.Value{tensor(pick())} },
		"aten::gt.Tensor_out":         func() []*executor.Value { return []*executor.Value{tensor(pick()), tensor(pick())} },
	} {
		op := all[name]
		require.NotNil(t, op.PrepareMany, name)
		const n = 200
		together, prepared := op.PrepareMany(n), 0
		for range n {
			args := build()
			outs := outsLike(name, args)
			alone, err := prepareAndRun(op.Prepare, op, append(args[:len(args):len(args)], outs[0]))
			again, err2 := prepareAndRun(together, op, append(args[:len(args):len(args)], outs[1]))
			require.Equal(t, err == nil, err2 == nil, name)
			if err != nil {
				require.Equal(t, err.Error(), err2.Error(), name)
				continue
			}
			prepared++
			require.Equal(t, alone, again, name)
			require.Equal(t, outs[0].Tensor().Data, outs[1].Tensor().Data, name)
		}
		require.Greater(t, prepared, n/4, name)
	}
}

// outsLike makes two equal outputs of the broadcast shape, of a type that the result casts to.
func outsLike(name string, args []*executor.Value) [2]*executor.Value {
	d, sizes := arg.F32, []int{}
	if name == "aten::gt.Tensor_out" {
		d = arg.Bool
	}
	for _, a := range args {
		in := a.Tensor()
		if in == nil {
			continue
		}
		for len(sizes) < in.Rank() {
			sizes = append([]int{1}, sizes...)
		}
		for i, s := range in.Sizes {
			at := len(sizes) - in.Rank() + i
			sizes[at] = max(sizes[at], s)
		}
	}
	return [2]*executor.Value{val(executor.NewTensor(d, sizes, nil)), val(executor.NewTensor(d, sizes, nil))}
}

func prepareAndRun(prepare func([]*executor.Value) (any, []memory.Need, error), op executor.Op, args []*executor.Value) ([]memory.Need, error) {
	state, needs, err := prepare(args)
	if err != nil {
		return nil, err
	}
	return needs, op.Run(executor.ScopeFor(workers.New(1), needs), state, args)
}
