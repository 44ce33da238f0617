package bench

// variants has further rows, spelt as rowsOf reads them: other shapes, layouts and dtypes, where fast paths may be missing.
const variants = `
# element by element: other dtypes
for T in f64 f16 bf16
aten::exp|tanh|sqrt|neg|abs|relu|sigmoid|log|sin|floor|rsqrt.out T:1024,1024 >T:1024,1024
aten::add.out T:1024,1024 T:1024,1024 1 >T:1024,1024
aten::mul|div|maximum.out T:1024,1024 T:1024,1024 >T:1024,1024
aten::gelu.out T:1024,1024 'none' >T:1024,1024
aten::clamp.out T:1024,1024 -1.0 1.0 >T:1024,1024
aten::lt.Tensor_out T:1024,1024 T:1024,1024 >bool:1024,1024
aten::eq.Scalar_out T:1024,1024 1.0 >bool:1024,1024
aten::elu.out T:1024,1024 1.0 1 1 >T:1024,1024
aten::fmod|remainder.Tensor_out T:1024,1024 T:1024,1024 >T:1024,1024
aten::floor_divide.out T:1024,1024 T:1024,1024 >T:1024,1024
aten::pow.Tensor_Scalar_out T:1024,1024 2 >T:1024,1024

aten::gelu.out f32:1024,1024 'tanh' >f32:1024,1024
aten::pow.Tensor_Scalar_out f32:1024,1024 2 >f32:1024,1024
aten::pow.Tensor_Scalar_out f32:1024,1024 0.5 >f32:1024,1024
aten::pow.Tensor_Scalar_out f32:1024,1024 3 >f32:1024,1024
for T in i64 i32 u8 i8 i16
aten::neg|abs|sign.out T:1024,1024 >T:1024,1024
aten::add.out T:1024,1024 T:1024,1024 1 >T:1024,1024
aten::mul|floor_divide|maximum.out T:1024,1024 T:1024,1024 >T:1024,1024
aten::div.out T:1024,1024 T:1024,1024 >f32:1024,1024
aten::div.out_mode T:1024,1024 T:1024,1024 'floor' >T:1024,1024
aten::div.out_mode T:1024,1024 T:1024,1024 'trunc' >T:1024,1024
aten::fmod|remainder|bitwise_and|bitwise_left_shift.Tensor_out T:1024,1024 T:1024,1024 >T:1024,1024
aten::remainder|bitwise_or.Scalar_out T:1024,1024 3 >T:1024,1024
aten::clamp.out T:1024,1024 0 5 >T:1024,1024
aten::eq.Tensor_out T:1024,1024 T:1024,1024 >bool:1024,1024
aten::lt.Scalar_out T:1024,1024 3 >bool:1024,1024
aten::bitwise_not.out T:1024,1024 >T:1024,1024
aten::add.Scalar_out T:1024,1024 2 1 >T:1024,1024
aten::mul.Scalar_out T:1024,1024 2 >T:1024,1024
aten::logical_not.out T:1024,1024 >bool:1024,1024
aten::logical_and.out T:1024,1024 T:1024,1024 >bool:1024,1024
aten::pow.Tensor_Scalar_out T:1024,1024 2 >T:1024,1024
aten::exp.out T:1024,1024 >f32:1024,1024
aten::pow.Tensor_Tensor_out T:1024,1024 T:1024,1024 >T:1024,1024
for T in i64 i32 i8 i16
aten::sub.out T:1024,1024 T:1024,1024 2 >T:1024,1024

aten::logical_and|mul.out bool:1024,1024 bool:1024,1024 >bool:1024,1024
aten::logical_not|bitwise_not.out bool:1024,1024 >bool:1024,1024
aten::bitwise_and|bitwise_xor|eq.Tensor_out bool:1024,1024 bool:1024,1024 >bool:1024,1024
# element by element: mixed dtypes
aten::mul.out i32:1024,1024 f32:1024,1024 >f32:1024,1024
aten::add.out i64:1024,1024 f32:1024,1024 1 >f32:1024,1024
aten::add.out f16:1024,1024 f32:1024,1024 1 >f32:1024,1024
aten::eq.Tensor_out i64:1024,1024 i32:1024,1024 >bool:1024,1024
aten::mul.out bool:1024,1024 f32:1024,1024 >f32:1024,1024
aten::add.out bool:1024,1024 i64:1024,1024 1 >i64:1024,1024
aten::gt.Tensor_out i64:1024,1024 f32:1024,1024 >bool:1024,1024
# element by element: broadcasts and layouts
for S in 1024 1024,1 1,1024 1 .
aten::add.out f32:1024,1024 f32:S 1 >f32:1024,1024
aten::mul.out f32:1024,1024 f32:S >f32:1024,1024
aten::lt.Tensor_out f32:1024,1024 f32:S >bool:1024,1024
for S in 64,1,1 8,64,1,1 32 1,64,64,1 8,1,64,32
aten::add.out f32:8,64,64,32 f32:S 1 >f32:8,64,64,32

aten::mul.out f32:1000000,1 f32:1000000,4 >f32:1000000,4
aten::sub.out f32:1024,1 f32:1,1024 1 >f32:1024,1024
aten::add.out i64:1024,1024 i64:1024 1 >i64:1024,1024
aten::add.out f16:1024,1024 f16:1024 1 >f16:1024,1024
aten::div.out f32:1024,1024 f32:1024,1 >f32:1024,1024
aten::add.out f32:8,64,64,32^0231 f32:8,64,64,32^0231 1 >f32:8,64,64,32^0231
aten::add.out f32:8,64,64,32^0231 f32:8,64,1,1^0231 1 >f32:8,64,64,32^0231
aten::relu.out f32:8,64,64,32^0231 >f32:8,64,64,32^0231
aten::hardtanh.out f32:8,64,64,32^0231 0 6 >f32:8,64,64,32^0231
aten::where.self_out bool:1024,1024 f32:1024,1024 f32: >f32:1024,1024
aten::where.self_out bool:1024,1 f32:1024,1024 f32:1024 >f32:1024,1024
aten::where.self_out bool:1024,1024 i64:1024,1024 i64:1024,1024 >i64:1024,1024
aten::where.self_out bool:1024,1024 f16:1024,1024 f16:1024,1024 >f16:1024,1024
aten::masked_fill.Scalar_out f32:8,16,64,128 bool:64,128 -1.5 >f32:8,16,64,128
aten::masked_fill.Scalar_out f32:8,1024,128 bool:8,1024,1 2.0 >f32:8,1024,128
aten::masked_fill.Scalar_out i64:1024,1024 bool:1024,1024 2 >i64:1024,1024
aten::masked_scatter.out f32:1024,1024 bool:1024 f32:1024,1024 >f32:1024,1024
aten::masked_select.out f32:1024,1024 bool:1024,1024 >f32:1048576
aten::clamp.Tensor_out f32:1024,1024 f32: f32: >f32:1024,1024
aten::logit.out f32:1024,1024 none >f32:1024,1024
aten::glu.out f32:1024,1024 0 >f32:512,1024
aten::glu.out f32:1024,1024 1 >f32:1024,512
aten::glu.out f16:1024,1024 1 >f16:1024,512
aten::glu.out f32:8,64,64,32 1 >f32:8,32,64,32
# complex numbers
for S in 1024,1024 8,8
aten::add|sub.out c64:S c64:S 1 >c64:S
aten::mul|div.out c64:S c64:S >c64:S
aten::_conj_physical|neg|exp.out c64:S >c64:S
aten::abs.out c64:S >f32:S
aten::eq.Tensor_out c64:S c64:S >bool:S
for S D R in 1024,1024 1 1024   1024,1024 0 1024   1048576 0 .   65536,16 1 65536
aten::sum.IntList_out c64:S [D] false none >c64:R
aten::mean.out c64:S [D] false none >c64:R
aten::prod.int_out c64:S D false none >c64:R
aten::var.correction_out c64:S [D] 1 false >f32:R
aten::any.out c64:S D false >bool:R
aten::cumsum.out c64:S D none >c64:S

aten::mul.Scalar_out c64:1024,1024 2 >c64:1024,1024
aten::add.out c64:1024,1024 c64:1024 1 >c64:1024,1024
aten::where.self_out bool:1024,1024 c64:1024,1024 c64:1024,1024 >c64:1024,1024
aten::div.out c64:1024,1024 f32:1024,1024 >c64:1024,1024
aten::bmm.out c64:4,64,64 c64:4,64,64 >c64:4,64,64
# reductions over other dimensions
for T S D R in f32 64,128,128 0 128,128   f32 64,128,128 1 64,128   f32 64,128,128 2 64,128   f32 64,128,128 0,2 128   f32 64,128,128 1,2 64
	f16 64,128,128 0 128,128   f16 64,128,128 2 64,128   f32 1,64,128,128^0231 2,3 1,64   f32 1,64,128,128 2,3 1,64
	f32 262144,4 1 262144   f32 4,262144 0 262144   f32 65536,16 1 65536   f32 65536,16 0 16   f32 16,65536 0 65536   f32 1048576 0 .
aten::sum.IntList_out T:S [D] false none >T:R
aten::mean.out T:S [D] false none >T:R
aten::amax.out T:S [D] false >T:R
aten::var.correction_out T:S [D] 1 false >T:R
for D R in 0 128,128   1 64,128   2 64,128   0,2 128   1,2 64
aten::any.dims_out bool:64,128,128 [D] false >bool:R
for S D R in 262144,4 1 262144   4,262144 0 262144   65536,16 1 65536   65536,16 0 16   16,65536 0 65536   1048576 0 .
aten::argmax.out f32:S D false >i64:R
aten::max.dim_max f32:S D false >f32:R >i64:R
aten::prod.int_out f32:S D false none >f32:R
aten::any.out f32:S D false >bool:R
for S D in 262144,4 1   4,262144 0   65536,16 1   65536,16 0   16,65536 0   1048576 0   8,64,64,32 1   8,64,64,32 2   1024,1024 0   8,16,64,128 -1   2,21,128,128 1
aten::_softmax|_log_softmax.out f32:S D false >f32:S
aten::cumsum.out f32:S D none >f32:S
for T U in i64 i64   i32 i64   u8 i64   f64 f64   bf16 bf16
aten::sum.IntList_out T:1024,1024 [1] false none >U:1024
aten::sum.IntList_out T:1024,1024 [0] false none >U:1024
aten::amax.out T:1024,1024 [1] false >T:1024
aten::argmax.out T:1024,1024 1 false >i64:1024
aten::argmin.out T:1024,1024 0 false >i64:1024
aten::min.dim_min T:1024,1024 1 false >T:1024 >i64:1024
aten::prod.int_out T:1024,1024 1 false none >U:1024
aten::cumsum.out T:1024,1024 1 none >U:1024,1024
aten::max.unary_out T:1024,1024 >T:
aten::any.out T:1024,1024 1 false >bool:1024
aten::any.all_out T:1024,1024 >bool:
for T in f16 f64 bf16
aten::mean.out T:1024,1024 [1] false none >T:1024
aten::_softmax|_log_softmax.out T:1024,1024 1 false >T:1024,1024
aten::var.out T:1024,1024 [1] true false >T:1024
aten::native_layer_norm.out T:1024,1024 [1024] T:1024 T:1024 0.00001 >T:1024,1024 >T:1024,1 >T:1024,1

aten::sum.IntList_out bool:1024,1024 [1] false none >i64:1024
aten::sum.IntList_out bool:1024,1024 [0] false none >i64:1024
aten::any.out bool:1024,1024 1 false >bool:1024
aten::any.all_out bool:1024,1024 >bool:
aten::sum.IntList_out f32:1024,1024 none false none >f32:
aten::argmax.out f32:1024,1024 none false >i64:
aten::argmin.out f32:1024,1024 0 false >i64:1024
aten::min.dim_min f32:1024,1024 0 false >f32:1024 >i64:1024
aten::var_mean.correction_out f32:1024,1024 [0] 1 false >f32:1024 >f32:1024
aten::topk.values f32:1024,1024 5 0 true true >f32:5,1024 >i64:5,1024
aten::topk.values f32:1048576 100 -1 true true >f32:100 >i64:100
aten::topk.values f32:65536,16 2 -1 true true >f32:65536,2 >i64:65536,2
# normalisation
aten::native_layer_norm.out f32:8192,128 [128] f32:128 f32:128 0.00001 >f32:8192,128 >f32:8192,1 >f32:8192,1
aten::native_layer_norm.out f32:65536,16 [16] f32:16 f32:16 0.00001 >f32:65536,16 >f32:65536,1 >f32:65536,1
aten::native_layer_norm.out f32:1,1048576 [1048576] f32:1048576 f32:1048576 0.00001 >f32:1,1048576 >f32:1,1 >f32:1,1
aten::native_layer_norm.out f32:1024,1024 [1024] none none 0.00001 >f32:1024,1024 >f32:1024,1 >f32:1024,1
aten::native_group_norm.out f32:8,64,64,32 none none 8 64 2048 64 0.00001 >f32:8,64,64,32 >f32:8,64 >f32:8,64
aten::native_group_norm.out f32:8,1024,8,16 f32:1024 f32:1024 8 1024 128 32 0.00001 >f32:8,1024,8,16 >f32:8,32 >f32:8,32
aten::_native_batch_norm_legit_no_training.out f32:4,64,64,64^0231 f32:64 f32:64 f32:64 f32:64 0.1 0.00001 >f32:4,64,64,64^0231 >f32:0 >f32:0
aten::_native_batch_norm_legit_no_training.out f32:8,2048,8,8 f32:2048 f32:2048 f32:2048 f32:2048 0.1 0.00001 >f32:8,2048,8,8 >f32:0 >f32:0
aten::_native_batch_norm_legit_no_training.out f32:1024,1024 f32:1024 f32:1024 f32:1024 f32:1024 0.1 0.00001 >f32:1024,1024 >f32:0 >f32:0
aten::_native_batch_norm_legit.out f32:4,64,64,64 f32:64 f32:64 f32:64 f32:64 false 0.1 0.00001 >f32:4,64,64,64 >f32:0 >f32:0
# moving elements
for T in f32 u8 f16 i64
aten::permute_copy.out T:1024,1024 [1,0] >T:1024,1024
aten::permute_copy.out T:8,64,64,32 [0,2,3,1] >T:8,64,32,64
aten::permute_copy.out T:8,64,64,32 [0,3,1,2] >T:8,32,64,64
aten::permute_copy.out T:8,64,64,32 [0,2,1,3] >T:8,64,64,32
aten::permute_copy.out T:8,64,64,32 [3,2,1,0] >T:32,64,64,8
aten::transpose_copy.int_out T:8,64,64,32 1 2 >T:8,64,64,32
aten::transpose_copy.int_out T:262144,4 0 1 >T:4,262144
aten::transpose_copy.int_out T:4,262144 0 1 >T:262144,4
aten::cat.out {T:512,1024 T:512,1024} 0 >T:1024,1024
aten::cat.out {T:262144,2 T:262144,2} 1 >T:262144,4
aten::cat.out {T:8,32,64,32 T:8,32,64,32} 1 >T:8,64,64,32
aten::stack.out {T:1024,1024 T:1024,1024} 2 >T:1024,1024,2
aten::stack.out {T:512,1024 T:512,1024} 1 >T:512,2,1024
aten::repeat.out T:1024,1 [1,1024] >T:1024,1024
aten::repeat.out T:1024,16 [2,64] >T:2048,1024
aten::repeat.out T:1,4 [262144,1] >T:262144,4
aten::expand_copy.out T:1024,1 [1024,1024] false >T:1024,1024
aten::expand_copy.out T:64,1,128 [64,128,128] false >T:64,128,128
aten::expand_copy.out T:262144,1 [262144,4] false >T:262144,4
aten::slice_copy.Tensor_out T:1024,1024 0 0 1024 2 >T:512,1024
aten::slice_copy.Tensor_out T:262144,8 1 1 5 1 >T:262144,4
aten::select_copy.int_out T:1024,1024,2 2 1 >T:1024,1024
aten::select_copy.int_out T:2,1024,1024 0 1 >T:1024,1024
aten::flip.out T:1024,1024 [0] >T:1024,1024
aten::flip.out T:64,128,128 [0,1,2] >T:64,128,128
aten::roll.out T:1024,1024 [3] [0] >T:1024,1024
aten::roll.out T:262144,4 [1] [1] >T:262144,4
aten::split_copy.Tensor_out T:1024,1024 512 1 {>T:1024,512 >T:1024,512}
aten::split_with_sizes_copy.out T:262144,4 [1,3] 1 {>T:262144,1 >T:262144,3}
aten::unbind_copy.int_out T:1024,1024,2 2 {>T:1024,1024 >T:1024,1024}
aten::constant_pad_nd.out T:262144,3 [0,1] 1 >T:262144,4
aten::constant_pad_nd.out T:1000,1000 [0,24,0,24] 0 >T:1024,1024
aten::tril.out T:64,128,128 0 >T:64,128,128
aten::unfold_copy.out T:1024,1024 0 8 8 >T:128,1024,8
aten::clone.out T:1024,1024 none >T:1024,1024
aten::pixel_shuffle.out T:1,256,64,64 4 >T:1,16,256,256
aten::pixel_unshuffle.out T:1,16,256,256 4 >T:1,256,64,64
aten::copy.out T:1024,1024 T:1024 false >T:1024,1024
aten::fill.Scalar_out T:1024,1024 2 >T:1024,1024
aten::full.out [1024,1024] 2 >T:1024,1024

aten::diagonal_copy.out f32:64,1024,64 0 0 2 >f32:1024,64
aten::view_as_real_copy.out c64:1024,1024 >f32:1024,1024,2
dim_order_ops::_to_dim_order_copy.out f32:8,64,64,32 false [0,2,3,1] >f32:8,64,64,32^0231
dim_order_ops::_to_dim_order_copy.out f32:8,64,64,32^0231 false [0,1,2,3] >f32:8,64,64,32
dim_order_ops::_clone_dim_order.out f32:8,64,64,32^0231 false [0,2,3,1] >f32:8,64,64,32^0231
dim_order_ops::_clone_dim_order.out f32:1,3,512,512 false [0,2,3,1] >f32:1,3,512,512^0231
aten::cat.out {f32:8,32,64,32^0231 f32:8,32,64,32^0231} 1 >f32:8,64,64,32^0231
aten::slice_copy.Tensor_out f32:8,64,64,32^0231 1 0 32 1 >f32:8,32,64,32^0231
aten::permute_copy.out f32:8,64,64,32 [0,1,3,2] >f32:8,64,32,64
aten::constant_pad_nd.out f32:8,64,62,30^0231 [1,1,1,1] 0 >f32:8,64,64,32^0231
# casts
for T U in pairs of f32 f64 f16 bf16 i64 i32 u8 bool
dim_order_ops::_to_dim_order_copy.out T:1024,1024 false [0,1] >U:1024,1024
# products and windows
aten::convolution.out f32:1,32,64,64^0231 f32:32,32,3,3^0231 f32:32 [1,1] [1,1] [1,1] false [0,0] 1 >f32:1,32,64,64^0231
aten::convolution.out f32:1,64,64,64 f32:64,1,3,3 none [1,1] [1,1] [1,1] false [0,0] 64 >f32:1,64,64,64
aten::convolution.out f32:1,64,64,64^0231 f32:64,1,3,3^0231 none [2,2] [1,1] [1,1] false [0,0] 64 >f32:1,64,32,32^0231
aten::convolution.out f32:1,64,56,56 f32:128,64,1,1 f32:128 [1,1] [0,0] [1,1] false [0,0] 1 >f32:1,128,56,56
aten::convolution.out f32:1,3,112,112 f32:32,3,3,3 f32:32 [2,2] [1,1] [1,1] false [0,0] 1 >f32:1,32,56,56
aten::convolution.out f32:1,32,32,32 f32:32,16,2,2 f32:16 [2,2] [0,0] [1,1] true [0,0] 1 >f32:1,16,64,64
aten::convolution.out f32:1,64,1024 f32:64,64,3 f32:64 [1] [1] [1] false [0] 1 >f32:1,64,1024
aten::convolution.out f32:1,64,32,32 f32:64,16,3,3 f32:64 [1,1] [2,2] [2,2] false [0,0] 4 >f32:1,64,32,32
aten::convolution.out f16:1,32,32,32 f16:32,32,3,3 f16:32 [1,1] [1,1] [1,1] false [0,0] 1 >f16:1,32,32,32
aten::convolution.out f64:1,16,32,32 f64:16,16,3,3 f64:16 [1,1] [1,1] [1,1] false [0,0] 1 >f64:1,16,32,32
aten::convolution_backward.out f32:1,32,32,32 f32:1,32,32,32 f32:32,32,3,3 [32] [1,1] [1,1] [1,1] false [0,0] 1 [true,true,true] >f32:1,32,32,32 >f32:32,32,3,3 >f32:32
aten::mm.out f32:1,1024 f32:1024,1024 >f32:1,1024
aten::mm.out f32:1024,1024 f32:1024,1 >f32:1024,1
aten::mm.out f32:1024,8 f32:8,1024 >f32:1024,1024
aten::mm.out f64:128,128 f64:128,128 >f64:128,128
aten::mm.out f16:128,128 f16:128,128 >f16:128,128
aten::mm.out i64:128,128 i64:128,128 >i64:128,128
aten::mm.out i32:128,128 i32:128,128 >i32:128,128
aten::bmm.out f32:64,64,32 f32:64,32,64 >f32:64,64,64
aten::bmm.out f32:16,1,64 f32:16,64,512 >f32:16,1,512
aten::bmm.out f16:4,64,64 f16:4,64,64 >f16:4,64,64
aten::addmm.out f32:1024 f32:1,1024 f32:1024,1024 1 1 >f32:1,1024
aten::addmm.out f16:128 f16:128,128 f16:128,128 1 1 >f16:128,128
aten::linear.out f32:1,1024 f32:1024,1024 none >f32:1,1024
aten::linear.out f16:32,256 f16:256,256 f16:256 >f16:32,256
aten::linear.out f32:1024,8 f32:8,8 f32:8 >f32:1024,8
aten::max_pool2d_with_indices.out f32:1,64,112,112 [3,3] [2,2] [1,1] [1,1] false >f32:1,64,56,56 >i64:1,64,56,56
aten::max_pool2d_with_indices.out f32:1,64,112,112^0231 [3,3] [2,2] [1,1] [1,1] false >f32:1,64,56,56^0231 >i64:1,64,56,56^0231
aten::max_pool2d_with_indices.out f32:1,64,64,64 [5,5] [1,1] [2,2] [1,1] false >f32:1,64,64,64 >i64:1,64,64,64
aten::max_pool2d_with_indices_backward.grad_input f32:1,64,56,56 f32:1,64,112,112 [2,2] [2,2] [0,0] [1,1] false i64:1,64,56,56%12544 >f32:1,64,112,112
aten::avg_pool2d.out f32:1,64,112,112 [3,3] [2,2] [1,1] false true none >f32:1,64,56,56
aten::avg_pool2d.out f32:1,64,112,112^0231 [3,3] [2,2] [1,1] false true none >f32:1,64,56,56^0231
aten::avg_pool2d.out f32:1,2048,7,7 [7,7] [] [0,0] false true none >f32:1,2048,1,1
aten::_adaptive_avg_pool2d.out f32:1,1024,32,32 [1,1] >f32:1,1024,1,1
aten::_adaptive_avg_pool2d.out f32:1,1024,32,32^0231 [1,1] >f32:1,1024,1,1^0231
aten::_adaptive_avg_pool2d.out f32:1,64,128,128 [7,5] >f32:1,64,7,5
aten::upsample_nearest2d.vec_out f32:1,64,64,64^0231 [128,128] none >f32:1,64,128,128^0231
aten::upsample_nearest2d.vec_out f32:1,3,512,512 [300,300] none >f32:1,3,300,300
aten::upsample_bilinear2d.vec_out f32:1,64,64,64^0231 [128,128] false none >f32:1,64,128,128^0231
aten::upsample_bilinear2d.vec_out f32:1,3,512,512 [300,300] true none >f32:1,3,300,300
aten::_upsample_bilinear2d_aa.out f32:1,3,300,300 [512,512] false none none >f32:1,3,512,512
aten::grid_sampler_2d.out f32:1,64,128,128 f32:1,128,128,2 1 0 false >f32:1,64,128,128
aten::grid_sampler_2d.out f32:1,64,128,128 f32:1,128,128,2 2 1 true >f32:1,64,128,128
aten::upsample_nearest2d.vec_out f16:1,64,64,64 [128,128] none >f16:1,64,128,128
aten::upsample_bilinear2d.vec_out f16:1,64,64,64 [128,128] false none >f16:1,64,128,128
aten::avg_pool2d.out f16:1,64,112,112 [2,2] [2,2] [0,0] false true none >f16:1,64,56,56
aten::_cdist_forward.out f32:256,64 f32:256,64 1.0 none >f32:256,256
aten::_cdist_forward.out f32:256,64 f32:256,64 3.5 none >f32:256,256
aten::_cdist_forward.out f32:512,4 f32:512,4 2.0 none >f32:512,512
# indices
for T in f32 i64 u8 f16
aten::embedding.out T:32768,32 i64:32768%32768 -1 false false >T:32768,32
aten::embedding.out T:65536,4 i32:262144%65536 -1 false false >T:262144,4
aten::index.Tensor_out T:1024,1024 (none i64:1024%1024) >T:1024,1024
aten::index.Tensor_out T:1024,1024 (i64:1048576%1024 i64:1048576%1024) >T:1048576
aten::index.Tensor_out T:1024,1024 (bool:1024) >T:1024,1024
aten::index_put.out T:1024,1024 (i64:1048576%1024 i64:1048576%1024) T:1048576 false >T:1024,1024
aten::index_put.out T:1024,1024 (i64:1024%1024) T: true >T:1024,1024
aten::index_select.out T:1024,1024 0 i64:1024%1024 >T:1024,1024
aten::index_select.out T:4,1024,1024 2 i32:1024%1024 >T:4,1024,1024
aten::gather.out T:1024,1024 0 i64:1024,1024%1024 false >T:1024,1024
aten::scatter.src_out T:1024,1024 0 i64:1024,1024%1024 T:1024,1024 >T:1024,1024
aten::scatter_add.out T:1024,1024 0 i64:1024,1024%1024 T:1024,1024 >T:1024,1024
aten::select_scatter.out T:2,512,1024 T:512,1024 0 1 >T:2,512,1024
aten::slice_scatter.out T:1024,1024 T:512,1024 0 0 512 1 >T:1024,1024
aten::nonzero.out T:1048576 >i64:1048576,1

aten::nonzero.out bool:1024,1024 >i64:1048576,2
aten::repeat_interleave.Tensor_out i32:1048576 none >i32:1048576
# out of nothing, quantised
aten::arange.start_out 0.0 1048576.0 1.0 >f32:1048576
aten::arange.start_out 0 1048576 1 >i32:1048576
aten::full_like.out i64:1024,1024 2 none >i64:1024,1024
aten::scalar_tensor.out 2.0 >f32:
quantized_decomposed::quantize_per_tensor.out f32:1024,1024 0.05 3 0 255 0 >u8:1024,1024
quantized_decomposed::dequantize_per_tensor.out u8:1024,1024 0.05 3 0 255 0 none >f32:1024,1024
quantized_decomposed::embedding_byte.out i8:4096,1024 f32:4096 f32:4096 -128 127 i64:1024%4096 >f32:1024,1024
quantized_decomposed::embedding_byte.out i8:4096,64 f16:4096 f16:4096 -128 127 i64:16384%4096 >f16:16384,64
quantized_decomposed::embedding_4bit.out u8:4096,512 f32:4096,32 none -8 7 i64:1024%4096 >f32:1024,1024
quantized_decomposed::embedding_2bit.out u8:4096,16 f32:4096 f32:4096 -2 1 i64:16384%4096 >f32:16384,64
`
