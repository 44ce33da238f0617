// Package backendtest is the conformance suite that every backend must pass, and a small backend to test the executor with.
//
// The suite knows nothing of a backend's payloads. A Case brings a blob with inputs and the outputs that it must give; the
// suite runs it in every form of scratch that the blob accepts and looks for what a program would suffer from:
// results that depend on what scratch held before, bytes written outside of arguments, memory that was not stated,
// arguments kept from an earlier call, allocation in the run loop, panics on bad input.
package backendtest

import (
	"fmt"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/ptero-rt/ptero/executor"
	"github.com/ptero-rt/ptero/internal/workers"
	"github.com/ptero-rt/ptero/memory"
	"github.com/ptero-rt/ptero/pte"
)

// Case is one delegate with arguments and the results they must give.
type Case struct {
	Name    string
	Blob    executor.Blob
	Inputs  []*executor.Tensor
	Outputs []*executor.Tensor // hold the expected bytes
}

// Run takes a backend through the suite.
func Run(t *testing.T, b executor.Backend, cases ...Case) {
	require.NotEmpty(t, b.ID())
	for _, c := range cases {
		t.Run(c.Name, func(t *testing.T) {
			t.Run("arity", func(t *testing.T) { c.arity(t, b) })
			t.Run("damaged blob", func(t *testing.T) { c.damaged(t, b) })
			t.Run("bad arguments", func(t *testing.T) { c.badArguments(t, b) })
			for form := range c.open(t, b).Arity().Forms {
				t.Run(fmt.Sprintf("form %d", form), func(t *testing.T) { c.execute(t, b, form) })
			}
			t.Run("two delegates", func(t *testing.T) { c.two(t, b) })
		})
	}
}

// open makes a delegate that the test closes.
func (c *Case) open(t *testing.T, b executor.Backend) executor.Delegate {
	t.Helper()
	d, err := b.Init(c.Blob)
	require.NoError(t, err)
	t.Cleanup(func() { require.NoError(t, d.Close()) })
	return d
}

// arity checks that what the blob says of its arguments fits the case and does not change.
func (c *Case) arity(t *testing.T, b executor.Backend) {
	d := c.open(t, b)
	a := d.Arity()
	require.Equal(t, len(c.Inputs), a.In)
	require.Equal(t, len(c.Outputs), a.Out)
	require.NotEmpty(t, a.Forms, "the form without planned scratch")
	require.Empty(t, a.Forms[0], "the first form is the one without planned scratch")
	counts := map[int]bool{}
	for _, f := range a.Forms {
		require.False(t, counts[len(f)], "two forms with %d trailing arguments", len(f))
		counts[len(f)] = true
		for _, s := range f {
			require.NotEmpty(t, s.Role)
			require.Zero(t, s.Align&(s.Align-1), "alignment of %s", s.Role)
		}
	}
	require.Equal(t, a, d.Arity())
}

// damaged reads the blob cut at every length and with bytes changed: an error or a delegate, never a panic.
func (c *Case) damaged(t *testing.T, b executor.Backend) {
	try := func(bytes []byte) {
		blob := c.Blob
		blob.Bytes = bytes
		if d, err := b.Init(blob); err == nil {
			require.NoError(t, d.Close())
		} else {
			require.NotZero(t, executor.CodeOf(err))
		}
	}
	whole := c.Blob.Bytes
	step := max(1, len(whole)/512)
	for n := 0; n < len(whole); n += step {
		try(append([]byte(nil), whole[:n]...))
		changed := append([]byte(nil), whole...)
		changed[n] ^= 0xFF
		try(changed)
	}
}

// badArguments prepares calls that no exporter makes: an error each, never a panic.
func (c *Case) badArguments(t *testing.T, b executor.Backend) {
	good := c.arguments(nil)
	with := func(i int, v *executor.Value) []*executor.Value {
		args := append([]*executor.Value(nil), good...)
		args[i] = v
		return args
	}
	bad := map[string][]*executor.Value{
		"no arguments":    {},
		"one too few":     good[:len(good)-1],
		"far too many":    append(append([]*executor.Value(nil), good...), make([]*executor.Value, 9)...),
		"an int":          with(0, executor.NewInt(1)),
		"none":            with(len(good)-1, executor.NewNone()),
		"another dtype":   with(0, executor.NewTensorValue(executor.NewTensor(pte.Double, c.first().Sizes, nil))),
		"another size":    with(0, executor.NewTensorValue(executor.NewTensor(c.first().DType, []int{c.first().NumElements() + 3}, nil))),
		"a list":          with(0, executor.NewInts(1, 2)),
		"nothing in list": with(0, executor.NewTensors()),
	}
	for name, args := range bad {
		for i := range args {
			if args[i] == nil {
				args[i] = executor.NewInt(0)
			}
		}
		_, err := c.open(t, b).Prepare(args)
		require.Error(t, err, name)
		require.NotZero(t, executor.CodeOf(err), name)
	}
}

