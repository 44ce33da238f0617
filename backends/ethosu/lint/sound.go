package lint

import (
	"fmt"
	"slices"

	"github.com/ptero-rt/ptero/backends/ethosu"
	"github.com/ptero-rt/ptero/backends/ethosu/stream"
)

// checker collects findings about a decoded stream.
type checker struct {
	*Report
	stream *stream.Stream
	memory Memory
	tables [][2]int64 // byte ranges of the table memory that transfers filled
}

// unset reports registers that an operation reads and nothing wrote. Those that decide which memory is touched are errors;
// the others have their reset value, zero.
func (c *checker) unset() {
	for _, u := range c.stream.Unset {
		if u.Op >= len(c.stream.Ops) { // of the operation that did not decode
			continue
		}
		op := &c.stream.Ops[u.Op]
		r, _ := stream.Lookup(c.stream.Accelerator.Product, u.Register)
		severity := Warning
		if places(op, u.Register) {
			severity = Error
		}
		c.add(severity, RuleUnset, op.Offset, "%s reads %s, which nothing set", op.Kind, r.Name)
	}
}

// sizing registers decide the shape of what is read and written.
var sizing = []stream.Code{
	stream.SetOFMHeightM1, stream.SetOFMWidthM1, stream.SetOFMDepthM1, stream.SetIFMDepthM1, stream.SetOFMPrecision, stream.SetIFMPrecision, stream.SetIFM2Precision,
	stream.SetKernelWidthM1, stream.SetKernelHeightM1, stream.SetKernelStride,
	stream.SetOFMRegion, stream.SetIFMRegion, stream.SetIFM2Region, stream.SetWeightRegion, stream.SetScaleRegion,
	stream.SetWeightBase, stream.SetWeightLength, stream.SetWeight1Base, stream.SetWeight1Length, stream.SetWeight2Base, stream.SetWeight2Length,
	stream.SetWeight3Base, stream.SetWeight3Length, stream.SetScaleBase, stream.SetScaleLength,
}

// places says whether an unset register decides which bytes op touches.
func places(op *stream.Op, c stream.Code) bool {
	if op.Transfer != nil || slices.Contains(sizing, c) {
		return true
	}
	k := op.Kernel
	if k == nil {
		return false
	}
	h, w, d := k.StoredShape()
	return mapPlaces(&k.OFM, h, w, d, c, stream.SetOFMBase0, stream.SetOFMWidth0M1) ||
		mapPlaces(&k.IFM, k.IFM.Height, k.IFM.Width, k.IFM.Depth, c, stream.SetIFMBase0, stream.SetIFMWidth0M1) ||
		k.HasIFM2 && mapPlaces(&k.IFM2, k.IFM2.Height, k.IFM2.Width, k.IFM2.Depth, c, stream.SetIFM2Base0, stream.SetIFM2Width0M1)
}

// mapPlaces says so of the registers of one feature map: a base counts where its tile is reached, a stride where there is
// more than one step.
func mapPlaces(f *stream.FeatureMap, height, width, depth int, c, base0, width0 stream.Code) bool {
	if !f.InMemory() || height < 1 || width < 1 {
		return false
	}
	switch c {
	case base0, base0 + 1, base0 + 2, base0 + 3:
		for _, y := range []int{0, height - 1} {
			for _, x := range []int{0, width - 1} {
				if tile, _, _ := f.Tile(y, x); base0+stream.Code(tile) == c {
					return true
				}
			}
		}
	case base0 + 4:
		return f.Layout == stream.NHWC && width > 1
	case base0 + 5:
		return height > 1
	case base0 + 6:
		return f.Layout == stream.NHCWB16 && depth > 16
	case width0:
		return width > 1
	case width0 + 1, width0 + 2:
		return height > 1
	}
	return false
}

func (c *checker) reserved() {
	product := c.stream.Accelerator.Product
	for _, command := range c.stream.Commands {
		if bits := command.Reserved(product); bits != 0 {
			r, _ := stream.Lookup(product, command.Code)
			c.add(Warning, RuleReserved, command.Offset, "%s sets bits %#x, which have no meaning on %s", r.Name, bits, product)
		}
	}
}

