package lanes

func relation(f func(n int, dst, a, b *byte)) Relation { return Relation(vectors(f)) }

// The relations, by the width of the elements.
var (
	Equal8       = relation(avxEqual8)
	Equal16      = relation(avxEqual16)
	Equal32      = relation(avxEqual32)
	Equal64      = relation(avxEqual64)
	Unequal8     = relation(avxUnequal8)
	Unequal16    = relation(avxUnequal16)
	Unequal32    = relation(avxUnequal32)
	Unequal64    = relation(avxUnequal64)
	LessU8       = turned(avxGreaterU8)
	LessI8       = turned(avxGreaterI8)
	LessI16      = turned(avxGreaterI16)
	LessI32      = turned(avxGreaterI32)
	LessI64      = turned(avxGreaterI64)
	LessEqualU8  = relation(avxNotGreaterU8)
	LessEqualI8  = relation(avxNotGreaterI8)
	LessEqualI16 = relation(avxNotGreaterI16)
	LessEqualI32 = relation(avxNotGreaterI32)
	LessEqualI64 = relation(avxNotGreaterI64)
	EqualF64     = relation(avxEqualF64)
	UnequalF64   = relation(avxUnequalF64)
	LessF64      = relation(avxLessF64)
	LessEqualF64 = relation(avxLessEqualF64)
)

// turned makes b > a of a > b.
func turned(f func(n int, dst, a, b *byte)) Relation {
	return relation(func(n int, dst, a, b *byte) { f(n, dst, b, a) })
}

//go:noescape
func avxEqual8(n int, dst, a, b *byte)

//go:noescape
func avxEqual16(n int, dst, a, b *byte)

//go:noescape
func avxEqual32(n int, dst, a, b *byte)

//go:noescape
func avxEqual64(n int, dst, a, b *byte)

//go:noescape
func avxUnequal8(n int, dst, a, b *byte)

//go:noescape
func avxUnequal16(n int, dst, a, b *byte)

//go:noescape
func avxUnequal32(n int, dst, a, b *byte)

//go:noescape
func avxUnequal64(n int, dst, a, b *byte)

//go:noescape
func avxGreaterU8(n int, dst, a, b *byte)

//go:noescape
func avxGreaterI8(n int, dst, a, b *byte)

//go:noescape
func avxGreaterI16(n int, dst, a, b *byte)

//go:noescape
func avxGreaterI32(n int, dst, a, b *byte)

//go:noescape
func avxGreaterI64(n int, dst, a, b *byte)

//go:noescape
func avxNotGreaterU8(n int, dst, a, b *byte)

//go:noescape
func avxNotGreaterI8(n int, dst, a, b *byte)

//go:noescape
func avxNotGreaterI16(n int, dst, a, b *byte)

//go:noescape
func avxNotGreaterI32(n int, dst, a, b *byte)

//go:noescape
func avxNotGreaterI64(n int, dst, a, b *byte)

//go:noescape
func avxEqualF64(n int, dst, a, b *byte)

//go:noescape
func avxUnequalF64(n int, dst, a, b *byte)

//go:noescape
func avxLessF64(n int, dst, a, b *byte)

//go:noescape
func avxLessEqualF64(n int, dst, a, b *byte)
