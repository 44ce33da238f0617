package nxp_test

import (
	"context"
	"encoding/binary"
	"errors"
	"fmt"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/ptero-rt/ptero/backends/nxp"
	"github.com/ptero-rt/ptero/backends/nxp/sim"
	"github.com/ptero-rt/ptero/executor"
	"github.com/ptero-rt/ptero/pte"
)

func bytesTensor(n int) *executor.Tensor { return executor.NewTensor(pte.Byte, []int{n}, nil) }

func TestIndexMaps(t *testing.T) {
	b := blank{in: []uint32{4, 8}, out: []uint32{3, 5}, args: 3, maps: []byte{2, 0, 1, 0}}.encode()
	npu := &stubNPU{run: func(job *nxp.Job) error {
		copy(job.Outputs[0].Bytes, job.Inputs[0].Bytes)
		copy(job.Outputs[1].Bytes, job.Inputs[1].Bytes)
		return nil
	}}
	d := delegate(t, npu, b)
	require.Equal(t, 3, d.Arity().In)
	require.Equal(t, 2, d.Arity().Out)
	args := values(
		executor.NewTensor(pte.Char, []int{8}, []byte{10, 11, 12, 13, 14, 15, 16, 17}),
		executor.NewTensor(pte.Float, []int{1}, nil), // used by nobody
		executor.NewTensor(pte.Char, []int{4}, []byte{1, 2, 3, 4}),
		executor.NewTensor(pte.Char, []int{5}, nil),
		executor.NewTensor(pte.Char, []int{3}, nil))
	execute(t, d, args)
	require.Equal(t, []byte{10, 11, 12, 13, 14}, args[3].Tensor().Data)
	require.Equal(t, []byte{1, 2, 3}, args[4].Tensor().Data)

	// The same call with the tensors in the NPU's order is refused, since sizes disagree.
	args[0], args[2] = args[2], args[0]
	_, err := d.Prepare(args)
	require.ErrorContains(t, err, "8 B for the NPU's input 1")
}

// TestDynamicShape: the NPU was built for one size; a run with another must not reach it.
func TestDynamicShape(t *testing.T) {
	npu := &stubNPU{}
	d := delegate(t, npu, blank{in: []uint32{8}, out: []uint32{4}}.encode())
	in := executor.NewTensor(pte.Char, []int{8}, nil)
	in.Dynamism = pte.DynamicBound
	args := values(in, executor.NewTensor(pte.Char, []int{4}, nil))
	execute(t, d, args)
	require.NoError(t, in.Resize(5))
	require.ErrorContains(t, d.Execute(executor.NewScope(nil, 0), args), "want 8 B, found 5 B in sizes [5]")
	require.Equal(t, []string{"prepare", "resume", "run", "suspend"}, npu.calls)
}

// TestLayouts checks when the delegate transposes, and that what the NPU sees and gives is channels last.
func TestLayouts(t *testing.T) {
	count := func(n int) []byte {
		b := make([]byte, n)
		for i := range b {
			b[i] = byte(i)
		}
		return b
	}
	last := func(sizes []int) []byte { // count in the order […, H, W, C]
		out := []byte{}
		r := len(sizes)
		c, hw, outer := sizes[r-3], sizes[r-2]*sizes[r-1], 1
		for _, s := range sizes[:r-3] {
			outer *= s
		}
		for n := range outer {
			for p := range hw {
				for i := range c {
					out = append(out, byte((n*c+i)*hw+p))
				}
			}
		}
		return out
	}
	for _, c := range []struct {
		name  string
		sizes []int
		order []uint8
		flag  byte
		needs int    // transposes, in and out together
		err   string // of Prepare
	}{
		{name: "contiguous without flag", sizes: []int{1, 3, 4, 2}},
		{name: "contiguous with flag", sizes: []int{1, 3, 4, 2}, flag: 1, needs: 2},
		{name: "channels last with flag", sizes: []int{1, 3, 4, 2}, order: []uint8{0, 2, 3, 1}, flag: 1},
		{name: "channels last without flag", sizes: []int{1, 3, 4, 2}, order: []uint8{0, 2, 3, 1}, err: "contiguous dim order"},
		{name: "one channel", sizes: []int{1, 1, 4, 2}, flag: 1},
		{name: "one channel, channels last", sizes: []int{1, 1, 4, 2}, order: []uint8{0, 2, 3, 1}, flag: 1},
		{name: "one position", sizes: []int{1, 5, 1, 1}, flag: 1},
		{name: "batch of two", sizes: []int{2, 3, 4, 2}, flag: 1, needs: 2},
		{name: "rank 3", sizes: []int{3, 4, 2}, flag: 1, needs: 2},
		{name: "rank 5", sizes: []int{1, 2, 3, 2, 2}, flag: 1, needs: 2},
		{name: "rank 2 without flag", sizes: []int{3, 4}},
		{name: "rank 2 with flag", sizes: []int{3, 4}, flag: 1, err: "rank 3 or more"},
		{name: "neither order", sizes: []int{1, 3, 4, 2}, order: []uint8{0, 3, 1, 2}, flag: 1, err: "contiguous or channels-last"},
	} {
		t.Run(c.name, func(t *testing.T) {
			n := 1
			for _, s := range c.sizes {
				n *= s
			}
			order := c.order
			if order == nil {
				for i := range c.sizes {
					order = append(order, uint8(i))
				}
			}
			var seen []byte
			npu := &stubNPU{run: func(job *nxp.Job) error {
				seen = append(seen, job.Inputs[0].Bytes...)
				copy(job.Outputs[0].Bytes, job.Inputs[0].Bytes)
				return nil
			}}
			d := delegate(t, npu, blank{in: []uint32{uint32(n)}, out: []uint32{uint32(n)}, formats: []byte{c.flag, c.flag}}.encode())
			in := executor.NewTensorOrder(pte.Char, c.sizes, order, count(n))
			out := executor.NewTensorOrder(pte.Char, c.sizes, order, nil)
			args := values(in, out)
			needs, err := d.Prepare(args)
			if c.err != "" {
				require.ErrorContains(t, err, c.err)
				return
			}
			require.NoError(t, err)
			require.Len(t, needs, c.needs)
			execute(t, d, args)
			want := count(n)
			if c.needs > 0 {
				want = last(c.sizes)
			}
			require.Equal(t, want, seen)
			require.Equal(t, in.Data, out.Data)
		})
	}
}

