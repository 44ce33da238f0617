package fft

import "fmt"

// Kind is what a transform takes and gives.
type Kind uint8

// Kinds: from complex numbers to as many; from n reals to the first n/2+1 numbers of their transform, or to all; from the
// first n/2+1 numbers back to n reals, where imaginary parts of the first and the middle number do not count.
const (
	Complex Kind = iota
	RealIn
	RealInFull
	RealOut
)

// maxRank is the most dimensions of tensors.
const maxRank = 16

// Rows is the transforms of all rows of a tensor along one dimension: a task whose parts may run on any worker, each with
// a slot of temp memory. Results do not depend on how many rows there are, nor on the machine.
//
// Its life: Plan for a shape, then Setup with the memory, then Do for each part. Plan allocates where the length changes,
// or the kind.
type Rows[T Float] struct {
	kind    Kind
	inverse bool
	scale   T
	n       int
	plan    *Plan[T]
	long    *long[T] // instead of plan
	half    []T      // for reals of even length: e^(-2πi·k/n) up to a quarter of the circle

	in, out                   Side[T]
	size, inStride, outStride [maxRank]int // of the other dimensions, merged
	rank, count, groups       int

	parts   int
	room    int         // numbers of each buffer
	kernels *kernels[T] // in use: vectors or single
	vectors *kernels[T]
	single  *kernels[T]
	at      [slotLimit]struct{ in, out, down, across Side[T] }
	temp    []T
}

const (
	slotLimit = 8       // parts at once
	wide      = 1 << 22 // bytes of temp memory beyond which rows are not taken side by side
)

// Axis is one dimension of the rows' tensors that is not transformed: its size and strides, in floats.
type Axis struct{ Size, In, Out int }

// Plan prepares for transforms of length n with all others given, sizes of at least 1.
func (r *Rows[T]) Plan(kind Kind, n int, inverse bool, scale float64, others []Axis) {
	if r.vectors == nil || r.n != n || r.kind != kind {
		r.n, r.kind, r.half = n, kind, nil
		length := n
		if kind != Complex && n%2 == 0 {
			length = n / 2
			for k := range n/4 + 1 {
				r.half = unit(r.half, k, n)
			}
		}
		r.length(length)
	}
	r.inverse, r.scale = inverse, T(scale)
	if r.half != nil && kind != RealOut {
		r.scale = T(scale / 2) // split leaves twice the transform
	}
	if r.room = n/2 + 1; r.half == nil {
		r.room = n
	}
	if r.plan != nil {
		r.room = max(r.room, r.plan.room())
	}
	if kind == RealInFull {
		r.room = max(r.room, n)
	}
	r.merge(others)
	if r.kernels = r.vectors; r.long != nil || r.slot() > wide {
		r.kernels = r.single
	}
	r.groups = (r.count + r.kernels.lanes - 1) / r.kernels.lanes
	r.parts = max(1, min(slotLimit, r.groups, wide/r.slot()))
}

// length makes the tables for complex transforms of n numbers.
func (r *Rows[T]) length(n int) {
	if r.vectors == nil {
		if r.vectors, r.single = fastest[T](); r.vectors == nil {
			r.vectors, r.single = portable[T](most), portable[T](1)
		}
	}
	r.plan, r.long = nil, nil
	if n >= longest {
		r.long = newLong[T](n, r.vectors.lanes)
	}
	if r.long == nil {
		r.plan = NewPlan[T](n)
	}
}

// merge takes dimensions together where rows lie evenly.
func (r *Rows[T]) merge(others []Axis) {
	r.rank, r.count = 0, 1
	for _, a := range others {
		r.count *= a.Size
		if k := r.rank - 1; k >= 0 && r.inStride[k] == a.Size*a.In && r.outStride[k] == a.Size*a.Out {
			r.size[k] *= a.Size
			r.inStride[k], r.outStride[k] = a.In, a.Out
			continue
		}
		if a.Size == 1 {
			continue
		}
		if r.rank == maxRank {
			panic(fmt.Sprintf("BUG: fft: more than %d dimensions", maxRank))
		}
		r.size[r.rank], r.inStride[r.rank], r.outStride[r.rank] = a.Size, a.In, a.Out
		r.rank++
	}
}

// slot is the bytes of a part's buffers.
func (r *Rows[T]) slot() int { return r.slotLen() * bytes[T]() }

func (r *Rows[T]) slotLen() int { return 2 * (r.buffer() + r.inner()) }

// buffer is the length of one of the two buffers of rows, inner that of one of the two of a long transform.
func (r *Rows[T]) buffer() int { return 2 * r.kernels.lanes * r.room }

func (r *Rows[T]) inner() int {
	if r.long == nil {
		return 0
	}
	return 2 * r.vectors.lanes * r.long.room()
}

func bytes[T Float]() int {
	var z T
	if _, ok := any(z).(float32); ok {
		return 4
	}
	return 8
}

// Floats is the temp memory that Setup wants.
func (r *Rows[T]) Floats() int { return r.parts * r.slotLen() }

