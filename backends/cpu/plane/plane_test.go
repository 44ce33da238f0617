package plane

import (
	"bytes"
	"fmt"
	"math/rand/v2"
	"testing"

	"github.com/stretchr/testify/require"
	"golang.org/x/sys/cpu"
)

// TestMove compares planes of every kind, size and orientation with moving their elements one by one.
func TestMove(t *testing.T) {
	t.Run("vectors", testMove)
	t.Run("portable", func(t *testing.T) { portably(t, testMove) })
}

// portably runs a test without vectors.
func portably(t *testing.T, test func(*testing.T)) {
	defer func(have bool) { cpu.X86.HasAVX2 = have }(cpu.X86.HasAVX2)
	cpu.X86.HasAVX2 = false
	test(t)
}

func testMove(t *testing.T) {
	r := rand.New(rand.NewPCG(1, 2))
	src := make([]byte, 1<<19)
	for i := range src {
		src[i] = byte(r.Uint32())
	}
	for _, size := range []int{1, 2, 4, 8, 16} {
		for range 300 {
			rows, columns := 1+r.IntN(40), 1+r.IntN(40)
			if r.IntN(4) == 0 {
				columns = 1 + r.IntN(3000/size)
				rows = 1 + r.IntN(3)
			}
			p := Plane{Size: size, Rows: rows, Columns: columns, To: Strides{columns + r.IntN(2)*r.IntN(5), 1}}
			switch r.IntN(6) {
			case 0: // a slice
				p.From = Strides{columns + r.IntN(5), 1}
			case 1: // transposed
				p.From = Strides{1, rows + r.IntN(5)}
			case 2: // repeated
				p.From = Strides{r.IntN(2), r.IntN(2)}
				if r.IntN(2) == 0 {
					p.From = Strides{r.IntN(9) - 4, 0}
				}
			case 3: // turned round
				p.From = Strides{r.IntN(9) - 4, r.IntN(9) - 4}
			case 4:
				p.From = Strides{r.IntN(100), r.IntN(100)}
			case 5: // woven
				p.To = Strides{1 + r.IntN(3), 0}
				p.To.Column = p.To.Row*rows + r.IntN(3)
				p.From = Strides{columns, 1}
			}
			if r.IntN(2) == 0 {
				p = p.turned()
			}
			dst, want := make([]byte, 1<<17), make([]byte, 1<<17)
			i, j := r.IntN(5), 12000+r.IntN(5)
			if last := i + (p.Rows-1)*p.To.Row + (p.Columns-1)*p.To.Column; (last+1)*size > len(dst) {
				continue
			}
			if last := j + (p.Rows-1)*max(p.From.Row, 0) + (p.Columns-1)*max(p.From.Column, 0); (last+1)*size > len(src) {
				continue
			}
			p.Move(dst, i, src, j)
			for a := range p.Rows {
				for b := range p.Columns {
					copy(want[(i+a*p.To.Row+b*p.To.Column)*size:][:size], src[(j+a*p.From.Row+b*p.From.Column)*size:])
				}
			}
			require.Equal(t, want, dst, "%+v", p)
		}
	}
}

// TestNarrow turns matrices of few columns that end with their memory, and one that is followed by what must stay.
func TestNarrow(t *testing.T) {
	t.Run("vectors", testNarrow)
	t.Run("portable", func(t *testing.T) { portably(t, testNarrow) })
}

func testNarrow(t *testing.T) {
	for _, size := range []int{1, 2, 4, 8, 16} {
		for width := 1; width < 40; width++ {
			for lines := 1; lines < 40; lines++ {
				src, dst := make([]byte, lines*width*size), make([]byte, (lines*width+1)*size)
				for i := range src {
					src[i] = byte(i*7 + i>>8)
				}
				Plane{Size: size, Rows: lines, Columns: width, To: Strides{1, lines}, From: Strides{width, 1}}.Move(dst, 0, src, 0)
				for i := range lines {
					for j := range width {
						if !bytes.Equal(src[(i*width+j)*size:][:size], dst[(j*lines+i)*size:][:size]) {
							t.Fatalf("element %d, %d of %d × %d of %d bytes", i, j, lines, width, size)
						}
					}
				}
				require.Zero(t, dst[lines*width*size])
			}
		}
	}
}

// TestRuns compares runs of every width with copying them one by one.
func TestRuns(t *testing.T) {
	t.Run("vectors", testRuns)
	t.Run("portable", func(t *testing.T) { portably(t, testRuns) })
}

