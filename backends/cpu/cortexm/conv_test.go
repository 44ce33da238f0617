package cortexm

import (
	"math/rand/v2"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/ptero-rt/ptero/backends/cpu/arg"
	"github.com/ptero-rt/ptero/executor"
	"github.com/ptero-rt/ptero/internal/workers"
)

// layer is a random convolution with everything that decides its result.
type layer struct {
	kind                     string // conv, depthwise, transpose
	n, c, h, w, o, groups    int
	kernel, stride, pad, dil [2]int
	extra                    [2]int
	multiplier               int
	out                      [2]int
	zeroIn, zeroOut, lo, hi  int32
}

func randomLayer(r *rand.Rand, kind string) layer {
	l := layer{kind: kind, n: 1 + r.IntN(2), groups: 1 + r.IntN(3), multiplier: 1 + r.IntN(3), zeroIn: int32(r.IntN(256) - 128), zeroOut: int32(r.IntN(256) - 128), lo: -128, hi: 127}
	if r.IntN(2) == 0 {
		l.lo, l.hi = -100, 90
	}
	if kind == "transpose" {
		l.groups = 1
	}
	l.c = l.groups * (1 + r.IntN(20))
	l.o = l.groups * (1 + r.IntN(9))
	if r.IntN(4) == 0 {
		l.groups, l.c, l.o = 1, 1, 1+r.IntN(9)
	}
	if kind == "depthwise" {
		l.groups = l.c
		l.o = l.c * l.multiplier
	}
	for d := range 2 {
		for l.out[d] < 1 {
			l.kernel[d], l.stride[d], l.pad[d], l.dil[d] = 1+r.IntN(4), 1+r.IntN(3), r.IntN(3), 1+r.IntN(2)
			size := 1 + r.IntN(9)
			if d == 0 {
				l.h = size
			} else {
				l.w = size
			}
			reach := (l.kernel[d] - 1) * l.dil[d]
			if kind == "transpose" {
				l.extra[d] = r.IntN(l.stride[d])
				l.out[d] = (size-1)*l.stride[d] - 2*l.pad[d] + reach + l.extra[d] + 1
			} else if size+2*l.pad[d] > reach {
				l.out[d] = (size+2*l.pad[d]-reach-1)/l.stride[d] + 1
			}
		}
	}
	return l
}

func ints(p [2]int) *executor.Value { return executor.NewInts(int64(p[0]), int64(p[1])) }

func random8(r *rand.Rand, t *executor.Tensor) *executor.Tensor {
	for i := range t.Data {
		t.Data[i] = byte(r.Uint32())
	}
	return t
}

func random32(r *rand.Rand, n int, lo, hi int64) *executor.Tensor {
	t := executor.NewTensor(arg.I32, []int{n}, nil)
	for i := range n {
		executor.Slice[int32](t)[i] = int32(lo + r.Int64N(hi-lo))
	}
	return t
}

