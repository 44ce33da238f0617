package pack_test

import (
	"math/rand/v2"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/ptero-rt/ptero/memory/pack"
)

// tallest bounds the offsets that bruteHeight tries.
const tallest = 24

// bruteHeight is the least height of a placement, by trying all offsets; 0 if there is none up to tallest.
func bruteHeight(buffers []pack.Buffer) uint64 {
	offsets := make([]uint64, len(buffers))
	for height := uint64(1); height <= tallest; height++ {
		if brutePlace(buffers, offsets, 0, height) {
			return height
		}
	}
	return 0
}

func brutePlace(buffers []pack.Buffer, offsets []uint64, i int, height uint64) bool {
	if i == len(buffers) {
		return true
	}
	b := buffers[i]
	for at := uint64(0); at+b.Size <= height; at += max(b.Align, 1) {
		offsets[i] = at
		if b.Fixed && at != b.Offset {
			continue
		}
		ok := true
		for j := range i {
			c := buffers[j]
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
		want := bruteHeight(buffers)
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
		want := bruteHeight(buffers)
		p, err := pack.Place(buffers, pack.Options{Steps: 1 << 20})
		if err != nil {
			require.Zero(t, want, "%v: %+v", err, buffers)
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
	require.Greater(t, least*100, solved*98)
	require.Greater(t, optimal*100, solved*90)
}
