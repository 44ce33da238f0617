package executor

import (
	"fmt"
	"math/bits"

	"github.com/ptero-rt/ptero/hal"
	"github.com/ptero-rt/ptero/internal/fault"
	"github.com/ptero-rt/ptero/pte"
)

// Tensor is a typed, shaped window on bytes of an arena, of the file, or of the caller.
//
// Data has exactly NBytes bytes, in the host's byte order, aligned for the element type; it is nil until Bind for
// everything but constants. Strides are in elements and follow from sizes and dim order. Rank never changes; sizes change
// only through Resize. One method's tensors belong to the goroutine that runs it.
type Tensor struct {
	DType    DType
	Dynamism pte.Dynamism
	Pool     hal.PoolID // NoPool for the caller's and the file's own bytes
	grows    bool       // Resize may replace storage, which is not planned
	constant bool
	Sizes    []int
	DimOrder []uint8
	origin   *origin
	Strides  []int
	Data     []byte
	Addr     uint64 // CPU bus address of Data[0]; meaningful where Pool is not NoPool

	full  []byte      // storage up to the bound; Data is its head
	limit int         // elements that fit: the numel at load
	file  *pte.Tensor // nil for the caller's tensors
}

// NewTensor makes a contiguous tensor of its own over data (in the host's byte order), for callers and tests. Data nil
// allocates zeroed storage. It panics if data has not exactly the bytes that the shape needs.
func NewTensor(d DType, sizes []int, data []byte) *Tensor {
	order := make([]uint8, len(sizes))
	for i := range order {
		order[i] = uint8(i)
	}
	return NewTensorOrder(d, sizes, order, data)
}

// NewTensorOrder is NewTensor for any dim order.
func NewTensorOrder(d DType, sizes []int, order []uint8, data []byte) *Tensor {
	t := &Tensor{DType: d, Sizes: append([]int{}, sizes...), DimOrder: append([]uint8{}, order...), Strides: make([]int, len(sizes)), Pool: hal.NoPool}
	t.restride()
	t.limit = t.NumElements()
	n := t.limit * d.Size()
	if data == nil {
		data = alignedBytes(n)
	}
	if len(data) != n {
		panic(fmt.Sprintf("executor.NewTensor: %d bytes for %v %v, want %d", len(data), d, sizes, n))
	}
	t.full, t.Data = data, data
	return t
}

// Rank is the number of dimensions.
func (t *Tensor) Rank() int { return len(t.Sizes) }

// NumElements is the product of the sizes, 1 for rank 0.
func (t *Tensor) NumElements() int {
	n := 1
	for _, s := range t.Sizes {
		n *= s
	}
	return n
}

// NBytes is the number of bytes of the present shape.
func (t *Tensor) NBytes() int { return t.NumElements() * t.DType.Size() }

// Constant says whether the bytes never change: a constant of the file, readable already in Prepare.
func (t *Tensor) Constant() bool { return t.constant }

// MarkConstant declares the tensor constant; for tests of operators.
func (t *Tensor) MarkConstant() *Tensor { t.constant = true; return t }

// Name is the fully qualified name of a parameter or buffer, where the exporter kept it.
func (t *Tensor) Name() string {
	if t.file == nil {
		return ""
	}
	return t.file.FQN
}

// Bound is the largest number of elements the tensor can hold.
func (t *Tensor) Bound() int { return t.limit }

// Region gives the tensor's bytes with their address.
func (t *Tensor) Region() hal.Region { return hal.Region{Bytes: t.Data, Addr: t.Addr, Pool: t.Pool} }

// IsContiguous says whether elements lie in logical (row-major) order; dimensions of size 1 do not matter.
func (t *Tensor) IsContiguous() bool {
	want := 1
	for d := len(t.Sizes) - 1; d >= 0; d-- {
		if t.Sizes[d] == 1 {
			continue
		}
		if t.Strides[d] != want {
			return t.NumElements() == 0
		}
		want *= t.Sizes[d]
	}
	return true
}

// SameLayout says whether t and o have the same sizes and keep elements in the same order in memory.
func (t *Tensor) SameLayout(o *Tensor) bool {
	if len(t.Sizes) != len(o.Sizes) {
		return false
	}
	for d, s := range t.Sizes {
		if o.Sizes[d] != s || s != 1 && t.Strides[d] != o.Strides[d] {
			return false
		}
	}
	return true
}

