package llm

import (
	"encoding/binary"
	"fmt"
	"math"

	"github.com/ptero-rt/ptero/backends/cpu/arg"
	"github.com/ptero-rt/ptero/backends/cpu/site"
	"github.com/ptero-rt/ptero/executor"
	"github.com/ptero-rt/ptero/memory"
)

func experts() executor.Op {
	sig := arg.Sign("llama::quantized_moe_ffn.out", "x gate_weight expert_bias packed_w13 packed_w2 num_activated_experts "+
		"num_experts hidden_dim dim group_size weight_nbit score_func route_scale out")
	return site.Planned(sig, func() site.Work { return &expertsCall{sig: sig} })
}

// expertsCall is a feed-forward layer of several experts, of which each token takes the few that its scores choose:
//
//	scores = x · gateᵀ, through a sigmoid (a bias counts for the choice only) or, once chosen, a softmax
//	out    = Σ weight · w2 · (silu(h₁) ⊙ h₃)       (h₁, h₃) = w13 · x
//
// Weights are integers of 4 or 8 bits with a scale for each group of a row, in torchao's universal format: see packed.
// Everything else is f32, as in ExecuTorch's own reference (extension/llm/custom_ops/op_moe.cpp).
type expertsCall struct {
	sig                    *arg.Signature
	x, gate, bias, up, low *executor.Tensor
	out                    *executor.Tensor
	take, count            int // experts of a token, experts
	hidden, dim            int
	group, bits            int
	sigmoid                bool
	scale                  float32
}

func (c *expertsCall) Plan(args []*executor.Value) error {
	sig, r := c.sig, c.sig.Read(args)
	floats, codes := arg.Of(arg.F32), arg.Of(arg.U8)
	c.x, c.gate, c.up, c.low, c.out = r.Of(0, floats), r.Of(1, floats), r.Of(3, codes), r.Of(4, codes), r.Of(r.Out(), floats)
	for i, t := range [...]*executor.Tensor{0: c.x, 1: c.gate, 3: c.up, 4: c.low} {
		r.Rank(i, t, 2)
	}
	if c.bias = r.Tensor(2); c.bias != nil && c.bias.NumElements() == 0 {
		c.bias = nil
	} else {
		r.Of(2, floats)
		r.Rank(2, c.bias, 1)
	}
	for i, to := range [...]*int{&c.take, &c.count, &c.hidden, &c.dim, &c.group, &c.bits} {
		*to = r.IntIn(5+i, 1, 1<<31)
	}
	score, scale := r.Text(11, ""), r.Double(12)
	if r.Err != nil {
		return r.Err
	}
	c.sigmoid, c.scale = score == "sigmoid", float32(scale)
	switch {
	case score != "sigmoid" && score != "softmax":
		return sig.Bad(11, "sigmoid or softmax", score)
	case score == "softmax" && c.bias != nil:
		return sig.Bad(2, "none with softmax", arg.List(c.bias.Sizes))
	case c.take > c.count:
		return sig.Bad(5, fmt.Sprintf("at most %d", c.count), fmt.Sprint(c.take))
	case c.bits != 4 && c.bits != 8:
		return sig.Bad(10, "4 or 8", fmt.Sprint(c.bits))
	case c.group%chunk != 0 || c.dim%c.group != 0 || c.hidden%c.group != 0:
		return sig.Bad(9, fmt.Sprintf("a multiple of %d that divides %d and %d", chunk, c.dim, c.hidden), fmt.Sprint(c.group))
	case c.x.Sizes[1] != c.dim:
		return sig.Bad(0, fmt.Sprintf("rows of %d", c.dim), arg.List(c.x.Sizes))
	case c.gate.Sizes[0] != c.count || c.gate.Sizes[1] != c.dim:
		return sig.Bad(1, fmt.Sprintf("sizes [%d %d]", c.count, c.dim), arg.List(c.gate.Sizes))
	case c.bias != nil && c.bias.Sizes[0] != c.count:
		return sig.Bad(2, fmt.Sprintf("sizes [%d]", c.count), arg.List(c.bias.Sizes))
	}
	for i, w := range [...]struct {
		t    *executor.Tensor
		n, k int
	}{{c.up, 2 * c.hidden, c.dim}, {c.low, c.dim, c.hidden}} {
		if want := c.matrix(w.n, w.k).bytes(); w.t.Sizes[0] != c.count || w.t.Sizes[1] < want || !w.t.IsContiguous() {
			return sig.Bad(3+i, fmt.Sprintf("a row of at least %d B for each of %d experts", want, c.count), arg.List(w.t.Sizes))
		}
	}
	return sig.Resize(sig.Out(), c.out, c.x.Sizes[0], c.dim)
}

func (c *expertsCall) matrix(n, k int) packed {
	return packed{n: n, k: k, group: c.group, bits: c.bits}
}

// floats is the temp memory: a token, its scores, those that choose, what passes through an expert.
func floats(count, hidden, dim int) int { return 2*dim + 3*count + 3*hidden }

func (c *expertsCall) BoundNeeds(args []*executor.Value) []memory.Need {
	var n [3]int
	for i, at := range [...]int{6, 7, 8} {
		x, err := c.sig.IntIn(args, at, 1, 1<<24)
		if err != nil || !args[at].Fixed() {
			return nil // refused in Run
		}
		n[i] = x
	}
	return []memory.Need{{Role: "experts", Place: memory.Temp, Bytes: 4 * uint64(floats(n[0], n[1], n[2])), Align: 64}}
}