// operations looks at the memory of each operation, in order.
func (c *checker) operations() {
	before := 0 // command after the last kernel operation
	for i := range c.stream.Ops {
		op := &c.stream.Ops[i]
		for _, a := range op.Accesses() {
			if a.Tables {
				c.table(op, a)
			} else {
				c.region(op, a)
			}
		}
		if k := op.Kernel; k != nil {
			c.globalScale(op, c.stream.Commands[before:op.Command])
			c.aligned(op, "IFM", &k.IFM)
			c.aligned(op, "OFM", &k.OFM)
			if k.HasIFM2 {
				c.aligned(op, "IFM2", &k.IFM2)
			}
			before = op.Command + 1
		}
	}
}

func (c *checker) region(op *stream.Op, a stream.Access) {
	have := c.memory[a.Region]
	switch {
	case a.Lo < 0:
		c.add(Error, RuleBounds, op.Offset, "%s: %s begins %d B before region %d", op.Kind, a.Name, -a.Lo, a.Region)
	case have == 0:
		c.add(Error, RuleMissing, op.Offset, "%s: %s is in region %d, which the job does not have", op.Kind, a.Name, a.Region)
	case have != Unknown && a.Hi > have:
		c.add(Error, RuleBounds, op.Offset, "%s: %s ends at byte %d of region %d, which has %d B", op.Kind, a.Name, a.Hi, a.Region, have)
	case a.Write && a.Region == ethosu.RegionWeights:
		severity := Error
		if have == Unknown {
			severity = Warning
		}
		c.add(severity, RuleReadOnly, op.Offset, "%s: %s is in region 0, the weights", op.Kind, a.Name)
	}
}

// table follows what of the table memory was loaded. On U55 and U65 the tables are the last 2 KiB of the shared RAM.
func (c *checker) table(op *stream.Op, a stream.Access) {
	end := int64(c.stream.Accelerator.SharedRAMBytes())
	if a.Write && a.Hi > end {
		c.add(Error, RuleTableAddress, op.Offset, "a look-up table is loaded to bytes %#x to %#x of the table memory, which ends at %#x", a.Lo, a.Hi, end)
		return
	}
	if a.Write {
		c.tables = append(c.tables, [2]int64{a.Lo, a.Hi})
		return
	}
	at := a.Lo
	for moved := true; moved && at < a.Hi; {
		moved = false
		for _, t := range c.tables {
			if t[0] <= at && at < t[1] {
				at, moved = t[1], true
			}
		}
	}
	if at < a.Hi {
		c.add(Error, RuleTableUnloaded, op.Offset, "%s reads a look-up table at bytes %#x to %#x of the table memory, which nothing loaded", op.Kind, a.Lo, a.Hi)
	}
}

// globalScale warns where scales of each channel were set for an operation that then uses one for all: Vela 5.1 does so
// for a rescale per channel after a matrix multiplication.
func (c *checker) globalScale(op *stream.Op, since []stream.Command) {
	if !op.Kernel.GlobalScale || op.Kind == stream.Elementwise || op.Kind == stream.Resize {
		return
	}
	for _, command := range since {
		if command.Code == stream.SetScaleBase || command.Code == stream.SetScaleLength {
			c.add(Warning, RuleGlobalScale, op.Offset, "%s uses one scale for all channels, although a stream of scales was set just before it", op.Kind)
			return
		}
	}
}

// aligned warns of bricks that do not begin at multiples of 16 elements' bytes (Arm Ethos-U55 NPU technical reference
// manual, NHCWB16 format).
func (c *checker) aligned(op *stream.Op, name string, f *stream.FeatureMap) {
	if !f.InMemory() || f.Layout != stream.NHCWB16 {
		return
	}
	brick := uint64(16)
	if f.Base[0]%brick != 0 || uint64(f.StrideY)%brick != 0 || uint64(f.StrideC)%brick != 0 {
		c.add(Warning, RuleAlignment, op.Offset, "%s: %s in NHCWB16 wants a base and strides that are multiples of 16, has %s", op.Kind, name,
			fmt.Sprintf("%#x, %d, %d", f.Base[0], f.StrideY, f.StrideC))
	}
}
