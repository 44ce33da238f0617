package pack_test

import (
	"math/rand/v2"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/ptero-rt/ptero/memory/pack"
)

// good is a plan that uses everything a plan can have.
func good() ([]pack.Buffer, []pack.Pool, *pack.Plan) {
	life := func(lower, upper int64) []pack.Interval { return []pack.Interval{{Lower: lower, Upper: upper}} }
	buffers := []pack.Buffer{
		{ID: "a", Live: life(0, 4), Size: 16, Align: 16},
		{ID: "b", Live: life(2, 6), Size: 16, Align: 8, Pools: 1},
		{ID: "c", Live: append(life(0, 1), life(6, 8)...), Size: 32, Align: 8},
		{ID: "d", Size: 8, Fixed: true, Offset: 56, Pools: 2},
		{ID: "e", Live: life(0, 3), Size: 8, Group: 1},
		{ID: "f", Live: life(1, 8), Size: 8, Group: 1, Rel: 4},
	}
	pools := []pack.Pool{{Name: "TCM", Capacity: 48}, {Name: "DDR", Capacity: 64}}
	return buffers, pools, &pack.Plan{Pool: []int{0, 0, 0, 1, 1, 1}, Offsets: []uint64{0, 16, 16, 56, 0, 4}}
}

func TestVerifyFindsEachFault(t *testing.T) {
	buffers, pools, plan := good()
	require.NoError(t, pack.Verify(buffers, pools, plan))
	for _, c := range []struct {
		name  string
		spoil func(b []pack.Buffer, p *pack.Plan)
		want  string
	}{
		{"short", func(b []pack.Buffer, p *pack.Plan) { p.Offsets = p.Offsets[1:] }, "5 offsets for 6 buffers"},
		{"no such pool", func(b []pack.Buffer, p *pack.Plan) { p.Pool[0] = 2 }, `buffer 0 ("a"): pool 2`},
		{"bounds", func(b []pack.Buffer, p *pack.Plan) { p.Offsets[2] = 24 }, `buffer 2 ("c"): bytes [24, 24+32) of TCM, which has 48`},
		{"huge offset", func(b []pack.Buffer, p *pack.Plan) { p.Offsets[2] = 1<<64 - 8 }, `of TCM, which has 48`},
		{"alignment", func(b []pack.Buffer, p *pack.Plan) { p.Offsets[1] = 20 }, `buffer 1 ("b"): offset 20 is not a multiple of its alignment 8`},
		{"overlap", func(b []pack.Buffer, p *pack.Plan) { p.Offsets[1] = 8 }, "overlap [0, 16)"},
		{"overlap in the second interval", func(b []pack.Buffer, p *pack.Plan) { b[1].Live[0].Upper = 7 }, "and both are alive at 6"},
		{"visibility", func(b []pack.Buffer, p *pack.Plan) { b[1].Pools = 2 }, `buffer 1 ("b"): lies in pool 0 (TCM), where it may not`},
		{"fixed", func(b []pack.Buffer, p *pack.Plan) { p.Offsets[3] = 48 }, "but it is fixed at 56"},
		{"always alive", func(b []pack.Buffer, p *pack.Plan) { p.Offsets[4], p.Offsets[5] = 52, 56 }, `overlap`},
		{"rigid", func(b []pack.Buffer, p *pack.Plan) { p.Offsets[5] = 8 }, `buffer 5 ("f"): offset 8 relative to 0 of buffer 4`},
		{"group in two pools", func(b []pack.Buffer, p *pack.Plan) { p.Pool[5], p.Offsets[5] = 0, 40 }, "but its group 1 lies in pool 1"},
	} {
		t.Run(c.name, func(t *testing.T) {
			buffers, pools, plan := good()
			c.spoil(buffers, plan)
			require.ErrorContains(t, pack.Verify(buffers, pools, plan), c.want)
		})
	}
}

func TestVerifyPlacementChecksHeight(t *testing.T) {
	buffers := []pack.Buffer{{Size: 4}, {Size: 4}}
	require.NoError(t, pack.VerifyPlacement(buffers, 8, &pack.Placement{Offsets: []uint64{4, 0}, Height: 8}))
	require.ErrorContains(t, pack.VerifyPlacement(buffers, 8, &pack.Placement{Offsets: []uint64{4, 0}, Height: 7}), "height: want 8, have 7")
	require.Error(t, pack.VerifyPlacement(buffers, 7, &pack.Placement{Offsets: []uint64{4, 0}, Height: 8}))
	require.Error(t, pack.VerifyPlacement(buffers, 8, &pack.Placement{Offsets: []uint64{3, 0}, Height: 7}))
}

// FuzzAssign makes a problem of any bytes, and wants a plan that verifies or a clear refusal.
func FuzzAssign(f *testing.F) {
	f.Add([]byte{3, 8, 0, 2, 4, 1, 1, 3, 4, 2, 2, 5, 6, 0})
	f.Add([]byte{9, 200, 0, 2, 4, 1, 0x81, 3, 4, 2, 0xff, 5, 6, 0, 1, 1, 1, 1})
	f.Fuzz(func(t *testing.T, text []byte) {
		if len(text) < 2 || len(text) > 200 {
			return
		}
		pools := twoPools(uint64(text[0]))
		pools[1].Capacity = uint64(text[1]) * 4
		rng := rand.New(rand.NewPCG(uint64(text[0]), uint64(text[1])))
		var buffers []pack.Buffer
		for text = text[2:]; len(text) >= 4; text = text[4:] {
			lower := int64(text[0] & 31)
			b := pack.Buffer{Live: []pack.Interval{{Lower: lower, Upper: lower + int64(text[1]&15)}}, Size: uint64(text[2] & 63)}
			if text[0]&128 != 0 {
				b.Live = append(b.Live, pack.Interval{Lower: lower + 20, Upper: lower + 22})
			}
			b.Align = 1 << (text[1] >> 5)
			b.Group, b.Rel = int(text[3]&3), uint64(text[3]>>4)
			b.Fixed = text[3]&12 == 12
			b.Offset = uint64(text[3] >> 4)
			b.Pools = pack.PoolSet(text[2] >> 6)
			b.Accesses = []pack.Access{{Read: rng.Uint64N(100), Write: b.Size}}
			buffers = append(buffers, b)
		}
		for _, objective := range []pack.Objective{pack.Traffic, pack.Height} {
			plan, err := pack.Assign(buffers, pools, pack.Options{Steps: 1 << 16, States: 256, Objective: objective})
			if err == nil {
				require.NoError(t, pack.Verify(buffers, pools, plan))
				require.LessOrEqual(t, plan.CostBound, plan.Cost)
			}
		}
	})
}
