package nxp

import (
	"fmt"
	"slices"
)

// weightStarts returns the sorted offsets at which something in the weights begins, and their end.
func weightStarts(calls []Call, end uint32) []uint32 {
	starts := []uint32{end}
	for _, c := range calls {
		for i, s := range c.Spaces {
			if s == SpaceWeights {
				starts = append(starts, c.Words[i])
			}
		}
	}
	slices.Sort(starts)
	return slices.Compact(starts)
}

// room is the number of bytes from a weights operand to the next thing in the weights.
func (c *classifier) room(o Operand) uint64 {
	i, found := slices.BinarySearch(c.starts, o.Offset)
	if found {
		i++
	}
	if o.Space != SpaceWeights || i >= len(c.starts) {
		return 0
	}
	return uint64(c.starts[i] - o.Offset)
}

// checkExtents bounds every operand against its space. The sizes of inputs and
// outputs stand in the microcode, the others in its header.
func (c *classifier) checkExtents(k *Kernel) error {
	in, out, err := c.m.IOBytes()
	if err != nil {
		return err
	}
	sizes := map[Space]uint64{
		SpaceInput: uint64(in[0]), SpaceOutput: uint64(out[0]),
		SpaceWeights: uint64(c.m.WeightBytes), SpaceScratch: uint64(c.m.ScratchBytes),
	}
	for i, o := range k.operands() {
		size, known := sizes[o.Space]
		switch {
		case o.Bytes == 0 && i > 1:
			continue
		case o.Space == SpaceNone && i > 1 && k.Kind == Softmax:
			continue
		case !known:
			return c.refuse(&k.Call, fmt.Sprintf("operand %d in input, output, weights or scratch", i), o.Space.String())
		case uint64(o.Offset)+o.Bytes > size:
			return c.refuse(&k.Call, fmt.Sprintf("operand %d within the %d bytes of %s", i, size, o.Space), o.String())
		}
	}
	if k.Dst.Space != SpaceOutput && k.Dst.Space != SpaceScratch {
		return c.refuse(&k.Call, "a destination in output or scratch", k.Dst.Space.String())
	}
	for _, o := range []Operand{k.Weights, k.Bias, k.ScaleTab} {
		if o.Bytes > 0 && o.Space != SpaceWeights {
			return c.refuse(&k.Call, "weights, biases and scales in the weights", o.Space.String())
		}
		if room := c.room(o); o.Bytes > room {
			return c.refuse(&k.Call, fmt.Sprintf("a %s with %d bytes of weights", k.Kind, o.Bytes), fmt.Sprintf("%d up to the next operand", room))
		}
	}
	return nil
}