func TestLayoutOfWiderElements(t *testing.T) {
	if binary.NativeEndian.Uint16([]byte{0, 1}) == 1 {
		d := delegate(t, &stubNPU{}, blank{in: []uint32{4}, out: []uint32{4}}.encode())
		_, err := d.Prepare(values(executor.NewTensor(pte.Short, []int{2}, nil), executor.NewTensor(pte.Short, []int{2}, nil)))
		require.ErrorContains(t, err, "elements of one byte on a big-endian host")
		return
	}
	for _, d := range []pte.DType{pte.Short, pte.Int, pte.Long} {
		sizes, size := []int{1, 2, 3, 2}, d.Size()
		in := executor.NewTensor(d, sizes, nil)
		for i := range 12 {
			in.Data[i*size] = byte(i)
		}
		npu := &stubNPU{run: func(job *nxp.Job) error {
			for i, want := range []byte{0, 6, 1, 7, 2, 8, 3, 9, 4, 10, 5, 11} {
				if job.Inputs[0].Bytes[i*size] != want {
					return fmt.Errorf("element %d: want %d, found %d", i, want, job.Inputs[0].Bytes[i*size])
				}
			}
			copy(job.Outputs[0].Bytes, job.Inputs[0].Bytes)
			return nil
		}}
		out := executor.NewTensor(d, sizes, nil)
		execute(t, delegate(t, npu, blank{in: []uint32{uint32(12 * size)}, out: []uint32{uint32(12 * size)}, formats: []byte{1, 1}}.encode()), values(in, out))
		require.Equal(t, in.Data, out.Data)
	}
}

func TestClockIsGatedAroundARun(t *testing.T) {
	npu := &stubNPU{}
	d := delegate(t, npu, blank{in: []uint32{4}, out: []uint32{4}}.encode())
	args := values(executor.NewTensor(pte.Char, []int{4}, nil), executor.NewTensor(pte.Char, []int{4}, nil))
	execute(t, d, args)
	require.NoError(t, d.Close())
	require.NoError(t, npu.Close())
	require.Equal(t, []string{"prepare", "resume", "run", "suspend", "unprepare", "close"}, npu.calls)
	require.Equal(t, nxp.DefaultTimeout, npu.models[0].Timeout)
}

// TestHangFaultThenSuccess goes through the executor: a hang keeps the memory away from everybody until the NPU was reset.
func TestHangFaultThenSuccess(t *testing.T) {
	answers := []error{fmt.Errorf("%w after 60 s", nxp.ErrTimeout), nxp.Status(442), nil}
	npu := &stubNPU{}
	npu.run = func(*nxp.Job) error {
		err := answers[0]
		answers = answers[1:]
		return err
	}
	m := load(t, scratchProgram(t, blank{in: []uint32{4}, out: []uint32{4}, scratch: 64}, nil), npu)
	require.NoError(t, m.SetInputTensor(0, executor.NewTensor(pte.Char, []int{4}, nil)))
	ctx := context.Background()

	err := m.Run(ctx)
	require.ErrorIs(t, err, executor.ErrDeviceBusy)
	require.ErrorIs(t, err, nxp.ErrTimeout)

	npu.reset = errors.New("still hangs")
	require.ErrorIs(t, m.Run(ctx), executor.ErrDeviceBusy)
	require.Len(t, answers, 2, "nothing may reach the NPU before it was reset")

	npu.reset = nil
	require.ErrorContains(t, m.Run(ctx), "component 2, category 23, code 1")
	require.NoError(t, m.Run(ctx))
	require.NoError(t, m.Close())
}

