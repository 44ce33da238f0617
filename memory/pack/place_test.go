package pack_test

import (
	"math/rand/v2"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/ptero-rt/ptero/memory/pack"
)

// tallest bounds the offsets that bruteHeight tries.
const tallest = 24

// bruteHeight is the least height of a placement, by trying all offsets; false if there is none up to tallest.
func bruteHeight(buffers []pack.Buffer) (uint64, bool) {
	offsets := make([]uint64, len(buffers))
	for height := uint64(0); height <= tallest; height++ {
		if brutePlace(buffers, offsets, 0, height) {
			return height, true
		}
	}
	return 0, false
}

func brutePlace(buffers []pack.Buffer, offsets []uint64, i int, height uint64) bool {
	if i == len(buffers) {
		return true
	}
	b := buffers[i]
	if b.Size == 0 {
		return brutePlace(buffers, offsets, i+1, height)
	}
	for at := uint64(0); at+b.Size <= height; at += max(b.Align, 1) {
		offsets[i] = at
		if b.Fixed && at != b.Offset {
			continue
		}
		ok := true
		for j := range i {
			c := buffers[j]
			if c.Size == 0 {
				continue
			}
			if b.Group != 0 && b.Group == c.Group {
				ok = ok && at-offsets[j] == b.Rel-c.Rel
				continue
			}
			ok = ok && (!together(b, c) || at+b.Size <= offsets[j] || offsets[j]+c.Size <= at)
		}
		if ok && brutePlace(buffers, offsets, i+1, height) {
			return true
		}
	}
	return false
}

func together(b, c pack.Buffer) bool {
	for _, v := range b.Live {
		for _, w := range c.Live {
			if v.Lower < w.Upper && w.Lower < v.Upper {
				return true
			}
		}
	}
	return false
}

// randomBuffers makes a small problem; rich ones have gaps, alignments, fixed offsets and groups.
func randomBuffers(rng *rand.Rand, n int, rich bool) []pack.Buffer {
	buffers := make([]pack.Buffer, n)
	for i := range buffers {
		b := &buffers[i]
		lower := rng.Int64N(6)
		b.Live = []pack.Interval{{Lower: lower, Upper: lower + 1 + rng.Int64N(4)}}
		b.Size = 1 + rng.Uint64N(4)
		if !rich {
			continue
		}
		if rng.IntN(4) == 0 {
			later := b.Live[0].Upper + rng.Int64N(3)
			b.Live = append(b.Live, pack.Interval{Lower: later, Upper: later + 1 + rng.Int64N(3)})
		}
		b.Align = 1 << rng.IntN(3)
		if rng.IntN(8) == 0 {
			b.Size = 0
		}
		switch rng.IntN(6) {
		case 0:
			b.Fixed, b.Offset = true, b.Align*rng.Uint64N(3)
		case 1, 2:
			b.Group, b.Rel, b.Align = 1, rng.Uint64N(4), 1
		}
	}
	return buffers
}

func TestPlaceIsExactOnSmallProblems(t *testing.T) {
	rng := rand.New(rand.NewPCG(5, 7))
	for range 3000 {
		buffers := randomBuffers(rng, 2+rng.IntN(5), false)
		want, _ := bruteHeight(buffers)
		p, err := pack.Place(buffers, pack.Options{})
		require.NoError(t, err)
		require.NoError(t, pack.VerifyPlacement(buffers, p.Height, p))
		require.True(t, p.Optimal, "%+v", buffers)
		require.Equal(t, want, p.Height, "%+v", buffers)
		_, err = pack.Fit(buffers, want-1, pack.Options{})
		require.ErrorIs(t, err, pack.ErrNoRoom)
	}
}

func TestPlaceOnSmallProblemsWithGapsGroupsAndPins(t *testing.T) {
	rng := rand.New(rand.NewPCG(11, 13))
	var optimal, least, solved int
	for range 3000 {
		buffers := randomBuffers(rng, 2+rng.IntN(4), true)
		want, possible := bruteHeight(buffers)
		p, err := pack.Place(buffers, pack.Options{Steps: 1 << 20})
		if err != nil {
			require.False(t, possible, "%v: %+v", err, buffers)
			continue
		}
		require.NoError(t, pack.VerifyPlacement(buffers, p.Height, p))
		require.LessOrEqual(t, p.LowerBound, want, "%+v", buffers)
		require.GreaterOrEqual(t, p.Height, want, "%+v", buffers)
		solved++
		if p.Height == want {
			least++
		}
		if p.Optimal {
			optimal++
		}
	}
	t.Logf("%d solved, %d of least height, %d proved", solved, least, optimal)
	require.Greater(t, least*100, solved*99)
	require.Greater(t, optimal*100, solved*99)
}

