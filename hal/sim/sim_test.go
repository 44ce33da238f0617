package sim_test

import (
	"bytes"
	"errors"
	"fmt"
	"math/rand/v2"
	"os"
	"runtime/debug"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/ptero-rt/ptero/hal"
	"github.com/ptero-rt/ptero/hal/sim"
)

const kib = 1 << 10

// cached is a board with one cached pool that the NPU sees and one that it does not.
func cached() hal.Spec {
	return hal.Spec{
		Name: "cached",
		Pools: []hal.Pool{
			{Name: "DTCM", Class: hal.TCM, Attr: hal.CPURead | hal.CPUWrite, Base: 0x1000_0000, Size: 4 * kib, Align: 4096},
			{Name: "SRAM", Class: hal.SRAM, Attr: hal.CPURead | hal.CPUWrite | hal.CPUCached, Base: 0x2000_0000, Size: 64*kib + 24, Align: 4096, Line: 32,
				Views: []hal.View{{Device: "npu0", Base: 0x2000_0000, Limit: 64 * kib}}},
		},
		Devices:   []hal.Device{{Name: "npu0", Kind: "ethos-u55-128"}},
		Placement: hal.Placement{Default: 1, Temp: 1, Fast: hal.NoPool, Constants: 1},
	}
}

func open(t testing.TB, spec hal.Spec, o sim.Options) *sim.Board {
	b, err := sim.Open(spec, o)
	require.NoError(t, err)
	t.Cleanup(func() { require.NoError(t, b.Close()) })
	return b
}

func window(t testing.TB, b *sim.Board, id hal.PoolID) hal.Region {
	w, err := b.Window(id)
	require.NoError(t, err)
	return w
}

func TestHost(t *testing.T) {
	b, err := sim.Host()
	require.NoError(t, err)
	w := window(t, b, 0)
	require.EqualValues(t, b.Pools()[0].Size, len(w.Bytes))
	require.Zero(t, w.Addr%4096)
	w.Bytes[len(w.Bytes)-1] = 1 // the last byte is there, the ones before cost nothing
	for _, device := range []string{"ethos-u", "neutron"} {
		d, err := b.DeviceBytes(device, w.Slice(100, 10))
		require.NoError(t, err)
		d[3] = 7
		require.EqualValues(t, 7, w.Bytes[103], "one memory for all")
	}
	r, ok := b.Locate(w.Bytes[500:600])
	require.True(t, ok)
	require.Equal(t, w.Addr+500, r.Addr)
	require.NoError(t, b.Close())
	require.NoError(t, b.Close())
	_, err = b.Window(0)
	require.ErrorIs(t, err, sim.ErrClosed)
	require.ErrorIs(t, b.Sync(r, hal.Clean), sim.ErrClosed)
}

func TestTwoViews(t *testing.T) {
	b := open(t, cached(), sim.Options{})
	w := window(t, b, 1)
	r := w.Slice(40, 10) // bytes 40…49, in the line 32…63
	dev, err := b.DeviceBytes("ethos-u", r)
	require.NoError(t, err)
	for i := range r.Bytes {
		r.Bytes[i] = byte(i + 1)
	}
	w.Bytes[33], w.Bytes[64] = 99, 98
	require.Equal(t, make([]byte, 10), dev, "not cleaned, not there")
	require.NoError(t, b.Sync(r, hal.Clean))
	require.Equal(t, r.Bytes, dev)
	line, err := b.DeviceBytes("npu0", w.Slice(32, 33))
	require.NoError(t, err)
	require.EqualValues(t, 99, line[1], "the whole line goes")
	require.Zero(t, line[32], "the next line does not")

	dev[0] = 50
	require.EqualValues(t, 1, r.Bytes[0], "stale until invalidated")
	require.NoError(t, b.Sync(r, hal.Invalidate))
	require.EqualValues(t, 50, r.Bytes[0])

	w.Bytes[60] = 5 // the CPU changed the line, and drops it with the neighbour's data
	require.NoError(t, b.Sync(r, hal.Invalidate))
	require.Zero(t, w.Bytes[60])
}

