package plan_test

import (
	"math/rand/v2"
	"path/filepath"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/ptero-rt/ptero"
	"github.com/ptero-rt/ptero/executor"
	"github.com/ptero-rt/ptero/executor/backendtest"
	"github.com/ptero-rt/ptero/fixtures"
	"github.com/ptero-rt/ptero/hal"
	"github.com/ptero-rt/ptero/hal/board"
	"github.com/ptero-rt/ptero/hal/sim"
	"github.com/ptero-rt/ptero/internal/ptebuild"
	"github.com/ptero-rt/ptero/memory/pack"
	"github.com/ptero-rt/ptero/plan"
	"github.com/ptero-rt/ptero/pte"
)

// bare is a backend whose scratch no device sees.
type bare struct{ backendtest.Sum }

type bareDelegate struct{ executor.Delegate }

func (b bare) Init(blob executor.Blob) (executor.Delegate, error) {
	d, err := b.Sum.Init(blob)
	return bareDelegate{d}, err
}

func (d bareDelegate) Arity() executor.Arity {
	a := d.Delegate.Arity()
	for _, f := range a.Forms {
		for k := range f {
			f[k].Device = ""
		}
	}
	return a
}

// odd is y = sum(x); z = sum(y), by two calls of one delegate, the first with scratch in the file; beside them a tensor that
// nobody names, an empty one, a gap in the mem_ids and two tensors that share bytes at an odd distance.
func odd(t *testing.T) *pte.Program {
	b := ptebuild.New()
	m := b.Method("forward")
	x := m.Input(pte.Byte, 48).At(1, 0)
	y, z := m.Tensor(pte.Byte, 48).At(5, 64), m.Tensor(pte.Byte, 48).At(5, 192)
	m.Tensor(pte.Byte, 1000).At(5, 1024) // nobody's
	none := m.Tensor(pte.Byte, 0).At(5, 16)
	joined := m.Tensor(pte.Byte, 48).At(1, 128).Bounded()
	d := m.Backend("SumBackend", backendtest.Blob(1, 1, 48, 0))
	scratch := m.Scratch(100, 7).At(7, 32)
	m.Delegate(d, x, y, scratch)
	m.Delegate(d, y, z)
	m.Kernel("aten::cat.out", m.Tensors(z, none), m.Int(0), joined, joined)
	m.Output(joined)
	return b.Parse(t)
}

func TestOddPrograms(t *testing.T) {
	for name, backend := range map[string]executor.Backend{"device": backendtest.Sum{}, "no device": bare{}} {
		t.Run(name, func(t *testing.T) {
			p := odd(t)
			plans := func(p *pte.Program, o plan.Options) *plan.Result {
				m, err := ptero.New(p, ptero.Backends(backend))
				require.NoError(t, err)
				defer m.Close()
				r, err := m.Plan(o)
				require.NoError(t, err)
				return r
			}
			r := plans(p, plan.Options{Objective: pack.Height})
			require.Equal(t, 2, r.Report.Scratch)
			q := &r.Program.Plans[0]
			require.Len(t, q.BufferBytes, 2)
			require.Zero(t, q.BufferBytes[0])
			require.EqualValues(t, 144, q.BufferBytes[1], "an input, an output and the scratch between them")
			require.Nil(t, q.Values[3].Tensor.Alloc)
			require.Equal(t, pte.Alloc{MemID: 1}, *q.Values[4].Tensor.Alloc)
			calls := q.Chains[0].Instructions
			require.Len(t, calls[0].Args, 3)
			require.Len(t, calls[1].Args, 3)
			require.NotEqual(t, calls[0].Args[2], calls[1].Args[2], "each call has a value of its own")
			require.EqualValues(t, []int32{48}, q.Values[calls[0].Args[2]].Tensor.Sizes, "what the blob wants")

			run := func(p *pte.Program) []byte {
				m, err := ptero.New(p, ptero.Backends(backend))
				require.NoError(t, err)
				defer m.Close()
				f, err := m.Load("")
				require.NoError(t, err)
				defer f.Close()
				in := executor.NewTensor(pte.Byte, []int{48}, nil)
				for i := range in.Data {
					in.Data[i] = byte(i * 3)
				}
				require.NoError(t, f.Set(0, in))
				require.NoError(t, f.Run(t.Context()))
				return append([]byte{}, f.Output(0).Tensor().Data...)
			}
			want := run(p)
			require.Equal(t, want, run(again(t, r.Program)))
			stripped := plans(again(t, r.Program), plan.Options{Strip: true})
			require.Equal(t, want, run(again(t, stripped.Program)))
			require.Len(t, stripped.Program.Plans[0].Chains[0].Instructions[0].Args, 2)
			require.Equal(t, stripped.Program.Plans, plans(p, plan.Options{Strip: true}).Program.Plans)
		})
	}
}

