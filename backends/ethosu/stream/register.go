package stream

func field(name string, lo, hi uint8, values ...string) Field {
	return Field{Name: name, Lo: lo, Hi: hi, Values: values}
}

func reg(name string, fields ...Field) Register { return Register{name, fields} }

// whole describes a one-word register of one unsigned number of n bits.
func whole(name string, n uint8) Register { return reg(name, field("", 0, n-1)) }

func less1(name string, n uint8) Register {
	return reg(name, Field{Lo: 0, Hi: n - 1, Plus1: true})
}

func address(name string) Register { return reg(name, field("", 0, 39)) }

func stride(name string) Register { return reg(name, Field{Lo: 0, Hi: 39, Signed: true}) }

func payload(name string) Register { return reg(name, field("", 0, 31)) }

var (
	layouts   = []string{"NHWC", "NHCWB16"}
	bitsOf    = []string{"8", "16", "32", "64"}
	signs     = []string{"unsigned", "signed"}
	storages  = []string{"TILE2X2", "TILE3X1", "CHAINED", "NONE"}
	rounds55  = []string{"TFL", "TRUNCATE", "NATURAL"}
	rounds85  = []string{"DOUBLE_SYMMETRIC", "NATURAL", "DOUBLE_ASYMMETRIC", "SYMMETRIC", "TRUNC_TO_ZERO", "TRUNC_TO_LOWER"}
	upscales  = []string{"NONE", "NEAREST", "ZEROS"}
	strideMap = []string{"D1", "D2", "D3"}
)

