package executor_test

import (
	"context"
	"errors"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/ptero-rt/ptero/executor"
	"github.com/ptero-rt/ptero/executor/backendtest"
	"github.com/ptero-rt/ptero/internal/fault"
	"github.com/ptero-rt/ptero/internal/ptebuild"
	"github.com/ptero-rt/ptero/memory"
	"github.com/ptero-rt/ptero/pte"
)

// delegated is: live = cat(x); y = sum(x) by the delegate; z = cat(y, live). Arena 1 holds x at 0, live at 64, y at 128 and
// z at 192; scratch of 64 B is wanted, and fast scratch of 32 B.
type delegated struct {
	b              *ptebuild.Program
	m              *ptebuild.Method
	x, live, y, z  ptebuild.Value
	args           []ptebuild.Value
	before, behind func()
}

func newDelegated() *delegated {
	d := &delegated{b: ptebuild.New()}
	d.m = d.b.Method("forward")
	d.x = d.m.Input(pte.Byte, 16).At(1, 0)
	d.live = d.m.Tensor(pte.Byte, 16).At(1, 64)
	d.y = d.m.Tensor(pte.Byte, 16).At(1, 128)
	d.z = d.m.Tensor(pte.Byte, 32).At(1, 192).Bounded()
	d.m.BufferBytes(1, 1024)
	d.args = []ptebuild.Value{d.x, d.y}
	return d
}

func (d *delegated) finish(t testing.TB) *pte.Program {
	list := d.m.Tensors(d.x)
	d.m.Kernel("aten::cat.out", list, d.m.Int(0), d.live, d.live)
	if d.before != nil {
		d.before()
	}
	d.m.Delegate(d.m.Backend("SumBackend", backendtest.Blob(1, 1, 64, 32)), d.args...)
	if d.behind != nil {
		d.behind()
	}
	d.m.Kernel("aten::cat.out", d.m.Tensors(d.y, d.live), d.m.Int(0), d.z, d.z)
	d.m.Output(d.z)
	return d.b.Parse(t)
}

func sumConfig() executor.Config {
	return executor.Config{Ops: stubs(), Backends: []executor.Backend{backendtest.Sum{}}}
}

func (d *delegated) run(t *testing.T) *executor.Method {
	m := bind(t, host(t), d.finish(t), "", sumConfig())
	x := executor.NewTensor(pte.Byte, []int{16}, nil)
	for i := range x.Data {
		x.Data[i] = byte(i * 3)
	}
	require.NoError(t, m.SetInputTensor(0, x))
	for range 3 {
		require.NoError(t, m.Run(context.Background()))
		require.Equal(t, append(append([]byte{}, x.Data...), x.Data...), m.Output(0).Tensor().Data)
	}
	return m
}

func TestScratchForms(t *testing.T) {
	for name, c := range map[string]struct {
		scratch    func(d *delegated) []ptebuild.Value
		temp, fast uint64
	}{
		"legacy":          {func(d *delegated) []ptebuild.Value { return nil }, 64, 32},
		"one":             {func(d *delegated) []ptebuild.Value { return []ptebuild.Value{d.m.Scratch(64, 1).At(1, 256)} }, 0, 32},
		"one in mem_id 3": {func(d *delegated) []ptebuild.Value { return []ptebuild.Value{d.m.Scratch(64, 3)} }, 0, 32},
		"two": {func(d *delegated) []ptebuild.Value {
			return []ptebuild.Value{d.m.Scratch(64, 1).At(1, 256), d.m.Scratch(32, 3)}
		}, 0, 0},
		"larger":      {func(d *delegated) []ptebuild.Value { return []ptebuild.Value{d.m.Scratch(100, 1).At(1, 256)} }, 0, 32},
		"over dead z": {func(d *delegated) []ptebuild.Value { return []ptebuild.Value{d.m.Scratch(64, 1).At(1, 192)} }, 0, 32},
		"beside alive": {func(d *delegated) []ptebuild.Value {
			return []ptebuild.Value{d.m.Scratch(48, 1).At(1, 16), d.m.Scratch(32, 3)}[:0]
		}, 64, 32},
	} {
		t.Run(name, func(t *testing.T) {
			d := newDelegated()
			d.args = append(d.args, c.scratch(d)...)
			m := d.run(t)
			require.Equal(t, c.temp, m.TempPeak())
			require.Equal(t, c.fast, m.FastPeak())
			require.Zero(t, testing.AllocsPerRun(10, func() { require.NoError(t, m.Run(context.Background())) }))
		})
	}
}

