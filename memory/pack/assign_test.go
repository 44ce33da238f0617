package pack_test

import (
	"errors"
	"math"
	"math/rand/v2"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/ptero-rt/ptero/memory/pack"
)

// randomSpread adds pools, accesses and wishes to small random buffers.
func randomSpread(rng *rand.Rand, rich bool) ([]pack.Buffer, []pack.Pool) {
	pools := make([]pack.Pool, 2+rng.IntN(2))
	for p := range pools {
		pools[p] = pack.Pool{Name: string(rune('a' + p)), Capacity: 2 + rng.Uint64N(6), Rates: make([]pack.Rate, 2)}
		for a := range pools[p].Rates {
			pools[p].Rates[a] = pack.Rate{ReadTime: rng.Uint64N(9), WriteTime: rng.Uint64N(9), ReadEnergy: rng.Uint64N(9), WriteEnergy: rng.Uint64N(9)}
		}
	}
	buffers := randomBuffers(rng, 2+rng.IntN(4), rich)
	for i := range buffers {
		for a := range 1 + rng.IntN(2) {
			buffers[i].Accesses = append(buffers[i].Accesses, pack.Access{Actor: a, Read: rng.Uint64N(9), Write: rng.Uint64N(9)})
		}
		if rng.IntN(4) == 0 {
			buffers[i].Pools = pack.PoolSet(rng.Uint64N(1 << len(pools)))
		}
	}
	return buffers, pools
}

// costOf adds up accesses by hand.
func costOf(b pack.Buffer, p pack.Pool, energy bool) (sum uint64) {
	for _, a := range b.Accesses {
		if energy {
			sum += a.Read*p.Rates[a.Actor].ReadEnergy + a.Write*p.Rates[a.Actor].WriteEnergy
		} else {
			sum += a.Read*p.Rates[a.Actor].ReadTime + a.Write*p.Rates[a.Actor].WriteTime
		}
	}
	return sum
}

// bruteAssign is the least cost of any plan, by trying all pools and all offsets; MaxUint64 if there is no plan.
func bruteAssign(buffers []pack.Buffer, pools []pack.Pool, energy bool) uint64 {
	best := uint64(math.MaxUint64)
	pool := make([]int, len(buffers))
	var try func(i int, cost uint64)
	try = func(i int, cost uint64) {
		if cost >= best {
			return
		}
		if i < len(buffers) {
			for p := range pools {
				same := true
				for j := range i {
					same = same && (buffers[i].Group == 0 || buffers[i].Size == 0 || buffers[j].Size == 0 || buffers[i].Group != buffers[j].Group || pool[j] == p)
				}
				// A buffer without bytes goes to the first pool that will have it.
				if buffers[i].Size == 0 && !buffers[i].Pools.Has(p) {
					continue
				}
				if same && buffers[i].Pools.Has(p) {
					pool[i] = p
					try(i+1, cost+costOf(buffers[i], pools[p], energy))
				}
				if buffers[i].Size == 0 {
					break
				}
			}
			return
		}
		for p := range pools {
			var in []pack.Buffer
			for k := range buffers {
				if pool[k] == p {
					in = append(in, buffers[k])
				}
			}
			if !brutePlace(in, make([]uint64, len(in)), 0, pools[p].Capacity) {
				return
			}
		}
		best = cost
	}
	try(0, 0)
	return best
}

