package cpu

import (
	"github.com/ptero-rt/ptero/backends/cpu/walk"
	"github.com/ptero-rt/ptero/executor"
)

// Types that families are written over.
type (
	signed interface {
		~int8 | ~int16 | ~int32 | ~int64
	}
	integer  interface{ signed | ~uint8 }
	float    interface{ ~float32 | ~float64 }
	arith    interface{ integer | float }
	complexN interface{ ~complex64 | ~complex128 }
)

// one, two and three give the operands of a kernel as elements, all as long as the output.
func one[R, T executor.Element](dst, a []byte) (y []R, x []T) {
	y = executor.SliceBytes[R](dst)
	return y, executor.SliceBytes[T](a)[:len(y)]
}

func two[R, T executor.Element](dst, a, b []byte) (y []R, x, z []T) {
	y = executor.SliceBytes[R](dst)
	return y, executor.SliceBytes[T](a)[:len(y)], executor.SliceBytes[T](b)[:len(y)]
}

func three[R, T executor.Element](dst, a, b, c []byte) (y []R, x, z, w []T) {
	y = executor.SliceBytes[R](dst)
	return y, executor.SliceBytes[T](a)[:len(y)], executor.SliceBytes[T](b)[:len(y)], executor.SliceBytes[T](c)[:len(y)]
}

// each makes a kernel of one operand from a function of one element. The call costs about a nanosecond an element: fine
// for functions that take longer than that.
func each[R, T executor.Element](f func(T) R) walk.Kernel {
	return func(_ *walk.Params, dst, a, _, _ []byte) {
		y, x := one[R, T](dst, a)
		for i, v := range x {
			y[i] = f(v)
		}
	}
}

// each2 is each for two operands.
func each2[R, T executor.Element](f func(T, T) R) walk.Kernel {
	return func(_ *walk.Params, dst, a, b, _ []byte) {
		y, x, z := two[R, T](dst, a, b)
		for i, v := range x {
			y[i] = f(v, z[i])
		}
	}
}

func truth(b bool) uint8 {
	if b {
		return 1
	}
	return 0
}

// sliced and paired make kernels of functions of slices.
func sliced[T float](f func(dst, src []T)) walk.Kernel {
	return func(_ *walk.Params, dst, a, _, _ []byte) { f(one[T, T](dst, a)) }
}

func paired[T float](f func(dst, a, b []T)) walk.Kernel {
	return func(_ *walk.Params, dst, a, b, _ []byte) { f(two[T, T](dst, a, b)) }
}