func testRuns(t *testing.T) {
	src := make([]byte, 1<<19)
	for i := range src {
		src[i] = byte(i*7 + i>>8)
	}
	for width := 1; width < 700; width += 1 + width/300*7 {
		for _, n := range []int{1, 2, 7} {
			dst, want := make([]byte, 8192), make([]byte, 8192)
			runs(dst, 5, width+3, src, 6000, -width-1, width, n)
			for k := range n {
				copy(want[5+k*(width+3):][:width], src[6000-k*(width+1):])
			}
			require.Equal(t, want, dst, "width %d", width)
			at := []int64{9, 4, 0, 700, 4, 1, 2}[:n]
			clear(dst)
			clear(want)
			for k, p := range at {
				copy(want[2*width+k*width:][:width], src[int(p)*width:])
			}
			size := 1
			if width <= 16 && width&(width-1) == 0 {
				size = width
			}
			places := make([]int64, n)
			for k, p := range at {
				places[k] = p * int64(width/size)
			}
			Fetch(dst, 2*width, width, src, places, size, width)
			require.Equal(t, want, dst, "width %d", width)
			for k := range places {
				places[k] %= int64(4000 / size)
			}
			clear(dst)
			clear(want)
			for k, p := range places {
				copy(want[int(p)*size:][:width], src[(20-3*k)*width:])
			}
			Store(dst, places, size, src, 20*width, -3*width, width)
			require.Equal(t, want, dst, "width %d", width)
		}
	}
}

func TestCopy(t *testing.T) {
	for _, n := range []int{0, 1, bulk/2 - 1, bulk / 2, bulk - 1, bulk, bulk + 1, 3*bulk + 5, 40*bulk + 77, beyond + 77} {
		for _, askew := range [][2]int{{0, 0}, {1, 0}, {0, 1}, {32, 64}, {7, 7}} {
			src, dst := make([]byte, askew[0]+n)[askew[0]:], make([]byte, askew[1]+n+1)[askew[1]:]
			for i := range src {
				src[i] = byte(i >> 3)
			}
			Copy(dst, src)
			require.True(t, bytes.Equal(src, dst[:n]), "%d bytes, askew by %v", n, askew)
			require.Zero(t, dst[n])
		}
	}
}

func TestFill(t *testing.T) {
	t.Run("vectors", testFill)
	t.Run("portable", func(t *testing.T) { portably(t, testFill) })
}

func testFill(t *testing.T) {
	for _, size := range []int{1, 2, 4, 8, 16} {
		el := []byte("0123456789abcdef")[:size]
		for n := range 200 {
			for _, at := range []int{0, size, 16} {
				all := make([]byte, at+n*size+32)
				Fill(all[at:at+n*size], el)
				want := append(make([]byte, at), bytes.Repeat(el, n)...)
				require.Equal(t, append(want, make([]byte, 32)...), all, "%d of %d bytes, %d bytes in", n, size, at)
			}
		}
	}
}

// TestOutside wants planes that reach too far to be refused: they would be a mistake of the caller.
func TestOutside(t *testing.T) {
	for _, s := range []Strides{{8, 1}, {1, 8}, {-1, 1}} {
		require.Panics(t, func() {
			Plane{Size: 4, Rows: 2, Columns: 2, To: Strides{2, 1}, From: s}.Move(make([]byte, 64), 0, make([]byte, 32), 0)
		})
	}
}

func BenchmarkMove(b *testing.B) {
	const n = 1 << 20
	for _, size := range []int{1, 2, 4, 8} {
		src, dst := make([]byte, n*size), make([]byte, n*size)
		for _, c := range []struct {
			name          string
			rows, columns int
			from          Strides
		}{
			{"transpose", 1024, 1024, Strides{1, 1024}},
			{"weave", 1 << 18, 4, Strides{1, 1 << 18}},
			{"unweave", 4, 1 << 18, Strides{1, 4}},
			{"runs8", 1 << 16, 8, Strides{16, 1}},
			{"runs32", 1 << 14, 32, Strides{64, 1}},
			{"every2", 1, 1 << 19, Strides{1, 2}},
		} {
			b.Run(fmt.Sprintf("%s/%d", c.name, size), func(b *testing.B) {
				p := Plane{Size: size, Rows: c.rows, Columns: c.columns, To: Strides{c.columns, 1}, From: c.from}
				for b.Loop() {
					p.Move(dst, 0, src, 0)
				}
				b.ReportMetric(float64(b.Elapsed().Nanoseconds())/float64(b.N)/float64(c.rows*c.columns), "ns/element")
			})
		}
	}
}
