package llm_test

import (
	"cmp"
	"encoding/binary"
	"math"
	"math/rand/v2"
	"slices"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/ptero-rt/ptero/backends/cpu/arg"
	"github.com/ptero-rt/ptero/backends/cpu/llm"
	"github.com/ptero-rt/ptero/backends/cpu/optest"
	"github.com/ptero-rt/ptero/executor"
	"github.com/ptero-rt/ptero/internal/workers"
)

var all = executor.Ops{}.Add(llm.Ops()...)

func call(t *testing.T, w *workers.Pool, name string, args ...*executor.Value) error {
	t.Helper()
	op, ok := all[name]
	require.True(t, ok, name)
	return optest.Call(t, w, op, args...)
}

func val(t *executor.Tensor) *executor.Value { return executor.NewTensorValue(t) }

func random(r *rand.Rand, d executor.DType, sizes ...int) *executor.Tensor {
	return optest.Random(r, d, func() float64 {
		if d == arg.I8 {
			return math.Round(r.NormFloat64() * 40)
		}
		return r.NormFloat64()
	}, sizes...)
}

var at = optest.At

// attention is the definition, in f64: of query (b, n, h), over keys of head h/share.
func attention(q, k, v func(b, n, h, d int) float64, b, n, h, kvHead, width, keys int, scale float64, mask func(key int) float64) []float64 {
	weights, most := make([]float64, keys), math.Inf(-1)
	for j := range weights {
		for d := range width {
			weights[j] += q(b, n, h, d) * k(b, j, kvHead, d)
		}
		weights[j] = weights[j]*scale + mask(j)
		most = max(most, weights[j])
	}
	out, sum := make([]float64, width), 0.0
	for j, w := range weights {
		e := math.Exp(w - most)
		sum += e
		for d := range out {
			out[d] += e * v(b, j, kvHead, d)
		}
	}
	for d := range out {
		out[d] /= sum
	}
	return out
}

func read(t *executor.Tensor) func(b, n, h, d int) float64 {
	return func(b, n, h, d int) float64 { return at(t, b, n, h, d) }
}

func TestAttentionAgainstNaive(t *testing.T) {
	r := rand.New(rand.NewPCG(1, 1))
	two := workers.New(2)
	defer two.Close()
	for i := range 80 {
		heads, share, width, length := 1+r.IntN(3), 1+r.IntN(3), 1+r.IntN(20), 1+r.IntN(90)
		n := 1 + r.IntN(min(length, 40))
		start := r.IntN(length - n + 1)
		d := []executor.DType{arg.F32, arg.F64, arg.F16, arg.BF16}[i%4]
		q, k, v := random(r, d, 2, n, heads*share, width), random(r, d, 2, length, heads, width), random(r, d, 2, length, heads, width)
		causal, keys := i%3 == 0, start+n
		var mask *executor.Tensor
		maskArg := executor.NewNone()
		if i%3 == 1 {
			keys = length
			mask = random(r, arg.F32, n, length)
			maskArg = val(mask)
		}
		tolerance := map[executor.DType]float64{arg.F32: 1e-5, arg.F64: 1e-10, arg.F16: 4e-3, arg.BF16: 4e-2}[d]
		if d == arg.F64 && mask != nil {
			tolerance = 1e-6
		}
		var first []byte
		for _, w := range []*workers.Pool{nil, two} {
			out := executor.NewTensorOrder(d, q.Sizes, q.DimOrder, nil)
			require.NoError(t, call(t, w, "llama::custom_sdpa.out", val(q), val(k), val(v), executor.NewInt(int64(start)), maskArg,
				executor.NewDouble(0), executor.NewBool(causal), executor.NewNone(), val(out)))
			if first == nil {
				first = out.Data
			}
			require.Equal(t, first, out.Data)
			for b := range 2 {
				for p := range n {
					for h := range heads * share {
						want := attention(read(q), read(k), read(v), b, p, h, h/share, width, keys, 1/math.Sqrt(float64(width)), func(key int) float64 {
							switch {
							case causal && key > start+p:
								return math.Inf(-1)
							case mask != nil:
								return at(mask, p, key)
							}
							return 0
						})
						for e, x := range want {
							require.InDelta(t, x, at(out, b, p, h, e), tolerance)
						}
					}
				}
			}
		}
	}
}

