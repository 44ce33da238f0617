package lint

import (
	"encoding/binary"
	"fmt"
	"math/bits"

	"github.com/ptero-rt/ptero/backends/ethosu"
	"github.com/ptero-rt/ptero/backends/ethosu/stream"
)

// Verdict is what mainline Linux' driver says of a stream when a program creates a command buffer of it
// (drivers/accel/ethosu/ethosu_gem.c as hardened in 2026). It walks the commands once, in order, and bounds what each
// operation touches from the registers as they stand.
//
// One rule is the older driver's: a weight stream of length 0 whose base was never set counts as none. Vela 5.1 emits such
// for a core that has no channels; the hardened driver refuses it, and Notes say so.
type Verdict struct {
	Supported   bool   // false: mainline has no driver for the product
	Accepted    bool   // where supported
	Offset      int    // byte of the stream where it was refused
	Reason      string // why; empty where accepted
	RegionBytes [ethosu.RegionCount]uint64
	Written     [ethosu.RegionCount]bool
	Notes       []Finding
}

// kernelRegisters names the registers that describe a feature map to the validator.
type kernelRegisters struct {
	precision, region, width0, base0 stream.Code
	sizes                            []stream.Code // further ones that must be set, also where the map is chained
	output                           bool
}

var (
	ifmRegisters  = kernelRegisters{stream.SetIFMPrecision, stream.SetIFMRegion, stream.SetIFMWidth0M1, stream.SetIFMBase0, []stream.Code{stream.SetIFMDepthM1}, false}
	ifm2Registers = kernelRegisters{stream.SetIFM2Precision, stream.SetIFM2Region, stream.SetIFM2Width0M1, stream.SetIFM2Base0, nil, false}
	ofmRegisters  = kernelRegisters{stream.SetOFMPrecision, stream.SetOFMRegion, stream.SetOFMWidth0M1, stream.SetOFMBase0,
		[]stream.Code{stream.SetOFMDepthM1, stream.SetOFMWidthM1, stream.SetOFMHeightM1}, true}
	windowRegisters = []stream.Code{stream.SetKernelWidthM1, stream.SetKernelHeightM1, stream.SetKernelStride,
		stream.SetIFMPadTop, stream.SetIFMPadLeft, stream.SetIFMPadRight, stream.SetIFMPadBottom}
)

// validator is the register file as the validator keeps it.
type validator struct {
	product stream.Product
	narrow  map[stream.Code]uint16
	wide    map[stream.Code]stream.Command
	verdict *Verdict
	at      int // byte of the operation
}

// Judge gives the kernel driver's verdict on a stream for an accelerator.
func Judge(a stream.Accelerator, b []byte) Verdict {
	var d Verdict
	if a.Product == stream.U55 {
		return d
	}
	d.Supported = true
	v := validator{product: a.Product, narrow: map[stream.Code]uint16{}, wide: map[stream.Code]stream.Command{}, verdict: &d}
	d.Offset, d.Reason = v.walk(b)
	d.Accepted = d.Reason == ""
	return d
}

func (v *validator) walk(b []byte) (offset int, reason string) {
	stopped := false
	for at := 0; at+4 <= len(b); {
		word := binary.LittleEndian.Uint32(b[at:])
		c := stream.Command{Offset: at, Code: stream.Code(word & 0xc3ff), Param: uint16(word >> 16)}
		if word&0xbc00 != 0 {
			return at, "reserved bits of the command word are set"
		}
		if c.Code.Wide() {
			if at+8 > len(b) {
				return at, "the payload word is missing"
			}
			c.Payload = binary.LittleEndian.Uint32(b[at+4:])
		}
		at += c.Bytes()
		if c.Code >= 0x100 && c.Code != stream.OpBranch {
			if reason := v.set(c); reason != "" {
				return c.Offset, reason
			}
			continue
		}
		if c.Code == stream.OpStop {
			if at != len(b)&^3 {
				return c.Offset, "NPU_OP_STOP is not the last command"
			}
			stopped = true
			continue
		}
		v.at = c.Offset
		if reason := v.operation(c); reason != "" {
			return c.Offset, reason
		}
	}
	if !stopped {
		return len(b), "there is no NPU_OP_STOP"
	}
	return 0, ""
}