// A store of the value that was there before counts as a change after the line was dropped.
func TestStoreOfSameValue(t *testing.T) {
	b := open(t, cached(), sim.Options{})
	r := window(t, b, 1).Slice(0, 32)
	require.NoError(t, b.Sync(r, hal.CleanInvalidate))
	dev, err := b.DeviceBytes("ethos-u", r)
	require.NoError(t, err)
	dev[0] = 9
	r.Bytes[0] = 0 // was 0
	require.NoError(t, b.Sync(r, hal.Clean))
	require.Zero(t, dev[0])
}

func TestVisibility(t *testing.T) {
	b := open(t, cached(), sim.Options{})
	_, err := b.DeviceBytes("ethos-u", window(t, b, 0).Slice(0, 16))
	require.ErrorIs(t, err, sim.ErrNotVisible)
	require.ErrorContains(t, err, "ethos-u has no view of DTCM (0x10000000, 16 B)")
	_, err = b.DeviceBytes("neutron", window(t, b, 1).Slice(0, 16))
	require.ErrorIs(t, err, sim.ErrNotVisible)
	_, err = b.DeviceBytes("ethos-u", window(t, b, 1).Slice(64*kib-8, 16))
	require.ErrorIs(t, err, sim.ErrNotVisible)
	require.ErrorContains(t, err, "reaches 65536 B of SRAM, the region ends at 65544")
	_, err = b.DeviceBytes("ethos-u", hal.Region{Pool: 9})
	require.ErrorIs(t, err, sim.ErrPool)
	require.ErrorIs(t, b.Sync(hal.Region{Pool: 9}, hal.Clean), sim.ErrPool)
	require.Error(t, b.Sync(window(t, b, 1), 0))
	_, err = b.Window(2)
	require.ErrorIs(t, err, sim.ErrPool)
}

// Bytes that are in no window count as loaded into the pool of constants.
func TestLocate(t *testing.T) {
	b := open(t, cached(), sim.Options{})
	file := make([]byte, 64)
	r, ok := b.Locate(file[16:32])
	require.True(t, ok)
	require.EqualValues(t, 1, r.Pool)
	d, err := b.DeviceBytes("ethos-u", r)
	require.NoError(t, err)
	file[16] = 4
	require.EqualValues(t, 4, d[0])
	require.NoError(t, b.Sync(r, hal.Clean))

	spec := cached()
	spec.Placement.Constants = 0
	_, ok = open(t, spec, sim.Options{}).Locate(file)
	require.False(t, ok, "no device reaches that pool")
}

// The byte behind a pool and the byte before it are not there.
func TestGuards(t *testing.T) {
	if os.PathSeparator == '\\' {
		t.Skip("no guard pages here")
	}
	b := open(t, cached(), sim.Options{})
	w := window(t, b, 0) // 4 KiB: ends at a page
	defer debug.SetPanicOnFault(debug.SetPanicOnFault(true))
	touch := func(off int) (err any) {
		defer func() { err = recover() }()
		*sim.Outside(w.Bytes, off) = 1
		return nil
	}
	require.Nil(t, touch(0))
	require.NotNil(t, touch(4*kib))
	require.NotNil(t, touch(-1))
}

