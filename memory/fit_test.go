package memory_test

import (
	"bytes"
	"encoding/json"
	"errors"
	"flag"
	"math/rand/v2"
	"os"
	"path/filepath"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/ptero-rt/ptero/hal"
	"github.com/ptero-rt/ptero/hal/board"
	"github.com/ptero-rt/ptero/hal/haltest"
	"github.com/ptero-rt/ptero/hal/sim"
	"github.com/ptero-rt/ptero/internal/fault"
	"github.com/ptero-rt/ptero/memory"
)

var rewrite = flag.Bool("rewrite", false, "write the golden files again")

func golden(t *testing.T, name, got string) {
	t.Helper()
	path := filepath.Join("testdata", name)
	if *rewrite {
		require.NoError(t, os.MkdirAll("testdata", 0o777))
		require.NoError(t, os.WriteFile(path, []byte(got), 0o666))
	}
	want, err := os.ReadFile(path)
	require.NoError(t, err)
	require.Equal(t, string(want), got)
}

// goldenReport compares a report as scripts see it, with the texts of its violations.
func goldenReport(t *testing.T, name string, r *memory.Report) {
	t.Helper()
	document := struct {
		*memory.Report
		Violations []string `json:"violations,omitempty"`
	}{Report: r}
	for _, v := range r.Violations {
		document.Violations = append(document.Violations, v.Error.Error())
	}
	var text bytes.Buffer
	e := json.NewEncoder(&text)
	e.SetEscapeHTML(false)
	e.SetIndent("", "  ")
	require.NoError(t, e.Encode(document))
	golden(t, name, text.String())
}

func profile(t testing.TB, name string) hal.Spec {
	p, err := board.Load(name)
	require.NoError(t, err)
	return p.Spec
}

// ethosu is a program as Vela and the exporter make it: CPU operators around one delegate, with scratch either planned
// under a mem_id or, with 0, left to the temp arena.
func ethosu(scratchMemID uint32, scratch uint64) memory.Demand {
	d := memory.Demand{
		Method: "forward",
		Arenas: []memory.Arena{{MemID: 1, Bytes: 752640, Align: 16, Devices: []string{"ethos-u"}}},
		Fixed: []memory.Fixed{
			{Kind: memory.Program, Label: "mobilenet_v2.pte", Bytes: 3664896, Share: "f"},
			{Kind: memory.Control, Label: "values and instructions", Bytes: 14336},
		},
		Spans: []memory.Buffer{
			{Label: "input", Kind: memory.IO, MemID: 1, Offset: 0, Bytes: 602112, First: 0, Last: 2, Group: -1},
			{Label: "quantized", Kind: memory.Activations, MemID: 1, Offset: 602112, Bytes: 150528, First: 1, Last: 3, Group: -1, Devices: []string{"ethos-u"}},
			{Label: "output", Kind: memory.IO, MemID: 1, Offset: 0, Bytes: 4000, First: 3, Last: 5, Group: -1},
		},
	}
	if scratchMemID == 0 {
		d.Calls = []memory.Call{{Instruction: 2, Label: "EthosUBackend", Needs: []memory.Need{{Role: "scratch", Bytes: scratch, Align: 16, Class: hal.SRAM, Device: "ethos-u"}}}}
		return d
	}
	d.Spans = append(d.Spans, memory.Buffer{Label: "EthosUBackend scratch", Kind: memory.Scratch, MemID: scratchMemID, Bytes: scratch, First: 2, Last: 3, Group: -1, Class: hal.SRAM, Devices: []string{"ethos-u"}})
	if scratchMemID != 1 {
		d.Arenas = append(d.Arenas, memory.Arena{MemID: scratchMemID, Bytes: scratch, Align: 16, Devices: []string{"ethos-u"}})
	}
	return d
}

func TestReportFits(t *testing.T) {
	l, err := open(t, profile(t, "corstone-300")).Fit(ethosu(0, 1509584))
	require.NoError(t, err)
	r := l.Report("mobilenet_v2.pte")
	goldenReport(t, "fits.json", &r)
}

// The file's scratch does not fit the SRAM: refused with the largest offenders and what would cure it.
func TestReportShort(t *testing.T) {
	l, err := open(t, profile(t, "corstone-300")).Fit(ethosu(0, 2800000))
	require.ErrorIs(t, err, memory.ErrNoSpace)
	require.Equal(t, fault.MemoryAllocationFailed, fault.CodeOf(err))
	r := l.Report("mobilenet_v2.pte")
	goldenReport(t, "short.json", &r)
}

