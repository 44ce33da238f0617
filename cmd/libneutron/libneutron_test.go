package main

import (
	"context"
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"strconv"
	"sync"
	"testing"
	"time"

	"github.com/stretchr/testify/require"

	"github.com/ptero-rt/ptero"
	"github.com/ptero-rt/ptero/backends/nxp"
	"github.com/ptero-rt/ptero/backends/nxp/driver"
	"github.com/ptero-rt/ptero/executor"
	"github.com/ptero-rt/ptero/fixtures"
	"github.com/ptero-rt/ptero/internal/npy"
	"github.com/ptero-rt/ptero/pte"
)

// target is a machine that the library is built for.
type target struct {
	goarch, cc string
	run        []string // what starts a program of the target
}

var (
	host  = target{cc: "cc"}
	arm64 = target{goarch: "arm64", cc: "aarch64-linux-gnu-gcc", run: []string{"qemu-aarch64-static"}}

	build sync.Map // target's goarch → folder of libneutron.a, or the reason why not
)

// library builds libneutron.a once per target and returns its folder.
func library(t *testing.T, to target) string {
	for _, tool := range append([]string{"go", to.cc}, to.run...) {
		if _, err := exec.LookPath(tool); err != nil {
			t.Skipf("%s is not on this machine", tool)
		}
	}
	if testing.Short() {
		t.Skip("builds a C library")
	}
	once, _ := build.LoadOrStore(to.goarch, sync.OnceValues(func() (string, error) {
		dir, err := os.MkdirTemp("", "libneutron")
		if err != nil {
			return "", err
		}
		c := exec.Command("go", "build", "-buildmode=c-archive", "-o", filepath.Join(dir, "libneutron.a"), ".")
		c.Env = append(os.Environ(), "CGO_ENABLED=1", "CC="+to.cc)
		if to.goarch != "" {
			c.Env = append(c.Env, "GOARCH="+to.goarch, "GOOS=linux")
		}
		if out, err := c.CombinedOutput(); err != nil {
			return "", fmt.Errorf("%w: %s", err, out)
		}
		return dir, nil
	}))
	dir, err := once.(func() (string, error))()
	require.NoError(t, err)
	return dir
}

func TestMain(m *testing.M) {
	code := m.Run()
	build.Range(func(_, once any) bool {
		if dir, err := once.(func() (string, error))(); err == nil {
			os.RemoveAll(dir)
		}
		return true
	})
	os.Exit(code)
}

// compile makes a C program of testdata, linked with the library.
func compile(t *testing.T, to target, source, output string, flags ...string) {
	include, err := filepath.Abs("../../backends/nxp/simc/include")
	require.NoError(t, err)
	args := append([]string{"-O1", "-Wall", "-Wextra", "-Werror", "-I", include, "-o", output, filepath.Join("testdata", source)}, flags...)
	out, err := exec.Command(to.cc, args...).CombinedOutput()
	require.NoError(t, err, string(out))
}

// corpus is one program of the corpus: payload, inputs in the NPU's layout, expected outputs.
type corpus struct {
	payload    *nxp.Payload
	in, want   []byte
	rows       int
	inN, wantN int
}

func read(t *testing.T, name string) corpus {
	program, err := pte.Parse(fixtures.Read(t, "neutron", name+".pte"))
	require.NoError(t, err)
	p, err := nxp.ParsePayload(program.Plans[0].Delegates[0].Blob)
	require.NoError(t, err)
	array := func(kind string) *npy.Array {
		a, err := npy.Decode(fixtures.Read(t, "neutron", name+"."+kind+".npy"))
		require.NoError(t, err)
		return a
	}
	in, want := array("in"), array("out")
	c := corpus{payload: p, want: want.Data, rows: in.Shape[0], inN: len(in.Data) / in.Shape[0], wantN: len(want.Data) / want.Shape[0]}
	for r := range c.rows {
		row := in.Data[r*c.inN:][:c.inN]
		if len(in.Shape) == 4 && in.Shape[1] > 1 {
			last, hw := make([]byte, c.inN), in.Shape[2]*in.Shape[3]
			for i := range row {
				last[i%hw*in.Shape[1]+i/hw] = row[i]
			}
			row = last
		}
		c.in = append(c.in, row...)
	}
	return c
}

