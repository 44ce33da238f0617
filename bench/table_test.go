package bench

// table has a line for each operator: its name and its arguments, as assemble reads them.
const table = `
# element by element
aten::acos.out f32:1024,1024 >f32:1024,1024
aten::acosh.out f32:1024,1024 >f32:1024,1024
aten::asin.out f32:1024,1024 >f32:1024,1024
aten::asinh.out f32:1024,1024 >f32:1024,1024
aten::atan.out f32:1024,1024 >f32:1024,1024
aten::atanh.out f32:1024,1024 >f32:1024,1024
aten::cos.out f32:1024,1024 >f32:1024,1024
aten::cosh.out f32:1024,1024 >f32:1024,1024
aten::erf.out f32:1024,1024 >f32:1024,1024
aten::exp.out f32:1024,1024 >f32:1024,1024
aten::expm1.out f32:1024,1024 >f32:1024,1024
aten::log.out f32:1024,1024 >f32:1024,1024
aten::log10.out f32:1024,1024 >f32:1024,1024
aten::log1p.out f32:1024,1024 >f32:1024,1024
aten::log2.out f32:1024,1024 >f32:1024,1024
aten::reciprocal.out f32:1024,1024 >f32:1024,1024
aten::rsqrt.out f32:1024,1024 >f32:1024,1024
aten::sin.out f32:1024,1024 >f32:1024,1024
aten::sinh.out f32:1024,1024 >f32:1024,1024
aten::sqrt.out f32:1024,1024 >f32:1024,1024
aten::tan.out f32:1024,1024 >f32:1024,1024
aten::tanh.out f32:1024,1024 >f32:1024,1024
aten::sigmoid.out f32:1024,1024 >f32:1024,1024
aten::abs.out f32:1024,1024 >f32:1024,1024
aten::ceil.out f32:1024,1024 >f32:1024,1024
aten::floor.out f32:1024,1024 >f32:1024,1024
aten::neg.out f32:1024,1024 >f32:1024,1024
aten::relu.out f32:1024,1024 >f32:1024,1024
aten::round.out f32:1024,1024 >f32:1024,1024
aten::sign.out f32:1024,1024 >f32:1024,1024
aten::trunc.out f32:1024,1024 >f32:1024,1024
aten::logit.out f32:1024,1024 0.001 >f32:1024,1024
aten::isinf.out f32:1024,1024 >bool:1024,1024
aten::isnan.out f32:1024,1024 >bool:1024,1024
aten::logical_not.out f32:1024,1024 >bool:1024,1024
aten::bitwise_not.out i32:1024,1024 >i32:1024,1024
aten::gelu.out f32:1024,1024 'none' >f32:1024,1024
aten::elu.out f32:1024,1024 1.0 1 1 >f32:1024,1024
aten::leaky_relu.out f32:1024,1024 0.01 >f32:1024,1024
aten::hardtanh.out f32:1024,1024 -1 1 >f32:1024,1024
aten::clamp.out f32:1024,1024 -1.0 1.0 >f32:1024,1024
aten::clamp.Tensor_out f32:1024,1024 f32:1024,1024 f32:1024,1024 >f32:1024,1024
aten::glu.out f32:1024,1024 -1 >f32:1024,512
aten::add.out f32:1024,1024 f32:1024,1024 1 >f32:1024,1024
aten::add.Scalar_out f32:1024,1024 2.0 1 >f32:1024,1024
aten::sub.out f32:1024,1024 f32:1024,1024 1 >f32:1024,1024
aten::sub.Scalar_out f32:1024,1024 2.0 1 >f32:1024,1024
aten::mul.out f32:1024,1024 f32:1024,1024 >f32:1024,1024
aten::mul.Scalar_out f32:1024,1024 2.0 >f32:1024,1024
aten::div.out f32:1024,1024 f32:1024,1024 >f32:1024,1024
aten::div.Scalar_out f32:1024,1024 2.0 >f32:1024,1024
aten::rsub.Scalar_out f32:1024,1024 2.0 1 >f32:1024,1024
aten::div.out_mode f32:1024,1024 f32:1024,1024 'floor' >f32:1024,1024
aten::div.Scalar_mode_out f32:1024,1024 2.0 'trunc' >f32:1024,1024
aten::floor_divide.out f32:1024,1024 f32:1024,1024 >f32:1024,1024
aten::maximum.out f32:1024,1024 f32:1024,1024 >f32:1024,1024
aten::minimum.out f32:1024,1024 f32:1024,1024 >f32:1024,1024
aten::atan2.out f32:1024,1024 f32:1024,1024 >f32:1024,1024
aten::fmod.Tensor_out f32:1024,1024 f32:1024,1024 >f32:1024,1024
aten::fmod.Scalar_out f32:1024,1024 2.0 >f32:1024,1024
aten::remainder.Tensor_out f32:1024,1024 f32:1024,1024 >f32:1024,1024
aten::remainder.Scalar_out f32:1024,1024 2.0 >f32:1024,1024
aten::pow.Tensor_Tensor_out f32:1024,1024 f32:1024,1024 >f32:1024,1024
aten::pow.Tensor_Scalar_out f32:1024,1024 2.5 >f32:1024,1024
aten::pow.Scalar_out 2.5 f32:1024,1024 >f32:1024,1024
aten::bitwise_and.Tensor_out i32:1024,1024 i32:1024,1024 >i32:1024,1024
aten::bitwise_and.Scalar_out i32:1024,1024 3 >i32:1024,1024
aten::logical_and.out f32:1024,1024 f32:1024,1024 >bool:1024,1024
aten::bitwise_or.Tensor_out i32:1024,1024 i32:1024,1024 >i32:1024,1024
aten::bitwise_or.Scalar_out i32:1024,1024 3 >i32:1024,1024
aten::logical_or.out f32:1024,1024 f32:1024,1024 >bool:1024,1024
aten::bitwise_xor.Tensor_out i32:1024,1024 i32:1024,1024 >i32:1024,1024
aten::bitwise_xor.Scalar_out i32:1024,1024 3 >i32:1024,1024
aten::logical_xor.out f32:1024,1024 f32:1024,1024 >bool:1024,1024
aten::bitwise_left_shift.Tensor_out i32:1024,1024 i32:1024,1024 >i32:1024,1024
aten::bitwise_left_shift.Tensor_Scalar_out i32:1024,1024 2 >i32:1024,1024
aten::bitwise_right_shift.Tensor_out i32:1024,1024 i32:1024,1024 >i32:1024,1024
aten::bitwise_right_shift.Tensor_Scalar_out i32:1024,1024 2 >i32:1024,1024
aten::eq.Tensor_out f32:1024,1024 f32:1024,1024 >bool:1024,1024
aten::eq.Scalar_out f32:1024,1024 0.5 >bool:1024,1024
aten::ne.Tensor_out f32:1024,1024 f32:1024,1024 >bool:1024,1024
aten::ne.Scalar_out f32:1024,1024 0.5 >bool:1024,1024
aten::lt.Tensor_out f32:1024,1024 f32:1024,1024 >bool:1024,1024
aten::lt.Scalar_out f32:1024,1024 0.5 >bool:1024,1024
aten::le.Tensor_out f32:1024,1024 f32:1024,1024 >bool:1024,1024
aten::le.Scalar_out f32:1024,1024 0.5 >bool:1024,1024
aten::gt.Tensor_out f32:1024,1024 f32:1024,1024 >bool:1024,1024
aten::gt.Scalar_out f32:1024,1024 0.5 >bool:1024,1024
aten::ge.Tensor_out f32:1024,1024 f32:1024,1024 >bool:1024,1024
aten::ge.Scalar_out f32:1024,1024 0.5 >bool:1024,1024
aten::where.self_out bool:1024,1024 f32:1024,1024 f32:1024,1024 >f32:1024,1024
aten::masked_fill.Scalar_out f32:1024,1024 bool:1024,1024 2.0 >f32:1024,1024
aten::masked_scatter.out f32:1024,1024 bool:1024,1024 f32:1024,1024 >f32:1024,1024
aten::native_dropout.out f32:1024,1024 0.5 false >f32:1024,1024 >bool:1024,1024
# along dimensions
aten::sum.IntList_out f32:1024,1024 [1] false none >f32:1024
aten::mean.out f32:1024,1024 [1] false none >f32:1024
aten::mean.dtype_out f32:1024,1024 none >f32:
aten::prod.out f32:1024,1024 none >f32:
aten::prod.int_out f32:1024,1024 1 false none >f32:1024
aten::amax.out f32:1024,1024 [1] false >f32:1024
aten::amin.out f32:1024,1024 [1] false >f32:1024
aten::max.dim_max f32:1024,1024 1 false >f32:1024 >i64:1024
aten::max.unary_out f32:1024,1024 >f32:
aten::min.dim_min f32:1024,1024 1 false >f32:1024 >i64:1024
aten::min.unary_out f32:1024,1024 >f32:
aten::argmax.out f32:1024,1024 1 false >i64:1024
aten::argmin.out f32:1024,1024 1 false >i64:1024
aten::any.all_out f32:1024,1024 >bool:
aten::any.out f32:1024,1024 1 false >bool:1024
aten::any.dims_out f32:1024,1024 [0,1] false >bool:
aten::var.out f32:1024,1024 [1] true false >f32:1024
aten::var.correction_out f32:1024,1024 [1] 1 false >f32:1024
aten::var_mean.correction_out f32:1024,1024 [1] 1 false >f32:1024 >f32:1024
aten::cumsum.out f32:1024,1024 1 none >f32:1024,1024
aten::topk.values f32:1024,1024 8 -1 true true >f32:1024,8 >i64:1024,8
aten::_softmax.out f32:1024,1024 -1 false >f32:1024,1024
aten::_log_softmax.out f32:1024,1024 -1 false >f32:1024,1024
aten::_cdist_forward.out f32:256,64 f32:256,64 2.0 none >f32:256,256
aten::_pdist_forward.out f32:256,64 2.0 >f32:32640
aten::native_layer_norm.out f32:1024,1024 [1024] f32:1024 f32:1024 0.00001 >f32:1024,1024 >f32:1024,1 >f32:1024,1
aten::native_group_norm.out f32:4,64,64,64 f32:64 f32:64 4 64 4096 8 0.00001 >f32:4,64,64,64 >f32:4,8 >f32:4,8
aten::_native_batch_norm_legit_no_training.out f32:4,64,64,64 f32:64 f32:64 f32:64 f32:64 0.1 0.00001 >f32:4,64,64,64 >f32:0 >f32:0
aten::_native_batch_norm_legit.no_stats_out f32:4,64,64,64 f32:64 f32:64 true 0.1 0.00001 >f32:4,64,64,64 >f32:64 >f32:64
# products, windows
aten::mm.out f32:256,256 f32:256,256 >f32:256,256
aten::bmm.out f32:4,128,128 f32:4,128,128 >f32:4,128,128
aten::addmm.out f32:256 f32:256,256 f32:256,256 1 1 >f32:256,256
aten::linear.out f32:256,256 f32:256,256 f32:256 >f32:256,256
aten::convolution.out f32:1,32,64,64 f32:32,32,3,3 f32:32 [1,1] [1,1] [1,1] false [0,0] 1 >f32:1,32,64,64
aten::max_pool2d_with_indices.out f32:1,64,128,128 [2,2] [2,2] [0,0] [1,1] false >f32:1,64,64,64 >i64:1,64,64,64
aten::avg_pool2d.out f32:1,64,128,128 [2,2] [2,2] [0,0] false true none >f32:1,64,64,64
aten::_adaptive_avg_pool2d.out f32:1,64,128,128 [8,8] >f32:1,64,8,8
aten::upsample_nearest2d.vec_out f32:1,64,64,64 [128,128] none >f32:1,64,128,128
aten::upsample_bilinear2d.vec_out f32:1,64,64,64 [128,128] false none >f32:1,64,128,128
aten::_upsample_bilinear2d_aa.out f32:1,64,128,128 [64,64] false none none >f32:1,64,64,64
aten::grid_sampler_2d.out f32:1,64,128,128 f32:1,128,128,2 0 0 false >f32:1,64,128,128
aten::pixel_shuffle.out f32:1,64,128,128 2 >f32:1,16,256,256
aten::pixel_unshuffle.out f32:1,16,256,256 2 >f32:1,64,128,128
# moving elements
aten::view_copy.out f32:1024,1024 [512,2048] >f32:512,2048
aten::permute_copy.out f32:64,128,128 [2,0,1] >f32:128,64,128
aten::transpose_copy.int_out f32:1024,1024 0 1 >f32:1024,1024
aten::t_copy.out f32:1024,1024 >f32:1024,1024
aten::unsqueeze_copy.out f32:1024,1024 0 >f32:1,1024,1024
aten::squeeze_copy.dim_out f32:1,1024,1024 0 >f32:1024,1024
aten::squeeze_copy.dims_out f32:1,1024,1024 [0] >f32:1024,1024
aten::expand_copy.out f32:1,1024 [1024,1024] false >f32:1024,1024
aten::repeat.out f32:512,512 [2,2] >f32:1024,1024
aten::cat.out {f32:1024,512 f32:1024,512} 1 >f32:1024,1024
aten::stack.out {f32:512,1024 f32:512,1024} 0 >f32:2,512,1024
aten::slice_copy.Tensor_out f32:1024,1024 1 0 1024 2 >f32:1024,512
aten::narrow_copy.out f32:1024,1024 1 100 512 >f32:1024,512
aten::select_copy.int_out f32:1024,2,1024 1 1 >f32:1024,1024
aten::flip.out f32:1024,1024 [1] >f32:1024,1024
aten::roll.out f32:1024,1024 [3] [1] >f32:1024,1024
aten::diagonal_copy.out f32:1024,1024 0 0 1 >f32:1024
aten::as_strided_copy.out f32:1024,1024 [1024,1024] [1,1024] none >f32:1024,1024
aten::unfold_copy.out f32:1024,1024 1 4 2 >f32:1024,511,4
aten::tril.out f32:1024,1024 0 >f32:1024,1024
aten::alias_copy.out f32:1024,1024 >f32:1024,1024
aten::detach_copy.out f32:1024,1024 >f32:1024,1024
aten::lift_fresh_copy.out f32:1024,1024 >f32:1024,1024
aten::clone.out f32:1024,1024 none >f32:1024,1024
aten::copy.out f32:1024,1024 f32:1024,1024 false >f32:1024,1024
aten::copy_ f32:1024,1024 f32:1024,1024 false
aten::_to_copy.out f32:1024,1024 false none >i32:1024,1024
dim_order_ops::_to_dim_order_copy.out f32:1024,1024 false [0,1] >f16:1024,1024
dim_order_ops::_clone_dim_order.out f32:1024,1024 false [0,1] >f32:1024,1024
# padding
aten::constant_pad_nd.out f32:64,126,126 [1,1,1,1] 0.5 >f32:64,128,128
aten::reflection_pad1d.out f32:64,16382 [1,1] >f32:64,16384
aten::reflection_pad2d.out f32:64,126,126 [1,1,1,1] >f32:64,128,128
aten::reflection_pad3d.out f32:16,14,62,62 [1,1,1,1,1,1] >f32:16,16,64,64
aten::replication_pad1d.out f32:64,16382 [1,1] >f32:64,16384
aten::replication_pad2d.out f32:64,126,126 [1,1,1,1] >f32:64,128,128
aten::replication_pad3d.out f32:16,14,62,62 [1,1,1,1,1,1] >f32:16,16,64,64
# indices
aten::embedding.out f32:1024,1024 i64:1024%1024 -1 false false >f32:1024,1024
aten::index.Tensor_out f32:1024,1024 (i64:1024%1024) >f32:1024,1024
aten::index_put.out f32:1024,1024 (i64:1024%1024) f32:1024,1024 false >f32:1024,1024
aten::index_put_ f32:1024,1024 (i64:1024%1024) f32:1024,1024 false
aten::index_select.out f32:1024,1024 1 i64:1024%1024 >f32:1024,1024
aten::gather.out f32:1024,1024 1 i64:1024,1024%1024 false >f32:1024,1024
aten::scatter.src_out f32:1024,1024 1 i64:1024,1024%1024 f32:1024,1024 >f32:1024,1024
aten::scatter.value_out f32:1024,1024 1 i64:1024,1024%1024 2.0 >f32:1024,1024
aten::scatter_add.out f32:1024,1024 1 i64:1024,1024%1024 f32:1024,1024 >f32:1024,1024
aten::select_scatter.out f32:1024,2,512 f32:1024,512 1 1 >f32:1024,2,512
aten::slice_scatter.out f32:1024,1024 f32:1024,512 1 0 1024 2 >f32:1024,1024
aten::nonzero.out f32:1024,1024 >i64:1048576,2
aten::repeat_interleave.Tensor_out i64:1048576 none >i64:1048576
# out of nothing
aten::full.out [1024,1024] 2.5 >f32:1024,1024
aten::full_like.out f32:1024,1024 2.5 none >f32:1024,1024
aten::zeros.out [1024,1024] >f32:1024,1024
aten::ones.out [1024,1024] >f32:1024,1024
aten::fill.Scalar_out f32:1024,1024 2.5 >f32:1024,1024
aten::fill.Tensor_out f32:1024,1024 f32: >f32:1024,1024
aten::arange.out 1048576 >f32:1048576
aten::arange.start_out 0 1048576 1 >i64:1048576
aten::rand.out [1024,1024] >f32:1024,1024
aten::randn.out [1024,1024] >f32:1024,1024
# quantised
quantized_decomposed::quantize_per_tensor.out f32:1024,1024 0.05 3 -128 127 1 >i8:1024,1024
quantized_decomposed::dequantize_per_tensor.out i8:1024,1024 0.05 3 -128 127 1 none >f32:1024,1024
# Fourier transforms, language models
aten::_fft_r2c.out f32:1024,1024 [1] 0 true >c64:1024,513
aten::_fft_c2r.out c64:1024,513 [1] 0 1024 >f32:1024,1024
llama::update_cache.out f32:1,128,8,64 f32:1,2048,8,64 100 >f32:1
llama::custom_sdpa.out f32:1,1,8,64 f32:1,2048,8,64 f32:1,2048,8,64 2000 none 0.0 true none >f32:1,1,8,64
llama::fast_hadamard_transform.out f32:1024,1024 >f32:1024,1024
aten::masked_select.out f32:1024,1024 bool:1024,1024 >f32:1048576
aten::view_as_real_copy.out c64:1024,1024 >f32:1024,1024,2
aten::_fft_c2c.out c64:1024,1024 [1] 0 true >c64:1024,1024
aten::allclose.out f32:1024,1024 f32:1024,1024 0.00001 0.00000001 false false >bool:1
et_copy::_h2d_copy.out f32:1024,1024 >f32:1024,1024
et_copy::_d2h_copy.out f32:1024,1024 >f32:1024,1024
preprocess::tile_crop.out f32:3,512,512 128 >f32:16,3,128,128
llama::sdpa_with_kv_cache.out f32:1,1,8,64 f32:1,1,8,64 f32:1,1,8,64 f32:1,2048,8,64 f32:1,2048,8,64 2000 1 none 0.0 true none >f32:1,1,8,64
llama::custom_quantized_sdpa.out i8:1,1,8,64 i8:1,2048,8,64 i8:1,2048,8,64 2000 none 0.0 true none i8:1,1,8,1 f32:1,1,8,1 i8:1,2048,8,1 f32:1,2048,8,1 i8:1,2048,8,1 f32:1,2048,8,1 false >f32:1,1,8,64
llama::update_cache_with_indices.out f32:1,128,8,64 f32:1,2048,8,64 0 i64:1,128%2048 >f32:1
llama::gated_delta_rule.out f32:1,8,16,64 f32:1,8,16,64 f32:1,8,16,64 f32:1,8,16,64 f32:1,8,16 f32:1,8,64,64 >f32:1,8,16,64 >f32:1,8,64,64
llama::fallback.out f32:1024,1024 >f32:1024,1024
quantized_decomposed::quantize_per_channel.out f32:1024,1024 f64:1024 i64:1024 0 -128 127 1 >i8:1024,1024
quantized_decomposed::dequantize_per_channel.out i8:1024,1024 f64:1024 i64:1024 0 -128 127 1 none >f32:1024,1024
quantized_decomposed::choose_qparams_per_token_asymmetric.out f32:1024,1024 1 >f64:1024,1 >i64:1024,1
`
