package llm

import (
	"fmt"
	"math"

	"github.com/ptero-rt/ptero/backends/cpu/arg"
	"github.com/ptero-rt/ptero/backends/cpu/dense"
	"github.com/ptero-rt/ptero/backends/cpu/fmath"
	"github.com/ptero-rt/ptero/backends/cpu/site"
	"github.com/ptero-rt/ptero/backends/cpu/walk"
	"github.com/ptero-rt/ptero/executor"
	"github.com/ptero-rt/ptero/internal/fault"
	"github.com/ptero-rt/ptero/memory"
)

func customSDPA() executor.Op {
	sig := arg.Sign("llama::custom_sdpa.out", "query key value start_pos attn_mask drpout_p is_causal scale out")
	return site.Planned(sig, func() site.Work { return newSDPA(sig, places{start: 3, mask: 4}) })
}

// quantizedSDPA takes int8 queries, keys and values with a scale and a zero point a row. Older files lack
// is_seq_at_dim_2.
func quantizedSDPA() executor.Op {
	names := "query key value start_pos attn_mask drpout_p is_causal scale " +
		"q_zero_points q_scales k_zero_points k_scales v_zero_points v_scales "
	old := arg.Sign("llama::custom_quantized_sdpa.out", names+"out")
	sig := arg.Sign("llama::custom_quantized_sdpa.out", names+"is_seq_at_dim_2 out")
	now := site.Planned(sig, func() site.Work { return newSDPA(sig, places{start: 3, mask: 4, params: 8, second: 14}) })
	return site.Grown(now, site.Planned(old, func() site.Work { return newSDPA(old, places{start: 3, mask: 4, params: 8}) }), old.Out())
}

// cachedSDPA appends keys and values to their caches and attends over them.
func cachedSDPA() executor.Op {
	sig := arg.Sign("llama::sdpa_with_kv_cache.out",
		"query key value key_cache value_cache start_pos seq_len attn_mask drpout_p is_causal scale out")
	op := site.Planned(sig, func() site.Work { return newSDPA(sig, places{start: 5, mask: 7, cached: true}) })
	op.Mutates = []int{3, 4}
	return op
}

// places are positions of arguments; dropout, causality and scale follow the mask.
type places struct {
	start, mask int
	params      int // of six parameters of quantised tensors; 0: none
	second      int // of the flag that says where positions are; 0: none
	cached      bool
}

// sdpaCall is softmax(scale · Q · Kᵀ + mask) · V for each head, over the positions up to start_pos and those of the query.
// Several query heads may share a key head. f16 and bf16 are computed in f32; what every key is masked for is 0.
type sdpaCall struct {
	sig            *arg.Signature
	at             places
	q, k, v, out   *executor.Tensor
	params         [6]*executor.Tensor // zero points and scales of q, k, v
	mask           *executor.Tensor
	maskLoad       walk.Load
	maskFrom       executor.DType
	appends        [2]walk.Place
	seq, head      int // dimensions
	start, keys    int
	causal         bool
	scale          float64
	wide           bool // f64
	head32         attend[float32]
	head64         attend[float64]
	loaded, stored walk.Load
	from           executor.DType
}

func newSDPA(sig *arg.Signature, at places) *sdpaCall {
	c := &sdpaCall{sig: sig, at: at}
	c.head32.open()
	c.head64.open()
	return c
}

func (c *sdpaCall) Plan(args []*executor.Value) error {
	r := c.sig.Read(args)
	if err := c.tensors(&r); err != nil {
		return err
	}
	n, most := c.q.Sizes[c.seq], c.k.Sizes[c.seq]
	if n > most {
		return c.sig.Bad(0, fmt.Sprintf("at most %d positions, as the keys", most), fmt.Sprint(n))
	}
	c.start = r.IntIn(c.at.start, 0, int64(most-n))
	c.keys = c.start + n
	if c.at.cached {
		for i := range c.appends {
			if err := planAppend(&r, &c.appends[i], 1+i, 3+i, c.at.start); err != nil {
				return err
			}
		}
		if s := r.Int(c.at.start + 1); s != int64(n) {
			r.Bad(c.at.start+1, fmt.Sprint(n), fmt.Sprint(s))
		}
	}
	c.causal = r.Bool(c.at.mask + 2)
	c.scale = r.DoubleOr(c.at.mask+3, 1/math.Sqrt(float64(c.q.Sizes[3])))
	if r.Err != nil {
		return r.Err
	}
	if err := c.masked(&r, n, most); err != nil {
		return err
	}
	return c.types(&r)
}

