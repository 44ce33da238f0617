package executor_test

import (
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/ptero-rt/ptero/executor"
	"github.com/ptero-rt/ptero/internal/ptebuild"
	"github.com/ptero-rt/ptero/memory"
	"github.com/ptero-rt/ptero/pte"
)

// spans links a method and gives its buffers by value.
func spans(t *testing.T, b *ptebuild.Program) map[int]memory.Buffer {
	t.Helper()
	l, err := executor.Link(b.Parse(t), "", executor.Config{Ops: stubs()})
	require.NoError(t, err)
	found := map[int]memory.Buffer{}
	for _, s := range l.Demand().Spans {
		require.Len(t, s.Values, 1)
		found[s.Values[0]] = s
	}
	return found
}

func wantSpan(t *testing.T, found map[int]memory.Buffer, v ptebuild.Value, kind memory.Kind, first, last int) memory.Buffer {
	t.Helper()
	s, ok := found[int(v.Index)]
	require.True(t, ok, "value %d", v.Index)
	require.Equal(t, kind, s.Kind, "value %d", v.Index)
	require.Equal(t, [2]int{first, last}, [2]int{s.First, s.Last}, "value %d", v.Index)
	return s
}

func TestLifetimesOfStraightCode(t *testing.T) {
	b := ptebuild.New()
	m := b.Method("forward")
	x := m.Input(pte.Float, 4)
	a, c, unused := m.Tensor(pte.Float, 4), m.Tensor(pte.Float, 4), m.Tensor(pte.Float, 4)
	inPlace := m.Tensor(pte.Float, 4).At(1, a.Tensor().Alloc.Offset)
	y := m.Tensor(pte.Float, 4)
	one := m.Int(1)
	m.Kernel("aten::add.out", x, x, one, a, a)             // 0
	m.Kernel("aten::add.out", x, x, one, c, c)             // 1
	m.Kernel("aten::add.out", a, a, one, inPlace, inPlace) // 2
	m.Kernel("aten::add.out", inPlace, c, one, y, y)       // 3
	m.Kernel("aten::mul.out", c, c, c, c)                  // 4
	m.Output(y)
	found := spans(t, b)
	require.NotContains(t, found, int(unused.Index))
	wantSpan(t, found, x, memory.IO, 0, 2)
	rigid := wantSpan(t, found, a, memory.Activations, 0, 3)
	require.GreaterOrEqual(t, rigid.Group, 0)
	require.Equal(t, rigid.Group, wantSpan(t, found, inPlace, memory.Activations, 2, 4).Group)
	s := wantSpan(t, found, c, memory.Activations, 1, 5)
	require.Equal(t, -1, s.Group)
	require.EqualValues(t, 3*16, s.Reads)
	require.EqualValues(t, 2*16, s.Writes)
	wantSpan(t, found, y, memory.IO, 3, 5)
}

// What is used inside a loop lives over all of it.
func TestLifetimesOfLoop(t *testing.T) {
	b := ptebuild.New()
	m := b.Method("forward")
	x := m.Input(pte.Float, 4)
	before, inside, after := m.Tensor(pte.Float, 4), m.Tensor(pte.Float, 4), m.Tensor(pte.Float, 4)
	one := m.Int(1)
	m.Kernel("aten::add.out", x, x, one, before, before) // 0
	top := m.Here()
	m.Kernel("aten::add.out", before, x, one, inside, inside) // 1
	m.Kernel("aten::add.out", inside, x, one, inside, inside) // 2
	m.JumpFalseTo(m.Bool(true), top)                          // 3
	m.Kernel("aten::add.out", inside, x, one, after, after)   // 4
	m.Kernel("aten::mul.out", after, after, after, after)     // 5
	found := spans(t, b)
	wantSpan(t, found, before, memory.Activations, 0, 4)
	wantSpan(t, found, inside, memory.Activations, 1, 5)
	wantSpan(t, found, after, memory.Activations, 4, 6)
}

// A move gives a tensor another name: its bytes live as long as somebody uses them under that name.
func TestLifetimesThroughMoves(t *testing.T) {
	b := ptebuild.New()
	m := b.Method("forward")
	x := m.Input(pte.Float, 4)
	sum, product, y, z := m.Tensor(pte.Float, 4), m.Tensor(pte.Float, 4), m.Tensor(pte.Float, 4), m.Tensor(pte.Float, 4)
	one := m.Int(1)
	j := m.JumpFalse(m.Tensor(pte.Bool, 1))           // 0
	m.Kernel("aten::add.out", x, x, one, sum, sum)    // 1
	m.Move(sum, y)                                    // 2
	end := m.JumpFalse(m.Bool(false))                 // 3
	j.Land()                                          //
	m.Kernel("aten::mul.out", x, x, product, product) // 4
	m.Move(product, y)                                // 5
	end.Land()                                        //
	m.Kernel("aten::add.out", x, x, one, x, x)        // 6
	m.Kernel("aten::add.out", y, x, one, z, z)        // 7
	m.Output(z)
	found := spans(t, b)
	wantSpan(t, found, sum, memory.Activations, 1, 8)
	wantSpan(t, found, product, memory.Activations, 4, 8)
	wantSpan(t, found, y, memory.Activations, 2, 8)
}

