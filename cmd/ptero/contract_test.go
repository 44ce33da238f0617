package main

import (
	"encoding/json"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/ptero-rt/ptero/internal/npy"
)

// exits is what a script may rely on: the exit status of each kind of command line.
var exits = []struct {
	status int
	line   string
}{
	{exitDone, ""},
	{exitDone, "--help"},
	{exitDone, "version"},
	{exitDone, "boards"},
	{exitDone, "run fixtures/models/kws_cortex_m.pte --fill ones"},
	{exitDone, "verify fixtures/models/bundled_program.bpte"},
	{exitFailed, "verify fixtures/cpu/models/multi_method/shared_mutable_buffer.bpte --rtol 0 --atol 0"},
	{exitFailed, "run fixtures/models/kws_cortex_m.pte --fill ones -o text.pte"},
	{exitUsage, "nosuch"},
	{exitUsage, "inspect"},
	{exitUsage, "run fixtures/models/kws_cortex_m.pte"},
	{exitUsage, "run fixtures/models/kws_cortex_m.pte --fill ones --board nosuch"},
	{exitUsage, "run fixtures/models/kws_cortex_m.pte --fill ones --board board.json"},
	{exitUsage, "verify fixtures/models/bundled_program.bpte --rtol x"},
	{exitUsage, "bench fixtures/models/kws_cortex_m.pte -i nofile.npy"},
	{exitFile, "inspect nofile.pte"},
	{exitFile, "inspect folder.pte"},
	{exitFile, "inspect empty.pte"},
	{exitFile, "ops cut.pte"},
	{exitFile, "fit cut.pte"},
	{exitFile, "run cut.pte --fill ones"},
	{exitFile, "verify cut.pte"},
	{exitFile, "verify fixtures/models/kws_cortex_m.pte"},
	{exitFile, "bench text.pte"},
	{exitFile, "disasm text.pte"},
	{exitFile, "lint text.pte"},
	{exitFile, "plan cut.pte -o out.pte"},
	{exitFile, "run fixtures/cpu/models/external_weights/all_constants.bpte --fill ones"},
	{exitFit, "fit fixtures/models/kws_cortex_m.pte --board small.json"},
	{exitFit, "run fixtures/models/kws_cortex_m.pte --fill ones --board small.json"},
	{exitFit, "bench fixtures/models/kws_cortex_m.pte --board small.json"},
	{exitMissing, "ops cuda.pte"},
	{exitMissing, "run cuda.pte --fill ones"},
	{exitMissing, "bench cuda.pte"},
	{exitMissing, "verify cuda.bpte"},
	{exitMissing, "verify fixtures/models/bundled_program.bpte cuda.bpte"},
}

// smallBoard is a profile with too little memory for anything.
const smallBoard = `{
 "name": "small", "about": "8 KiB", "cpu": {"core": "none"}, "source": "made for this test",
 "regions": [{"name": "SRAM", "class": "sram", "base": "0x20000000", "size": "8K", "cpu": {"cacheable": false}, "source": "made for this test"}],
 "devices": [],
 "arenas": {"1": "SRAM"}, "temp": "SRAM", "constants": "SRAM"
}`

// refused makes files that name an operator or a backend which nobody has.
func refused(t *testing.T) {
	t.Helper()
	swap := func(from, to, old, new string) {
		b, err := os.ReadFile(from)
		require.NoError(t, err)
		require.Contains(t, string(b), old)
		require.Len(t, new, len(old))
		require.NoError(t, os.WriteFile(to, []byte(strings.ReplaceAll(string(b), old, new)), 0o666))
	}
	swap("fixtures/ethosu/ops/add_same.u55-128.ss.pte", "cuda.pte", "EthosUBackend", "NoSuchBackend")
	swap("fixtures/models/bundled_program.bpte", "cuda.bpte", "aten::mul", "aten::mlu")
	require.NoError(t, os.WriteFile("small.json", []byte(smallBoard), 0o666))
}

