package main

import (
	"encoding/json"
	"fmt"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/ptero-rt/ptero/fixtures"
	"github.com/ptero-rt/ptero/memory"
)

// planning are command lines about memory whose whole text is kept in testdata. They are run in order.
var planning = []string{
	"plan fixtures/ethosu/ops/two_delegates_skip.u55-32.ss.pte -o planned.pte --alias-io",
	"plan fixtures/ethosu/ops/two_delegates_skip.u55-32.ss.pte -o planned-300.pte --board corstone-300 --pin scratch=SRAM --pin mem_id:1=DTCM",
	"plan planned.pte --strip",
	"plan planned.pte",
	"plan fixtures/neutron/ds_cnn_n3.pte --board imxrt700 --objective traffic",
	"plan fixtures/cpu/models/multi_method/shared_mutable_buffer.bpte",
	"plan fixtures/models/kws_cortex_m.pte --json",
	"fit planned.pte",
	"fit fixtures/ethosu/ops/two_delegates_skip.u55-32.ss.pte fixtures/models/kws_cortex_m.pte --board corstone-300",
	"fit fixtures/ethosu/ops/two_delegates_skip.u55-32.ss.pte fixtures/models/kws_cortex_m.pte --board corstone-300 --strategy dynamic",
	"fit fixtures/ethosu/ops/two_delegates_skip.u55-32.ss.pte fixtures/models/kws_cortex_m.pte --board corstone-300 --strategy shared --json",
	"run planned.pte --fill ones",
	"plan --rows rows.csv",
	"plan --rows rows.csv --json",
	"plan --rows rows.csv --capacity 40",
	"plan fixtures/ethosu/ops/two_delegates_skip.u55-32.ss.pte --board corstone-300 --pin scratch=DTCM",
	"plan fixtures/ethosu/ops/two_delegates_skip.u55-32.ss.pte --board corstone-300 --pin scratch=MOON",
	"plan fixtures/ethosu/ops/two_delegates_skip.u55-32.ss.pte --pin scratch",
	"plan fixtures/ethosu/ops/two_delegates_skip.u55-32.ss.pte --objective speed",
	"plan fixtures/cpu/models/mobilenet_v2_035_96/portable_f32.bpte --board mcxn947",
	"plan fixtures/ethosu/nets/net_unet.u55-256.ss.pte --board corstone-300 --pin mem_id:1=BRAM",
	"plan fixtures/cpu/models/mobilenet_v2_035_96/portable_f32.bpte --board corstone-300 --pin mem_id:1=DTCM",
	"plan fixtures/cpu/models/mobilenet_v2_035_96/portable_f32.bpte --board corstone-300 --pin mem_id:1=DTCM --json",
	"plan cut.pte",
	"plan",
	"plan --rows nofile.csv",
	"plan --rows text.pte",
}

func TestPlanTranscripts(t *testing.T) {
	if bigEndian {
		t.Skip("SKIPPED: a big-endian host needs more memory, for constants in its own byte order")
	}
	if bigEndian {
		t.Skip("SKIPPED: a big-endian host needs more memory, for constants in its own byte order")
	}
	testdata, err := filepath.Abs("testdata")
	require.NoError(t, err)
	workplace(t)
	rows := "id,lower,upper,size\na,0,3,16\nb,1,2,32\nc,2,5,32\n"
	require.NoError(t, os.WriteFile("rows.csv", []byte(rows), 0o666))
	compareTranscript(t, filepath.Join(testdata, "plan.txt"), planning)
}

// TestPlanRows packs rows that ExecuTorch's planner was given as scripts call it: no plan is above what any peer made.
func TestPlanRows(t *testing.T) {
	var file struct {
		Models []struct {
			Name       string
			Greedy     uint64
			FirstFit   uint64 `json:"first_fit"`
			LowerBound uint64 `json:"lower_bound"`
			Rows       [][3]uint64
		}
	}
	require.NoError(t, json.Unmarshal(fixtures.Read(t, "planning", "rows.json"), &file))
	require.NotEmpty(t, file.Models)
	path := filepath.Join(t.TempDir(), "rows.csv")
	for _, m := range file.Models {
		var b strings.Builder
		b.WriteString("id,lower,upper,size\n")
		for i, r := range m.Rows { // both ends of a lifetime are inclusive there
			fmt.Fprintf(&b, "%d,%d,%d,%d\n", i, r[0], r[1]+1, r[2])
		}
		require.NoError(t, os.WriteFile(path, []byte(b.String()), 0o666))
		out, errs, status := command("plan", "--rows", path, "--json")
		require.Equal(t, exitDone, status, errs)
		var j rowsJSON
		require.NoError(t, json.Unmarshal([]byte(out), &j))
		require.Equal(t, m.LowerBound, j.LowerBound, m.Name)
		require.True(t, j.Optimal, m.Name)
		require.LessOrEqual(t, j.Height, min(m.Greedy, m.FirstFit), m.Name)
		require.Len(t, j.Offsets, len(m.Rows))
		for i, a := range m.Rows {
			require.LessOrEqual(t, j.Offsets[i]+a[2], j.Height)
			for k, b := range m.Rows[:i] {
				if a[0] <= b[1] && b[0] <= a[1] {
					require.True(t, j.Offsets[i] >= j.Offsets[k]+b[2] || j.Offsets[k] >= j.Offsets[i]+a[2], "%s: rows %d and %d", m.Name, k, i)
				}
			}
		}
		_, _, status = command("plan", "--rows", path, "--capacity", fmt.Sprint(j.Height))
		require.Equal(t, exitDone, status)
		_, _, status = command("plan", "--rows", path, "--capacity", fmt.Sprint(m.LowerBound-1))
		require.Equal(t, exitFit, status)
	}
}