// BytesBound is the most that Floats gives for rows of up to n numbers, in bytes.
func BytesBound(n int) int {
	room := roomBound(n)
	if n >= longest {
		room += most * longest
	}
	one := 2 * 2 * room * 8
	return max(one, min(wide, slotLimit*most*one))
}

// Parts is the number of parts.
func (r *Rows[T]) Parts() int { return r.parts }

// Setup gives the rows and temp memory.
func (r *Rows[T]) Setup(in, out Side[T], temp []T) { r.in, r.out, r.temp = in, out, temp }

// Do transforms every parts-th group of rows.
func (r *Rows[T]) Do(part int) {
	temp, size := r.temp[part*r.slotLen():], r.buffer()
	x, y, inner := temp[:size], temp[size:][:size], temp[2*size:]
	at := &r.at[part]
	at.in, at.out = r.in, r.out
	for g := part; g < r.groups; g += r.parts {
		r.locate(g, &at.in, &at.out)
		r.transform(x, y, &at.in, &at.out, func() []T {
			if r.long == nil {
				return r.plan.transform(r.kernels, x, y)
			}
			n := r.inner()
			r.long.transform(r.vectors, x, y, inner[:n], inner[n:][:n], &at.down, &at.across)
			return y
		})
	}
}

// locate finds the rows of a group. Where too few are left, the last one is taken again: it gives the same again.
func (r *Rows[T]) locate(g int, in, out *Side[T]) {
	lanes := r.kernels.lanes
	for l := range lanes {
		in.off[l], out.off[l] = 0, 0
		rest := min(g*lanes+l, r.count-1)
		for d := r.rank - 1; d >= 0; d-- {
			i := rest % r.size[d]
			rest /= r.size[d]
			in.off[l] += i * r.inStride[d]
			out.off[l] += i * r.outStride[d]
		}
	}
	in.apart, out.apart = even(in.off[:lanes]), even(out.off[:lanes])
}

// even is the distance between offsets that lie evenly, or 0.
func even(off []int) int {
	if len(off) < most/2 {
		return 0
	}
	step := off[1] - off[0]
	for l := 2; l < len(off); l++ {
		if off[l]-off[l-1] != step {
			return 0
		}
	}
	return step
}

func (r *Rows[T]) transform(x, y []T, in, out *Side[T], do func() []T) {
	k, n := r.kernels, r.n
	lanes := k.lanes
	whole, reals, mirrored := complexSlots(lanes, false), realSlots(lanes, false), n/2+1
	switch {
	case r.kind == Complex:
		s := complexSlots(lanes, r.inverse)
		in.gather(k, x, s, 2*n)
		out.scatter(k, do(), s, 2*n, r.scale)
	case r.kind != RealOut && r.half != nil:
		in.gather(k, x, whole, n)
		z := do()
		r.splitEnds(z)
		k.split(lanes, z, n/2, r.half)
		if r.kind == RealInFull {
			mirror(z, lanes, n, lanes)
			mirrored = n
		}
		out.scatter(k, z, whole, 2*mirrored, r.scale)
	case r.kind != RealOut:
		clear(x)
		in.gather(k, x, reals, n)
		if r.kind == RealInFull {
			mirrored = n
		}
		out.scatter(k, do(), whole, 2*mirrored, r.scale)
	case r.half != nil:
		in.gather(k, x, whole, 2*mirrored)
		r.mergeEnds(x)
		k.merge(lanes, x, n/2, r.half)
		out.scatter(k, do(), complexSlots(lanes, true), n, r.scale)
	default:
		in.gather(k, x, complexSlots(lanes, true), 2*mirrored)
		clear(x[:lanes]) // the imaginary part of the first
		mirror(x, lanes, n, 0)
		out.scatter(k, do(), realSlots(lanes, true), n, r.scale)
	}
}

// splitEnds is split for the first number, which gives the last one too.
func (r *Rows[T]) splitEnds(x []T) {
	lanes := r.kernels.lanes
	first, last := x[:2*lanes], x[r.n/2*2*lanes:][:2*lanes]
	for l := range lanes {
		re, im := first[l], first[lanes+l]
		first[l], first[lanes+l] = 2*(re+im), 0
		last[l], last[lanes+l] = 2*(re-im), 0
	}
}

// mergeEnds is merge for the first number and the last.
func (r *Rows[T]) mergeEnds(x []T) {
	lanes := r.kernels.lanes
	first, last := x[:2*lanes], x[r.n/2*2*lanes:][:2*lanes]
	for l := range lanes {
		a, b := first[l], last[l]
		first[l], first[lanes+l] = a-b, a+b
	}
}

// mirror completes n numbers of which the first half is known, whose transform is real; the parts to negate lie at im.
func mirror[T Float](x []T, lanes, n, im int) {
	size := 2 * lanes
	for i := n/2 + 1; i < n; i++ {
		a, b := x[i*size:][:size], x[(n-i)*size:][:size]
		copy(a, b)
		for l := im; l < im+lanes; l++ {
			a[l] = -a[l]
		}
	}
}
