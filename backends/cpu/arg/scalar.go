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
// be infinite or NaN, integers must lie in range (for unsigned types the negative of a value in range is accepted too),
// a double must not lose its fraction's integer part range.
func (s Scalar) Fits(d executor.DType) bool {
	if d == Bool || Floats.Has(d) || Complex.Has(d) {
		limit := math.MaxFloat64
		switch d {
		case F32:
			limit = math.MaxFloat32
		case F16:
			limit = 65504
		case BF16:
			limit = 3.3895313892515355e38
		}
		f := s.Float()
		return d == Bool || math.IsInf(f, 0) || math.IsNaN(f) || math.Abs(f) <= limit
	}
	lo, hi := intRange(d)
	if s.Kind == executor.KindDouble {
		return s.F >= lo && s.F <= hi
	}
	if d == I64 || d == U64 {
		return true
	}
	return float64(s.I) >= lo && float64(s.I) <= hi
}

func intRange(d executor.DType) (lo, hi float64) {
	bits := 8 * d.Size()
	if Unsigned.Has(d) {
		return -(math.Ldexp(1, bits) - 1), math.Ldexp(1, bits) - 1
	}
	return -math.Ldexp(1, bits-1), math.Nextafter(math.Ldexp(1, bits-1), 0)
}

// Truncate converts a float to an int64 the same way on every machine: towards zero; NaN and what does not fit give the
// smallest int64, as x86 does and PyTorch's recorded results show.
func Truncate(f float64) int64 {
	if f >= -9223372036854775808 && f < 9223372036854775808 {
		return int64(f)
	}
	return math.MinInt64
}
