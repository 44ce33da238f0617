package dense

// pairedDepth is how many products of complex numbers are summed before B's next rows are taken.
const pairedDepth = 128

// paired computes a block of a product of complex numbers in tiles of their parts; it says whether they are such.
func (p *Product[T]) paired(i0, i1, j0, j1 int) bool {
	switch q := any(p).(type) {
	case *Product[complex64]:
		pairedBlock[complex64, float32](q, i0, i1, j0, j1)
	case *Product[complex128]:
		pairedBlock[complex128, float64](q, i0, i1, j0, j1)
	default:
		return false
	}
	return true
}

// pairedBlock takes A and C for real matrices of twice as many columns, as they lie. Each row of B makes two of a panel:
//
//	(x + yi)·(c + di)  =  x·(c, d) + y·(−d, c)
//
//go:noinline
func pairedBlock[T complex64 | complex128, F float32 | float64](p *Product[T], i0, i1, j0, j1 int) {
	const width = tileCols / 2
	var panel [2 * pairedDepth * tileCols]F
	var edge [tileRows * tileCols]F
	a, c := parts[F](p.A), parts[F](p.C)
	for k0 := 0; k0 == 0 || k0 < p.K; k0 += pairedDepth {
		n := min(pairedDepth, p.K-k0)
		for j := j0; j < j1; j += width {
			w := min(width, j1-j)
			b, off := p.at(k0, n, j)
			if p.Panels {
				b = b[j%tileCols:]
			}
			packPaired(panel[:], parts[F](b), off, 2*w)
			for i := i0; i < i1; {
				rows := rowsOf(i1 - i)
				p.begin(p.startAt(i, k0), i, j, rows, w)
				to, ldc := c[2*(i*p.LDC+j):], 2*p.LDC
				if w < width {
					copyRows(edge[:], tileCols, to, ldc, rows, 2*w)
					tile(p.Tier, rows, 2*n, a[min(2*(i*p.LDA+k0), len(a)):], 2*p.LDA, panel[:], packedOffsets[:2*n], edge[:], tileCols, nil)
					copyRows(to, ldc, edge[:], tileCols, rows, 2*w)
				} else {
					tile(p.Tier, rows, 2*n, a[min(2*(i*p.LDA+k0), len(a)):], 2*p.LDA, panel[:], packedOffsets[:2*n], to, ldc, nil)
				}
				i += rows
			}
		}
	}
}

// begin writes the values that w columns of C start from, if there are any.
func (p *Product[T]) begin(start []T, i, j, rows, w int) {
	if start == nil {
		return
	}
	for r := range rows {
		c := p.C[(i+r)*p.LDC+j:][:w]
		for x := range c {
			c[x] = start[r]
		}
	}
}

func packPaired[F float32 | float64](panel, b []F, off []int32, w int) {
	for k, o := range off {
		s, re, im := b[2*int(o):][:w], panel[2*k*tileCols:][:w], panel[(2*k+1)*tileCols:][:w]
		for x := 0; x+1 < len(s); x += 2 {
			re[x], re[x+1] = s[x], s[x+1]
			im[x], im[x+1] = -s[x+1], s[x]
		}
	}
}

func copyRows[F float32 | float64](dst []F, ldd int, src []F, lds, rows, w int) {
	for r := range rows {
		copy(dst[r*ldd:][:w], src[r*lds:][:w])
	}
}
