package dense

// smallDepth is how many products of small integers are summed in int32 before they are added to C, where sums wrap.
const smallDepth = 64

// Up to so many multiplications do not pay for an edge and a panel, where the tiles have the type; evenInt64 is for whole tiles
// of i64 and for panels, which need neither, and tinySmall is for 8 and 16 bits, which go through int32.
const (
	tinyFloat   = 128
	tinyInt32   = 128
	tinyInt64   = 768
	evenInt64   = 64
	tinyComplex = 64
	tinySmall   = 1024
)

// tiny says whether a product is too little for tiles. Rows add the products of each sum in the order that tiles do.
func (p *Product[T]) tiny() bool {
	work, ragged := p.Work(), p.N%(tileCols/2) != 0 && !p.Panels
	switch any(p).(type) {
	case *Product[int8], *Product[uint8], *Product[int16]:
		return work <= tinySmall
	case *Product[float32], *Product[float64]:
		return work <= tinyFloat && ragged && p.M <= tileRows
	case *Product[int32]:
		return work <= tinyInt32
	case *Product[int64]:
		return work <= evenInt64 || work <= tinyInt64 && ragged
	case *Product[complex64], *Product[complex128]:
		return work <= tinyComplex
	}
	return false
}

func isFloat[T Number]() bool {
	var z T
	switch any(z).(type) {
	case float32, float64:
		return true
	}
	return false
}

// small computes a block of a product of integers of 8 or 16 bits in int32 tiles, if there are some; it says whether.
func (p *Product[T]) small(i0, i1, j0, j1 int) bool {
	if !moreTiles || p.Tier == Generic || i1-i0 < 2 {
		return false
	}
	switch q := any(p).(type) {
	case *Product[int8]:
		smallBlock(q, i0, i1, j0, j1)
	case *Product[uint8]:
		smallBlock(q, i0, i1, j0, j1)
	case *Product[int16]:
		smallBlock(q, i0, i1, j0, j1)
	default:
		return false
	}
	return true
}

//go:noinline
func smallBlock[T int8 | uint8 | int16](p *Product[T], i0, i1, j0, j1 int) {
	var rows [blockRows * smallDepth]int32
	var panel [smallDepth * tileCols]int32
	var sums [tileRows * tileCols]int32
	var zeros [tileRows]int32
	for k0 := 0; k0 == 0 || k0 < p.K; k0 += smallDepth {
		n := min(smallDepth, p.K-k0)
		for i := i0; i < i1; i++ {
			to := rows[(i-i0)*smallDepth:][:n]
			for k, v := range p.A[min(i*p.LDA+k0, len(p.A)):][:n] {
				to[k] = int32(v)
			}
		}
		for j := j0; j < j1; j += tileCols {
			w := min(tileCols, j1-j)
			b, off := p.at(k0, n, j)
			for k, o := range off {
				to := panel[k*tileCols:][:tileCols]
				for c, v := range b[o:][:w] {
					to[c] = int32(v)
				}
			}
			for i := i0; i < i1; {
				count := rowsOf(i1 - i)
				tile(p.Tier, count, n, rows[(i-i0)*smallDepth:], smallDepth, panel[:], packedOffsets[:n], sums[:], tileCols, zeros[:])
				for r := range count {
					start := p.startAt(i+r, k0)
					c := p.C[(i+r)*p.LDC+j:][:w]
					for x, v := range sums[r*tileCols:][:w] {
						if start != nil {
							c[x] = start[0]
						}
						c[x] += T(v)
					}
				}
				i += count
			}
		}
	}
}