// commonRegisters holds the opcodes that mean the same on every product.
var commonRegisters = map[Code]Register{
	OpStop:          reg("NPU_OP_STOP", field("mask", 0, 15)),
	OpIRQ:           reg("NPU_OP_IRQ", field("mask", 0, 15)),
	OpDepthwise:     reg("NPU_OP_DEPTHWISE"),
	OpDMAStart:      reg("NPU_OP_DMA_START"),
	OpPMUMask:       reg("NPU_OP_PMU_MASK", field("enable", 0, 0)),
	SetIFMPadTop:    whole("NPU_SET_IFM_PAD_TOP", 7),
	SetIFMPadLeft:   whole("NPU_SET_IFM_PAD_LEFT", 7),
	SetIFMPadRight:  whole("NPU_SET_IFM_PAD_RIGHT", 8),
	SetIFMPadBottom: whole("NPU_SET_IFM_PAD_BOTTOM", 8),
	SetIFMDepthM1:   less1("NPU_SET_IFM_DEPTH_M1", 16),
	SetIFMUpscale:   reg("NPU_SET_IFM_UPSCALE", field("", 0, 1, upscales...)),
	SetIFMZeroPoint: whole("NPU_SET_IFM_ZERO_POINT", 16),
	SetIFMWidth0M1:  less1("NPU_SET_IFM_WIDTH0_M1", 16),
	SetIFMHeight0M1: less1("NPU_SET_IFM_HEIGHT0_M1", 16),
	SetIFMHeight1M1: less1("NPU_SET_IFM_HEIGHT1_M1", 16),
	SetIFMRegion:    whole("NPU_SET_IFM_REGION", 3),
	SetOFMWidthM1:   less1("NPU_SET_OFM_WIDTH_M1", 16),
	SetOFMHeightM1:  less1("NPU_SET_OFM_HEIGHT_M1", 16),
	SetOFMDepthM1:   less1("NPU_SET_OFM_DEPTH_M1", 16),
	SetOFMZeroPoint: whole("NPU_SET_OFM_ZERO_POINT", 16),
	SetOFMWidth0M1:  less1("NPU_SET_OFM_WIDTH0_M1", 16),
	SetOFMHeight0M1: less1("NPU_SET_OFM_HEIGHT0_M1", 16),
	SetOFMHeight1M1: less1("NPU_SET_OFM_HEIGHT1_M1", 16),
	SetOFMRegion:    whole("NPU_SET_OFM_REGION", 3),
	SetKernelStride: reg("NPU_SET_KERNEL_STRIDE", field("stride_x_lsb", 0, 0), field("stride_y_lsb", 1, 1),
		field("weight_order", 2, 2, "DEPTH_FIRST", "PART_KERNEL_FIRST"), field("dilation_x", 3, 3), field("dilation_y", 4, 4),
		field("decomposition", 5, 5, "D8X8", "D4X4"), field("stride_x_msb", 6, 6), field("stride_y_msb", 9, 9)),
	SetKernelWidthM1:  less1("NPU_SET_KERNEL_WIDTH_M1", 16),
	SetKernelHeightM1: less1("NPU_SET_KERNEL_HEIGHT_M1", 16),
	SetActivationMin:  whole("NPU_SET_ACTIVATION_MIN", 16),
	SetActivationMax:  whole("NPU_SET_ACTIVATION_MAX", 16),
	SetWeightRegion:   whole("NPU_SET_WEIGHT_REGION", 3),
	SetScaleRegion:    whole("NPU_SET_SCALE_REGION", 3),
	SetIFM2ZeroPoint:  whole("NPU_SET_IFM2_ZERO_POINT", 16),
	SetIFM2Width0M1:   less1("NPU_SET_IFM2_WIDTH0_M1", 16),
	SetIFM2Height0M1:  less1("NPU_SET_IFM2_HEIGHT0_M1", 16),
	SetIFM2Height1M1:  less1("NPU_SET_IFM2_HEIGHT1_M1", 16),
	SetIFM2Region:     whole("NPU_SET_IFM2_REGION", 3),

	SetIFMBase0:     address("NPU_SET_IFM_BASE0"),
	SetIFMBase1:     address("NPU_SET_IFM_BASE1"),
	SetIFMBase2:     address("NPU_SET_IFM_BASE2"),
	SetIFMBase3:     address("NPU_SET_IFM_BASE3"),
	SetIFMStrideX:   stride("NPU_SET_IFM_STRIDE_X"),
	SetIFMStrideY:   stride("NPU_SET_IFM_STRIDE_Y"),
	SetIFMStrideC:   stride("NPU_SET_IFM_STRIDE_C"),
	SetOFMBase0:     address("NPU_SET_OFM_BASE0"),
	SetOFMBase1:     address("NPU_SET_OFM_BASE1"),
	SetOFMBase2:     address("NPU_SET_OFM_BASE2"),
	SetOFMBase3:     address("NPU_SET_OFM_BASE3"),
	SetOFMStrideX:   stride("NPU_SET_OFM_STRIDE_X"),
	SetOFMStrideY:   stride("NPU_SET_OFM_STRIDE_Y"),
	SetOFMStrideC:   stride("NPU_SET_OFM_STRIDE_C"),
	SetIFM2Base0:    address("NPU_SET_IFM2_BASE0"),
	SetIFM2Base1:    address("NPU_SET_IFM2_BASE1"),
	SetIFM2Base2:    address("NPU_SET_IFM2_BASE2"),
	SetIFM2Base3:    address("NPU_SET_IFM2_BASE3"),
	SetIFM2StrideX:  stride("NPU_SET_IFM2_STRIDE_X"),
	SetIFM2StrideY:  stride("NPU_SET_IFM2_STRIDE_Y"),
	SetIFM2StrideC:  stride("NPU_SET_IFM2_STRIDE_C"),
	SetWeightBase:   address("NPU_SET_WEIGHT_BASE"),
	SetWeightLength: payload("NPU_SET_WEIGHT_LENGTH"),
	SetScaleBase:    address("NPU_SET_SCALE_BASE"),
	SetScaleLength:  reg("NPU_SET_SCALE_LENGTH", field("", 0, 19)),
	SetDMA0Src:      address("NPU_SET_DMA0_SRC"),
	SetDMA0Dst:      address("NPU_SET_DMA0_DST"),
	SetDMA0Len:      address("NPU_SET_DMA0_LEN"),
}

var elementwise55 = []string{"MUL", "ADD", "SUB", "MIN", "MAX", "LRELU", "ABS", "CLZ", "SHR", "SHL"}