// Every violation comes at once, over all pools and rules.
func TestReportEverything(t *testing.T) {
	s := open(t, small())
	d := memory.Demand{
		Method: "forward",
		Arenas: []memory.Arena{{MemID: 1, Bytes: 6144000}, {MemID: 4, Bytes: 8 * kib, Devices: []string{"ethos-u"}}, {MemID: 7, Bytes: 100}},
		Calls: []memory.Call{
			{Instruction: 3, Label: "EthosUBackend", Needs: []memory.Need{
				{Role: "scratch", Bytes: 8197520, Class: hal.SRAM, Device: "ethos-u"}, {Role: "fast scratch", Place: memory.Fast, Bytes: 32 * kib, Class: hal.SRAM, Device: "ethos-u"}}},
			{Instruction: 4, Label: "NeutronBackend", Needs: []memory.Need{{Role: "scratch", Bytes: 64, Class: hal.AnyClass, Device: "neutron"}}},
		},
		Spans: []memory.Buffer{
			{Label: "EthosUBackend scratch", Kind: memory.Scratch, MemID: 4, Bytes: 8 * kib, First: 3, Last: 4, Class: hal.SRAM, Devices: []string{"ethos-u"}},
			{Label: "fast", Kind: memory.Scratch, MemID: 1, Bytes: 100, First: 3, Last: 4, Class: hal.SRAM, Devices: []string{"ethos-u"}},
		},
	}
	l, err := s.Fit(d)
	var rules []string
	for _, e := range fault.All(err) {
		var f *fault.Error
		require.ErrorAs(t, e, &f)
		rules = append(rules, f.Rule)
	}
	require.ElementsMatch(t, []string{"arena_id", "pool_visibility", "pool_class", "fast_size", "pool_visibility", "pool_capacity", "pool_capacity"}, rules)
	r := l.Report("wrong.pte")
	goldenReport(t, "everything.json", &r)
	_, err = s.Take(l, 0)
	require.Error(t, err)
}

// The owners of a pool add up to what is used, whatever the demand, the strategy and the board; and what Fit says is what
// Take holds and what a run holds.
func TestOwnersAddUp(t *testing.T) {
	for seed := range uint64(300) {
		rng := rand.New(rand.NewPCG(seed, 3))
		s := open(t, small())
		var ds []memory.Demand
		for m := range 1 + rng.IntN(3) {
			d := arenas(string(rune('a'+m)), uint64(rng.IntN(40*kib)), uint64(rng.IntN(4*kib)), uint64(rng.IntN(12*kib)), uint64(rng.IntN(3*kib)))
			d.Strategy = memory.Strategy(rng.IntN(3))
			d.Fixed = []memory.Fixed{{Kind: memory.Program, Label: "file", Bytes: 999, Share: "file"}, {Kind: memory.Control, Label: "values", Bytes: uint64(rng.IntN(500))}}
			d.Calls = []memory.Call{{Instruction: 1, Label: "op", Needs: []memory.Need{{Role: "im2col", Bytes: uint64(rng.IntN(5 * kib))}, {Role: "x", Bytes: uint64(rng.IntN(kib)), Align: 128}, {Role: "fast", Place: memory.Fast, Bytes: uint64(rng.IntN(kib))}}}}
			for i := range d.Arenas {
				a := &d.Arenas[i]
				for range rng.IntN(8) {
					b := memory.Buffer{Label: "t", Kind: memory.Activations, MemID: a.MemID, Offset: uint64(rng.IntN(int(a.Bytes))), First: rng.IntN(9), Group: -1}
					b.Bytes, b.Last = uint64(rng.IntN(int(a.Bytes-b.Offset)+1)), b.First+1+rng.IntN(4)
					if rng.IntN(6) == 0 {
						b.Kind, b.Bytes = memory.Persistent, min(b.Bytes, 64)
					}
					d.Spans = append(d.Spans, b)
				}
			}
			if len(d.Arenas) > 0 && rng.IntN(3) == 0 && m > 0 {
				d.Arenas[0].Share = "state"
			}
			ds = append(ds, d)
		}
		l, err := s.Fit(ds...)
		require.NoError(t, err)
		rep := l.Report("")
		used := map[string]uint64{}
		for _, p := range rep.Pools {
			var sum uint64
			for _, o := range p.Owners {
				sum += o.Bytes
				require.NotEmpty(t, o.Kind)
				require.NotZero(t, o.Bytes)
			}
			require.Equal(t, p.Used, sum)
			require.EqualValues(t, p.Headroom, int64(p.Capacity)-int64(p.Used))
			used[p.Name] = p.Used
		}
		peak := map[string]uint64{}
		for _, h := range take(t, s, ds...) {
			require.NoError(t, h.Enter(bg))
			for _, p := range s.Metrics().Pools {
				peak[p.Name] = max(peak[p.Name], pool(t, s, p.Name).Used)
			}
			h.Leave(memory.Released)
		}
		require.Equal(t, used, peak, "seed %d", seed)
		for _, p := range s.Metrics().Pools {
			require.Equal(t, used[p.Name], p.UsedPeak)
		}
	}
}

