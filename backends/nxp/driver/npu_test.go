package driver_test

import (
	"context"
	"testing"
	"time"

	"github.com/stretchr/testify/require"

	"github.com/ptero-rt/ptero/backends/nxp"
	"github.com/ptero-rt/ptero/backends/nxp/driver"
	"github.com/ptero-rt/ptero/fixtures"
	"github.com/ptero-rt/ptero/pte"
)

// fake is a driver library whose answers a test chooses.
type fake struct {
	calls   []string
	run     func(job *nxp.Job) nxp.Status
	prepare nxp.Status
	hold    chan struct{} // Prepare waits for it
	model   nxp.Model
	memory  bool // has memory of its own
	allocs  int
	cleaned []int
	fetch   nxp.Fetch
}

func (f *fake) say(call string) nxp.Status { f.calls = append(f.calls, call); return 0 }
func (f *fake) Init() nxp.Status           { return f.say("init") }
func (f *fake) Deinit() nxp.Status         { return f.say("deinit") }
func (f *fake) Suspend() nxp.Status {
	return nxp.NewStatus(nxp.ComponentDriver, nxp.DriverUnsupported, 1)
}
func (f *fake) Resume() nxp.Status { return f.Suspend() }

func (f *fake) Prepare(m nxp.Model) (driver.Handle, nxp.Status) {
	if f.hold != nil {
		<-f.hold
	}
	f.model = m
	f.say("prepare")
	return 7, f.prepare
}

func (f *fake) Unprepare(h driver.Handle) nxp.Status { return f.say("unprepare") }
func (f *fake) Run(h driver.Handle, job *nxp.Job) nxp.Status {
	if h != 7 {
		return nxp.NewStatus(nxp.ComponentDriver, nxp.DriverBadHandle, 0)
	}
	if f.run == nil {
		return 0
	}
	return f.run(job)
}

func (f *fake) SetFetch(to nxp.Fetch) nxp.Status { f.fetch = to; return f.say("fetch") }

func (f *fake) Alloc(size int) []byte {
	if !f.memory {
		return nil
	}
	f.allocs++
	return make([]byte, size)
}

func (f *fake) Free([]byte) { f.allocs-- }

func (f *fake) Clean(b []byte) nxp.Status {
	f.cleaned = append(f.cleaned, len(b))
	return 0
}

// payload is that of a real program: input 490 B, output 12 B, scratch 16000 B.
func payload(t testing.TB) *nxp.Payload { return payloadOf(t, "ds_cnn_n3") }

func payloadOf(t testing.TB, name string) *nxp.Payload {
	program, err := pte.Parse(fixtures.Read(t, "neutron", name+".pte"))
	require.NoError(t, err)
	p, err := nxp.ParsePayload(program.Plans[0].Delegates[0].Blob)
	require.NoError(t, err)
	return p
}

func model(p *nxp.Payload, timeout time.Duration) nxp.Model {
	return nxp.Model{Microcode: p.Microcode.Bytes, Weights: p.Weights, Kernels: p.Kernels, Timeout: timeout}
}

func job() *nxp.Job {
	return &nxp.Job{Inputs: []nxp.Region{{Bytes: make([]byte, 490)}}, Outputs: []nxp.Region{{Bytes: make([]byte, 12)}}, Scratch: nxp.Region{Bytes: make([]byte, 16000)}}
}

func TestHangThenFaultThenSuccess(t *testing.T) {
	release := make(chan struct{})
	step := 0
	lib := &fake{run: func(job *nxp.Job) nxp.Status {
		step++
		switch step {
		case 1:
			<-release
			return 0
		case 2:
			return 442
		}
		job.Outputs[0].Bytes[0] = 99
		return 0
	}}
	npu, err := driver.NewNPU(lib)
	require.NoError(t, err)
	m, err := npu.Prepare(model(payload(t), time.Millisecond))
	require.NoError(t, err)
	ctx := context.Background()

	begin := time.Now()
	err = m.Run(ctx, job())
	require.ErrorIs(t, err, nxp.ErrTimeout)
	require.Less(t, time.Since(begin), 10*time.Second)

	// Nothing else gets in before the driver has come back.
	require.ErrorIs(t, npu.Reset(ctx), nxp.ErrTimeout)
	require.ErrorIs(t, m.Run(ctx, job()), nxp.ErrTimeout)
	require.ErrorIs(t, m.Close(), nxp.ErrTimeout)
	require.ErrorContains(t, npu.Close(), "all models closed first")

	close(release)
	require.NoError(t, npu.Reset(ctx))
	err = m.Run(ctx, job())
	require.ErrorIs(t, err, nxp.Status(442))
	require.ErrorContains(t, err, "neutronRunBlocking: ")
	require.ErrorContains(t, err, "firmware, category not published (component 2, category 23, code 1)")
	require.NotErrorIs(t, err, nxp.ErrTimeout)

	j := job()
	require.NoError(t, m.Run(ctx, j))
	require.EqualValues(t, 99, j.Outputs[0].Bytes[0])
	require.NoError(t, m.Close())
	require.NoError(t, m.Close())
	require.ErrorContains(t, m.Run(ctx, j), "a closed one")
	require.NoError(t, npu.Close())
	require.Equal(t, []string{"init", "prepare", "unprepare", "deinit"}, lib.calls)
}

// TestPrepareHangs: firmware that never answers is an error in time, and the driver is free once it has.
func TestPrepareHangs(t *testing.T) {
	release := make(chan struct{})
	lib := &fake{hold: release}
	npu, err := driver.NewNPU(lib)
	require.NoError(t, err)
	_, err = npu.Prepare(model(payload(t), time.Millisecond))
	require.ErrorIs(t, err, nxp.ErrTimeout)
	require.ErrorContains(t, err, "neutronModelPrepare")
	require.ErrorIs(t, npu.Close(), nxp.ErrTimeout)
	close(release)
	require.Eventually(t, func() bool { return npu.Close() == nil }, time.Minute, time.Millisecond)
	require.Equal(t, []string{"init", "prepare", "unprepare", "deinit"}, lib.calls)
}