func TestTrimAndTraffic(t *testing.T) {
	spec := cached()
	spec.Pools[1].Perf = hal.Perf{ReadBytesPerSecond: 1e9, WriteBytesPerSecond: 1e9, ReadLatencyNs: 64, WriteLatencyNs: 64, BurstBytes: 32, Outstanding: 8}
	b := open(t, spec, sim.Options{})
	w := window(t, b, 1)
	w.Bytes[8*kib] = 1
	require.NoError(t, b.Sync(w, hal.Clean))
	require.NoError(t, b.Trim(w.Slice(8*kib, 4*kib)))
	require.Zero(t, w.Bytes[8*kib])
	require.Error(t, b.Trim(hal.Region{Bytes: make([]byte, 4), Pool: 1}))

	b.Count("npu0", 1, 1000, false)
	b.Count("npu0", 1, 24, true)
	b.Count("cpu", 0, 10, true)
	b.Count("cpu", 77, 10, true)
	got := b.Traffic()
	require.Len(t, got, 3)
	require.Equal(t, "DTCM", got[0].Pool)
	require.Equal(t, sim.Traffic{Pool: "SRAM", Actor: "npu0", ReadBytes: 1000, WrittenBytes: 24, Reads: 1, Writes: 1, EstimatedNanos: 32*64/8.0 + 1000 + 8 + 24}, got[1])
	require.Equal(t, "cache", got[2].Actor)
	require.EqualValues(t, 1, got[2].CleanedLines)
}

func TestClock(t *testing.T) {
	c := open(t, cached(), sim.Options{}).Clock()
	require.EqualValues(t, 1e9, c.Hz())
	require.NotEmpty(t, c.Name())
	a := c.Now()
	for c.Now() == a {
	}
	require.Greater(t, c.Now(), a)
}

// rig is a board, memory laid out as an exporter plans it, and a device that does one job.
//
//	│ weights │ input │ scratch … (was: a dead CPU tensor) … output │ live neighbour │
//
// Offsets are multiples of 16 while lines are 32 bytes, so blocks share lines with their neighbours. Inputs and outputs
// lie outside of the scratch, as Neutron's do, or inside, as Ethos-U's.
type rig struct {
	board                                 *sim.Board
	weights, input, scratch, output, live hal.Region
}

func newRig(t testing.TB, seed uint64, inside bool) *rig {
	b, err := sim.Open(cached(), sim.Options{EvictSeed: seed})
	require.NoError(t, err)
	w, err := b.Window(1)
	require.NoError(t, err)
	r := &rig{board: b, weights: w.Slice(16, 240), input: w.Slice(256, 304), scratch: w.Slice(560, 2000), output: w.Slice(2560, 400), live: w.Slice(2960, 80)}
	if inside {
		r.input, r.output = r.scratch.Slice(1600, 304), r.scratch.Slice(1600, 400)
	}
	return r
}

// device works in steps over what it sees: it copies its input through scratch and mixes the weights in.
func (r *rig) device() error {
	see := func(x hal.Region) []byte {
		b, err := r.board.DeviceBytes("ethos-u", x)
		if err != nil {
			panic(err)
		}
		return b
	}
	in, weights, scratch := see(r.input), see(r.weights), see(r.scratch)
	for i := range 1600 {
		scratch[i] = in[i%len(in)] ^ weights[i%len(weights)]
	}
	r.board.Evict()
	out := see(r.output)
	for i := range out {
		out[i] = scratch[i] + scratch[1200+i] + byte(i)
	}
	r.board.Evict()
	return nil
}

// maintenance is one way to keep the caches honest around a job.
type maintenance interface {
	Before(hal.Board) error
	After(hal.Board) error
}

// run does three jobs between CPU work and says whether a result or a live neighbour was wrong.
func (r *rig) run(m maintenance, seed uint64) (wrong bool) {
	rng := rand.New(rand.NewPCG(seed, 7))
	for i := range r.weights.Bytes {
		r.weights.Bytes[i] = byte(rng.Uint32())
	}
	for range 3 {
		for i := range r.scratch.Bytes { // a CPU tensor that is dead when the job begins
			r.scratch.Bytes[i] = byte(rng.Uint32())
		}
		for i := range r.input.Bytes {
			r.input.Bytes[i] = byte(rng.Uint32())
		}
		for i := range r.live.Bytes {
			r.live.Bytes[i] = byte(rng.Uint32())
		}
		live := bytes.Clone(r.live.Bytes)
		want := make([]byte, len(r.output.Bytes))
		mix := func(i int) byte { return r.input.Bytes[i%304] ^ r.weights.Bytes[i%240] }
		for i := range want {
			want[i] = mix(i) + mix(1200+i) + byte(i)
		}
		if m.Before(r.board) != nil || r.device() != nil || m.After(r.board) != nil {
			return true
		}
		if !bytes.Equal(want, r.output.Bytes) || !bytes.Equal(live, r.live.Bytes) {
			return true
		}
	}
	return false
}

