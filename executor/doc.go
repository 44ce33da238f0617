// Package executor runs the methods of a program: it links a plan of the file against operators and backends, binds its
// values to memory, and runs its instructions.
//
//	pte.Program ──Link──▶ Linked ──Fit──▶ memory.Layout ──Bind──▶ Method ──Run──▶ outputs
//
// Link resolves every name, builds the value table and lets each call prepare itself; whatever is missing or wrong in
// the file comes back in one error. Fit is arithmetic: do the arenas and all that the calls want fit the board. Bind
// takes the memory. What is left for Run is what data can change.
//
// The value table has one Value a slot. An instruction names slots; its argument list is made once at Link and handed
// to the operator or delegate as it is:
//
//	values   [0] tensor  [1] tensor  [2] int  [3] tensor …        chains, end to end
//	             ▲           ▲                    ▲               ┌──────────────────────────┐
//	             └───────────┴────────┬───────────┘               │ 0 call   aten::add.out   │
//	                                  └── args ───────────────────┤ 1 jump_false → 3         │
//	                                                              │ 2 move   1 → 3           │
//	                                                              └──────────────────────────┘
//
// Tensors lie in arenas (one a mem_id), in the file (constants), or with the caller (inputs and outputs that the file
// does not plan). A method belongs to one goroutine at a time; a second Run meanwhile gets ErrBusy.
package executor
