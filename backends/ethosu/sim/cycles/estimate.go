package cycles

import (
	"math"

	"github.com/ptero-rt/ptero/backends/ethosu/stream"
)

// estimator computes the cost of the operations of one stream.
type estimator struct {
	acc       stream.Accelerator
	stage     outputStage
	memory    memories
	bandwidth [ports]float64 // bytes a cycle
}

func newEstimator(a stream.Accelerator, s *System, mode MemoryMode) *estimator {
	e := &estimator{acc: a, stage: outputStageOf(a), memory: memoriesOf(a, s, mode)}
	for _, m := range e.memory {
		e.bandwidth[m.port] = m.bandwidth
	}
	return e
}

// operand is a feature map in the terms of the model.
type operand struct {
	shape
	bits   int
	layout stream.Layout
	memory memory
}

func (e *estimator) operand(f *stream.FeatureMap) operand {
	o := operand{shape{f.Height, f.Width, f.Depth}, f.Bits, f.Layout, e.memory[f.Region&7]}
	switch f.Storage {
	case stream.NoStorage:
		o.memory = e.memory[0] // the compiler keeps scalars with the constants
	case stream.Chained:
		o.memory = e.memory[1]
	}
	return o
}

// transfer returns how many bytes a move of some costs, bursts that are not full counted as full.
func (e *estimator) transfer(o operand, block shape, bytes int, read bool) int {
	cores := e.acc.Cores()
	burst := 0 // bits
	row := block.w * block.c * o.bits
	switch {
	case o.layout == stream.NHCWB16 && o.w*o.bits*2 == block.c:
		burst = row
	case o.layout == stream.NHCWB16 && read:
		burst = 16 * o.bits * block.w
	case o.layout == stream.NHCWB16:
		burst = 16 * o.bits * block.w * cores
	case o.c*o.bits/8 == block.c && (read || block.c <= 16):
		burst = row
	case read:
		burst = o.bits * block.c
	default:
		burst = min(64*8, 16*o.bits*cores, block.c*o.bits)
	}
	return bytes * o.memory.BurstBytes / max(min(o.memory.BurstBytes, burst/8), 1)
}

// blockRead returns the cycles until an IFM block has arrived.
func (e *estimator) blockRead(o operand, block shape) float64 {
	bytes := minShape(o.shape, block).elements() * o.bits / 8
	return float64(o.memory.ReadLatency) + math.Floor(float64(e.transfer(o, block, bytes, true))/o.memory.bandwidth)
}

func (e *estimator) blockWrite(o operand, block shape) float64 {
	bytes := minShape(o.shape, block).elements() * o.bits / 8
	return float64(o.memory.WriteLatency) + math.Floor(float64(e.transfer(o, block, bytes, false))/o.memory.bandwidth)
}

// task is an operation, or several that the compiler made of one, in the terms of the model.
type task struct {
	op            *stream.Op
	ifm, ifm2     operand
	binary        bool
	ofm           operand
	ifmB, ofmB    shape // blocks
	perElement    float64
	biased        bool
	weightLatency int
}

func (e *estimator) task(op *stream.Op) task {
	k := op.Kernel
	t := task{op: op, ifm: e.operand(&k.IFM), ofm: e.operand(&k.OFM), perElement: e.outputCycles(op)}
	t.ofm.h, t.ofm.w, t.ofm.c = k.StoredShape() // the model sets the stored shape against the block as it is
	t.ofmB = shape{k.Block[0], k.Block[1], k.Block[2]}
	t.ifmB = ifmBlock(e.acc, op.Kind, k)
	if k.HasIFM2 {
		t.ifm2 = e.operand(&k.IFM2)
	}
	if k.AccInput == stream.AccIFM2 && k.Pool == stream.PoolNone {
		t.ifm = t.ifm2
	}
	t.binary = k.HasIFM2 && (op.Kind == stream.Elementwise || k.WeightsIFM2)
	if len(k.Weights) > 0 {
		t.biased = true
		t.weightLatency = e.memory[k.Weights[0].Region&7].ReadLatency
	}
	return t
}

// npu returns the cycles that the NPU takes when memory keeps up.
func (e *estimator) npu(t *task) float64 {
	switch t.op.Kind {
	case stream.Elementwise:
		return e.elementwise(t)
	case stream.Resize:
		return 0
	}
	return e.macs(t)
}

func (e *estimator) elementwise(t *task) float64 {
	depth := t.ofm.c
	if t.ofm.layout == stream.NHCWB16 {
		depth = roundUp(depth, 16)
	}
	elements := float64(t.ofm.h * t.ofm.w * depth)
	block := math.Max(e.blockWrite(t.ofm, t.ofmB), e.reads(t))
	command := (block/float64(t.ofmB.elements()) + t.perElement) / 4
	return math.Max(math.Ceil(command*elements), math.Ceil(t.perElement*elements))
}

func (e *estimator) reads(t *task) float64 {
	cycles := e.blockRead(t.ifm, t.ifmB)
	if t.binary {
		cycles = math.Max(cycles, e.blockRead(t.ifm2, t.ifmB))
	}
	return cycles
}

