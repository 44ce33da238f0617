package walk

import (
	"math"

	"github.com/ptero-rt/ptero/backends/cpu/arg"
	"github.com/ptero-rt/ptero/backends/cpu/fmath"
	"github.com/ptero-rt/ptero/executor"
)

// truncate goes through int64, truncateNarrow through int32, as x86 code compiled from PyTorch does.
func truncate[S float, T integer](dst, src []byte, off, stride, n int) {
	d, s := executor.SliceBytes[T](dst)[:n], executor.SliceBytes[S](src)
	for i := range d {
		d[i] = T(arg.Truncate(float64(s[off])))
		off += stride
	}
}

func truncateNarrow[S float, T integer](dst, src []byte, off, stride, n int) {
	d, s := executor.SliceBytes[T](dst)[:n], executor.SliceBytes[S](src)
	for i := range d {
		d[i] = T(truncate32(float64(s[off])))
		off += stride
	}
}

// truncateF32 is truncate or, if narrow, truncateNarrow, with packed elements in vectors.
func truncateF32[T integer](narrow bool) Load {
	return func(dst, src []byte, off, stride, n int) {
		switch {
		case stride == 1:
			truncatePacked(executor.SliceBytes[T](dst)[:n], executor.SliceBytes[float32](src)[off:off+n], narrow)
		case narrow:
			truncateNarrow[float32, T](dst, src, off, stride, n)
		default:
			truncate[float32, T](dst, src, off, stride, n)
		}
	}
}

// truncatePacked goes through int32; the smallest of those may stand for a number that needs more.
func truncatePacked[T integer](d []T, x []float32, narrow bool) {
	var buf [onStack]int32
	for len(d) > 0 {
		n := min(len(d), onStack)
		whole, to := buf[:n], d[:n]
		fmath.Truncate(whole, x[:n])
		least := int32(0)
		for i, v := range whole {
			least = min(least, v)
			to[i] = T(v)
		}
		if least == math.MinInt32 && !narrow {
			for i, v := range x[:n] {
				to[i] = T(arg.Truncate(float64(v)))
			}
		}
		d, x = d[n:], x[n:]
	}
}

func truncateI32(dst, src []byte, off, stride, n int) {
	if stride != 1 {
		truncateNarrow[float32, int32](dst, src, off, stride, n)
		return
	}
	fmath.Truncate(executor.SliceBytes[int32](dst)[:n], executor.SliceBytes[float32](src)[off:off+n])
}

func truncate32(f float64) int32 {
	if f > -2147483649 && f < 2147483648 {
		return int32(f)
	}
	return -2147483648
}
