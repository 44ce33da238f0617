// Package walk is the one place that knows how elements lie in memory. Operators say what happens to numbers; walk says
// which numbers meet, in which type, from where to where, and on which core.
//
//	tensors ──View──▶ runs of elements in the output's memory order, dimensions merged where the strides allow
//	          Load──▶ packed blocks of the type that is computed in (f16, bf16 → f32), strides and casts resolved
//	        Kernel──▶ one loop over packed elements, written once for each operator
//	          Load──▶ stored in the output's type
//
// Each shape of operator has its driver, which is the state of a call site:
//
//	Map      dst[i] = f(a[i], b[i], c[i]), everything broadcast
//	Copy     elements moved into an output as a View says: slices, permutations, casts
//	Place    elements moved into a part of an output: cat, stack, padding
//	Reduce   dimensions folded into one element
//	Rows     dimensions taken as rows: softmax, normalisation, scans
//	Index    elements that index tensors choose
//
// What only moves goes along a Path between two views, plane by plane: see package plane.
//
// The fast paths belong here: whole tensors that lie alike go to the kernel in one piece with no copy, a broadcast
// operand is spread once into a block that stays in the first-level cache, and long tensors are cut into parts for
// several cores. How a tensor is cut depends on its size alone, so that results are the same for any number of workers.
//
// Nothing here allocates in Run: plans live in fixed arrays inside the call's state, blocks in the temp arena.
package walk
