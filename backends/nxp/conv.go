package nxp

import (
	"encoding/binary"
	"fmt"
)

// conv classifies the convolution family.
func (c *classifier) conv(k *Kernel, f *fields) error {
	k.setOperands()
	f.skip(len(k.Spaces))
	c.window(k, f)
	dilationH, dilationW := f.word(), f.word()
	k.N1 = f.word()&n1Flag != 0
	f.zeros(2)
	k.PoolH, k.PoolW = f.dim("pool height", 1), f.dim("pool width", 1)
	k.InZero = int32(f.word())
	k.Scale = c.scale(k, f.word(), k.ScaleTab.Space)
	f.zeros(2)
	rowPack := f.word()
	f.zeros(1)
	if f.bad != "" {
		return nil
	}
	if k.InZero < -128 || k.InZero > 127 {
		return c.refuse(&k.Call, "an input zero point of one int8", fmt.Sprint(k.InZero))
	}
	// One converter build keeps the row packing where others keep the dilation of the columns;
	// its upper half is never 0.
	if rowPack == 0 && dilationW > 0xFFFF {
		rowPack, dilationW = dilationW, 1
	}
	k.RowPack = rowPack != 0
	if dilationH != 1 || dilationW != 1 {
		return c.refuse(&k.Call, "dilation 1", fmt.Sprintf("%dx%d", dilationH, dilationW))
	}
	if k.OutH < k.PoolH || k.OutW < k.PoolW {
		return c.refuse(&k.Call, "a fused pool within the output", fmt.Sprintf("%dx%d of %dx%d", k.PoolH, k.PoolW, k.OutH, k.OutW))
	}
	k.Dst.Bytes = uint64(k.OutH/k.PoolH) * uint64(k.OutW/k.PoolW) * uint64(k.OutC)
	taps, oc := uint64(k.KernelH*k.KernelW), uint64(k.OutC)
	dense := taps * uint64(roundUp(k.InC, k.InBlock())) * oc
	k.BiasSets = 1
	weights := dense
	columns := axis{in: k.InW, out: k.OutW, kernel: k.KernelW, stride: k.StrideW, near: k.Left}
	rows := axis{in: k.InH, out: k.OutH, kernel: k.KernelH, stride: k.StrideH, near: k.Top}
	byColumn, _ := columns.sets(k.InZero)
	byRow, _ := rows.sets(k.InZero)
	sets := int(c.room(k.Bias) / (oc * uint64(k.biasBytes())))
	switch {
	case k.OutC == k.InC && c.room(k.Weights) < taps*oc*oc:
		k.Kind, weights = Depthwise, taps*oc
		if sets < byColumn {
			k.Kind = DepthwiseRow
		} else {
			k.setAxis(columns)
		}
		c.settle(k, byColumn > 1 || k.KernelH == 1 || k.KernelW == 1)
	case k.KernelH == 1 && k.KernelW == 1:
		k.Kind = Pointwise
	case k.InC%k.InBlock() != 0:
		k.Kind, weights = ConvRow, k.rowWeights()
	default:
		k.Kind = Conv
		k.setAxis(columns)
		if c.rowOrder(k, columns, rows, sets) {
			k.Kind = ConvTransposed
			k.setAxis(rows)
		}
		c.settle(k, byColumn > 1 || byRow > 1)
	}
	if k.RowPack && k.Kind != ConvRow {
		return c.refuse(&k.Call, "row packing in a first layer only", fmt.Sprintf("%#x in a %s", rowPack, k.Kind))
	}
	k.Src.Bytes = uint64(k.SrcPitch()) * uint64(k.InH)
	k.setDense(weights)
	return nil
}

// settle records the kind for calls of the same opcode, or notes that nothing decides the order of the weights.
func (c *classifier) settle(k *Kernel, decided bool) {
	if decided {
		c.settled[k.Opcode] = k.Kind
	} else {
		k.Note = "order of the weights assumed"
	}
}

// axis is one direction of a sliding window.
type axis struct{ in, out, kernel, stride, near int }

// sets counts the bias sets along the axis: one for each output position that
// touches the near border, one for the interior, one for each position that
// touches the far border. With an input zero point of 0 the border makes no difference.
func (a axis) sets(zero int32) (n, interior int) {
	if zero == 0 {
		return 1, 0
	}
	interior = a.set(a.out)
	return interior + 1 + max(0, a.out-a.inside()), interior
}

// inside is the first output position that touches the far border.
func (a axis) inside() int {
	if a.in+a.near < a.kernel {
		return 0
	}
	return (a.in+a.near-a.kernel)/a.stride + 1
}

// set is the bias set of an output position; at a.out it is the interior's.
func (a axis) set(position int) int {
	near := min((a.near+a.stride-1)/a.stride, a.out)
	switch {
	case position < near:
		return position
	case position < a.out && position >= a.inside():
		return near + 1 + position - a.inside()
	}
	return near
}

// outside says whether a tap of the first (or the last) position lies beyond the border.
func (a axis) outside(tap int, last bool) bool {
	if last {
		return (a.out-1)*a.stride-a.near+tap >= a.in
	}
	return tap < a.near
}

// rowWeights is the size of first-layer weights: full input blocks, then the rest of each kernel row.
func (k *Kernel) rowWeights() uint64 {
	ib, rest := k.InBlock(), k.restTaps()
	oc, kh := uint64(k.OutC), uint64(k.KernelH)
	full := uint64(k.KernelW*k.InC/ib) * kh * oc * uint64(ib)
	switch {
	case rest == 0:
		return full
	case k.RowPack:
		per := ib / k.RestSlot()
		return full + uint64((k.KernelH+per-1)/per)*oc*uint64(ib)
	case k.RestTight():
		return full + oc*kh*uint64(rest)
	}
	return full + kh*oc*uint64(ib)
}

