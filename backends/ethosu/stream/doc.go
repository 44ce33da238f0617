// Package stream decodes Ethos-U command streams.
//
// A stream is a pure register program: words that set registers, and about ten operation words that start work with
// the registers as they are. [Decode] walks it once and gives the commands as they stand, for disassembly, and the
// operations with the registers they see, for everyone who wants to know what the NPU will do.
//
//	word   [31:16] parameter   [15:14] 0: one word  1: a 32-bit payload follows   [9:0] opcode
//
//	SET_IFM_BASE0 …  SET_OFM_DEPTH_M1 …  OP_CONV  SET_… OP_POOL  OP_STOP
//	└──────────── registers ──────────┘  └ Op{Conv, registers}
//
// Opcodes and fields are those of the interface headers of ethos-u-core-driver 1.0 and Vela 5.1 for the architecture
// versions 1.0.6 (U55, U65) and 2.0.0 (U85). Some opcodes and fields mean different things on different products, so
// every table here is chosen by the accelerator.
package stream