func (r *rig) job() *hal.Job {
	return &hal.Job{Constants: []hal.Region{r.weights}, Inputs: []hal.Region{r.input}, Scratch: []hal.Region{r.scratch}, Outputs: []hal.Region{r.output}}
}

// With full maintenance no eviction does any harm.
func TestAdversarialEviction(t *testing.T) {
	for seed := range uint64(1000) {
		for _, inside := range []bool{false, true} {
			r := newRig(t, seed+1, inside)
			require.False(t, r.run(r.job(), seed), "seed %d", seed)
			require.NoError(t, r.board.Close())
		}
	}
}

// skipping is a board on which one cache-maintenance call is forgotten, told by what it is for.
type skipping struct {
	hal.Board
	skip string
	done []string
}

func (s *skipping) Sync(r hal.Region, d hal.Direction) error {
	call := fmt.Sprintf("%d %#x", d, r.Addr)
	s.done = append(s.done, call)
	if call == s.skip {
		return nil
	}
	return s.Board.Sync(r, d)
}

// without is a Job that forgets one call.
type without struct {
	job  *hal.Job
	call string
}

func (w *without) Before(b hal.Board) error { return w.job.Before(&skipping{Board: b, skip: w.call}) }
func (w *without) After(b hal.Board) error  { return w.job.After(&skipping{Board: b, skip: w.call}) }

// Leaving any one cache-maintenance call out is caught by at least one seed.
func TestEveryMaintenanceCallMatters(t *testing.T) {
	for _, inside := range []bool{false, true} {
		r := newRig(t, 1, inside)
		probe := &skipping{Board: r.board}
		j := r.job()
		require.NoError(t, j.Before(probe))
		require.NoError(t, j.After(probe))
		require.NoError(t, r.board.Close())
		if inside {
			require.Len(t, probe.done, 3, "constants, scratch; outputs")
		} else {
			require.Len(t, probe.done, 5, "constants, inputs, scratch, outputs; outputs")
		}
		for _, call := range probe.done {
			require.True(t, caught(t, call, inside), "nobody misses %s of %v", call, probe.done)
		}
	}
}

func caught(t *testing.T, call string, inside bool) bool {
	for seed := range uint64(1000) {
		r := newRig(t, seed+1, inside)
		wrong := r.run(&without{r.job(), call}, seed)
		require.NoError(t, r.board.Close())
		if wrong {
			return true
		}
	}
	return false
}

func TestJobReportsErrors(t *testing.T) {
	b := open(t, cached(), sim.Options{})
	bad := hal.Region{Bytes: make([]byte, 1), Pool: 9}
	j := &hal.Job{Constants: []hal.Region{bad}}
	require.ErrorIs(t, j.Before(b), sim.ErrPool)
	require.ErrorIs(t, j.Before(b), sim.ErrPool, "constants are not taken for cleaned")
	require.ErrorIs(t, (&hal.Job{Outputs: []hal.Region{bad}}).After(b), sim.ErrPool)
	require.NoError(t, errors.Join((&hal.Job{}).Before(b), (&hal.Job{}).After(b)))
}

func TestJobAllocatesNothing(t *testing.T) {
	r := newRig(t, 0, false)
	j := r.job()
	var b hal.Board = r.board
	require.Zero(t, testing.AllocsPerRun(20, func() {
		if j.Before(b) != nil || j.After(b) != nil {
			panic("sync")
		}
	}))
	require.NoError(t, r.board.Close())
}
