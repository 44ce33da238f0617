package linux

import (
	"context"
	"os"
	"path/filepath"
	"reflect"
	"strings"
	"testing"
	"time"

	"github.com/stretchr/testify/require"

	"github.com/ptero-rt/ptero/backends/ethosu"
	"github.com/ptero-rt/ptero/backends/ethosu/sim"
	"github.com/ptero-rt/ptero/fixtures/ethosu/corpus"
)

// Sizes and offsets as a C compiler lays the kernel's structs out, on 64-bit and 32-bit Arm alike.
func TestLayouts(t *testing.T) {
	for _, c := range []struct {
		value   any
		bytes   uintptr
		offsets []uintptr
	}{
		{devQuery{}, 16, []uintptr{0, 4, 8}},
		{npuInfo{}, 12, []uintptr{0, 4, 8}},
		{boCreate{}, 16, []uintptr{0, 8, 12}},
		{boWait{}, 16, []uintptr{0, 4, 8}},
		{boMmapOffset{}, 16, []uintptr{0, 4, 8}},
		{streamCreate{}, 24, []uintptr{0, 4, 8, 16, 20}},
		{drmJob{}, 40, []uintptr{0, 4, 8}},
		{submit{}, 16, []uintptr{0, 8, 12}},
		{gemClose{}, 8, []uintptr{0, 4}},
		{legacyCapabilities{}, 52, []uintptr{0, 4, 8, 12, 16, 20, 24, 28, 32, 36, 40, 44, 48}},
		{legacyBufferCreate{}, 4, []uintptr{0}},
		{legacyBuffer{}, 8, []uintptr{0, 4}},
		{legacyNetworkCreate{}, 8, []uintptr{0, 4}},
		{legacyPMU{}, 20, []uintptr{0, 16}},
		{legacyInferenceCreate{}, 160, []uintptr{0, 4, 68, 72, 136, 140}},
		{legacyResult{}, 48, []uintptr{0, 4, 24, 40}},
		{legacyCancel{}, 4, []uintptr{0}},
	} {
		typ := reflect.TypeOf(c.value)
		require.Equal(t, c.bytes, typ.Size(), typ.Name())
		require.Equal(t, len(c.offsets), typ.NumField(), typ.Name())
		for i, offset := range c.offsets {
			require.Equal(t, offset, typ.Field(i).Offset, "%s.%s", typ.Name(), typ.Field(i).Name)
		}
	}
	// As strace prints them.
	require.Equal(t, []uint32{0xc0106440, 0xc0106441, 0xc0106442, 0xc0106443, 0xc0186444, 0xc0106445, 0x40086409},
		[]uint32{drmDevQuery, drmBOCreate, drmBOWait, drmBOMmapOffset, drmStreamCreate, drmSubmit, drmGemClose})
	require.Equal(t, []uint32{0x100, 0x80340102, 0x80040110, 0x80080111, 0x80080120, 0x80a00130, 0x80300131, 0x80040132},
		[]uint32{legacyPing, legacyGetCapabilities, legacyCreateBuffer, legacySetBuffer, legacyCreateNetwork, legacyCreateInference, legacyGetStatus, legacyCancelInference})
}

// example is a delegate of the corpus with one recorded call.
type example struct {
	blob *ethosu.Blob
	call corpus.Call
	io   []byte
}

func readExample(t *testing.T, name string) example {
	c := corpus.Committed(t)
	for _, p := range c.Programs {
		if p.Name == name {
			blob, err := ethosu.Parse(c.Blobs(t, p)[0], nil)
			require.NoError(t, err)
			return example{blob, c.IO[p.IO][0].Calls[0], c.IOBytes(t, p)}
		}
	}
	t.Fatal(name)
	return example{}
}

func (c *example) network() ethosu.Network {
	return ethosu.Network{Commands: c.blob.Commands, Weights: ethosu.Region{Bytes: c.blob.Weights}}
}

func (c *example) job() *ethosu.Job {
	j := &ethosu.Job{}
	j.Regions[ethosu.RegionScratch].Bytes = make([]byte, c.blob.ScratchBytes)
	for i, x := range c.blob.Inputs {
		copy(j.Regions[x.Region].Bytes[x.Offset:], c.call.In[i].Of(c.io))
	}
	return j
}

func (c *example) check(t *testing.T, j *ethosu.Job) {
	for i, x := range c.blob.Outputs {
		require.Equal(t, c.call.Out[i].Of(c.io), j.Regions[x.Region].Bytes[x.Offset:x.Offset+x.Bytes()])
	}
}