func TestClosingWaitsForReset(t *testing.T) {
	npu := &stubNPU{run: func(*nxp.Job) error { return nxp.ErrTimeout }, reset: errors.New("still hangs")}
	d := delegate(t, npu, blank{in: []uint32{4}, out: []uint32{4}}.encode())
	args := values(executor.NewTensor(pte.Char, []int{4}, nil), executor.NewTensor(pte.Char, []int{4}, nil))
	_, err := d.Prepare(args)
	require.NoError(t, err)
	s := executor.NewScope(nil, 0)
	require.ErrorIs(t, d.Execute(s, args), executor.ErrDeviceBusy)
	require.ErrorIs(t, d.Execute(s, args), executor.ErrDeviceBusy)
	require.ErrorIs(t, d.Close(), executor.ErrDeviceBusy)
	npu.reset = nil
	require.NoError(t, d.Close())
	require.NoError(t, npu.Close())
}

// fetched counts what the NPU has copied.
type fetched struct{ bytes, waits int }

func (f *fetched) Copy(dst, src []byte, _ uint32) { f.bytes += copy(dst, src) }
func (f *fetched) Wait(uint32)                    { f.waits++ }

// TestFetch: a microcode with SRAM scratch has its weights copied there, by whom the caller says.
func TestFetch(t *testing.T) {
	b := append([]byte{}, blob(t, "ds_cnn_n3.pte")...)
	binary.LittleEndian.PutUint32(b[16+4*10:], 1000)
	var f fetched
	backend := nxp.NewBackend(sim.New(), 0)
	backend.SetFetch(&f)
	d, err := backend.Init(executor.Blob{Bytes: b})
	require.NoError(t, err)
	in, want := array(t, "ds_cnn_n3.in.npy"), array(t, "ds_cnn_n3.out.npy")
	args := values(executor.NewTensor(pte.Char, []int{1, 1, 49, 10}, in.Data[:490]), executor.NewTensor(pte.Char, []int{1, 12}, nil))
	execute(t, d, args)
	require.Equal(t, want.Data[:12], args[1].Tensor().Data)
	p, err := nxp.ParsePayload(b)
	require.NoError(t, err)
	require.Equal(t, fetched{bytes: len(p.Weights), waits: (len(p.Weights) + 999) / 1000}, f)
	require.NoError(t, d.Close())
}

// TestTeardownOrder closes NPU and method in both orders.
func TestTeardownOrder(t *testing.T) {
	p := program(t, "ds_cnn_n3.pte")
	for _, npuFirst := range []bool{false, true} {
		npu := sim.New()
		m := load(t, p, npu)
		set(t, m, make([]byte, m.Input(0).Tensor().NBytes()))
		require.NoError(t, m.Run(context.Background()))
		if npuFirst {
			require.ErrorContains(t, npu.Close(), "all models closed first")
		}
		require.NoError(t, m.Close())
		require.NoError(t, npu.Close())
	}
}

func TestDetails(t *testing.T) {
	d := delegate(t, sim.New(), blob(t, "mobilenet_n3.pte"))
	_, err := d.Prepare(values(executor.NewTensor(pte.Char, []int{1, 3, 128, 128}, nil), executor.NewTensor(pte.Char, []int{1, 1001}, nil)))
	require.NoError(t, err)
	details := d.(executor.Detailer).Details()
	require.Len(t, details, 30)
	require.Equal(t, "0 conv (first layer) 3x3/2x2 128x128x3 to 64x64x8", details[0].Name)
	var cycles uint64
	for _, step := range details {
		cycles += step.Cycles
	}
	require.InEpsilon(t, 669_000, cycles, 0.001)
}

func TestProfileRecords(t *testing.T) {
	b := blank{version: 1, in: []uint32{4}, out: []uint32{4}, profile: 48}.encode()
	npu := &stubNPU{run: func(job *nxp.Job) error {
		copy(job.Profile.Bytes, []byte{
			0, 2, 0, 0, 10, 0, 0, 0, 0, 2, 0, 0, 20, 0, 0, 0, // no kernel call: belongs to the next
			0, 6, 0x27, 0, 21, 0, 0, 0, 0, 6, 0x27, 0, 90, 0, 0, 0,
			0, 6, 0x2E, 0, 100, 0, 0, 0, 0, 6, 0x2E, 0, 130, 0, 0, 0})
		return nil
	}}
	d := delegate(t, npu, b)
	execute(t, d, values(executor.NewTensor(pte.Char, []int{4}, nil), executor.NewTensor(pte.Char, []int{4}, nil)))
	details := d.(executor.Detailer).Details()
	require.Equal(t, []executor.Detail{{Name: "0 function 0x27", Cycles: 80}, {Name: "1 function 0x2e", Cycles: 30}}, details)
}
