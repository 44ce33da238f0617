package site_test

import (
	"errors"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/ptero-rt/ptero/backends/cpu/arg"
	"github.com/ptero-rt/ptero/backends/cpu/site"
	"github.com/ptero-rt/ptero/executor"
	"github.com/ptero-rt/ptero/memory"
	"github.com/ptero-rt/ptero/pte"
)

var countSig = arg.Sign("test::count", "self n")

// counting refuses a number of 0 and counts its plans and runs.
type counting struct{ plans, runs, n int }

func (c *counting) Plan(args []*executor.Value) (err error) {
	c.plans++
	c.n, err = countSig.IntIn(args, 1, 1, 9)
	return err
}

func (c *counting) Run(*executor.Scope) error { c.runs++; return nil }

// planning needs what its plan says, and bounding what no plan exceeds.
type (
	planning struct{ counting }
	bounding struct{ planning }
)

func (c *planning) Needs() []memory.Need { return site.Temp("plan", c.n) }

func (c *bounding) BoundNeeds([]*executor.Value) []memory.Need { return site.Temp("bound", 9) }

// TestWhenCallsArePlanned: what the file decides is planned and refused in Prepare, everything else when it is known.
func TestWhenCallsArePlanned(t *testing.T) {
	tensor := func(d pte.Dynamism) *executor.Value {
		x := executor.NewTensor(pte.Float, []int{2}, nil)
		x.Dynamism = d
		return executor.NewTensorValue(x)
	}
	open := func(x int64) *executor.Value {
		v := new(executor.Value)
		v.SetInt(x)
		return v
	}
	static, dynamic := tensor(0), tensor(pte.DynamicBound)
	plain, planned, bounded := new(counting), new(planning), new(bounding)
	for _, c := range []struct {
		name    string
		work    site.Work
		count   *counting
		tensor  *executor.Value
		number  *executor.Value
		refused bool   // in Prepare
		role    string // of what it needs
		plans   int    // in Prepare
	}{
		{"fixed", plain, plain, static, executor.NewInt(3), false, "", 1},
		{"fixed, wrong", plain, plain, static, executor.NewInt(0), true, "", 1},
		{"fixed, needy", planned, &planned.counting, static, executor.NewInt(3), false, "plan", 1},
		{"fixed, bounded", bounded, &bounded.counting, static, executor.NewInt(3), false, "plan", 1},
		{"shape", plain, plain, dynamic, executor.NewInt(0), false, "", 0},
		{"shape, needy", planned, &planned.counting, dynamic, executor.NewInt(3), false, "plan", 1},
		{"shape, needy, wrong", planned, &planned.counting, dynamic, executor.NewInt(0), true, "", 1},
		{"shape, bounded", bounded, &bounded.counting, dynamic, executor.NewInt(0), false, "bound", 0},
		{"number", plain, plain, static, open(0), false, "", 0},
		{"number, needy", planned, &planned.counting, static, open(3), false, "plan", 1},
		{"number, needy, not there yet", planned, &planned.counting, static, open(0), false, "", 1},
		{"number, bounded", bounded, &bounded.counting, static, open(0), false, "bound", 0},
	} {
		t.Run(c.name, func(t *testing.T) {
			*c.count = counting{}
			op := site.Planned(countSig, func() site.Work { return c.work })
			args := []*executor.Value{c.tensor, c.number}
			state, needs, err := op.Prepare(args)
			require.Equal(t, c.plans, c.count.plans)
			if c.refused {
				require.EqualError(t, err, "test::count(n): want 1…9, found 0")
				return
			}
			require.NoError(t, err)
			if c.role == "" {
				require.Empty(t, needs)
			} else {
				require.Equal(t, c.role, needs[0].Role)
			}
			if c.number.Int() == 0 {
				require.Error(t, op.Run(nil, state, args))
				require.Zero(t, c.count.runs)
				if c.number.Fixed() {
					return
				}
				c.number.SetInt(3)
			}
			require.NoError(t, op.Run(nil, state, args))
			plans := c.count.plans
			require.NoError(t, op.Run(nil, state, args))
			require.Equal(t, []int{plans, 2, 3}, []int{c.count.plans, c.count.runs, c.count.n}, "the plan holds")
		})
	}
}

// TestOlderSchemas: a call site of an older schema has its output one place earlier.
func TestOlderSchemas(t *testing.T) {
	refuse := func(text string) executor.Op {
		return executor.Op{Prepare: func([]*executor.Value) (any, []memory.Need, error) { return nil, nil, errors.New(text) }}
	}
	op := site.Grown(refuse("now"), refuse("old"), 1)
	x := executor.NewTensorValue(executor.NewTensor(pte.Float, []int{2}, nil))
	for want, args := range map[string][]*executor.Value{"old": {x, x}, "now": {x, executor.NewInt(1), x}} {
		_, _, err := op.Prepare(args)
		require.EqualError(t, err, want)
	}
}