func (c *expertsCall) Run(s *executor.Scope) error {
	temp, err := s.TempBytes(4 * floats(c.count, c.hidden, c.dim))
	if err != nil {
		return err
	}
	buf := executor.SliceBytes[float32](temp)
	cut := func(n int) []float32 {
		part := buf[:n]
		buf = buf[n:]
		return part
	}
	x, y, scores, ranks, taken := cut(c.dim), cut(c.dim), cut(c.count), cut(c.count), cut(c.count)
	both, mid := cut(2*c.hidden), cut(c.hidden)
	xs, out := executor.Slice[float32](c.x), executor.Slice[float32](c.out)
	up, low := c.matrix(2*c.hidden, c.dim), c.matrix(c.dim, c.hidden)
	for t := range c.x.Sizes[0] {
		for i := range x {
			x[i] = xs[t*c.x.Strides[0]+i*c.x.Strides[1]]
		}
		c.route(x, scores, ranks, taken)
		for i := range c.dim {
			out[t*c.out.Strides[0]+i*c.out.Strides[1]] = 0
		}
		for e, weight := range scores {
			if taken[e] == 0 {
				continue
			}
			up.apply(both, x, c.up.Data[e*c.up.Sizes[1]:])
			for i := range mid {
				mid[i] = both[i] * logistic(both[i]) * both[c.hidden+i]
			}
			low.apply(y, mid, c.low.Data[e*c.low.Sizes[1]:])
			for i, v := range y {
				out[t*c.out.Strides[0]+i*c.out.Strides[1]] += float32(weight * v)
			}
		}
	}
	return nil
}

// route leaves the weight of each expert in scores, and 1 in taken for those that the token takes.
func (c *expertsCall) route(x, scores, ranks, taken []float32) {
	gate := executor.Slice[float32](c.gate)
	for e := range scores {
		var sum float32
		for i, v := range x {
			sum += float32(v * gate[e*c.gate.Strides[0]+i*c.gate.Strides[1]])
		}
		if c.sigmoid {
			sum = logistic(sum)
		}
		scores[e], ranks[e], taken[e] = sum, sum, 0
		if c.bias != nil {
			ranks[e] += executor.Slice[float32](c.bias)[e*c.bias.Strides[0]]
		}
	}
	for range c.take {
		taken[next(ranks, taken)] = 1
	}
	c.weigh(scores, taken)
}

// next is the expert of the highest rank that is not taken, the first of equals; one of rank NaN only if no other is left.
func next(ranks, taken []float32) int {
	best := -1
	for e, r := range ranks {
		if taken[e] == 0 && (best < 0 || r > ranks[best] || r == r && ranks[best] != ranks[best]) {
			best = e
		}
	}
	return best
}

// weigh makes weights of the scores of the experts that are taken.
func (c *expertsCall) weigh(scores, taken []float32) {
	most, sum := float32(math.Inf(-1)), float32(0)
	for e, s := range scores {
		if taken[e] != 0 {
			most = max(most, s)
		}
	}
	for e := range scores {
		if taken[e] == 0 {
			continue
		}
		if !c.sigmoid {
			scores[e] = float32(math.Exp(float64(scores[e] - most)))
		}
		sum += scores[e]
	}
	scale := 1 / sum
	if c.sigmoid {
		scale = c.scale / max(sum, 0x1p-126)
	}
	for e := range scores {
		scores[e] *= scale
	}
}

func logistic(x float32) float32 { return float32(1 / (1 + math.Exp(-float64(x)))) }

// packed is a matrix [n][k] in torchao's universal format for 8-bit activations, after a header: panels of eight rows;
// in each, for each group along k, the integers in chunks of sixteen by eight rows (two halves of eight, row by row),
// then eight scales and eight sums. 4-bit numbers are biased by 8; of 32 the first 16 are the low halves of the bytes.
//
// Source: pytorch/ao torchao/csrc/cpu/torch_free_kernels/weight_packing/weight_packing.h at 19b12bd0 and
// fallback/bitpacking at 11e7cad1.
type packed struct{ n, k, group, bits int }

const (
	packedHeader = 64
	panel        = 8
	chunk        = 16
)

func (p packed) bytes() int {
	return packedHeader + (p.n+panel-1)/panel*panel*(p.k/8*p.bits+8*(p.k/p.group))
}

// apply computes y = W·x.
func (p packed) apply(y, x []float32, w []byte) {
	w = w[packedHeader:]
	var q [panel * chunk]float32
	for n := 0; n < p.n; n += panel {
		var sum [panel]float32
		for g := 0; g < p.k; g += p.group {
			var part [panel]float32
			for k := g; k < g+p.group; k += chunk {
				w = w[p.unpack(&q, w):]
				for half := range 2 {
					xs := x[k+8*half:][:8]
					for r := range part {
						qs := q[half*64+r*8:][:8]
						for i, v := range xs {
							part[r] += float32(v * qs[i])
						}
					}
				}
			}
			for r := range sum {
				sum[r] += float32(part[r] * math.Float32frombits(binary.LittleEndian.Uint32(w[4*r:])))
			}
			w = w[8*panel:]
		}
		copy(y[n:p.n], sum[:])
	}
}

// unpack reads the integers of a chunk and gives the number of bytes they took.
func (p packed) unpack(q *[panel * chunk]float32, w []byte) int {
	if p.bits == 8 {
		for i := range q {
			q[i] = float32(int8(w[i]))
		}
		return len(q)
	}
	for i := range q {
		b := w[i/32*16+i%16]
		if i%32 >= 16 {
			b >>= 4
		}
		q[i] = float32(int(b&15) - 8)
	}
	return len(q) / 2
}
