package dense

import (
	"fmt"
	"math"
	"math/rand/v2"
	"testing"

	"github.com/ptero-rt/ptero/internal/workers"
	"github.com/stretchr/testify/require"
)

func contiguous(c int, s [3]int) [5]int {
	return [5]int{c * s[0] * s[1] * s[2], s[0] * s[1] * s[2], s[1] * s[2], s[2], 1}
}

func channelsLast(c int, s [3]int) [5]int {
	return [5]int{c * s[0] * s[1] * s[2], 1, s[1] * s[2] * c, s[2] * c, c}
}

// naive computes a convolution from its definition, scattering for the transposed one.
func naive(s Shape, x []float64, xs [5]int, w []float64, bias []float64, y []float64, ys [5]int) {
	cg, og := s.InC/s.Groups, s.OutC/s.Groups
	each := func(size [3]int, f func(p [3]int)) {
		for d := range size[0] {
			for h := range size[1] {
				for v := range size[2] {
					f([3]int{d, h, v})
				}
			}
		}
	}
	at := func(st [5]int, n, c int, p [3]int) int {
		return n*st[0] + c*st[1] + p[0]*st[2] + p[1]*st[3] + p[2]*st[4]
	}
	for n := range s.Batch {
		for o := range s.OutC {
			each(s.Out, func(p [3]int) { y[at(ys, n, o, p)] = bias[o] })
		}
		for o := range s.OutC {
			for ci := range cg {
				c := o/og*cg + ci
				each(s.Kernel, func(k [3]int) {
					small := s.Out
					if s.Transposed {
						small = s.In
					}
					each(small, func(p [3]int) {
						var q [3]int
						for d := range 3 {
							q[d] = p[d]*s.Stride[d] - s.Pad[d] + k[d]*s.Dil[d]
						}
						big := s.In
						if s.Transposed {
							big = s.Out
						}
						for d := range 3 {
							if q[d] < 0 || q[d] >= big[d] {
								return
							}
						}
						ki := (k[0]*s.Kernel[1]+k[1])*s.Kernel[2] + k[2]
						if s.Transposed {
							y[at(ys, n, o, q)] += x[at(xs, n, c, p)] * w[(c*og+o%og)*s.kernelLen()+ki]
						} else {
							y[at(ys, n, o, p)] += x[at(xs, n, c, q)] * w[(o*cg+ci)*s.kernelLen()+ki]
						}
					})
				})
			}
		}
	}
}

func randomShape(r *rand.Rand) Shape {
	s := Shape{Batch: r.IntN(3), Groups: 1 + r.IntN(9), Transposed: r.IntN(2) == 0}
	s.InC, s.OutC = s.Groups*(1+r.IntN(3)), s.Groups*(1+r.IntN(8))
	if r.IntN(3) == 0 {
		s.InC, s.OutC, s.Groups = 1+r.IntN(9), 1+r.IntN(120), 1
	}
	for d := range 3 {
		s.Kernel[d], s.Stride[d], s.Dil[d], s.In[d] = 1, 1, 1, 1
		if d == 0 && r.IntN(3) > 0 {
			s.Out[d] = 1
			continue
		}
		for {
			s.Kernel[d], s.Stride[d], s.Dil[d] = 1+r.IntN(4), 1+r.IntN(3), 1+r.IntN(3)
			s.Pad[d], s.In[d] = r.IntN(3), 1+r.IntN(12)
			reach := (s.Kernel[d] - 1) * s.Dil[d]
			if s.Transposed {
				s.Out[d] = (s.In[d]-1)*s.Stride[d] - 2*s.Pad[d] + reach + 1 + r.IntN(s.Stride[d])
			} else if s.In[d]+2*s.Pad[d] > reach {
				s.Out[d] = (s.In[d]+2*s.Pad[d]-reach-1)/s.Stride[d] + 1
			} else {
				continue
			}
			if s.Out[d] > 0 {
				break
			}
		}
	}
	return s
}

func testConv[T Real](t *testing.T, r *rand.Rand, tier Tier, s Shape, pool Pool, delta float64) {
	vol := func(p [3]int) int { return p[0] * p[1] * p[2] }
	x, y := make([]float64, s.Batch*s.InC*vol(s.In)), make([]float64, s.Batch*s.OutC*vol(s.Out))
	w, bias := make([]float64, s.WeightCount()), make([]float64, s.OutC)
	for _, l := range [][]float64{x, w, bias} {
		for i := range l {
			l[i] = float64(r.IntN(17) - 8)
		}
	}
	cast := func(l []float64) []T {
		o := make([]T, len(l))
		for i, v := range l {
			o[i] = T(v)
		}
		return o
	}
	layouts := []func(int, [3]int) [5]int{contiguous, channelsLast}
	xs, ys := layouts[r.IntN(2)](s.InC, s.In), layouts[r.IntN(2)](s.OutC, s.Out)
	naive(s, x, xs, w, bias, y, ys)
	c := NewConv[T](tier)
	c.Plan(s)
	c.X.Same, c.Y.Same, c.XStride, c.YStride = cast(x), make([]T, len(y)), xs, ys
	c.Start, c.W = cast(bias), make([]T, s.WeightCount())
	src := contiguous(s.InC/s.Groups, s.Kernel)
	if s.Transposed {
		src = contiguous(s.OutC/s.Groups, s.Kernel)
	}
	c.PackWeights(c.W, View[T]{Same: cast(w)}, src)
	if s.InPlace() {
		require.Equal(t, cast(w), c.W)
	}
	c.Planes = make([]T, c.PlaneCount())
	c.Run(pool)
	for i := range y {
		if math.Abs(float64(T(y[i]))-float64(c.Y.Same[i])) > delta {
			require.FailNow(t, "differs", "%+v %v element %d: got %v, want %v", s, tier, i, c.Y.Same[i], T(y[i]))
		}
	}
}