func (c *Case) first() *executor.Tensor {
	if len(c.Inputs) > 0 {
		return c.Inputs[0]
	}
	return c.Outputs[0]
}

// arguments makes an argument list with copies of the inputs, outputs full of another value, and scratch.
func (c *Case) arguments(scratch []executor.Scratch) []*executor.Value {
	var args []*executor.Value
	for _, in := range c.Inputs {
		args = append(args, executor.NewTensorValue(executor.NewTensorOrder(in.DType, in.Sizes, in.DimOrder, append([]byte(nil), in.Data...))))
	}
	for _, out := range c.Outputs {
		o := executor.NewTensorOrder(out.DType, out.Sizes, out.DimOrder, nil)
		fill(o.Data, 0x5A)
		args = append(args, executor.NewTensorValue(o))
	}
	for _, s := range scratch {
		args = append(args, executor.NewTensorValue(executor.NewTensor(pte.Byte, []int{int(s.Size)}, nil)))
	}
	return args
}

func fill(b []byte, v byte) {
	for i := range b {
		b[i] = v
	}
}

// scope has exactly the memory that was stated.
func scope(w *workers.Pool, needs []memory.Need) *executor.Scope {
	var size [2]uint64
	for _, n := range needs {
		if n.Place != memory.Resident {
			a := uint64(max(n.Align, 16))
			size[n.Place] = (size[n.Place]+a-1)/a*a + n.Bytes
		}
	}
	return executor.NewScope(w, int(size[memory.Temp])).GiveFast(int(size[memory.Fast]))
}

// execute runs the case in one form of scratch.
func (c *Case) execute(t *testing.T, b executor.Backend, form int) {
	d := c.open(t, b)
	args := c.arguments(d.Arity().Forms[form])
	needs, err := d.Prepare(args)
	require.NoError(t, err)
	s := scope(nil, needs)
	own := len(c.Inputs) + len(c.Outputs)
	for _, dirt := range []byte{0x00, 0xA5, 0xFF} {
		for _, v := range args[own:] {
			fill(v.Tensor().Data, dirt)
		}
		for _, n := range needs {
			if r, err := s.Temp(n.Place, n.Bytes, n.Align); n.Place != memory.Resident && err == nil {
				fill(r.Bytes, dirt)
			}
		}
		s.Reset()
		for _, v := range args[len(c.Inputs):own] {
			fill(v.Tensor().Data, dirt^0x3C)
		}
		require.NoError(t, d.Execute(s, args))
		s.Reset()
		c.check(t, args)
	}
	moved := c.arguments(d.Arity().Forms[form]) // the same call, other addresses: what a leased arena does
	require.NoError(t, d.Execute(s, moved))
	s.Reset()
	c.check(t, moved)

	allocs := testing.AllocsPerRun(10, func() {
		if err := d.Execute(s, args); err != nil {
			t.Fatal(err)
		}
		s.Reset()
	})
	require.Zero(t, allocs, "allocations of Execute")
}

// check compares outputs, and inputs with what they were.
func (c *Case) check(t *testing.T, args []*executor.Value) {
	t.Helper()
	for i, want := range c.Inputs {
		require.Equal(t, want.Data, args[i].Tensor().Data, "input %d", i)
	}
	for i, want := range c.Outputs {
		got := args[len(c.Inputs)+i].Tensor()
		require.Equal(t, want.Sizes, got.Sizes, "output %d", i)
		require.Equal(t, want.Data, got.Data, "output %d", i)
	}
}

// two checks that delegates of one backend share nothing, and that one outlives the other.
func (c *Case) two(t *testing.T, b executor.Backend) {
	first, err := b.Init(c.Blob)
	require.NoError(t, err)
	second := c.open(t, b)
	args, others := c.arguments(nil), c.arguments(nil)
	needs, err := first.Prepare(args)
	require.NoError(t, err)
	_, err = second.Prepare(others)
	require.NoError(t, err)
	s := scope(nil, needs)
	require.NoError(t, first.Execute(s, args))
	s.Reset()
	require.NoError(t, first.Close())
	require.NoError(t, second.Execute(s, others))
	c.check(t, args)
	c.check(t, others)
}