func TestExitStatus(t *testing.T) {
	workplace(t)
	refused(t)
	for _, c := range exits {
		t.Run(c.line, func(t *testing.T) {
			stdout, stderr, status := command(strings.Fields(c.line)...)
			require.Equal(t, c.status, status, "%s%s", stdout, stderr)
			if status == exitDone {
				require.Empty(t, stderr)
				return
			}
			if !strings.HasPrefix(c.line, "fit") && status != exitFailed { // fit's report is the answer
				require.NotEmpty(t, stderr)
			}
			// With --json the same status, and a document that says why.
			stdout, _, again := command(append(strings.Fields(c.line), "--json")...)
			require.Equal(t, status, again)
			for _, line := range strings.Split(strings.TrimRight(stdout, "\n"), "\n") {
				var document map[string]any
				require.NoError(t, json.Unmarshal([]byte(line), &document), line)
				if e, ok := document["error"].(map[string]any); ok {
					require.Equal(t, []string{"code", "found", "message", "path", "rule", "want"}, keys(e))
					require.NotEmpty(t, e["message"])
					require.Equal(t, []string{"name", "number"}, keys(e["code"].(map[string]any)))
					require.NotEqual(t, "Internal", e["code"].(map[string]any)["name"], line)
				}
			}
		})
	}
}

func keys(m map[string]any) []string {
	var list []string
	for k := range m {
		list = append(list, k)
	}
	slices.Sort(list)
	return list
}

// decode runs a command line with --json and gives its documents.
func decode(t *testing.T, line string) (documents []map[string]any, status int) {
	t.Helper()
	stdout, stderr, status := command(append(strings.Fields(line), "--json")...)
	require.NotEmpty(t, stdout, stderr)
	for _, one := range strings.Split(strings.TrimRight(stdout, "\n"), "\n") {
		var document map[string]any
		require.NoError(t, json.Unmarshal([]byte(one), &document), one)
		documents = append(documents, document)
	}
	return documents, status
}

func TestBenchJSON(t *testing.T) {
	workplace(t)
	documents, status := decode(t, "bench fixtures/ethosu/nets/net_dscnn_kws.u55-128.ss.pte --board corstone-300 --time 0.01 --per-instruction")
	require.Equal(t, exitDone, status)
	require.Len(t, documents, 1)
	d := documents[0]
	// The keys of the peers' runner, and those beyond it.
	require.Subset(t, keys(d), []string{"runtime", "pte", "method", "threads", "program_load_ns", "method_init_ns", "first_run_ns", "steady_min_ns",
		"steady_median_ns", "steady_p90_ns", "samples", "batch", "rss_start_bytes", "rss_steady_bytes", "peak_rss_bytes", "planned_bytes",
		"planned_buffers", "instructions", "outputs", "allocs_per_run", "cpu_min_ns", "clock", "npu_cycles", "per_instruction"})
	require.Equal(t, "ptero", d["runtime"])
	require.EqualValues(t, 0, d["allocs_per_run"])
	require.EqualValues(t, 3, d["instructions"])
	require.Positive(t, d["npu_cycles"])
	rows := d["per_instruction"].([]any)
	require.Len(t, rows, 3)
	for _, r := range rows {
		row := r.(map[string]any)
		require.Subset(t, keys(row), []string{"index", "chain", "kind", "name", "min_ns", "median_ns", "p95_ns", "bytes_read", "bytes_written", "npu_cycles"})
		require.Positive(t, row["min_ns"], "a clock that stands still is an error, not a 0")
	}
	require.Equal(t, "delegate", rows[1].(map[string]any)["kind"])
	output := d["outputs"].([]any)[0].(map[string]any)
	require.Subset(t, keys(output), []string{"shape", "first", "sum"})
	require.Equal(t, []any{1.0, 12.0}, output["shape"])
}

func TestVerifyJSON(t *testing.T) {
	workplace(t)
	refused(t)
	documents, status := decode(t, "verify fixtures/models/bundled_program.bpte cut.pte cuda.bpte fixtures/cpu/models/multi_method/two_methods.bpte --rtol 1e-4 --atol 1e-4")
	require.Equal(t, exitMissing, status)
	require.Len(t, documents, 5, "a line a file and method")
	for _, d := range documents {
		require.Subset(t, keys(d), []string{"file", "method", "cases", "passed", "max_abs", "max_rel", "error", "code"})
	}
	require.Equal(t, "fixtures/models/bundled_program.bpte", documents[0]["file"])
	require.Nil(t, documents[0]["error"])
	require.EqualValues(t, 10, documents[0]["passed"])
	require.Nil(t, documents[1]["method"])
	require.EqualValues(t, 35, documents[1]["code"], "InvalidProgram")
	require.Len(t, documents[1]["errors"], 2)
	require.Equal(t, "forward", documents[2]["method"])
	require.EqualValues(t, 10, documents[2]["cases"], "also where none can run")
	require.EqualValues(t, 0, documents[2]["passed"])
	require.Equal(t, "operator_missing", documents[2]["error"].(map[string]any)["rule"])
	require.Equal(t, "branch", documents[3]["method"])
	require.Equal(t, "forward", documents[4]["method"])
	require.Nil(t, documents[4]["error"])
}

