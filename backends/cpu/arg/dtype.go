package arg

import (
	"strings"

	"github.com/ptero-rt/ptero/executor"
	"github.com/ptero-rt/ptero/internal/fault"
)

// Element types by their short names; the numbers are ExecuTorch's.
const (
	U8   executor.DType = 0
	I8   executor.DType = 1
	I16  executor.DType = 2
	I32  executor.DType = 3
	I64  executor.DType = 4
	F16  executor.DType = 5
	F32  executor.DType = 6
	F64  executor.DType = 7
	C32  executor.DType = 8 // complex of two f16
	C64  executor.DType = 9
	C128 executor.DType = 10
	Bool executor.DType = 11
	BF16 executor.DType = 15
	U16  executor.DType = 27
	U32  executor.DType = 28
	U64  executor.DType = 29
)

// Set is a set of element types.
type Set uint32

// Of makes a set.
func Of(list ...executor.DType) Set {
	var s Set
	for _, d := range list {
		s |= 1 << uint(d)
	}
	return s
}

// The sets that operators name: see kernel registration macros of ExecuTorch (REALHBBF16 and so on).
var (
	Signed      = Of(I8, I16, I32, I64)
	Unsigned    = Of(U8, U16, U32, U64)
	Integers    = Signed | Unsigned
	IntBool     = Integers | Of(Bool)
	Floats      = Of(F16, BF16, F32, F64)
	Complex     = Of(C32, C64, C128)
	WideComplex = Of(C64, C128) // complex numbers that are computed with
	Real        = Integers | Floats
	RealBool    = Real | Of(Bool)
	Any         = Set(1<<30 - 1)
)

// Has says whether d is in the set.
func (s Set) Has(d executor.DType) bool { return d >= 0 && d < 32 && s&(1<<uint(d)) != 0 }

func (s Set) String() string {
	var names []string
	for d := executor.DType(0); d < 30; d++ {
		if s.Has(d) {
			names = append(names, d.String())
		}
	}
	return strings.Join(names, ", ")
}

// IsHalf says whether d is one of the 16-bit float types, whose arithmetic is done in f32.
func IsHalf(d executor.DType) bool { return d == F16 || d == BF16 }

// Compute is the type in which values of d are computed: f32 for the 16-bit floats, c64 for their complex, else d.
func Compute(d executor.DType) executor.DType {
	switch d {
	case F16, BF16:
		return F32
	case C32:
		return C64
	}
	return d
}

// NoConversion is the error for values that do not convert: of a type that operators do not know, or complex where a result would lose its imaginary part.
func NoConversion(from, to executor.DType) error {
	return fault.New(fault.InvalidArgument, "", "a type that converts to "+to.String(), from.String())
}
