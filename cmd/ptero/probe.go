package main

import (
	"errors"

	"github.com/ptero-rt/ptero/backends/ethosu"
	"github.com/ptero-rt/ptero/backends/ethosu/linux"
)

// probedJSON is an NPU of this machine as `boards --probe --json` lists it.
type probedJSON struct {
	linux.Device
	Accelerator string `json:"accelerator,omitempty"`
	SRAMBytes   uint32 `json:"sram_bytes,omitempty"`
	Error       string `json:"error,omitempty"` // why it cannot be used
}

// probe lists the Ethos-U devices that the kernel of this machine offers, below root.
func probe(c *console, root string) error {
	list, err := linux.Probe(root)
	if err != nil {
		if errors.Is(err, linux.ErrMissing) {
			return phaseError{exitMissing, err}
		}
		return inPhase(exitFailed, err)
	}
	for _, d := range list {
		j := probedJSON{Device: d}
		if npu, err := linux.Open(d); err != nil {
			j.Error = err.Error()
		} else {
			j.describe(npu)
			if err := npu.Close(); err != nil {
				return inPhase(exitFailed, err)
			}
		}
		if c.json {
			if err := c.document(j); err != nil {
				return err
			}
			continue
		}
		c.printf("%-22s %-8s", j.Node, j.Driver)
		switch {
		case j.Error != "":
			c.printf(" cannot be opened: %s\n", j.Error)
		case j.SRAMBytes > 0:
			c.printf(" %s, %s of SRAM\n", j.Accelerator, size(uint64(j.SRAMBytes)))
		default:
			c.printf(" %s\n", j.Accelerator)
		}
	}
	return nil
}

func (j *probedJSON) describe(npu ethosu.NPU) {
	j.Accelerator = npu.Accelerator().String()
	if a, ok := npu.(*linux.Accel); ok {
		j.SRAMBytes = a.SRAMBytes()
	}
}
