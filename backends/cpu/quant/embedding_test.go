package quant

import (
	"math/rand/v2"
	"testing"

	"github.com/ptero-rt/ptero/backends/cpu/arg"
	"github.com/ptero-rt/ptero/backends/cpu/walk"
	"github.com/ptero-rt/ptero/executor"
)

// store writes a number to an element as PyTorch casts it.
func store(t *executor.Tensor, i int, x float64) {
	n := t.DType.Size()
	walk.Put(t.Data[i*n:(i+1)*n], t.DType, arg.Scalar{Kind: executor.KindDouble, F: x})
}

// TestEmbeddingsAgainstNaive decodes codes of every width one by one, with scales, zero points and outputs of every type,
// rows and groups of any size.
func TestEmbeddingsAgainstNaive(t *testing.T) {
	r := rand.New(rand.NewPCG(5, 6))
	floats := []executor.DType{arg.F32, arg.F16, arg.BF16, arg.F64}
	for range 400 {
		bits := []int{8, 4, 2}[r.IntN(3)]
		coding, per := arg.U8, 8/bits
		if bits == 8 && r.IntN(2) == 0 {
			coding = arg.I8
		}
		groups, group := 1+r.IntN(4), per*(1+r.IntN([]int{4, 40, 300}[r.IntN(3)]))
		if r.IntN(4) == 0 { // groups that end inside a byte
			groups, group = per, 1+r.IntN(9)
		}
		const height = 5
		width := groups * group
		w := executor.NewTensor(coding, []int{height, width / per}, nil)
		for i := range w.Data {
			w.Data[i] = byte(r.Uint32())
		}
		s := executor.NewTensor(floats[r.IntN(4)], []int{height, groups}, nil)
		z := executor.NewTensor(floats[r.IntN(4)], []int{height, groups}, nil)
		for i := range height * groups {
			store(s, i, r.Float64()*0.1)
			store(z, i, []float64{0, 3, -7, 0.5, 1e7}[r.IntN(5)])
		}
		index := executor.NewTensor(arg.I64, []int{7}, nil)
		for i := range executor.Slice[int64](index) {
			executor.Slice[int64](index)[i] = r.Int64N(height)
		}
		y := executor.NewTensor(floats[r.IntN(4)], []int{7, width}, nil)
		v, i := executor.NewTensorValue, executor.NewInt
		zero := v(z)
		if r.IntN(3) == 0 {
			z, zero = nil, executor.NewNone()
		}
		call(t, embedding("e", "", bits), v(w), v(s), zero, i(0), i(0), v(index), v(y))
		for row, at := range executor.Slice[int64](index) {
			for k := range width {
				p := int(at)*width + k
				code := int(w.Data[p/per]) >> (p % per * bits) & (1<<bits - 1)
				switch {
				case bits == 2:
					code -= 2
				case bits == 4:
					code = int(w.Data[p/2])>>(4-p%2*4)&15 - 8
				case coding == arg.I8:
					code = int(int8(code))
				}
				g := int(at)*groups + k/group
				x := float32(code)
				if z != nil {
					x -= float32(walk.Float(z, g))
				}
				x *= float32(walk.Float(s, g))
				rounded := executor.NewTensor(arg.F32, []int{1}, nil)
				if arg.IsHalf(s.DType) {
					rounded = executor.NewTensor(s.DType, []int{1}, nil)
				}
				store(rounded, 0, float64(x))
				out := executor.NewTensor(y.DType, []int{1}, nil)
				store(out, 0, walk.Float(rounded, 0))
				if got, want := walk.Float(y, row*width+k), walk.Float(out, 0); got != want {
					t.Fatalf("%d bits, scales %v, output %v, %d×%d: got %v at %d, %d, want %v", bits, s.DType, y.DType, groups, group, got, row, k, want)
				}
			}
		}
	}
}
