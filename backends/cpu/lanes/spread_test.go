package lanes_test

import (
	"bytes"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/ptero-rt/ptero/backends/cpu/lanes"
)

func TestSpread(t *testing.T) {
	src := make([]byte, 4096)
	for i := range src {
		src[i] = byte(i * i)
	}
	for _, size := range []int{1, 2, 4, 8} {
		for _, width := range []int{1, 2, 3, 4, 7, 16, 33} {
			for _, stride := range []int{-2, 0, 1, 3} {
				for rows := range 12 {
					dst := make([]byte, rows*width*size+1)
					done := lanes.Spread(dst[:rows*width*size], src, 50, stride, size, width)
					for i := range done * width {
						from := (50 + i/width*stride) * size
						if !bytes.Equal(src[from:from+size], dst[i*size:(i+1)*size]) {
							t.Fatalf("element %d of %d rows of %d, %d bytes, %d apart", i, rows, width, size, stride)
						}
					}
					require.Zero(t, dst[rows*width*size])
				}
			}
		}
	}
}
