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
