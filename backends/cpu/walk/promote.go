package walk

import (
	"github.com/ptero-rt/ptero/backends/cpu/arg"
	"github.com/ptero-rt/ptero/executor"
)

// Promote gives PyTorch's common type of two types.
//
// Source: pytorch c10/core/ScalarType.cpp, promoteTypes; runtime/core/exec_aten/util/scalar_type_util.h at cff6f4dd.
func Promote(a, b executor.DType) executor.DType {
	if a == b {
		return a
	}
	ca, cb := category(a), category(b)
	if ca > cb {
		a, b, ca, cb = b, a, cb, ca
	}
	// Now b is of the higher or the same category.
	switch {
	case cb == complexes:
		return complexFor(a, b, ca)
	case ca < cb:
		return b
	case cb == floats:
		return widerFloat(a, b)
	}
	return widerInt(a, b)
}

// Categories, lowest first: a value of a higher one decides the type.
const (
	bools = iota
	integers
	floats
	complexes
)

func category(d executor.DType) int {
	switch {
	case d == arg.Bool:
		return bools
	case arg.Floats.Has(d):
		return floats
	case arg.Complex.Has(d):
		return complexes
	}
	return integers
}

func widerFloat(a, b executor.DType) executor.DType {
	switch {
	case a == arg.F64 || b == arg.F64:
		return arg.F64
	case a != b:
		return arg.F32
	}
	return a
}

func widerInt(a, b executor.DType) executor.DType {
	if a.Size() < b.Size() {
		a, b = b, a
	}
	if arg.Signed.Has(a) == arg.Signed.Has(b) || arg.Signed.Has(a) && a.Size() > b.Size() {
		return a
	}
	// A signed and an unsigned type, the unsigned one at least as wide.
	switch max(a.Size(), b.Size()) {
	case 1:
		return arg.I16
	case 2:
		return arg.I32
	}
	return arg.I64
}

// complexFor is the common type of a complex type b and a type a of category ca.
func complexFor(a, b executor.DType, ca int) executor.DType {
	switch ca {
	case complexes:
		return complexOf(widerFloat(PartOf(a), PartOf(b)))
	case floats:
		return complexOf(widerFloat(a, PartOf(b)))
	}
	return b
}

// complexOf is the type of complex numbers that hold floats of type d.
func complexOf(d executor.DType) executor.DType {
	switch d {
	case arg.F16:
		return arg.C32
	case arg.F64:
		return arg.C128
	}
	return arg.C64
}

// Mix finds the common type of an operator's operands by PyTorch's rule: tensors with dimensions decide; a rank-0 tensor
// counts only if its category (bool, integer, float, complex) is higher, and a plain number only if its category is
// higher than both. Beside floats a complex number of rank 0 gives complex numbers of such parts.
//
// Source: pytorch aten/src/ATen/native/TypeProperties.cpp, result_type.
type Mix struct {
	dims, zero, number executor.DType
	set                [3]bool
}

// Tensor adds a tensor of a type and rank.
func (m *Mix) Tensor(d executor.DType, rank int) {
	if rank > 0 {
		m.add(0, &m.dims, d)
	} else {
		m.add(1, &m.zero, d)
	}
}

// Number adds a scalar argument.
func (m *Mix) Number(s arg.Scalar) {
	d := s.DType()
	if d == arg.F64 {
		d = arg.F32 // the default float type
	}
	m.add(2, &m.number, d)
}

func (m *Mix) add(i int, have *executor.DType, d executor.DType) {
	if m.set[i] {
		d = Promote(*have, d)
	}
	*have, m.set[i] = d, true
}

// Result is the common type.
func (m *Mix) Result() executor.DType {
	d, ok := m.dims, m.set[0]
	for i, next := range [...]executor.DType{m.zero, m.number} {
		switch {
		case !m.set[i+1]:
		case !ok:
			d, ok = next, true
		case category(next) > category(d):
			if category(next) == complexes && category(d) == floats {
				next = complexOf(d)
			}
			d = next
		}
	}
	return d
}

// CanCast says whether a result of one type may be stored in an output of another: no complex to real, float to integer
// or number to bool.
func CanCast(from, to executor.DType) bool {
	return category(from) <= category(to)
}
