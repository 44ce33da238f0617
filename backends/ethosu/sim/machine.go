package sim

import (
	"github.com/ptero-rt/ptero/backends/ethosu"
	"github.com/ptero-rt/ptero/backends/ethosu/stream"
	"github.com/ptero-rt/ptero/internal/workers"
)

// machine is the state of the NPU while a stream runs, and the dense buffers that its operations share. All of it is
// allocated when the network is loaded, at the size of the largest operation.
type machine struct {
	pool    *workers.Pool
	vector  vector
	regions [ethosu.RegionCount][]byte
	tables  []byte     // U55, U65: the shared RAM; U85: the table memory
	chain   [8][]int32 // U85's chain buffers
	acc     []int64    // accumulators kept between operations
	flag    bool       // result of the last single-element operation, for branches

	ifm, ifm2 []int32
	padded    []int16 // the packed path's IFM
	preload   []int64
	workers   []worker
}

// worker holds one worker's row.
type worker struct {
	acc []int64
	row []int32

	line   []int16 // a row before upscaling
	tile   []int32 // accumulators of the packed path
	bytes  []byte  // and what comes of them
	pixels [tilePixels]int
}

// reserve grows the sizes of the buffers to what an operation needs.
type reserve struct {
	ifm, ifm2, preload, acc, row int
	padded, line, channels       int
	chain                        [8]int
}

func volume(f *stream.FeatureMap) int { return f.Height * f.Width * f.Depth }

func (r *reserve) add(s *kernelStep) {
	k := s.k
	if s.fast.candidate {
		r.padded = max(r.padded, s.fast.elements())
		r.line = max(r.line, k.IFM.Width*k.IFM.Depth)
		r.channels = max(r.channels, roundUp(k.OFM.Depth, lanes))
	}
	if s.readsIFM() && !s.fast.certain {
		r.ifm = max(r.ifm, volume(&k.IFM))
	}
	if k.HasIFM2 && k.AccInput == stream.AccIFM2 {
		r.preload = max(r.preload, volume(&k.IFM2))
	} else if k.HasIFM2 {
		r.ifm2 = max(r.ifm2, volume(&k.IFM2))
	}
	if k.NoOutput || s.keep || k.AccInput == stream.AccKeep {
		r.acc = max(r.acc, volume(&k.OFM))
	}
	r.row = max(r.row, k.OFM.Width*k.OFM.Depth)
	for _, f := range []*stream.FeatureMap{&k.IFM, &k.IFM2, &k.OFM} {
		if f.Storage == stream.Chained {
			r.chain[f.Region] = max(r.chain[f.Region], volume(f))
		}
	}
}

func newMachine(pool *workers.Pool, v vector, a stream.Accelerator, r reserve) *machine {
	m := &machine{
		pool: pool, tables: make([]byte, a.SharedRAMBytes()), acc: make([]int64, r.acc),
		vector: v, padded: make([]int16, r.padded+paddedSlack),
		ifm: make([]int32, r.ifm), ifm2: make([]int32, r.ifm2), preload: make([]int64, r.preload),
		workers: make([]worker, pool.Size()),
	}
	for i := range m.chain {
		m.chain[i] = make([]int32, r.chain[i])
	}
	for i := range m.workers {
		m.workers[i] = worker{
			acc: make([]int64, r.row), row: make([]int32, r.row), line: make([]int16, r.line),
			tile: make([]int32, max(tilePixels*lanes, r.channels)), bytes: make([]byte, max(tilePixels*lanes, r.channels)),
		}
	}
	return m
}
