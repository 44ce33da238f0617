package pack_test

import (
	"cmp"
	"fmt"
	"slices"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/ptero-rt/ptero/memory/pack"
)

// graph is a network's activations in the order in which operators make them, one byte an element unless scaled.
type graph struct {
	buffers []pack.Buffer
	reads   []uint64
	scale   uint64
}

// op appends an operator that reads some tensors and writes a new one, whose index it returns.
func (g *graph) op(size int, inputs ...int) int {
	now := int64(len(g.buffers))
	for _, i := range inputs {
		g.buffers[i].Live[0].Upper = now + 1
		g.reads[i]++
	}
	g.buffers = append(g.buffers, pack.Buffer{Live: []pack.Interval{{Lower: now, Upper: now + 1}}, Size: uint64(size) * max(g.scale, 1), Align: 16})
	g.reads = append(g.reads, 0)
	return int(now)
}

// finished returns the buffers with their traffic: one write and all reads, by actor 0.
func (g *graph) finished() []pack.Buffer {
	for i := range g.buffers {
		b := &g.buffers[i]
		b.Accesses = []pack.Access{{Read: b.Size * g.reads[i], Write: b.Size}}
	}
	return g.buffers
}

func mobilenetV2() []pack.Buffer {
	var g graph
	side := 112
	x := g.op(224 * 224 * 3)
	x = g.op(side*side*32, x)
	channels := 32
	for _, s := range [][4]int{{1, 16, 1, 1}, {6, 24, 2, 2}, {6, 32, 3, 2}, {6, 64, 4, 2}, {6, 96, 3, 1}, {6, 160, 3, 2}, {6, 320, 1, 1}} {
		for k := range s[2] {
			y := x
			if s[0] > 1 {
				y = g.op(side*side*channels*s[0], y)
			}
			stride := 1
			if k == 0 {
				stride = s[3]
			}
			side /= stride
			y = g.op(side*side*channels*s[0], y)
			y = g.op(side*side*s[1], y)
			if k > 0 {
				y = g.op(side*side*s[1], x, y)
			}
			x, channels = y, s[1]
		}
	}
	x = g.op(side*side*1280, x)
	x = g.op(1280, x)
	g.op(1000, x)
	return g.finished()
}

func resnet50() []pack.Buffer {
	var g graph
	x := g.op(224 * 224 * 3)
	x = g.op(112*112*64, x)
	x = g.op(56*56*64, x)
	side := 56
	for stage, blocks := range []int{3, 4, 6, 3} {
		width := 64 << stage
		for k := range blocks {
			in := side
			if k == 0 && stage > 0 {
				side /= 2
			}
			y := g.op(in*in*width, x)
			y = g.op(side*side*width, y)
			y = g.op(side*side*width*4, y)
			if k == 0 {
				x = g.op(side*side*width*4, x)
			}
			x = g.op(side*side*width*4, x, y)
		}
	}
	x = g.op(2048, x)
	g.op(1000, x)
	return g.finished()
}

func inceptionV3() []pack.Buffer {
	var g graph
	x := g.op(299 * 299 * 3)
	x = g.op(149*149*32, x)
	x = g.op(147*147*32, x)
	x = g.op(147*147*64, x)
	x = g.op(73*73*64, x)
	x = g.op(73*73*80, x)
	x = g.op(71*71*192, x)
	x = g.op(35*35*192, x)
	branches := func(area, in int, widths ...[]int) {
		var ends []int
		sum := 0
		for _, b := range widths {
			y := x
			for _, w := range b {
				y = g.op(area*w, y)
			}
			ends = append(ends, y)
			sum += b[len(b)-1]
		}
		x = g.op(area*sum, ends...)
	}
	for _, pool := range []int{32, 64, 64} {
		branches(35*35, 0, []int{64}, []int{48, 64}, []int{64, 96, 96}, []int{192, pool})
	}
	branches(17*17, 0, []int{384}, []int{64, 96, 96}, []int{288})
	for _, w := range []int{128, 160, 160, 192} {
		branches(17*17, 0, []int{192}, []int{w, w, 192}, []int{w, w, w, w, 192}, []int{768, 192})
	}
	branches(8*8, 0, []int{192, 320}, []int{192, 192, 192, 192}, []int{768})
	for range 2 {
		branches(8*8, 0, []int{320}, []int{384, 768}, []int{448, 384, 768}, []int{1280, 192})
	}
	g.op(2048, x)
	return g.finished()
}

func transformer() []pack.Buffer {
	g := graph{scale: 4}
	const tokens, width = 64, 384
	x := g.op(tokens * width)
	for range 6 {
		n := g.op(tokens*width, x)
		q, k, v := g.op(tokens*width, n), g.op(tokens*width, n), g.op(tokens*width, n)
		s := g.op(6*tokens*tokens, q, k)
		s = g.op(6*tokens*tokens, s)
		y := g.op(tokens*width, s, v)
		y = g.op(tokens*width, y)
		x = g.op(tokens*width, x, y)
		n = g.op(tokens*width, x)
		y = g.op(4*tokens*width, n)
		y = g.op(4*tokens*width, y)
		y = g.op(tokens*width, y)
		x = g.op(tokens*width, x, y)
	}
	return g.finished()
}

