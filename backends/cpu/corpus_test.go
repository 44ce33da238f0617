package cpu_test

import (
	"context"
	"encoding/json"
	"fmt"
	"math"
	"os"
	"path/filepath"
	"sort"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/ptero-rt/ptero/backends/cpu"
	"github.com/ptero-rt/ptero/backends/cpu/walk"
	"github.com/ptero-rt/ptero/executor"
	"github.com/ptero-rt/ptero/fixtures"
	"github.com/ptero-rt/ptero/hal/sim"
	"github.com/ptero-rt/ptero/internal/workers"
	"github.com/ptero-rt/ptero/memory"
	"github.com/ptero-rt/ptero/pte"
)

// corpusEntry is what a manifest says of one bundled program.
type corpusEntry struct {
	File      string
	Ops       []string
	Delegates []string
	Dynamic   bool
	Stateful  bool
	Sequence  [][2]any
	DataFiles map[string]any `json:"data_files"`
	Tolerance struct {
		Class      string
		Rtol, Atol float64
	}
}

// TestCorpusOps runs every operator program of the corpus and compares with what eager PyTorch computed.
func TestCorpusOps(t *testing.T) { corpus(t, "ops") }

// TestCorpusModels does the same for the models that need no delegate.
func TestCorpusModels(t *testing.T) { corpus(t, "models") }

func corpus(t *testing.T, folder string) {
	root := fixtures.Path("cpu")
	if _, err := os.Stat(filepath.Join(root, folder, "manifest.json")); err != nil {
		root = fixtures.Shared(t, "fixtures", "cpu")
	}
	raw, err := os.ReadFile(filepath.Join(root, folder, "manifest.json"))
	require.NoError(t, err)
	var manifest struct{ Files []corpusEntry }
	require.NoError(t, json.Unmarshal(raw, &manifest))

	board, err := sim.Host()
	require.NoError(t, err)
	t.Cleanup(func() { require.NoError(t, board.Close()) })
	// Every program runs with one worker and with three: results must not depend on that.
	pool := workers.New(3)
	t.Cleanup(pool.Close)
	c := corpusRun{root: root, ops: cpu.Ops(), board: memory.NewSpace(board)}
	missing := map[string]int{}
	for _, e := range manifest.Files {
		if len(e.Delegates) > 0 || !strings.HasSuffix(e.File, ".bpte") {
			continue
		}
		if name := lacking(c.ops, e.Ops); name != "" {
			missing[name]++
			continue
		}
		t.Run(strings.TrimSuffix(e.File, ".bpte"), func(t *testing.T) {
			for _, w := range []*workers.Pool{nil, pool} {
				require.NoError(t, c.verify(t, e, w), "%d workers", w.Size())
			}
		})
	}
	var names []string
	for name, n := range missing {
		names = append(names, fmt.Sprintf("%s (%d)", name, n))
	}
	sort.Strings(names)
	require.Empty(t, names, "operators that programs need")
}

func lacking(ops executor.Ops, names []string) string {
	for _, name := range names {
		if _, ok := ops[name]; !ok {
			return name
		}
	}
	return ""
}

// corpusRun is what all programs of a corpus share.
type corpusRun struct {
	root  string
	ops   executor.Ops
	board *memory.Space
}

// verify runs all cases of one bundle.
func (c *corpusRun) verify(t *testing.T, e corpusEntry, w *workers.Pool) error {
	data, err := os.ReadFile(filepath.Join(c.root, e.File))
	if err != nil {
		return err
	}
	bundle, err := pte.ParseBundle(data)
	if err != nil {
		return err
	}
	program, err := pte.Parse(append([]byte{}, bundle.Program...))
	if err != nil {
		return err
	}
	config := executor.Config{Ops: c.ops, Workers: w}
	for name := range e.DataFiles {
		raw, err := os.ReadFile(filepath.Join(c.root, name))
		if err != nil {
			return err
		}
		d, err := pte.ParseTensorData(raw)
		if err != nil {
			return err
		}
		config.Data = append(config.Data, d)
	}
	methods := map[string]*executor.Method{}
	method := func(name string) (*executor.Method, error) {
		if m := methods[name]; m != nil {
			return m, nil
		}
		l, err := executor.Link(program, name, config)
		if err != nil {
			return nil, err
		}
		if err := modest(program, l.Outline()); err != nil {
			return nil, err
		}
		layout, err := l.Fit(c.board)
		if err != nil {
			return nil, err
		}
		m, err := l.Bind(c.board, layout)
		methods[name] = m
		return m, err
	}
	defer func() {
		for _, m := range methods {
			if m != nil {
				require.NoError(t, m.Close())
			}
		}
	}()
	for _, step := range e.Sequence {
		name, k := step[0].(string), int(step[1].(float64))
		m, err := method(name)
		if err != nil {
			return err
		}
		suite, ok := bundle.Suite(name)
		require.True(t, ok, name)
		if err := runCase(m, &suite.Cases[k], e); err != nil {
			return fmt.Errorf("%s case %d: %w", name, k, err)
		}
	}
	if len(e.Sequence) > 0 {
		return nil
	}
	for i := range bundle.Suites {
		suite := &bundle.Suites[i]
		for k := range suite.Cases {
			m, err := method(suite.Method)
			if err != nil {
				return err
			}
			if err := runCase(m, &suite.Cases[k], e); err != nil {
				return fmt.Errorf("%s case %d: %w", suite.Method, k, err)
			}
		}
		if m := methods[suite.Method]; m != nil && !e.Dynamic && len(suite.Cases) > 0 && w.Size() == 1 {
			if n := testing.AllocsPerRun(2, func() { err = m.Run(context.Background()) }); n != 0 || err != nil {
				return fmt.Errorf("%s: %g allocations a run, %w", suite.Method, n, err)
			}
		}
	}
	return nil
}

