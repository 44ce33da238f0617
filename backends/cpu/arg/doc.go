// Package arg reads the arguments of operators: it turns slots of a value table into tensors, numbers and lists, and
// says which argument of which operator is wrong, what was wanted and what was found.
//
// An operator states its argument names once, as a Signature; everything else follows from the position:
//
//	var sig = arg.Sign("aten::select_copy.int_out", "self dim index out")
//	...
//	x, err := sig.Tensor(args, 0)                    // aten::select_copy.int_out(self): want tensor, found int
//	d, err := sig.Dim(args, 1, x.Rank())             // aten::select_copy.int_out(dim): want -3…2, found 7
//
// Several arguments are read one after the other with a Reader, which keeps the first error. All of this may be done in
// Prepare and in Run: it allocates only for errors.
package arg
