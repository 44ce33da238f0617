package executor

import "fmt"

// Logical copies t's elements in logical (row-major) order, whatever order memory has, in the host's byte order.
func (t *Tensor) Logical() []byte {
	out := alignedBytes(t.NBytes())
	t.eachRun(func(mem, logical, n int) { copy(out[logical:logical+n], t.Data[mem:]) })
	return out
}

// SetLogical fills t with elements that come in logical (row-major) order and the host's byte order. It panics if src has not exactly
// NBytes bytes.
func (t *Tensor) SetLogical(src []byte) {
	if len(src) != t.NBytes() {
		panic(fmt.Sprintf("executor.SetLogical: %d bytes for %v %v, want %d", len(src), t.DType, t.Sizes, t.NBytes()))
	}
	t.eachRun(func(mem, logical, n int) { copy(t.Data[mem:mem+n], src[logical:]) })
}

// eachRun calls f for every run of elements that lie together in both orders, with byte offsets and the length in bytes.
func (t *Tensor) eachRun(f func(mem, logical, n int)) {
	if t.NumElements() == 0 {
		return
	}
	if t.IsContiguous() {
		f(0, 0, t.NBytes())
		return
	}
	size := t.DType.Size()
	index := make([]int, len(t.Sizes))
	mem := 0
	for logical := 0; ; logical += size {
		f(mem*size, logical, size)
		d := len(index) - 1
		for ; d >= 0; d-- {
			index[d]++
			mem += t.Strides[d]
			if index[d] < t.Sizes[d] {
				break
			}
			mem -= index[d] * t.Strides[d]
			index[d] = 0
		}
		if d < 0 {
			return
		}
	}
}
