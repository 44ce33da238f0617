package stream

// kernel reads the registers of a kernel operation.
func (d *decoder) kernel(kind Kind, param uint16, k *Kernel) error {
	switch kind {
	case Conv:
		k.WeightsIFM2 = d.product == U85 && param&1 == 1
	case Pool:
		k.Pool = PoolMode(param & 7)
		if d.product != U85 && k.Pool > PoolReduceSum {
			return d.fail("want a pooling mode of 0 to 2, have %d", k.Pool)
		}
	case Elementwise:
		k.Elementwise = ElementwiseMode(param & 63)
		if r, _ := Lookup(d.product, OpElementwise); int(k.Elementwise) >= len(r.Fields[0].Values) || r.Fields[0].Values[k.Elementwise] == "" {
			return d.fail("want an elementwise mode of %s, have %d", d.product, k.Elementwise)
		}
	case Resize:
		k.Resize.Mode = uint8(param & 3)
		if k.Resize.Mode == 3 {
			return d.fail("want a resize mode of 0 to 2, have 3")
		}
	}
	if err := d.output(k); err != nil {
		return err
	}
	if kind == Elementwise || kind == Resize { // no accumulators: what the register holds may be left from before
		k.AccBits = 32
	} else {
		d.accumulators(k)
	}
	if kind == Conv || kind == Depthwise || kind == Pool {
		d.window(k)
	}
	if kind == Resize {
		d.resize(k)
	}
	if err := d.inputs(kind, k); err != nil {
		return err
	}
	d.weights(kind, k)
	d.scales(kind, k)
	return d.activation(k)
}

func (d *decoder) output(k *Kernel) error {
	o := &k.OFM
	o.Height, o.Width, o.Depth = d.m1(SetOFMHeightM1), d.m1(SetOFMWidthM1), d.m1(SetOFMDepthM1)
	p := d.n(SetOFMPrecision)
	o.Signed, o.Bits = p&1 == 1, 8<<(p>>1&3)
	if o.Bits == 64 && d.product != U85 {
		return d.fail("want an OFM of 8, 16 or 32 bits, have precision %#04x", p)
	}
	k.GlobalScale = p>>8&1 == 1
	if d.product == U85 {
		o.Storage = Storage(p >> 14)
		k.Reverse, k.Transpose = uint8(p>>9&3), Transpose(p>>11&7)
		if k.Transpose == 4 || k.Transpose == 5 {
			return d.fail("want an OFM transpose of 0 to 3, 6 or 7, have %d", k.Transpose)
		}
	}
	if err := d.placed(o, p, featureMapRegisters{SetOFMRegion, SetOFMZeroPoint, SetOFMBase0, SetOFMStrideX, SetOFMWidth0M1}); err != nil {
		return err
	}
	k.Block = [3]int{d.m1(SetOFMBlkHeightM1), d.m1(SetOFMBlkWidthM1), d.m1(SetOFMBlkDepthM1)}
	k.BlockDep = d.n(SetBlockDep)
	return nil
}

// featureMapRegisters names the first of each group of registers of a feature map.
type featureMapRegisters struct{ region, zeroPoint, base0, strideX, width0 Code }

// placed reads where a feature map lies and its zero point.
func (d *decoder) placed(f *FeatureMap, precision int, r featureMapRegisters) error {
	f.ZeroPoint = signedBy(d.n(r.zeroPoint), f.Signed)
	layout := precision >> 6 & 3
	if layout > 1 {
		return d.fail("want layout NHWC (0) or NHCWB16 (1), have %d", layout)
	}
	f.Layout = Layout(layout)
	if f.Storage == NoStorage {
		return nil
	}
	f.Region = uint8(d.n(r.region) & 7)
	if f.Storage == Chained {
		return nil
	}
	for i := range f.Base {
		f.Base[i] = d.w(r.base0 + Code(i)).Address()
	}
	f.StrideX, f.StrideY, f.StrideC = d.w(r.strideX).Stride(), d.w(r.strideX+1).Stride(), d.w(r.strideX+2).Stride()
	f.Width0, f.Height0, f.Height1 = d.m1(r.width0), d.m1(r.width0+1), d.m1(r.width0+2)
	return nil
}

func signedBy(v int, signed bool) int32 {
	if signed {
		return int32(int16(v))
	}
	return int32(uint16(v))
}

