package dense

import (
	"fmt"
	"math"
	"math/cmplx"
	"math/rand/v2"
	"testing"

	"github.com/ptero-rt/ptero/internal/workers"
	"github.com/stretchr/testify/require"
)

type pool struct{ *workers.Pool }

func (p pool) Parallel(parts int, t workers.Task) { p.Run(parts, t) }

func values[T Number](r *rand.Rand, n int) []T {
	s := make([]T, n)
	for i := range s {
		switch p := any(&s[i]).(type) {
		case *float32:
			*p = r.Float32()*2 - 1
		case *float64:
			*p = r.Float64()*2 - 1
		case *int32:
			*p = int32(r.Int64())
		case *int64:
			*p = r.Int64() - r.Int64()
		case *uint8:
			*p = uint8(r.Uint32())
		case *int16:
			*p = int16(r.Uint32())
		case *int8:
			*p = int8(r.Int64())
		case *complex64:
			*p = complex(r.Float32()*2-1, r.Float32()*2-1)
		case *complex128:
			*p = complex(r.Float64()*2-1, r.Float64()*2-1)
		}
	}
	return s
}

func testProduct[T Number](t *testing.T, r *rand.Rand, tier Tier, m, n, k int, close func(got, want T) bool) {
	lda, ldb, ldc := k+r.IntN(4), n+r.IntN(4), n+r.IntN(4)
	a, b, c, start := values[T](r, m*lda), values[T](r, k*ldb), values[T](r, m*ldc), values[T](r, m)
	for _, accumulate := range []bool{false, true} {
		for _, panels := range []bool{false, true} {
			got := append([]T{}, c...)
			p := Product[T]{M: m, N: n, K: k, A: a, LDA: lda, B: b, LDB: ldb, Off: make([]int32, OffsetCount), C: got, LDC: ldc, Start: start, Tier: tier}
			if accumulate {
				p.Start = nil
			}
			if panels {
				bt := make([]T, n*k)
				for i := range k {
					for j := range n {
						bt[j*k+i] = b[i*ldb+j]
					}
				}
				p.B, p.Panels = make([]T, PanelCount(n, k)), true
				PackPanels(p.B, bt, n, k, k, 1)
			}
			p.Setup()
			for i := range p.Parts() {
				p.Do(i)
			}
			for i := range m {
				for j := range ldc {
					if i*ldc+j >= len(c) {
						break
					}
					want := c[i*ldc+j]
					if j < n {
						if !accumulate {
							want = start[i]
						}
						for x := range k {
							want += a[i*lda+x] * b[x*ldb+j]
						}
					}
					if close(got[i*ldc+j], want) {
						continue
					}
					require.FailNow(t, "differs", "%v %dx%dx%d (%d,%d): got %v want %v", tier, m, n, k, i, j, got[i*ldc+j], want)
				}
			}
		}
	}
}

func TestProductAgreesWithTheNaiveSum(t *testing.T) {
	r := rand.New(rand.NewPCG(1, 2))
	shapes := [][3]int{{1, 1, 1}, {1, 100, 600}, {6, 16, 1}, {7, 17, 3}, {13, 35, 19}, {5, 3, 7}, {97, 257, 65}, {30, 49, 520}, {3, 4, 0}, {2, 15, 64}, {40, 1, 30}, {100, 1, 9}, {9, 8, 8}, {50, 8, 8}, {50, 5, 600}, {7, 3, 5}}
	for range 20 {
		shapes = append(shapes, [3]int{1 + r.IntN(40), 1 + r.IntN(80), r.IntN(70)})
	}
	for _, s := range shapes {
		for _, tier := range Tiers() {
			testProduct(t, r, tier, s[0], s[1], s[2], func(x, y float32) bool {
				return math.Abs(float64(x-y)) <= 4*float64(s[2]+1)*math.Ldexp(1, -24)*float64(s[2]+2)
			})
		}
		for _, tier := range Tiers() {
			testProduct(t, r, tier, s[0], s[1], s[2], func(x, y float64) bool { return math.Abs(x-y) < 1e-11 })
			testProduct(t, r, tier, s[0], s[1], s[2], func(x, y int32) bool { return x == y })
			testProduct(t, r, tier, s[0], s[1], s[2], func(x, y int64) bool { return x == y })
		}
		for _, tier := range Tiers() {
			testProduct(t, r, tier, s[0], s[1], s[2], func(x, y complex64) bool {
				return cmplx.Abs(complex128(x-y)) <= 8*float64(s[2]+1)*math.Ldexp(1, -24)*float64(s[2]+2)
			})
			testProduct(t, r, tier, s[0], s[1], s[2], func(x, y complex128) bool { return cmplx.Abs(x-y) < 1e-11 })
			testProduct(t, r, tier, s[0], s[1], s[2], func(x, y int8) bool { return x == y })
			testProduct(t, r, tier, s[0], s[1], s[2], func(x, y uint8) bool { return x == y })
			testProduct(t, r, tier, s[0], s[1], s[2], func(x, y int16) bool { return x == y })
		}
	}
}