// runC runs a corpus program in a C program on the target.
func runC(t *testing.T, to target, names ...string) {
	dir := t.TempDir()
	program := filepath.Join(dir, "run")
	flags := []string{filepath.Join(library(t, to), "libneutron.a"), "-lpthread"}
	if to.run != nil {
		flags = append(flags, "-static")
	}
	compile(t, to, "run.c", program, flags...)
	for _, name := range names {
		c := read(t, name)
		put := func(file string, b []byte) string {
			path := filepath.Join(dir, file)
			require.NoError(t, os.WriteFile(path, b, 0o600))
			return path
		}
		output := filepath.Join(dir, "output")
		args := append(append([]string{}, to.run...), program, put("microcode", c.payload.Microcode.Bytes), put("weights", c.payload.Weights), put("inputs", c.in), output,
			strconv.Itoa(c.inN), strconv.Itoa(c.wantN), strconv.Itoa(int(c.payload.Microcode.ScratchBytes)))
		out, err := exec.Command(args[0], args[1:]...).CombinedOutput()
		require.NoError(t, err, "%s: %s", name, out)
		got, err := os.ReadFile(output)
		require.NoError(t, err)
		require.Equal(t, c.want, got, name)
	}
}

func TestCProgram(t *testing.T) {
	runC(t, host, "ds_cnn_n3", "cifarnet_n1", "cifarnet_et_1b86b19d", "cifarnet_et_447b3538", "mobilenet_n3")
}

func TestCProgramOnArm64(t *testing.T) {
	runC(t, arm64, "ds_cnn_n3", "cifarnet_n1", "cifarnet_et_447b3538")
}

// openShim opens a driver library behind which a child process runs libneutron.
func openShim(t *testing.T) driver.Library {
	dir := t.TempDir()
	server, shim := filepath.Join(dir, "server"), filepath.Join(dir, "libNeutronDriver.so")
	compile(t, host, "server.c", server, filepath.Join(library(t, host), "libneutron.a"), "-lpthread")
	compile(t, host, "shim.c", shim, "-shared", "-fPIC")
	t.Setenv("NEUTRON_SERVER", server)
	lib, err := driver.Open(shim)
	if err != nil {
		require.ErrorIs(t, err, driver.ErrMissing)
		t.Skip(err)
	}
	return lib
}

// TestOpenedDriver opens a driver library without cgo: a shim in C, behind which a child process runs libneutron.
func TestOpenedDriver(t *testing.T) {
	lib := openShim(t)
	npu, err := driver.NewNPU(lib)
	require.NoError(t, err)
	ctx := context.Background()
	for _, name := range []string{"ds_cnn_n3", "cifarnet_n1", "cifarnet_et_447b3538"} {
		c := read(t, name)
		m, err := npu.Prepare(nxp.Model{Microcode: c.payload.Microcode.Bytes, Weights: c.payload.Weights, Kernels: c.payload.Kernels})
		require.NoError(t, err)
		j := &nxp.Job{Inputs: []nxp.Region{{}}, Outputs: []nxp.Region{{Bytes: make([]byte, c.wantN)}}, Scratch: nxp.Region{Bytes: make([]byte, c.payload.Microcode.ScratchBytes)}}
		for r := range c.rows {
			j.Inputs[0].Bytes = c.in[r*c.inN:][:c.inN]
			require.NoError(t, m.Run(ctx, j))
			require.Equal(t, c.want[r*c.wantN:][:c.wantN], j.Outputs[0].Bytes, "%s row %d", name, r)
		}
		require.Zero(t, testing.AllocsPerRun(5, func() { require.NoError(t, m.Run(ctx, j)) }))
		require.NoError(t, m.Close())
	}
	require.NoError(t, npu.Resume())
	require.NoError(t, npu.Suspend())
	require.NoError(t, npu.Close())
}

