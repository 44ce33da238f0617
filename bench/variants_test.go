package bench

// variants has further lines like those of table: other shapes, layouts and dtypes, where fast paths may be missing.
const variants = `
# element by element: other dtypes
aten::exp.out f64:1024,1024 >f64:1024,1024
aten::tanh.out f64:1024,1024 >f64:1024,1024
aten::sqrt.out f64:1024,1024 >f64:1024,1024
aten::neg.out f64:1024,1024 >f64:1024,1024
aten::abs.out f64:1024,1024 >f64:1024,1024
aten::relu.out f64:1024,1024 >f64:1024,1024
aten::sigmoid.out f64:1024,1024 >f64:1024,1024
aten::log.out f64:1024,1024 >f64:1024,1024
aten::sin.out f64:1024,1024 >f64:1024,1024
aten::floor.out f64:1024,1024 >f64:1024,1024
aten::rsqrt.out f64:1024,1024 >f64:1024,1024
aten::add.out f64:1024,1024 f64:1024,1024 1 >f64:1024,1024
aten::mul.out f64:1024,1024 f64:1024,1024 >f64:1024,1024
aten::div.out f64:1024,1024 f64:1024,1024 >f64:1024,1024
aten::maximum.out f64:1024,1024 f64:1024,1024 >f64:1024,1024
aten::gelu.out f64:1024,1024 'none' >f64:1024,1024
aten::clamp.out f64:1024,1024 -1.0 1.0 >f64:1024,1024
aten::lt.Tensor_out f64:1024,1024 f64:1024,1024 >bool:1024,1024
aten::eq.Scalar_out f64:1024,1024 1.0 >bool:1024,1024
aten::elu.out f64:1024,1024 1.0 1 1 >f64:1024,1024
aten::fmod.Tensor_out f64:1024,1024 f64:1024,1024 >f64:1024,1024
aten::remainder.Tensor_out f64:1024,1024 f64:1024,1024 >f64:1024,1024
aten::floor_divide.out f64:1024,1024 f64:1024,1024 >f64:1024,1024
aten::pow.Tensor_Scalar_out f64:1024,1024 2 >f64:1024,1024
aten::exp.out f16:1024,1024 >f16:1024,1024
aten::tanh.out f16:1024,1024 >f16:1024,1024
aten::sqrt.out f16:1024,1024 >f16:1024,1024
aten::neg.out f16:1024,1024 >f16:1024,1024
aten::abs.out f16:1024,1024 >f16:1024,1024
aten::relu.out f16:1024,1024 >f16:1024,1024
aten::sigmoid.out f16:1024,1024 >f16:1024,1024
aten::log.out f16:1024,1024 >f16:1024,1024
aten::sin.out f16:1024,1024 >f16:1024,1024
aten::floor.out f16:1024,1024 >f16:1024,1024
aten::rsqrt.out f16:1024,1024 >f16:1024,1024
aten::add.out f16:1024,1024 f16:1024,1024 1 >f16:1024,1024
aten::mul.out f16:1024,1024 f16:1024,1024 >f16:1024,1024
aten::div.out f16:1024,1024 f16:1024,1024 >f16:1024,1024
aten::maximum.out f16:1024,1024 f16:1024,1024 >f16:1024,1024
aten::gelu.out f16:1024,1024 'none' >f16:1024,1024
aten::clamp.out f16:1024,1024 -1.0 1.0 >f16:1024,1024
aten::lt.Tensor_out f16:1024,1024 f16:1024,1024 >bool:1024,1024
aten::eq.Scalar_out f16:1024,1024 1.0 >bool:1024,1024
aten::elu.out f16:1024,1024 1.0 1 1 >f16:1024,1024
aten::fmod.Tensor_out f16:1024,1024 f16:1024,1024 >f16:1024,1024
aten::remainder.Tensor_out f16:1024,1024 f16:1024,1024 >f16:1024,1024
aten::floor_divide.out f16:1024,1024 f16:1024,1024 >f16:1024,1024
aten::pow.Tensor_Scalar_out f16:1024,1024 2 >f16:1024,1024
aten::exp.out bf16:1024,1024 >bf16:1024,1024
aten::tanh.out bf16:1024,1024 >bf16:1024,1024
aten::sqrt.out bf16:1024,1024 >bf16:1024,1024
aten::neg.out bf16:1024,1024 >bf16:1024,1024
aten::abs.out bf16:1024,1024 >bf16:1024,1024
aten::relu.out bf16:1024,1024 >bf16:1024,1024
aten::sigmoid.out bf16:1024,1024 >bf16:1024,1024
aten::log.out bf16:1024,1024 >bf16:1024,1024
aten::sin.out bf16:1024,1024 >bf16:1024,1024
aten::floor.out bf16:1024,1024 >bf16:1024,1024
aten::rsqrt.out bf16:1024,1024 >bf16:1024,1024
aten::add.out bf16:1024,1024 bf16:1024,1024 1 >bf16:1024,1024
aten::mul.out bf16:1024,1024 bf16:1024,1024 >bf16:1024,1024
aten::div.out bf16:1024,1024 bf16:1024,1024 >bf16:1024,1024
aten::maximum.out bf16:1024,1024 bf16:1024,1024 >bf16:1024,1024
aten::gelu.out bf16:1024,1024 'none' >bf16:1024,1024
aten::clamp.out bf16:1024,1024 -1.0 1.0 >bf16:1024,1024
aten::lt.Tensor_out bf16:1024,1024 bf16:1024,1024 >bool:1024,1024
aten::eq.Scalar_out bf16:1024,1024 1.0 >bool:1024,1024
aten::elu.out bf16:1024,1024 1.0 1 1 >bf16:1024,1024
aten::fmod.Tensor_out bf16:1024,1024 bf16:1024,1024 >bf16:1024,1024
aten::remainder.Tensor_out bf16:1024,1024 bf16:1024,1024 >bf16:1024,1024
aten::floor_divide.out bf16:1024,1024 bf16:1024,1024 >bf16:1024,1024
aten::pow.Tensor_Scalar_out bf16:1024,1024 2 >bf16:1024,1024
aten::gelu.out f32:1024,1024 'tanh' >f32:1024,1024
aten::pow.Tensor_Scalar_out f32:1024,1024 2 >f32:1024,1024
aten::pow.Tensor_Scalar_out f32:1024,1024 0.5 >f32:1024,1024
aten::pow.Tensor_Scalar_out f32:1024,1024 3 >f32:1024,1024
aten::neg.out i64:1024,1024 >i64:1024,1024
aten::abs.out i64:1024,1024 >i64:1024,1024
aten::sign.out i64:1024,1024 >i64:1024,1024
aten::add.out i64:1024,1024 i64:1024,1024 1 >i64:1024,1024
aten::sub.out i64:1024,1024 i64:1024,1024 2 >i64:1024,1024
aten::mul.out i64:1024,1024 i64:1024,1024 >i64:1024,1024
aten::div.out i64:1024,1024 i64:1024,1024 >f32:1024,1024
aten::div.out_mode i64:1024,1024 i64:1024,1024 'floor' >i64:1024,1024
aten::div.out_mode i64:1024,1024 i64:1024,1024 'trunc' >i64:1024,1024
aten::floor_divide.out i64:1024,1024 i64:1024,1024 >i64:1024,1024
aten::fmod.Tensor_out i64:1024,1024 i64:1024,1024 >i64:1024,1024
aten::remainder.Tensor_out i64:1024,1024 i64:1024,1024 >i64:1024,1024
aten::remainder.Scalar_out i64:1024,1024 3 >i64:1024,1024
aten::maximum.out i64:1024,1024 i64:1024,1024 >i64:1024,1024
aten::clamp.out i64:1024,1024 0 5 >i64:1024,1024
aten::eq.Tensor_out i64:1024,1024 i64:1024,1024 >bool:1024,1024
aten::lt.Scalar_out i64:1024,1024 3 >bool:1024,1024
aten::bitwise_and.Tensor_out i64:1024,1024 i64:1024,1024 >i64:1024,1024
aten::bitwise_or.Scalar_out i64:1024,1024 3 >i64:1024,1024
aten::bitwise_not.out i64:1024,1024 >i64:1024,1024
aten::bitwise_left_shift.Tensor_out i64:1024,1024 i64:1024,1024 >i64:1024,1024
aten::add.Scalar_out i64:1024,1024 2 1 >i64:1024,1024
aten::mul.Scalar_out i64:1024,1024 2 >i64:1024,1024
aten::logical_not.out i64:1024,1024 >bool:1024,1024
aten::logical_and.out i64:1024,1024 i64:1024,1024 >bool:1024,1024
aten::pow.Tensor_Scalar_out i64:1024,1024 2 >i64:1024,1024
aten::exp.out i64:1024,1024 >f32:1024,1024
aten::pow.Tensor_Tensor_out i64:1024,1024 i64:1024,1024 >i64:1024,1024
aten::neg.out i32:1024,1024 >i32:1024,1024
aten::abs.out i32:1024,1024 >i32:1024,1024
aten::sign.out i32:1024,1024 >i32:1024,1024
aten::add.out i32:1024,1024 i32:1024,1024 1 >i32:1024,1024
aten::sub.out i32:1024,1024 i32:1024,1024 2 >i32:1024,1024
aten::mul.out i32:1024,1024 i32:1024,1024 >i32:1024,1024
aten::div.out i32:1024,1024 i32:1024,1024 >f32:1024,1024
aten::div.out_mode i32:1024,1024 i32:1024,1024 'floor' >i32:1024,1024
aten::div.out_mode i32:1024,1024 i32:1024,1024 'trunc' >i32:1024,1024
aten::floor_divide.out i32:1024,1024 i32:1024,1024 >i32:1024,1024
aten::fmod.Tensor_out i32:1024,1024 i32:1024,1024 >i32:1024,1024
aten::remainder.Tensor_out i32:1024,1024 i32:1024,1024 >i32:1024,1024
aten::remainder.Scalar_out i32:1024,1024 3 >i32:1024,1024
aten::maximum.out i32:1024,1024 i32:1024,1024 >i32:1024,1024
aten::clamp.out i32:1024,1024 0 5 >i32:1024,1024
aten::eq.Tensor_out i32:1024,1024 i32:1024,1024 >bool:1024,1024
aten::lt.Scalar_out i32:1024,1024 3 >bool:1024,1024
aten::bitwise_and.Tensor_out i32:1024,1024 i32:1024,1024 >i32:1024,1024
aten::bitwise_or.Scalar_out i32:1024,1024 3 >i32:1024,1024
aten::bitwise_not.out i32:1024,1024 >i32:1024,1024
aten::bitwise_left_shift.Tensor_out i32:1024,1024 i32:1024,1024 >i32:1024,1024
aten::add.Scalar_out i32:1024,1024 2 1 >i32:1024,1024
aten::mul.Scalar_out i32:1024,1024 2 >i32:1024,1024
aten::logical_not.out i32:1024,1024 >bool:1024,1024
aten::logical_and.out i32:1024,1024 i32:1024,1024 >bool:1024,1024
aten::pow.Tensor_Scalar_out i32:1024,1024 2 >i32:1024,1024
aten::exp.out i32:1024,1024 >f32:1024,1024
aten::pow.Tensor_Tensor_out i32:1024,1024 i32:1024,1024 >i32:1024,1024
aten::neg.out u8:1024,1024 >u8:1024,1024
aten::abs.out u8:1024,1024 >u8:1024,1024
aten::sign.out u8:1024,1024 >u8:1024,1024
aten::add.out u8:1024,1024 u8:1024,1024 1 >u8:1024,1024
aten::mul.out u8:1024,1024 u8:1024,1024 >u8:1024,1024
aten::div.out u8:1024,1024 u8:1024,1024 >f32:1024,1024
aten::div.out_mode u8:1024,1024 u8:1024,1024 'floor' >u8:1024,1024
aten::div.out_mode u8:1024,1024 u8:1024,1024 'trunc' >u8:1024,1024
aten::floor_divide.out u8:1024,1024 u8:1024,1024 >u8:1024,1024
aten::fmod.Tensor_out u8:1024,1024 u8:1024,1024 >u8:1024,1024
aten::remainder.Tensor_out u8:1024,1024 u8:1024,1024 >u8:1024,1024
aten::remainder.Scalar_out u8:1024,1024 3 >u8:1024,1024
aten::maximum.out u8:1024,1024 u8:1024,1024 >u8:1024,1024
aten::clamp.out u8:1024,1024 0 5 >u8:1024,1024
aten::eq.Tensor_out u8:1024,1024 u8:1024,1024 >bool:1024,1024
aten::lt.Scalar_out u8:1024,1024 3 >bool:1024,1024
aten::bitwise_and.Tensor_out u8:1024,1024 u8:1024,1024 >u8:1024,1024
aten::bitwise_or.Scalar_out u8:1024,1024 3 >u8:1024,1024
aten::bitwise_not.out u8:1024,1024 >u8:1024,1024
aten::bitwise_left_shift.Tensor_out u8:1024,1024 u8:1024,1024 >u8:1024,1024
aten::add.Scalar_out u8:1024,1024 2 1 >u8:1024,1024
aten::mul.Scalar_out u8:1024,1024 2 >u8:1024,1024
aten::logical_not.out u8:1024,1024 >bool:1024,1024
aten::logical_and.out u8:1024,1024 u8:1024,1024 >bool:1024,1024
aten::pow.Tensor_Scalar_out u8:1024,1024 2 >u8:1024,1024
aten::exp.out u8:1024,1024 >f32:1024,1024
aten::pow.Tensor_Tensor_out u8:1024,1024 u8:1024,1024 >u8:1024,1024
aten::neg.out i8:1024,1024 >i8:1024,1024
aten::abs.out i8:1024,1024 >i8:1024,1024
aten::sign.out i8:1024,1024 >i8:1024,1024
aten::add.out i8:1024,1024 i8:1024,1024 1 >i8:1024,1024
aten::sub.out i8:1024,1024 i8:1024,1024 2 >i8:1024,1024
aten::mul.out i8:1024,1024 i8:1024,1024 >i8:1024,1024
aten::div.out i8:1024,1024 i8:1024,1024 >f32:1024,1024
aten::div.out_mode i8:1024,1024 i8:1024,1024 'floor' >i8:1024,1024
aten::div.out_mode i8:1024,1024 i8:1024,1024 'trunc' >i8:1024,1024
aten::floor_divide.out i8:1024,1024 i8:1024,1024 >i8:1024,1024
aten::fmod.Tensor_out i8:1024,1024 i8:1024,1024 >i8:1024,1024
aten::remainder.Tensor_out i8:1024,1024 i8:1024,1024 >i8:1024,1024
aten::remainder.Scalar_out i8:1024,1024 3 >i8:1024,1024
aten::maximum.out i8:1024,1024 i8:1024,1024 >i8:1024,1024
aten::clamp.out i8:1024,1024 0 5 >i8:1024,1024
aten::eq.Tensor_out i8:1024,1024 i8:1024,1024 >bool:1024,1024
aten::lt.Scalar_out i8:1024,1024 3 >bool:1024,1024
aten::bitwise_and.Tensor_out i8:1024,1024 i8:1024,1024 >i8:1024,1024
aten::bitwise_or.Scalar_out i8:1024,1024 3 >i8:1024,1024
aten::bitwise_not.out i8:1024,1024 >i8:1024,1024
aten::bitwise_left_shift.Tensor_out i8:1024,1024 i8:1024,1024 >i8:1024,1024
aten::add.Scalar_out i8:1024,1024 2 1 >i8:1024,1024
aten::mul.Scalar_out i8:1024,1024 2 >i8:1024,1024
aten::logical_not.out i8:1024,1024 >bool:1024,1024
aten::logical_and.out i8:1024,1024 i8:1024,1024 >bool:1024,1024
aten::pow.Tensor_Scalar_out i8:1024,1024 2 >i8:1024,1024
aten::exp.out i8:1024,1024 >f32:1024,1024
aten::pow.Tensor_Tensor_out i8:1024,1024 i8:1024,1024 >i8:1024,1024
aten::neg.out i16:1024,1024 >i16:1024,1024
aten::abs.out i16:1024,1024 >i16:1024,1024
aten::sign.out i16:1024,1024 >i16:1024,1024
aten::add.out i16:1024,1024 i16:1024,1024 1 >i16:1024,1024
aten::sub.out i16:1024,1024 i16:1024,1024 2 >i16:1024,1024
aten::mul.out i16:1024,1024 i16:1024,1024 >i16:1024,1024
aten::div.out i16:1024,1024 i16:1024,1024 >f32:1024,1024
aten::div.out_mode i16:1024,1024 i16:1024,1024 'floor' >i16:1024,1024
aten::div.out_mode i16:1024,1024 i16:1024,1024 'trunc' >i16:1024,1024
aten::floor_divide.out i16:1024,1024 i16:1024,1024 >i16:1024,1024
aten::fmod.Tensor_out i16:1024,1024 i16:1024,1024 >i16:1024,1024
aten::remainder.Tensor_out i16:1024,1024 i16:1024,1024 >i16:1024,1024
aten::remainder.Scalar_out i16:1024,1024 3 >i16:1024,1024
aten::maximum.out i16:1024,1024 i16:1024,1024 >i16:1024,1024
aten::clamp.out i16:1024,1024 0 5 >i16:1024,1024
aten::eq.Tensor_out i16:1024,1024 i16:1024,1024 >bool:1024,1024
aten::lt.Scalar_out i16:1024,1024 3 >bool:1024,1024
aten::bitwise_and.Tensor_out i16:1024,1024 i16:1024,1024 >i16:1024,1024
aten::bitwise_or.Scalar_out i16:1024,1024 3 >i16:1024,1024
aten::bitwise_not.out i16:1024,1024 >i16:1024,1024
aten::bitwise_left_shift.Tensor_out i16:1024,1024 i16:1024,1024 >i16:1024,1024
aten::add.Scalar_out i16:1024,1024 2 1 >i16:1024,1024
aten::mul.Scalar_out i16:1024,1024 2 >i16:1024,1024
aten::logical_not.out i16:1024,1024 >bool:1024,1024
aten::logical_and.out i16:1024,1024 i16:1024,1024 >bool:1024,1024
aten::pow.Tensor_Scalar_out i16:1024,1024 2 >i16:1024,1024
aten::exp.out i16:1024,1024 >f32:1024,1024
aten::pow.Tensor_Tensor_out i16:1024,1024 i16:1024,1024 >i16:1024,1024
aten::logical_and.out bool:1024,1024 bool:1024,1024 >bool:1024,1024
aten::logical_not.out bool:1024,1024 >bool:1024,1024
aten::bitwise_and.Tensor_out bool:1024,1024 bool:1024,1024 >bool:1024,1024
aten::bitwise_xor.Tensor_out bool:1024,1024 bool:1024,1024 >bool:1024,1024
aten::bitwise_not.out bool:1024,1024 >bool:1024,1024
aten::eq.Tensor_out bool:1024,1024 bool:1024,1024 >bool:1024,1024
aten::mul.out bool:1024,1024 bool:1024,1024 >bool:1024,1024
# element by element: mixed dtypes
aten::mul.out i32:1024,1024 f32:1024,1024 >f32:1024,1024
aten::add.out i64:1024,1024 f32:1024,1024 1 >f32:1024,1024
aten::add.out f16:1024,1024 f32:1024,1024 1 >f32:1024,1024
aten::eq.Tensor_out i64:1024,1024 i32:1024,1024 >bool:1024,1024
aten::mul.out bool:1024,1024 f32:1024,1024 >f32:1024,1024
aten::add.out bool:1024,1024 i64:1024,1024 1 >i64:1024,1024
aten::gt.Tensor_out i64:1024,1024 f32:1024,1024 >bool:1024,1024
# element by element: broadcasts and layouts
aten::add.out f32:1024,1024 f32:1024 1 >f32:1024,1024
aten::mul.out f32:1024,1024 f32:1024 >f32:1024,1024
aten::lt.Tensor_out f32:1024,1024 f32:1024 >bool:1024,1024
aten::add.out f32:1024,1024 f32:1024,1 1 >f32:1024,1024
aten::mul.out f32:1024,1024 f32:1024,1 >f32:1024,1024
aten::lt.Tensor_out f32:1024,1024 f32:1024,1 >bool:1024,1024
aten::add.out f32:1024,1024 f32:1,1024 1 >f32:1024,1024
aten::mul.out f32:1024,1024 f32:1,1024 >f32:1024,1024
aten::lt.Tensor_out f32:1024,1024 f32:1,1024 >bool:1024,1024
aten::add.out f32:1024,1024 f32:1 1 >f32:1024,1024
aten::mul.out f32:1024,1024 f32:1 >f32:1024,1024
aten::lt.Tensor_out f32:1024,1024 f32:1 >bool:1024,1024
aten::add.out f32:1024,1024 f32: 1 >f32:1024,1024
aten::mul.out f32:1024,1024 f32: >f32:1024,1024
aten::lt.Tensor_out f32:1024,1024 f32: >bool:1024,1024
aten::add.out f32:8,64,64,32 f32:64,1,1 1 >f32:8,64,64,32
aten::add.out f32:8,64,64,32 f32:8,64,1,1 1 >f32:8,64,64,32
aten::add.out f32:8,64,64,32 f32:32 1 >f32:8,64,64,32
aten::add.out f32:8,64,64,32 f32:1,64,64,1 1 >f32:8,64,64,32
aten::add.out f32:8,64,64,32 f32:8,1,64,32 1 >f32:8,64,64,32
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
# reductions over other dimensions
aten::sum.IntList_out f32:64,128,128 [0] false none >f32:128,128
aten::mean.out f32:64,128,128 [0] false none >f32:128,128
aten::amax.out f32:64,128,128 [0] false >f32:128,128
aten::var.correction_out f32:64,128,128 [0] 1 false >f32:128,128
aten::sum.IntList_out f16:64,128,128 [0] false none >f16:128,128
aten::mean.out f16:64,128,128 [0] false none >f16:128,128
aten::amax.out f16:64,128,128 [0] false >f16:128,128
aten::var.correction_out f16:64,128,128 [0] 1 false >f16:128,128
aten::any.dims_out bool:64,128,128 [0] false >bool:128,128
aten::sum.IntList_out f32:64,128,128 [1] false none >f32:64,128
aten::mean.out f32:64,128,128 [1] false none >f32:64,128
aten::amax.out f32:64,128,128 [1] false >f32:64,128
aten::var.correction_out f32:64,128,128 [1] 1 false >f32:64,128
aten::any.dims_out bool:64,128,128 [1] false >bool:64,128
aten::sum.IntList_out f32:64,128,128 [2] false none >f32:64,128
aten::mean.out f32:64,128,128 [2] false none >f32:64,128
aten::amax.out f32:64,128,128 [2] false >f32:64,128
aten::var.correction_out f32:64,128,128 [2] 1 false >f32:64,128
aten::sum.IntList_out f16:64,128,128 [2] false none >f16:64,128
aten::mean.out f16:64,128,128 [2] false none >f16:64,128
aten::amax.out f16:64,128,128 [2] false >f16:64,128
aten::var.correction_out f16:64,128,128 [2] 1 false >f16:64,128
aten::any.dims_out bool:64,128,128 [2] false >bool:64,128
aten::sum.IntList_out f32:64,128,128 [0,2] false none >f32:128
aten::mean.out f32:64,128,128 [0,2] false none >f32:128
aten::amax.out f32:64,128,128 [0,2] false >f32:128
aten::var.correction_out f32:64,128,128 [0,2] 1 false >f32:128
aten::any.dims_out bool:64,128,128 [0,2] false >bool:128
aten::sum.IntList_out f32:64,128,128 [1,2] false none >f32:64
aten::mean.out f32:64,128,128 [1,2] false none >f32:64
aten::amax.out f32:64,128,128 [1,2] false >f32:64
aten::var.correction_out f32:64,128,128 [1,2] 1 false >f32:64
aten::any.dims_out bool:64,128,128 [1,2] false >bool:64
aten::sum.IntList_out f32:262144,4 [1] false none >f32:262144
aten::mean.out f32:262144,4 [1] false none >f32:262144
aten::amax.out f32:262144,4 [1] false >f32:262144
aten::var.correction_out f32:262144,4 [1] 1 false >f32:262144
aten::argmax.out f32:262144,4 1 false >i64:262144
aten::max.dim_max f32:262144,4 1 false >f32:262144 >i64:262144
aten::prod.int_out f32:262144,4 1 false none >f32:262144
aten::any.out f32:262144,4 1 false >bool:262144
aten::_softmax.out f32:262144,4 1 false >f32:262144,4
aten::_log_softmax.out f32:262144,4 1 false >f32:262144,4
aten::cumsum.out f32:262144,4 1 none >f32:262144,4
aten::sum.IntList_out f32:4,262144 [0] false none >f32:262144
aten::mean.out f32:4,262144 [0] false none >f32:262144
aten::amax.out f32:4,262144 [0] false >f32:262144
aten::var.correction_out f32:4,262144 [0] 1 false >f32:262144
aten::argmax.out f32:4,262144 0 false >i64:262144
aten::max.dim_max f32:4,262144 0 false >f32:262144 >i64:262144
aten::prod.int_out f32:4,262144 0 false none >f32:262144
aten::any.out f32:4,262144 0 false >bool:262144
aten::_softmax.out f32:4,262144 0 false >f32:4,262144
aten::_log_softmax.out f32:4,262144 0 false >f32:4,262144
aten::cumsum.out f32:4,262144 0 none >f32:4,262144
aten::sum.IntList_out f32:65536,16 [1] false none >f32:65536
aten::mean.out f32:65536,16 [1] false none >f32:65536
aten::amax.out f32:65536,16 [1] false >f32:65536
aten::var.correction_out f32:65536,16 [1] 1 false >f32:65536
aten::argmax.out f32:65536,16 1 false >i64:65536
aten::max.dim_max f32:65536,16 1 false >f32:65536 >i64:65536
aten::prod.int_out f32:65536,16 1 false none >f32:65536
aten::any.out f32:65536,16 1 false >bool:65536
aten::_softmax.out f32:65536,16 1 false >f32:65536,16
aten::_log_softmax.out f32:65536,16 1 false >f32:65536,16
aten::cumsum.out f32:65536,16 1 none >f32:65536,16
aten::sum.IntList_out f32:65536,16 [0] false none >f32:16
aten::mean.out f32:65536,16 [0] false none >f32:16
aten::amax.out f32:65536,16 [0] false >f32:16
aten::var.correction_out f32:65536,16 [0] 1 false >f32:16
aten::argmax.out f32:65536,16 0 false >i64:16
aten::max.dim_max f32:65536,16 0 false >f32:16 >i64:16
aten::prod.int_out f32:65536,16 0 false none >f32:16
aten::any.out f32:65536,16 0 false >bool:16
aten::_softmax.out f32:65536,16 0 false >f32:65536,16
aten::_log_softmax.out f32:65536,16 0 false >f32:65536,16
aten::cumsum.out f32:65536,16 0 none >f32:65536,16
aten::sum.IntList_out f32:16,65536 [0] false none >f32:65536
aten::mean.out f32:16,65536 [0] false none >f32:65536
aten::amax.out f32:16,65536 [0] false >f32:65536
aten::var.correction_out f32:16,65536 [0] 1 false >f32:65536
aten::argmax.out f32:16,65536 0 false >i64:65536
aten::max.dim_max f32:16,65536 0 false >f32:65536 >i64:65536
aten::prod.int_out f32:16,65536 0 false none >f32:65536
aten::any.out f32:16,65536 0 false >bool:65536
aten::_softmax.out f32:16,65536 0 false >f32:16,65536
aten::_log_softmax.out f32:16,65536 0 false >f32:16,65536
aten::cumsum.out f32:16,65536 0 none >f32:16,65536
aten::sum.IntList_out f32:1048576 [0] false none >f32:
aten::mean.out f32:1048576 [0] false none >f32:
aten::amax.out f32:1048576 [0] false >f32:
aten::var.correction_out f32:1048576 [0] 1 false >f32:
aten::argmax.out f32:1048576 0 false >i64:
aten::max.dim_max f32:1048576 0 false >f32: >i64:
aten::prod.int_out f32:1048576 0 false none >f32:
aten::any.out f32:1048576 0 false >bool:
aten::_softmax.out f32:1048576 0 false >f32:1048576
aten::_log_softmax.out f32:1048576 0 false >f32:1048576
aten::cumsum.out f32:1048576 0 none >f32:1048576
aten::sum.IntList_out f32:1,64,128,128^0231 [2,3] false none >f32:1,64
aten::mean.out f32:1,64,128,128^0231 [2,3] false none >f32:1,64
aten::amax.out f32:1,64,128,128^0231 [2,3] false >f32:1,64
aten::var.correction_out f32:1,64,128,128^0231 [2,3] 1 false >f32:1,64
aten::sum.IntList_out f32:1,64,128,128 [2,3] false none >f32:1,64
aten::mean.out f32:1,64,128,128 [2,3] false none >f32:1,64
aten::amax.out f32:1,64,128,128 [2,3] false >f32:1,64
aten::var.correction_out f32:1,64,128,128 [2,3] 1 false >f32:1,64
aten::sum.IntList_out i64:1024,1024 [1] false none >i64:1024
aten::sum.IntList_out i64:1024,1024 [0] false none >i64:1024
aten::amax.out i64:1024,1024 [1] false >i64:1024
aten::argmax.out i64:1024,1024 1 false >i64:1024
aten::argmin.out i64:1024,1024 0 false >i64:1024
aten::min.dim_min i64:1024,1024 1 false >i64:1024 >i64:1024
aten::prod.int_out i64:1024,1024 1 false none >i64:1024
aten::cumsum.out i64:1024,1024 1 none >i64:1024,1024
aten::max.unary_out i64:1024,1024 >i64:
aten::any.out i64:1024,1024 1 false >bool:1024
aten::any.all_out i64:1024,1024 >bool:
aten::sum.IntList_out i32:1024,1024 [1] false none >i64:1024
aten::sum.IntList_out i32:1024,1024 [0] false none >i64:1024
aten::amax.out i32:1024,1024 [1] false >i32:1024
aten::argmax.out i32:1024,1024 1 false >i64:1024
aten::argmin.out i32:1024,1024 0 false >i64:1024
aten::min.dim_min i32:1024,1024 1 false >i32:1024 >i64:1024
aten::prod.int_out i32:1024,1024 1 false none >i64:1024
aten::cumsum.out i32:1024,1024 1 none >i64:1024,1024
aten::max.unary_out i32:1024,1024 >i32:
aten::any.out i32:1024,1024 1 false >bool:1024
aten::any.all_out i32:1024,1024 >bool:
aten::sum.IntList_out u8:1024,1024 [1] false none >i64:1024
aten::sum.IntList_out u8:1024,1024 [0] false none >i64:1024
aten::amax.out u8:1024,1024 [1] false >u8:1024
aten::argmax.out u8:1024,1024 1 false >i64:1024
aten::argmin.out u8:1024,1024 0 false >i64:1024
aten::min.dim_min u8:1024,1024 1 false >u8:1024 >i64:1024
aten::prod.int_out u8:1024,1024 1 false none >i64:1024
aten::cumsum.out u8:1024,1024 1 none >i64:1024,1024
aten::max.unary_out u8:1024,1024 >u8:
aten::any.out u8:1024,1024 1 false >bool:1024
aten::any.all_out u8:1024,1024 >bool:
aten::sum.IntList_out f64:1024,1024 [1] false none >f64:1024
aten::sum.IntList_out f64:1024,1024 [0] false none >f64:1024
aten::amax.out f64:1024,1024 [1] false >f64:1024
aten::argmax.out f64:1024,1024 1 false >i64:1024
aten::argmin.out f64:1024,1024 0 false >i64:1024
aten::min.dim_min f64:1024,1024 1 false >f64:1024 >i64:1024
aten::prod.int_out f64:1024,1024 1 false none >f64:1024
aten::cumsum.out f64:1024,1024 1 none >f64:1024,1024
aten::max.unary_out f64:1024,1024 >f64:
aten::any.out f64:1024,1024 1 false >bool:1024
aten::any.all_out f64:1024,1024 >bool:
aten::sum.IntList_out bf16:1024,1024 [1] false none >bf16:1024
aten::sum.IntList_out bf16:1024,1024 [0] false none >bf16:1024
aten::amax.out bf16:1024,1024 [1] false >bf16:1024
aten::argmax.out bf16:1024,1024 1 false >i64:1024
aten::argmin.out bf16:1024,1024 0 false >i64:1024
aten::min.dim_min bf16:1024,1024 1 false >bf16:1024 >i64:1024
aten::prod.int_out bf16:1024,1024 1 false none >bf16:1024
aten::cumsum.out bf16:1024,1024 1 none >bf16:1024,1024
aten::max.unary_out bf16:1024,1024 >bf16:
aten::any.out bf16:1024,1024 1 false >bool:1024
aten::any.all_out bf16:1024,1024 >bool:
aten::sum.IntList_out bool:1024,1024 [1] false none >i64:1024
aten::sum.IntList_out bool:1024,1024 [0] false none >i64:1024
aten::any.out bool:1024,1024 1 false >bool:1024
aten::any.all_out bool:1024,1024 >bool:
aten::mean.out f16:1024,1024 [1] false none >f16:1024
aten::_softmax.out f16:1024,1024 1 false >f16:1024,1024
aten::_log_softmax.out f16:1024,1024 1 false >f16:1024,1024
aten::var.out f16:1024,1024 [1] true false >f16:1024
aten::native_layer_norm.out f16:1024,1024 [1024] f16:1024 f16:1024 0.00001 >f16:1024,1024 >f16:1024,1 >f16:1024,1
aten::mean.out f64:1024,1024 [1] false none >f64:1024
aten::_softmax.out f64:1024,1024 1 false >f64:1024,1024
aten::_log_softmax.out f64:1024,1024 1 false >f64:1024,1024
aten::var.out f64:1024,1024 [1] true false >f64:1024
aten::native_layer_norm.out f64:1024,1024 [1024] f64:1024 f64:1024 0.00001 >f64:1024,1024 >f64:1024,1 >f64:1024,1
aten::mean.out bf16:1024,1024 [1] false none >bf16:1024
aten::_softmax.out bf16:1024,1024 1 false >bf16:1024,1024
aten::_log_softmax.out bf16:1024,1024 1 false >bf16:1024,1024
aten::var.out bf16:1024,1024 [1] true false >bf16:1024
aten::native_layer_norm.out bf16:1024,1024 [1024] bf16:1024 bf16:1024 0.00001 >bf16:1024,1024 >bf16:1024,1 >bf16:1024,1
aten::sum.IntList_out f32:1024,1024 none false none >f32:
aten::argmax.out f32:1024,1024 none false >i64:
aten::argmin.out f32:1024,1024 0 false >i64:1024
aten::min.dim_min f32:1024,1024 0 false >f32:1024 >i64:1024
aten::var_mean.correction_out f32:1024,1024 [0] 1 false >f32:1024 >f32:1024
aten::_softmax.out f32:8,64,64,32 1 false >f32:8,64,64,32
aten::_log_softmax.out f32:8,64,64,32 1 false >f32:8,64,64,32
aten::cumsum.out f32:8,64,64,32 1 none >f32:8,64,64,32
aten::_softmax.out f32:8,64,64,32 2 false >f32:8,64,64,32
aten::_log_softmax.out f32:8,64,64,32 2 false >f32:8,64,64,32
aten::cumsum.out f32:8,64,64,32 2 none >f32:8,64,64,32
aten::_softmax.out f32:1024,1024 0 false >f32:1024,1024
aten::_log_softmax.out f32:1024,1024 0 false >f32:1024,1024
aten::cumsum.out f32:1024,1024 0 none >f32:1024,1024
aten::_softmax.out f32:8,16,64,128 -1 false >f32:8,16,64,128
aten::_log_softmax.out f32:8,16,64,128 -1 false >f32:8,16,64,128
aten::cumsum.out f32:8,16,64,128 -1 none >f32:8,16,64,128
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
aten::permute_copy.out f32:1024,1024 [1,0] >f32:1024,1024
aten::permute_copy.out f32:8,64,64,32 [0,2,3,1] >f32:8,64,32,64
aten::permute_copy.out f32:8,64,64,32 [0,3,1,2] >f32:8,32,64,64
aten::permute_copy.out f32:8,64,64,32 [0,2,1,3] >f32:8,64,64,32
aten::permute_copy.out f32:8,64,64,32 [3,2,1,0] >f32:32,64,64,8
aten::transpose_copy.int_out f32:8,64,64,32 1 2 >f32:8,64,64,32
aten::transpose_copy.int_out f32:262144,4 0 1 >f32:4,262144
aten::transpose_copy.int_out f32:4,262144 0 1 >f32:262144,4
aten::cat.out {f32:512,1024 f32:512,1024} 0 >f32:1024,1024
aten::cat.out {f32:262144,2 f32:262144,2} 1 >f32:262144,4
aten::cat.out {f32:8,32,64,32 f32:8,32,64,32} 1 >f32:8,64,64,32
aten::stack.out {f32:1024,1024 f32:1024,1024} 2 >f32:1024,1024,2
aten::stack.out {f32:512,1024 f32:512,1024} 1 >f32:512,2,1024
aten::repeat.out f32:1024,1 [1,1024] >f32:1024,1024
aten::repeat.out f32:1024,16 [2,64] >f32:2048,1024
aten::repeat.out f32:1,4 [262144,1] >f32:262144,4
aten::expand_copy.out f32:1024,1 [1024,1024] false >f32:1024,1024
aten::expand_copy.out f32:64,1,128 [64,128,128] false >f32:64,128,128
aten::expand_copy.out f32:262144,1 [262144,4] false >f32:262144,4
aten::slice_copy.Tensor_out f32:1024,1024 0 0 1024 2 >f32:512,1024
aten::slice_copy.Tensor_out f32:262144,8 1 1 5 1 >f32:262144,4
aten::select_copy.int_out f32:1024,1024,2 2 1 >f32:1024,1024
aten::select_copy.int_out f32:2,1024,1024 0 1 >f32:1024,1024
aten::flip.out f32:1024,1024 [0] >f32:1024,1024
aten::flip.out f32:64,128,128 [0,1,2] >f32:64,128,128
aten::roll.out f32:1024,1024 [3] [0] >f32:1024,1024
aten::roll.out f32:262144,4 [1] [1] >f32:262144,4
aten::split_copy.Tensor_out f32:1024,1024 512 1 {>f32:1024,512 >f32:1024,512}
aten::split_with_sizes_copy.out f32:262144,4 [1,3] 1 {>f32:262144,1 >f32:262144,3}
aten::unbind_copy.int_out f32:1024,1024,2 2 {>f32:1024,1024 >f32:1024,1024}
aten::constant_pad_nd.out f32:262144,3 [0,1] 1 >f32:262144,4
aten::constant_pad_nd.out f32:1000,1000 [0,24,0,24] 0 >f32:1024,1024
aten::tril.out f32:64,128,128 0 >f32:64,128,128
aten::unfold_copy.out f32:1024,1024 0 8 8 >f32:128,1024,8
aten::clone.out f32:1024,1024 none >f32:1024,1024
aten::pixel_shuffle.out f32:1,256,64,64 4 >f32:1,16,256,256
aten::pixel_unshuffle.out f32:1,16,256,256 4 >f32:1,256,64,64
aten::copy.out f32:1024,1024 f32:1024 false >f32:1024,1024
aten::fill.Scalar_out f32:1024,1024 2 >f32:1024,1024
aten::full.out [1024,1024] 2 >f32:1024,1024
aten::permute_copy.out u8:1024,1024 [1,0] >u8:1024,1024
aten::permute_copy.out u8:8,64,64,32 [0,2,3,1] >u8:8,64,32,64
aten::permute_copy.out u8:8,64,64,32 [0,3,1,2] >u8:8,32,64,64
aten::permute_copy.out u8:8,64,64,32 [0,2,1,3] >u8:8,64,64,32
aten::permute_copy.out u8:8,64,64,32 [3,2,1,0] >u8:32,64,64,8
aten::transpose_copy.int_out u8:8,64,64,32 1 2 >u8:8,64,64,32
aten::transpose_copy.int_out u8:262144,4 0 1 >u8:4,262144
aten::transpose_copy.int_out u8:4,262144 0 1 >u8:262144,4
aten::cat.out {u8:512,1024 u8:512,1024} 0 >u8:1024,1024
aten::cat.out {u8:262144,2 u8:262144,2} 1 >u8:262144,4
aten::cat.out {u8:8,32,64,32 u8:8,32,64,32} 1 >u8:8,64,64,32
aten::stack.out {u8:1024,1024 u8:1024,1024} 2 >u8:1024,1024,2
aten::stack.out {u8:512,1024 u8:512,1024} 1 >u8:512,2,1024
aten::repeat.out u8:1024,1 [1,1024] >u8:1024,1024
aten::repeat.out u8:1024,16 [2,64] >u8:2048,1024
aten::repeat.out u8:1,4 [262144,1] >u8:262144,4
aten::expand_copy.out u8:1024,1 [1024,1024] false >u8:1024,1024
aten::expand_copy.out u8:64,1,128 [64,128,128] false >u8:64,128,128
aten::expand_copy.out u8:262144,1 [262144,4] false >u8:262144,4
aten::slice_copy.Tensor_out u8:1024,1024 0 0 1024 2 >u8:512,1024
aten::slice_copy.Tensor_out u8:262144,8 1 1 5 1 >u8:262144,4
aten::select_copy.int_out u8:1024,1024,2 2 1 >u8:1024,1024
aten::select_copy.int_out u8:2,1024,1024 0 1 >u8:1024,1024
aten::flip.out u8:1024,1024 [0] >u8:1024,1024
aten::flip.out u8:64,128,128 [0,1,2] >u8:64,128,128
aten::roll.out u8:1024,1024 [3] [0] >u8:1024,1024
aten::roll.out u8:262144,4 [1] [1] >u8:262144,4
aten::split_copy.Tensor_out u8:1024,1024 512 1 {>u8:1024,512 >u8:1024,512}
aten::split_with_sizes_copy.out u8:262144,4 [1,3] 1 {>u8:262144,1 >u8:262144,3}
aten::unbind_copy.int_out u8:1024,1024,2 2 {>u8:1024,1024 >u8:1024,1024}
aten::constant_pad_nd.out u8:262144,3 [0,1] 1 >u8:262144,4
aten::constant_pad_nd.out u8:1000,1000 [0,24,0,24] 0 >u8:1024,1024
aten::tril.out u8:64,128,128 0 >u8:64,128,128
aten::unfold_copy.out u8:1024,1024 0 8 8 >u8:128,1024,8
aten::clone.out u8:1024,1024 none >u8:1024,1024
aten::pixel_shuffle.out u8:1,256,64,64 4 >u8:1,16,256,256
aten::pixel_unshuffle.out u8:1,16,256,256 4 >u8:1,256,64,64
aten::copy.out u8:1024,1024 u8:1024 false >u8:1024,1024
aten::fill.Scalar_out u8:1024,1024 2 >u8:1024,1024
aten::full.out [1024,1024] 2 >u8:1024,1024
aten::permute_copy.out f16:1024,1024 [1,0] >f16:1024,1024
aten::permute_copy.out f16:8,64,64,32 [0,2,3,1] >f16:8,64,32,64
aten::permute_copy.out f16:8,64,64,32 [0,3,1,2] >f16:8,32,64,64
aten::permute_copy.out f16:8,64,64,32 [0,2,1,3] >f16:8,64,64,32
aten::permute_copy.out f16:8,64,64,32 [3,2,1,0] >f16:32,64,64,8
aten::transpose_copy.int_out f16:8,64,64,32 1 2 >f16:8,64,64,32
aten::transpose_copy.int_out f16:262144,4 0 1 >f16:4,262144
aten::transpose_copy.int_out f16:4,262144 0 1 >f16:262144,4
aten::cat.out {f16:512,1024 f16:512,1024} 0 >f16:1024,1024
aten::cat.out {f16:262144,2 f16:262144,2} 1 >f16:262144,4
aten::cat.out {f16:8,32,64,32 f16:8,32,64,32} 1 >f16:8,64,64,32
aten::stack.out {f16:1024,1024 f16:1024,1024} 2 >f16:1024,1024,2
aten::stack.out {f16:512,1024 f16:512,1024} 1 >f16:512,2,1024
aten::repeat.out f16:1024,1 [1,1024] >f16:1024,1024
aten::repeat.out f16:1024,16 [2,64] >f16:2048,1024
aten::repeat.out f16:1,4 [262144,1] >f16:262144,4
aten::expand_copy.out f16:1024,1 [1024,1024] false >f16:1024,1024
aten::expand_copy.out f16:64,1,128 [64,128,128] false >f16:64,128,128
aten::expand_copy.out f16:262144,1 [262144,4] false >f16:262144,4
aten::slice_copy.Tensor_out f16:1024,1024 0 0 1024 2 >f16:512,1024
aten::slice_copy.Tensor_out f16:262144,8 1 1 5 1 >f16:262144,4
aten::select_copy.int_out f16:1024,1024,2 2 1 >f16:1024,1024
aten::select_copy.int_out f16:2,1024,1024 0 1 >f16:1024,1024
aten::flip.out f16:1024,1024 [0] >f16:1024,1024
aten::flip.out f16:64,128,128 [0,1,2] >f16:64,128,128
aten::roll.out f16:1024,1024 [3] [0] >f16:1024,1024
aten::roll.out f16:262144,4 [1] [1] >f16:262144,4
aten::split_copy.Tensor_out f16:1024,1024 512 1 {>f16:1024,512 >f16:1024,512}
aten::split_with_sizes_copy.out f16:262144,4 [1,3] 1 {>f16:262144,1 >f16:262144,3}
aten::unbind_copy.int_out f16:1024,1024,2 2 {>f16:1024,1024 >f16:1024,1024}
aten::constant_pad_nd.out f16:262144,3 [0,1] 1 >f16:262144,4
aten::constant_pad_nd.out f16:1000,1000 [0,24,0,24] 0 >f16:1024,1024
aten::tril.out f16:64,128,128 0 >f16:64,128,128
aten::unfold_copy.out f16:1024,1024 0 8 8 >f16:128,1024,8
aten::clone.out f16:1024,1024 none >f16:1024,1024
aten::pixel_shuffle.out f16:1,256,64,64 4 >f16:1,16,256,256
aten::pixel_unshuffle.out f16:1,16,256,256 4 >f16:1,256,64,64
aten::copy.out f16:1024,1024 f16:1024 false >f16:1024,1024
aten::fill.Scalar_out f16:1024,1024 2 >f16:1024,1024
aten::full.out [1024,1024] 2 >f16:1024,1024
aten::permute_copy.out i64:1024,1024 [1,0] >i64:1024,1024
aten::permute_copy.out i64:8,64,64,32 [0,2,3,1] >i64:8,64,32,64
aten::permute_copy.out i64:8,64,64,32 [0,3,1,2] >i64:8,32,64,64
aten::permute_copy.out i64:8,64,64,32 [0,2,1,3] >i64:8,64,64,32
aten::permute_copy.out i64:8,64,64,32 [3,2,1,0] >i64:32,64,64,8
aten::transpose_copy.int_out i64:8,64,64,32 1 2 >i64:8,64,64,32
aten::transpose_copy.int_out i64:262144,4 0 1 >i64:4,262144
aten::transpose_copy.int_out i64:4,262144 0 1 >i64:262144,4
aten::cat.out {i64:512,1024 i64:512,1024} 0 >i64:1024,1024
aten::cat.out {i64:262144,2 i64:262144,2} 1 >i64:262144,4
aten::cat.out {i64:8,32,64,32 i64:8,32,64,32} 1 >i64:8,64,64,32
aten::stack.out {i64:1024,1024 i64:1024,1024} 2 >i64:1024,1024,2
aten::stack.out {i64:512,1024 i64:512,1024} 1 >i64:512,2,1024
aten::repeat.out i64:1024,1 [1,1024] >i64:1024,1024
aten::repeat.out i64:1024,16 [2,64] >i64:2048,1024
aten::repeat.out i64:1,4 [262144,1] >i64:262144,4
aten::expand_copy.out i64:1024,1 [1024,1024] false >i64:1024,1024
aten::expand_copy.out i64:64,1,128 [64,128,128] false >i64:64,128,128
aten::expand_copy.out i64:262144,1 [262144,4] false >i64:262144,4
aten::slice_copy.Tensor_out i64:1024,1024 0 0 1024 2 >i64:512,1024
aten::slice_copy.Tensor_out i64:262144,8 1 1 5 1 >i64:262144,4
aten::select_copy.int_out i64:1024,1024,2 2 1 >i64:1024,1024
aten::select_copy.int_out i64:2,1024,1024 0 1 >i64:1024,1024
aten::flip.out i64:1024,1024 [0] >i64:1024,1024
aten::flip.out i64:64,128,128 [0,1,2] >i64:64,128,128
aten::roll.out i64:1024,1024 [3] [0] >i64:1024,1024
aten::roll.out i64:262144,4 [1] [1] >i64:262144,4
aten::split_copy.Tensor_out i64:1024,1024 512 1 {>i64:1024,512 >i64:1024,512}
aten::split_with_sizes_copy.out i64:262144,4 [1,3] 1 {>i64:262144,1 >i64:262144,3}
aten::unbind_copy.int_out i64:1024,1024,2 2 {>i64:1024,1024 >i64:1024,1024}
aten::constant_pad_nd.out i64:262144,3 [0,1] 1 >i64:262144,4
aten::constant_pad_nd.out i64:1000,1000 [0,24,0,24] 0 >i64:1024,1024
aten::tril.out i64:64,128,128 0 >i64:64,128,128
aten::unfold_copy.out i64:1024,1024 0 8 8 >i64:128,1024,8
aten::clone.out i64:1024,1024 none >i64:1024,1024
aten::pixel_shuffle.out i64:1,256,64,64 4 >i64:1,16,256,256
aten::pixel_unshuffle.out i64:1,16,256,256 4 >i64:1,256,64,64
aten::copy.out i64:1024,1024 i64:1024 false >i64:1024,1024
aten::fill.Scalar_out i64:1024,1024 2 >i64:1024,1024
aten::full.out [1024,1024] 2 >i64:1024,1024
aten::diagonal_copy.out f32:64,1024,64 0 0 2 >f32:1024,64
aten::view_as_real_copy.out c64:1024,1024 >f32:1024,1024,2
aten::_conj_physical.out c64:1024,1024 >c64:1024,1024
dim_order_ops::_to_dim_order_copy.out f32:8,64,64,32 false [0,2,3,1] >f32:8,64,64,32^0231
dim_order_ops::_to_dim_order_copy.out f32:8,64,64,32^0231 false [0,1,2,3] >f32:8,64,64,32
dim_order_ops::_clone_dim_order.out f32:8,64,64,32^0231 false [0,2,3,1] >f32:8,64,64,32^0231
dim_order_ops::_clone_dim_order.out f32:1,3,512,512 false [0,2,3,1] >f32:1,3,512,512^0231
aten::cat.out {f32:8,32,64,32^0231 f32:8,32,64,32^0231} 1 >f32:8,64,64,32^0231
aten::slice_copy.Tensor_out f32:8,64,64,32^0231 1 0 32 1 >f32:8,32,64,32^0231
aten::permute_copy.out f32:8,64,64,32 [0,1,3,2] >f32:8,64,32,64
aten::constant_pad_nd.out f32:8,64,62,30^0231 [1,1,1,1] 0 >f32:8,64,64,32^0231
# casts
dim_order_ops::_to_dim_order_copy.out f32:1024,1024 false [0,1] >f64:1024,1024
dim_order_ops::_to_dim_order_copy.out f32:1024,1024 false [0,1] >f16:1024,1024
dim_order_ops::_to_dim_order_copy.out f32:1024,1024 false [0,1] >bf16:1024,1024
dim_order_ops::_to_dim_order_copy.out f32:1024,1024 false [0,1] >i64:1024,1024
dim_order_ops::_to_dim_order_copy.out f32:1024,1024 false [0,1] >i32:1024,1024
dim_order_ops::_to_dim_order_copy.out f32:1024,1024 false [0,1] >u8:1024,1024
dim_order_ops::_to_dim_order_copy.out f32:1024,1024 false [0,1] >bool:1024,1024
dim_order_ops::_to_dim_order_copy.out f64:1024,1024 false [0,1] >f32:1024,1024
dim_order_ops::_to_dim_order_copy.out f64:1024,1024 false [0,1] >f16:1024,1024
dim_order_ops::_to_dim_order_copy.out f64:1024,1024 false [0,1] >bf16:1024,1024
dim_order_ops::_to_dim_order_copy.out f64:1024,1024 false [0,1] >i64:1024,1024
dim_order_ops::_to_dim_order_copy.out f64:1024,1024 false [0,1] >i32:1024,1024
dim_order_ops::_to_dim_order_copy.out f64:1024,1024 false [0,1] >u8:1024,1024
dim_order_ops::_to_dim_order_copy.out f64:1024,1024 false [0,1] >bool:1024,1024
dim_order_ops::_to_dim_order_copy.out f16:1024,1024 false [0,1] >f32:1024,1024
dim_order_ops::_to_dim_order_copy.out f16:1024,1024 false [0,1] >f64:1024,1024
dim_order_ops::_to_dim_order_copy.out f16:1024,1024 false [0,1] >bf16:1024,1024
dim_order_ops::_to_dim_order_copy.out f16:1024,1024 false [0,1] >i64:1024,1024
dim_order_ops::_to_dim_order_copy.out f16:1024,1024 false [0,1] >i32:1024,1024
dim_order_ops::_to_dim_order_copy.out f16:1024,1024 false [0,1] >u8:1024,1024
dim_order_ops::_to_dim_order_copy.out f16:1024,1024 false [0,1] >bool:1024,1024
dim_order_ops::_to_dim_order_copy.out bf16:1024,1024 false [0,1] >f32:1024,1024
dim_order_ops::_to_dim_order_copy.out bf16:1024,1024 false [0,1] >f64:1024,1024
dim_order_ops::_to_dim_order_copy.out bf16:1024,1024 false [0,1] >f16:1024,1024
dim_order_ops::_to_dim_order_copy.out bf16:1024,1024 false [0,1] >i64:1024,1024
dim_order_ops::_to_dim_order_copy.out bf16:1024,1024 false [0,1] >i32:1024,1024
dim_order_ops::_to_dim_order_copy.out bf16:1024,1024 false [0,1] >u8:1024,1024
dim_order_ops::_to_dim_order_copy.out bf16:1024,1024 false [0,1] >bool:1024,1024
dim_order_ops::_to_dim_order_copy.out i64:1024,1024 false [0,1] >f32:1024,1024
dim_order_ops::_to_dim_order_copy.out i64:1024,1024 false [0,1] >f64:1024,1024
dim_order_ops::_to_dim_order_copy.out i64:1024,1024 false [0,1] >f16:1024,1024
dim_order_ops::_to_dim_order_copy.out i64:1024,1024 false [0,1] >bf16:1024,1024
dim_order_ops::_to_dim_order_copy.out i64:1024,1024 false [0,1] >i32:1024,1024
dim_order_ops::_to_dim_order_copy.out i64:1024,1024 false [0,1] >u8:1024,1024
dim_order_ops::_to_dim_order_copy.out i64:1024,1024 false [0,1] >bool:1024,1024
dim_order_ops::_to_dim_order_copy.out i32:1024,1024 false [0,1] >f32:1024,1024
dim_order_ops::_to_dim_order_copy.out i32:1024,1024 false [0,1] >f64:1024,1024
dim_order_ops::_to_dim_order_copy.out i32:1024,1024 false [0,1] >f16:1024,1024
dim_order_ops::_to_dim_order_copy.out i32:1024,1024 false [0,1] >bf16:1024,1024
dim_order_ops::_to_dim_order_copy.out i32:1024,1024 false [0,1] >i64:1024,1024
dim_order_ops::_to_dim_order_copy.out i32:1024,1024 false [0,1] >u8:1024,1024
dim_order_ops::_to_dim_order_copy.out i32:1024,1024 false [0,1] >bool:1024,1024
dim_order_ops::_to_dim_order_copy.out u8:1024,1024 false [0,1] >f32:1024,1024
dim_order_ops::_to_dim_order_copy.out u8:1024,1024 false [0,1] >f64:1024,1024
dim_order_ops::_to_dim_order_copy.out u8:1024,1024 false [0,1] >f16:1024,1024
dim_order_ops::_to_dim_order_copy.out u8:1024,1024 false [0,1] >bf16:1024,1024
dim_order_ops::_to_dim_order_copy.out u8:1024,1024 false [0,1] >i64:1024,1024
dim_order_ops::_to_dim_order_copy.out u8:1024,1024 false [0,1] >i32:1024,1024
dim_order_ops::_to_dim_order_copy.out u8:1024,1024 false [0,1] >bool:1024,1024
dim_order_ops::_to_dim_order_copy.out bool:1024,1024 false [0,1] >f32:1024,1024
dim_order_ops::_to_dim_order_copy.out bool:1024,1024 false [0,1] >f64:1024,1024
dim_order_ops::_to_dim_order_copy.out bool:1024,1024 false [0,1] >f16:1024,1024
dim_order_ops::_to_dim_order_copy.out bool:1024,1024 false [0,1] >bf16:1024,1024
dim_order_ops::_to_dim_order_copy.out bool:1024,1024 false [0,1] >i64:1024,1024
dim_order_ops::_to_dim_order_copy.out bool:1024,1024 false [0,1] >i32:1024,1024
dim_order_ops::_to_dim_order_copy.out bool:1024,1024 false [0,1] >u8:1024,1024
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
aten::embedding.out f32:32768,32 i64:32768%32768 -1 false false >f32:32768,32
aten::embedding.out f32:65536,4 i32:262144%65536 -1 false false >f32:262144,4
aten::index.Tensor_out f32:1024,1024 (none i64:1024%1024) >f32:1024,1024
aten::index.Tensor_out f32:1024,1024 (i64:1048576%1024 i64:1048576%1024) >f32:1048576
aten::index.Tensor_out f32:1024,1024 (bool:1024) >f32:1024,1024
aten::index_put.out f32:1024,1024 (i64:1048576%1024 i64:1048576%1024) f32:1048576 false >f32:1024,1024
aten::index_put.out f32:1024,1024 (i64:1024%1024) f32: true >f32:1024,1024
aten::index_select.out f32:1024,1024 0 i64:1024%1024 >f32:1024,1024
aten::index_select.out f32:4,1024,1024 2 i32:1024%1024 >f32:4,1024,1024
aten::gather.out f32:1024,1024 0 i64:1024,1024%1024 false >f32:1024,1024
aten::scatter.src_out f32:1024,1024 0 i64:1024,1024%1024 f32:1024,1024 >f32:1024,1024
aten::scatter_add.out f32:1024,1024 0 i64:1024,1024%1024 f32:1024,1024 >f32:1024,1024
aten::select_scatter.out f32:2,512,1024 f32:512,1024 0 1 >f32:2,512,1024
aten::slice_scatter.out f32:1024,1024 f32:512,1024 0 0 512 1 >f32:1024,1024
aten::nonzero.out f32:1048576 >i64:1048576,1
aten::embedding.out i64:32768,32 i64:32768%32768 -1 false false >i64:32768,32
aten::embedding.out i64:65536,4 i32:262144%65536 -1 false false >i64:262144,4
aten::index.Tensor_out i64:1024,1024 (none i64:1024%1024) >i64:1024,1024
aten::index.Tensor_out i64:1024,1024 (i64:1048576%1024 i64:1048576%1024) >i64:1048576
aten::index.Tensor_out i64:1024,1024 (bool:1024) >i64:1024,1024
aten::index_put.out i64:1024,1024 (i64:1048576%1024 i64:1048576%1024) i64:1048576 false >i64:1024,1024
aten::index_put.out i64:1024,1024 (i64:1024%1024) i64: true >i64:1024,1024
aten::index_select.out i64:1024,1024 0 i64:1024%1024 >i64:1024,1024
aten::index_select.out i64:4,1024,1024 2 i32:1024%1024 >i64:4,1024,1024
aten::gather.out i64:1024,1024 0 i64:1024,1024%1024 false >i64:1024,1024
aten::scatter.src_out i64:1024,1024 0 i64:1024,1024%1024 i64:1024,1024 >i64:1024,1024
aten::scatter_add.out i64:1024,1024 0 i64:1024,1024%1024 i64:1024,1024 >i64:1024,1024
aten::select_scatter.out i64:2,512,1024 i64:512,1024 0 1 >i64:2,512,1024
aten::slice_scatter.out i64:1024,1024 i64:512,1024 0 0 512 1 >i64:1024,1024
aten::nonzero.out i64:1048576 >i64:1048576,1
aten::embedding.out u8:32768,32 i64:32768%32768 -1 false false >u8:32768,32
aten::embedding.out u8:65536,4 i32:262144%65536 -1 false false >u8:262144,4
aten::index.Tensor_out u8:1024,1024 (none i64:1024%1024) >u8:1024,1024
aten::index.Tensor_out u8:1024,1024 (i64:1048576%1024 i64:1048576%1024) >u8:1048576
aten::index.Tensor_out u8:1024,1024 (bool:1024) >u8:1024,1024
aten::index_put.out u8:1024,1024 (i64:1048576%1024 i64:1048576%1024) u8:1048576 false >u8:1024,1024
aten::index_put.out u8:1024,1024 (i64:1024%1024) u8: true >u8:1024,1024
aten::index_select.out u8:1024,1024 0 i64:1024%1024 >u8:1024,1024
aten::index_select.out u8:4,1024,1024 2 i32:1024%1024 >u8:4,1024,1024
aten::gather.out u8:1024,1024 0 i64:1024,1024%1024 false >u8:1024,1024
aten::scatter.src_out u8:1024,1024 0 i64:1024,1024%1024 u8:1024,1024 >u8:1024,1024
aten::scatter_add.out u8:1024,1024 0 i64:1024,1024%1024 u8:1024,1024 >u8:1024,1024
aten::select_scatter.out u8:2,512,1024 u8:512,1024 0 1 >u8:2,512,1024
aten::slice_scatter.out u8:1024,1024 u8:512,1024 0 0 512 1 >u8:1024,1024
aten::nonzero.out u8:1048576 >i64:1048576,1
aten::embedding.out f16:32768,32 i64:32768%32768 -1 false false >f16:32768,32
aten::embedding.out f16:65536,4 i32:262144%65536 -1 false false >f16:262144,4
aten::index.Tensor_out f16:1024,1024 (none i64:1024%1024) >f16:1024,1024
aten::index.Tensor_out f16:1024,1024 (i64:1048576%1024 i64:1048576%1024) >f16:1048576
aten::index.Tensor_out f16:1024,1024 (bool:1024) >f16:1024,1024
aten::index_put.out f16:1024,1024 (i64:1048576%1024 i64:1048576%1024) f16:1048576 false >f16:1024,1024
aten::index_put.out f16:1024,1024 (i64:1024%1024) f16: true >f16:1024,1024
aten::index_select.out f16:1024,1024 0 i64:1024%1024 >f16:1024,1024
aten::index_select.out f16:4,1024,1024 2 i32:1024%1024 >f16:4,1024,1024
aten::gather.out f16:1024,1024 0 i64:1024,1024%1024 false >f16:1024,1024
aten::scatter.src_out f16:1024,1024 0 i64:1024,1024%1024 f16:1024,1024 >f16:1024,1024
aten::scatter_add.out f16:1024,1024 0 i64:1024,1024%1024 f16:1024,1024 >f16:1024,1024
aten::select_scatter.out f16:2,512,1024 f16:512,1024 0 1 >f16:2,512,1024
aten::slice_scatter.out f16:1024,1024 f16:512,1024 0 0 512 1 >f16:1024,1024
aten::nonzero.out f16:1048576 >i64:1048576,1
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
