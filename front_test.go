package ptero_test

import (
	"context"
	"io/fs"
	"path/filepath"
	"sync"
	"testing"

	"github.com/stretchr/testify/require"
	"go.uber.org/zap/zapcore"
	"go.uber.org/zap/zaptest/observer"

	"github.com/ptero-rt/ptero"
	"github.com/ptero-rt/ptero/executor"
	"github.com/ptero-rt/ptero/fixtures"
	"github.com/ptero-rt/ptero/internal/fault"
	"github.com/ptero-rt/ptero/memory"
	"github.com/ptero-rt/ptero/pte"
)

func open(t *testing.T, path string, options ...ptero.Option) *ptero.Model {
	t.Helper()
	m, err := ptero.Open(fixtures.Path(path), options...)
	require.NoError(t, err)
	t.Cleanup(func() { require.NoError(t, m.Close()) })
	return m
}

func load(t *testing.T, m *ptero.Model, method string) *ptero.Method {
	t.Helper()
	f, err := m.Load(method)
	require.NoError(t, err)
	return f
}

func TestOptionsThatAreWrong(t *testing.T) {
	program := fixtures.Path("models/bundled_program.bpte")
	for name, c := range map[string]struct {
		option ptero.Option
		want   string
	}{
		"board":       {ptero.BoardNamed("nosuch"), `board: want one of host, `},
		"profile":     {ptero.BoardNamed("nosuch.json"), `nosuch.json: no such file`},
		"NPU":         {ptero.NPU("ethos-u99"), `npu: want a product such as "ethos-u55-128" or "neutron-n3", found "ethos-u99"`},
		"threads":     {ptero.Threads(-1), `threads: want 0 or more, found -1`},
		"data":        {ptero.Data("nosuch.ptd"), `nosuch.ptd: no such file`},
		"other data":  {ptero.Data(program), `want "FT01", found `},
		"overlay":     {ptero.Overlay("nosuch.json"), `nosuch.json: no such file`},
		"budget":      {ptero.Budget(-1), `budget: want 0 or more, found -1`},
		"no operator": {ptero.Operators(executor.Op{Name: "mine::op"}), `operator "mine::op": want a Run`},
	} {
		t.Run(name, func(t *testing.T) {
			_, err := ptero.Open(program, c.option)
			require.ErrorContains(t, err, c.want)
		})
	}
	_, err := ptero.Open(filepath.Join(t.TempDir(), "nosuch.pte"))
	require.ErrorIs(t, err, fs.ErrNotExist)
	require.Equal(t, fault.AccessFailed, executor.CodeOf(err))
}

func TestNew(t *testing.T) {
	f, err := pte.Open(fixtures.Path("models/bundled_program.bpte"))
	require.NoError(t, err)
	defer f.Close()
	p, err := f.Program()
	require.NoError(t, err)

	m, err := ptero.New(p)
	require.NoError(t, err)
	_, err = m.Bundle()
	require.ErrorContains(t, err, "want a bundled program, found a program alone")
	_, err = m.Load("nosuch")
	require.ErrorContains(t, err, `program`)
	require.NoError(t, m.Close())
	require.NoError(t, m.Close(), "closing twice is fine")

	_, err = ptero.New(p, ptero.Overlay("any.json"))
	require.ErrorContains(t, err, "ptero.From")

	m, err = ptero.New(p, ptero.From(f))
	require.NoError(t, err)
	b, err := m.Bundle()
	require.NoError(t, err)
	require.Len(t, b.Suites, 1)
	require.Equal(t, f.Name, m.Path())
	require.NoError(t, m.Close())
	require.NotNil(t, f.Bytes, "the file is the caller's")
}

func TestSet(t *testing.T) {
	f := load(t, open(t, "models/bundled_program.bpte"), "")
	for want, err := range map[string]error{
		`inputs: want an input below 2, found 2`:                               f.Set(2, []int32{1}),
		`inputs: want an input below 2, found -1`:                              f.Set(-1, []int32{1}),
		`inputs[0]: want int32, found float32`:                                 f.Set(0, []float32{1, 2, 3, 4}),
		`inputs[1]: want 4 elements for sizes [2 2] (give a tensor for`:        f.Set(1, []int32{1, 2, 3}),
		`inputs[0]: want a tensor, a slice of numbers, a number, bool, string`: f.Set(0, struct{}{}),
		`want a tensor, found int`:                                             f.Set(0, 7),
		`want a tensor, found none`:                                            f.Set(0, nil),
		`inputs: want a name, or a number below 2, found "2"`:                  f.SetNamed("2", []int32{1}),
		`inputs: want a name, or a number below 2, found "x"`:                  f.SetNamed("x", []int32{1}),
	} {
		require.ErrorContains(t, err, want)
	}
	require.Error(t, f.Run(context.Background()), "inputs are not set")
	require.NoError(t, f.Set(0, []int32{1, 2, 3, 4}))
	x, err := ptero.TensorOf(pte.Int, []int32{5, 6, 7, 8}, 2, 2)
	require.NoError(t, err)
	require.NoError(t, f.Set(1, x))
	require.NoError(t, f.Run(context.Background()))

	y, err := ptero.Output[int32](f, 0)
	require.NoError(t, err)
	require.Len(t, y, 4)
	_, err = ptero.Output[float32](f, 0)
	require.ErrorContains(t, err, "outputs[0]: want float32, found a tensor of int32")
	_, err = ptero.Output[int32](f, 1)
	require.ErrorContains(t, err, "outputs[1]: want an output below 1, found 1")

	for _, wrong := range []error{
		second(ptero.TensorOf(pte.Int, []int32{1, 2, 3}, 2, 2)),
		second(ptero.TensorOf(pte.Float, []float64{1}, 1)),
		second(ptero.TensorOf(pte.Int, []int32{}, -1)),
		second(ptero.TensorOf(pte.Int, []int32{1}, -1, -1)),
	} {
		require.Error(t, wrong)
	}
}