func (d *decoder) accumulators(k *Kernel) {
	f := d.n(SetAccFormat)
	k.AccBits = [4]int{32, 40, 16, 0}[f&3]
	if d.product == U85 {
		k.AccBits = [4]int{32, 48, 0, 0}[f&3]
		k.AccInput, k.NoOutput, k.MicroBlock = AccInput(f>>4&3), f>>6&1 == 1, f>>8&7
	}
}

func (d *decoder) window(k *Kernel) {
	w, s := &k.Window, d.n(SetKernelStride)
	w.Width, w.Height = d.m1(SetKernelWidthM1), d.m1(SetKernelHeightM1)
	w.StrideX, w.StrideY = 1+s&1+s>>6&1*2, 1+s>>1&1+s>>9&1*2
	w.PartKernel = s>>2&1 == 1
	w.DilationX, w.DilationY = 1+s>>3&1, 1+s>>4&1
	w.SubKernel = 8 >> (s >> 5 & 1)
	w.Top, w.Left = d.n(SetIFMPadTop)&127, d.n(SetIFMPadLeft)&127
	w.Right, w.Bottom = d.n(SetIFMPadRight)&255, d.n(SetIFMPadBottom)&255
	k.Upscale = Upscale(d.n(SetIFMUpscale) & 3)
}

func (d *decoder) resize(k *Kernel) {
	r := &k.Resize
	r.ScaleX, r.ScaleY = d.n(SetResizeXScaleNM1)&0x7ff+1, d.n(SetResizeYScaleNM1)&0x7ff+1
	r.OffsetX, r.OffsetY = int(int16(d.n(SetResizeXOffset)<<4))>>4, int(int16(d.n(SetResizeYOffset)<<4))>>4
	step := func(c Code, scale int) int {
		s := d.w(c)
		return int(s.Param&15)*scale + int(s.Payload&0x7ff)
	}
	r.StepX, r.StepY = step(SetResizeXStep, r.ScaleX), step(SetResizeYStep, r.ScaleY)
}

// inputs reads IFM and IFM2 and derives what the operation touches of them.
func (d *decoder) inputs(kind Kind, k *Kernel) error {
	var broadcast, broadcast2 Broadcast
	unary := kind != Elementwise || k.Elementwise.Unary()
	if kind == Elementwise && d.product == U85 {
		broadcast = broadcast85Of(d.n(SetIFMBroadcast))
	}
	preload := k.AccInput == AccIFM2
	if !unary { // preloaded accumulators and weights ignore the register: it may be left from an earlier operation
		if b := d.n(SetIFM2Broadcast); d.product == U85 {
			broadcast2 = broadcast85Of(b)
		} else {
			broadcast2 = Broadcast{H: b&1 != 0, W: b&2 != 0, C: b&4 != 0, Scalar: b&128 != 0}
			k.Reversed = b&64 != 0
		}
	}
	k.HasIFM2 = !unary || preload || k.WeightsIFM2
	if k.WeightsIFM2 && preload {
		return d.fail("want IFM2 as weights or as accumulator input, have both")
	}

	i, p := &k.IFM, d.n(SetIFMPrecision)
	if err := d.operand(i, p, broadcast, featureMapRegisters{SetIFMRegion, SetIFMZeroPoint, SetIFMBase0, SetIFMStrideX, SetIFMWidth0M1}); err != nil {
		return err
	}
	o := &k.OFM
	switch kind {
	case Elementwise:
		i.Height, i.Width, i.Depth = broadcast.apply(o.Height, o.Width, o.Depth)
	case Resize:
		i.Height, i.Width, i.Depth = d.m1(SetKernelHeightM1), d.m1(SetKernelWidthM1), o.Depth
	default:
		w := &k.Window
		i.Height = (o.Height-1)*w.StrideY + w.Height - w.Top - w.Bottom
		i.Width = (o.Width-1)*w.StrideX + w.Width - w.Left - w.Right
		if k.Upscale != UpscaleNone {
			i.Height, i.Width = (i.Height+1)/2, (i.Width+1)/2
		}
		i.Depth = o.Depth
		if kind == Conv || kind == Pool && k.Pool == PoolReduceSum {
			i.Depth = d.m1(SetIFMDepthM1)
		}
		if kind == Pool && k.Pool == PoolNone {
			i.Height, i.Width, i.Depth = 0, 0, 0
		} else if i.Height < 1 || i.Width < 1 {
			return d.fail("want an IFM of at least 1x1 from OFM %dx%d, kernel %dx%d and padding, have %dx%d",
				o.Height, o.Width, w.Height, w.Width, i.Height, i.Width)
		}
	}

	if k.HasIFM2 {
		j, p2 := &k.IFM2, d.n(SetIFM2Precision)
		if err := d.operand(j, p2, broadcast2, featureMapRegisters{SetIFM2Region, SetIFM2ZeroPoint, SetIFM2Base0, SetIFM2StrideX, SetIFM2Width0M1}); err != nil {
			return err
		}
		j.Height, j.Width, j.Depth = broadcast2.apply(o.Height, o.Width, o.Depth)
		if k.WeightsIFM2 {
			j.Height, j.Width, j.Depth = 1, o.Depth, i.Depth
		}
	}
	if broadcast.Scalar || broadcast2.Scalar {
		if d.product == U85 {
			k.Scalar = int32(d.w(SetOpScalar).Payload)
		} else {
			k.Scalar = signedBy(d.n(SetIFM2Scalar), k.IFM2.Signed)
		}
	}
	if kind == Elementwise {
		d.operandScales(k, p)
	}
	return nil
}

