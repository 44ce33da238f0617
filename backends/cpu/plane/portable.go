package plane

import (
	"encoding/binary"

	"github.com/ptero-rt/ptero/executor"
)

func portableRuns(dst []byte, i, di int, src []byte, j, dj, width, n int) {
	order := binary.NativeEndian
	switch width {
	case 1:
		for range n {
			dst[i] = src[j]
			i += di
			j += dj
		}
	case 2:
		for range n {
			order.PutUint16(dst[i:], order.Uint16(src[j:]))
			i += di
			j += dj
		}
	case 4:
		for range n {
			order.PutUint32(dst[i:], order.Uint32(src[j:]))
			i += di
			j += dj
		}
	case 8:
		for range n {
			order.PutUint64(dst[i:], order.Uint64(src[j:]))
			i += di
			j += dj
		}
	case 16:
		for range n {
			y, x := (*[16]byte)(dst[i:]), (*[16]byte)(src[j:])
			a, b := order.Uint64(x[:8]), order.Uint64(x[8:])
			order.PutUint64(y[:8], a)
			order.PutUint64(y[8:], b)
			i += di
			j += dj
		}
	default:
		for range n {
			copy(dst[i:i+width], src[j:])
			i += di
			j += dj
		}
	}
}

// portable are the loops over elements of one size. Places and strides count elements.
type portable struct {
	elements func(dst []byte, i, di int, src []byte, j, dj, n int)
	fetch    func(dst []byte, i, di int, src []byte, at []int64)
	store    func(dst []byte, at []int64, src []byte, j, dj int)
	turn     func(dst []byte, i, di int, src []byte, j, dj, rows, columns int)
}

func bySize(size int) portable {
	switch size {
	case 1:
		return portable{move[uint8], fetch[uint8], store[uint8], turn[uint8]}
	case 2:
		return portable{move[uint16], fetch[uint16], store[uint16], turn[uint16]}
	case 4:
		return portable{move[uint32], fetch[uint32], store[uint32], turn[uint32]}
	case 8:
		return portable{move[uint64], fetch[uint64], store[uint64], turn[uint64]}
	}
	return portable{move[complex128], fetch[complex128], store[complex128], turn[complex128]}
}

func move[T executor.Element](dst []byte, i, di int, src []byte, j, dj, n int) {
	y, x := executor.SliceBytes[T](dst), executor.SliceBytes[T](src)
	if di == 1 { // one check less for each element
		y = y[i : i+n]
		for k := range y {
			y[k] = x[j]
			j += dj
		}
		return
	}
	for range n {
		y[i] = x[j]
		i += di
		j += dj
	}
}

func fetch[T executor.Element](dst []byte, i, di int, src []byte, at []int64) {
	y, x := executor.SliceBytes[T](dst), executor.SliceBytes[T](src)
	for _, p := range at {
		y[i] = x[p]
		i += di
	}
}

func store[T executor.Element](dst []byte, at []int64, src []byte, j, dj int) {
	y, x := executor.SliceBytes[T](dst), executor.SliceBytes[T](src)
	for _, p := range at {
		y[p] = x[j]
		j += dj
	}
}

// turn writes some columns of all rows, dst[i+r*di+c] = src[j+c*dj+r], so that the lines of both sides stay in the cache.
func turn[T executor.Element](dst []byte, i, di int, src []byte, j, dj, rows, columns int) {
	y, x := executor.SliceBytes[T](dst), executor.SliceBytes[T](src)
	for c := 0; c < columns; c += block {
		n := min(block, columns-c)
		for r := range rows {
			line, at := y[i+r*di+c:][:n], j+c*dj+r
			for k := range line {
				line[k] = x[at]
				at += dj
			}
		}
	}
}
