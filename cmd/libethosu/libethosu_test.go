package main

import (
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"strconv"
	"sync"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/ptero-rt/ptero"
	"github.com/ptero-rt/ptero/backends/ethosu"
	"github.com/ptero-rt/ptero/backends/ethosu/stream"
	"github.com/ptero-rt/ptero/fixtures/ethosu/corpus"
	"github.com/ptero-rt/ptero/plan"
)

// need skips the test where the machine lacks a program.
func need(t *testing.T, tools ...string) {
	for _, tool := range tools {
		if _, err := exec.LookPath(tool); err != nil {
			t.Skipf("%s is not on this machine", tool)
		}
	}
	if testing.Short() {
		t.Skip("builds a C library")
	}
}

// libraries builds the library both ways, once.
var libraries = sync.OnceValues(func() (string, error) {
	dir, err := os.MkdirTemp("", "libethosu")
	if err != nil {
		return "", err
	}
	for mode, name := range map[string]string{"c-archive": "libethosu.a", "c-shared": "libethosu.so"} {
		c := exec.Command("go", "build", "-buildmode="+mode, "-o", filepath.Join(dir, name), ".")
		c.Env = append(os.Environ(), "CGO_ENABLED=1")
		if out, err := c.CombinedOutput(); err != nil {
			return "", fmt.Errorf("%s: %w: %s", mode, err, out)
		}
	}
	return dir, nil
})

// built says that libraries ran, so that TestMain does not build to clean up.
var built bool

func library(t *testing.T) string {
	built = true
	dir, err := libraries()
	require.NoError(t, err)
	return dir
}

func TestMain(m *testing.M) {
	code := m.Run()
	if built {
		if dir, err := libraries(); err == nil {
			os.RemoveAll(dir)
		}
	}
	os.Exit(code)
}

// A C program gets the recorded outputs from the archive and from the shared library; its hooks are called.
func TestCProgram(t *testing.T) {
	need(t, "go", "cc")
	lib := library(t)
	include, err := filepath.Abs("../../backends/ethosu/simc/include")
	require.NoError(t, err)
	dir := t.TempDir()
	for name, flags := range map[string][]string{"archive": {filepath.Join(lib, "libethosu.a"), "-lpthread"}, "shared": {"-L" + lib, "-lethosu", "-Wl,-rpath," + lib}} {
		args := append([]string{"-O1", "-Wall", "-Wextra", "-Werror", "-I", include, "-o", filepath.Join(dir, name), "testdata/run.c"}, flags...)
		out, err := exec.Command("cc", args...).CombinedOutput()
		require.NoError(t, err, string(out))
	}
	c := corpus.Committed(t)
	for _, p := range c.Programs {
		switch p.Name {
		case "conv2d_1x1.u55-128.ss", "net_dscnn_kws.u65-512.ds384", "net_attention.u85-128.so", "cop2_conv8.u85-512.so":
		default:
			continue
		}
		for _, how := range []string{"archive", "shared"} {
			t.Run(p.Name+" "+how, func(t *testing.T) { runProgram(t, filepath.Join(dir, how), c, p) })
		}
	}
}

// The same on a 64-bit Arm, where boards run it.
func TestCProgramOnArm64(t *testing.T) {
	need(t, "go", "aarch64-linux-gnu-gcc", "qemu-aarch64-static")
	dir := t.TempDir()
	lib, program := filepath.Join(dir, "libethosu.a"), filepath.Join(dir, "run")
	build := exec.Command("go", "build", "-buildmode=c-archive", "-o", lib, ".")
	build.Env = append(os.Environ(), "CGO_ENABLED=1", "GOOS=linux", "GOARCH=arm64", "CC=aarch64-linux-gnu-gcc")
	out, err := build.CombinedOutput()
	require.NoError(t, err, string(out))
	out, err = exec.Command("aarch64-linux-gnu-gcc", "-O1", "-static", "-I", "../../backends/ethosu/simc/include", "-o", program, "testdata/run.c", lib, "-lpthread").CombinedOutput()
	require.NoError(t, err, string(out))
	c := corpus.Committed(t)
	for _, p := range c.Programs {
		if p.Name == "conv2d_1x1.u55-128.ss" {
			runProgram(t, program, c, p, "qemu-aarch64-static")
		}
	}
}

