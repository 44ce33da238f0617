package main

import (
	"bytes"
	"flag"
	"fmt"
	"os"
	"path/filepath"
	"regexp"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/ptero-rt/ptero/fixtures"
	"github.com/ptero-rt/ptero/pte"
)

var rewrite = flag.Bool("rewrite", false, "write the golden text again")

// workplace is a folder with the fixtures and with files that are wrong in different ways; the test runs in it, so that
// printed paths are the same everywhere.
func workplace(t *testing.T) {
	t.Helper()
	root, err := filepath.Abs(fixtures.Path("."))
	require.NoError(t, err)
	t.Chdir(t.TempDir())
	require.NoError(t, os.Symlink(root, "fixtures"))
	kws := fixtures.Read(t, "models/kws_cortex_m.pte")
	write := func(name string, b []byte) { require.NoError(t, os.WriteFile(name, b, 0o666)) }
	write("empty.pte", nil)
	write("cut.pte", kws[:100])
	write("text.pte", []byte("hello\n"))
	write("model.tflite", []byte("\x1c\x00\x00\x00TFL3\x00\x00\x12\x00"))
	write("board.json", []byte(`{"name": "mine", "colour": "red"}`))
	require.NoError(t, os.Mkdir("folder.pte", 0o777))
	write("vela.bin", blobOf(t, "fixtures/ethosu/ops/add_same.u55-128.ss.pte"))
	write("neutron.bin", blobOf(t, "fixtures/neutron/ds_cnn_n3.pte"))
}

// blobOf gives the payload of a program's first delegate.
func blobOf(t *testing.T, path string) []byte {
	t.Helper()
	f, err := pte.Open(path)
	require.NoError(t, err)
	defer f.Close()
	p, err := f.Program()
	require.NoError(t, err)
	return bytes.Clone(p.Plans[0].Delegates[0].Blob)
}

// command runs a command line as a user types it, in this process.
func command(args ...string) (stdout, stderr string, status int) {
	var out, err bytes.Buffer
	status = run(args, &console{out: &out, err: &err})
	return out.String(), err.String(), status
}

var duration = regexp.MustCompile(`\d+(\.\d+)? (ns|µs|ms|s)\b`)

