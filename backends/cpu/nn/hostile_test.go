package nn_test

import (
	"fmt"
	"math"
	"path/filepath"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/ptero-rt/ptero/backends/cpu/cortexm"
	"github.com/ptero-rt/ptero/backends/cpu/nn"
	"github.com/ptero-rt/ptero/backends/cpu/quant"
	"github.com/ptero-rt/ptero/executor"
	"github.com/ptero-rt/ptero/fixtures"
	"github.com/ptero-rt/ptero/memory"
	"github.com/ptero-rt/ptero/pte"
)

// values builds the arguments of a program's kernel calls; tensors have storage of their own, zeroed.
func values(p *pte.Plan) []*executor.Value {
	var list []*executor.Value
	for _, v := range p.Values {
		switch v.Kind {
		case pte.KindInt:
			list = append(list, executor.NewInt(v.Int))
		case pte.KindBool:
			list = append(list, executor.NewBool(v.Bool))
		case pte.KindDouble:
			list = append(list, executor.NewDouble(v.Double))
		case pte.KindString:
			list = append(list, executor.NewString(v.List.String))
		case pte.KindDoubleList:
			list = append(list, executor.NewDoubles(v.List.Doubles...))
		case pte.KindBoolList:
			list = append(list, executor.NewBools(v.List.Bools...))
		case pte.KindIntList:
			var xs []int64
			for _, i := range v.Items() {
				xs = append(xs, p.Values[i].Int)
			}
			list = append(list, executor.NewInts(xs...))
		case pte.KindTensor:
			var sizes []int
			for _, n := range v.Tensor.Sizes {
				sizes = append(sizes, int(n))
			}
			t := executor.NewTensorOrder(v.Tensor.DType, sizes, v.Tensor.DimOrder, nil)
			t.Dynamism = v.Tensor.Dynamism
			if v.Tensor.DataIndex > 0 {
				t.MarkConstant()
			}
			list = append(list, executor.NewTensorValue(t))
		default:
			list = append(list, executor.NewNone())
		}
	}
	return list
}

// twisted gives hostile replacements for an argument.
func twisted(v *executor.Value) []*executor.Value {
	list := []*executor.Value{executor.NewNone(), executor.NewBool(true), executor.NewString("x"), executor.NewInts(), executor.NewDoubles(1), executor.NewBools(true)}
	ints := []int64{math.MinInt64, math.MinInt32, -129, -1, 0, 1, 2, 3, 7, 255, 1 << 15, math.MaxInt32, math.MaxInt32 + 1, 1 << 40, math.MaxInt64}
	for _, x := range ints {
		list = append(list, executor.NewInt(x))
	}
	for _, x := range []float64{math.NaN(), math.Inf(1), math.Inf(-1), 0, -1, 1e308, 1e-308, 1e9} {
		list = append(list, executor.NewDouble(x), executor.NewDoubles(x, x), executor.NewDoubles(2, x))
	}
	if items := v.Items(); v.Kind() == executor.KindIntList {
		for at := range items {
			for _, x := range ints {
				var xs []int64
				for i, item := range items {
					if i == at {
						xs = append(xs, x)
					} else {
						xs = append(xs, item.Int())
					}
				}
				list = append(list, executor.NewInts(xs...))
			}
		}
		list = append(list, executor.NewInts(1), executor.NewInts(1, 1), executor.NewInts(1, 1, 1), executor.NewInts(1, 1, 1, 1), executor.NewInts(1<<40, 1<<40))
	}
	if t := v.Tensor(); t != nil {
		add := func(d executor.DType, sizes ...int) {
			n := executor.NewTensor(d, sizes, nil)
			n.Dynamism = t.Dynamism
			list = append(list, executor.NewTensorValue(n))
		}
		for r := range 7 {
			sizes := []int{2, 2, 2, 2, 2, 2}[:r]
			add(t.DType, sizes...)
			add(t.DType, append([]int{}, sizes...)...)
		}
		for _, d := range []executor.DType{pte.Byte, pte.Char, pte.Long, pte.Half, pte.Float, pte.Double, pte.Bool, pte.BFloat16, pte.ComplexFloat, pte.UInt16} {
			add(d, t.Sizes...)
		}
		for d := range t.Sizes {
			for _, n := range []int{0, 1, t.Sizes[d] + 1} {
				sizes := append([]int{}, t.Sizes...)
				sizes[d] = n
				add(t.DType, sizes...)
			}
		}
		if t.Rank() == 4 {
			list = append(list, executor.NewTensorValue(executor.NewTensorOrder(t.DType, t.Sizes, []uint8{0, 2, 3, 1}, nil)))
		}
	}
	return list
}

