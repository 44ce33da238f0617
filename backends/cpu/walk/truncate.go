package walk

import (
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
		d[i] = T(fmath.Truncated(float64(s[off])))
		off += stride
	}
}
