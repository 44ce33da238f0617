package plan_test

import (
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/ptero-rt/ptero/fixtures"
	"github.com/ptero-rt/ptero/memory/pack"
	"github.com/ptero-rt/ptero/plan"
	"github.com/ptero-rt/ptero/pte"
)

func ethosProgram(t *testing.T, name string) *pte.Program {
	p, err := pte.Parse(fixtures.Read(t, "ethosu", "ops", name))
	require.NoError(t, err)
	return p
}

func TestPins(t *testing.T) {
	p := ethosProgram(t, "two_delegates_skip.u55-32.ss.pte")
	r := makePlan(t, p, "corstone-300", nil, plan.Options{Objective: pack.Height, Pins: []plan.Pin{{Scratch: true, Pool: "SRAM"}, {MemID: 1, Pool: "DDR"}}})
	q := again(t, r.Program)
	planned := 0
	for _, in := range q.Plans[0].Chains[0].Instructions {
		if in.Op != pte.CallDelegate {
			continue
		}
		last := q.Plans[0].Values[in.Args[len(in.Args)-1]].Tensor
		require.Equal(t, uint32(3), last.Alloc.MemID)
		require.Equal(t, uint32(1), q.Plans[0].Values[in.Args[0]].Tensor.Alloc.MemID)
		planned++
	}
	require.Equal(t, 2, planned)
	want, _ := outputs(t, p, "forward", "host", nil)
	got, _ := outputs(t, q, "forward", "corstone-300", nil)
	require.Equal(t, want, got)

	// A pool that no mem_id of the board stands for gets one, and the user hears of it.
	r = makePlan(t, p, "corstone-300", nil, plan.Options{Objective: pack.Height, Pins: []plan.Pin{{MemID: 1, Pool: "DTCM"}}})
	require.Len(t, r.Notes, 1)
	require.Contains(t, r.Notes[0], "DTCM")
}

func TestImpossiblePins(t *testing.T) {
	p := ethosProgram(t, "two_delegates_skip.u55-32.ss.pte")
	for _, o := range []plan.Options{
		{Pins: []plan.Pin{{Scratch: true, Pool: "DTCM"}}}, // the NPU does not see it
		{Pins: []plan.Pin{{Scratch: true, Pool: "MOON"}}},
	} {
		m := open(t, p, "corstone-300")
		_, err := m.Plan(o)
		require.Error(t, err)
	}
}

func TestTrafficPrefersNearPools(t *testing.T) {
	p := ethosProgram(t, "two_delegates_skip.u55-32.ss.pte")
	r := makePlan(t, p, "corstone-300", nil, plan.Options{Objective: pack.Traffic})
	for _, pool := range r.Report.Pools {
		if pool.Name == "DDR" {
			require.Zero(t, pool.After)
			require.Zero(t, pool.TrafficAfter)
		}
	}
}

// An unknown field must not be lost, so there is no new file.
func TestUnknownFields(t *testing.T) {
	p := ethosProgram(t, "two_delegates_skip.u55-32.ss.pte").Clone()
	p.Unknown = []string{"execution_plan[0].scratch"}
	_, err := open(t, p, "host").Plan(plan.Options{})
	require.ErrorContains(t, err, "execution_plan[0].scratch")
}
