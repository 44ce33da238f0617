package sim

import (
	"maps"
	"slices"
	"strings"
	"sync"

	"github.com/ptero-rt/ptero/hal"
)

// Traffic is what one actor moved to or from one pool.
type Traffic struct {
	Pool, Actor         string // actor: "cpu", or a device
	ReadBytes           uint64
	WrittenBytes        uint64
	Reads, Writes       uint64  // transactions
	EstimatedNanos      float64 // by the pool's Perf; 0 where unknown
	CleanedLines        uint64  // actor "cache" only
	InvalidatedLines    uint64
	EvictedChangedLines uint64
}

type actorPool struct {
	actor string
	pool  hal.PoolID
}

// traffic counts bytes by pool, actor and direction.
type traffic struct {
	mu    sync.Mutex
	count map[actorPool]*Traffic
}

// Count adds one transaction of an actor to the counters: n bytes read from, or written to, a pool. Simulated devices
// and whoever traces an executor call it.
func (b *Board) Count(actor string, pool hal.PoolID, n uint64, write bool) {
	if int(pool) >= len(b.banks) {
		return
	}
	b.trace.mu.Lock()
	defer b.trace.mu.Unlock()
	k := actorPool{actor, pool}
	c := b.trace.count[k]
	if c == nil {
		c = &Traffic{Pool: b.spec.Pools[pool].Name, Actor: actor}
		b.trace.count[k] = c
	}
	c.EstimatedNanos += transferNanos(b.spec.Pools[pool].Perf, n, write)
	if write {
		c.WrittenBytes += n
		c.Writes++
		return
	}
	c.ReadBytes += n
	c.Reads++
}

// transferNanos is ⌈n/burst⌉ · latency / outstanding + n / bandwidth.
func transferNanos(p hal.Perf, n uint64, write bool) float64 {
	rate, latency := p.ReadBytesPerSecond, p.ReadLatencyNs
	if write {
		rate, latency = p.WriteBytesPerSecond, p.WriteLatencyNs
	}
	if rate == 0 {
		return 0
	}
	t := float64(n) / rate * 1e9
	if p.BurstBytes > 0 {
		bursts := (n + uint64(p.BurstBytes) - 1) / uint64(p.BurstBytes)
		t += float64(bursts) * latency / float64(max(1, p.Outstanding))
	}
	return t
}

// Traffic gives all counters: by pool, then by actor. Cache maintenance is the actor "cache".
func (b *Board) Traffic() []Traffic {
	b.trace.mu.Lock()
	keys := slices.SortedFunc(maps.Keys(b.trace.count), func(x, y actorPool) int {
		if x.pool != y.pool {
			return int(x.pool) - int(y.pool)
		}
		return strings.Compare(x.actor, y.actor)
	})
	var list []Traffic
	for _, k := range keys {
		list = append(list, *b.trace.count[k])
	}
	b.trace.mu.Unlock()
	for i, k := range b.banks {
		if k.cache == nil {
			continue
		}
		k.mu.Lock()
		t := Traffic{Pool: b.spec.Pools[i].Name, Actor: "cache", CleanedLines: k.cleaned, InvalidatedLines: k.invalidated, EvictedChangedLines: k.evicted}
		k.mu.Unlock()
		if t.CleanedLines+t.InvalidatedLines+t.EvictedChangedLines > 0 {
			list = append(list, t)
		}
	}
	return list
}