// tensors reads and compares shapes.
func (c *sdpaCall) tensors(r *arg.Reader) error {
	sig := c.sig
	c.seq, c.head = 1, 2
	if c.at.second > 0 && r.Bool(c.at.second) {
		c.seq, c.head = 2, 1
	}
	k := 1
	if c.at.cached {
		k = 3
	}
	c.q, c.k, c.v, c.out = rank4(r, 0), rank4(r, k), rank4(r, k+1), rank4(r, r.Out())
	if r.Err != nil {
		return r.Err
	}
	heads := c.k.Sizes[c.head]
	if heads == 0 || c.q.Sizes[c.head]%heads != 0 {
		return sig.Bad(0, fmt.Sprintf("a multiple of %d heads", heads), fmt.Sprint(c.q.Sizes[c.head]))
	}
	if c.k.Sizes[0] != c.q.Sizes[0] || c.k.Sizes[3] != c.q.Sizes[3] {
		return sig.Bad(k, fmt.Sprintf("batch and width as the query's %s", arg.List(c.q.Sizes)), arg.List(c.k.Sizes))
	}
	for d, n := range c.k.Sizes {
		if c.v.Sizes[d] != n {
			return sig.Bad(k+1, "sizes "+arg.List(c.k.Sizes), arg.List(c.v.Sizes))
		}
	}
	return sig.Resize(sig.Out(), c.out, c.q.Sizes...)
}

// masked reads the mask: a row for each query position, over the positions so far or the whole cache.
func (c *sdpaCall) masked(r *arg.Reader, n, most int) error {
	sig := c.sig
	if c.mask = r.Optional(c.at.mask); c.mask == nil {
		return r.Err
	}
	if c.mask.NumElements() == 0 {
		c.mask = nil
		return nil
	}
	if c.causal {
		return sig.Bad(c.at.mask, "none where is_causal is set", arg.List(c.mask.Sizes))
	}
	if c.mask.Rank() != 2 || c.mask.Sizes[0] != n || c.mask.Sizes[1] != most && c.mask.Sizes[1] != c.keys {
		return sig.Bad(c.at.mask, fmt.Sprintf("sizes [%d %d] or [%d %d]", n, most, n, c.keys), arg.List(c.mask.Sizes))
	}
	c.keys = c.mask.Sizes[1]
	return nil
}

func (c *sdpaCall) types(r *arg.Reader) error {
	sig := c.sig
	want, result := arg.Floats, c.q.DType
	if c.at.params > 0 && c.q.DType == arg.I8 {
		want, result = arg.Of(arg.I8), arg.F32
	}
	if err := sig.DType(0, c.q, want); err != nil {
		return err
	}
	for _, t := range [...]*executor.Tensor{c.k, c.v} {
		if t.DType != c.q.DType {
			return sig.Wrong("keys and values of "+c.q.DType.String(), t.DType.String())
		}
	}
	if c.out.DType != result {
		return sig.Bad(sig.Out(), result.String(), c.out.DType.String())
	}
	c.wide = c.q.DType == arg.F64
	if c.q.DType == arg.I8 {
		if err := c.quantized(r); err != nil {
			return err
		}
	}
	as := arg.Compute(result)
	if c.from != c.q.DType || c.stored == nil {
		c.from = c.q.DType
		c.loaded, c.stored = walk.Loader(c.q.DType, as), walk.Loader(as, result)
	}
	if c.mask != nil && (c.maskLoad == nil || c.maskFrom != c.mask.DType) {
		c.maskFrom = c.mask.DType
		if c.maskLoad = walk.Loader(c.mask.DType, as); c.maskLoad == nil || !(arg.Floats | arg.Of(arg.Bool)).Has(c.mask.DType) {
			return sig.Bad(c.at.mask, (arg.Floats | arg.Of(arg.Bool)).String(), c.mask.DType.String())
		}
	}
	return nil
}