func TestQuantizedAttention(t *testing.T) {
	r := rand.New(rand.NewPCG(2, 2))
	for i := range 20 {
		n, length, heads, width := 1+r.IntN(5), 6, 2, 8
		second := i%2 == 0
		sizes := func(n, width int) []int {
			if second {
				return []int{1, heads, n, width}
			}
			return []int{1, n, heads, width}
		}
		var data, zeros, scales [3]*executor.Tensor
		args := []*executor.Value{}
		for k, n := range []int{n, length, length} {
			data[k], zeros[k], scales[k] = random(r, arg.I8, sizes(n, width)...), random(r, arg.I8, sizes(n, 1)...), executor.NewTensor(arg.F32, sizes(n, 1), nil)
			for j := range executor.Slice[float32](scales[k]) {
				executor.Slice[float32](scales[k])[j] = 0.01 + 0.02*r.Float32()
			}
			args = append(args, val(data[k]))
		}
		args = append(args, executor.NewInt(1), executor.NewNone(), executor.NewDouble(0), executor.NewBool(true), executor.NewDouble(0.5))
		for k := range data {
			args = append(args, val(zeros[k]), val(scales[k]))
		}
		out := executor.NewTensor(arg.F32, sizes(n, width), nil)
		args = append(args, executor.NewBool(second), val(out))
		if !second { // as older files have it
			args = append(args[:len(args)-2], val(out))
		}
		place := func(n, h, d int) []int {
			if second {
				return []int{0, h, n, d}
			}
			return []int{0, n, h, d}
		}
		float := func(k int) func(b, n, h, d int) float64 {
			return func(_, n, h, d int) float64 {
				return (at(data[k], place(n, h, d)...) - at(zeros[k], place(n, h, 0)...)) * at(scales[k], place(n, h, 0)...)
			}
		}
		if n+1 > length {
			require.Error(t, call(t, nil, "llama::custom_quantized_sdpa.out", args...))
			continue
		}
		require.NoError(t, call(t, nil, "llama::custom_quantized_sdpa.out", args...))
		for p := range n {
			for h := range heads {
				want := attention(float(0), float(1), float(2), 0, p, h, h, width, n+1, 0.5, func(key int) float64 {
					if key > 1+p {
						return math.Inf(-1)
					}
					return 0
				})
				for d, x := range want {
					require.InDelta(t, x, at(out, place(p, h, d)...), 1e-4)
				}
			}
		}
	}
}

func TestRowsWithoutAnyKeyAreZero(t *testing.T) {
	r := rand.New(rand.NewPCG(3, 3))
	q, k := random(r, arg.F32, 1, 1, 1, 4), random(r, arg.F32, 1, 3, 1, 4)
	mask := executor.NewTensor(arg.Bool, []int{1, 3}, nil)
	out := executor.NewTensor(arg.F32, []int{1, 1, 1, 4}, nil)
	require.NoError(t, call(t, nil, "llama::custom_sdpa.out", val(q), val(k), val(k), executor.NewInt(0), val(mask),
		executor.NewDouble(0), executor.NewBool(false), executor.NewNone(), val(out)))
	require.Equal(t, make([]float32, 4), executor.Slice[float32](out))
}

func TestCaches(t *testing.T) {
	r := rand.New(rand.NewPCG(4, 4))
	value := random(r, arg.F16, 2, 2, 3, 4)
	for _, indexed := range []bool{false, true} {
		cache := executor.NewTensor(arg.F16, []int{2, 6, 3, 4}, nil)
		placeholder := val(executor.NewTensor(arg.F16, []int{1}, nil))
		positions := [2][2]int{{3, 4}, {3, 4}}
		if indexed {
			positions = [2][2]int{{5, 0}, {2, 2}}
			indices := executor.NewTensor(arg.I64, []int{2, 2}, nil)
			copy(executor.Slice[int64](indices), []int64{5, 0, 2, 2})
			require.NoError(t, call(t, nil, "llama::update_cache_with_indices.out", val(value), val(cache), executor.NewInt(0), val(indices), placeholder))
			for _, bad := range []int64{6, -1, math.MinInt64} {
				executor.Slice[int64](indices)[1] = bad
				require.Error(t, call(t, nil, "llama::update_cache_with_indices.out", val(value), val(cache), executor.NewInt(0), val(indices), placeholder))
			}
		} else {
			require.NoError(t, call(t, nil, "llama::update_cache.out", val(value), val(cache), executor.NewInt(3), placeholder))
			for _, bad := range []int64{-1, 5, 6, math.MaxInt64, math.MinInt64} {
				require.Error(t, call(t, nil, "llama::update_cache.out", val(value), val(cache), executor.NewInt(bad), placeholder))
			}
		}
		for b, row := range positions {
			for n, p := range row {
				if n == 0 && p == row[1] {
					continue // written over
				}
				for h := range 3 {
					for d := range 4 {
						require.Equal(t, at(value, b, n, h, d), at(cache, b, p, h, d))
					}
				}
			}
		}
	}
}