// u55Registers holds what U55 and U65 share and U85 has not, or has otherwise.
var u55Registers = map[Code]Register{
	OpConv:        reg("NPU_OP_CONV"),
	OpPool:        reg("NPU_OP_POOL", field("mode", 0, 2, "MAX", "AVERAGE", "REDUCE_SUM")),
	OpElementwise: reg("NPU_OP_ELEMENTWISE", field("mode", 0, 5, elementwise55...)),
	OpDMAWait:     reg("NPU_OP_DMA_WAIT", field("k", 0, 3)),
	OpKernelWait:  reg("NPU_OP_KERNEL_WAIT", field("n", 0, 1)),
	SetIFMPrecision: reg("NPU_SET_IFM_PRECISION", field("sign", 0, 0, signs...), field("bits", 2, 3, bitsOf...),
		field("layout", 6, 7, layouts...), field("scale_mode", 8, 9, "OPA_OPB_16", "OPA_32", "OPB_32"), field("round", 14, 15, rounds55...)),
	SetIFM2Precision: reg("NPU_SET_IFM2_PRECISION", field("sign", 0, 0, signs...), field("bits", 2, 3, bitsOf...), field("layout", 6, 7, layouts...)),
	SetIFMIBEnd:      whole("NPU_SET_IFM_IB_END", 6),
	SetOFMPrecision: reg("NPU_SET_OFM_PRECISION", field("sign", 0, 0, signs...), field("bits", 1, 2, bitsOf...), field("layout", 6, 7, layouts...),
		field("scale", 8, 8, "PER_CHANNEL", "GLOBAL"), field("round", 14, 15, rounds55...)),
	SetOFMBlkWidthM1:  less1("NPU_SET_OFM_BLK_WIDTH_M1", 6),
	SetOFMBlkHeightM1: less1("NPU_SET_OFM_BLK_HEIGHT_M1", 5),
	SetOFMBlkDepthM1:  less1("NPU_SET_OFM_BLK_DEPTH_M1", 7),
	SetAccFormat:      reg("NPU_SET_ACC_FORMAT", field("", 0, 1, "I32", "I40", "F16")),
	SetActivation: reg("NPU_SET_ACTIVATION", field("function", 0, 4, "NONE", "", "", "TANH", "SIGMOID", "", "", "", "", "", "", "", "", "", "", "",
		"TABLE_0", "TABLE_1", "TABLE_2", "TABLE_3", "TABLE_4", "TABLE_5", "TABLE_6", "TABLE_7"), field("clip", 12, 14, "OFM_PRECISION", "", "UINT8", "INT8", "", "INT16")),
	SetABStart:       whole("NPU_SET_AB_START", 6),
	SetBlockDep:      whole("NPU_SET_BLOCKDEP", 2),
	SetDMA0SrcRegion: reg("NPU_SET_DMA0_SRC_REGION", field("region", 0, 2), field("internal", 8, 8), field("stride_mode", 9, 10, strideMap...)),
	SetDMA0DstRegion: reg("NPU_SET_DMA0_DST_REGION", field("region", 0, 2), field("internal", 8, 8), field("stride_mode", 9, 10, strideMap...)),
	SetIFM2Broadcast: reg("NPU_SET_IFM2_BROADCAST", field("h", 0, 0), field("w", 1, 1), field("c", 2, 2), field("reversed", 6, 6), field("constant", 7, 7)),
	SetIFM2Scalar:    whole("NPU_SET_IFM2_SCALAR", 16),
	SetIFM2IBStart:   whole("NPU_SET_IFM2_IB_START", 6),
	SetOFMScale:      reg("NPU_SET_OFM_SCALE", field("scale", 0, 31), field("shift", 32, 37)),
	SetIFMScale:      reg("NPU_SET_OPA_SCALE", field("scale", 0, 31), field("shift", 32, 37)),
	SetIFM2Scale:     reg("NPU_SET_OPB_SCALE", field("scale", 0, 15)),
}

// u65Registers adds to U55's the second core and two-dimensional DMA.
var u65Registers = extend(u55Registers, map[Code]Register{
	SetParallelMode:   whole("NPU_SET_PARALLEL_MODE", 1),
	SetDMA0Size0:      whole("NPU_SET_DMA0_SIZE0", 16),
	SetDMA0Size1:      whole("NPU_SET_DMA0_SIZE1", 16),
	SetDMA0SrcStride0: stride("NPU_SET_DMA0_SKIP0"),
	SetDMA0SrcStride1: stride("NPU_SET_DMA0_SKIP1"),
	SetWeight1Base:    address("NPU_SET_WEIGHT1_BASE"),
	SetWeight1Length:  payload("NPU_SET_WEIGHT1_LENGTH"),
	SetScale1Base:     address("NPU_SET_SCALE1_BASE"),
	SetScale1Length:   reg("NPU_SET_SCALE1_LENGTH", field("", 0, 19)),
})