func TestConvolutionsAgreeWithTheirDefinition(t *testing.T) {
	r := rand.New(rand.NewPCG(5, 6))
	w := workers.New(3)
	defer w.Close()
	for range 120 {
		s := randomShape(r)
		for _, tier := range Tiers() {
			testConv[float32](t, r, tier, s, pool{w}, 0) // small integers: exact in f32
		}
		testConv[float64](t, r, Generic, s, pool{}, 0)
		testConv[int8](t, r, Generic, s, pool{w}, 0)
	}
}

func BenchmarkConv(b *testing.B) {
	r := rand.New(rand.NewPCG(1, 2))
	for _, v := range []struct{ c, o, g, h, k, s, p int }{
		{3, 32, 1, 224, 3, 2, 1}, {32, 32, 32, 112, 3, 1, 1}, {96, 96, 96, 112, 3, 2, 1}, {144, 144, 144, 56, 3, 1, 1}, {384, 384, 384, 14, 3, 1, 1}, {960, 960, 960, 7, 3, 1, 1},
		{16, 96, 1, 112, 1, 1, 0}, {96, 24, 1, 56, 1, 1, 0}, {160, 960, 1, 7, 1, 1, 0}, {960, 320, 1, 7, 1, 1, 0}, {64, 64, 1, 56, 3, 1, 1}, {512, 512, 1, 7, 3, 1, 1},
	} {
		out := (v.h+2*v.p-v.k)/v.s + 1
		s := Shape{Batch: 1, InC: v.c, OutC: v.o, Groups: v.g, In: [3]int{1, v.h, v.h}, Out: [3]int{1, out, out}, Kernel: [3]int{1, v.k, v.k}, Stride: [3]int{1, v.s, v.s}, Pad: [3]int{0, v.p, v.p}, Dil: [3]int{1, 1, 1}}
		c := NewConv[float32](Best())
		c.Plan(s)
		c.X.Same, c.Y.Same = values[float32](r, v.c*v.h*v.h), make([]float32, v.o*out*out)
		c.XStride, c.YStride = contiguous(v.c, s.In), contiguous(v.o, s.Out)
		c.Start, c.W = make([]float32, v.o), values[float32](r, s.WeightCount())
		c.Planes = make([]float32, c.PlaneCount())
		b.Run(fmt.Sprintf("%d-%d/%d %dx%d k%d s%d", v.c, v.o, v.g, v.h, v.h, v.k, v.s), func(b *testing.B) {
			b.ReportAllocs()
			for b.Loop() {
				c.Run(pool{})
			}
			b.ReportMetric(2*float64(s.WeightCount()*out*out)*float64(b.N)/b.Elapsed().Seconds()/1e9, "GFLOPS")
		})
	}
}

// BenchmarkMobileNetV2 runs the 52 convolutions of MobileNetV2 1.0 at 224×224, each on tensors of its own.
func BenchmarkMobileNetV2(b *testing.B) {
	r := rand.New(rand.NewPCG(1, 2))
	var convs []*Conv[float32]
	layer := func(c, o, g, h, k, s int) int {
		pad := k / 2
		out := (h+2*pad-k)/s + 1
		shape := Shape{Batch: 1, InC: c, OutC: o, Groups: g, In: [3]int{1, h, h}, Out: [3]int{1, out, out}, Kernel: [3]int{1, k, k}, Stride: [3]int{1, s, s}, Pad: [3]int{0, pad, pad}, Dil: [3]int{1, 1, 1}}
		v := NewConv[float32](Best())
		v.Plan(shape)
		v.X.Same, v.Y.Same = values[float32](r, c*h*h), make([]float32, o*out*out)
		v.XStride, v.YStride = contiguous(c, shape.In), contiguous(o, shape.Out)
		v.Start, v.W = make([]float32, o), values[float32](r, shape.WeightCount())
		v.Planes = make([]float32, v.PlaneCount())
		convs = append(convs, v)
		return out
	}
	h, c := layer(3, 32, 1, 224, 3, 2), 32
	for _, block := range [][4]int{{1, 16, 1, 1}, {6, 24, 2, 2}, {6, 32, 3, 2}, {6, 64, 4, 2}, {6, 96, 3, 1}, {6, 160, 3, 2}, {6, 320, 1, 1}} {
		for i := range block[2] {
			s, wide := 1, c*block[0]
			if i == 0 {
				s = block[3]
			}
			if wide != c {
				layer(c, wide, 1, h, 1, 1)
			}
			h = layer(wide, wide, wide, h, 3, s)
			layer(wide, block[1], 1, h, 1, 1)
			c = block[1]
		}
	}
	layer(c, 1280, 1, h, 1, 1)
	for _, kind := range []string{"all", "depthwise", "pointwise", "first"} {
		b.Run(kind, func(b *testing.B) {
			for b.Loop() {
				for i, v := range convs {
					is := "pointwise"
					if v.Groups > 1 {
						is = "depthwise"
					} else if i == 0 {
						is = "first"
					}
					if kind == "all" || kind == is {
						v.Run(pool{})
					}
				}
			}
		})
	}
}
