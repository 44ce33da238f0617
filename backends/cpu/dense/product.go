package dense

import "github.com/ptero-rt/ptero/internal/workers"

// Product is C = start + A·B, or C + A·B where Start is nil: M×K times K×N, cut into blocks that may run in any order and
// on any worker (it is a workers.Task). The result is the same for every number of workers.
//
// Row i of A begins at A[i*LDA]; row k of B at B[k*LDB], or at B[Off[k]] where LDB is 0; row i of C at C[i*LDC]. Start
// holds one value a row. Rows of B must be readable for N elements, and nothing beyond is read. C must not overlap A or B.
type Product[T Number] struct {
	M, N, K int
	A       []T
	LDA     int
	B       []T
	LDB     int
	Off     []int32 // with LDB: at least min(K, OffsetCount) entries of scratch, filled by Setup
	C       []T
	LDC     int
	Start   []T
	Panels  bool // B was packed by PackPanels; LDB and Off are not used
	Tier    Tier
}

// OffsetCount is the number of offsets that a Product with LDB needs at most.
const OffsetCount = depth

const (
	blockRows = 96
	blockCols = 256
	// packedRows pay for a panel of B that lies together.
	packedRows = 24
)

// Setup fills Off from LDB and checks that the slices are long enough. Call it before Do whenever a field changed.
func (p *Product[T]) Setup() {
	if p.M == 0 || p.N == 0 {
		return
	}
	if len(p.C) < (p.M-1)*p.LDC+p.N || p.K > 0 && len(p.A) < (p.M-1)*p.LDA+p.K || p.Start != nil && len(p.Start) < p.M ||
		p.Panels && len(p.B) < PanelCount(p.N, p.K) || !p.Panels && p.LDB != 0 && p.K > 0 && len(p.B) < (p.K-1)*p.LDB+p.N {
		panic("BUG: dense: a matrix is shorter than the product needs")
	}
	if p.LDB == 0 || p.Panels {
		return
	}
	n := min(p.K, depth)
	if n > 0 && n == len(p.Off) && p.Off[n-1] == int32((n-1)*p.LDB) {
		return // as before
	}
	p.Off = p.Off[:n]
	for k := range p.Off {
		p.Off[k] = int32(k * p.LDB)
	}
}

// Parts is the number of blocks.
func (p *Product[T]) Parts() int {
	return ((p.M + blockRows - 1) / blockRows) * ((p.N + blockCols - 1) / blockCols)
}

// Work is the number of multiplications, to decide whether more workers pay.
func (p *Product[T]) Work() int { return p.M * p.N * p.K }

// Do computes one block.
func (p *Product[T]) Do(part int) {
	cols := (p.N + blockCols - 1) / blockCols
	i0, j0 := part/cols*blockRows, part%cols*blockCols
	i1, j1 := min(i0+blockRows, p.M), min(j0+blockCols, p.N)
	switch {
	case p.M > 1 && p.N == 1 && p.LDB == 1 && !p.Panels && p.K > 0:
		p.oneColumn(i0, i1)
	case p.M == 1 || p.K == 1 || p.tiny():
		p.inPlace(i0, i1, j0, j1)
	case p.small(i0, i1, j0, j1) || p.paired(i0, i1, j0, j1):
	case !p.wantsPanel(i1-i0, j0, j1):
		p.block(i0, i1, j0, j1, nil)
	case p.K <= 8:
		p.flat(i0, i1, j0, j1)
	case p.K <= 64:
		p.shallow(i0, i1, j0, j1)
	default:
		p.deep(i0, i1, j0, j1)
	}
}

// at gives B and its offsets from row k0 and column j on, for n rows.
func (p *Product[T]) at(k0, n, j int) ([]T, []int32) {
	if p.Panels {
		return p.B[j/tileCols*tileCols*p.K+k0*tileCols:], packedOffsets[:n]
	}
	if p.LDB == 0 {
		return p.B[j:], p.Off[k0 : k0+n]
	}
	if n == 0 {
		return nil, nil
	}
	return p.B[k0*p.LDB+j:], p.Off[:n]
}

// inPlace needs no panel and no edge: it goes row by row.
func (p *Product[T]) inPlace(i0, i1, j0, j1 int) {
	tier := p.Tier
	if p.M > 1 && p.K > 1 && !isFloat[T]() {
		tier = Generic // too little for more
	}
	for k0 := 0; k0 == 0 || k0 < p.K; k0 += depth {
		n, step := min(depth, p.K-k0), j1-j0
		if p.Panels && p.K > 1 {
			step = tileCols
		}
		for j := j0; j < j1; j += step {
			b, off := p.at(k0, n, j)
			w := min(step, j1-j)
			for i := i0; i < i1; i++ {
				row(tier, w, n, p.A[min(i*p.LDA+k0, len(p.A)):], b, off, p.C[i*p.LDC+j:][:w], p.startAt(i, k0))
			}
		}
	}
}