func (e *estimator) macs(t *task) float64 {
	k := t.op.Kernel
	micro := microBlock(e.acc, k)
	block := minShape(t.ofm.shape, t.ofmB)
	if e.acc.Product != stream.U85 && micro.h == 2 && t.op.Kind == stream.Conv && t.ofm.h == 1 && t.ofm.w%2 == 0 && k.Window.Height == 1 {
		micro, block.h = shape{1, 4, 8}, 1
	}
	inBlock := blocksIn(block, micro)
	count := float64(blocksIn(t.ofm.shape, micro).elements()) / float64(inBlock.elements())
	mac := e.macBlock(t, micro, block)
	out := math.Ceil(t.perElement * float64(block.elements()))
	if t.biased {
		out = math.Max(out, float64(10*block.c*t.weightLatency)/256)
	}
	read, write := e.reads(t), e.blockWrite(t.ofm, t.ofmB)
	apart := 0.0
	if count > 1 {
		apart = math.Abs(write - read)
	}
	command := (apart + mac + out) / 4
	m, o := math.Max(mac, command), math.Max(out, command)
	if m > o {
		return math.Floor(math.Floor(m*count)+o) + write + read
	}
	return math.Floor(o*count+m) + write + read
}

// macBlock returns the cycles of the MAC array for one OFM block.
func (e *estimator) macBlock(t *task, micro, block shape) float64 {
	k := t.op.Kernel
	u85 := e.acc.Product == stream.U85
	ifmB := minShape(t.ifm.shape, t.ifmB)
	n := blocksIn(block, micro)
	area := n.h * n.w
	weights := 4 * micro.c // ideal weight decoding
	if u85 {
		weights /= e.acc.Cores()
	}
	part := t.op.Kind == stream.Conv && k.Window.PartKernel && !k.WeightsIFM2
	limit := 8
	if k.WeightsIFM2 {
		limit = 1
	}
	bits := t.ifm.bits
	delay := 2
	wide := k.AccBits > 32
	if wide && e.acc.MACs <= 128 {
		delay = 3
	}
	u5532 := e.acc == stream.Accelerator{Product: stream.U55, MACs: 32}
	if u5532 {
		delay = 3
		if wide {
			delay = 7
		}
	}
	total := 0
	for x := 0; x < k.Window.TapsX(); x += limit {
		for y := 0; y < k.Window.TapsY(); y += limit {
			elements := min(k.Window.TapsX()-x, limit) * min(k.Window.TapsY()-y, limit)
			steps, cycles := 0, 0
			switch {
			case t.op.Kind == stream.Pool && k.Pool != stream.PoolReduceSum:
				steps = 1
				cycles = max(4, elements) * n.elements()
				if !u5532 {
					cycles *= bits / 2
				}
			case t.op.Kind == stream.Depthwise:
				steps = divUp(elements, 4)
				cycles = max(weights, 4*area*bits/8) * steps * n.c
			case part:
				steps = divUp(elements, 4)
				if bits == 16 {
					steps = divUp(elements, 2)
				}
				cycles = max(weights, 4*area) * steps * n.c * divUp(ifmB.c, 8)
			case u85:
				steps = elements
				cycles = max(weights, ifmB.c/8*area) * steps * n.c * bits / 8
			default:
				steps = elements
				cycles = max(weights, 4*area) * steps * n.c
			}
			if k.Sparse {
				cycles /= 2
			}
			wait := 0
			if area == 1 && n.c == 1 {
				wait = delay * steps
			} else if area == 1 && steps > 1 {
				wait = delay * (steps - 1) * n.c
			}
			if u5532 && wide && n.c > 1 && (n.w == 1 || n.h == 1) {
				wait += delay * n.c
			}
			if part {
				wait *= divUp(ifmB.c, 8)
			}
			total += cycles + wait
		}
	}
	if t.op.Kind == stream.Conv || k.Pool == stream.PoolReduceSum && t.op.Kind == stream.Pool {
		total *= divUp(t.ifm.c, ifmB.c)
	}
	if !u85 {
		total /= e.acc.Cores()
	}
	return float64(total)
}

// tableLoad returns the cycles of bringing a look-up table into the NPU, which takes a byte a cycle.
func (e *estimator) tableLoad(t *stream.Transfer) float64 {
	src := e.memory[t.Src.Region&7]
	bytes := float64(t.Src.Bytes)
	from := math.Floor(bytes/e.channel(src)) + float64(src.ReadLatency)
	to := bytes
	if e.acc.Product != stream.U85 {
		to += float64(src.WriteLatency)
	}
	return math.Max(from, to)
}

// prefetch returns the cycles of bringing weights of an operator into the memory that it reads them from.
func (e *estimator) prefetch(o *operator, bytes int) float64 {
	dst := e.memory[o.op.Kernel.Weights[0].Region&7]
	from := math.Floor(float64(bytes)/e.channel(o.source)) + float64(o.source.ReadLatency)
	to := math.Floor(float64(bytes)/dst.bandwidth) + float64(dst.WriteLatency)
	return math.Max(from, to)
}

// channel returns the bytes a cycle that memory-to-memory transfers get: on U85 the read buffers of their channel limit
// how many bursts are under way.
func (e *estimator) channel(m memory) float64 {
	if e.acc.Product != stream.U85 {
		return m.bandwidth
	}
	buffers := map[int]float64{128: 64, 256: 104, 512: 128, 1024: 256, 2048: 256}[e.acc.MACs]
	bursts := math.Min(buffers/math.Max(float64(m.BurstBytes/16), 1), float64(m.MaxReads*m.Ports)*0.8)
	return math.Min(m.bandwidth, float64(m.BurstBytes)*bursts/float64(m.ReadLatency)*0.8)
}
