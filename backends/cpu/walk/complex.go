package walk

import (
	"github.com/ptero-rt/ptero/backends/cpu/arg"
	"github.com/ptero-rt/ptero/executor"
)

// PartOf is the type of the two parts of complex numbers of type d; d itself for other types.
func PartOf(d executor.DType) executor.DType {
	switch d {
	case arg.C32:
		return arg.F16
	case arg.C64:
		return arg.F32
	case arg.C128:
		return arg.F64
	}
	return d
}

// fromComplex converts complex numbers. As in PyTorch, those that are not 0 are true, and of other real types is the real part.
func fromComplex(from, to executor.DType) Load {
	if to == arg.Bool {
		switch from {
		case arg.C32:
			return eitherPart[uint16]
		case arg.C64:
			return eitherPart[uint32]
		}
		return eitherPart[uint64]
	}
	load := Loader(PartOf(from), PartOf(to))
	switch {
	case load == nil:
		return nil
	case !arg.Complex.Has(to):
		return func(dst, src []byte, off, stride, n int) { load(dst, src, 2*off, 2*stride, n) }
	}
	size := to.Size()
	return func(dst, src []byte, off, stride, n int) {
		if stride == 1 {
			load(dst, src, 2*off, 1, 2*n)
			return
		}
		for i := range n {
			load(dst[i*size:], src, 2*(off+i*stride), 1, 2)
		}
	}
}

// eitherPart looks at the bits of the parts but their signs.
func eitherPart[T uint16 | uint32 | uint64](dst, src []byte, off, stride, n int) {
	s := executor.SliceBytes[T](src)
	for i := range dst[:n] {
		dst[i] = truth((s[2*off]|s[2*off+1])<<1 != 0)
		off += stride
	}
}

// toComplex converts real numbers.
func toComplex(from, to executor.DType) Load {
	load := Loader(from, PartOf(to))
	switch {
	case load == nil:
		return nil
	case to == arg.C32:
		return withoutImaginary[uint16](load)
	case to == arg.C64:
		return withoutImaginary[float32](load)
	}
	return withoutImaginary[float64](load)
}

// withoutImaginary makes complex numbers of the real ones that load writes to the beginning of dst.
func withoutImaginary[T executor.Element](load Load) Load {
	return func(dst, src []byte, off, stride, n int) {
		load(dst, src, off, stride, n)
		var zero T
		d := executor.SliceBytes[T](dst)[:2*n]
		for i := n - 1; i >= 0; i-- {
			d[2*i], d[2*i+1] = d[i], zero
		}
	}
}

// Halves gives the complex number of two halves whose parts are what f makes of the parts of a and b, each rounded.
func Halves(a, b uint32, f func(x, y float32) float32) uint32 {
	part := func(shift int) uint32 {
		return uint32(F32ToF16(f(F16ToF32(uint16(a>>shift)), F16ToF32(uint16(b>>shift))))) << shift
	}
	return part(0) | part(16)
}
