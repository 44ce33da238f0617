package nn_test

import (
	"math"
	"math/rand/v2"
	"path/filepath"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/ptero-rt/ptero/backends/cpu/arg"
	"github.com/ptero-rt/ptero/backends/cpu/cortexm"
	"github.com/ptero-rt/ptero/backends/cpu/nn"
	"github.com/ptero-rt/ptero/backends/cpu/quant"
	"github.com/ptero-rt/ptero/backends/cpu/walk"
	"github.com/ptero-rt/ptero/executor"
	"github.com/ptero-rt/ptero/fixtures"
	"github.com/ptero-rt/ptero/internal/workers"
	"github.com/ptero-rt/ptero/pte"
)

// offset is where element i, in logical order, lies.
func offset(t *executor.Tensor, i int) int {
	at := 0
	for d := t.Rank() - 1; d >= 0; d-- {
		at += i % t.Sizes[d] * t.Strides[d]
		i /= t.Sizes[d]
	}
	return at
}

// fill gives a tensor small random numbers, the same for the same seed whatever its layout.
func fill(t *executor.Tensor, seed uint64) {
	r, size := rand.New(rand.NewPCG(seed, 1)), t.DType.Size()
	for i := range t.NumElements() {
		x := float64(r.IntN(5) - 1)
		switch t.DType {
		case arg.F32, arg.F64:
			x /= 2
		case arg.I64:
			x = max(x, 0)
		}
		walk.Put(t.Data[offset(t, i)*size:][:size], t.DType, arg.Scalar{Kind: executor.KindDouble, F: x})
	}
}

// logical gives the elements of a tensor in logical order.
func logical(t *executor.Tensor) []float64 {
	list := make([]float64, t.NumElements())
	for i := range list {
		list[i] = walk.Get(t.Data, t.DType, offset(t, i)).Float()
	}
	return list
}

// shuffled gives the tensor's shape in another dim order.
func shuffled(t *executor.Tensor, r *rand.Rand) *executor.Tensor {
	order := make([]uint8, t.Rank())
	for i, d := range r.Perm(len(order)) {
		order[i] = uint8(d)
	}
	n := executor.NewTensorOrder(t.DType, t.Sizes, order, nil)
	n.Dynamism = t.Dynamism
	if t.Constant() {
		n.MarkConstant()
	}
	return n
}

// outcome runs an operator on filled arguments and gives its tensors' content, or nil where it refuses them.
func outcome(t *testing.T, op executor.Op, args []*executor.Value, w *workers.Pool) [][]float64 {
	for i, v := range args {
		if x := v.Tensor(); x != nil {
			fill(x, uint64(min(i, len(args)-2)))
		}
	}
	state, needs, err := op.Prepare(args)
	if err != nil {
		return nil
	}
	s := executor.ScopeFor(w, needs)
	require.NoError(t, op.Run(s, state, args), op.Name)
	s.Reset()
	require.NoError(t, op.Run(s, state, args), "%s, again", op.Name)
	var all [][]float64
	for _, v := range args {
		if x := v.Tensor(); x != nil {
			all = append(all, logical(x))
		}
	}
	return all
}

// TestResultsDoNotDependOnLayoutOrWorkers runs real calls with every tensor in random dim orders, and with one worker or
// three: what the tensors hold in the end must be the same.
func TestResultsDoNotDependOnLayoutOrWorkers(t *testing.T) {
	r := rand.New(rand.NewPCG(8, 9))
	w := workers.New(3)
	defer w.Close()
	runs, refused := map[string]int{}, map[string]int{}
	for _, op := range append(append(nn.Ops(), quant.Ops()...), cortexm.Ops()...) {
		files, _ := filepath.Glob(fixtures.Path("cpu", "ops", strings.ReplaceAll(op.Name, "::", "."), "*.bpte"))
		if strings.HasPrefix(op.Name, "cortex_m") {
			files, _ = filepath.Glob(fixtures.Path("cpu", "models", "cortex_m_ops", "*.bpte"))
		}
		for _, file := range files {
			f, err := pte.Open(file)
			require.NoError(t, err)
			p, err := f.Program()
			require.NoError(t, err)
			plan := &p.Plans[0]
			for _, in := range plan.Chains[0].Instructions {
				if in.Op != pte.CallKernel || plan.Operators[in.Target].FullName() != op.Name {
					continue
				}
				pick := func(mix bool) []*executor.Value {
					all := values(plan)
					if mix {
						for i, v := range all {
							if x := v.Tensor(); x != nil && r.IntN(2) == 0 {
								all[i] = executor.NewTensorValue(shuffled(x, r))
							}
						}
					}
					var args []*executor.Value
					for _, i := range in.Args {
						args = append(args, all[i])
					}
					return args
				}
				want := outcome(t, op, pick(false), nil)
				for range 6 {
					got := outcome(t, op, pick(true), w)
					if got == nil {
						refused[op.Name]++
						continue
					}
					runs[op.Name]++
					require.Len(t, got, len(want))
					for k := range want {
						require.Len(t, got[k], len(want[k]))
						for i := range want[k] {
							if math.Abs(got[k][i]-want[k][i]) > 1e-5*max(1, math.Abs(want[k][i])) {
								t.Fatalf("%s: tensor %d element %d: got %v, want %v", file, k, i, got[k][i], want[k][i])
							}
						}
					}
				}
			}
			require.NoError(t, f.Close())
		}
	}
	if len(runs) == 0 {
		t.Skip("the corpus is not in fixtures/cpu")
	}
	t.Log("runs:", runs)
	t.Log("refused:", refused)
}
