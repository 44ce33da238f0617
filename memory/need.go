package memory

import "github.com/ptero-rt/ptero/hal"

// Place says where a Need is served from.
type Place uint8

// Places of a need.
const (
	Temp     Place = iota // the temp arena, for one call: reset after each instruction
	Fast                  // the board's fast scratch, for one call
	Resident              // memory the owner allocates itself at Prepare and keeps for the method's life (packed weights, tables)
)

// Need is memory that an operator or a delegate wants beside its arguments, stated before the first run so that it can
// be counted. Role is what a report calls it ("scratch", "im2col", "packed weights").
type Need struct {
	Role   string
	Place  Place
	Bytes  uint64
	Align  uint32    // power of two; 0 means 16
	Class  hal.Class // the farthest memory that will do, for a Device; hal.AnyClass or zero: any
	Device string    // kind of device that must see it ("ethos-u", "neutron"); empty for the CPU alone
}

func (n *Need) align() uint64 { return uint64(max(n.Align, baseAlign)) }

// Together is the bytes in which all needs of a call for a place find room, in whatever order the call takes them from an
// aligned start.
func Together(needs []Need, place Place) uint64 {
	var sum uint64
	slack := ^uint64(0)
	for i := range needs {
		n := &needs[i]
		if n.Place != place || n.Bytes == 0 {
			continue
		}
		up, a := n.Bytes, n.align()
		if up <= ^uint64(0)-a {
			up = (up + a - 1) &^ (a - 1)
		}
		sum = saturate(sum, up)
		slack = min(slack, up-n.Bytes)
	}
	if sum == 0 {
		return 0
	}
	return sum - slack
}
