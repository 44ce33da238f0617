// Package sim is a functional simulator of the Neutron NPU: it executes the
// microcode of published converters on int8 tensors.
//
// Prepare decodes the record stream (package nxp), unpacks weights, biases and
// scales once and makes one step per kernel; Run binds the job's memory to the
// operand spaces and executes the steps in order without allocating.
//
//	microcode ──nxp.Decode──▶ kernels ──compile──▶ steps
//	                                                 │ Run
//	input, scratch, output ──────────────────────────┴──▶ output
//
// What it computes is exact in geometry, layouts, zero points and biases, which
// were checked against the unconverted networks. How the hardware rounds is
// inferred, since no recorded hardware output is public; the rule stands in
// [Rescale] alone.
//
// A microcode of a revision never seen before runs if every record classifies
// and every operand fits its memory; otherwise Prepare refuses it with the
// revision and the record. Blobs it cannot run may be played back from outputs
// recorded on hardware: see [Playback].
package sim