// TestConvolutionsAgreeWithTheirDefinition compares with sums over the definition, in 64 bits, padding left out.
func TestConvolutionsAgreeWithTheirDefinition(t *testing.T) {
	r := rand.New(rand.NewPCG(7, 8))
	pool := workers.New(3)
	defer pool.Close()
	for i := range 300 {
		l := randomLayer(r, []string{"conv", "depthwise", "transpose"}[i%3])
		orders := [][]uint8{{0, 2, 3, 1}, {0, 1, 2, 3}}
		lay := []layout{nchw, nhwc}[r.IntN(2)]
		from, to := lay.sizes(l.n, l.c, l.h, l.w), lay.sizes(l.n, l.o, l.out[0], l.out[1])
		x := random8(r, executor.NewTensorOrder(arg.I8, from[:], orders[r.IntN(2)], nil))
		y := executor.NewTensorOrder(arg.I8, to[:], orders[r.IntN(2)], nil)
		shape := []int{l.o, l.kernel[0], l.kernel[1], l.c / l.groups}
		if l.kind == "depthwise" {
			shape = []int{1, l.kernel[0], l.kernel[1], l.o}
		}
		w := random8(r, executor.NewTensor(arg.I8, shape, nil))
		bias, mult, shift := random32(r, l.o, -5000, 5000), random32(r, l.o, 1<<30, 1<<31-1), random32(r, l.o, -12, -4)
		if r.IntN(2) == 0 {
			for _, c := range []*executor.Tensor{w, bias, mult, shift} {
				c.MarkConstant()
			}
		}
		tv := executor.NewTensorValue
		args := []*executor.Value{tv(x), tv(w), tv(bias), ints(l.stride), ints(l.pad)}
		op := conv2d(lay)
		switch l.kind {
		case "depthwise":
			op = depthwiseConv2d(lay)
			args = append(args, ints(l.dil), executor.NewInt(int64(l.multiplier)))
		case "transpose":
			op = transposeConv2d(lay)
			args = append(args, ints(l.extra), ints(l.dil))
		default:
			args = append(args, ints(l.dil))
		}
		scratch := executor.NewTensor(arg.U8, []int{0}, nil)
		args = append(args, executor.NewInt(int64(-l.zeroIn)), executor.NewInt(int64(l.zeroOut)), tv(mult), tv(shift), executor.NewInt(int64(l.lo)), executor.NewInt(int64(l.hi)), tv(scratch))
		if l.kind == "transpose" {
			args = append(args, tv(scratch))
		}
		args = append(args, tv(y), tv(y))
		state, needs, err := op.Prepare(args)
		require.NoError(t, err, "%+v", l)
		s := executor.ScopeFor(pool, needs)
		require.NoError(t, op.Run(s, state, args))
		l.check(t, lay, x, w, y, bias, mult, shift)
		s.Reset()
		require.Zero(t, testing.AllocsPerRun(5, func() { s.Reset(); _ = op.Run(s, state, args) }))
	}
}

func (l layer) check(t *testing.T, lay layout, x, w, y, bias, mult, shift *executor.Tensor) {
	sums := make([]int64, y.NumElements())
	at := func(a image, n, c, h, w int) int { return n*a.sn + c*a.sc + h*a.sh + w*a.sw }
	in, out, weights := lay.see(x), lay.see(y), nchw.see(w)
	xs, ws := executor.Slice[int8](x), executor.Slice[int8](w)
	cg, og := l.c/l.groups, l.o/l.groups
	for n := range l.n {
		for o := range l.o {
			for ci := range cg {
				for ky := range l.kernel[0] {
					for kx := range l.kernel[1] {
						weight := int64(0)
						if l.kind == "depthwise" {
							weight = int64(ws[at(weights, 0, ky, kx, o)])
						} else {
							weight = int64(ws[at(weights, o, ky, kx, ci)])
						}
						small := l.out
						if l.kind == "transpose" {
							small = [2]int{l.h, l.w}
						}
						for py := range small[0] {
							for px := range small[1] {
								qy, qx := py*l.stride[0]-l.pad[0]+ky*l.dil[0], px*l.stride[1]-l.pad[1]+kx*l.dil[1]
								iy, ix, oy, ox := qy, qx, py, px
								if l.kind == "transpose" {
									iy, ix, oy, ox = py, px, qy, qx
								}
								if iy < 0 || iy >= l.h || ix < 0 || ix >= l.w || oy < 0 || oy >= l.out[0] || ox < 0 || ox >= l.out[1] {
									continue
								}
								sums[at(out, n, o, oy, ox)] += weight * (int64(xs[at(in, n, o/og*cg+ci, iy, ix)]) - int64(l.zeroIn))
							}
						}
					}
				}
			}
		}
	}
	ys := executor.Slice[int8](y)
	for n := range l.n {
		for o := range l.o {
			for oy := range l.out[0] {
				for ox := range l.out[1] {
					i := at(out, n, o, oy, ox)
					v := exact(int32(sums[i])+executor.Slice[int32](bias)[o], scaling{executor.Slice[int32](mult)[o], executor.Slice[int32](shift)[o]})
					want := max(int64(l.lo), min(int64(l.hi), v+int64(l.zeroOut)))
					if int64(ys[i]) != want {
						t.Fatalf("%+v: (%d %d %d %d): got %d, want %d", l, n, o, oy, ox, ys[i], want)
					}
				}
			}
		}
	}
}