func (p *Product[T]) startAt(i, k0 int) []T {
	if k0 > 0 || p.Start == nil {
		return nil
	}
	return p.Start[i:]
}

// oneColumn is a product with a vector: rows of A lie like columns of a transposed matrix.
func (p *Product[T]) oneColumn(i0, i1 int) {
	var sums [dotCols]T
	for i := i0; i < i1; i += dotCols {
		part := sums[:min(dotCols, i1-i)]
		dots(p.Tier, 1, len(part), p.K, p.B, 0, p.A[i*p.LDA:], p.LDA, part, 0)
		for r, x := range part {
			c := &p.C[(i+r)*p.LDC]
			if p.Start != nil {
				*c = p.Start[i+r]
			}
			*c += x
		}
	}
}

// The panel lies on the stack: a small one where K allows, since it is cleared on entry.

//go:noinline
func (p *Product[T]) flat(i0, i1, j0, j1 int) {
	var panel [8 * tileCols]T
	p.block(i0, i1, j0, j1, panel[:])
}

//go:noinline
func (p *Product[T]) shallow(i0, i1, j0, j1 int) {
	var panel [64 * tileCols]T
	p.block(i0, i1, j0, j1, panel[:])
}

//go:noinline
func (p *Product[T]) deep(i0, i1, j0, j1 int) {
	var panel [depth * tileCols]T
	p.block(i0, i1, j0, j1, panel[:])
}

// width is the number of columns of the tile that computes w columns.
func (p *Product[T]) width(w int) int {
	if w <= tileCols/2 && hasNarrow[T](p.Tier) {
		return tileCols / 2
	}
	return tileCols
}

// lastRows is how many rows at the end of B may be copied for tiles that read too far there.
const lastRows = 3

// packs says whether w columns from j on are copied into a panel: for many rows, unless B is narrow itself, or where a tile
// would read too far in more than the last rows.
func (p *Product[T]) packs(rows, j, w int) bool {
	if p.Panels || p.K == 0 {
		return false
	}
	if rows >= packedRows && (p.LDB == 0 || p.LDB > tileCols) {
		return true
	}
	width := p.width(w)
	return w < width && (p.LDB == 0 || p.K-p.readable(p.B[j:], p.K, width) > lastRows)
}

// readable is how many of n rows at b have as many elements behind their beginning.
func (p *Product[T]) readable(b []T, n, elements int) int {
	if len(b) < elements {
		return 0
	}
	return min(n, (len(b)-elements)/p.LDB+1)
}

// wantsPanel says whether any columns are packed.
func (p *Product[T]) wantsPanel(rows, j0, j1 int) bool {
	last := j0 + (j1-j0-1)/tileCols*tileCols
	return p.packs(rows, j0, min(tileCols, j1-j0)) || p.packs(rows, last, j1-last)
}

func (p *Product[T]) block(i0, i1, j0, j1 int, panel []T) {
	var edge [tileRows * tileCols]T
	var last [lastRows * tileCols]T
	for k0 := 0; k0 == 0 || k0 < p.K; k0 += depth {
		n := min(depth, p.K-k0)
		for j := j0; j < j1; j += tileCols {
			w := min(tileCols, j1-j)
			width := p.width(w)
			b, off := p.at(k0, n, j)
			lie := n // rows of B that a tile reads where they lie
			switch {
			case p.packs(i1-i0, j, w):
				packPanel(panel, b, off, w)
				b, off = panel, packedOffsets[:n]
			case w == width || p.Panels || n == 0:
			case n <= lastRows:
				packPanel(last[:], b, off, w)
				lie = 0
			default:
				lie = p.readable(b, n, width)
				packPanel(last[:], b, off[lie:], w)
			}
			for i := i0; i < i1; {
				rows := rowsOf(i1 - i)
				a, start := p.A[min(i*p.LDA+k0, len(p.A)):], p.startAt(i, k0)
				c, ldc := p.C[i*p.LDC+j:], p.LDC
				if w < width {
					if c, ldc = edge[:], width; start == nil {
						p.exchange(c, i, j, rows, w, width, false)
					}
				}
				if lie > 0 || n == 0 {
					tileOf(p.Tier, width, rows, lie, a, p.LDA, b, off, c, ldc, start)
					start = nil
				}
				if lie < n {
					tileOf(p.Tier, width, rows, n-lie, a[lie:], p.LDA, last[:], packedOffsets[:n-lie], c, ldc, start)
				}
				if w < width {
					p.exchange(c, i, j, rows, w, width, true)
				}
				i += rows
			}
		}
	}
}

