//go:build cgo && neutron_static

package driver_test

import (
	"context"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/ptero-rt/ptero/backends/nxp"
	"github.com/ptero-rt/ptero/backends/nxp/driver"
	_ "github.com/ptero-rt/ptero/backends/nxp/simc" // is the driver of this program
	"github.com/ptero-rt/ptero/fixtures"
	"github.com/ptero-rt/ptero/internal/npy"
)

// TestLinked runs the corpus through Go, cgo, the driver's C interface and the simulator behind it.
func TestLinked(t *testing.T) {
	lib, err := driver.Linked()
	require.NoError(t, err)
	npu, err := driver.NewNPU(lib)
	require.NoError(t, err)
	for _, name := range []string{"ds_cnn_n3", "ds_cnn_n1"} {
		m, err := npu.Prepare(model(payloadOf(t, name), 0))
		require.NoError(t, err)
		in, err := npy.Decode(fixtures.Read(t, "neutron", name+".in.npy"))
		require.NoError(t, err)
		want, err := npy.Decode(fixtures.Read(t, "neutron", name+".out.npy"))
		require.NoError(t, err)
		j := job()
		for i := range in.Shape[0] {
			copy(j.Inputs[0].Bytes, in.Data[490*i:])
			require.NoError(t, m.Run(context.Background(), j))
			require.Equal(t, want.Data[12*i:][:12], j.Outputs[0].Bytes)
		}
		ctx := context.Background()
		require.Zero(t, testing.AllocsPerRun(10, func() { require.NoError(t, m.Run(ctx, j)) }))
		require.NoError(t, m.Close())
	}
	require.NoError(t, npu.Resume())
	require.NoError(t, npu.Suspend())

	_, err = npu.Prepare(nxp.Model{Microcode: make([]byte, 64), Weights: make([]byte, 16)})
	require.ErrorContains(t, err, "category 2")
	require.NoError(t, npu.Close())
}

// fetched counts what the simulator copies to SRAM.
type fetched struct{ bytes, waits int }

func (f *fetched) Copy(dst, src []byte, _ uint32) { f.bytes += copy(dst, src) }
func (f *fetched) Wait(uint32)                    { f.waits++ }

func TestLinkedFetch(t *testing.T) {
	lib, err := driver.Linked()
	require.NoError(t, err)
	npu, err := driver.NewNPU(lib)
	require.NoError(t, err)
	var f fetched
	require.NoError(t, npu.SetFetch(&f))
	p := payload(t)
	microcode := append([]byte{}, p.Microcode.Bytes...)
	microcode[4*10], microcode[4*10+1] = 0, 16 // SRAM scratch of 4096 B
	mod := model(p, 0)
	mod.Microcode = microcode
	m, err := npu.Prepare(mod)
	require.NoError(t, err)
	j := job()
	j.SRAMScratch.Bytes = make([]byte, 4096)
	require.NoError(t, m.Run(context.Background(), j))
	require.Equal(t, len(p.Weights), f.bytes)
	require.Equal(t, (len(p.Weights)+4095)/4096, f.waits)
	require.NoError(t, m.Close())
	require.NoError(t, npu.Close())
}
