package nxp_test

import (
	"fmt"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/ptero-rt/ptero/backends/nxp"
	"github.com/ptero-rt/ptero/executor"
	"github.com/ptero-rt/ptero/hal"
	"github.com/ptero-rt/ptero/internal/ptebuild"
	"github.com/ptero-rt/ptero/pte"
)

// TestScratchRoles tries every combination of roles that take bytes, in every form a call may have them.
func TestScratchRoles(t *testing.T) {
	names := []string{"scratch", "profile", "debug", "sram_scratch"}
	for mask := range 16 {
		sizes := [4]uint32{}
		var roles []int
		for r := range 4 {
			if mask>>r&1 == 1 {
				sizes[r] = uint32(100*r + 33)
				roles = append(roles, r)
			}
		}
		b := blank{version: 1, in: []uint32{4}, out: []uint32{4}, scratch: sizes[0], profile: sizes[1], debug: sizes[2], sram: sizes[3]}.encode()
		check := func(t *testing.T, npu *stubNPU) {
			for r, region := range []nxp.Region{npu.job.Scratch, npu.job.Profile, npu.job.Debug, npu.job.SRAMScratch} {
				require.Len(t, region.Bytes, int(sizes[r]), names[r])
			}
		}
		name := fmt.Sprintf("%04b", mask)
		t.Run(name+" temp", func(t *testing.T) {
			npu := &stubNPU{}
			d := delegate(t, npu, b)
			args := values(executor.NewTensor(pte.Char, []int{4}, nil), executor.NewTensor(pte.Char, []int{4}, nil))
			needs, err := d.Prepare(args)
			require.NoError(t, err)
			require.Len(t, needs, len(roles))
			for i, r := range roles {
				require.Equal(t, names[r], needs[i].Role)
				require.EqualValues(t, sizes[r], needs[i].Bytes)
				require.Equal(t, nxp.Device, needs[i].Device)
				if names[r] == "sram_scratch" {
					require.Equal(t, hal.SRAM, needs[i].Class)
				}
			}
			execute(t, d, args)
			check(t, npu)
		})
		if len(roles) == 0 {
			continue
		}
		t.Run(name+" planned", func(t *testing.T) {
			npu := &stubNPU{}
			d := delegate(t, npu, b)
			tensors := []*executor.Tensor{executor.NewTensor(pte.Char, []int{4}, nil), executor.NewTensor(pte.Char, []int{4}, nil)}
			form := d.Arity().Forms[1]
			require.Len(t, form, len(roles))
			for i, r := range roles {
				require.Equal(t, names[r], form[i].Role)
				tensors = append(tensors, bytesTensor(int(sizes[r])))
			}
			args := values(tensors...)
			needs, err := d.Prepare(args)
			require.NoError(t, err)
			require.Empty(t, needs)
			execute(t, d, args)
			check(t, npu)
			for i, r := range roles {
				region := []nxp.Region{npu.job.Scratch, npu.job.Profile, npu.job.Debug, npu.job.SRAMScratch}[r]
				require.Same(t, &tensors[2+i].Data[0], &region.Bytes[0])
			}
		})
		t.Run(name+" scratch_roles", func(t *testing.T) {
			var list []string
			for i := range roles { // the other way round
				list = append(list, names[roles[len(roles)-1-i]])
			}
			npu := &stubNPU{}
			d := delegate(t, npu, b, executor.CompileSpec{Key: "scratch_roles", Value: []byte(strings.Join(list, ","))})
			tensors := []*executor.Tensor{executor.NewTensor(pte.Char, []int{4}, nil), executor.NewTensor(pte.Char, []int{4}, nil)}
			for i := range roles {
				tensors = append(tensors, bytesTensor(int(sizes[roles[len(roles)-1-i]])))
			}
			execute(t, d, values(tensors...))
			check(t, npu)
		})
		if len(roles) == 1 {
			continue
		}
		t.Run(name+" combined", func(t *testing.T) {
			npu := &stubNPU{}
			d := delegate(t, npu, b)
			forms := d.Arity().Forms
			block := forms[len(forms)-1]
			require.Len(t, block, 1)
			var sum uint64
			for _, size := range sizes {
				sum += uint64(size+15) &^ 15
			}
			require.Equal(t, sum, block[0].Size)
			execute(t, d, values(executor.NewTensor(pte.Char, []int{4}, nil), executor.NewTensor(pte.Char, []int{4}, nil), bytesTensor(int(sum))))
			check(t, npu)
		})
	}
}

// scratchProgram is a program with one call whose trailing scratch has the given sizes.
func scratchProgram(t testing.TB, b blank, specs []pte.CompileSpec, sizes ...int32) *pte.Program {
	built := ptebuild.New()
	m := built.Method("forward")
	x := m.Input(pte.Char, int32(b.in[0]))
	y := m.Tensor(pte.Char, int32(b.out[0]))
	args := []ptebuild.Value{x, y}
	for _, n := range sizes {
		args = append(args, m.Scratch(n, 1))
	}
	m.Delegate(m.Backend(nxp.BackendID, b.encode(), specs...), args...)
	m.Output(y)
	return built.Parse(t)
}

func TestScratchArgumentsAreCheckedAtLink(t *testing.T) {
	b := blank{version: 1, in: []uint32{4}, out: []uint32{4}, scratch: 4096, debug: 64}
	link := func(specs []pte.CompileSpec, sizes ...int32) error {
		l, err := executor.Link(scratchProgram(t, b, specs, sizes...), "", executor.Config{Backends: []executor.Backend{nxp.NewBackend(&stubNPU{}, 0)}})
		if err == nil {
			require.NoError(t, l.Close())
		}
		return err
	}
	swapped := []pte.CompileSpec{{Key: "scratch_roles", Value: []byte("debug, scratch")}}
	require.NoError(t, link(nil))
	require.NoError(t, link(nil, 4096, 64))
	require.NoError(t, link(nil, 4096+64))
	require.NoError(t, link(swapped, 64, 4096))
	require.ErrorContains(t, link(nil, 64, 4096), "scratch of ≥ 4096 B, found 64 B")
	require.ErrorContains(t, link(swapped, 4096, 64), "scratch of ≥ 4096 B, found 64 B")
	require.ErrorContains(t, link(nil, 4096), "combined of ≥ 4160 B, found 4096 B")
	require.ErrorContains(t, link(nil, 4096, 64, 16), "arg_count")
	require.ErrorContains(t, link([]pte.CompileSpec{{Key: "scratch_roles", Value: []byte("scratch,heap")}}), `"heap"`)
	require.ErrorContains(t, link([]pte.CompileSpec{{Key: "scratch_roles", Value: []byte("debug,debug")}}), "again")
}
