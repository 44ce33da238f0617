package executor_test

import (
	"context"
	"encoding/binary"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/ptero-rt/ptero/executor"
	"github.com/ptero-rt/ptero/internal/fault"
	"github.com/ptero-rt/ptero/internal/ptebuild"
	"github.com/ptero-rt/ptero/memory"
	"github.com/ptero-rt/ptero/pte"
)

// counterMethod is y = state + x; state = y.
func counterMethod(b *ptebuild.Program, name string, memID uint32, initial []byte) {
	p := b.Method(name)
	state := p.State("count", pte.Float, initial, 2).At(memID, 0)
	x, y := p.Input(pte.Float, 2), p.Tensor(pte.Float, 2)
	p.Kernel("aten::add.out", state, x, p.Int(1), y, y)
	p.Kernel("aten::copy_", state, y, p.Bool(false), state)
	p.Output(y)
}

// setMethod is state = x.
func setMethod(b *ptebuild.Program, name string, memID uint32) {
	p := b.Method(name)
	state := p.State("count", pte.Float, nil, 2).At(memID, 0)
	x := p.Input(pte.Float, 2)
	p.Kernel("aten::copy_", state, x, p.Bool(false), state)
}

// F53: state lives on from run to run, with a new input buffer each time.
func TestF53StateAcrossRuns(t *testing.T) {
	for _, initial := range [][]byte{nil, ptebuild.Bytes[float32](100, 200)} {
		for _, s := range []memory.Strategy{memory.Static, memory.Dynamic, memory.Shared} {
			b := ptebuild.New()
			counterMethod(b, "forward", 2, initial)
			m := bind(t, host(t), b.Parse(t), "", executor.Config{Strategy: s})
			want := []float32{0, 0}
			if initial != nil {
				want = []float32{100, 200}
			}
			for i := range 4 {
				want[0] += float32(i)
				want[1]++
				require.Equal(t, want, run(t, m, floats(float32(i), 1)), "%v", s)
			}
			a, ok := m.Attribute("count")
			require.True(t, ok)
			require.Equal(t, want, executor.Slice[float32](a))
			_, ok = m.Attribute("coun")
			require.False(t, ok)
		}
	}
}

// F25: methods of one program share a buffer of one name in mem_id 2, and nothing else.
func TestF25SharedState(t *testing.T) {
	for memID, shared := range map[uint32]bool{2: true, 1: false, 3: false} {
		b := ptebuild.New()
		counterMethod(b, "forward", memID, ptebuild.Bytes[float32](100, 200))
		setMethod(b, "set_state", memID)
		p := b.Parse(t)
		space := host(t)
		forward := bind(t, space, p, "forward", executor.Config{})
		require.Equal(t, []float32{101, 202}, run(t, forward, floats(1, 2)))
		set := bind(t, space, p, "set_state", executor.Config{}) // bound later: forward's content stays
		require.Equal(t, []float32{102, 204}, run(t, forward, floats(1, 2)), "mem_id %d", memID)
		require.NoError(t, set.SetInputTensor(0, floats(10, 20)))
		require.NoError(t, set.Run(context.Background()))
		want := []float32{11, 22}
		if !shared {
			want = []float32{103, 206}
		}
		require.Equal(t, want, run(t, forward, floats(1, 2)), "mem_id %d", memID)
		names := map[bool]int{}
		for _, a := range forward.Linked().Demand().Arenas {
			names[a.Share != ""]++
		}
		require.Equal(t, shared, names[true] == 1)

		other := bind(t, space, b.Parse(t), "forward", executor.Config{}) // another load of the file has state of its own
		require.Equal(t, []float32{101, 202}, run(t, other, floats(1, 2)))
	}
}

