package pte

import "fmt"

// DType is ExecuTorch's scalar type number.
//
// Source: pytorch/executorch schema/scalar_type.fbs and runtime/core/portable_type/scalar_type.h at cff6f4dd.
type DType int8

// Scalar types. Those without a place in the file's schema (complex, Bits) exist in the runtime only.
const (
	Byte           DType = 0 // u8
	Char           DType = 1 // i8
	Short          DType = 2
	Int            DType = 3
	Long           DType = 4
	Half           DType = 5
	Float          DType = 6
	Double         DType = 7
	ComplexHalf    DType = 8
	ComplexFloat   DType = 9
	ComplexDouble  DType = 10
	Bool           DType = 11
	QInt8          DType = 12
	QUInt8         DType = 13
	QInt32         DType = 14
	BFloat16       DType = 15
	QUInt4x2       DType = 16
	QUInt2x4       DType = 17
	Bits1x8        DType = 18
	Bits2x4        DType = 19
	Bits4x2        DType = 20
	Bits8          DType = 21
	Bits16         DType = 22
	Float8E5M2     DType = 23
	Float8E4M3FN   DType = 24
	Float8E5M2FNUZ DType = 25
	Float8E4M3FNUZ DType = 26
	UInt16         DType = 27
	UInt32         DType = 28
	UInt64         DType = 29
)

var dtypes = [...]struct {
	name string
	size uint8
}{
	{"uint8", 1}, {"int8", 1}, {"int16", 2}, {"int32", 4}, {"int64", 8}, {"float16", 2}, {"float32", 4}, {"float64", 8},
	{"complex32", 4}, {"complex64", 8}, {"complex128", 16}, {"bool", 1}, {"qint8", 1}, {"quint8", 1}, {"qint32", 4},
	{"bfloat16", 2}, {"quint4x2", 1}, {"quint2x4", 1}, {"bits1x8", 1}, {"bits2x4", 1}, {"bits4x2", 1}, {"bits8", 1},
	{"bits16", 2}, {"float8_e5m2", 1}, {"float8_e4m3fn", 1}, {"float8_e5m2fnuz", 1}, {"float8_e4m3fnuz", 1},
	{"uint16", 2}, {"uint32", 4}, {"uint64", 8},
}

// Valid says whether the number names a type.
func (d DType) Valid() bool { return d >= 0 && int(d) < len(dtypes) }

// Size is the number of bytes of one element; 0 for an invalid type.
func (d DType) Size() int {
	if !d.Valid() {
		return 0
	}
	return int(dtypes[d].size)
}

// String gives PyTorch's name of the type.
func (d DType) String() string {
	if !d.Valid() {
		return fmt.Sprintf("dtype(%d)", int8(d))
	}
	return dtypes[d].name
}
