package nxp_test

import (
	"encoding/json"
	"flag"
	"os"
	"path/filepath"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/ptero-rt/ptero/backends/nxp"
)

var rewrite = flag.Bool("rewrite", false, "write the golden files anew")

// TestDisassemble compares what people read with golden files, one for each container.
func TestDisassemble(t *testing.T) {
	for _, name := range []string{"cifarnet_n1", "cifarnet_et_1b86b19d", "cifarnet_et_447b3538"} {
		d, err := nxp.Describe(blob(t, name+".pte"))
		require.NoError(t, err)
		golden := filepath.Join("testdata", name+".txt")
		if *rewrite {
			require.NoError(t, os.MkdirAll("testdata", 0o777))
			require.NoError(t, os.WriteFile(golden, []byte(d.Disassemble()), 0o666))
		}
		want, err := os.ReadFile(golden)
		require.NoError(t, err)
		require.Equal(t, string(want), d.Disassemble())
	}
}

func TestDescribeForScripts(t *testing.T) {
	d, err := nxp.Describe(blob(t, "mobilenet_n3.pte"))
	require.NoError(t, err)
	b, err := json.Marshal(d)
	require.NoError(t, err)
	var doc struct {
		Revision, Target string
		ScratchBytes     int `json:"scratch_bytes"`
		Inputs           []struct{ Bytes, Argument int }
		Records          []struct {
			Kind     string
			Operands []struct{ Role, Space string }
		}
	}
	require.NoError(t, json.Unmarshal(b, &doc))
	require.Equal(t, "917b2c91", doc.Revision)
	require.Equal(t, "neutron-n3", doc.Target)
	require.Equal(t, 98304, doc.ScratchBytes)
	require.Equal(t, 49152, doc.Inputs[0].Bytes)
	require.Len(t, doc.Records, 30)
	require.Equal(t, "input", doc.Records[0].Operands[1].Space)
	require.Less(t, len(b), 30_000, "no bytes of the payload")
}

// TestDescribeDamaged shows what can be read of a microcode with an unknown record.
func TestDescribeDamaged(t *testing.T) {
	b := append([]byte{}, blob(t, "cifarnet_et_447b3538.pte")...)
	b[16+0x50+0xC] = 7
	d, err := nxp.Describe(b)
	require.NoError(t, err)
	require.ErrorIs(t, d.Problem, nxp.ErrUnsupported)
	require.Contains(t, d.Disassemble(), "not read further: ")
}