func TestBadBuffers(t *testing.T) {
	life := func(lower, upper int64) []pack.Interval { return []pack.Interval{{Lower: lower, Upper: upper}} }
	for _, c := range []struct {
		name    string
		buffers []pack.Buffer
		want    []string
	}{
		{"all at once", []pack.Buffer{{ID: "x", Live: life(3, 3)}, {Align: 3}, {Size: 1 << 61}, {Group: -1}},
			[]string{"buffer 0 (x): live [3, 3): want lower < upper", "buffer 1: alignment 3: want a power of two", "buffer 2: size", "buffer 3: group -1"}},
		{"overflow", []pack.Buffer{{Size: 1 << 59}, {Size: 1 << 59}, {Size: 1}}, []string{"sizes add up"}},
		{"fixed and aligned", []pack.Buffer{{Size: 1, Align: 8, Fixed: true, Offset: 4}}, []string{"fixed at 4: not a multiple"}},
		{"fixed together", []pack.Buffer{{Size: 2, Fixed: true}, {Size: 2, Fixed: true, Offset: 1}}, []string{"buffer 0 and buffer 1: no room"}},
		{"group below 0", []pack.Buffer{{Size: 1, Group: 1}, {Size: 1, Group: 1, Rel: 8, Fixed: true, Offset: 4}}, []string{"below 0"}},
		{"group fixed twice", []pack.Buffer{{Size: 1, Group: 1, Fixed: true}, {Size: 1, Group: 1, Rel: 8, Fixed: true, Offset: 9}}, []string{"contradicts"}},
		{"group aligned twice", []pack.Buffer{{Size: 1, Group: 1, Align: 8}, {Size: 1, Group: 1, Rel: 4, Align: 8}}, []string{"contradicts"}},
		{"group fixed off", []pack.Buffer{{Size: 1, Group: 1, Fixed: true, Offset: 4}, {Size: 1, Group: 1, Align: 16}}, []string{"alignment is violated"}},
	} {
		t.Run(c.name, func(t *testing.T) {
			_, err := pack.Place(c.buffers, pack.Options{})
			_, assignErr := pack.Assign(c.buffers, []pack.Pool{{Name: "RAM", Capacity: 1 << 60}}, pack.Options{})
			for _, want := range c.want {
				require.ErrorContains(t, err, want)
				require.Error(t, assignErr)
			}
		})
	}
}

// Always-live buffers and none at all.
func TestPlaceEdges(t *testing.T) {
	p, err := pack.Place(nil, pack.Options{})
	require.NoError(t, err)
	require.True(t, p.Optimal)
	require.Zero(t, p.Height)

	buffers := []pack.Buffer{{Size: 3}, {Size: 5, Align: 4, Live: []pack.Interval{{Lower: -1 << 63, Upper: 1<<63 - 1}}}, {Size: 1, Live: []pack.Interval{{Lower: 7, Upper: 8}}}}
	p, err = pack.Place(buffers, pack.Options{})
	require.NoError(t, err)
	require.NoError(t, pack.VerifyPlacement(buffers, p.Height, p))
	require.Equal(t, uint64(9), p.Height) // 5 + 3 fill 8 bytes, the third the ninth
	require.True(t, p.Optimal)
}

func TestPeak(t *testing.T) {
	life := func(lower, upper int64) []pack.Interval { return []pack.Interval{{Lower: lower, Upper: upper}} }
	at, bytes, alive, err := pack.Peak([]pack.Buffer{{Live: life(0, 5), Size: 4}, {Live: life(3, 7), Size: 5, Align: 4}, {Live: life(5, 6), Size: 3, Align: 4},
		{Size: 2, Live: life(4, 9), Group: 1}, {Size: 2, Live: life(4, 9), Group: 1, Rel: 1}, {Live: life(0, 9)}})
	require.NoError(t, err)
	require.Equal(t, int64(4), at)
	require.Equal(t, uint64(12), bytes) // the group's two share a byte
	require.Equal(t, []int{0, 1, 3, 4}, alive)
	at, bytes, alive, err = pack.Peak(nil)
	require.NoError(t, err)
	require.Zero(t, at)
	require.Zero(t, bytes)
	require.Empty(t, alive)
	_, _, _, err = pack.Peak([]pack.Buffer{{Align: 3}})
	require.Error(t, err)
}