// operandScales reads the scaling of the operands where the function has one.
func (d *decoder) operandScales(k *Kernel, precision int) {
	e := k.Elementwise
	if d.product == U85 {
		if e <= EltAbs && e != EltMul || e >= EltCmpEQ && e <= EltCmpGT {
			k.IFMScale = d.operandScale(SetIFMScale, k.IFM.Bits)
			if k.HasIFM2 || e == EltLRelu {
				k.IFM2Scale = d.operandScale(SetIFM2Scale, k.IFM.Bits)
			}
		}
		return
	}
	k.ScaleMode = ScaleMode(precision >> 8 & 3)
	if (e == EltAdd || e == EltSub) && k.IFM.Bits < 32 {
		k.IFMScale = d.operandScale(SetIFMScale, k.IFM.Bits)
		k.IFMScale.Round = round55(precision)
		if k.ScaleMode == OpaOpb16 {
			k.IFM2Scale = d.operandScale(SetIFM2Scale, k.IFM.Bits)
		}
	}
}

func broadcast85Of(b int) Broadcast {
	return Broadcast{H: b&1 != 0, W: b&2 != 0, C: b&4 != 0, Scalar: b&8 != 0}
}

// apply returns the shape that an operand needs to have.
func (b Broadcast) apply(height, width, depth int) (int, int, int) {
	if b.H || b.Scalar {
		height = 1
	}
	if b.W || b.Scalar {
		width = 1
	}
	if b.C || b.Scalar {
		depth = 1
	}
	return height, width, depth
}

func (d *decoder) operand(f *FeatureMap, precision int, b Broadcast, r featureMapRegisters) error {
	f.Signed, f.Bits, f.Broadcast = precision&1 == 1, 8<<(precision>>2&3), b
	if f.Bits == 64 && d.product != U85 {
		return d.fail("want an input of 8, 16 or 32 bits, have precision %#04x", precision)
	}
	if d.product == U85 {
		f.Storage = Storage(precision >> 14 & 3)
	}
	if b.Scalar {
		f.Storage = NoStorage
	}
	return d.placed(f, precision, r)
}

func round55(precision int) Round {
	return [4]Round{RoundDoubleSymmetric, RoundTruncToZero, RoundNatural, RoundNatural}[precision>>14&3]
}

func (d *decoder) operandScale(c Code, bits int) Scaling {
	r := d.w(c)
	s := Scaling{Scale: r.Payload, Shift: uint8(r.Param & 63)}
	if d.product == U85 {
		s.Scale &= 1<<31 - 1
		s.DblRnd, s.Round = uint8(r.Param>>6&31), Round(r.Param>>13&1)
		return s
	}
	if c == SetIFM2Scale {
		s.Scale, s.Shift = s.Scale&0xffff, 0
	} else if s.DblRnd = 20; bits == 16 {
		s.DblRnd = 15
	}
	return s
}

func (d *decoder) weights(kind Kind, k *Kernel) {
	if kind != Depthwise && (kind != Conv || k.WeightsIFM2) {
		return
	}
	region := uint8(d.n(SetWeightRegion) & 7)
	cores := d.stream.Accelerator.Cores()
	if d.product == U85 {
		f := d.n(SetWeightFormat)
		k.FastWeights, k.Sparse = f&1 == 1, f>>4&1 == 1
		if k.FastWeights {
			cores = 1
		}
	}
	if d.product == U65 { // channels go to the cores in turn; a core without any has no stream
		cores = min(cores, k.OFM.Depth)
	}
	bases := [4]Code{SetWeightBase, SetWeight1Base, SetWeight2Base, SetWeight3Base}
	for _, c := range bases[:cores] {
		k.Weights = append(k.Weights, Span{region, d.w(c).Address(), uint64(d.w(c + 1).Payload)})
	}
}

