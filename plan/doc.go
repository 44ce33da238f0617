// Package plan makes a better memory plan for a program as it is, without exporting it again.
//
//	executor.Linked ──Demand──▶ buffers with lifetimes ─┐
//	delegates ──Arity──▶ scratch that the file hides ───┼──▶ pack.Assign ──▶ verified ──▶ a new pte.Program, or an Overlay
//	hal.Board ──▶ pools: room, price, who sees them ────┘
//
// What the file left to the temp arena, the scratch of NPU delegates, becomes trailing planned arguments, which share bytes
// with whatever is dead during the call. Inputs and outputs of a delegate may be laid exactly where its scratch expects them,
// so that nothing is copied (Options.AliasIO). Buffers go to the pools of the board by size or by the cost of their
// traffic. Stock ExecuTorch loads and runs the result: it never looks behind a delegate's outputs, and arenas are arenas.
//
// Firmware turns a plan into a linker fragment and a table of arenas in C, for images that run ExecuTorch's own runtime.
//
// Every plan is checked by code of its own (verify.go) before it leaves the package.
package plan