// A chain of moves, and a view of the last.
func TestLifetimesThroughChains(t *testing.T) {
	b := ptebuild.New()
	m := b.Method("forward")
	x := m.Input(pte.Float, 4)
	a, c, d, v, y := m.Tensor(pte.Float, 4), m.Tensor(pte.Float, 4), m.Tensor(pte.Float, 4), m.Tensor(pte.Float, 4), m.Tensor(pte.Float, 4)
	m.Kernel("aten::mul.out", x, x, a, a)                         // 0
	m.Move(a, c)                                                  // 1
	m.Move(c, d)                                                  // 2
	m.Kernel("executorch_prim::et_view.default", d, m.Ints(4), v) // 3
	m.Kernel("aten::mul.out", x, x, x, x)                         // 4
	m.Kernel("aten::mul.out", v, v, y, y)                         // 5
	m.Output(y)
	found := spans(t, b)
	wantSpan(t, found, a, memory.Activations, 0, 6)
}

// State: content or a name in the file, or read before it is written. A byte buffer that one operator alone names is its
// scratch.
func TestPersistentState(t *testing.T) {
	b := ptebuild.New()
	m := b.Method("forward")
	x := m.Input(pte.Float, 4)
	initial := m.State("", pte.Float, ptebuild.Bytes[float32](1, 2, 3, 4), 4)
	named := m.State("cache", pte.Float, nil, 4)
	old := m.Tensor(pte.Float, 4)
	scratch := m.Tensor(pte.Byte, 100)
	y := m.Tensor(pte.Float, 4)
	undefined, over := m.Tensor(pte.Float, 4), m.Tensor(pte.Float, 8)
	over.At(1, undefined.Tensor().Alloc.Offset)
	m.Kernel("aten::mul.out", x, initial, y, y)
	m.Kernel("aten::copy_", named, y, m.Bool(false), named)
	m.Kernel("aten::mul.out", y, old, y, y)
	m.Kernel("aten::copy_", old, y, m.Bool(false), old)
	m.Kernel("test::temp.out", x, m.Int(1), scratch, y, y)
	m.Kernel("aten::mul.out", y, undefined, y, y)
	m.Kernel("aten::cat.out", m.Tensors(x, x), m.Int(0), over, over)
	m.Output(y)
	found := spans(t, b)
	for _, v := range []ptebuild.Value{initial, named, old} {
		wantSpan(t, found, v, memory.Persistent, 0, 7)
	}
	wantSpan(t, found, undefined, memory.Activations, 5, 6)
	require.Equal(t, "cache", found[int(named.Index)].Label)
	wantSpan(t, found, scratch, memory.Scratch, 4, 5)
}

// F27: two conditionals. The second one's branch was planned over the bytes of the first one's result, which a move still shows.
func TestF27OverlapThroughMove(t *testing.T) {
	for _, wrong := range []bool{true, false} {
		b := ptebuild.New()
		m := b.Method("forward")
		x := m.Input(pte.Float, 4)
		c := m.Tensor(pte.Bool, 1)
		m.Inputs(c)
		one := m.Int(1)
		var results []ptebuild.Value
		for i := range 2 {
			sum, y := m.Tensor(pte.Float, 4), m.Tensor(pte.Float, 4)
			sum.At(1, uint64(1024+16*i))
			if wrong {
				sum.At(1, 1024)
			}
			j := m.JumpFalse(c)
			m.Kernel("aten::add.out", x, x, one, sum, sum)
			m.Move(sum, y)
			j.Land()
			results = append(results, y)
		}
		z := m.Tensor(pte.Float, 4)
		m.Kernel("aten::add.out", results[0], results[1], one, z, z)
		m.Output(z)
		l, err := executor.Link(b.Parse(t), "", executor.Config{Ops: stubs()})
		require.NoError(t, err)
		if !wrong {
			require.Empty(t, l.Warnings())
			continue
		}
		require.Len(t, l.Warnings(), 1)
		require.Contains(t, l.Warnings()[0], "plan[0].instructions[4]: value")
	}
}

