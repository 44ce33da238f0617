package site_test

import (
	"math"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/ptero-rt/ptero/backends/cpu/arg"
	"github.com/ptero-rt/ptero/backends/cpu/site"
	"github.com/ptero-rt/ptero/executor"
	"github.com/ptero-rt/ptero/pte"
)

// TestPlansFollowTheCall changes one thing after another that a plan may depend on.
func TestPlansFollowTheCall(t *testing.T) {
	bounded := func(sizes ...int) *executor.Tensor {
		x := executor.NewTensor(pte.Float, sizes, nil)
		x.Dynamism = pte.DynamicBound
		return x
	}
	x, y, number := bounded(2, 3), bounded(6), new(executor.Value)
	sizes := executor.NewInts(1, 2)
	args := []*executor.Value{executor.NewTensorValue(x), number, executor.NewTensors(y, x), sizes}
	sig := arg.Sign("test::op", "self n list sizes")
	var s site.Seen
	number.SetInt(1)
	require.False(t, s.Settle(sig, args))
	require.False(t, s.Holds(args), "nothing seen yet")
	plan := func() {
		t.Helper()
		require.False(t, s.Holds(args))
		s.Remember(args)
		require.True(t, s.Holds(args))
		require.Zero(t, testing.AllocsPerRun(10, func() { s.Forget(); s.Remember(args); s.Holds(args) }))
	}
	plan()
	for _, c := range []struct {
		name   string
		change func()
	}{
		{"size", func() { x.Sizes[1]++ }},
		{"size in a list", func() { y.Sizes[0]-- }},
		{"number", func() { number.SetInt(number.Int() + 1) }},
		{"kind", func() { number.SetDouble(1) }},
		{"sign of zero", func() { number.SetDouble(math.Copysign(0, -1)) }},
		{"other bool", func() { number.SetBool(true) }},
		{"other tensor", func() { args[0] = executor.NewTensorValue(bounded(2, 3)) }},
		{"other list", func() { args[2] = executor.NewTensors(y, bounded(2, 3)) }},
		{"shorter list", func() { args[2] = executor.NewTensors(y) }},
	} {
		t.Run(c.name, func(t *testing.T) {
			c.change()
			plan()
		})
	}
	s.Forget()
	plan()
	*number = *executor.NewDoubles(1, 2) // as a move leaves it
	s.Remember(args)
	require.False(t, s.Holds(args), "lists of doubles are not compared")
}

// TestStaticCallsAreNotReadAgain: what the file decides is not compared, but which tensors are in the slots is.
func TestStaticCallsAreNotReadAgain(t *testing.T) {
	x, y := executor.NewTensor(pte.Float, []int{2}, nil), executor.NewTensor(pte.Float, []int{2}, nil)
	args := []*executor.Value{executor.NewTensorValue(x), executor.NewInt(3)}
	var s site.Seen
	require.True(t, s.Settle(arg.Sign("test::op", "self n"), args))
	s.Remember(args)
	require.True(t, s.Holds(args))
	args[0] = executor.NewTensorValue(y)
	require.False(t, s.Holds(args))
}