func densenet121() []pack.Buffer {
	var g graph
	x := g.op(224 * 224 * 3)
	x = g.op(112*112*64, x)
	x = g.op(56*56*64, x)
	side, channels := 56, 64
	for stage, layers := range []int{6, 12, 24, 16} {
		features := []int{x}
		for range layers {
			y := g.op(side*side*channels, features...) // the concatenation
			y = g.op(side*side*128, y)
			features = append(features, g.op(side*side*32, y))
			channels += 32
		}
		x = g.op(side*side*channels, features...)
		if stage < 3 {
			channels /= 2
			x = g.op(side*side*channels, x)
			side /= 2
			x = g.op(side*side*channels, x)
		}
	}
	g.op(1000, x)
	return g.finished()
}

// partitioned is a chain of NPU delegates with CPU operators between, each delegate with one large scratch.
func partitioned() []pack.Buffer {
	var g graph
	x := g.op(150528)
	for k, scratch := range []int{1509584, 572448, 310880, 203712, 181168, 180688, 308080, 289216, 187520, 156816, 359376} {
		s := g.op(scratch)
		x = g.op(100352>>(k/3), x, s)
		x = g.op(100352>>(k/3), x)
	}
	return g.finished()
}

// twoPools is a fast pool whose accesses cost nothing and a slow one where a byte costs 1: cost is slow traffic.
func twoPools(fast uint64) []pack.Pool {
	return []pack.Pool{{Name: "SRAM", Capacity: fast, Rates: []pack.Rate{{}}},
		{Name: "DRAM", Capacity: 64 << 20, Rates: []pack.Rate{{ReadTime: 1, WriteTime: 1, ReadEnergy: 1, WriteEnergy: 1}}}}
}

func traffic(b pack.Buffer) uint64 { return b.Accesses[0].Read + b.Accesses[0].Write }

// spill is a planner that fills the fast pool in one order, by live bytes, and returns the traffic left to the slow one.
func spill(buffers []pack.Buffer, fast uint64, key func(pack.Buffer) float64) (slow uint64) {
	order := make([]int, len(buffers))
	for i := range order {
		order[i] = i
	}
	slices.SortStableFunc(order, func(a, b int) int { return cmp.Compare(key(buffers[b]), key(buffers[a])) })
	used := make([]uint64, len(buffers)+1)
	for _, i := range order {
		b := buffers[i]
		fits := true
		for t := b.Live[0].Lower; t < b.Live[0].Upper; t++ {
			fits = fits && used[t]+b.Size <= fast
		}
		if !fits {
			slow += traffic(b)
			continue
		}
		for t := b.Live[0].Lower; t < b.Live[0].Upper; t++ {
			used[t] += b.Size
		}
	}
	return slow
}

func bySize(b pack.Buffer) float64 { return float64(b.Size) }
func byDensity(b pack.Buffer) float64 {
	return float64(traffic(b)) / float64(b.Size) / float64(b.Live[0].Upper-b.Live[0].Lower)
}

var graphs = []struct {
	name   string
	make   func() []pack.Buffer
	fastKB []uint64
}{
	{"mobilenet_v2", mobilenetV2, []uint64{256, 512, 1024}},
	{"resnet50", resnet50, []uint64{512, 1024}},
	{"inception_v3", inceptionV3, []uint64{384, 512}},
	{"transformer", transformer, []uint64{256, 512}},
	{"densenet121", densenet121, []uint64{128, 256, 512}},
	{"partitioned", partitioned, []uint64{512}},
}

func TestAssignTwoPoolTraffic(t *testing.T) {
	for _, g := range graphs {
		buffers := g.make()
		var total uint64
		for _, b := range buffers {
			total += traffic(b)
		}
		share := func(slow uint64) float64 { return 100 - 100*float64(slow)/float64(total) }
		for _, kb := range g.fastKB {
			t.Run(fmt.Sprintf("%s/%d", g.name, kb), func(t *testing.T) {
				pools := twoPools(kb << 10)
				plan, err := pack.Assign(buffers, pools, pack.Options{})
				require.NoError(t, err)
				require.NoError(t, pack.Verify(buffers, pools, plan))
				size, density := spill(buffers, kb<<10, bySize), spill(buffers, kb<<10, byDensity)
				t.Logf("%d buffers: size %.1f %%, density %.1f %%, plan %.2f %%, bound %.2f %%, optimal %v by %s, %d states", len(buffers),
					share(size), share(density), share(plan.Cost), share(plan.CostBound), plan.CostOptimal, plan.Method, plan.States)
				require.LessOrEqual(t, plan.Cost, size)
				require.LessOrEqual(t, plan.Cost, density)
			})
		}
	}
}

func BenchmarkAssign(b *testing.B) {
	for _, g := range graphs {
		buffers := g.make()
		for _, kb := range g.fastKB {
			b.Run(fmt.Sprintf("%s/%d", g.name, kb), func(b *testing.B) {
				for b.Loop() {
					if _, err := pack.Assign(buffers, twoPools(kb<<10), pack.Options{}); err != nil {
						b.Fatal(err)
					}
				}
			})
		}
	}
}
