package cycles

import (
	"math"

	"github.com/ptero-rt/ptero/backends/ethosu/stream"
)

// outputStage holds how many cycles the output stage takes for an element, by what it does.
type outputStage struct {
	out [8]float64 // U55, U65: by the index that outputU55 computes; U85: by outputU85, six of them
	act [3]float64 // U55, U65: table, clamp, none; U85: plain, and with height and width swapped or width reversed
}

// outputStages holds the figures of Vela 5.1's performance model (regor, architecture/ethosu55 and ethosu85).
func outputStageOf(a stream.Accelerator) outputStage {
	switch a {
	case stream.Accelerator{Product: stream.U55, MACs: 32}:
		return outputStage{[8]float64{2, 3, 3, 3, 4, 6, 1, 2}, [3]float64{1, 1, 0}}
	case stream.Accelerator{Product: stream.U55, MACs: 64}:
		return outputStage{[8]float64{1, 1.5, 1.5, 1.5, 2, 3, 0.5, 1}, [3]float64{1, 1, 0}}
	case stream.Accelerator{Product: stream.U55, MACs: 128}:
		return outputStage{[8]float64{0.75, 1.25, 0.75, 0.75, 1, 1.5, 0.25, 0.5}, [3]float64{1, 0.5, 0}}
	case stream.Accelerator{Product: stream.U65, MACs: 512}:
		return outputStage{[8]float64{0.3125, 0.5625, 0.25, 0.1875, 0.25, 0.375, 0.0625, 0.125}, [3]float64{0.5, 0.125, 0}}
	case stream.Accelerator{Product: stream.U85, MACs: 128}:
		return outputStage{[8]float64{0.5, 0.5, 0.5, 1, 1, 1}, [3]float64{0.5, 1}}
	case stream.Accelerator{Product: stream.U85, MACs: 256}:
		return outputStage{[8]float64{0.25, 0.25, 0.25, 0.5, 0.5, 0.5}, [3]float64{0.25, 0.5}}
	case stream.Accelerator{Product: stream.U85, MACs: 512}:
		return outputStage{[8]float64{0.125, 0.125, 0.25, 0.5, 0.25, 0.25}, [3]float64{0.125, 0.25}}
	case stream.Accelerator{Product: stream.U85, MACs: 1024}:
		return outputStage{[8]float64{0.0625, 0.125, 0.25, 0.5, 0.125, 0.25}, [3]float64{0.0625, 0.125}}
	case stream.Accelerator{Product: stream.U85, MACs: 2048}:
		return outputStage{[8]float64{0.03125, 0.0625, 0.125, 0.25, 0.0625, 0.125}, [3]float64{0.03125, 0.0625}}
	}
	return outputStage{[8]float64{0.625, 1.125, 0.5, 0.375, 0.5, 0.75, 0.125, 0.25}, [3]float64{1, 0.25, 0}}
}

// divideCycles is what U85's output stage takes for a division.
const divideCycles = 33

func (e *estimator) outputCycles(op *stream.Op) float64 {
	if e.acc.Product == stream.U85 {
		return e.outputU85(op)
	}
	return e.outputU55(op)
}

func (e *estimator) outputU55(op *stream.Op) float64 {
	k := op.Kernel
	elementwise := op.Kind == stream.Elementwise
	multiply := elementwise && k.Elementwise == stream.EltMul
	at := 7
	switch {
	case elementwise && k.IFM.Bits == 32 && !k.HasIFM2:
		at = 0
	case elementwise && k.IFM.Bits == 32:
		at = 1
	case multiply && k.OFM.Bits == 32:
		at = 2
	case multiply || !elementwise && k.AccBits == 40:
		at = 3
	case elementwise && (k.Elementwise == stream.EltAdd || k.Elementwise == stream.EltSub):
		at = 5
	case op.Kind == stream.Pool && k.Pool == stream.PoolMax:
		at = 6
	}
	// Vela charges a table's cost where nothing is fused, too.
	return math.Max(e.stage.out[at], e.stage.act[0])
}

func (e *estimator) outputU85(op *stream.Op) float64 {
	k := op.Kernel
	activation := 0
	switch k.Transpose {
	case stream.WHC, stream.WCH, stream.CWH:
		activation = 1
	}
	if k.Reverse == 2 {
		activation = 1
	}
	cost := e.stage.act[activation]
	moved := k.Transpose != stream.HWC || k.Reverse != 0 || k.Activation.Function != stream.ActNone
	if moved && copies(op) { // a transpose, reverse or table by itself
		return cost
	}
	ifmBits := inputBits(k)
	binary := op.Kind == stream.Elementwise && k.HasIFM2
	at := 0
	switch {
	case op.Kind == stream.Elementwise && k.Elementwise == stream.EltDiv:
		return divideCycles
	case k.OFM.Storage == stream.Chained && (k.OFM.Bits == 32 || ifmBits == 32):
		at = 4
	case k.OFM.Bits == 64:
		at = 3
	case binary && ifmBits == 32 && k.OFM.Bits == 32:
		at = 5
	case binary && ifmBits == 32:
		at = 4
	case k.OFM.Bits == 32:
		at = 2
	case k.OFM.Bits == 16:
		at = 1
	}
	if moved {
		return math.Max(cost, e.stage.out[at])
	}
	return e.stage.out[at]
}

// inputBits returns the precision of what is computed on: a null pool computes on what IFM2 preloads.
func inputBits(k *stream.Kernel) int {
	if k.Pool == stream.PoolNone && k.AccInput == stream.AccIFM2 {
		return k.IFM2.Bits
	}
	return k.IFM.Bits
}

// copies reports whether op moves elements without changing them, but for a table.
func copies(op *stream.Op) bool {
	k := op.Kernel
	return op.Kind == stream.Pool && k.Pool != stream.PoolMax && k.Pool != stream.PoolReduceSum && k.Window.Width == 1 && k.Window.Height == 1 &&
		k.GlobalScale && (k.OFMScale.Scale == 1 && k.OFMScale.Shift == 0 || k.OFMScale.Scale == 1<<31+1 && k.OFMScale.Shift == 31)
}