// All rules of planned scratch that the file alone decides, each broken alone.
func TestScratchRules(t *testing.T) {
	one := func(f func(d *delegated) ptebuild.Value) func(d *delegated) {
		return func(d *delegated) { d.args = append(d.args, f(d)) }
	}
	at := func(offset uint64) func(d *delegated) {
		return one(func(d *delegated) ptebuild.Value { return d.m.Scratch(64, 1).At(1, offset) })
	}
	for name, c := range map[string]struct {
		rule string
		make func(d *delegated)
	}{
		"one too few": {"arg_count", func(d *delegated) { d.args = d.args[:1] }},
		"three": {"arg_count", func(d *delegated) {
			s := d.m.Scratch(64, 3)
			d.args = append(d.args, s, d.m.Scratch(32, 3), d.m.Scratch(32, 3))
		}},
		"an int":         {"scratch_type", one(func(d *delegated) ptebuild.Value { return d.m.Int(64) })},
		"none":           {"scratch_type", one(func(d *delegated) ptebuild.Value { return d.m.Null() })},
		"float":          {"scratch_dtype", one(func(d *delegated) ptebuild.Value { return d.m.Tensor(pte.Float, 16).At(1, 256) })},
		"char":           {"scratch_dtype", one(func(d *delegated) ptebuild.Value { return d.m.Tensor(pte.Char, 64).At(1, 256) })},
		"rank 2":         {"scratch_rank", one(func(d *delegated) ptebuild.Value { return d.m.Tensor(pte.Byte, 8, 8).At(1, 256) })},
		"dynamic":        {"scratch_dynamic", one(func(d *delegated) ptebuild.Value { return d.m.Scratch(64, 1).At(1, 256).Bounded() })},
		"unplanned":      {"scratch_unplanned", one(func(d *delegated) ptebuild.Value { return d.m.Scratch(64, 1).Unplanned() })},
		"one byte short": {"scratch_size", one(func(d *delegated) ptebuild.Value { return d.m.Scratch(63, 1).At(1, 256) })},
		"fast too small": {"fast_size", func(d *delegated) { d.args = append(d.args, d.m.Scratch(64, 1).At(1, 256), d.m.Scratch(31, 3)) }},
		"offset 8":       {"scratch_align", at(264)},
		"odd offset":     {"scratch_align", at(257)},
		"an input":       {"scratch_foreign_use", one(func(d *delegated) ptebuild.Value { v := d.m.Scratch(64, 3); d.m.Inputs(v); return v })},
		"an output":      {"scratch_foreign_use", one(func(d *delegated) ptebuild.Value { v := d.m.Scratch(64, 3); d.m.Output(v); return v })},
		"state":          {"scratch_foreign_use", one(func(d *delegated) ptebuild.Value { return d.m.State("s", pte.Byte, make([]byte, 64), 64).At(3, 0) })},
		"used elsewhere": {"scratch_foreign_use", one(func(d *delegated) ptebuild.Value {
			v := d.m.Scratch(64, 3)
			d.behind = func() { d.m.Kernel("aten::copy_", v, v, v) }
			return v
		})},
		"over the input":  {"scratch_overlap_input", func(d *delegated) { d.x.At(1, 512); at(512)(d) }},
		"over its tail":   {"scratch_overlap_input", func(d *delegated) { d.x.At(1, 312); at(256)(d) }},
		"over the output": {"scratch_overlap_output", func(d *delegated) { d.y.At(1, 512); at(512)(d) }},
		"over live":       {"scratch_overlap_live", func(d *delegated) { d.live.At(1, 512); at(512)(d) }},
		"over state": {"scratch_overlap_live", func(d *delegated) {
			s := d.m.State("s", pte.Byte, nil, 16).At(1, 512)
			d.before = func() { d.m.Kernel("aten::copy_", s, d.x, s) }
			at(512)(d)
		}},
		"over each other": {"scratch_overlap_sibling", func(d *delegated) {
			d.args = append(d.args, d.m.Scratch(64, 1).At(1, 512), d.m.Scratch(32, 1).At(1, 560))
		}},
		"the same twice": {"scratch_overlap_sibling", func(d *delegated) { s := d.m.Scratch(64, 3); d.args = append(d.args, s, s) }},
	} {
		t.Run(name, func(t *testing.T) {
			d := newDelegated()
			c.make(d)
			_, err := executor.Link(d.finish(t), "", sumConfig())
			require.Error(t, err)
			var rules []string
			for _, e := range fault.All(err) {
				var f *fault.Error
				require.True(t, errors.As(e, &f))
				rules = append(rules, f.Rule)
				require.Equal(t, fault.InvalidProgram, f.Code)
				require.Contains(t, f.Path, "plan[0].instructions[")
				require.Contains(t, f.Path, "SumBackend")
			}
			require.Equal(t, []string{c.rule}, rules, "%v", err)
		})
	}
}