func TestOtherJSON(t *testing.T) {
	workplace(t)
	for line, want := range map[string][]string{
		"inspect fixtures/models/kws_cortex_m.pte":                                                  {"file", "kind", "bytes", "methods", "constants", "state", "sizes"},
		"inspect fixtures/cpu/models/external_weights/all_constants._default_external_constant.ptd": {"file", "kind", "bytes", "entries"},
		"inspect vela.bin":                                          {"file", "kind", "facts"},
		"inspect neutron.bin":                                       {"file", "kind", "facts"},
		"ops fixtures/models/kws_cortex_m.pte":                      {"file", "methods"},
		"fit fixtures/models/kws_cortex_m.pte --board corstone-300": {"file", "board", "fits", "pools", "violations"},
		"run fixtures/models/kws_cortex_m.pte --fill ones":          {"file", "method", "board", "outputs", "arenas"},
		"boards corstone-300":                                       {"name", "pools", "devices"},
		"version":                                                   {"ptero", "go", "os", "arch"},
		"disasm fixtures/ethosu/ops/add_same.u55-128.ss.pte":        {},
		"lint fixtures/ethosu/ops/add_same.u55-128.ss.pte":          {},
	} {
		t.Run(line, func(t *testing.T) {
			documents, status := decode(t, line)
			require.Equal(t, exitDone, status)
			require.Len(t, documents, 1)
			require.Subset(t, keys(documents[0]), want)
		})
	}
	stdout, _, _ := command("boards", "--json")
	var list []map[string]any
	require.NoError(t, json.Unmarshal([]byte(stdout), &list))
	require.Equal(t, "host", list[0]["name"])
}

func TestFitOwnersSumToUsed(t *testing.T) {
	workplace(t)
	documents, _ := decode(t, "fit fixtures/ethosu/nets/net_dscnn_kws.u55-128.ss.pte fixtures/models/kws_cortex_m.pte --board corstone-300")
	for _, p := range documents[0]["pools"].([]any) {
		pool := p.(map[string]any)
		sum := 0.0
		for _, o := range pool["owners"].([]any) {
			owner := o.(map[string]any)
			require.Subset(t, []string{"program", "constants", "persistent", "activations", "scratch", "temp", "io", "control", "driver"}, []any{owner["kind"]})
			sum += owner["bytes"].(float64)
		}
		require.Equal(t, pool["used"], sum, pool["name"])
	}
}

func TestRunWritesOutputs(t *testing.T) {
	workplace(t)
	written := func(line string) []*npy.Array {
		t.Helper()
		dir := filepath.Join(t.TempDir(), "new", "folder")
		_, stderr, status := command(append(strings.Fields(line), "-o", dir)...)
		require.Equal(t, exitDone, status, stderr)
		entries, err := os.ReadDir(dir)
		require.NoError(t, err)
		var list []*npy.Array
		for i, e := range entries {
			require.Equal(t, []string{"out_00.npy", "out_01.npy", "out_02.npy"}[i], e.Name())
			a, err := npy.ReadFile(filepath.Join(dir, e.Name()))
			require.NoError(t, err)
			list = append(list, a)
		}
		return list
	}
	a := written("run fixtures/models/kws_cortex_m.pte -i fixtures/models/kws_inputs/yes.npy")
	require.Equal(t, "f4", a[0].Type)
	require.Equal(t, []int{1, 12}, a[0].Shape)
	// What is not a tensor comes as a rank-0 array.
	a = written("run fixtures/cpu/models/program_format/constant_methods.bpte --method get_ids")
	require.Len(t, a, 3)
	require.Equal(t, "i8", a[2].Type)
	require.Empty(t, a[2].Shape)
	require.Equal(t, []byte{3, 0, 0, 0, 0, 0, 0, 0}, a[2].Data)
	a = written("run fixtures/cpu/models/program_format/constant_methods.bpte --method is_causal")
	require.Equal(t, "b1", a[0].Type)
	// half and bfloat16
	a = written("run fixtures/cpu/ops/aten.abs.out/bf16_rank2.bpte --fill ones")
	require.Equal(t, "u2", a[0].Type)
	require.Equal(t, []byte{0x80, 0x3F}, a[0].Data[:2])
}