func TestHadamardIsItsOwnInverse(t *testing.T) {
	r := rand.New(rand.NewPCG(5, 5))
	for _, n := range []int{1, 2, 16, 256} {
		x := random(r, arg.F64, 3, n)
		y, z := executor.NewTensor(arg.F64, x.Sizes, nil), executor.NewTensor(arg.F64, x.Sizes, nil)
		require.NoError(t, call(t, nil, "llama::fast_hadamard_transform.out", val(x), val(y)))
		require.NoError(t, call(t, nil, "llama::fast_hadamard_transform.out", val(y), val(z)))
		for i := range 3 {
			for j := range n {
				require.InDelta(t, at(x, i, j), at(z, i, j), 1e-12)
			}
		}
	}
	for _, n := range []int{28, 112} { // rows are orthogonal, of length 28
		x := random(r, arg.F64, 1, n)
		y := executor.NewTensor(arg.F64, x.Sizes, nil)
		require.NoError(t, call(t, nil, "llama::fast_hadamard_transform.out", val(x), val(y)))
		before, after := 0.0, 0.0
		for j := range n {
			before += at(x, 0, j) * at(x, 0, j)
			after += at(y, 0, j) * at(y, 0, j)
		}
		require.InDelta(t, 28*before, after, 1e-9)
	}
	bad := executor.NewTensor(arg.F32, []int{2, 12}, nil)
	require.Error(t, call(t, nil, "llama::fast_hadamard_transform.out", val(bad), val(executor.NewTensor(arg.F32, []int{2, 12}, nil))))
}

func TestDeltaRuleAgainstNaive(t *testing.T) {
	r := rand.New(rand.NewPCG(6, 6))
	for i := range 20 {
		h, share, n, dk, dv := 1+r.IntN(2), 1+r.IntN(2), 1+r.IntN(5), 1+r.IntN(4), 1+r.IntN(4)
		q, k, v := random(r, arg.F32, 2, h*share, n, dk), random(r, arg.F32, 2, h, n, dk), random(r, arg.F32, 2, h, n, dv)
		fade := random(r, arg.F32, []int{2, h, n, dk}[:3+i%2]...)
		beta, state := random(r, arg.F32, 2, h, n), random(r, arg.F32, 2, h, dk, dv)
		out, final := random(r, arg.F32, 2, h*share, n, dv), random(r, arg.F32, 2, h, dk, dv)
		require.NoError(t, call(t, nil, "llama::gated_delta_rule.out", val(q), val(k), val(v), val(fade), val(beta), val(state), val(out), val(final)))
		for b := range 2 {
			for g := range h {
				s := make([][]float64, dk)
				for x := range s {
					s[x] = make([]float64, dv)
					for y := range s[x] {
						s[x][y] = at(state, b, g, x, y)
					}
				}
				for m := range n {
					for y := range dv {
						seen := 0.0
						for x := range dk {
							f := at(fade, []int{b, g, m, x}[:fade.Rank()]...)
							s[x][y] *= f
							seen += s[x][y] * at(k, b, g, m, x)
						}
						fix := (at(v, b, g, m, y) - seen) * at(beta, b, g, m)
						for x := range dk {
							s[x][y] += at(k, b, g, m, x) * fix
						}
						for o := range share {
							want := 0.0
							for x := range dk {
								want += s[x][y] * at(q, b, g*share+o, m, x)
							}
							require.InDelta(t, want, at(out, b, g*share+o, m, y), 1e-3*(1+math.Abs(want)))
						}
					}
				}
				for x := range dk {
					for y := range dv {
						require.InDelta(t, s[x][y], at(final, b, g, x, y), 1e-3*(1+math.Abs(s[x][y])))
					}
				}
			}
		}
	}
}