func TestDriverTimeoutIsATimeout(t *testing.T) {
	lib := &fake{run: func(*nxp.Job) nxp.Status { return nxp.NewStatus(nxp.ComponentDriver, nxp.DriverTimeout, 12) }}
	npu, err := driver.NewNPU(lib)
	require.NoError(t, err)
	m, err := npu.Prepare(model(payload(t), 0))
	require.NoError(t, err)
	require.Equal(t, nxp.DefaultTimeout, lib.model.Timeout)
	err = m.Run(context.Background(), job())
	require.ErrorIs(t, err, nxp.ErrTimeout)
	require.ErrorContains(t, err, "raise the timeout")
}

func TestCancelledRun(t *testing.T) {
	entered, release := make(chan struct{}), make(chan struct{})
	lib := &fake{run: func(*nxp.Job) nxp.Status {
		close(entered)
		<-release
		return 0
	}}
	npu, err := driver.NewNPU(lib)
	require.NoError(t, err)
	m, err := npu.Prepare(model(payload(t), 0))
	require.NoError(t, err)
	ctx, cancel := context.WithCancel(context.Background())
	go func() {
		<-entered
		cancel()
	}()
	err = m.Run(ctx, job())
	require.ErrorIs(t, err, context.Canceled)
	close(release)
	require.NoError(t, npu.Reset(context.Background()))
	require.NoError(t, m.Close())
	require.NoError(t, npu.Close())
}

func TestPrepareFails(t *testing.T) {
	lib := &fake{memory: true, prepare: nxp.NewStatus(nxp.ComponentDriver, nxp.DriverMicrocode, 1)}
	npu, err := driver.NewNPU(lib)
	require.NoError(t, err)
	_, err = npu.Prepare(model(payload(t), 0))
	require.ErrorContains(t, err, "neutronModelPrepare: ")
	require.ErrorContains(t, err, "convert the model with the converter of the installed driver's release")
	require.Zero(t, lib.allocs)
	require.NoError(t, npu.Close())
}

// TestOneAllocationPerJob: on drivers with memory of their own, everything a job touches lies in one allocation.
func TestOneAllocationPerJob(t *testing.T) {
	p := payload(t)
	lib := &fake{memory: true}
	lib.run = func(job *nxp.Job) nxp.Status {
		for i, b := range job.Inputs[0].Bytes[:12] {
			job.Outputs[0].Bytes[i] = b + 1
		}
		return 0
	}
	npu, err := driver.NewNPU(lib)
	require.NoError(t, err)
	require.Zero(t, lib.allocs)
	resident, err := npu.Check(model(p, 0))
	require.NoError(t, err)
	m, err := npu.Prepare(model(p, 0))
	require.NoError(t, err)
	require.Equal(t, 1, lib.allocs)
	require.Equal(t, p.Microcode.Bytes, lib.model.Microcode)
	require.NotSame(t, &p.Microcode.Bytes[0], &lib.model.Microcode[0], "moved into the driver's memory")
	require.Equal(t, []int{int(resident)}, lib.cleaned)

	j := job()
	copy(j.Inputs[0].Bytes, "hello, world")
	require.NoError(t, m.Run(context.Background(), j))
	require.Equal(t, []byte("ifmmp-!xpsme"), j.Outputs[0].Bytes)
	require.Len(t, lib.cleaned, 3, "before and after the run")
	ctx := context.Background()
	lib.cleaned = make([]int, 0, 100)
	require.Zero(t, testing.AllocsPerRun(10, func() { require.NoError(t, m.Run(ctx, j)) }))
	require.NoError(t, m.Close())
	require.Zero(t, lib.allocs)
	require.NoError(t, npu.Close())
}

// TestUnalignedModel: the driver wants 16-byte alignment, which bytes of a file need not have.
func TestUnalignedModel(t *testing.T) {
	p := payload(t)
	odd := func(b []byte) []byte {
		c := append(make([]byte, 1, len(b)+17), b...)[1:]
		if nxp.IsAligned(c) {
			c = append(c[:0:0], append([]byte{0}, c...)...)[1:]
		}
		return c
	}
	lib := &fake{}
	npu, err := driver.NewNPU(lib)
	require.NoError(t, err)
	mod := nxp.Model{Microcode: odd(p.Microcode.Bytes), Weights: odd(p.Weights)}
	require.False(t, nxp.IsAligned(mod.Microcode))
	resident, err := npu.Check(mod)
	require.NoError(t, err)
	require.EqualValues(t, len(mod.Microcode)+len(mod.Weights), resident)
	m, err := npu.Prepare(mod)
	require.NoError(t, err)
	require.True(t, nxp.IsAligned(lib.model.Microcode))
	require.True(t, nxp.IsAligned(lib.model.Weights))
	require.Equal(t, mod.Weights, lib.model.Weights)
	require.NoError(t, m.Close())
	require.NoError(t, npu.Close())
}

func TestGateIsOptional(t *testing.T) {
	npu, err := driver.NewNPU(&fake{})
	require.NoError(t, err)
	require.NoError(t, npu.Suspend())
	require.NoError(t, npu.Resume())
}

func TestOpenWithoutDriver(t *testing.T) {
	_, err := driver.Open("/nowhere/libNeutronDriver.so")
	require.ErrorIs(t, err, driver.ErrMissing)
	require.ErrorContains(t, err, "/nowhere/libNeutronDriver.so")
}
