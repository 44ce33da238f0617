package lanes

import "golang.org/x/sys/cpu"

// searching makes a search from assembly that takes width columns at a time.
func searching[T element](f func(n, width int, best *T, where *int64, x *T, step int, first int64), size int) Search[T] {
	if !cpu.X86.HasAVX2 {
		return nil
	}
	return func(best []T, where []int64, x []T, n, step int, first int64) int {
		width := len(best) * size &^ 31
		if done := width / size; n > 0 && done > 0 {
			_, _ = where[done-1], x[(n-1)*step+done-1]
			f(n, width, &best[0], &where[0], &x[0], step*size, first)
			return done
		}
		return 0
	}
}

// The searches, named by what is better and the type. Floats of 32 bits have theirs here as well.
var (
	SearchMaxI32 = searching(avxSearchMaxI32, 4)
	SearchMinI32 = searching(avxSearchMinI32, 4)
	SearchMaxI64 = searching(avxSearchMaxI64, 8)
	SearchMinI64 = searching(avxSearchMinI64, 8)
	SearchMaxF32 = searching(avxSearchMaxF32, 4)
	SearchMinF32 = searching(avxSearchMinF32, 4)
	SearchMaxF64 = searching(avxSearchMaxF64, 8)
	SearchMinF64 = searching(avxSearchMinF64, 8)
)

//go:noescape
func avxSearchMaxI32(n, width int, best *int32, where *int64, x *int32, step int, first int64)

//go:noescape
func avxSearchMinI32(n, width int, best *int32, where *int64, x *int32, step int, first int64)

//go:noescape
func avxSearchMaxI64(n, width int, best *int64, where *int64, x *int64, step int, first int64)

//go:noescape
func avxSearchMinI64(n, width int, best *int64, where *int64, x *int64, step int, first int64)

//go:noescape
func avxSearchMaxF32(n, width int, best *float32, where *int64, x *float32, step int, first int64)

//go:noescape
func avxSearchMinF32(n, width int, best *float32, where *int64, x *float32, step int, first int64)

//go:noescape
func avxSearchMaxF64(n, width int, best *float64, where *int64, x *float64, step int, first int64)

//go:noescape
func avxSearchMinF64(n, width int, best *float64, where *int64, x *float64, step int, first int64)
