//go:build cgo && ethosu_core

package core_test

import (
	"context"
	"testing"
	"time"

	"github.com/stretchr/testify/require"

	"github.com/ptero-rt/ptero"
	"github.com/ptero-rt/ptero/backends/ethosu"
	"github.com/ptero-rt/ptero/backends/ethosu/core"
	_ "github.com/ptero-rt/ptero/backends/ethosu/simc" // is the driver of this program
	"github.com/ptero-rt/ptero/executor"
	"github.com/ptero-rt/ptero/fixtures/ethosu/corpus"
)

// Programs of the corpus go from Go through the core driver's C interface to the simulator behind it, and back with the
// recorded bytes.
func TestPrograms(t *testing.T) {
	c := corpus.Committed(t)
	npu, err := core.Open()
	require.NoError(t, err)
	backend := ethosu.NewBackend(npu, ethosu.Options{})
	ran := 0
	for i, p := range c.Programs {
		if i%7 != 0 || len(p.External) > 0 || len(p.KnownDefect) > 0 {
			continue
		}
		m, err := ptero.Open(c.Path(p.File), ptero.Backends(backend))
		require.NoError(t, err, p.Name)
		f, err := m.Load("")
		require.NoError(t, err, p.Name)
		io := c.IOBytes(t, p)
		for _, v := range c.IO[p.IO] {
			for i, x := range v.Inputs {
				own := f.Input(i).Tensor()
				require.NoError(t, f.SetInputTensor(i, executor.NewTensorOrder(own.DType, own.Sizes, own.DimOrder, append([]byte{}, x.Of(io)...))))
			}
			require.NoError(t, f.Run(context.Background()), p.Name)
			for i, x := range v.Outputs {
				require.Equal(t, x.Of(io), f.Output(i).Tensor().Data, p.Name)
			}
		}
		require.NoError(t, f.Close())
		require.NoError(t, m.Close())
		ran++
	}
	require.Greater(t, ran, 40)
	hw, err := npu.Hardware()
	require.NoError(t, err)
	require.NotZero(t, hw.MACs)
}

// A job whose time is up stays with its driver until the NPU was reset; the one after it runs.
func TestTimeout(t *testing.T) {
	c := corpus.Committed(t)
	npu, err := core.Open()
	require.NoError(t, err)
	for _, p := range c.Programs {
		if p.Name != "net_mobilenetv2_035_96.u55-128.ss" {
			continue
		}
		blob, err := ethosu.Parse(append([]byte{}, c.Blobs(t, p)[0]...), nil)
		require.NoError(t, err)
		l, err := npu.Load(ethosu.Network{Commands: blob.Commands, Weights: ethosu.Region{Bytes: blob.Weights}})
		require.NoError(t, err)
		job := &ethosu.Job{Timeout: time.Nanosecond}
		job.Regions[ethosu.RegionWeights].Bytes, job.Regions[ethosu.RegionScratch].Bytes = blob.Weights, make([]byte, blob.ScratchBytes)
		ctx := context.Background()
		require.NoError(t, l.Submit(job))
		_, err = l.Wait(ctx)
		require.ErrorIs(t, err, ethosu.ErrTimeout)
		require.NoError(t, npu.Reset(ctx))
		job.Timeout = 0
		require.NoError(t, l.Submit(job))
		counted, err := l.Wait(ctx)
		require.NoError(t, err)
		require.NotZero(t, counted.Cycles)
		job.Regions[ethosu.RegionScratch].Bytes = job.Regions[ethosu.RegionScratch].Bytes[:64]
		require.ErrorContains(t, l.Submit(job), "refused with status -1")
		require.NoError(t, l.Close())
	}
	require.NoError(t, npu.Close())
}