// set keeps a register; some values are refused at once.
func (v *validator) set(c stream.Command) string {
	switch c.Code {
	case stream.SetIFMPrecision, stream.SetIFM2Precision, stream.SetOFMPrecision:
		if c.Param>>6&3 > 1 {
			return fmt.Sprintf("layout %d of a feature map", c.Param>>6&3)
		}
		if c.Code == stream.SetOFMPrecision && v.product == stream.U85 && c.Param>>11&7 != 0 {
			return "a transposed output"
		}
	case stream.SetDMA0SrcRegion, stream.SetDMA0DstRegion:
		if c.Param>>11&1 == 1 {
			return "an indexed transfer"
		}
		if c.Param>>9&3 == 3 {
			return "a transfer of 4 dimensions"
		}
	}
	if c.Code.Wide() {
		v.wide[c.Code] = c
	} else {
		v.narrow[c.Code] = c.Param
	}
	return ""
}

func (v *validator) isSet(c stream.Code) bool {
	if c.Wide() {
		_, ok := v.wide[c]
		return ok
	}
	_, ok := v.narrow[c]
	return ok
}

func (v *validator) want(list ...stream.Code) string {
	for _, c := range list {
		if !v.isSet(c) {
			r, _ := stream.Lookup(v.product, c)
			return r.Name + " was never set"
		}
	}
	return ""
}

func (v *validator) operation(c stream.Command) string {
	switch c.Code {
	case stream.OpBranch:
		return "a branch"
	case stream.OpIRQ:
		return "NPU_OP_IRQ"
	case stream.OpResize:
		return "NPU_OP_RESIZE"
	case stream.OpDMAStart:
		return first(v.transfer(stream.SetDMA0SrcRegion, stream.SetDMA0Src, stream.SetDMA0SrcStride0, false),
			v.transfer(stream.SetDMA0DstRegion, stream.SetDMA0Dst, stream.SetDMA0DstStride0, true))
	case stream.OpConv:
		fromIFM2 := c.Param&1 == 1
		if c.Param&^1 != 0 || v.product == stream.U65 && fromIFM2 {
			return fmt.Sprintf("parameter %#x of NPU_OP_CONV", c.Param)
		}
		return v.kernel(true, fromIFM2, !fromIFM2)
	case stream.OpDepthwise:
		return v.kernel(true, false, true)
	case stream.OpPool:
		return v.kernel(stream.PoolMode(c.Param) != stream.PoolNone, false, false)
	case stream.OpElementwise:
		return v.elementwise(c.Param)
	}
	return ""
}

func first(reasons ...string) string {
	for _, r := range reasons {
		if r != "" {
			return r
		}
	}
	return ""
}

// touch notes that a region is used up to a byte.
func (v *validator) touch(region uint16, end uint64) {
	n := &v.verdict.RegionBytes[region&7]
	*n = max(*n, end)
}

// transfer bounds one side of a DMA. The destination of U65 has no strides of its own, and then counts as dense.
func (v *validator) transfer(region, address, stride0 stream.Code, output bool) string {
	if missing := v.want(region, address, stream.SetDMA0Len); missing != "" {
		return missing
	}
	mode := v.narrow[region] >> 9 & 3
	bytes := v.wide[stream.SetDMA0Len].Address()
	for dim, size := range []stream.Code{stream.SetDMA0Size0, stream.SetDMA0Size1}[:mode] {
		if missing := v.want(size); missing != "" {
			return missing
		}
		if v.narrow[size] == 0 {
			return "a transfer of size 0"
		}
		stride := int64(0)
		if !output || v.product == stream.U85 {
			stride = v.wide[stride0+stream.Code(dim)].Stride()
		}
		if stride < 0 && uint64(-stride) > bytes {
			return "a negative stride longer than the transfer"
		}
		high, low := bits.Mul64(bytes+uint64(stride), uint64(v.narrow[size]))
		if high != 0 {
			return "a transfer of more than 64 bits of bytes"
		}
		bytes = low
	}
	if v.narrow[region]>>8&1 == 1 { // the table memory
		return ""
	}
	end, carry := bits.Add64(bytes, v.wide[address].Address(), 0)
	if carry != 0 {
		return "a transfer of more than 64 bits of bytes"
	}
	v.touch(v.narrow[region], end)
	v.verdict.Written[v.narrow[region]&7] = v.verdict.Written[v.narrow[region]&7] || output
	return ""
}