// Exactly enough is enough, and a byte less is a violation: for every pool and every kind of need.
func TestToTheByte(t *testing.T) {
	for _, c := range []struct {
		name string
		d    memory.Demand
		pool int
	}{
		{"arena", arenas("a", 4096), 2},
		{"fast arena", arenas("a", 0, 0, 1000), 1},
		{"temp", memory.Demand{Method: "a", Calls: []memory.Call{{Label: "op", Needs: []memory.Need{{Role: "x", Bytes: 777}}}}}, 1},
		{"two temps", memory.Demand{Method: "a", Calls: []memory.Call{{Label: "op", Needs: []memory.Need{{Role: "x", Bytes: 100}, {Role: "y", Bytes: 64}}}}}, 1},
		{"fixed", memory.Demand{Method: "a", Fixed: []memory.Fixed{{Kind: memory.Constants, Bytes: 1234}}}, 2},
	} {
		l, err := open(t, small()).Fit(c.d)
		require.NoError(t, err)
		need := l.Report("").Pools[c.pool].Used
		for short := range uint64(2) {
			spec := small()
			spec.Pools[c.pool].Size = need - short
			s := open(t, spec)
			_, err := s.Fit(c.d)
			if short == 0 {
				require.NoError(t, err, c.name)
				take(t, s, c.d)
				continue
			}
			require.ErrorIs(t, err, memory.ErrNoSpace, c.name)
			require.ErrorContains(t, err, ", 1 B short", c.name)
			require.ErrorContains(t, err, "1 B more of "+spec.Pools[c.pool].Name, c.name)
		}
	}
}

// Sizes of a damaged file do not wrap around.
func TestHugeSizes(t *testing.T) {
	const huge = ^uint64(0)
	for _, d := range []memory.Demand{
		arenas("a", huge), arenas("a", huge-15), arenas("a", huge, huge, huge),
		{Method: "a", Calls: []memory.Call{{Label: "x", Needs: []memory.Need{{Bytes: huge}, {Bytes: huge}}}}},
		{Method: "a", Calls: []memory.Call{{Label: "x", Needs: []memory.Need{{Bytes: huge - 62}, {Bytes: 100}}}}},
		{Method: "a", Fixed: []memory.Fixed{{Kind: memory.Program, Bytes: huge}, {Kind: memory.Constants, Bytes: huge}}},
		with(arenas("a", huge), memory.Dynamic), with(arenas("a", huge, huge), memory.Shared),
	} {
		l, err := open(t, small()).Fit(d)
		require.ErrorIs(t, err, memory.ErrNoSpace)
		r := l.Report("")
		require.NotEmpty(t, r.Violations)
	}
}

// Two methods hold the same bytes only where both name the same share.
func TestShares(t *testing.T) {
	s := open(t, small())
	a, b, c := arenas("a", 4*kib, 1*kib), arenas("b", 4*kib, 2*kib), arenas("c", 4*kib, 1*kib)
	a.Arenas[1].Share, b.Arenas[1].Share = "state", "state"
	hs := take(t, s, a, b, c)
	require.Equal(t, mustArena(t, hs[0], 2).Addr, mustArena(t, hs[1], 2).Addr)
	require.NotEqual(t, mustArena(t, hs[0], 2).Addr, mustArena(t, hs[2], 2).Addr)
	mustArena(t, hs[0], 2).Bytes[0] = 3
	require.EqualValues(t, 3, mustArena(t, hs[1], 2).Bytes[0])
	require.EqualValues(t, 12*kib+2*kib+1*kib, pool(t, s, "DDR").Used)
	require.NoError(t, hs[0].Release())
	require.EqualValues(t, 3, mustArena(t, hs[1], 2).Bytes[0])
	require.NoError(t, hs[1].Release())
	require.EqualValues(t, 5*kib, pool(t, s, "DDR").Used)

	require.NoError(t, hs[2].Release())
	one := take(t, s, a)[0]
	l, err := s.Fit(b)
	if err == nil {
		_, err = s.Take(l, 0)
	}
	require.ErrorIs(t, err, memory.ErrNoSpace, "a share does not grow under its holder")
	require.NoError(t, one.Release())
}

