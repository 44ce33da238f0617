package nxp

import (
	"encoding/binary"
	"errors"
	"fmt"
	"strings"

	"github.com/ptero-rt/ptero/executor"
	"github.com/ptero-rt/ptero/hal"
	"github.com/ptero-rt/ptero/internal/fault"
)

var bigEndian = binary.NativeEndian.Uint16([]byte{0, 1}) == 1

// board is where a delegate's memory lies; the zero value is plain host memory.
type board struct {
	board     hal.Board
	simulated hal.Simulated // nil on hardware
	views     []hal.View    // of each pool, as the NPU sees it
	bases     []uint64      // of each pool, as the CPU sees it
}

func (b *board) bind(to hal.Board) {
	*b = board{board: to}
	if to == nil {
		return
	}
	b.simulated, _ = to.(hal.Simulated)
	pools := to.Pools()
	for i := range pools {
		view, _ := hal.ViewOf(to, hal.PoolID(i), Device)
		b.views, b.bases = append(b.views, view), append(b.bases, pools[i].Base)
	}
}

// device says where a region lies on the board, and what it is to the NPU.
func (b *board) device(r hal.Region) (located hal.Region, seen Region, err error) {
	if b.board == nil || len(r.Bytes) == 0 {
		return r, Region{Bytes: r.Bytes, Addr: r.Addr}, nil
	}
	if r.Pool == hal.NoPool {
		var ok bool
		if located, ok = b.board.Locate(r.Bytes); !ok {
			return r, seen, fault.New(fault.InvalidArgument, "", "memory that the NPU reaches", "memory of the caller's own; let the program plan the tensor")
		}
		r = located
	}
	if b.simulated != nil {
		bytes, err := b.simulated.DeviceBytes(Device, r)
		return r, Region{Bytes: bytes, Addr: r.Addr}, err
	}
	if int(r.Pool) >= len(b.views) || b.views[r.Pool].Limit == 0 {
		return r, seen, fault.New(fault.InvalidArgument, "", "a pool that the NPU reaches", fmt.Sprintf("pool %d", r.Pool))
	}
	return r, Region{Bytes: r.Bytes, Addr: b.views[r.Pool].Base + r.Addr - b.bases[r.Pool]}, nil
}

// Target is which Neutron a payload was made for, as far as its records tell.
type Target struct {
	Name     string // "neutron-n1", "neutron-n3", or empty
	Evidence string
}

// GuessTarget looks for marks of the target: the header does not name it.
func GuessTarget(kernels []Kernel) Target {
	for i := range kernels {
		k := &kernels[i]
		switch k.Kind {
		case Conv, ConvTransposed, ConvRow, Pointwise, Depthwise, DepthwiseRow, FullyConnected, GlobalAverage:
			if k.N1 {
				return Target{"neutron-n1", fmt.Sprintf("flag %#x and 16-bit biases of record %d", n1Flag, k.Index)}
			}
			return Target{"neutron-n3", fmt.Sprintf("no flag %#x and 32-bit biases of record %d", n1Flag, k.Index)}
		}
	}
	return Target{Evidence: "no record with weights"}
}

// FitBoard checks that the board has the NPU the payload was made for, and that
// it reaches the weights or fetches them.
func (d *delegate) FitBoard(b hal.Board) error {
	pools, visible, universal := b.Pools(), false, false
	for i := range pools {
		_, sees := hal.ViewOf(b, hal.PoolID(i), Device)
		visible = visible || sees
		universal = universal || pools[i].Attr.Has(hal.Universal)
	}
	if !visible {
		return &fault.Error{Rule: "device_missing", Want: "a board with a Neutron NPU", Found: "board " + b.Name(), Code: fault.NotFound, Err: executor.ErrMissing}
	}
	if universal {
		return nil
	}
	var target Target
	if kernels, err := d.payload.Microcode.Decode(d.payload.Weights); err == nil {
		target = GuessTarget(kernels)
	}
	return errors.Join(fitTarget(b, target), d.fitWeights(b, target))
}

// fitWeights checks that Neutron-C (N3) reaches the weights: it has no access to
// flash (pytorch/executorch backends/nxp/runtime/NeutronBackend.cpp). Of N1
// nothing of the kind is documented.
func (d *delegate) fitWeights(b hal.Board, target Target) error {
	constants := b.Placement().Constants
	if int(constants) >= len(b.Pools()) || target.Name == "neutron-n1" || d.need[roleSRAM] > 0 {
		return nil
	}
	if _, sees := hal.ViewOf(b, constants, Device); sees {
		return nil
	}
	return &fault.Error{Rule: "weights_visible", Want: "weights in a pool that the NPU reaches; export with fetch_constants_to_sram, or keep the program in SRAM",
		Found: "constants in " + b.Pools()[constants].Name, Code: fault.InvalidProgram}
}

func fitTarget(b hal.Board, target Target) error {
	var kinds []string
	for _, dev := range b.Devices() {
		if !hal.IsKind(dev.Kind, Device) {
			continue
		}
		if target.Name == "" || dev.Kind == Device || hal.IsKind(dev.Kind, target.Name) {
			return nil
		}
		kinds = append(kinds, dev.Kind)
	}
	if len(kinds) == 0 {
		return nil
	}
	return &fault.Error{Rule: "npu_product", Want: target.Name + " (" + target.Evidence + ")", Found: strings.Join(kinds, ", "), Code: fault.DelegateInvalidCompatibility}
}
