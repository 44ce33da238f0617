package llm

import (
	"fmt"
	"math"

	"github.com/ptero-rt/ptero/backends/cpu/arg"
	"github.com/ptero-rt/ptero/backends/cpu/fmath"
	"github.com/ptero-rt/ptero/backends/cpu/site"
	"github.com/ptero-rt/ptero/executor"
	"github.com/ptero-rt/ptero/memory"
)

func deltaRule(name string) executor.Op {
	sig := arg.Sign(name, "query key value decay beta initial_state out final_state_out")
	return site.Planned(sig, func() site.Work { return &deltaCall{sig: sig} })
}

// deltaCall is linear attention by the gated delta rule. For each head, with a state of keys by values, token by token:
//
//	state ← state · decay            decay: one number for each key channel, or one for all
//	state ← state + k ⊗ (v − kᵀ·state) · beta
//	out   ← qᵀ · state
//
// Several query heads may share the state of one key head. Everything is f32.
type deltaCall struct {
	sig            *arg.Signature
	t              [8]*executor.Tensor
	heads, share   int
	tokens, dk, dv int
}

const (
	query = iota
	key
	value
	decay
	beta
	initial
	output
	final
)

func (c *deltaCall) BoundNeeds(args []*executor.Value) []memory.Need {
	n := 1
	if t := args[value].Tensor(); t != nil && t.Rank() > 0 {
		n = t.Sizes[t.Rank()-1]
	}
	return []memory.Need{{Role: "corrections", Place: memory.Temp, Bytes: uint64(4 * max(n, 1)), Align: 64}}
}

func (c *deltaCall) Plan(args []*executor.Value) error {
	sig, r := c.sig, c.sig.Read(args)
	for i := range c.t {
		t := r.Of(i, arg.Of(arg.F32))
		rank := 4
		if i == beta || i == decay && t != nil && t.Rank() == 3 {
			rank = 3
		}
		r.Rank(i, t, rank)
		c.t[i] = t
	}
	if r.Err != nil {
		return r.Err
	}
	q, k, v := c.t[query].Sizes, c.t[key].Sizes, c.t[value].Sizes
	if k[1] == 0 || q[1]%k[1] != 0 {
		return sig.Bad(query, fmt.Sprintf("a multiple of %d heads", k[1]), fmt.Sprint(q[1]))
	}
	b, h, n, dk, dv := k[0], k[1], k[2], k[3], v[3]
	for i, want := range [...][4]int{query: {b, q[1], n, dk}, value: {b, h, n, dv}, decay: {b, h, n, dk}, beta: {b, h, n}, initial: {b, h, dk, dv}} {
		if i == key {
			continue
		}
		for d, have := range c.t[i].Sizes {
			if have != want[d] {
				return sig.Bad(i, "sizes "+arg.List(want[:c.t[i].Rank()]), arg.List(c.t[i].Sizes))
			}
		}
	}
	r.Resize(output, c.t[output], b, q[1], n, dv)
	r.Resize(final, c.t[final], b, h, dk, dv)
	c.heads, c.share, c.tokens, c.dk, c.dv = h, q[1]/h, n, dk, dv
	return r.Err
}

// at is the first element of a head and token.
func at(t *executor.Tensor, b, h, n int) int {
	return b*t.Strides[0] + h*t.Strides[1] + n*t.Strides[2]
}

func (c *deltaCall) Run(s *executor.Scope) error {
	temp, err := s.TempBytes(4 * max(c.dv, 1))
	if err != nil {
		return err
	}
	fix := executor.SliceBytes[float32](temp)[:c.dv]
	for b := range c.t[key].Sizes[0] {
		for h := range c.heads {
			c.start(b, h)
			for n := range c.tokens {
				c.token(b, h, n, fix)
			}
		}
	}
	return nil
}

// start copies the initial state of a head.
func (c *deltaCall) start(b, h int) {
	from, to := c.t[initial], c.t[final]
	x, y := executor.Slice[float32](from), executor.Slice[float32](to)
	for i := range c.dk {
		p, q := at(from, b, h, i), at(to, b, h, i)
		for j := range c.dv {
			y[q+j*to.Strides[3]] = x[p+j*from.Strides[3]]
		}
	}
}

// minusZero changes nothing that it is added to.
var minusZero = float32(math.Copysign(0, -1))

func (c *deltaCall) token(b, h, n int, fix []float32) {
	k, v, d, state := c.t[key], c.t[value], c.t[decay], c.t[final]
	xs := executor.Slice[float32](state)
	ks, ds := executor.Slice[float32](k), executor.Slice[float32](d)
	step := state.Strides[3]
	clear(fix)
	for i := range c.dk {
		fade := at(d, b, h, n)
		if d.Rank() == 4 {
			fade += i * d.Strides[3]
		}
		g, x := ds[fade], ks[at(k, b, h, n)+i*k.Strides[3]]
		row := at(state, b, h, i)
		if step == 1 {
			line := xs[row:][:c.dv]
			fmath.Line(line, line, g, minusZero)
			fmath.AddScaled(fix, fix, line, x)
			continue
		}
		for j := range fix {
			e := xs[row+j*step] * g
			xs[row+j*step] = e
			fix[j] += float32(e * x)
		}
	}
	weight := executor.Slice[float32](c.t[beta])[at(c.t[beta], b, h, n)]
	vs, from := executor.Slice[float32](v), at(v, b, h, n)
	for j := range fix {
		fix[j] = (vs[from+j*v.Strides[3]] - fix[j]) * weight
	}
	for i := range c.dk {
		x, row := ks[at(k, b, h, n)+i*k.Strides[3]], at(state, b, h, i)
		if step == 1 {
			line := xs[row:][:c.dv]
			fmath.AddScaled(line, line, fix, x)
			continue
		}
		for j, f := range fix {
			xs[row+j*step] += float32(x * f)
		}
	}
	for g := range c.share {
		c.answer(b, h, h*c.share+g, n, fix)
	}
}

// answer writes what a query head reads from the state of head h.
func (c *deltaCall) answer(b, h, qh, n int, sum []float32) {
	q, state, out := c.t[query], c.t[final], c.t[output]
	xs, qs, ys := executor.Slice[float32](state), executor.Slice[float32](q), executor.Slice[float32](out)
	clear(sum)
	for i := range c.dk {
		x, row := qs[at(q, b, qh, n)+i*q.Strides[3]], at(state, b, h, i)
		if state.Strides[3] == 1 {
			fmath.AddScaled(sum, sum, xs[row:][:c.dv], x)
			continue
		}
		for j := range sum {
			sum[j] += float32(x * xs[row+j*state.Strides[3]])
		}
	}
	to := at(out, b, qh, n)
	for j, e := range sum {
		ys[to+j*out.Strides[3]] = e
	}
}