// tileOf is tile, or narrow for half as many columns.
func tileOf[T Number](t Tier, width, rows, k int, a []T, lda int, b []T, off []int32, c []T, ldc int, start []T) {
	if width == tileCols {
		tile(t, rows, k, a, lda, b, off, c, ldc, start)
	} else {
		narrow(rows, k, a, lda, b, off, c, ldc, start)
	}
}

// exchange copies w columns of C from row i and column j on to an edge, or back.
func (p *Product[T]) exchange(edge []T, i, j, rows, w, width int, back bool) {
	for r := range rows {
		c, e := p.C[(i+r)*p.LDC+j:][:w], edge[r*width:][:w]
		if back {
			c, e = e, c
		}
		for x, v := range c {
			e[x] = v
		}
	}
}

// packedOffsets are the offsets of a packed panel's rows.
var packedOffsets = func() (o [depth]int32) {
	for k := range o {
		o[k] = int32(k * tileCols)
	}
	return
}()

// packPanel copies w columns of B into a panel of 16, zeros beyond.
func packPanel[T Number](panel, b []T, off []int32, w int) {
	if w == tileCols {
		for k, o := range off {
			*(*[tileCols]T)(panel[k*tileCols:]) = *(*[tileCols]T)(b[o:])
		}
		return
	}
	for k, o := range off {
		d, s := panel[k*tileCols:][:tileCols], b[o:][:w]
		copy(d, s)
		clear(d[w:])
	}
}

// DotRows computes C[i*ldc+j] = A[i*lda:] · B[j*ldb:] over k elements: a product with B transposed, in place, for few rows
// of A. It is a workers.Task cut by columns.
type DotRows[T Number] struct {
	M, N, K int
	A       []T
	LDA     int
	B       []T
	LDB     int
	C       []T
	LDC     int
	Tier    Tier
}

const dotCols = 64

// Parts is the number of blocks of columns.
func (p *DotRows[T]) Parts() int { return (p.N + dotCols - 1) / dotCols }

// Work is the number of multiplications.
func (p *DotRows[T]) Work() int { return p.M * p.N * p.K }

// Do computes one block of columns.
func (p *DotRows[T]) Do(part int) {
	j0 := part * dotCols
	j1 := min(j0+dotCols, p.N)
	dots(p.Tier, p.M, j1-j0, p.K, p.A, p.LDA, p.B[j0*p.LDB:], p.LDB, p.C[j0:], p.LDC)
}

// PanelCount is the number of elements of a K×N matrix in panels.
func PanelCount(n, k int) int { return (n + tileCols - 1) / tileCols * tileCols * k }

// PackPanels puts the transpose of an N×K matrix (row j at b[j*ldb], element k of it stepK further) into panels of sixteen
// columns, zeros beyond the last, for a Product with Panels. dst has PanelCount elements.
func PackPanels[T Number](dst, b []T, n, k, ldb, stepK int) {
	for j := 0; j < n; j += tileCols {
		panel := dst[j*k:][:tileCols*k]
		w := min(tileCols, n-j)
		if w < tileCols {
			clear(panel)
		}
		c := 0
		for ; stepK == 1 && c+4 <= w; c += 4 {
			rows := b[(j+c)*ldb:]
			s0, s1, s2, s3 := rows[:k], rows[ldb:][:k], rows[2*ldb:][:k], rows[3*ldb:][:k]
			for i, v := range s0 {
				four := panel[i*tileCols+c:][:4]
				four[0], four[1], four[2], four[3] = v, s1[i], s2[i], s3[i]
			}
		}
		for ; c < w; c++ {
			src := b[(j+c)*ldb:]
			for i := range k {
				panel[i*tileCols+c] = src[i*stepK]
			}
		}
	}
}

// Pool runs the parts of a task; an executor's scope is one.
type Pool interface {
	Parallel(parts int, t workers.Task)
}

// WorthSharing is how many multiplications pay for waking a pool.
const WorthSharing = 1 << 16

// Run does the parts of a task, on the pool if there are enough multiplications.
func Run(p Pool, parts, work int, t workers.Task) {
	if parts > 1 && work >= WorthSharing {
		p.Parallel(parts, t)
		return
	}
	for i := range parts {
		t.Do(i)
	}
}