func TestAssignIsExactOnSmallProblems(t *testing.T) {
	rng := rand.New(rand.NewPCG(17, 19))
	var plans, refused, undecided, optimal int
	for n := range 4000 {
		buffers, pools := randomSpread(rng, n%2 == 1)
		opt := pack.Options{Steps: 1 << 20}
		if n%4 > 1 {
			opt.Objective = pack.Energy
		}
		want := bruteAssign(buffers, pools, opt.Objective == pack.Energy)
		plan, err := pack.Assign(buffers, pools, opt)
		if err != nil {
			refused++
			if n%2 == 0 {
				require.ErrorIs(t, err, pack.ErrNoRoom)
			}
			if errors.Is(err, pack.ErrBudget) {
				undecided++
				continue
			}
			require.Equal(t, uint64(math.MaxUint64), want, "%d: %v: %+v %+v", n, err, buffers, pools)
			continue
		}
		plans++
		require.NoError(t, pack.Verify(buffers, pools, plan))
		require.LessOrEqual(t, plan.CostBound, want, "%d: %+v %+v", n, buffers, pools)
		require.GreaterOrEqual(t, plan.Cost, want)
		if n%2 == 0 {
			require.True(t, plan.CostOptimal, "%d: %+v %+v", n, buffers, pools)
		}
		if plan.CostOptimal {
			optimal++
			require.Equal(t, want, plan.Cost, "%d: %+v %+v", n, buffers, pools)
		}
	}
	t.Logf("%d plans, %d proved optimal; %d refused, %d of them undecided", plans, optimal, refused, undecided)
	require.Greater(t, optimal*100, plans*99)
	require.Less(t, undecided*100, refused)
	require.Greater(t, plans, 1000)
	require.Greater(t, refused, 100)
}

// liveBytes is the most bytes alive at once in a pool.
func liveBytes(buffers []pack.Buffer, pool []int, p int) (most uint64) {
	for at := range int64(16) {
		var sum uint64
		for i, b := range buffers {
			for _, v := range b.Live {
				if pool[i] == p && v.Lower <= at && at < v.Upper {
					sum += b.Size
				}
			}
		}
		most = max(most, sum)
	}
	return most
}

func TestAssignHeightKeepsLastPoolsEmpty(t *testing.T) {
	rng := rand.New(rand.NewPCG(23, 29))
	for n := range 2000 {
		buffers, pools := randomSpread(rng, false)
		if n%2 == 0 {
			pools[len(pools)-1].Capacity = 100
		}
		plan, err := pack.Assign(buffers, pools, pack.Options{Objective: pack.Height})
		if err != nil {
			require.ErrorIs(t, err, pack.ErrNoRoom)
			require.Equal(t, uint64(math.MaxUint64), bruteAssign(buffers, pools, false), "%d: %v: %+v %+v", n, err, buffers, pools)
			continue
		}
		require.NoError(t, pack.Verify(buffers, pools, plan))
		last := len(pools) - 1
		have := liveBytes(buffers, plan.Pool, last)
		// All choices of pools by live bytes: none leaves less in the last one, unless it cannot be placed.
		pool := make([]int, len(buffers))
		var try func(i int)
		try = func(i int) {
			if i == len(buffers) {
				if liveBytes(buffers, pool, last) >= have {
					return
				}
				for p := range pools {
					var in []pack.Buffer
					for k := range buffers {
						if pool[k] == p {
							in = append(in, buffers[k])
						}
					}
					if !brutePlace(in, make([]uint64, len(in)), 0, pools[p].Capacity) {
						return
					}
				}
				require.Fail(t, "less is possible", "%d: %d B: %+v %+v", n, have, buffers, pools)
			}
			for p := range pools {
				if buffers[i].Pools.Has(p) {
					pool[i] = p
					try(i + 1)
				}
			}
		}
		try(0)
	}
}

func TestAssignIsDeterministic(t *testing.T) {
	buffers, pools := densenet121(), twoPools(256<<10)
	first, err := pack.Assign(buffers, pools, pack.Options{})
	require.NoError(t, err)
	again, err := pack.Assign(buffers, pools, pack.Options{})
	require.NoError(t, err)
	require.Equal(t, first, again)
}

// With few states the frontier is a beam, and the bound must stay a bound.
func TestAssignWithFewStates(t *testing.T) {
	for _, g := range graphs {
		buffers, pools := g.make(), twoPools(g.fastKB[0]<<10)
		exact, err := pack.Assign(buffers, pools, pack.Options{})
		require.NoError(t, err)
		require.True(t, exact.CostOptimal, g.name)
		for _, states := range []int{1, 2, 5} {
			plan, err := pack.Assign(buffers, pools, pack.Options{States: states})
			require.NoError(t, err)
			require.GreaterOrEqual(t, plan.Cost, exact.Cost)
			require.LessOrEqual(t, plan.CostBound, exact.Cost)
			slow, best := float64(plan.Cost), float64(exact.Cost)
			require.LessOrEqual(t, slow, best*1.01, "%s with %d states", g.name, states)
		}
	}
}

