package pack

import (
	"math"
)

// prices is a Lagrangian relaxation of pool assignment: a byte of a pool in a section has a price, and each item
// takes the pool where its cost and the bytes it fills are cheapest. The sum, less the price of all bytes there are, is a
// lower bound of the cost whatever the prices; the best prices give the bound of the linear program.
//
// Floating point is deterministic here: products are converted before they are added, so that no architecture fuses
// the two, and whoever compares with a bound leaves a margin.
type prices struct {
	s       *spread
	price   [][]float64 // by pool and section
	sum     [][]float64 // prefix sums of price
	reduced [][]float64 // by item and pool: cost and price of its bytes
	best    []int       // by item: the cheapest pool
	bound   float64
}

func newPrices(s *spread) *prices {
	l := &prices{s: s, best: make([]int, len(s.items))}
	for range s.capacity {
		l.price = append(l.price, make([]float64, s.sections))
		l.sum = append(l.sum, make([]float64, s.sections+1))
	}
	for range s.items {
		l.reduced = append(l.reduced, make([]float64, len(s.capacity)))
	}
	return l
}

// copyFrom makes l the same as o.
func (l *prices) copyFrom(o *prices) {
	for p := range o.price {
		copy(l.price[p], o.price[p])
	}
	l.evaluate()
}

// evaluate sets reduced, best and bound from price.
func (l *prices) evaluate() {
	l.bound = 0
	for p, price := range l.price {
		for t, v := range price {
			l.sum[p][t+1] = l.sum[p][t] + v
		}
		l.bound -= float64(l.sum[p][l.s.sections] * float64(l.s.capacity[p]))
	}
	for i := range l.s.items {
		it := &l.s.items[i]
		for k, p := range it.pools {
			l.reduced[i][p] = float64(it.cost[p]) + l.rent(it, p)
			if k == 0 || l.reduced[i][p] < l.reduced[i][l.best[i]] {
				l.best[i] = p
			}
		}
		l.bound += l.reduced[i][l.best[i]]
	}
}

// rent is the price of an item's bytes in a pool.
func (l *prices) rent(it *item, p int) (sum float64) {
	for _, d := range it.loads {
		sum += float64((l.sum[p][d.last] - l.sum[p][d.first]) * float64(d.bytes))
	}
	return sum
}

// surely lowers a bound by more than its rounding errors.
func surely(bound float64) float64 {
	if math.IsInf(bound, 0) {
		return bound
	}
	return bound - float64(1e-9*math.Abs(bound)) - 1e-3
}

const (
	priceSteps    = 300 // of the subgradient method
	pricePatience = 12  // steps without progress until the step is halved
)

// improve raises the bound by the subgradient method, with Polyak's step toward the cost of the best choice known, and
// makes choices by the reduced costs on the way, which l2 keeps. It returns the best prices.
func (l *prices) improve(f *filling) *prices {
	l.evaluate()
	top := newPrices(l.s)
	top.copyFrom(l)
	over := make([][]float64, len(l.price))
	for p := range over {
		over[p] = make([]float64, l.s.sections)
	}
	theta, idle := 1.0, 0
	for step := range priceSteps {
		if step%4 == 0 {
			f.byReducedCost(l)
		}
		norm := l.subgradient(over)
		if norm == 0 || theta < 1e-3 || f.lowest != nil && surely(top.bound) > float64(f.least-1) {
			break
		}
		goal := float64(top.bound*1.05) + 1
		if f.lowest != nil {
			goal = float64(f.least)
		}
		size := theta * (goal - l.bound) / norm
		for p := range l.price {
			for t := range l.price[p] {
				l.price[p][t] = max(0, l.price[p][t]+float64(size*over[p][t]))
			}
		}
		l.evaluate()
		if idle++; l.bound > top.bound {
			top.copyFrom(l)
			idle = 0
		} else if idle > pricePatience {
			theta, idle = theta/2, 0
			l.copyFrom(top)
		}
	}
	return top
}

// subgradient sets how far each section overfills each pool under the cheapest choices, and returns the square of its
// norm. A free section that is not overfilled has no say: its price cannot fall.
func (l *prices) subgradient(over [][]float64) (norm float64) {
	for p := range over {
		for t := range over[p] {
			over[p][t] = -float64(l.s.capacity[p])
		}
	}
	for i := range l.s.items {
		row := over[l.best[i]]
		for _, d := range l.s.items[i].loads {
			for t := d.first; t < d.last; t++ {
				row[t] += float64(d.bytes)
			}
		}
	}
	for p := range over {
		for t, v := range over[p] {
			if v < 0 && l.price[p][t] == 0 {
				over[p][t] = 0
				continue
			}
			norm += float64(v * v)
		}
	}
	return norm
}
