package main

import (
	"bytes"
	"encoding/json"
	"os"
	"path/filepath"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/ptero-rt/ptero/fixtures"
	"github.com/ptero-rt/ptero/fixtures/ethosu/corpus"
)

// cli runs a command line and gives its exit status and what it printed.
func cli(args ...string) (status int, out, errs string) {
	var o, e bytes.Buffer
	c := &console{out: &o, err: &e}
	root := newRoot(c)
	root.SetArgs(args)
	root.SetOut(&o)
	root.SetErr(&e)
	status = c.finish(root.Execute())
	return status, o.String(), e.String()
}

func lintOf(t *testing.T, file string, wantStatus int) lintJSON {
	status, out, errs := cli("lint", "--json", file)
	require.Equal(t, wantStatus, status, errs)
	var j lintJSON
	require.NoError(t, json.Unmarshal([]byte(out), &j), out)
	return j
}

func TestLint(t *testing.T) {
	taken := lintOf(t, fixtures.Path("ethosu", "nets", "net_dscnn_kws.u65-512.ds384.pte"), exitDone)
	require.True(t, taken.Accepted)
	require.Equal(t, "ethos-u65-512", taken.Blobs[0].Accelerator)
	require.Equal(t, []uint64{31040, 490, 22240, 0, 0, 0, 0, 0}, taken.Blobs[0].Kernel.RegionBytes)

	branch := lintOf(t, fixtures.Path("ethosu", "ops", "while_tanh.u85-2048.ds256.pte"), exitFailed)
	require.False(t, branch.Accepted)
	require.Equal(t, "a branch", branch.Blobs[0].Kernel.Reason)

	u55 := lintOf(t, fixtures.Path("ethosu", "nets", "net_dscnn_kws.u55-128.ss.pte"), exitDone)
	require.Nil(t, u55.Blobs[0].Kernel)

	neutron := lintOf(t, fixtures.Path("neutron", "ds_cnn_n3.pte"), exitDone)
	require.Equal(t, "neutron", neutron.Blobs[0].Kind)

	status, out, _ := cli("lint", "--sram", "0", fixtures.Path("ethosu", "nets", "net_dscnn_kws.u65-512.ds384.pte"))
	require.Equal(t, exitFailed, status)
	require.Contains(t, out, "region 2, which the job does not have")
}

// Blobs outside of programs, and blocks outside of blobs.
func TestDisassembleBlobs(t *testing.T) {
	c := corpus.Committed(t)
	dir := t.TempDir()
	for _, p := range c.Programs {
		if p.Name != "abs.u85-1024.so" {
			continue
		}
		bare := filepath.Join(dir, "abs.vela")
		require.NoError(t, os.WriteFile(bare, c.Blobs(t, p)[0], 0o600))
		status, out, _ := cli("disasm", bare)
		require.Equal(t, exitDone, status)
		require.Contains(t, out, "NPU_OP_ELEMENTWISE mode=ABS")
		_, inside, _ := cli("disasm", fixtures.Path("ethosu", p.File))
		require.Contains(t, inside, out[len("vela_bin_stream"):bytes.IndexByte([]byte(out), '\n')])
		require.True(t, lintOf(t, bare, exitDone).Accepted)
		status, out, _ = cli("inspect", bare)
		require.Equal(t, exitDone, status)
		require.Contains(t, out, "input 0: [1 1 1 3 6 6] of 1 B, region 1 at 0")
	}

	words := filepath.Join(dir, "dma.words")
	require.NoError(t, os.WriteFile(words, []byte{0x30, 1, 0, 0, 0x31, 1, 1, 0, 0x30, 0x40, 0, 0, 0, 0, 0, 0, 0x31, 0x40, 0, 0, 0, 0, 0, 0, 0x10, 0, 0, 0, 0, 0, 0xff, 0xff}, 0o600))
	status, out, _ := cli("lint", "--npu", "ethos-u65-256", words)
	require.Equal(t, exitFailed, status)
	require.Contains(t, out, "DMA reads NPU_SET_DMA0_LEN, which nothing set")
	status, _, _ = cli("lint", "--npu", "ethos-u66", words)
	require.Equal(t, exitUsage, status)

	external := fixtures.Path("ethosu", "ops", "external_both.u85-1024.so")
	status, _, errs := cli("disasm", external+".pte")
	require.Equal(t, exitFile, status)
	require.Contains(t, errs, "named data")
	status, out, _ = cli("disasm", external+".pte", "--data", external+".itcm.ptd", "--data", external+".flash.ptd", "--json")
	require.Equal(t, exitDone, status)
	var j disasmJSON
	require.NoError(t, json.Unmarshal([]byte(out), &j))
	require.Equal(t, "NPU_OP_STOP", j.Blobs[0].Commands[len(j.Blobs[0].Commands)-1].Name)

	status, _, errs = cli("disasm", fixtures.Path("models", "kws_labels.txt"))
	require.Equal(t, exitFile, status)
	require.Contains(t, errs, "Vela stream or Neutron payload")
}
