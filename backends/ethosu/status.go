package ethosu

import (
	"fmt"
	"strings"
)

// Status is the NPU's STATUS register, which drivers print as a number when a job fails.
// Source: ethosu_interface.h of ethos-u-core-driver 1.0.
type Status uint32

// Bits of [Status].
const (
	StatusRunning      Status = 1 << 0
	StatusIRQ          Status = 1 << 1
	StatusBusFault     Status = 1 << 2
	StatusReset        Status = 1 << 3
	StatusParseError   Status = 1 << 4
	StatusEnd          Status = 1 << 5
	StatusPMUInterrupt Status = 1 << 6
	StatusWeightFault  Status = 1 << 7 // U55, U65
	StatusECCFault     Status = 1 << 8
	StatusBranchFault  Status = 1 << 9 // U85
)

const faults = StatusBusFault | StatusParseError | StatusWeightFault | StatusECCFault | StatusBranchFault

// Failed says whether the register tells of a fault.
func (s Status) Failed() bool { return s&faults != 0 }

// Done says whether the command stream was executed to its end without a fault.
func (s Status) Done() bool { return !s.Failed() && s&StatusIRQ != 0 && s&StatusEnd != 0 }

// String gives the register in words: "0x00000804: stopped, bus fault on interface 1, channel 0 (command stream)".
func (s Status) String() string {
	list := []string{"stopped"}
	if s&StatusRunning != 0 {
		list[0] = "running"
	}
	add := func(bit Status, words string) {
		if s&bit != 0 {
			list = append(list, words)
		}
	}
	channel := uint32(s >> 12 & 15)
	add(StatusIRQ, "interrupt raised")
	add(StatusBusFault, fmt.Sprintf("bus fault on interface %d, channel %d%s", s>>11&1, channel, channelWords[channel]))
	add(StatusReset, "in reset")
	add(StatusParseError, "a command that it cannot parse")
	add(StatusEnd, "end of the command stream reached")
	add(StatusPMUInterrupt, "counter interrupt")
	add(StatusWeightFault, "damaged weight stream")
	add(StatusECCFault, "memory error found by ECC")
	add(StatusBranchFault, "branch to a bad address")
	if history := uint32(s >> 16); history != 0 {
		list = append(list, fmt.Sprintf("interrupt history %#04x", history))
	}
	return fmt.Sprintf("0x%08x: %s", uint32(s), strings.Join(list, ", "))
}

// channelWords names the channel of a bus fault of U55 and U65.
var channelWords = map[uint32]string{0: " (command stream)", 1: " (IFM)", 2: " (weights)", 3: " (scales)", 4: " (DMA read)", 8: " (OFM)", 9: " (DMA write)"}
