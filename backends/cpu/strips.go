package cpu

import (
	"github.com/ptero-rt/ptero/backends/cpu/fmath"
	"github.com/ptero-rt/ptero/backends/cpu/lanes"
	"github.com/ptero-rt/ptero/backends/cpu/walk"
	"github.com/ptero-rt/ptero/executor"
)

// strip offers a way to fold many outputs at once, for inputs of the fold's type and a first output of type to.
func (c *reduceCall) strip(to executor.DType, s walk.Strip) { c.r.Strip, c.stripTo = s, to }

func sumStrip(outs *walk.Outputs, x []byte, n, step, next int, scratch []byte) {
	foldSums(executor.SliceBytes[float32](outs[0]), executor.SliceBytes[float32](x), n, step, next, 1, scratch)
}

func meanStrip(outs *walk.Outputs, x []byte, n, step, next int, scratch []byte) {
	foldSums(executor.SliceBytes[float32](outs[0]), executor.SliceBytes[float32](x), n, step, next, float64(n), scratch)
}

var addF64 = vector(lanes.AddF64, add[float64])

// foldSums adds as sumF32 and Acc.Sum do, in the same order.
func foldSums(y, x []float32, n, step, next int, count float64, scratch []byte) {
	if next != 1 {
		var a walk.Acc
		for j := range y {
			row := x[j*next:][:n]
			clear(a.F[:min(n, 8)])
			for i, v := range row {
				a.F[i&7] += float64(v)
			}
			y[j] = float32(a.Sum() / count)
		}
		return
	}
	w := len(y)
	clear(scratch[:64*w])
	lane := func(k int) []byte { return scratch[8*w*k:][:8*w] }
	for i := range n {
		fmath.Accumulate(executor.SliceBytes[float64](lane(i&7)), x[i*step:][:w])
	}
	for half := 4; half > 0; half /= 2 {
		for k := range min(half, max(n-half, 0)) { // the lanes beyond n are 0
			addF64(nil, lane(k), lane(k), lane(k+half), nil)
		}
	}
	for j, s := range executor.SliceBytes[float64](lane(0)) {
		y[j] = float32(s / count)
	}
}

func productStrip(outs *walk.Outputs, x []byte, n, step, next int, scratch []byte) {
	y, v := executor.SliceBytes[float32](outs[0]), executor.SliceBytes[float32](x)
	if next != 1 {
		for j := range y {
			p := 1.0
			for _, e := range v[j*next:][:n] {
				p *= float64(e)
			}
			y[j] = float32(p)
		}
		return
	}
	p := executor.SliceBytes[float64](scratch)[:len(y)]
	for j := range p {
		p[j] = 1
	}
	for i := range n {
		line := v[i*step:][:len(p)]
		for j, e := range line {
			p[j] *= float64(e)
		}
	}
	for j, e := range p {
		y[j] = float32(e)
	}
}

// extremeStrip finds the largest or the smallest, and which it was if that is asked for.
func extremeStrip(largest, which bool) walk.Strip {
	pick, fold := fmath.Min, lesser
	if largest {
		pick, fold = fmath.Max, greater
	}
	return func(outs *walk.Outputs, x []byte, n, step, next int, _ []byte) {
		y, v := executor.SliceBytes[float32](outs[0]), executor.SliceBytes[float32](x)
		switch {
		case which:
			fold(y, executor.SliceBytes[int64](outs[1]), v, n, step, next)
		case next == 1:
			copy(y, v)
			for i := 1; i < n; i++ {
				pick(y, v[i*step:][:len(y)], y)
			}
		case largest:
			for j := range y {
				best := v[j*next]
				for _, e := range v[j*next:][:n] {
					if e > best || e != e {
						best = e
					}
				}
				y[j] = best
			}
		default:
			for j := range y {
				best := v[j*next]
				for _, e := range v[j*next:][:n] {
					if e < best || e != e {
						best = e
					}
				}
				y[j] = best
			}
		}
	}
}

func argumentStrip(largest bool) walk.Strip {
	fold := lesser
	if largest {
		fold = greater
	}
	return func(outs *walk.Outputs, x []byte, n, step, next int, scratch []byte) {
		at := executor.SliceBytes[int64](outs[0])
		fold(executor.SliceBytes[float32](scratch)[:len(at)], at, executor.SliceBytes[float32](x), n, step, next)
	}
}

// greater picks the largest of n elements for each of y, the first of equals or the first NaN, and which it was.
func greater(y []float32, at []int64, x []float32, n, step, next int) {
	at = at[:len(y)]
	if next != 1 {
		for j := range y {
			row := x[j*next:][:n]
			best, where := row[0], 0
			for i, e := range row {
				if !(e <= best) && best == best {
					best, where = e, i
				}
			}
			y[j], at[j] = best, int64(where)
		}
		return
	}
	copy(y, x)
	clear(at)
	for i := 1; i < n; i++ {
		for j, e := range x[i*step:][:len(y)] {
			if best := y[j]; !(e <= best) && best == best {
				y[j], at[j] = e, int64(i)
			}
		}
	}
}

func lesser(y []float32, at []int64, x []float32, n, step, next int) {
	at = at[:len(y)]
	if next != 1 {
		for j := range y {
			row := x[j*next:][:n]
			best, where := row[0], 0
			for i, e := range row {
				if !(e >= best) && best == best {
					best, where = e, i
				}
			}
			y[j], at[j] = best, int64(where)
		}
		return
	}
	copy(y, x)
	clear(at)
	for i := 1; i < n; i++ {
		for j, e := range x[i*step:][:len(y)] {
			if best := y[j]; !(e >= best) && best == best {
				y[j], at[j] = e, int64(i)
			}
		}
	}
}
