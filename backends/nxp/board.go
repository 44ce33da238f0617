package nxp

import (
	"encoding/binary"
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

func (b *board) bind(to hal.Board) error {
	*b = board{board: to}
	if to == nil {
		return nil
	}
	b.simulated, _ = to.(hal.Simulated)
	pools := to.Pools()
	for i := range pools {
		view, _ := pools[i].View(Device)
		b.views, b.bases = append(b.views, view), append(b.bases, pools[i].Base)
	}
	return nil
}

// device gives a region as the NPU sees it.
func (b *board) device(r hal.Region) (Region, error) {
	if b.board == nil || len(r.Bytes) == 0 {
		return Region{Bytes: r.Bytes, Addr: r.Addr}, nil
	}
	if r.Pool == hal.NoPool {
		located, ok := b.board.Locate(r.Bytes)
		if !ok {
			return Region{}, fault.New(fault.InvalidArgument, "", "memory that the NPU reaches", "memory of the caller's own; let the program plan the tensor")
		}
		r = located
	}
	if b.simulated != nil {
		bytes, err := b.simulated.DeviceBytes(Device, r)
		return Region{Bytes: bytes, Addr: r.Addr}, err
	}
	if int(r.Pool) >= len(b.views) || b.views[r.Pool].Limit == 0 {
		return Region{}, fault.New(fault.InvalidArgument, "", "a pool that the NPU reaches", fmt.Sprintf("pool %d", r.Pool))
	}
	return Region{Bytes: r.Bytes, Addr: b.views[r.Pool].Base + r.Addr - b.bases[r.Pool]}, nil
}

func (b *board) sync(r hal.Region, d hal.Direction) error {
	if b.board == nil || len(r.Bytes) == 0 || r.Pool == hal.NoPool {
		return nil
	}
	return b.board.Sync(r, d)
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
		_, sees := pools[i].View(Device)
		visible = visible || sees
		universal = universal || pools[i].Attr.Has(hal.Universal)
	}
	if !visible {
		return &fault.Error{Rule: "device_missing", Want: "a board with a Neutron NPU", Found: "board " + b.Name(), Code: fault.NotFound, Err: executor.ErrMissing}
	}
	if universal {
		return nil
	}
	if kernels, err := d.payload.Microcode.Decode(d.payload.Weights); err == nil {
		if err := fitTarget(b, GuessTarget(kernels)); err != nil {
			return err
		}
	}
	constants := b.Placement().Constants
	if int(constants) >= len(pools) {
		return nil
	}
	if _, sees := pools[constants].View(Device); !sees && d.need[roleSRAM] == 0 {
		return &fault.Error{Rule: "weights_visible", Want: "weights in a pool that the NPU reaches, or a program exported with fetch_constants_to_sram",
			Found: "weights in " + pools[constants].Name, Code: fault.InvalidProgram}
	}
	return nil
}

func fitTarget(b hal.Board, target Target) error {
	var kinds []string
	for _, dev := range b.Devices() {
		if strings.HasPrefix(dev.Kind, Device) || strings.HasPrefix(dev.Name, Device) {
			if dev.Kind == "" || dev.Kind == Device || strings.HasPrefix(dev.Kind, target.Name) {
				return nil
			}
			kinds = append(kinds, dev.Kind)
		}
	}
	if len(kinds) == 0 || target.Name == "" {
		return nil
	}
	return &fault.Error{Rule: "npu_product", Want: target.Name + " (" + target.Evidence + ")", Found: strings.Join(kinds, ", ") + " on " + b.Name(), Code: fault.DelegateInvalidCompatibility}
}