// Scratch of several calls may be one value, or separate values with the same bytes; a call inside a loop or branch is
// like any other.
func TestScratchShared(t *testing.T) {
	for _, separate := range []bool{true, false} {
		b := ptebuild.New()
		m := b.Method("forward")
		x, y, z := m.Input(pte.Byte, 16), m.Tensor(pte.Byte, 16), m.Tensor(pte.Byte, 16)
		one := m.Scratch(64, 3).At(3, 0)
		two := one
		if separate {
			two = m.Scratch(64, 3).At(3, 0)
		}
		blob := m.Backend("SumBackend", backendtest.Blob(1, 1, 64, 0))
		j := m.JumpFalse(m.Bool(true))
		m.Delegate(blob, x, y, one)
		j.Land()
		m.Delegate(m.Backend("SumBackend", backendtest.Blob(2, 1, 64, 0)), x, y, z, two)
		m.Output(z)
		method := bind(t, host(t), b.Parse(t), "", sumConfig())
		in := executor.NewTensor(pte.Byte, []int{16}, nil)
		in.Data[3] = 7
		require.NoError(t, method.SetInputTensor(0, in))
		require.NoError(t, method.Run(context.Background()))
		require.Equal(t, byte(14), method.Output(0).Tensor().Data[3])

		var scratch []memory.Buffer
		for _, s := range method.Linked().Demand().Spans {
			if s.Kind == memory.Scratch {
				scratch = append(scratch, s)
			}
		}
		require.Len(t, scratch, 2)
		require.Equal(t, []string{"sum"}, scratch[0].Devices)
		require.Equal(t, "SumBackend scratch", scratch[0].Label)
		require.Equal(t, [4]int{1, 2, 2, 3}, [4]int{scratch[0].First, scratch[0].Last, scratch[1].First, scratch[1].Last})
		require.Equal(t, separate, scratch[0].Group < 0)
		require.Equal(t, scratch[0].Group, scratch[1].Group)
		require.Equal(t, []string{"sum"}, method.Linked().Demand().Arenas[1].Devices)
	}
}

// inside is Sum with inputs and outputs that lie at the start of its scratch.
type inside struct{ backendtest.Sum }

type insideDelegate struct{ executor.Delegate }

func (i inside) Init(b executor.Blob) (executor.Delegate, error) {
	d, err := i.Sum.Init(b)
	return insideDelegate{d}, err
}

func (insideDelegate) ScratchOffset(arg int) (int, uint64, bool) { return 0, uint64(arg) * 16, true }

// An argument may lie inside scratch only where the blob has it, and only if the file's label says so.
func TestScratchAlias(t *testing.T) {
	make := func(offset uint64, label func(l *executor.Label)) error {
		d := newDelegated()
		d.x.At(1, 512)
		d.y.At(1, 512+offset)
		d.args = append(d.args, d.m.Scratch(64, 1).At(1, 512))
		p := d.finish(t)
		if label != nil {
			l := executor.Label{Hash: executor.PlanHash(&p.Plans[0]), Aliases: []executor.LabelAlias{{Instruction: 1, Argument: 0}, {Instruction: 1, Argument: 1}}}
			label(&l)
			b, err := l.Encode()
			require.NoError(t, err)
			d.b.Named(executor.LabelPrefix+"forward", b)
			p = d.b.Parse(t)
		}
		c := sumConfig()
		c.Backends = []executor.Backend{inside{}}
		_, err := executor.Link(p, "", c)
		return err
	}
	require.NoError(t, make(16, func(*executor.Label) {}))
	require.ErrorContains(t, make(16, nil), "scratch_overlap_input")
	require.ErrorContains(t, make(32, func(*executor.Label) {}), "scratch_overlap_output")
	require.ErrorContains(t, make(16, func(l *executor.Label) { l.Aliases = l.Aliases[:1] }), "scratch_overlap_output")
	require.ErrorContains(t, make(16, func(l *executor.Label) { l.Hash = "of another plan" }), "scratch_label")
}