// experts packs random matrices [n][k] for each of count experts, and gives their values too.
func packedExperts(r *rand.Rand, count, n, k, group, bits int) (*executor.Tensor, [][]float64) {
	var bytes []byte
	var values [][]float64
	for range count {
		w := make([]float64, n*k)
		bytes = append(bytes, make([]byte, 64)...)
		for n0 := 0; n0 < n; n0 += 8 {
			for g := 0; g < k; g += group {
				scales := make([]float32, 8)
				for j := range scales {
					scales[j] = r.Float32() * 0.2
				}
				for k0 := g; k0 < g+group; k0 += 16 {
					var q [128]int
					for i := range q {
						q[i] = r.IntN(1<<bits) - 1<<(bits-1)
						half, row, at := i/64, i/8%8, i%8
						if n0+row < n {
							w[(n0+row)*k+k0+8*half+at] = float64(q[i]) * float64(scales[row])
						}
					}
					for i := 0; i < 128; i++ {
						switch {
						case bits == 8:
							bytes = append(bytes, byte(q[i]))
						case i%32 < 16:
							bytes = append(bytes, byte(q[i]+8|(q[i+16]+8)<<4))
						}
					}
				}
				for _, s := range scales {
					bytes = binary.LittleEndian.AppendUint32(bytes, math.Float32bits(s))
				}
				bytes = append(bytes, make([]byte, 32)...)
			}
		}
		values = append(values, w)
	}
	t := executor.NewTensor(arg.U8, []int{count, len(bytes) / count}, nil)
	copy(t.Data, bytes)
	return t, values
}

func TestExpertsAgainstNaive(t *testing.T) {
	r := rand.New(rand.NewPCG(7, 7))
	product := func(w, x []float64) []float64 {
		y := make([]float64, len(w)/len(x))
		for i := range y {
			for j, v := range x {
				y[i] += w[i*len(x)+j] * v
			}
		}
		return y
	}
	for i := range 12 {
		bits, group, dim, hidden, count := 4+i%2*4, 16, 32, 16, 4
		take := 1 + i%count
		x, gate := random(r, arg.F32, 3, dim), random(r, arg.F32, count, dim)
		up, w13 := packedExperts(r, count, 2*hidden, dim, group, bits)
		low, w2 := packedExperts(r, count, dim, hidden, group, bits)
		out := executor.NewTensor(arg.F32, []int{3, dim}, nil)
		args := []*executor.Value{val(x), val(gate), val(executor.NewTensor(arg.F32, []int{0}, nil)), val(up), val(low)}
		for _, n := range []int{take, count, hidden, dim, group, bits} {
			args = append(args, executor.NewInt(int64(n)))
		}
		args = append(args, executor.NewString("softmax"), executor.NewDouble(1), val(out))
		require.NoError(t, call(t, nil, "llama::quantized_moe_ffn.out", args...))
		for token := range 3 {
			row := make([]float64, dim)
			for j := range row {
				row[j] = at(x, token, j)
			}
			scores := make([]float64, count)
			for e := range scores {
				for j, v := range row {
					scores[e] += v * at(gate, e, j)
				}
			}
			order := []int{0, 1, 2, 3}
			slices.SortFunc(order, func(a, b int) int { return cmp.Compare(scores[b], scores[a]) })
			sum, want := 0.0, make([]float64, dim)
			for _, e := range order[:take] {
				weight := math.Exp(scores[e] - scores[order[0]])
				sum += weight
				h := product(w13[e], row)
				for j := range hidden {
					h[j] *= h[hidden+j] / (1 + math.Exp(-h[j]))
				}
				for j, v := range product(w2[e], h[:hidden]) {
					want[j] += weight * v
				}
			}
			for j := range want {
				require.InDelta(t, want[j]/sum, at(out, token, j), 1e-4*(1+math.Abs(want[j])))
			}
		}
		short := executor.NewTensor(arg.U8, []int{count, up.Sizes[1] - 1}, nil)
		args[3] = val(short)
		require.Error(t, call(t, nil, "llama::quantized_moe_ffn.out", args...))
	}
}