func (d *decoder) scales(kind Kind, k *Kernel) {
	if kind == Elementwise || kind == Resize {
		k.GlobalScale = true
	}
	if d.product == U85 { // its rounding holds for scales per channel too
		s := d.w(SetOFMScale)
		k.OFMScale = Scaling{Scale: s.Payload & (1<<31 - 1), Shift: uint8(s.Param & 63), DblRnd: uint8(s.Param >> 6 & 31), Round: Round(s.Param >> 13 & 7)}
	} else {
		if k.GlobalScale {
			s := d.w(SetOFMScale)
			k.OFMScale = Scaling{Scale: s.Payload, Shift: uint8(s.Param & 63)}
		}
		k.OFMScale.Round = round55(int(d.narrow[SetOFMPrecision&0xff]))
	}
	w := &k.Window
	padded := w.Top+w.Left+w.Bottom+w.Right > 0
	if k.GlobalScale || kind == Pool && d.product != U85 && (k.Pool != PoolAverage || padded) {
		return // pooling on U55 and U65 has scales only where Vela rescales by channel; otherwise the NPU divides by itself
	}
	region := uint8(d.n(SetScaleRegion) & 7)
	k.Scales = append(k.Scales, Span{region, d.w(SetScaleBase).Address(), uint64(d.w(SetScaleLength).Payload & 0xfffff)})
	if d.stream.Accelerator == (Accelerator{U65, 512}) && k.OFM.Depth > 1 {
		k.Scales = append(k.Scales, Span{region, d.w(SetScale1Base).Address(), uint64(d.w(SetScale1Length).Payload & 0xfffff)})
	}
}

func (d *decoder) activation(k *Kernel) error {
	a, r := &k.Activation, d.n(SetActivation)
	a.ClipSigned, a.ClipBits, a.Clamp = k.OFM.Signed, k.OFM.Bits, true
	function := r & 31
	if d.product == U85 {
		a.Clamp = r>>12&1 == 0
		tables := map[int]struct {
			in, out int
			signed  bool
		}{1: {8, 8, false}, 4: {8, 8, true}, 5: {8, 16, true}, 7: {8, 32, true}, 8: {16, 16, true}, 9: {16, 32, true}}
		switch t, ok := tables[function]; {
		case ok:
			a.Function, a.TableIn, a.TableBits = ActTable, t.in, t.out
			a.ClipSigned, a.ClipBits = t.signed, t.in
			size := 2048
			if t.in == 8 {
				size = 256 * t.out / 8
			}
			a.TableAddr = (r >> 5 & 7) * size
		case function == 10:
			a.Function = ActTanh
		case function == 11:
			a.Function = ActSigmoid
		case function != 0:
			return d.fail("want an activation function of U85, have %d", function)
		}
	} else {
		clip := r >> 12 & 7
		switch clip {
		case 0:
			if k.OFM.Bits == 32 { // neither clamped nor offset: both registers may be stale
				a.Clamp, k.OFM.ZeroPoint = false, 0
			}
		case 2, 3, 5:
			a.ForcedClip, a.ClipSigned, a.ClipBits = true, clip != 2, 8<<(clip>>2)
			if k.OFM.Signed != a.ClipSigned {
				k.OFM.ZeroPoint = signedBy(int(uint16(k.OFM.ZeroPoint)), a.ClipSigned)
			}
		default:
			return d.fail("want a clip range of 0, 2, 3 or 5, have %d", clip)
		}
		switch {
		case function == 3:
			a.Function = ActTanh
		case function == 4:
			a.Function = ActSigmoid
		case function >= 16 && function < 24:
			a.Function, a.TableIn, a.TableBits = ActTable, a.ClipBits, k.OFM.Bits
			a.TableAddr = d.stream.Accelerator.TableBase() + 256*(function-16)
		case function != 0:
			return d.fail("want an activation function of U55, have %d", function)
		}
	}
	if a.Clamp {
		a.Min, a.Max = signedBy(d.n(SetActivationMin), a.ClipSigned), signedBy(d.n(SetActivationMax), a.ClipSigned)
	}
	return nil
}