func extend(a, b map[Code]Register) map[Code]Register {
	m := make(map[Code]Register, len(a)+len(b))
	for k, v := range a {
		m[k] = v
	}
	for k, v := range b {
		m[k] = v
	}
	return m
}

func operandScale85(name string) Register {
	return reg(name, field("scale", 0, 30), field("shift", 32, 37), field("dbl_rnd", 38, 42), field("round", 45, 45, rounds85...))
}

func broadcast85(name string) Register {
	return reg(name, field("h", 0, 0), field("w", 1, 1), field("c", 2, 2), field("scalar", 3, 3))
}

func precision85(name string) Register {
	return reg(name, field("sign", 0, 0, signs...), field("bits", 2, 3, bitsOf...), field("layout", 6, 7, layouts...), field("storage", 14, 15, storages...))
}

func resizeStep(name string) Register {
	return reg(name, field("one_step_mod", 0, 10), field("blk_step_mod", 16, 26), field("one_step_int", 32, 35), field("blk_step_int", 36, 46))
}

var u85Registers = map[Code]Register{
	OpConv: reg("NPU_OP_CONV", field("weights_ifm2", 0, 0)),
	OpPool: reg("NPU_OP_POOL", field("mode", 0, 2, "MAX", "AVERAGE", "REDUCE_SUM", "SUM", "NONE", "MIN", "ARGMAX_X", "ARGMAX_Y")),
	OpElementwise: reg("NPU_OP_ELEMENTWISE", field("mode", 0, 5, append(append([]string{}, elementwise55...), "LSR", "DIV", "", "", "", "",
		"CMP_EQ", "CMP_NE", "CMP_GE", "CMP_GT", "", "", "", "", "", "", "", "", "", "", "", "", "", "AND", "OR", "XOR", "NOT", "", "", "", "", "", "AND_NOT")...)),
	OpResize:         reg("NPU_OP_RESIZE", field("mode", 0, 1, "BILINEAR", "REPLICATE", "NEAREST")),
	OpDMAWait:        reg("NPU_OP_DMA_WAIT", field("k", 0, 3)),
	OpKernelWait:     reg("NPU_OP_KERNEL_WAIT", field("n", 0, 1)),
	OpBranch:         reg("NPU_OP_BRANCH", field("target", 0, 31), field("condition", 32, 32, "ALWAYS", "RESULT_FLAG")),
	SetIFMPrecision:  precision85("NPU_SET_IFM_PRECISION"),
	SetIFM2Precision: precision85("NPU_SET_IFM2_PRECISION"),
	SetIFMBroadcast:  broadcast85("NPU_SET_IFM_BROADCAST"),
	SetIFM2Broadcast: broadcast85("NPU_SET_IFM2_BROADCAST"),
	SetOFMPrecision: reg("NPU_SET_OFM_PRECISION", field("sign", 0, 0, signs...), field("bits", 1, 2, bitsOf...), field("layout", 6, 7, layouts...),
		field("scale", 8, 8, "PER_CHANNEL", "GLOBAL"), field("reverse", 9, 10, "NONE", "H", "W", "C"),
		field("transpose", 11, 13, "HWC", "WHC", "HCW", "WCH", "", "", "CHW", "CWH"), field("storage", 14, 15, storages...)),
	SetOFMBlkWidthM1:  less1("NPU_SET_OFM_BLK_WIDTH_M1", 7),
	SetOFMBlkHeightM1: less1("NPU_SET_OFM_BLK_HEIGHT_M1", 7),
	SetOFMBlkDepthM1:  less1("NPU_SET_OFM_BLK_DEPTH_M1", 10),
	SetAccFormat: reg("NPU_SET_ACC_FORMAT", field("", 0, 1, "I32", "I48"), field("input", 4, 5, "RESET", "KEEP", "IFM2"),
		field("output", 6, 6, "ENABLE", "DISABLE"), field("microblock", 8, 10, "1X1", "1X2", "1X4", "2X2", "2X4", "4X4")),
	SetActivation: reg("NPU_SET_ACTIVATION", field("function", 0, 4, "NONE", "LUT_U8_U8", "", "", "LUT_S8_S8", "LUT_S8_S16", "", "LUT_S8_S32",
		"LUT_S16_S16", "LUT_S16_S32", "TANH", "SIGMOID"), field("table", 5, 7), field("clip", 12, 12, "ON", "OFF")),
	SetResizeXScaleNM1: less1("NPU_SET_RESIZE_X_SCALE_N_M1", 11),
	SetResizeYScaleNM1: less1("NPU_SET_RESIZE_Y_SCALE_N_M1", 11),
	SetResizeXOffset:   reg("NPU_SET_RESIZE_X_OFFSET", Field{Lo: 0, Hi: 11, Signed: true}),
	SetResizeYOffset:   reg("NPU_SET_RESIZE_Y_OFFSET", Field{Lo: 0, Hi: 11, Signed: true}),
	SetWeightFormat:    reg("NPU_SET_WEIGHT_FORMAT", field("format", 0, 0, "SWD", "FWD"), field("sparsity", 4, 4, "NONE", "SPARSE_2_4")),
	SetBlockDep:        whole("NPU_SET_BLOCKDEP", 3),
	SetDMA0SrcRegion: reg("NPU_SET_DMA0_SRC_REGION", field("region", 0, 2), field("internal", 8, 8), field("stride_mode", 9, 10, strideMap...),
		field("indexed", 11, 11)),
	SetDMA0DstRegion:  reg("NPU_SET_DMA0_DST_REGION", field("region", 0, 2), field("internal", 8, 8), field("indexed", 11, 11)),
	SetDMA0Size0:      whole("NPU_SET_DMA0_SIZE0", 16),
	SetDMA0Size1:      whole("NPU_SET_DMA0_SIZE1", 16),
	SetDMA0IdxRegion:  whole("NPU_SET_DMA0_IDX_REGION", 3),
	SetOFMScale:       reg("NPU_SET_OFM_SCALE", field("scale", 0, 30), field("shift", 32, 37), field("dbl_rnd", 38, 42), field("round", 45, 47, rounds85...)),
	SetIFMScale:       operandScale85("NPU_SET_IFM_SCALE"),
	SetIFM2Scale:      operandScale85("NPU_SET_IFM2_SCALE"),
	SetOpScalar:       reg("NPU_SET_OP_SCALAR", Field{Lo: 0, Hi: 31, Signed: true}),
	SetDMA0SrcStride0: stride("NPU_SET_DMA0_SRC_STRIDE0"),
	SetDMA0SrcStride1: stride("NPU_SET_DMA0_SRC_STRIDE1"),
	SetDMA0DstStride0: stride("NPU_SET_DMA0_DST_STRIDE0"),
	SetDMA0DstStride1: stride("NPU_SET_DMA0_DST_STRIDE1"),
	SetDMA0Idx:        address("NPU_SET_DMA0_IDX"),
	SetDMA0IdxMax:     reg("NPU_SET_DMA0_IDX_MAX", field("", 0, 30)),
	SetDMA0IdxSkip1:   stride("NPU_SET_DMA0_IDX_SKIP1"),
	SetWeight1Base:    address("NPU_SET_WEIGHT1_BASE"),
	SetWeight1Length:  payload("NPU_SET_WEIGHT1_LENGTH"),
	SetWeight2Base:    address("NPU_SET_WEIGHT2_BASE"),
	SetWeight2Length:  payload("NPU_SET_WEIGHT2_LENGTH"),
	SetWeight3Base:    address("NPU_SET_WEIGHT3_BASE"),
	SetWeight3Length:  payload("NPU_SET_WEIGHT3_LENGTH"),
	SetResizeXStep:    resizeStep("NPU_SET_RESIZE_X_STEP"),
	SetResizeYStep:    resizeStep("NPU_SET_RESIZE_Y_STEP"),
}