// Random sizes fill a small pool so tightly that live bytes alone promise too much.
func TestAssignWhenPlacingIsHard(t *testing.T) {
	var spilled int
	for seed := range uint64(12) {
		rng := rand.New(rand.NewPCG(31, seed))
		var buffers []pack.Buffer
		for i := range int64(80) {
			b := pack.Buffer{Live: []pack.Interval{{Lower: i / 2, Upper: i/2 + 1 + int64(rng.ExpFloat64()*6)}}, Size: 1 + rng.Uint64N(1000)}
			b.Accesses = []pack.Access{{Read: rng.Uint64N(3000), Write: b.Size}}
			buffers = append(buffers, b)
		}
		pools := twoPools(2500)
		plan, err := pack.Assign(buffers, pools, pack.Options{Steps: 1 << 22})
		require.NoError(t, err)
		require.NoError(t, pack.Verify(buffers, pools, plan))
		require.LessOrEqual(t, plan.CostBound, plan.Cost)
		if plan.Method == "spill" {
			spilled++
		}
	}
	require.Positive(t, spilled, "the test is not hard any more")
}

func TestAssignErrors(t *testing.T) {
	pools := twoPools(64)
	_, err := pack.Assign(nil, nil, pack.Options{})
	require.ErrorContains(t, err, "want 1 to 64, have 0")
	plan, err := pack.Assign(nil, pools, pack.Options{Objective: pack.Height})
	require.NoError(t, err)
	require.True(t, plan.CostOptimal)
	_, err = pack.Assign([]pack.Buffer{{ID: "big", Size: 65, Pools: 1}}, pools, pack.Options{})
	require.ErrorIs(t, err, pack.ErrNoRoom)
	require.ErrorContains(t, err, "buffer 0 (big): no room: no pool that it may lie in has 65 B")
	_, err = pack.Assign([]pack.Buffer{{Size: 8, Pools: 1 << 5}}, pools, pack.Options{})
	require.ErrorIs(t, err, pack.ErrNoRoom)
	_, err = pack.Assign([]pack.Buffer{{Pools: 1 << 5}}, pools, pack.Options{})
	require.ErrorIs(t, err, pack.ErrNoRoom)
	_, err = pack.Assign([]pack.Buffer{{Size: 40, Pools: 1}, {Size: 40, Pools: 1}}, pools, pack.Options{})
	require.ErrorIs(t, err, pack.ErrNoRoom)
	_, err = pack.Assign([]pack.Buffer{{Size: 4, Accesses: []pack.Access{{Read: 1 << 62}}}}, pools, pack.Options{})
	require.ErrorContains(t, err, "cost more than")
}

// The two-bank runs of ExecuTorch 1.5.1's exir/banked_memory_planning.py on MobileNetV2: with banks of SRAM and DRAM it
// used so many bytes of each.
func TestAssignNeverAboveBankedPlanner(t *testing.T) {
	models := loadRows(t)
	require.Equal(t, "mbv2", models[0].Name)
	buffers := models[0].buffers()
	for _, bank := range []struct{ sram, usedSRAM, usedDRAM uint64 }{{2 << 20, 2082304, 9936896}, {512 << 10, 501760, 9936896}} {
		pools := twoPools(bank.sram)
		pools[1].Capacity = 16 << 20
		plan, err := pack.Assign(buffers, pools, pack.Options{Objective: pack.Height})
		require.NoError(t, err)
		require.NoError(t, pack.Verify(buffers, pools, plan))
		t.Logf("SRAM %d of %d, DRAM %d", plan.Pools[0].Height, bank.sram, plan.Pools[1].Height)
		require.Less(t, plan.Pools[1].Height, bank.usedDRAM)
		require.Less(t, plan.Pools[0].Height+plan.Pools[1].Height, bank.usedSRAM+bank.usedDRAM)
	}
}
