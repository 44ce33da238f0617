// Package nxp is the delegate for programs lowered to NXP's eIQ Neutron NPU.
//
// A delegate payload, as ExecuTorch's ahead-of-time flow writes it
// (pytorch/executorch backends/nxp/nxp_backend.py), is four parts, each padded
// to 16 bytes:
//
//	┌──────────────┬───────────────────────────────┬─────────┬─────────┐
//	│ header       │ microcode                     │ weights │ kernels │
//	│ counts, I/O  │ u32 header words │ records │   │         │         │
//	│ formats,maps │                  │ I/O bytes  │         │         │
//	└──────────────┴───────────────────────────────┴─────────┴─────────┘
//
// The package reads that in three steps, each usable on its own:
//
//   - [ParsePayload] and [ParseMicrocode] read counts, maps and sizes and bound
//     every byte; this is all that a device driver needs.
//   - [Microcode.Decode] walks the record stream into [Kernel] values: kind,
//     geometry, operand spaces and extents. The simulator and the disassembler
//     stand on it.
//   - The delegate binds a payload to the values of a program and runs it on an
//     [NPU]: the simulator in package sim, or a driver in package driver.
//
// The header layout comes from pytorch/executorch
// backends/nxp/runtime/NeutronBackend.cpp. The record stream is not published;
// what is read here was worked out from the model files in
// nxp-mcuxpresso/mcuxsdk-examples and their unconverted originals. No NXP
// library, firmware or converter was opened.
package nxp