// run takes a case through load, submit and wait.
func (c *example) run(t *testing.T, npu ethosu.NPU) error {
	l, err := npu.Load(c.network())
	if err != nil {
		return err
	}
	defer l.Close()
	j := c.job()
	if err := l.Submit(j); err != nil {
		return err
	}
	if _, err := l.Wait(context.Background()); err != nil {
		return err
	}
	c.check(t, j)
	return nil
}

// device is one of the drivers on a fake kernel.
type device struct {
	name  string
	open  func(kernel) (ethosu.NPU, error)
	cases []string
}

var devices = []device{
	{"accel", func(k kernel) (ethosu.NPU, error) { return nilOnError(openAccel(k, DefaultAccel)) },
		[]string{"net_dscnn_kws.u65-512.ds384", "abs.u85-1024.so", "conv2d_1x1.u65-256.ds384", "split_2out.u65-256.ds384"}},
	{"legacy", func(k kernel) (ethosu.NPU, error) { return nilOnError(openLegacy(k, DefaultLegacy)) },
		[]string{"net_dscnn_kws.u65-512.ds384", "net_dscnn_kws.u55-128.ss", "conv2d_1x1.u65-256.ds384"}},
}

func nilOnError[T ethosu.NPU](npu T, err error) (ethosu.NPU, error) {
	if err != nil {
		return nil, err
	}
	return npu, nil
}

func simulator(t *testing.T) *sim.Simulator {
	s := sim.New(sim.Options{Workers: 1})
	t.Cleanup(func() { require.NoError(t, s.Close()) })
	return s
}

func TestPrograms(t *testing.T) {
	s := simulator(t)
	for _, d := range devices {
		for _, name := range d.cases {
			t.Run(d.name+" "+name, func(t *testing.T) {
				c := readExample(t, name)
				f := newFake(c.blob.Commands.Accelerator, s)
				npu, err := d.open(f)
				require.NoError(t, err)
				require.Equal(t, c.blob.Commands.Accelerator, npu.Accelerator())
				l, err := npu.Load(c.network())
				require.NoError(t, err)
				for range 2 {
					j := c.job()
					require.NoError(t, l.Submit(j))
					require.ErrorContains(t, l.Submit(j), "want the job before to be waited for")
					_, err = l.Wait(context.Background())
					require.NoError(t, err)
					c.check(t, j)
				}
				_, err = l.Wait(context.Background())
				require.ErrorContains(t, err, "want a submitted job")
				require.NoError(t, l.Close())
				require.NoError(t, npu.Close())
				require.Empty(t, f.files, "what is not closed")
				require.Zero(t, f.maps)
			})
		}
	}
}

// Every call of the kernel fails once: an error that says so, and nothing stays open.
func TestEveryFailure(t *testing.T) {
	s := simulator(t)
	for _, d := range devices {
		c := readExample(t, "net_dscnn_kws.u65-512.ds384")
		for n := 1; ; n++ {
			f := newFake(c.blob.Commands.Accelerator, s)
			f.fail = n
			npu, err := d.open(f)
			if err == nil {
				err = c.run(t, npu)
				_ = npu.Close()
			}
			if len(f.calls) < n {
				require.NoError(t, err)
				break
			}
			if name := f.calls[n-1]; name != "close" && name != "munmap" && name != "drop" {
				require.ErrorIs(t, err, errInjected, "%s: call %d, %s", d.name, n, name)
				require.Empty(t, f.files, "%s: call %d, %s", d.name, n, name)
				require.Zero(t, f.maps)
			}
		}
	}
}

// A job that hangs ends in time with an error, the device is reset, and the next job runs.
func TestTimeout(t *testing.T) {
	s := simulator(t)
	for _, d := range devices {
		c := readExample(t, "conv2d_1x1.u65-256.ds384")
		f := newFake(c.blob.Commands.Accelerator, s)
		npu, err := d.open(f)
		require.NoError(t, err)
		l, err := npu.Load(c.network())
		require.NoError(t, err)
		f.hang = 1
		j := c.job()
		j.Timeout = time.Second
		require.NoError(t, l.Submit(j))
		_, err = l.Wait(context.Background())
		require.ErrorIs(t, err, ethosu.ErrTimeout, d.name)
		require.GreaterOrEqual(t, f.clock, int64(time.Second))
		require.Less(t, f.clock, int64(1100*time.Millisecond))

		ctx, cancel := context.WithCancel(context.Background())
		cancel()
		if d.name == "accel" {
			require.ErrorIs(t, npu.Reset(ctx), context.Canceled)
			f.hang = 0 // the kernel ends it by itself
		}
		require.NoError(t, npu.Reset(context.Background()))
		j = c.job()
		require.NoError(t, l.Submit(j))
		_, err = l.Wait(ctx)
		require.NoError(t, err)
		c.check(t, j)

		f.hang = 1
		require.NoError(t, l.Submit(j))
		_, err = l.Wait(ctx)
		require.ErrorIs(t, err, context.Canceled)
	}
}