// An overlay beside the program does what the program with the new plan does.
func TestPlanOverlay(t *testing.T) {
	workplace(t)
	program := "fixtures/ethosu/ops/two_delegates_skip.u55-32.ss.pte"
	_, errs, status := command("plan", program, "--overlay", "plan.json", "-o", "planned.pte", "--alias-io")
	require.Equal(t, exitDone, status, errs)
	output := func(dir string, args ...string) []byte {
		_, errs, status := command(append([]string{"run", "--fill", "random:7", "-o", dir}, args...)...)
		require.Equal(t, exitDone, status, errs)
		b, err := os.ReadFile(filepath.Join(dir, "out_00.npy"))
		require.NoError(t, err)
		return b
	}
	want := output("a", program)
	require.Equal(t, want, output("b", program, "--use-overlay", "plan.json"))
	require.Equal(t, want, output("c", "planned.pte"))
	_, errs, status = command("run", "planned.pte", "--fill", "ones", "--use-overlay", "plan.json")
	require.Equal(t, exitFile, status)
	require.Contains(t, errs, "overlay_stale")
}

// fit with pictures draws what there was before plan, too.
func TestFitPictures(t *testing.T) {
	workplace(t)
	program := "fixtures/ethosu/ops/two_delegates_skip.u55-32.ss.pte"
	_, errs, status := command("plan", program, "-o", "planned.pte")
	require.Equal(t, exitDone, status, errs)
	_, errs, status = command("fit", "planned.pte", "--before", program, "--html", "page.html", "--svg", "page.svg")
	require.Equal(t, exitDone, status, errs)
	for _, file := range []string{"page.html", "page.svg"} {
		text, err := os.ReadFile(file)
		require.NoError(t, err)
		for _, want := range []string{program, "planned.pte", "EthosUBackend scratch", "peak ", "input 0"} {
			require.Contains(t, string(text), want, file)
		}
	}
}

// The sources for an image go into a folder, with the program that they are for.
func TestPlanFirmware(t *testing.T) {
	workplace(t)
	_, errs, status := command("plan", "fixtures/ethosu/ops/two_delegates_skip.u55-32.ss.pte", "--board", "corstone-300", "--firmware", "image/ptero")
	require.Equal(t, exitDone, status, errs)
	for _, name := range []string{"ptero.ld", "ptero_pools.h", "ptero_pools.c"} {
		text, err := os.ReadFile(filepath.Join("image", "ptero", name))
		require.NoError(t, err)
		require.Contains(t, string(text), "Made by ptero plan")
	}
	_, errs, status = command("run", "image/ptero/program.pte", "--board", "corstone-300", "--fill", "ones")
	require.Equal(t, exitDone, status, errs)
}

// Several programs on one board: the owners of a pool add up to what is used of it; static sums what runs need, dynamic and
// shared take the largest once.
func TestFitSeveral(t *testing.T) {
	files := []string{fixtures.Path("ethosu", "ops", "two_delegates_skip.u55-32.ss.pte"), fixtures.Path("models", "kws_cortex_m.pte"), fixtures.Path("ethosu", "nets", "net_unet.u55-256.ss.pte")}
	resident := map[memory.Kind]bool{memory.Constants: true, memory.Persistent: true, memory.Driver: true, memory.Program: true}
	fit := func(strategy string, files ...string) (used, kept map[string]uint64) {
		out, errs, status := command(append([]string{"fit", "--json", "--board", "corstone-300", "--strategy", strategy}, files...)...)
		require.Equal(t, exitDone, status, errs)
		var j fitJSON
		require.NoError(t, json.Unmarshal([]byte(out), &j))
		used, kept = map[string]uint64{}, map[string]uint64{}
		for _, p := range j.Pools {
			var sum uint64
			for _, o := range p.Owners {
				sum += o.Bytes
				if resident[o.Kind] {
					kept[p.Name] += o.Bytes
				}
			}
			require.Equal(t, p.Used, sum, p.Name)
			require.EqualValues(t, p.Capacity, p.Used+uint64(p.Headroom), p.Name)
			used[p.Name] = p.Used
		}
		return used, kept
	}
	sum, most, keeps := map[string]uint64{}, map[string]uint64{}, map[string]uint64{}
	for _, f := range files {
		used, kept := fit("static", f)
		for pool, n := range used {
			sum[pool] += n
			keeps[pool] += kept[pool]
			most[pool] = max(most[pool], n-kept[pool])
		}
	}
	used, _ := fit("static", files...)
	require.Equal(t, sum, used)
	for _, strategy := range []string{"dynamic", "shared"} {
		used, _ = fit(strategy, files...)
		for pool, n := range used {
			require.Equal(t, keeps[pool]+most[pool], n, "%s %s", strategy, pool)
		}
	}
}