// Resize gives the tensor a new shape of the same rank, within its storage, and recomputes strides. A static tensor
// accepts only its own shape. Kernels call it on their outputs before they write.
//
// The rule is ExecuTorch's: the number of elements, not each dimension, must stay within the bound
// (runtime/core/portable_type/tensor_impl.cpp at cff6f4dd).
func (t *Tensor) Resize(sizes ...int) error {
	if len(sizes) != len(t.Sizes) {
		return fault.New(fault.NotSupported, "", fmt.Sprintf("rank %d", len(t.Sizes)), fmt.Sprintf("rank %d (sizes %v)", len(sizes), append([]int{}, sizes...)))
	}
	same := true
	for i, s := range sizes {
		same = same && s == t.Sizes[i]
	}
	if same {
		return nil
	}
	return t.reshape(sizes)
}

func (t *Tensor) reshape(sizes []int) error {
	for _, s := range sizes {
		if s < 0 {
			return fault.New(fault.InvalidArgument, "", "sizes ≥ 0", fmt.Sprint(append([]int{}, sizes...)))
		}
	}
	n, fits := numElements(sizes, t.limit)
	switch {
	case t.Dynamism == pte.Static:
		return fault.New(fault.NotSupported, "", fmt.Sprintf("static sizes %v", t.Sizes), fmt.Sprint(append([]int{}, sizes...)))
	case !fits:
		return fault.New(fault.NotSupported, "", fmt.Sprintf("at most %d elements", t.limit), fmt.Sprintf("sizes %v", append([]int{}, sizes...)))
	}
	bytes := n * t.DType.Size()
	if t.grows && bytes > len(t.full) {
		t.full = alignedBytes(bytes)
	}
	copy(t.Sizes, sizes)
	t.restride()
	if t.full != nil {
		t.Data = t.full[:bytes]
	}
	return nil
}

// ResizeRows is Resize for the outermost dimension alone, as loops that gather rows want it.
func (t *Tensor) ResizeRows(n int) error {
	if n == t.Sizes[0] {
		return nil
	}
	row := t.Strides[0]
	if t.DimOrder[0] != 0 || t.Dynamism == pte.Static || t.grows || n < 0 || row == 0 || len(t.Data) == 0 || n > t.limit || uint64(n)*uint64(row) > uint64(t.limit) {
		var sizes [MaxRank]int
		copy(sizes[:], t.Sizes)
		sizes[0] = n
		return t.Resize(sizes[:len(t.Sizes)]...)
	}
	t.Sizes[0] = n // no stride depends on it
	if t.full != nil {
		t.Data = t.full[:n*row*t.DType.Size()]
	}
	return nil
}

// MaxRank is the largest rank of a tensor, ExecuTorch's kTensorDimensionLimit.
const MaxRank = 16

// numElements multiplies sizes, none of them negative; false where the product is above most.
func numElements(sizes []int, most int) (int, bool) {
	n, fits := uint(1), true
	for _, s := range sizes {
		if s == 0 {
			return 0, true
		}
		if fits { // where it does not, a later zero still makes it 0
			hi, lo := bits.Mul(n, uint(s))
			n, fits = lo, hi == 0 && lo <= uint(most)
		}
	}
	return int(n), fits
}

// View makes t a window on the bytes of o with other sizes; both must have the same number of elements, the same dtype, and
// elements in memory order. Nothing is copied.
func (t *Tensor) View(o *Tensor, sizes ...int) error {
	if err := t.Resize(sizes...); err != nil {
		return err
	}
	if n := t.NBytes(); t.DType != o.DType || n != len(o.Data) {
		return fault.New(fault.InvalidArgument, "", fmt.Sprintf("%v with %d elements", o.DType, o.NumElements()), fmt.Sprintf("%v %v", t.DType, append([]int{}, sizes...)))
	}
	t.Data, t.Addr, t.Pool = o.Data, o.Addr, o.Pool
	return nil
}

func (t *Tensor) restride() {
	n := 1
	for i := len(t.DimOrder) - 1; i >= 0; i-- {
		d := t.DimOrder[i]
		t.Strides[d] = n
		n *= max(t.Sizes[d], 1)
	}
}