func TestDotRowsAgreesWithTheNaiveSum(t *testing.T) {
	r := rand.New(rand.NewPCG(3, 4))
	for range 40 {
		m, n, k := 1+r.IntN(4), 1+r.IntN(150), r.IntN(80)
		a, b, c := values[float32](r, m*k), values[float32](r, n*k), make([]float32, m*n)
		for _, tier := range Tiers() {
			p := DotRows[float32]{M: m, N: n, K: k, A: a, LDA: k, B: b, LDB: k, C: c, LDC: n, Tier: tier}
			for i := range p.Parts() {
				p.Do(i)
			}
			for i := range m {
				for j := range n {
					want := 0.0
					for x := range k {
						want += float64(a[i*k+x]) * float64(b[j*k+x])
					}
					require.InDelta(t, want, c[i*n+j], 1e-5)
				}
			}
		}
	}
}

func BenchmarkProduct(b *testing.B) {
	r := rand.New(rand.NewPCG(1, 2))
	for _, s := range [][3]int{{198, 512, 512}, {12, 1024, 4096}, {512, 512, 512}, {96, 12544, 16}, {24, 3136, 144}, {160, 49, 960}, {1, 1000, 1280}, {64, 3136, 576}} {
		for _, tier := range Tiers() {
			m, n, k := s[0], s[1], s[2]
			p := Product[float32]{M: m, N: n, K: k, A: values[float32](r, m*k), LDA: k, B: values[float32](r, k*n), LDB: n, Off: make([]int32, OffsetCount), C: make([]float32, m*n), LDC: n, Start: make([]float32, m), Tier: tier}
			p.Setup()
			b.Run(fmt.Sprintf("%v/%dx%dx%d", tier, m, n, k), func(b *testing.B) {
				for b.Loop() {
					for i := range p.Parts() {
						p.Do(i)
					}
				}
				b.ReportMetric(2*float64(m*n*k)*float64(b.N)/b.Elapsed().Seconds()/1e9, "GFLOPS")
			})
		}
	}
}

func TestDotsInt8AgreesWithTheNaiveSum(t *testing.T) {
	r := rand.New(rand.NewPCG(5, 4))
	for range 100 {
		n, k := 1+r.IntN(20), r.IntN(100)
		a, b := values[int8](r, k), values[int8](r, n*(k+3))
		for _, tier := range Tiers() {
			c := make([]int32, n)
			DotsInt8(tier, a, b, k+3, c)
			for j := range n {
				want := int32(0)
				for x := range k {
					want += int32(a[x]) * int32(b[j*(k+3)+x])
				}
				require.Equal(t, want, c[j], "%v", tier)
			}
		}
	}
}

func TestDepthInt8AgreesWithTheNaiveSum(t *testing.T) {
	r := rand.New(rand.NewPCG(6, 4))
	for range 100 {
		n, taps := 1+r.IntN(70), r.IntN(26)
		x, w := values[int8](r, n*taps), values[int8](r, n*taps)
		for i := range x {
			if r.IntN(4) == 0 {
				x[i], w[i] = -128, -128
			}
		}
		for _, tier := range Tiers() {
			acc := make([]int32, n)
			DepthInt8(tier, taps, x, w, acc)
			for c := range n {
				want := int32(0)
				for k := range taps {
					want += int32(x[k*n+c]) * int32(w[k*n+c])
				}
				require.Equal(t, want, acc[c], "%v", tier)
			}
		}
	}
}

func TestDotsOfEveryType(t *testing.T) {
	r := rand.New(rand.NewPCG(7, 8))
	for range 60 {
		m, n, k := 1+r.IntN(3), 1+r.IntN(20), r.IntN(40)
		a, b := values[float64](r, m*(k+2)), values[float64](r, n*(k+1))
		for _, tier := range Tiers() {
			c := make([]float64, m*(n+1))
			dots(tier, m, n, k, a, k+2, b, k+1, c, n+1)
			for i := range m {
				for j := range n {
					want := 0.0
					for x := range k {
						want += a[i*(k+2)+x] * b[j*(k+1)+x]
					}
					require.InDelta(t, want, c[i*(n+1)+j], 1e-12)
				}
				require.Zero(t, c[i*(n+1)+n])
			}
		}
	}
}

func wholeDots[T Number](t *testing.T, r *rand.Rand, n, k int) {
	a, b := values[T](r, k), values[T](r, n*(k+1))
	for _, tier := range Tiers() {
		c := make([]T, n)
		dots(tier, 1, n, k, a, k, b, k+1, c, n)
		for j := range n {
			var want T
			for i := range k {
				want += a[i] * b[j*(k+1)+i]
			}
			require.Equal(t, want, c[j], "%v %dx%d (%d)", tier, n, k, j)
		}
	}
}