func second[T any](_ T, err error) error { return err }

func TestOutputsThatAreNoTensors(t *testing.T) {
	m := open(t, "cpu/models/program_format/constant_methods.bpte")
	run := func(method string) *ptero.Method {
		f := load(t, m, method)
		require.NoError(t, f.Run(context.Background()))
		return f
	}
	ids, err := ptero.Output[int64](run("get_ids"), 2)
	require.NoError(t, err)
	require.Equal(t, []int64{3}, ids)
	scale, err := ptero.Output[float64](run("get_scale"), 0)
	require.NoError(t, err)
	require.Equal(t, []float64{0.25}, scale)
	causal, err := ptero.Output[bool](run("is_causal"), 0)
	require.NoError(t, err)
	require.Equal(t, []bool{true}, causal)
	_, err = ptero.Output[int32](run("get_name"), 0)
	require.ErrorContains(t, err, "outputs[0]: want int32, found string")
}

// Models may share a board: its space keeps them apart, and one file's methods can be loaded by several goroutines.
func TestModelsInOneSpace(t *testing.T) {
	first := open(t, "models/bundled_program.bpte", ptero.BoardNamed("corstone-300"))
	other := open(t, "models/kws_cortex_m.pte", ptero.In(first.Space()))
	require.Same(t, first.Space(), other.Space())
	require.Equal(t, first.Board(), other.Board())
	var group sync.WaitGroup
	for range 4 {
		for _, m := range []*ptero.Model{first, other} {
			group.Go(func() {
				f, err := m.Load("")
				if err != nil {
					t.Error(err)
				}
				if err := f.Close(); err != nil {
					t.Error(err)
				}
			})
		}
	}
	group.Wait()
}

func TestStrategyAndBudget(t *testing.T) {
	f := load(t, open(t, "models/bundled_program.bpte", ptero.Hold(memory.Dynamic), ptero.Budget(1)), "")
	require.Equal(t, memory.Dynamic, f.Strategy())
	for i := range f.NumInputs() {
		require.NoError(t, f.Set(i, []int32{1, 2, 3, 4}))
	}
	require.ErrorContains(t, f.Run(context.Background()), "instruction")
}

func TestLogger(t *testing.T) {
	core, logs := observer.New(zapcore.DebugLevel)
	m := open(t, "models/bundled_program.bpte", ptero.Logger(core))
	f := load(t, m, "")
	n := logs.Len()
	require.Positive(t, n)
	for i := range f.NumInputs() {
		require.NoError(t, f.Set(i, []int32{1, 2, 3, 4}))
	}
	require.NoError(t, f.Run(context.Background()))
	require.Equal(t, n, logs.Len(), "nothing is logged while a method runs")
}

// --npu replaces the product of the same make; a board that has several keeps none of the others of that make.
func TestNPU(t *testing.T) {
	for _, c := range []struct{ board, npu, want string }{
		{"host", "ethos-u55-128", "ethos-u55-128"},
		{"host", "neutron-n3", "neutron-n3"},
		{"corstone-300", "ethos-u55-256", "ethos-u55-256"},
		{"alif-ensemble-e8", "ethos-u85-512", "ethos-u85-512"},
		{"alif-ensemble-e8", "ethos-u55-128", "ethos-u55-128"},
		{"mcxn947", "neutron-n1", "neutron-n1"},
	} {
		m := open(t, "models/kws_cortex_m.pte", ptero.BoardNamed(c.board), ptero.NPU(c.npu))
		require.Len(t, m.Board().Devices(), 1, c.board)
		require.Equal(t, c.want, m.Board().Devices()[0].Kind)
	}
	require.ErrorContains(t, ptero.CheckBoard("mcxn947", "ethos-u55-128"), "mcxn947.devices")
	require.ErrorContains(t, ptero.CheckBoard("host", "neutron"), "npu")
}