func TestRefused(t *testing.T) {
	s := simulator(t)
	kws := readExample(t, "net_dscnn_kws.u65-512.ds384")
	for _, d := range devices {
		npu, err := d.open(newFake(readExample(t, "net_dscnn_kws.u85-256.so").blob.Commands.Accelerator, s))
		require.NoError(t, err)
		require.ErrorContains(t, kws.run(t, npu), "want a stream for ethos-u85-256, have one for ethos-u65-512")
	}

	loop := readExample(t, "while_tanh.u85-2048.ds256")
	npu, err := openAccel(newFake(loop.blob.Commands.Accelerator, s), DefaultAccel)
	require.NoError(t, err)
	require.ErrorContains(t, loop.run(t, npu), "the kernel refused the command stream (byte 1160: a branch)")

	f := newFake(kws.blob.Commands.Accelerator, s)
	f.status = 3
	old, err := openLegacy(f, DefaultLegacy)
	require.NoError(t, err)
	require.ErrorContains(t, kws.run(t, old), "want status OK, have 3 (REJECTED)")

	f = newFake(kws.blob.Commands.Accelerator, s)
	f.sram = 1024 // fast scratch that the kernel's SRAM cannot hold becomes a buffer
	npu, err = openAccel(f, DefaultAccel)
	require.NoError(t, err)
	require.NoError(t, kws.run(t, npu))
}

func TestProbe(t *testing.T) {
	root := t.TempDir()
	_, err := Probe(root)
	require.ErrorIs(t, err, ErrMissing)
	for _, dir := range []string{"dev/accel", "sys/class/accel/accel1/device", "sys/class/accel/accel0/device", "sys/bus/ethosu", "sys/bus/rocket"} {
		require.NoError(t, os.MkdirAll(filepath.Join(root, dir), 0o755))
	}
	require.NoError(t, os.Symlink(filepath.Join(root, "sys/bus/rocket"), filepath.Join(root, "sys/class/accel/accel0/device/driver")))
	require.NoError(t, os.Symlink(filepath.Join(root, "sys/bus/ethosu"), filepath.Join(root, "sys/class/accel/accel1/device/driver")))
	require.NoError(t, os.WriteFile(filepath.Join(root, "dev/ethosu0"), nil, 0o600))
	list, err := Probe(root)
	require.NoError(t, err)
	require.Len(t, list, 2)
	require.Equal(t, "ethosu", list[0].Driver)
	require.True(t, strings.HasSuffix(list[0].Node, "/dev/accel/accel1"))
	require.Equal(t, Device{filepath.Join(root, "dev/ethosu0"), "legacy"}, list[1])
	for _, d := range list {
		_, err := Open(d)
		require.Error(t, err, "files, not devices")
	}
}

// A run takes no memory from Go's heap.
func TestAllocations(t *testing.T) {
	c := readExample(t, "conv2d_1x1.u65-256.ds384")
	f := newFake(c.blob.Commands.Accelerator, simulator(t))
	npu, err := openAccel(quiet{f}, DefaultAccel)
	require.NoError(t, err)
	l, err := npu.Load(c.network())
	require.NoError(t, err)
	j, ctx := c.job(), context.Background()
	require.Zero(t, testing.AllocsPerRun(10, func() {
		if err := l.Submit(j); err != nil {
			t.Fatal(err)
		}
		if _, err := l.Wait(ctx); err != nil {
			t.Fatal(err)
		}
	}))
}

// quiet is a kernel whose jobs are done at once, without being run.
type quiet struct{ *fake }

func (q quiet) ioctl(fd int, request uint32, arg []byte) (int, error) {
	if request == drmSubmit || request == drmBOWait {
		return 0, nil
	}
	return q.fake.ioctl(fd, request, arg)
}
