// Package ethosu runs the parts of a program that were lowered to Arm Ethos-U55, U65 and U85.
//
// ExecuTorch stores such a part as a vela_bin_stream container: a driver payload with the command stream, the weights,
// the size of the scratch memory, and where in it the inputs and outputs lie.
//
//	.pte delegate blob ──Parse──▶ Blob ──Load──▶ Loaded ──Submit, Wait──▶ outputs in the scratch
//
//	stream region 0   weights         read only, from the blob
//	stream region 1   scratch         ScratchBytes, holds the inputs and outputs too
//	stream region 2   fast scratch    Dedicated_Sram modes only; its size is known by walking the stream
//
// What executes a loaded stream is an [NPU]: the simulator in package sim or a driver. Package stream decodes the
// command words for simulator, disassembler and lint alike.
package ethosu
