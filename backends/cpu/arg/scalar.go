package arg

import (
	"fmt"
	"math"

	"github.com/ptero-rt/ptero/executor"
)

// Scalar is a number argument that kept its tag, which type promotion needs.
type Scalar struct {
	Kind executor.Kind // KindInt, KindDouble or KindBool
	I    int64         // for ints and bools
	F    float64       // for doubles
}

// Float gives the number as a float64.
func (s Scalar) Float() float64 {
	if s.Kind == executor.KindDouble {
		return s.F
	}
	return float64(s.I)
}

// Int gives the number as an int64; doubles are truncated, out of range gives the smallest int64.
func (s Scalar) Int() int64 {
	if s.Kind == executor.KindDouble {
		return Truncate(s.F)
	}
	return s.I
}

// DType is the type that the scalar has by itself: bool, i64 or f64.
func (s Scalar) DType() executor.DType {
	switch s.Kind {
	case executor.KindBool:
		return Bool
	case executor.KindDouble:
		return F64
	}
	return I64
}

func (s Scalar) String() string {
	switch s.Kind {
	case executor.KindBool:
		return fmt.Sprint(s.I != 0)
	case executor.KindDouble:
		return fmt.Sprint(s.F)
	}
	return fmt.Sprint(s.I)
}

// Fits says whether the number can be stored in d without overflow, as PyTorch checks a Scalar's conversion: floats may
// be infinite or NaN, integers must lie in range (for unsigned types the negative of one in range is accepted too), and
// so must doubles, whose fraction is cut off.
func (s Scalar) Fits(d executor.DType) bool {
	if d == Bool || Floats.Has(d) || Complex.Has(d) {
		limit := math.MaxFloat64
		switch d {
		case F32, C64:
			limit = math.MaxFloat32
		case F16, C32:
			limit = 65504
		case BF16:
			limit = 3.3895313892515355e38
		}
		f := s.Float()
		return d == Bool || math.IsInf(f, 0) || math.IsNaN(f) || math.Abs(f) <= limit
	}
	bits := 8 * d.Size()
	lo, hi := -math.Ldexp(1, bits-1), math.Ldexp(1, bits-1)
	if Unsigned.Has(d) {
		lo, hi = 0, math.Ldexp(1, bits)
	}
	if s.Kind == executor.KindDouble {
		return s.F >= lo && s.F < hi
	}
	if Unsigned.Has(d) {
		lo = 1 - hi
	}
	return d == I64 || d == U64 || float64(s.I) >= lo && float64(s.I) < hi
}

// Truncate converts a float to an int64 the same way on every machine: towards zero; NaN and what does not fit give the
// smallest int64, as x86 does and PyTorch's recorded results show.
func Truncate(f float64) int64 {
	if f >= -9223372036854775808 && f < 9223372036854775808 {
		return int64(f)
	}
	return math.MinInt64
}