// TestOpenedDriverInTheExecutor runs a whole program on the opened driver, as a user's program on a device does.
func TestOpenedDriverInTheExecutor(t *testing.T) {
	npu, err := driver.NewNPU(openShim(t))
	require.NoError(t, err)
	m, err := ptero.Open(fixtures.Path("neutron", "cifarnet_et_447b3538.scratch.pte"), ptero.Backends(nxp.NewBackend(npu, 0)))
	require.NoError(t, err)
	f, err := m.Load("forward")
	require.NoError(t, err)
	in, err := npy.Decode(fixtures.Read(t, "neutron", "cifarnet_et_447b3538.in.npy"))
	require.NoError(t, err)
	want, err := npy.Decode(fixtures.Read(t, "neutron", "cifarnet_et_447b3538.out.npy"))
	require.NoError(t, err)
	ctx := context.Background()
	for r := range in.Shape[0] {
		require.NoError(t, f.Set(0, executor.NewTensor(pte.Char, []int{1, 3, 32, 32}, in.Data[r*3072:][:3072])))
		require.NoError(t, f.Run(ctx))
		require.Equal(t, want.Data[r*10:][:10], f.Output(0).Tensor().Data)
	}
	require.Zero(t, testing.AllocsPerRun(5, func() { require.NoError(t, f.Run(ctx)) }))
	require.ErrorContains(t, npu.Close(), "all models closed first")
	require.NoError(t, f.Close())
	require.NoError(t, m.Close())
	require.NoError(t, npu.Close())
}

// fetched keeps what the driver had copied.
type fetched struct {
	bytes   []byte
	channel uint32
	waits   int
}

func (f *fetched) Copy(dst, src []byte, channel uint32) {
	copy(dst, src)
	f.bytes, f.channel = append(f.bytes, src...), channel
}

func (f *fetched) Wait(uint32) { f.waits++ }

func TestOpenedDriverFetchesWeights(t *testing.T) {
	lib := openShim(t)
	npu, err := driver.NewNPU(lib)
	require.NoError(t, err)
	var f fetched
	require.NoError(t, npu.SetFetch(&f))
	c := read(t, "ds_cnn_n3")
	m, err := npu.Prepare(nxp.Model{Microcode: c.payload.Microcode.Bytes, Weights: c.payload.Weights})
	require.NoError(t, err)
	sram := make([]byte, 64)
	j := &nxp.Job{Inputs: []nxp.Region{{Bytes: c.in[:c.inN]}}, Outputs: []nxp.Region{{Bytes: make([]byte, c.wantN)}}, SRAMScratch: nxp.Region{Bytes: sram}}
	require.NoError(t, m.Run(context.Background(), j))
	require.Equal(t, c.want[:c.wantN], j.Outputs[0].Bytes)
	require.Equal(t, c.payload.Weights[:64], sram)
	require.Equal(t, fetched{bytes: c.payload.Weights[:64], channel: 3, waits: 1}, f)
	require.NoError(t, m.Close())
	require.NoError(t, npu.Close())
}

// TestOpenedDriverHangsThenFaults: the process outlives both, and the call after them is as if nothing had been.
func TestOpenedDriverHangsThenFaults(t *testing.T) {
	lib := openShim(t)
	t.Setenv("NEUTRON_SHIM_HANG", "2")
	t.Setenv("NEUTRON_SHIM_FAULT", "442")
	npu, err := driver.NewNPU(lib)
	require.NoError(t, err)
	c := read(t, "ds_cnn_n3")
	m, err := npu.Prepare(nxp.Model{Microcode: c.payload.Microcode.Bytes, Weights: c.payload.Weights, Timeout: time.Millisecond})
	require.NoError(t, err)
	ctx := context.Background()
	j := &nxp.Job{Inputs: []nxp.Region{{Bytes: c.in[:c.inN]}}, Outputs: []nxp.Region{{Bytes: make([]byte, c.wantN)}}, Scratch: nxp.Region{Bytes: make([]byte, c.payload.Microcode.ScratchBytes)}}
	require.ErrorIs(t, m.Run(ctx, j), nxp.ErrTimeout)
	require.ErrorIs(t, npu.Reset(ctx), nxp.ErrTimeout)
	require.Eventually(t, func() bool { return npu.Reset(ctx) == nil }, time.Minute, 10*time.Millisecond)
	require.ErrorContains(t, m.Run(ctx, j), "component 2, category 23, code 1")
	require.NoError(t, m.Run(ctx, j))
	require.Equal(t, c.want[:c.wantN], j.Outputs[0].Bytes)
	require.NoError(t, m.Close())
	require.NoError(t, npu.Close())
}
