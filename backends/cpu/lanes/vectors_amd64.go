package lanes

import (
	"reflect"

	"golang.org/x/sys/cpu"
)

//go:generate go run loops_gen.go complex_gen.go relations_gen.go divisions_gen.go folds_gen.go steps_gen.go writer_gen.go

// have is a function in assembly where the machine has the vectors that it needs, else nil.
func have[F any](f F) F {
	if !cpu.X86.HasAVX2 {
		var none F
		return none
	}
	return f
}

func vectors(f func(n int, dst, a, b *byte)) Loop {
	if have(f) == nil {
		return nil
	}
	return func(dst, a, b []byte) int {
		n := len(dst) &^ 31
		if n > 0 {
			f(n, &dst[0], &a[0], &b[0])
		}
		return n
	}
}

func relation(f func(n int, dst, a, b *byte)) Relation { return Relation(vectors(f)) }

func division(f func(n int, dst, a, b *byte) int) Loop {
	if have(f) == nil {
		return nil
	}
	return func(dst, a, b []byte) int {
		n := len(dst) &^ 31
		if n > 0 {
			n = f(n, &dst[0], &a[0], &b[0])
		}
		return n
	}
}

func joined(f func(n int, dst, a, b *byte)) Loop {
	if !cpu.X86.HasFMA {
		return nil
	}
	return vectors(f)
}

func fused(f func(n int, dst, a, b *byte) int) Loop {
	if !cpu.X86.HasFMA {
		return nil
	}
	return division(f)
}

func limit(f func(n int, dst, a *byte, lo, hi uint64)) Limit {
	if have(f) == nil {
		return nil
	}
	return func(dst, a []byte, lo, hi uint64) int {
		n := len(dst) &^ 31
		if n > 0 {
			f(n, &dst[0], &a[0], lo, hi)
		}
		return n
	}
}

func between(f func(n int, dst, a, lo, hi *byte)) Between {
	if have(f) == nil {
		return nil
	}
	return func(dst, a, lo, hi []byte) int {
		n := len(dst) &^ 31
		if n > 0 {
			f(n, &dst[0], &a[0], &lo[0], &hi[0])
		}
		return n
	}
}

func scaled(f func(n int, dst, a, b *byte, s uint64)) Scaled {
	if have(f) == nil {
		return nil
	}
	return func(dst, a, b []byte, s uint64) int {
		n := len(dst) &^ 31
		if n > 0 {
			f(n, &dst[0], &a[0], &b[0], s)
		}
		return n
	}
}

func choice(f func(n int, dst, mask, a, b *byte)) Choice {
	if have(f) == nil {
		return nil
	}
	return func(dst, mask, a, b []byte) int {
		n := len(mask) &^ 31
		if n > 0 {
			f(n, &dst[0], &mask[0], &a[0], &b[0])
		}
		return n
	}
}

// searching makes a search from assembly that takes width bytes of columns.
func searching[T element](f func(n, width int, best *T, where *int64, x *T, step int, first int64)) Search[T] {
	if have(f) == nil {
		return nil
	}
	size := int(reflect.TypeFor[T]().Size())
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
