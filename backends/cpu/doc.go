// Package cpu holds the operators that run on the CPU: ATen's out variants as ExecuTorch names them, the prim operators
// of shapes and control flow, quantised and custom ones. An operator is a line in its family's table or a short function:
//
//	element by element     pointwise.go: operands, promotion, shapes
//	  unary                abs ceil cos erf exp floor isnan log logical_not neg round rsqrt sigmoid sign sqrt tanh … logit
//	  activation           relu hardtanh leaky_relu elu gelu clamp
//	  arithmetic           add sub rsub mul div floor_divide fmod remainder pow atan2; power.go, maximum.go, quotient.go
//	  compare, bitwise     eq ne lt le gt ge; bitwise_and …, shifts, logical_and …
//	  select, gate         where masked_fill; glu native_dropout
//	along dimensions       walk.Reduce and walk.Rows
//	  reduce               sum mean prod amax amin max min argmax argmin any var; folds.go, extremes.go, variance.go, strips.go
//	  softmax, scan, topk  _softmax _log_softmax; cumsum; topk
//	  norm, batchnorm      native_layer_norm native_group_norm _native_batch_norm_legit; with running statistics
//	  distance             _cdist_forward _pdist_forward; pairs.go
//	complex numbers        complex: arithmetic; complexmath, complexarcs: functions; complexfolds: along dimensions
//	moving elements        moving.go: what the output sees of the input
//	  shape                permute transpose t unsqueeze squeeze expand slice narrow select flip diagonal as_strided unfold
//	                       clone _to_copy _to_dim_order_copy …
//	  copy, roll           copy view_copy repeat view_as_real; roll tril
//	  join, split, pad     cat stack; split unbind; constant_pad_nd reflection_pad replication_pad
//	where tensors say      index indexput scatter: index embedding index_select, index_put, gather scatter …
//	  masked, nonzero      masked_scatter masked_select; nonzero repeat_interleave
//	out of nothing         create, random: full zeros arange …; rand randn
//	numbers and shapes     prim, between kernels: executorch_prim::…, sym_size, item
//	others                 fft: _fft_r2c …; custom: allclose tile_crop fallback
//	packages of their own  nn: convolution, products, pooling, resampling; quant: quantized_decomposed::…;
//	                       llm: llama::…; cortexm: cortex_m::…
//
// Most are planned (package site): a plan reads and checks the arguments, and holds while they are the same; a
// run goes through the elements. How arguments are read is in package arg, how elements are walked in package walk. Loops
// that are worth vectors are in fmath (floating-point arithmetic), lanes (everything else that looks at values), plane
// (moves) and dense (products), each beside a portable twin.
//
// Results are eager PyTorch's, for every dim order, rank and type, wherever ExecuTorch's own kernels differ. Go's
// compiler may fuse a product and a sum; where two roundings are part of the result, the product is converted first.
package cpu
