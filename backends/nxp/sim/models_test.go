package sim_test

import (
	"bytes"
	"context"
	"encoding/binary"
	"os"
	"path/filepath"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/ptero-rt/ptero/backends/nxp"
	"github.com/ptero-rt/ptero/fixtures"
)

// published finds microcode and weights in a converted TFLite model, whose buffers stand after their length.
func published(t *testing.T, file string) *nxp.Payload {
	b, err := os.ReadFile(filepath.Join(fixtures.Shared(t, "models", "neutron"), file))
	require.NoError(t, err)
	at := bytes.Index(b, []byte("nMCd"))
	require.GreaterOrEqual(t, at, 0)
	m, err := nxp.ParseMicrocode(b[at:])
	require.NoError(t, err)
	length := binary.LittleEndian.AppendUint32(nil, m.WeightBytes)
	for from := 0; ; {
		i := bytes.Index(b[from:], length)
		require.GreaterOrEqual(t, i, 0, "weights")
		from += i + 4
		inMicrocode := from > at && from < at+len(m.Bytes)
		if end := from + int(m.WeightBytes); !inMicrocode && end <= len(b) {
			p := &nxp.Payload{Microcode: *m, Weights: b[from:end], Inputs: make([]nxp.Port, 1)}
			return p
		}
	}
}

// TestOtherConverters runs the same networks as other converter builds made them: layouts, opcodes and offsets differ, results
// do not.
func TestOtherConverters(t *testing.T) {
	for _, c := range []struct{ file, like string }{
		{"mobilenet_v1_0.25_128_quant_int8_npu.rt700.6f710a6d.tflite", "mobilenet_n3"},
		{"mobilenet_v1_0.25_128_quant_int8_npu.mcxn.6f710a6d.tflite", "mobilenet_n1"},
		{"mobilenet_v1_0.25_128_quant_int8_npu.rt700.tflite", "mobilenet_n3"},
		{"cifarnet_quant_int8_npu.rt700.6f710a6d.tflite", "cifarnet_n3"},
		{"ds_cnn_s_npu.rt700.6f710a6d.tflite", "ds_cnn_n3"},
	} {
		t.Run(c.file, func(t *testing.T) {
			p := published(t, c.file)
			m := prepare(t, p)
			in, want := array(t, c.like+".in.npy"), array(t, c.like+".out.npy")
			n, size := len(in.Data)/in.Shape[0], len(want.Data)/want.Shape[0]
			for i := range in.Shape[0] {
				j := job(p)
				j.Inputs[0].Bytes = channelsLast(in.Data[i*n:][:n], in.Shape)
				require.NoError(t, m.Run(context.Background(), j))
				require.Equal(t, want.Data[i*size:][:size], j.Outputs[0].Bytes, "row %d", i)
			}
		})
	}
}