// A map writes its result slice by slice: that is not state, though the first instruction to name it has it in front.
func TestFilledInSlices(t *testing.T) {
	b := ptebuild.New()
	m := b.Method("forward")
	x, y, i, done := m.Input(pte.Float, 4), m.Tensor(pte.Float, 2, 4), m.Int(0), m.Bool(false)
	top := m.Here()
	m.Kernel("executorch_prim::et_copy_index.tensor", y, x, i)
	m.Kernel("executorch_prim::add.Scalar", i, m.Int(1), i)
	m.Kernel("executorch_prim::eq.Scalar", i, m.Int(2), done)
	m.JumpFalseTo(done, top)
	z := m.Tensor(pte.Float, 2, 4)
	m.Kernel("aten::mul.out", y, y, z, z)
	m.Output(z)
	s := wantSpan(t, spans(t, b), y, memory.Activations, 0, 5)
	require.EqualValues(t, 2*32, s.Reads)
	require.EqualValues(t, 32, s.Writes)
	require.Equal(t, []float32{1, 4, 9, 16, 1, 4, 9, 16}, run(t, bind(t, host(t), b.Parse(t), "", executor.Config{}), floats(1, 2, 3, 4)))
}

// What every round writes afresh lives from there to its last use, unless a jump of the loop may skip the writing.
func TestLifetimesInsideLoop(t *testing.T) {
	b := ptebuild.New()
	m := b.Method("forward")
	x, y := m.Input(pte.Float, 4), m.Tensor(pte.Float, 4)
	fresh, skipped, changed := m.Tensor(pte.Float, 4), m.Tensor(pte.Float, 4), m.Tensor(pte.Float, 4)
	one := m.Int(1)
	m.Kernel("aten::mul.out", x, x, changed, changed) // 0
	top := m.Here()
	m.Kernel("aten::add.out", x, x, one, fresh, fresh)              // 1
	m.Kernel("aten::copy_", changed, fresh, m.Bool(false), changed) // 2
	j := m.JumpFalse(m.Bool(true))                                  // 3
	m.Kernel("aten::mul.out", x, x, skipped, skipped)               // 4
	j.Land()
	m.Kernel("aten::mul.out", x, skipped, y, y) // 5
	m.JumpFalseTo(m.Bool(true), top)            // 6
	m.Output(y)
	found := spans(t, b)
	wantSpan(t, found, fresh, memory.Activations, 1, 3)
	wantSpan(t, found, skipped, memory.Activations, 1, 7)
	wantSpan(t, found, changed, memory.Activations, 0, 7)
	wantSpan(t, found, x, memory.IO, 0, 7)
	wantSpan(t, found, y, memory.IO, 1, 7)
}

// Exporters leave out views: nobody writes the result, it lies where its source does, which must stay until it was read.
func TestElidedViews(t *testing.T) {
	b := ptebuild.New()
	m := b.Method("forward")
	x := m.Input(pte.Float, 4)
	a, y, z := m.Tensor(pte.Float, 4), m.Tensor(pte.Float, 4), m.Tensor(pte.Float, 4)
	view := m.Tensor(pte.Float, 2, 2).At(1, a.Tensor().Alloc.Offset)
	ofInput := m.Tensor(pte.Float, 2, 2).At(1, x.Tensor().Alloc.Offset)
	state := m.State("s", pte.Float, nil, 4)
	ofState := m.Tensor(pte.Float, 2, 2).At(1, state.Tensor().Alloc.Offset)
	m.Kernel("aten::mul.out", x, x, a, a)
	m.Kernel("aten::mul.out", x, x, y, y)
	m.Kernel("aten::mul.out", ofState, ofInput, z, z)
	m.Kernel("aten::mul.out", view, z, z, z)
	m.Output(y)
	found := spans(t, b)
	wantSpan(t, found, a, memory.Activations, 0, 1)
	wantSpan(t, found, ofState, memory.Persistent, 0, 4)
	require.Equal(t, wantSpan(t, found, view, memory.Activations, 0, 4).Group, found[int(a.Index)].Group)
	require.GreaterOrEqual(t, found[int(a.Index)].Group, 0)
	require.Equal(t, wantSpan(t, found, ofInput, memory.Activations, 0, 3).Group, found[int(x.Index)].Group)
}

// A hand-made program of very many moves is analysed roughly, and in time.
func TestManyMoves(t *testing.T) {
	b := ptebuild.New()
	m := b.Method("forward")
	slots := []ptebuild.Value{m.Input(pte.Float, 4)}
	for range 20_000 {
		slots = append(slots, m.Tensor(pte.Float, 4).At(1, 64))
		m.Move(slots[len(slots)-2], slots[len(slots)-1])
	}
	m.Output(slots[len(slots)-1])
	l, err := executor.Link(b.Parse(t), "", executor.Config{Ops: stubs()})
	require.NoError(t, err)
	require.Len(t, l.Demand().Spans, len(slots))
	require.Empty(t, l.Warnings())
}