// quantized reads zero points and scales, one for each row of q, k and v.
func (c *sdpaCall) quantized(r *arg.Reader) error {
	for i := range c.params {
		at := c.at.params + i
		of, want := [...]*executor.Tensor{c.q, c.k, c.v}[i/2], arg.I8
		if i%2 == 1 {
			want = arg.F32
		}
		t := rank4(r, at)
		if r.Of(at, arg.Of(want)); r.Err != nil {
			return r.Err
		}
		for d, n := range of.Sizes[:3] {
			if t.Sizes[d] != n {
				return c.sig.Bad(at, fmt.Sprintf("a number for each row of %s", arg.List(of.Sizes)), arg.List(t.Sizes))
			}
		}
		if t.Sizes[3] != 1 {
			return c.sig.Bad(at, "size 1 in the last dimension", fmt.Sprint(t.Sizes[3]))
		}
		c.params[i] = t
	}
	return nil
}

func (c *sdpaCall) BoundNeeds(args []*executor.Value) []memory.Need {
	k := 1
	if c.at.cached {
		k = 3
	}
	q, keys := args[0].Tensor(), args[k].Tensor()
	if q == nil || keys == nil || q.Rank() != 4 || keys.Rank() != 4 {
		return nil // refused in Run
	}
	// Where positions are is only known in Run if the flag is not fixed: the larger of the two counts.
	most, heads := keys.Sizes[1], min(keys.Sizes[1], keys.Sizes[2])
	if c.at.second > 0 {
		most = max(most, keys.Sizes[2])
	} else {
		heads = keys.Sizes[2]
	}
	size := 4
	if q.DType == arg.F64 {
		size = 8
	}
	rows := min(blockRows, max(q.Sizes[1]*q.Sizes[2]/max(heads, 1), 1))
	lie := func(i int) bool {
		t := args[i].Tensor()
		return c.at.second == 0 && t != nil && t.Rank() == 4 && t.Dynamism == 0 && lies(t, 1)
	}
	bytes := uint64(size * extent(rows, most, q.Sizes[3], lie(k), lie(k+1)).total)
	return []memory.Need{{Role: "attention", Place: memory.Temp, Bytes: bytes, Align: 64}}
}

func (c *sdpaCall) Run(s *executor.Scope) error {
	if c.at.cached {
		for i := range c.appends {
			if err := c.appends[i].Run(s); err != nil {
				return fault.Under(c.sig.Op, err)
			}
		}
	}
	if c.out.NumElements() == 0 {
		return nil
	}
	if c.wide {
		return c.head64.run(s, c, dense.Best())
	}
	return c.head32.run(s, c, dense.Best())
}

// row loads the D numbers of a row of q, k or v (which is 0, 1 or 2).
func (c *sdpaCall) row(dst []byte, which int, t *executor.Tensor, b, h, n int) {
	var i [3]int
	i[0], i[c.head], i[c.seq] = b, h, n
	off := i[0]*t.Strides[0] + i[1]*t.Strides[1] + i[2]*t.Strides[2]
	d := t.Sizes[3]
	if t.DType != arg.I8 {
		c.loaded(dst, t.Data, off, t.Strides[3], d)
		return
	}
	z, s := c.params[2*which], c.params[2*which+1]
	zero := executor.Slice[int8](z)[i[0]*z.Strides[0]+i[1]*z.Strides[1]+i[2]*z.Strides[2]]
	scale := executor.Slice[float32](s)[i[0]*s.Strides[0]+i[1]*s.Strides[1]+i[2]*s.Strides[2]]
	x, y := executor.Slice[int8](t)[off:], executor.SliceBytes[float32](dst)[:d]
	if t.Strides[3] == 1 {
		fmath.DecodeI8(y, x[:d], int32(zero), scale)
		return
	}
	for k := range y {
		y[k] = float32(int32(x[k*t.Strides[3]])-int32(zero)) * scale
	}
}