// Tensors that share bytes keep their distance, and on a board with cache lines what a device writes gets whole lines
// where the distance leaves it.
func TestRigidTensors(t *testing.T) {
	b := ptebuild.New()
	m := b.Method("forward")
	x := m.Input(pte.Byte, 64).At(1, 16)
	y, view := m.Tensor(pte.Byte, 64).At(1, 96), m.Tensor(pte.Byte, 32).At(1, 112)
	out := m.Tensor(pte.Byte, 96).At(1, 256).Bounded()
	m.Delegate(m.Backend("SumBackend", backendtest.Blob(1, 1, 64, 0)), x, y)
	m.Kernel("aten::cat.out", m.Tensors(y, view), m.Int(0), out, out)
	m.Output(out)
	p := b.Parse(t)
	profile, err := board.Load("corstone-300")
	require.NoError(t, err)
	for i := range profile.Spec.Pools { // where the NPU sees memory, the backend's device does
		for _, v := range profile.Spec.Pools[i].Views {
			v.Device = "sum"
			profile.Spec.Pools[i].Views = append(profile.Spec.Pools[i].Views, v)
		}
	}
	lines, err := sim.Open(profile.Spec, sim.Options{})
	require.NoError(t, err)
	defer lines.Close()
	host, err := sim.Host()
	require.NoError(t, err)
	defer host.Close()
	for _, b := range []hal.Board{host, lines} {
		for _, strip := range []bool{false, true} {
			model, err := ptero.New(p, ptero.Backends(backendtest.Sum{}), ptero.On(b))
			require.NoError(t, err)
			r, err := model.Plan(plan.Options{Strip: strip})
			require.NoError(t, err)
			v := r.Program.Plans[0].Values
			require.EqualValues(t, 16, v[2].Tensor.Alloc.Offset-v[1].Tensor.Alloc.Offset)
			if b == hal.Board(lines) {
				require.Zero(t, v[0].Tensor.Alloc.Offset%32)
				require.Zero(t, v[1].Tensor.Alloc.Offset%32)
			}
			require.NoError(t, model.Close())
		}
	}
}

// Planned scratch of every accepted form, as other tools may write it.
func TestScratchVariants(t *testing.T) {
	list, err := filepath.Glob(filepath.Join(fixtures.Shared(t, "fixtures", "ethosu", "scratch"), "*+ok_*.pte"))
	require.NoError(t, err)
	for i, path := range list {
		if i%4 != 0 {
			continue
		}
		f, err := pte.Open(path)
		require.NoError(t, err)
		p, err := f.Program()
		require.NoError(t, err)
		check(t, path, p, nil)
		require.NoError(t, f.Close())
	}
}

// Whatever places and sizes a file gives its tensors: it is refused when linked, or gets a plan that holds and stays.
func TestScrambledPlaces(t *testing.T) {
	sources := []*pte.Program{odd(t), ethosProgram(t, "two_delegates_skip.u55-32.ss.pte"), ethosProgram(t, "cond_between.u85-256.so.pte")}
	f, err := pte.Open(fixtures.Path("cpu", "models", "multi_method", "shared_mutable_buffer.bpte"))
	require.NoError(t, err)
	defer f.Close()
	p, err := f.Program()
	require.NoError(t, err)
	sources = append(sources, p)
	linked := 0
	for seed := range uint64(600) {
		rng := rand.New(rand.NewPCG(seed, 6))
		q := sources[seed%uint64(len(sources))].Clone()
		for range 1 + rng.IntN(3) {
			plan := &q.Plans[rng.IntN(len(q.Plans))]
			v := &plan.Values[rng.IntN(len(plan.Values))]
			if v.Tensor == nil || v.Tensor.Alloc == nil {
				continue
			}
			for len(plan.BufferBytes) < 4 {
				plan.BufferBytes = append(plan.BufferBytes, 0)
			}
			at := pte.Alloc{MemID: uint32(1 + rng.IntN(3)), Offset: uint64(rng.IntN(64)) * []uint64{1, 4, 16, 64}[rng.IntN(4)]}
			n, _ := v.Tensor.NBytes()
			plan.BufferBytes[at.MemID] = max(plan.BufferBytes[at.MemID], at.Offset+n)
			v.Tensor.Alloc = &at
		}
		m, err := ptero.New(q, ptero.Backends(backendtest.Sum{}))
		require.NoError(t, err)
		sound := true
		for _, name := range m.Methods() {
			l, err := m.Link(name)
			if sound = sound && err == nil; err == nil {
				require.NoError(t, l.Close())
			}
		}
		if sound {
			linked++
			for _, o := range []plan.Options{{Objective: pack.Height, AliasIO: true}, {Strip: true}} {
				r, err := m.Plan(o)
				require.NoError(t, err, "seed %d", seed)
				first, err := r.File()
				require.NoError(t, err)
				parsed, err := pte.Parse(first)
				require.NoError(t, err)
				next, err := ptero.New(parsed, ptero.Backends(backendtest.Sum{}))
				require.NoError(t, err)
				_, err = next.Link("")
				require.NoError(t, err, "seed %d", seed)
				r, err = next.Plan(o)
				require.NoError(t, err, "seed %d", seed)
				second, err := r.File()
				require.NoError(t, err)
				require.True(t, string(first) == string(second), "seed %d %+v", seed, o)
				require.NoError(t, next.Close())
			}
		}
		require.NoError(t, m.Close())
	}
	t.Logf("%d of 600 linked", linked)
	require.Greater(t, linked, 300)
}
