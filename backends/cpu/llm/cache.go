package llm

import (
	"fmt"
	"slices"

	"github.com/ptero-rt/ptero/backends/cpu/arg"
	"github.com/ptero-rt/ptero/backends/cpu/site"
	"github.com/ptero-rt/ptero/backends/cpu/walk"
	"github.com/ptero-rt/ptero/executor"
)

func updateCache() executor.Op {
	sig := arg.Sign("llama::update_cache.out", "value cache start_pos out")
	op := site.Planned(sig, func() site.Work { return &cacheCall{sig: sig} })
	op.Mutates = []int{1}
	return op
}

func updateCacheAt() executor.Op {
	sig := arg.Sign("llama::update_cache_with_indices.out", "value cache start_pos indices out")
	op := site.Planned(sig, func() site.Work { return &cacheCall{sig: sig, byIndex: true} })
	op.Mutates = []int{1}
	return op
}

// cacheCall writes a value of some positions into a cache: in a row from start_pos on, or where indices say. The output
// is a placeholder that nothing is written to.
type cacheCall struct {
	sig          *arg.Signature
	byIndex      bool
	value, cache *executor.Tensor
	indices      *executor.Tensor
	place        walk.Place
}

func (c *cacheCall) Plan(args []*executor.Value) error {
	r := c.sig.Read(args)
	if !c.byIndex {
		return planAppend(&r, &c.place, 0, 1, 2)
	}
	c.value, c.cache = valueOf(&r, 0, 1)
	if c.indices = r.Of(3, arg.Of(arg.I64)); r.Err != nil {
		return r.Err
	}
	if !slices.Equal(c.indices.Sizes, c.value.Sizes[:2]) {
		r.Bad(3, "sizes "+arg.List(c.value.Sizes[:2]), arg.List(c.indices.Sizes))
	}
	return r.Err
}

// valueOf reads a value and its cache, which it is like but for the number of positions.
func valueOf(r *arg.Reader, v, c int) (value, cache *executor.Tensor) {
	value, cache = rank4(r, v), rank4(r, c)
	if r.Like(v, cache); r.Err != nil {
		return nil, nil
	}
	for _, d := range [...]int{0, 2, 3} {
		if value.Sizes[d] != cache.Sizes[d] {
			r.Bad(v, fmt.Sprintf("size %d in dimension %d, as the cache", cache.Sizes[d], d), fmt.Sprint(value.Sizes[d]))
		}
	}
	return value, cache
}

// planAppend plans the copy of the value into the cache from a position on; v, c and pos are argument positions.
func planAppend(r *arg.Reader, p *walk.Place, v, c, pos int) error {
	value, cache := valueOf(r, v, c)
	if r.Err != nil {
		return r.Err
	}
	if value.Sizes[1] > cache.Sizes[1] {
		r.Bad(v, fmt.Sprintf("at most %d positions", cache.Sizes[1]), fmt.Sprint(value.Sizes[1]))
	}
	start := r.IntIn(pos, 0, int64(cache.Sizes[1]-value.Sizes[1]))
	if r.Err != nil {
		return r.Err
	}
	p.Start(value)
	copy(p.To.Stride[:], cache.Strides)
	p.To.Base = start * cache.Strides[1]
	return p.Plan(cache)
}

func (c *cacheCall) Run(s *executor.Scope) error {
	if !c.byIndex {
		return c.place.Run(s)
	}
	at, most := executor.Slice[int64](c.indices), int64(c.cache.Sizes[1])
	for _, p := range at {
		if p < 0 || p >= most {
			return c.sig.Bad(3, fmt.Sprintf("positions in 0…%d", most-1), fmt.Sprint(p))
		}
	}
	v, k, size := c.value, c.cache, c.value.DType.Size()
	if v.NumElements() == 0 {
		return nil
	}
	heads, width := v.Sizes[2], v.Sizes[3]
	move := walk.View{N: width, Rank: 1}
	to := move
	move.Size[0], move.Stride[0] = width, v.Strides[3]
	to.Size[0], to.Stride[0] = width, k.Strides[3]
	for b := range v.Sizes[0] {
		for s := range v.Sizes[1] {
			p := int(at[b*c.indices.Strides[0]+s*c.indices.Strides[1]])
			for h := range heads {
				var from, into walk.Cursor
				from.Off = b*v.Strides[0] + s*v.Strides[1] + h*v.Strides[2]
				into.Off = b*k.Strides[0] + p*k.Strides[1] + h*k.Strides[2]
				walk.Transfer(k.Data, &to, &into, v.Data, &move, &from, size, width)
			}
		}
	}
	return nil
}
