package executor_test

import (
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/ptero-rt/ptero/executor"
	"github.com/ptero-rt/ptero/internal/ptebuild"
	"github.com/ptero-rt/ptero/memory"
	"github.com/ptero-rt/ptero/pte"
)

// copies gives stub operators around a constant of four: turn.out writes it backwards and says so as strides of 2×2,
// sum.out adds what it finds at the origin, if there is one, to its first argument.
func copies(ran *int) executor.Ops {
	ops := stubs()
	return ops.Add(
		executor.Op{Name: "test::turn.out",
			Prepare: func(args []*executor.Value) (any, []memory.Need, error) {
				if x := args[0].Tensor(); x.Constant() {
					args[1].Tensor().SetOrigin(x, []int{1, 2})
				}
				return nil, nil, nil
			},
			Run: func(_ *executor.Scope, _ any, args []*executor.Value) error {
				*ran++
				x, y := executor.Slice[float32](args[0].Tensor()), executor.Slice[float32](args[1].Tensor())
				copy(y, []float32{x[0], x[2], x[1], x[3]})
				return nil
			}},
		executor.Op{Name: "test::sum.out", ReadsOrigin: []int{1}, Run: func(_ *executor.Scope, _ any, args []*executor.Value) error {
			x, w, y := executor.Slice[float32](args[0].Tensor()), args[1].Tensor(), executor.Slice[float32](args[2].Tensor())
			ws := executor.Slice[float32](w)
			for i := range y {
				if c, strides := w.Origin(); c != nil {
					y[i] = x[i] + executor.Slice[float32](c)[i/2*strides[0]+i%2*strides[1]]
				} else {
					y[i] = x[i] + ws[i]
				}
			}
			return nil
		}})
}

// TestCopyOfAConstantIsSkipped checks that a copy is left out exactly where all who read it can do without, and that
// results are the same either way.
func TestCopyOfAConstantIsSkipped(t *testing.T) {
	for name, c := range map[string]struct {
		build func(m *ptebuild.Method, x, w, copied, y ptebuild.Value)
		made  int
	}{
		"one reader": {func(m *ptebuild.Method, x, _, copied, y ptebuild.Value) {
			m.Kernel("test::sum.out", x, copied, y, y)
			m.Output(y)
		}, 0},
		"a reader of the bytes too": {func(m *ptebuild.Method, x, w, copied, y ptebuild.Value) {
			z := m.Tensor(pte.Float, 2, 2)
			m.Kernel("test::sum.out", x, copied, y, y)
			m.Kernel("aten::mul.out", x, copied, z, z)
			m.Output(y, z)
		}, 1},
		"read where the operator wants bytes": {func(m *ptebuild.Method, x, w, copied, y ptebuild.Value) {
			m.Kernel("test::sum.out", copied, copied, y, y)
			m.Kernel("test::sum.out", x, copied, y, y)
			m.Output(y)
		}, 1},
		"an output": {func(m *ptebuild.Method, x, _, copied, y ptebuild.Value) {
			m.Kernel("test::sum.out", x, copied, y, y)
			m.Output(y, copied)
		}, 1},
		"written again": {func(m *ptebuild.Method, x, w, copied, y ptebuild.Value) {
			m.Kernel("aten::copy_", copied, w, m.Bool(false), copied)
			m.Kernel("test::turn.out", w, copied, copied)
			m.Kernel("test::sum.out", x, copied, y, y)
			m.Output(y)
		}, 2},
		"moved": {func(m *ptebuild.Method, x, w, copied, y ptebuild.Value) {
			other := m.Tensor(pte.Float, 2, 2)
			m.Move(copied, other)
			m.Kernel("test::sum.out", x, other, y, y)
			m.Output(y)
		}, 1},
	} {
		t.Run(name, func(t *testing.T) {
			b := ptebuild.New()
			m := b.Method("forward")
			x := m.Input(pte.Float, 2, 2)
			w := m.Constant(pte.Float, ptebuild.Bytes[float32](1, 2, 3, 4), 2, 2)
			copied, y := m.Tensor(pte.Float, 2, 2), m.Tensor(pte.Float, 2, 2)
			m.Kernel("test::turn.out", w, copied, copied)
			c.build(m, x, w, copied, y)
			ran := 0
			f := bind(t, host(t), b.Parse(t), "", executor.Config{Ops: copies(&ran)})
			require.Equal(t, []float32{11, 23, 32, 44}, run(t, f, shaped([]float32{10, 20, 30, 40}, 2, 2)))
			require.Equal(t, c.made, ran)
		})
	}
}