// Weights from a .ptd: constants, mutable buffers, and all that can be wrong with them.
func TestExternalData(t *testing.T) {
	program := func() *pte.Program {
		b := ptebuild.New()
		p := b.Method("forward")
		w := p.Tensor(pte.Float, 2).Unplanned().External("w")
		s := p.Tensor(pte.Float, 2).External("s")
		x, y := p.Input(pte.Float, 2), p.Tensor(pte.Float, 2)
		p.Kernel("aten::add.out", x, w, p.Int(1), y, y)
		p.Kernel("aten::add.out", y, s, p.Int(1), y, y)
		p.Kernel("aten::copy_", s, y, p.Bool(false), s)
		p.Output(y)
		return b.Parse(t)
	}
	data := func(entries ...pte.Entry) *pte.TensorData {
		d, err := pte.ParseTensorData(ptebuild.TensorData(entries...))
		require.NoError(t, err)
		return d
	}
	entry := func(key string, sizes []int32, xs ...float32) pte.Entry {
		order := make([]uint8, len(sizes))
		for i := range order {
			order[i] = uint8(i)
		}
		return pte.Entry{Key: key, Bytes: ptebuild.Bytes(xs...), Layout: &pte.Layout{DType: pte.Float, Sizes: sizes, DimOrder: order}}
	}
	w, s := entry("w", []int32{2}, 1, 2), entry("s", []int32{2}, 10, 20)
	m := bind(t, host(t), program(), "", executor.Config{Data: []*pte.TensorData{data(w), data(s)}})
	require.Equal(t, []float32{11, 22}, run(t, m, floats(0, 0)))
	require.Equal(t, []float32{12, 24}, run(t, m, floats(0, 0)))

	link := func(d ...*pte.TensorData) error {
		_, err := executor.Link(program(), "", executor.Config{Ops: stubs(), Data: d})
		return err
	}
	err := link()
	require.ErrorIs(t, err, executor.ErrNoData)
	wantCode(t, fault.NotFound, err, `"w"`, `"s"`)
	// S36: the key counts as a whole.
	require.ErrorIs(t, link(data(entry("w1", []int32{2}, 1, 2), entry("", []int32{2}, 1, 2), s)), executor.ErrNoData)
	wantCode(t, fault.InvalidExternalData, link(data(entry("w", []int32{1, 2}, 1, 2), s)), "[2]", "[1 2]")
	blob := w
	blob.Layout = nil
	wantCode(t, fault.InvalidExternalData, link(data(blob, s)), "layout")
	ints := w
	ints.Layout = &pte.Layout{DType: pte.Int, Sizes: []int32{2}, DimOrder: []uint8{0}}
	wantCode(t, fault.InvalidExternalData, link(data(ints, s)), "int32")
	wantCode(t, fault.InvalidArgument, link(data(w, s), data(w)), `"w"`)
}

// S32: a weight among the program's named data that is shorter than the tensor.
func TestS32ShortNamedWeight(t *testing.T) {
	for n, ok := range map[int]bool{4: false, 8: true, 12: true} {
		b := ptebuild.New()
		b.Named("w", append(ptebuild.Bytes[float32](3, 4), 0, 0, 0, 0)[:n])
		p := b.Method("forward")
		x, y := p.Input(pte.Float, 2), p.Tensor(pte.Float, 2)
		p.Kernel("aten::add.out", x, p.Tensor(pte.Float, 2).Unplanned().External("w"), p.Int(1), y, y)
		p.Output(y)
		if !ok {
			_, err := executor.Link(b.Parse(t), "", executor.Config{Ops: stubs()})
			wantCode(t, fault.InvalidExternalData, err, `"w"`, "8 B", "4 B")
			continue
		}
		require.Equal(t, []float32{4, 6}, run(t, bind(t, host(t), b.Parse(t), "", executor.Config{}), floats(1, 2)))
	}
}

// Constants are little-endian in the file and the host's order in memory, and never alias a misaligned window.
func TestConstantsInHostOrder(t *testing.T) {
	file := make([]byte, 1+8)
	binary.LittleEndian.PutUint32(file[1:], 0x01020304)
	binary.LittleEndian.PutUint32(file[5:], 0x05060708)
	b := ptebuild.New()
	p := b.Method("forward")
	p.Output(p.Constant(pte.Int, []byte{0, 0, 0, 0, 0, 0, 0, 0}, 2))
	program := b.Program()
	program.Constants[1] = file[1:]
	m := bind(t, host(t), program, "", executor.Config{})
	require.Equal(t, []int32{0x01020304, 0x05060708}, executor.Slice[int32](m.Output(0).Tensor()))
}