// A layout for which others took the room since is refused, and nothing stays held.
func TestTakeTooLate(t *testing.T) {
	s := open(t, small())
	d := arenas("a", 200*kib, 0, 40*kib)
	first, err := s.Fit(d)
	require.NoError(t, err)
	second, err := s.Fit(d)
	require.NoError(t, err)
	_, err = s.Take(first, 0)
	require.NoError(t, err)
	used := pool(t, s, "DDR").Used
	_, err = s.Take(second, 0)
	require.ErrorIs(t, err, memory.ErrNoSpace)
	require.Len(t, fault.All(err), 2, "both pools are named")
	require.Equal(t, used, pool(t, s, "DDR").Used)
	_, err = s.Take(first, 1)
	require.Error(t, err)
}

// Bytes that a board reserves for others are never handed out.
func TestReservedBytes(t *testing.T) {
	spec := small()
	spec.Pools[1].Reserved = []hal.Span{{Offset: 0, Size: 4 * kib}, {Offset: 32 * kib, Size: 4 * kib}}
	s := open(t, spec)
	var hs []*memory.Holding
	for {
		l, err := s.Fit(arenas("a", 0, 0, 3*kib))
		if errors.Is(err, memory.ErrNoSpace) {
			break
		}
		require.NoError(t, err)
		h, err := s.Take(l, 0)
		require.NoError(t, err)
		hs = append(hs, h)
	}
	require.Len(t, hs, 9+9)
	for _, h := range hs {
		off := mustArena(t, h, 3).Addr - 0x2000_0000
		require.False(t, off < 4*kib || off+3*kib > 32*kib && off < 36*kib, "%#x", off)
	}
}

// An arena that a device uses lies where the device reaches.
func TestViewLimit(t *testing.T) {
	spec := small()
	spec.Pools[1].Views[0].Limit = 16 * kib
	s := open(t, spec)
	d := arenas("npu", 0, 0, 12*kib)
	d.Arenas[0].Devices = []string{"ethos-u"}
	hs := take(t, s, d)
	require.EqualValues(t, 0x2000_0000, mustArena(t, hs[0], 3).Addr)
	take(t, s, arenas("cpu", 0, 0, 12*kib))
	_, err := s.Fit(d)
	require.ErrorContains(t, err, "within the device's reach")
}

// Several methods that together need too much are told that sharing would do.
func TestSharingAsCure(t *testing.T) {
	s := open(t, small())
	_, err := s.Fit(arenas("a", 0, 0, 40*kib), arenas("b", 0, 0, 40*kib))
	require.ErrorContains(t, err, "--strategy shared")
	_, err = s.Fit(with(arenas("a", 0, 0, 40*kib), memory.Shared), with(arenas("b", 0, 0, 40*kib), memory.Shared))
	require.NoError(t, err)
}

// Whichever call of the board fails, taking memory fails with it, holds nothing, and works afterwards.
func TestBoardFaults(t *testing.T) {
	for n := 1; ; n++ {
		b, err := sim.Open(small(), sim.Options{})
		require.NoError(t, err)
		f := haltest.NewFaulty(b, n)
		s := memory.NewSpace(f)
		l, err := s.Fit(arenas("a", 1*kib, 0, 1*kib, 1*kib))
		require.NoError(t, err)
		h, err := s.Take(l, 0)
		if err != nil {
			require.ErrorIs(t, err, haltest.ErrInjected)
			require.Equal(t, fault.AccessFailed, fault.CodeOf(err))
			require.Zero(t, pool(t, s, "DDR").Used)
			h, err = s.Take(l, 0)
		}
		require.NoError(t, err)
		require.NoError(t, h.Release())
		require.NoError(t, b.Close())
		if f.Calls() < n {
			break
		}
	}
}
