package llm

import (
	"fmt"

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
	sig := c.sig
	var err error
	if c.value, err = rank4(sig, args, 0); err != nil {
		return err
	}
	if c.cache, err = rank4(sig, args, 1); err != nil {
		return err
	}
	if !c.byIndex {
		return planAppend(sig, args, &c.place, 0, 1, 2)
	}
	if err := fitsCache(sig, 0, c.value, c.cache); err != nil {
		return err
	}
	if c.indices, err = sig.Tensor(args, 3); err != nil {
		return err
	}
	if err := sig.DType(3, c.indices, arg.Of(arg.I64)); err != nil {
		return err
	}
	if c.indices.Rank() != 2 || c.indices.Sizes[0] != c.value.Sizes[0] || c.indices.Sizes[1] != c.value.Sizes[1] {
		return sig.Bad(3, "sizes "+arg.List(c.value.Sizes[:2]), arg.List(c.indices.Sizes))
	}
	return nil
}

// fitsCache wants a value, argument i, to be like the cache but for the number of positions.
func fitsCache(sig *arg.Signature, i int, value, cache *executor.Tensor) error {
	if value.DType != cache.DType {
		return sig.Bad(i, cache.DType.String(), value.DType.String())
	}
	for _, d := range [...]int{0, 2, 3} {
		if value.Sizes[d] != cache.Sizes[d] {
			return sig.Bad(i, fmt.Sprintf("size %d in dimension %d, as the cache", cache.Sizes[d], d), fmt.Sprint(value.Sizes[d]))
		}
	}
	return nil
}

// planAppend plans the copy of the value into the cache from a position on; v, c and pos are argument positions.
func planAppend(sig *arg.Signature, args []*executor.Value, p *walk.Place, v, c, pos int) error {
	value, err := rank4(sig, args, v)
	if err != nil {
		return err
	}
	cache, err := rank4(sig, args, c)
	if err != nil {
		return err
	}
	if err := fitsCache(sig, v, value, cache); err != nil {
		return err
	}
	if value.Sizes[1] > cache.Sizes[1] {
		return sig.Bad(v, fmt.Sprintf("at most %d positions", cache.Sizes[1]), fmt.Sprint(value.Sizes[1]))
	}
	start, err := sig.IntIn(args, pos, 0, int64(cache.Sizes[1]-value.Sizes[1]))
	if err != nil {
		return err
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