// Unbounded shapes: storage grows outside of the arenas, is counted, and is kept for later runs.
func TestUnboundedShapes(t *testing.T) {
	b := ptebuild.New()
	p := b.Method("forward")
	x := p.Tensor(pte.Byte, 4).Unplanned().Unbounded()
	p.Inputs(x)
	mid, y := p.Tensor(pte.Byte, 4).Unplanned().Unbounded(), p.Tensor(pte.Byte, 4).Unplanned().Unbounded()
	p.Kernel("aten::cat.out", p.Tensors(x, x), p.Int(0), mid, mid)
	p.Kernel("aten::cat.out", p.Tensors(mid, x), p.Int(0), y, y)
	p.Free(mid)
	p.Output(y)
	m := bind(t, host(t), b.Parse(t), "", executor.Config{})
	bytes := func(n int) *executor.Tensor {
		x := executor.NewTensor(pte.Byte, []int{n}, nil)
		for i := range x.Data {
			x.Data[i] = byte(i + 1)
		}
		return x
	}
	for _, n := range []int{2, 100, 0, 5} {
		require.NoError(t, m.SetInputTensor(0, bytes(n)))
		require.NoError(t, m.Run(context.Background()))
		require.Equal(t, []int{3 * n}, m.Output(0).Tensor().Sizes)
		require.Len(t, m.Output(0).Tensor().Data, 3*n)
	}
	require.Equal(t, []byte{1, 2, 3, 4, 5, 1, 2, 3, 4, 5, 1, 2, 3, 4, 5}, m.Output(0).Tensor().Data)
	require.GreaterOrEqual(t, m.GrownBytes(), uint64(500))
	require.Zero(t, testing.AllocsPerRun(10, func() { require.NoError(t, m.Run(context.Background())) }))

	mine := make([]byte, 16)
	require.NoError(t, m.SetOutput(0, mine))
	require.NoError(t, m.Run(context.Background()))
	require.Equal(t, byte(5), mine[14])
	require.NoError(t, m.SetInputTensor(0, bytes(6)))
	wantCode(t, fault.NotSupported, m.Run(context.Background()), "at most 16 elements", "[18]")
	require.NoError(t, m.SetOutput(0, nil))
	require.NoError(t, m.Run(context.Background()))
}

// A view shares bytes with what it views, whatever the file planned for it.
func TestViews(t *testing.T) {
	for name, place := range map[string]func(v ptebuild.Value){
		"unplanned": func(v ptebuild.Value) { v.Unplanned() },
		"same":      func(v ptebuild.Value) { v.At(1, 0) },
		"apart":     func(v ptebuild.Value) {},
	} {
		b := ptebuild.New()
		p := b.Method("forward")
		x, v, y := p.Input(pte.Float, 4).At(1, 0), p.Tensor(pte.Float, 2, 2), p.Tensor(pte.Float, 2, 2)
		place(v)
		p.Kernel("executorch_prim::et_view.default", x, p.Ints(2, 2), v)
		p.Kernel("aten::add.out", v, v, p.Int(1), y, y)
		p.Output(y, v)
		m := bind(t, host(t), b.Parse(t), "", executor.Config{})
		require.Equal(t, []float32{2, 4, 6, 8}, run(t, m, floats(1, 2, 3, 4)), name)
		require.Equal(t, []float32{10, 0, 0, 2}, run(t, m, floats(5, 0, 0, 1)), name)
		require.Equal(t, m.Input(0).Tensor().Addr, m.Output(1).Tensor().Addr)
	}
}

// A mutable buffer that the exporter was told not to plan: the method has bytes for it, zero at first, kept from run to run.
func TestUnplannedState(t *testing.T) {
	b := ptebuild.New()
	p := b.Method("forward")
	x, y := p.Input(pte.Float, 2), p.Tensor(pte.Float, 2)
	state := p.Tensor(pte.Float, 2).Unplanned()
	p.Kernel("aten::add.out", state, x, p.Int(1), y, y)
	p.Kernel("aten::copy_", state, y, p.Bool(false), state)
	p.Output(y)
	m := bind(t, host(t), b.Parse(t), "", executor.Config{})
	require.Equal(t, []float32{1, 2}, run(t, m, floats(1, 2)))
	require.Equal(t, []float32{2, 4}, run(t, m, floats(1, 2)))
	require.Contains(t, m.Linked().Demand().Fixed, memory.Fixed{Kind: memory.Persistent, Label: "value 2", Bytes: 8})
}