func runProgram(t *testing.T, program string, c *corpus.Corpus, p corpus.Program, under ...string) {
	dir, io := t.TempDir(), c.IOBytes(t, p)
	put := func(file string, b []byte) string {
		path := filepath.Join(dir, file)
		require.NoError(t, os.WriteFile(path, b, 0o600))
		return path
	}
	blob, err := ethosu.Parse(c.Blobs(t, p)[0], nil)
	require.NoError(t, err)
	decoded, err := stream.Decode(blob.Commands.Accelerator, blob.Commands.Stream)
	require.NoError(t, err)
	fast := strconv.FormatUint(decoded.RegionBytes()[ethosu.RegionFastScratch], 10)
	payload, weights := put("payload", blob.Commands.Payload), put("weights", blob.Weights)
	for _, v := range c.IO[p.IO] {
		scratch := make([]byte, blob.ScratchBytes)
		for i, x := range blob.Inputs {
			copy(scratch[x.Offset:], v.Calls[0].In[i].Of(io))
		}
		result := filepath.Join(dir, "result")
		args := append(under, program, payload, weights, put("scratch", scratch), fast, result)
		command := exec.Command(args[0], args[1:]...)
		command.Env = append(os.Environ(), "GODEBUG=cgocheck=1")
		out, err := command.CombinedOutput()
		require.NoError(t, err, string(out))
		got, err := os.ReadFile(result)
		require.NoError(t, err)
		for i, x := range blob.Outputs {
			require.Equal(t, v.Calls[0].Out[i].Of(io), got[x.Offset:x.Offset+x.Bytes()], "output %d", i)
		}
	}
}

// Go crosses the C interface to the simulator in one program, with the checks of pointers that cgo has.
func TestGoProgram(t *testing.T) {
	need(t, "go", "cc")
	c := exec.Command("go", "test", "-tags", "ethosu_core", "../../backends/ethosu/core")
	c.Env = append(os.Environ(), "CGO_ENABLED=1", "GODEBUG=cgocheck=1")
	out, err := c.CombinedOutput()
	require.NoError(t, err, string(out))
}

// ExecuTorch's own EthosUBackend, unchanged and on its own runtime, gives the recorded outputs with the simulator as its
// driver, from each program as it is and with new memory plans. ET_ROOT names the executorch folder of an installed wheel,
// ET_SOURCE a checkout.
func TestExecuTorch(t *testing.T) {
	need(t, "go", "g++", "bash")
	if os.Getenv("ET_ROOT") == "" || os.Getenv("ET_SOURCE") == "" {
		t.Skip("ET_ROOT and ET_SOURCE are not set")
	}
	lib := library(t)
	dir := t.TempDir()
	program := filepath.Join(dir, "executorch")
	build := exec.Command("testdata/executorch.sh")
	build.Env = append(os.Environ(), "LIBETHOSU="+filepath.Join(lib, "libethosu.a"), "OUT="+program)
	out, err := build.CombinedOutput()
	require.NoError(t, err, string(out))
	c := corpus.Committed(t)
	programs := 0
	for _, p := range c.Programs {
		if len(p.External) > 0 || len(p.KnownDefect) > 0 {
			continue
		}
		io := c.IOBytes(t, p)
		v := c.IO[p.IO][0]
		var inputs []string
		for i, x := range v.Inputs {
			file := filepath.Join(dir, fmt.Sprint("in", i))
			require.NoError(t, os.WriteFile(file, x.Of(io), 0o600))
			inputs = append(inputs, file)
		}
		var want []byte
		for _, x := range v.Outputs {
			want = append(want, x.Of(io)...)
		}
		result := filepath.Join(dir, "out")
		for _, file := range append([]string{c.Path(p.File)}, planned(t, dir, c.Path(p.File))...) {
			out, err := exec.Command(program, append([]string{file, result}, inputs...)...).CombinedOutput()
			require.NoError(t, err, "%s: %s", file, out)
			got, err := os.ReadFile(result)
			require.NoError(t, err)
			require.Equal(t, want, got, file)
		}
		programs++
	}
	t.Logf("%d programs, each with three memory plans", programs)
}

// planned writes a program with its scratch planned, and with inputs and outputs inside it.
func planned(t *testing.T, dir, file string) (files []string) {
	m, err := ptero.Open(file)
	require.NoError(t, err)
	defer m.Close()
	for _, alias := range []bool{false, true} {
		r, err := m.Plan(plan.Options{AliasIO: alias})
		require.NoError(t, err, file)
		b, err := r.File()
		require.NoError(t, err)
		files = append(files, filepath.Join(dir, fmt.Sprintf("planned-%v-%s", alias, filepath.Base(file))))
		require.NoError(t, os.WriteFile(files[len(files)-1], b, 0o600))
	}
	return files
}