// transcripts are command lines whose whole text is kept in testdata, one file a verb. Times are left out.
var transcripts = map[string][]string{
	"inspect": {
		"inspect fixtures/models/kws_cortex_m.pte",
		"inspect fixtures/models/bundled_program.bpte",
		"inspect fixtures/models/ModuleLinear-no-constant-segment.pte",
		"inspect fixtures/cpu/models/control_flow/cond.bpte",
		"inspect fixtures/cpu/models/dynamic/mlp_batch.bpte",
		"inspect fixtures/cpu/models/multi_method/shared_mutable_buffer.bpte",
		"inspect fixtures/cpu/models/program_format/constant_methods.bpte",
		"inspect fixtures/cpu/models/external_weights/all_constants.bpte",
		"inspect fixtures/cpu/models/external_weights/all_constants._default_external_constant.ptd",
		"inspect fixtures/cpu/models/lstm/xnnpack_f32.bpte",
		"inspect fixtures/ethosu/ops/add_same.u55-128.ss.pte",
		"inspect fixtures/neutron/ds_cnn_n3.scratch.pte",
		"inspect vela.bin",
		"inspect neutron.bin",
	},
	"ops": {
		"ops fixtures/models/kws_cortex_m.pte",
		"ops fixtures/cpu/models/multi_method/two_methods.bpte",
		"ops fixtures/neutron/ds_cnn_n3.pte",
	},
	"fit": {
		"fit fixtures/models/kws_cortex_m.pte --board corstone-300",
	},
	"run": {
		"run fixtures/models/kws_cortex_m.pte -i fixtures/models/kws_inputs/yes.npy --top 3 --labels fixtures/models/kws_labels.txt",
		"run fixtures/models/kws_cortex_m.pte --fill ones --board corstone-300",
		"run fixtures/cpu/models/program_format/scalar_inputs.bpte --fill ones -i 1=4 -i 0.5 -i true",
		"run fixtures/cpu/models/program_format/constant_methods.bpte --method get_ids",
		"run fixtures/cpu/models/program_format/constant_methods.bpte --method get_scale",
		"run fixtures/cpu/models/program_format/constant_methods.bpte --method is_causal",
		"run fixtures/cpu/models/program_format/constant_methods.bpte --method get_name",
		"run fixtures/cpu/models/external_weights/all_constants.bpte --fill ones --data fixtures/cpu/models/external_weights/all_constants._default_external_constant.ptd",
		"run fixtures/ethosu/nets/net_dscnn_kws.u55-128.ss.pte -i fixtures/ethosu/nets/net_dscnn_kws.input.npy --board corstone-300 --npu ethos-u55-128",
	},
	"verify": {
		"verify fixtures/models/bundled_program.bpte",
		"verify fixtures/cpu/models/multi_method/shared_mutable_buffer.bpte --atol 1e-4 --sequence forward:0,set_state:0,forward:1,forward:2,set_state:1,forward:3",
		"verify fixtures/models/bundled_program.bpte --sequence forward:2,forward:2",
		"verify fixtures/cpu/models/multi_method/two_methods.bpte --strategy shared --method branch",
		"verify fixtures/models/bundled_program.bpte cut.pte nofile.bpte fixtures/models/kws_cortex_m.pte",
	},
	"disasm": {
		"disasm fixtures/ethosu/ops/abs.u85-1024.so.pte",
		"disasm fixtures/ethosu/ops/conv2d_1x1.u55-128.ss.pte",
		"disasm neutron.bin",
		"disasm fixtures/models/kws_cortex_m.pte",
	},
	"lint": {
		"lint fixtures/ethosu/nets/net_dscnn_kws.u65-512.ds384.pte",
		"lint --sram 64 fixtures/ethosu/ops/softmax.u65-256.ds384.pte",
		"lint fixtures/ethosu/ops/while_tanh.u85-2048.ds256.pte fixtures/ethosu/ops/cumsum.u65-512.ds384.pte fixtures/ethosu/ops/three_delegates.u55-64.ss.pte",
		"lint fixtures/neutron/ds_cnn_n3.pte neutron.bin vela.bin fixtures/models/kws_cortex_m.pte",
		"lint fixtures/ethosu/ops/external_weights.u85-2048.ds256.pte",
		"lint --data fixtures/ethosu/ops/external_weights.u85-2048.ds256.flash.ptd fixtures/ethosu/ops/external_weights.u85-2048.ds256.pte",
		"lint text.pte",
	},
	"boards": {
		"boards",
		"boards corstone-300",
		"boards host",
	},
	"errors": {
		"nosuch",
		"run",
		"run a.pte b.pte",
		"run fixtures/models/kws_cortex_m.pte --nosuch",
		"run fixtures/models/kws_cortex_m.pte",
		"run fixtures/models/kws_cortex_m.pte --fill twos",
		"run fixtures/models/kws_cortex_m.pte --fill random:x",
		"run fixtures/models/kws_cortex_m.pte --fill ones --top -1",
		"run fixtures/models/kws_cortex_m.pte --fill ones --threads -1",
		"run fixtures/models/kws_cortex_m.pte --fill ones --method nosuch",
		"run fixtures/models/kws_cortex_m.pte --fill ones --board nosuch",
		"run fixtures/models/kws_cortex_m.pte --fill ones --board board.json",
		"run fixtures/models/kws_cortex_m.pte --fill ones --npu nosuch",
		"run fixtures/models/kws_cortex_m.pte --fill ones --board apollo510 --npu ethos-u55-128",
		"run fixtures/models/kws_cortex_m.pte --fill ones --strategy nosuch",
		"run fixtures/models/kws_cortex_m.pte --fill ones --data cut.pte",
		"run fixtures/models/kws_cortex_m.pte --fill ones --use-overlay text.pte",
		"run fixtures/models/kws_cortex_m.pte --fill ones --top 1 --labels nofile.txt",
		"run fixtures/models/kws_cortex_m.pte -i nofile.npy",
		"run fixtures/models/kws_cortex_m.pte -i text.pte",
		"run fixtures/models/kws_cortex_m.pte -i none",
		"run fixtures/models/kws_cortex_m.pte -i 1=fixtures/models/kws_inputs/yes.npy",
		"run fixtures/models/kws_cortex_m.pte -i fixtures/models/kws_inputs/yes.npy -i fixtures/models/kws_inputs/no.npy",
		"run fixtures/cpu/models/program_format/scalar_inputs.bpte --fill ones -i 1=5",
		"run fixtures/cpu/models/program_format/scalar_inputs.bpte --fill ones -i 3=maybe",
		"run fixtures/cpu/models/external_weights/all_constants.bpte --fill ones",
		"inspect nofile.pte",
		"inspect folder.pte",
		"inspect empty.pte",
		"inspect cut.pte",
		"inspect text.pte",
		"inspect model.tflite",
		"bench nofile.pte",
		"bench cut.pte",
		"bench fixtures/models/kws_cortex_m.pte --time 0",
		"verify fixtures/models/bundled_program.bpte --rtol -1",
		"verify fixtures/models/bundled_program.bpte --sequence forward:0,other:1",
		"verify fixtures/models/bundled_program.bpte --method nosuch",
		"boards nosuch",
	},
}

func TestTranscripts(t *testing.T) {
	testdata, err := filepath.Abs("testdata")
	require.NoError(t, err)
	workplace(t)
	for verb, lines := range transcripts {
		t.Run(verb, func(t *testing.T) {
			if verb == "fit" && bigEndian {
				t.Skip("SKIPPED: a big-endian host needs more memory, for constants in its own byte order")
			}
			compareTranscript(t, filepath.Join(testdata, verb+".txt"), lines)
		})
	}
}

var seconds = regexp.MustCompile(`"seconds":[0-9.e-]+`)

// compareTranscript runs command lines and holds everything that they print against a file, times left out.
func compareTranscript(t *testing.T, path string, lines []string) {
	t.Helper()
	var b strings.Builder
	for _, line := range lines {
		stdout, stderr, status := command(strings.Fields(line)...)
		fmt.Fprintf(&b, "$ ptero %s\n%s%s", line, stdout, stderr)
		if status != exitDone {
			fmt.Fprintf(&b, "exit status %d\n", status)
		}
		b.WriteString("\n")
	}
	got := seconds.ReplaceAllString(duration.ReplaceAllString(b.String(), "T"), `"seconds":0`)
	if *rewrite {
		require.NoError(t, os.WriteFile(path, []byte(got), 0o666))
	}
	want, err := os.ReadFile(path)
	require.NoError(t, err)
	require.Equal(t, string(want), got, "run the tests of this folder with -rewrite if the new text is right")
}
