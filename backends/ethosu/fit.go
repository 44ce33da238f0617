package ethosu

import (
	"errors"
	"strings"

	"github.com/ptero-rt/ptero/executor"
	"github.com/ptero-rt/ptero/hal"
	"github.com/ptero-rt/ptero/internal/fault"
)

// FitBoard checks that the board has the NPU that the stream was made for and the memories that its memory mode wants.
// Sizes, and the pools of arenas, are checked where they are laid out.
func (d *delegate) FitBoard(b hal.Board) error {
	pools, place := b.Pools(), b.Placement()
	visible, universal := false, false
	for i := range pools {
		_, sees := hal.ViewOf(b, hal.PoolID(i), Device)
		visible = visible || sees
		universal = universal || pools[i].Attr.Has(hal.Universal)
	}
	if !visible {
		return &fault.Error{Rule: "device_missing", Want: "a board with an Ethos-U NPU", Found: "board " + b.Name(), Code: fault.NotFound, Err: executor.ErrMissing}
	}
	errs := []error{d.fitProduct(b)}
	if universal {
		return errors.Join(errs...)
	}
	if id := place.Constants; int(id) < len(pools) {
		if _, sees := hal.ViewOf(b, id, Device); !sees {
			errs = append(errs, &fault.Error{Rule: "weights_visible", Want: "weights in a pool that the NPU reaches", Found: "constants in " + pools[id].Name, Code: fault.InvalidProgram})
		}
	}
	return errors.Join(append(errs, d.fitMode(b))...)
}

// fitProduct compares the stream's accelerator with the board's: equal, or a product whose number of MACs the board
// leaves open.
func (d *delegate) fitProduct(b hal.Board) error {
	want := d.blob.Commands.Accelerator.String()
	var kinds []string
	for _, dev := range b.Devices() {
		if !hal.IsKind(dev.Kind, Device) {
			continue
		}
		if d.suits(dev.Kind) {
			return nil
		}
		kinds = append(kinds, dev.Kind)
	}
	if len(kinds) == 0 { // a board that takes what the program asks for
		return nil
	}
	return &fault.Error{Rule: "npu_product", Want: "the NPU " + want, Found: "board " + b.Name() + " with " + strings.Join(kinds, ", "), Code: fault.DelegateInvalidCompatibility}
}

// suits says whether an NPU of that kind takes the stream.
func (d *delegate) suits(kind string) bool {
	want := d.blob.Commands.Accelerator.String()
	return kind == want || kind == Device || hal.IsKind(want, kind)
}

// fitMode holds the memory mode of the compile specs against the board: Shared_Sram and Sram_Only keep the scratch in
// SRAM, Dedicated_Sram has a fast scratch in SRAM besides.
func (d *delegate) fitMode(b hal.Board) error {
	mode, pools, place := d.target.MemoryMode, b.Pools(), b.Placement()
	hasSRAM := false
	for i := range pools {
		_, sees := hal.ViewOf(b, hal.PoolID(i), Device)
		hasSRAM = hasSRAM || sees && pools[i].Class <= hal.SRAM
	}
	bad := func(want, found string) error {
		return &fault.Error{Rule: "memory_mode", Want: want + " for memory mode " + mode, Found: found, Code: fault.DelegateInvalidCompatibility}
	}
	switch {
	case mode == "":
		return nil
	case !hasSRAM:
		return bad("SRAM that the NPU sees", "none on board "+b.Name())
	case d.target.dedicated() && d.bytes[RegionFastScratch] > 0 && (int(place.Fast) >= len(pools) || place.FastBytes == 0):
		return bad("fast scratch in SRAM", "none on board "+b.Name())
	}
	return nil
}