// rowOrder decides between the two weight orders of a convolution. Where the
// bias sets fit both, the data tells: a border and the interior bias differ by
// the input zero point times the sum of the weights left out, which are columns
// in one order and rows in the other.
func (c *classifier) rowOrder(k *Kernel, columns, rows axis, sets int) bool {
	byColumn, interiorColumn := columns.sets(k.InZero)
	byRow, interiorRow := rows.sets(k.InZero)
	if sets < byColumn || sets < byRow || k.InZero == 0 {
		return sets >= byRow && sets < byColumn
	}
	if k.Weights.Space != SpaceWeights || k.Bias.Space != SpaceWeights || byColumn < 2 && byRow < 2 || !c.holds(k, max(byColumn, byRow)) {
		return sets == byRow && sets != byColumn
	}
	chunks := k.InC / k.InBlock()
	asColumns := c.biasError(k, columns, byColumn, interiorColumn, func(tap, other, chunk int) int {
		return (tap*chunks+chunk)*k.KernelH + other
	}, k.KernelH)
	asRows := c.biasError(k, rows, byRow, interiorRow, func(tap, other, chunk int) int {
		return (tap*k.KernelW+other)*chunks + chunk
	}, k.KernelW)
	return asRows < asColumns
}

// holds says whether the weights given contain weights and biases of k.
func (c *classifier) holds(k *Kernel, sets int) bool {
	weights := uint64(k.Weights.Offset) + uint64(k.KernelH)*uint64(k.KernelW)*uint64(k.InC)*uint64(k.OutC)
	biases := uint64(k.Bias.Offset) + uint64(sets)*uint64(k.OutC)*uint64(k.biasBytes())
	return max(weights, biases) <= uint64(len(c.weights))
}

// biasError sums, over one block of channels, how far a border bias is from what
// the weights outside along a would make it. block places the weights of a tap
// along a, a tap across it and a chunk of input channels.
func (c *classifier) biasError(k *Kernel, a axis, sets, interior int, block func(tap, other, chunk int) int, across int) (sum int64) {
	ob, ib := min(k.OutBlock(), k.OutC), k.InBlock()
	border, last := 0, interior == 0
	if last {
		border = sets - 1
	}
	for o := range ob {
		var outside int64
		for tap := range a.kernel {
			if sets == 1 || !a.outside(tap, last) {
				continue
			}
			for other := range across {
				for i := range k.InC {
					outside += int64(int8(c.weights[int(k.Weights.Offset)+(block(tap, other, i/ib)*ob+o)*ib+i%ib]))
				}
			}
		}
		got := k.biasAt(c.weights, border, o, sets) - k.biasAt(c.weights, interior, o, sets)
		sum += absDiff(got, outside*int64(k.InZero))
	}
	return sum
}

func absDiff(a, b int64) int64 {
	if a < b {
		return b - a
	}
	return a - b
}

// setAxis gives the kernel its bias sets along an axis.
func (k *Kernel) setAxis(a axis) {
	k.BiasSets, _ = a.sets(k.InZero)
	k.axis = a
}

// BiasByRow says whether bias sets belong to output rows rather than columns.
func (k *Kernel) BiasByRow() bool { return k.Kind == ConvTransposed }

// BiasSet is the bias set of an output column (row, where BiasByRow).
func (k *Kernel) BiasSet(position int) int {
	if k.BiasSets <= 1 {
		return 0
	}
	return k.axis.set(position)
}

// BiasAt is a bias of channel c. With one set, taps outside the input read its
// zero point and count in full. With several, a bias holds the zero point times
// the weights of the columns inside the input: columns outside count nothing,
// rows outside read the zero point. (Rows and columns change places where
// BiasByRow.) weights must hold the operand.
//
// On N3 it makes no difference to use the interior set and read the zero point
// everywhere; on N1 it does, since biases have 10 bits.
func (k *Kernel) BiasAt(weights []byte, set, c int) int64 {
	if k.Kind == GlobalAverage {
		c %= k.InBlock()
	}
	return k.biasAt(weights, set, c, k.BiasSets)
}

// biasAt reads a bias; order and storage follow the kind and the target.
func (k *Kernel) biasAt(weights []byte, set, c, sets int) int64 {
	block, channels := k.OutBlock(), k.OutC+k.OutPad
	if k.Kind.depthwise() {
		block = k.InBlock()
	}
	first := c / block * block
	at := first*sets + set*min(block, channels-first) + c - first
	if k.N1 {
		return n1Bias(binary.LittleEndian.Uint16(weights[int(k.Bias.Offset)+2*at:]))
	}
	return int64(int32(binary.LittleEndian.Uint32(weights[int(k.Bias.Offset)+4*at:])))
}

// n1Bias decodes the 16-bit bias of N1: sign, left shift and magnitude.
func n1Bias(v uint16) int64 {
	b := int64(v&0x3FF) << (v >> 10 & 31)
	if v&0x8000 != 0 {
		return -b
	}
	return b
}

// ScaleAt returns mantissa and shift of channel c; weights must hold the table.
func (k *Kernel) ScaleAt(weights []byte, c int) (mantissa uint32, shift uint8) {
	switch {
	case !k.Scale.Table:
		return k.Scale.Mantissa, k.Scale.Shift
	case k.N1:
		return n1Scale(binary.LittleEndian.Uint16(weights[int(k.ScaleTab.Offset)+2*c:]))
	}
	v := binary.LittleEndian.Uint32(weights[int(k.ScaleTab.Offset)+4*c:])
	return v & 0xFFFF, uint8(min(v>>16, 255))
}