// kernel bounds a convolution or pooling. The kernel size counts as undilated, so that a dilated one counts twice.
func (v *validator) kernel(ifm, ifm2, weights bool) string {
	if missing := v.want(stream.SetOFMPrecision); missing != "" {
		return missing
	}
	n := func(c stream.Code) int64 { return int64(v.narrow[c]) }
	if ifm {
		if missing := v.want(windowRegisters...); missing != "" {
			return missing
		}
		s := n(stream.SetKernelStride)
		y := n(stream.SetOFMHeightM1)*(s>>8&2+s>>1&1+1) + n(stream.SetKernelHeightM1)*(1+s>>4&1) - (n(stream.SetIFMPadTop)&127 + n(stream.SetIFMPadBottom)&255)
		x := n(stream.SetOFMWidthM1)*(s>>5&2+s&1+1) + n(stream.SetKernelWidthM1)*(1+s>>3&1) - (n(stream.SetIFMPadLeft)&127 + n(stream.SetIFMPadRight)&255)
		if y < 0 || x < 0 {
			return "padding larger than the input"
		}
		if r := v.extent(&ifmRegisters, uint64(x), uint64(y), v.narrow[stream.SetIFMDepthM1]); r != "" {
			return r
		}
	}
	if ifm2 {
		if r := v.extent(&ifm2Registers, uint64(v.narrow[stream.SetIFMDepthM1]), 0, v.narrow[stream.SetOFMDepthM1]); r != "" {
			return r
		}
	}
	if weights {
		r := first(v.buffer(stream.SetWeightRegion, stream.SetWeightBase, false), v.buffer(stream.SetWeightRegion, stream.SetWeight1Base, true),
			v.buffer(stream.SetWeightRegion, stream.SetWeight3Base, true))
		if r == "" && v.product == stream.U85 {
			r = v.buffer(stream.SetWeightRegion, stream.SetWeight2Base, true)
		}
		if r != "" {
			return r
		}
	}
	if v.narrow[stream.SetOFMPrecision]>>8&1 == 0 {
		r := v.buffer(stream.SetScaleRegion, stream.SetScaleBase, false)
		if r == "" && v.product == stream.U65 {
			r = v.buffer(stream.SetScaleRegion, stream.SetScale1Base, true)
		}
		if r != "" {
			return r
		}
	}
	return v.output()
}

func (v *validator) output() string {
	r := v.extent(&ofmRegisters, uint64(v.narrow[stream.SetOFMWidthM1]), uint64(v.narrow[stream.SetOFMHeightM1]), v.narrow[stream.SetOFMDepthM1])
	if r == "" && !v.chained(&ofmRegisters) {
		v.verdict.Written[v.narrow[stream.SetOFMRegion]&7] = true
	}
	return r
}

func (v *validator) elementwise(mode uint16) string {
	if v.product == stream.U85 {
		if missing := v.want(stream.SetIFMBroadcast); missing != "" {
			return missing
		}
	}
	second := !stream.ElementwiseMode(mode).Unary()
	if second {
		if missing := v.want(stream.SetIFM2Broadcast); missing != "" {
			return missing
		}
	}
	one, two := v.narrow[stream.SetIFMBroadcast], v.narrow[stream.SetIFM2Broadcast]
	if v.product == stream.U85 && two == 8 || v.product == stream.U65 && two&0x80 != 0 {
		second = false // a scalar
	}
	operand := func(r *kernelRegisters, broadcast uint16) string {
		end := func(bit uint16, c stream.Code) uint16 {
			if broadcast&bit != 0 {
				return 0
			}
			return v.narrow[c]
		}
		return v.extent(r, uint64(end(2, stream.SetOFMWidthM1)), uint64(end(1, stream.SetOFMHeightM1)), end(4, stream.SetOFMDepthM1))
	}
	if one != 8 {
		if r := operand(&ifmRegisters, one); r != "" {
			return r
		}
	}
	if second {
		if r := operand(&ifm2Registers, two); r != "" {
			return r
		}
	}
	return v.output()
}
