package stream

// Operations: one-word commands below 0x100, and the branch.
const (
	OpStop        Code = 0x000
	OpIRQ         Code = 0x001
	OpConv        Code = 0x002
	OpDepthwise   Code = 0x003
	OpPool        Code = 0x005
	OpElementwise Code = 0x006
	OpResize      Code = 0x007 // U85
	OpDMAStart    Code = 0x010
	OpDMAWait     Code = 0x011
	OpKernelWait  Code = 0x012
	OpPMUMask     Code = 0x013
	OpBranch      Code = 0x100 | wide // U85
)

// Registers of one-word commands.
const (
	SetIFMPadTop       Code = 0x100
	SetIFMPadLeft      Code = 0x101
	SetIFMPadRight     Code = 0x102
	SetIFMPadBottom    Code = 0x103
	SetIFMDepthM1      Code = 0x104
	SetIFMPrecision    Code = 0x105
	SetIFMUpscale      Code = 0x107
	SetIFMBroadcast    Code = 0x108 // U85
	SetIFMZeroPoint    Code = 0x109
	SetIFMWidth0M1     Code = 0x10A
	SetIFMHeight0M1    Code = 0x10B
	SetIFMHeight1M1    Code = 0x10C
	SetIFMIBEnd        Code = 0x10D // U55, U65
	SetIFMRegion       Code = 0x10F
	SetOFMWidthM1      Code = 0x111
	SetOFMHeightM1     Code = 0x112
	SetOFMDepthM1      Code = 0x113
	SetOFMPrecision    Code = 0x114
	SetOFMBlkWidthM1   Code = 0x115
	SetOFMBlkHeightM1  Code = 0x116
	SetOFMBlkDepthM1   Code = 0x117
	SetOFMZeroPoint    Code = 0x118
	SetOFMWidth0M1     Code = 0x11A
	SetOFMHeight0M1    Code = 0x11B
	SetOFMHeight1M1    Code = 0x11C
	SetOFMRegion       Code = 0x11F
	SetKernelWidthM1   Code = 0x120
	SetKernelHeightM1  Code = 0x121
	SetKernelStride    Code = 0x122
	SetParallelMode    Code = 0x123 // U65
	SetAccFormat       Code = 0x124
	SetActivation      Code = 0x125
	SetActivationMin   Code = 0x126
	SetActivationMax   Code = 0x127
	SetWeightRegion    Code = 0x128
	SetScaleRegion     Code = 0x129
	SetResizeXScaleNM1 Code = 0x12A // U85
	SetResizeYScaleNM1 Code = 0x12B // U85
	SetResizeXOffset   Code = 0x12C // U85
	SetResizeYOffset   Code = 0x12D // U85
	SetABStart         Code = 0x12D // U55, U65
	SetWeightFormat    Code = 0x12E // U85
	SetBlockDep        Code = 0x12F
	SetDMA0SrcRegion   Code = 0x130
	SetDMA0DstRegion   Code = 0x131
	SetDMA0Size0       Code = 0x132
	SetDMA0Size1       Code = 0x133
	SetDMA0IdxRegion   Code = 0x134 // U85
	SetIFM2Broadcast   Code = 0x180
	SetIFM2Scalar      Code = 0x181 // U55, U65
	SetIFM2Precision   Code = 0x185
	SetIFM2ZeroPoint   Code = 0x189
	SetIFM2Width0M1    Code = 0x18A
	SetIFM2Height0M1   Code = 0x18B
	SetIFM2Height1M1   Code = 0x18C
	SetIFM2IBStart     Code = 0x18D // U55, U65
	SetIFM2Region      Code = 0x18F
)

// Registers of two-word commands.
const (
	SetIFMBase0       Code = 0x000 | wide
	SetIFMBase1       Code = 0x001 | wide
	SetIFMBase2       Code = 0x002 | wide
	SetIFMBase3       Code = 0x003 | wide
	SetIFMStrideX     Code = 0x004 | wide
	SetIFMStrideY     Code = 0x005 | wide
	SetIFMStrideC     Code = 0x006 | wide
	SetOFMBase0       Code = 0x010 | wide
	SetOFMBase1       Code = 0x011 | wide
	SetOFMBase2       Code = 0x012 | wide
	SetOFMBase3       Code = 0x013 | wide
	SetOFMStrideX     Code = 0x014 | wide
	SetOFMStrideY     Code = 0x015 | wide
	SetOFMStrideC     Code = 0x016 | wide
	SetWeightBase     Code = 0x020 | wide
	SetWeightLength   Code = 0x021 | wide
	SetScaleBase      Code = 0x022 | wide
	SetScaleLength    Code = 0x023 | wide
	SetOFMScale       Code = 0x024 | wide
	SetIFMScale       Code = 0x025 | wide // OPA_SCALE on U55 and U65
	SetIFM2Scale      Code = 0x026 | wide // OPB_SCALE on U55 and U65
	SetOpScalar       Code = 0x027 | wide // U85
	SetDMA0Src        Code = 0x030 | wide
	SetDMA0Dst        Code = 0x031 | wide
	SetDMA0Len        Code = 0x032 | wide
	SetDMA0SrcStride0 Code = 0x033 | wide // DMA0_SKIP0 on U65
	SetDMA0SrcStride1 Code = 0x034 | wide // DMA0_SKIP1 on U65
	SetDMA0DstStride0 Code = 0x035 | wide // U85
	SetDMA0DstStride1 Code = 0x036 | wide // U85
	SetDMA0Idx        Code = 0x037 | wide // U85
	SetDMA0IdxMax     Code = 0x038 | wide // U85
	SetDMA0IdxSkip1   Code = 0x039 | wide // U85
	SetIFM2Base0      Code = 0x080 | wide
	SetIFM2Base1      Code = 0x081 | wide
	SetIFM2Base2      Code = 0x082 | wide
	SetIFM2Base3      Code = 0x083 | wide
	SetIFM2StrideX    Code = 0x084 | wide
	SetIFM2StrideY    Code = 0x085 | wide
	SetIFM2StrideC    Code = 0x086 | wide
	SetWeight1Base    Code = 0x090 | wide // U65, U85
	SetWeight1Length  Code = 0x091 | wide
	SetScale1Base     Code = 0x092 | wide // U65
	SetScale1Length   Code = 0x093 | wide
	SetWeight2Base    Code = 0x092 | wide // U85
	SetWeight2Length  Code = 0x093 | wide
	SetWeight3Base    Code = 0x094 | wide // U85
	SetWeight3Length  Code = 0x095 | wide
	SetResizeXStep    Code = 0x096 | wide // U85
	SetResizeYStep    Code = 0x097 | wide // U85
)