// call prepares and runs an operator on its own, if it does not want more than 64 MiB.
func call(t *testing.T, op executor.Op, args []*executor.Value, what string) {
	defer func() {
		if v := recover(); v != nil {
			t.Fatalf("%s: %s: panic: %v", op.Name, what, v)
		}
	}()
	state, needs, err := op.Prepare(args)
	if err != nil {
		return
	}
	var temp uint64
	for _, n := range needs {
		if n.Place == memory.Temp {
			temp += n.Bytes + 64
		}
		require.Less(t, n.Bytes, uint64(1<<34), "%s: %s", op.Name, what)
	}
	if temp > 1<<26 {
		return
	}
	_ = op.Run(executor.NewScope(nil, int(temp)), state, args)
}

// TestHostileArguments replaces every argument of real calls, one at a time: what cannot be computed is an error, never a
// panic, and never a need that no machine could meet.
func TestHostileArguments(t *testing.T) {
	ops := executor.Ops{}.Add(append(append(nn.Ops(), quant.Ops()...), cortexm.Ops()...)...)
	seen := map[string]int{}
	for name := range ops {
		files, _ := filepath.Glob(fixtures.Path("cpu", "ops", strings.ReplaceAll(name, "::", "."), "*.bpte"))
		more, _ := filepath.Glob(fixtures.Path("cpu", "models", "cortex_m_ops", "*.bpte"))
		if strings.HasPrefix(name, "cortex_m") {
			files = more
		}
		for _, file := range files {
			f, err := pte.Open(file)
			require.NoError(t, err)
			p, err := f.Program()
			require.NoError(t, err)
			plan := &p.Plans[0]
			for _, chain := range plan.Chains {
				for _, in := range chain.Instructions {
					if in.Op != pte.CallKernel || plan.Operators[in.Target].FullName() != name || seen[name] >= 4 {
						continue
					}
					seen[name]++
					sweep(t, ops[name], plan, in.Args)
				}
			}
			require.NoError(t, f.Close())
		}
	}
	if len(seen) == 0 {
		t.Skip("the corpus is not in fixtures/cpu")
	}
	for name := range ops {
		if seen[name] == 0 {
			t.Logf("no call of %s in the corpus", name)
		}
	}
}

func sweep(t *testing.T, op executor.Op, plan *pte.Plan, indices []int32) {
	pick := func() []*executor.Value {
		all := values(plan)
		var args []*executor.Value
		for _, i := range indices {
			args = append(args, all[i])
		}
		return args
	}
	args := pick()
	call(t, op, args, "as it is")
	for i := range args {
		for n, v := range twisted(args[i]) {
			again := pick()
			again[i] = v
			if i == len(args)-2 { // the output stands twice
				again[i+1] = v
			}
			what := fmt.Sprintf("argument %d replaced by #%d, a %v", i, n, v.Kind())
			if x := v.Tensor(); x != nil {
				what += fmt.Sprint(" ", x.DType, x.Sizes)
			}
			call(t, op, again, what)
		}
	}
	call(t, op, args[:len(args)/2], "half the arguments")
	call(t, op, nil, "no arguments")
}