func runCase(m *executor.Method, c *pte.Case, e corpusEntry) error {
	for i := range c.Inputs {
		if err := m.SetInput(i, caseValue(&c.Inputs[i])); err != nil {
			return err
		}
	}
	if err := m.Run(context.Background()); err != nil {
		return err
	}
	for i := range c.Expected {
		if err := sameValue(m.Output(i), &c.Expected[i], e); err != nil {
			return fmt.Errorf("output %d: %w", i, err)
		}
	}
	return nil
}

func caseValue(v *pte.CaseValue) *executor.Value {
	switch v.Kind {
	case pte.KindTensor:
		return executor.NewTensorValue(caseTensor(&v.Tensor))
	case pte.KindInt:
		return executor.NewInt(v.Int)
	case pte.KindDouble:
		return executor.NewDouble(v.Double)
	}
	return executor.NewBool(v.Bool)
}

// caseTensor copies a bundled tensor, whose bytes are little-endian, into one of the host's.
func caseTensor(c *pte.CaseTensor) *executor.Tensor {
	sizes := make([]int, len(c.Sizes))
	for i, n := range c.Sizes {
		sizes[i] = int(n)
	}
	t := executor.NewTensorOrder(c.DType, sizes, c.DimOrder, nil)
	copy(t.Data, c.Bytes)
	if hostIsBig() {
		size := c.DType.Size()
		if c.DType >= 8 && c.DType <= 10 {
			size /= 2
		}
		for b := t.Data; len(b) >= size; b = b[size:] {
			for i := range size / 2 {
				b[i], b[size-1-i] = b[size-1-i], b[i]
			}
		}
	}
	return t
}

func hostIsBig() bool {
	return executor.SliceBytes[uint16](executor.NewTensor(0, []int{2}, []byte{0, 1}).Data)[0] == 1
}

func sameValue(got *executor.Value, want *pte.CaseValue, e corpusEntry) error {
	switch want.Kind {
	case pte.KindTensor:
		if got.Tensor() == nil {
			return fmt.Errorf("want a tensor, got %v", got.Kind())
		}
		return sameTensor(got.Tensor(), caseTensor(&want.Tensor), e)
	case pte.KindInt:
		if got.Kind() != executor.KindInt || got.Int() != want.Int {
			return fmt.Errorf("want int %d, got %v %d", want.Int, got.Kind(), got.Int())
		}
	case pte.KindBool:
		if got.Kind() != executor.KindBool || got.Bool() != want.Bool {
			return fmt.Errorf("want bool %v, got %v %v", want.Bool, got.Kind(), got.Bool())
		}
	case pte.KindDouble:
		if got.Kind() != executor.KindDouble || !near(got.Double(), want.Double, e) {
			return fmt.Errorf("want double %g, got %v %g", want.Double, got.Kind(), got.Double())
		}
	}
	return nil
}

func near(got, want float64, e corpusEntry) bool {
	return got == want || got != got && want != want || math.Abs(got-want) <= e.Tolerance.Atol+e.Tolerance.Rtol*math.Abs(want)
}

func sameTensor(got, want *executor.Tensor, e corpusEntry) error {
	if got.DType != want.DType || !got.SameLayout(want) {
		return fmt.Errorf("want %v %v strides %v, got %v %v strides %v", want.DType, want.Sizes, want.Strides, got.DType, got.Sizes, got.Strides)
	}
	if e.Tolerance.Class == "shape-only" {
		return nil
	}
	d, n := got.DType, got.NumElements()
	if d >= 8 && d <= 10 { // complex: compare the parts
		d, n = [3]executor.DType{5, 6, 7}[d-8], 2*n
	}
	bad, first := 0, ""
	for i := range n {
		g, w := walk.Get(got.Data, d, i), walk.Get(want.Data, d, i)
		if g == w || g.Kind == executor.KindDouble && near(g.F, w.F, e) || g.Kind == executor.KindInt && e.Tolerance.Atol > 0 && near(float64(g.I), float64(w.I), e) {
			continue
		}
		if bad++; bad == 1 {
			first = fmt.Sprintf("element %d is %v, want %v", i, g, w)
		}
	}
	if bad > 0 {
		return fmt.Errorf("%d of %d differ: %s (rtol %g, atol %g)", bad, n, first, e.Tolerance.Rtol, e.Tolerance.Atol)
	}
	return nil
}

// modest wants calls to ask for temp memory by the size of what they work on: boards have little.
func modest(p *pte.Program, d memory.Demand) error {
	tensors := uint64(0)
	for i := range p.Plans {
		for _, v := range p.Plans[i].Values {
			if v.Tensor != nil {
				n, _ := v.Tensor.NBytes()
				tensors += n
			}
		}
	}
	for _, c := range d.Calls {
		if temp, most := memory.Together(c.Needs, memory.Temp), 8<<10+16*tensors; temp > most {
			return fmt.Errorf("%s asks for %d B of temp memory, %d B seem enough for tensors of %d B", c.Label, temp, most, tensors)
		}
	}
	return nil
}
