// Package dense is the arithmetic core of matrix products and convolutions, on plain slices.
//
// Everything rests on one register tile: a few rows of A times sixteen columns of B, summed over k. A is read in place,
// row by row; row k of B begins wherever an offset table says. That one freedom turns convolution into a matrix product
// without an im2col buffer, because a tap of the kernel is only another place in the (padded) input to start from:
//
//	        k ─▶               off[k] ─▶ ┌ channel 0, tap (0,0)
//	  ┌───────────┐  ┌─────────────┐     ├ channel 0, tap (0,1)      one padded plane, read at
//	M │  weights  │ ·│ input, seen │ N ◀─┤ …                         kh·kw starting points
//	  └───────────┘  │  k times    │     └ channel C-1, tap (kh,kw)
//	                 └─────────────┘
//
// The padded plane keeps its own row pitch, so a run of columns crosses row ends; the columns between rows are computed
// and dropped. Strides split the plane into phases (even and odd columns for stride 2), so that columns stay adjacent.
//
// Distances between rows take panels and tiles too, with another operation than a product.
//
// Results do not depend on the number of workers: work is cut by rows and columns, never along k. They may differ in the
// last bits between tiers (generic Go, AVX2, NEON), as f32 sums do.
package dense
