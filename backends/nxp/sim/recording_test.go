package sim_test

import (
	"bytes"
	"context"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/ptero-rt/ptero/backends/nxp"
	"github.com/ptero-rt/ptero/backends/nxp/sim"
)

// hardware stands for an NPU whose microcode nobody has decoded.
type hardware struct{ sim.NPU }

func (*hardware) Check(nxp.Model) (uint64, error)         { return 0, nil }
func (*hardware) Prepare(nxp.Model) (nxp.Prepared, error) { return hardwareModel{}, nil }

type hardwareModel struct{}

func (hardwareModel) Run(_ context.Context, job *nxp.Job) error {
	for i, b := range job.Inputs[0].Bytes {
		job.Outputs[0].Bytes[i] = ^b
		job.Inputs[0].Bytes[i] = 0 // the NPU may use its inputs up
	}
	return nil
}
func (hardwareModel) Close() error { return nil }

func TestPlayback(t *testing.T) {
	model := nxp.Model{Microcode: []byte("a microcode of nobody knows"), Weights: []byte{1, 2}}
	mkJob := func(in ...byte) *nxp.Job {
		return &nxp.Job{Inputs: []nxp.Region{{Bytes: in}}, Outputs: []nxp.Region{{Bytes: make([]byte, len(in))}}}
	}
	var file bytes.Buffer
	p, err := sim.NewRecorder(&hardware{}, &file).Prepare(model)
	require.NoError(t, err)
	require.NoError(t, p.Run(context.Background(), mkJob(1, 2, 3)))
	require.NoError(t, p.Run(context.Background(), mkJob(4, 5, 6)))

	npu, err := sim.NewPlayback(bytes.NewReader(file.Bytes()))
	require.NoError(t, err)
	_, err = npu.Check(model)
	require.NoError(t, err)
	p, err = npu.Prepare(model)
	require.NoError(t, err)
	job := mkJob(4, 5, 6)
	require.NoError(t, p.Run(context.Background(), job))
	require.Equal(t, []byte{^byte(4), ^byte(5), ^byte(6)}, job.Outputs[0].Bytes)
	ctx := context.Background()
	require.Zero(t, testing.AllocsPerRun(10, func() { require.NoError(t, p.Run(ctx, job)) }))

	require.ErrorIs(t, p.Run(ctx, mkJob(4, 5, 7)), sim.ErrNotRecorded)
	other := model
	other.Weights = []byte{1, 3}
	_, err = npu.Check(other)
	require.ErrorIs(t, err, sim.ErrNotRecorded)
	_, err = npu.Prepare(other)
	require.ErrorIs(t, err, sim.ErrNotRecorded)
	job.Outputs[0].Bytes = make([]byte, 2)
	require.ErrorContains(t, p.Run(ctx, job), "want 2 B, found 3 B")

	require.ErrorContains(t, npu.Close(), "1 open")
	require.NoError(t, p.Close())
	require.NoError(t, npu.Close())

	_, err = sim.NewPlayback(strings.NewReader("{\"model\": \"00\"}\n"))
	require.ErrorContains(t, err, "recording line 1")
}
