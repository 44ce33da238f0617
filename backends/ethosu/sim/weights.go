package sim

import (
	"fmt"

	"github.com/ptero-rt/ptero/backends/ethosu/stream"
)

// decodeWeights returns the weights of an operation as [OC][KH][KW][IC], from the bytes of its streams, one a core.
func decodeWeights(w *weightOrder, streams [][]byte) ([]int16, error) {
	dense := make([]int16, w.elements())
	if w.kernel.FastWeights {
		return dense, w.decodeFast(streams[0], dense)
	}
	var order []int32
	var symbols []int16
	for core := range streams {
		order = order[:0]
		w.visit(core, func(index int) { order = append(order, int32(index)) })
		if cap(symbols) < len(order) {
			symbols = make([]int16, len(order))
		}
		symbols = symbols[:len(order)]
		if err := decodeSWD(streams[core], symbols); err != nil {
			return nil, fmt.Errorf("core %d: %w", core, err)
		}
		if err := place(dense, order, symbols); err != nil {
			return nil, fmt.Errorf("core %d: %w", core, err)
		}
	}
	return dense, nil
}

func place(dense []int16, order []int32, symbols []int16) error {
	for i, at := range order {
		if at >= 0 {
			dense[at] = symbols[i]
		} else if symbols[i] != 0 {
			return fmt.Errorf("weight stream: weight %d: want zero padding, have %d", i, symbols[i])
		}
	}
	return nil
}

func (w *weightOrder) decodeFast(src []byte, dense []int16) error {
	cores := w.acc.Cores()
	orders := make([][]int32, cores)
	total := 0
	for core := range orders {
		w.visit(core, func(index int) { orders[core] = append(orders[core], int32(index)) })
		total += len(orders[core])
	}
	order := orders[0]
	if cores > 1 {
		order = make([]int32, 0, total)
		run := w.fastRun()
		for at := 0; len(order) < total; at += run {
			for _, o := range orders {
				order = append(order, o[min(at, len(o)):min(at+run, len(o))]...)
			}
		}
	}
	symbols := make([]int16, total)
	if err := decodeFWD(src, symbols); err != nil {
		return err
	}
	return place(dense, order, symbols)
}

// channelScale is what the output stage does to one channel.
type channelScale struct {
	bias  int64
	scale uint32
	shift uint8
}

const scaleBytes = 10

// decodeScales reads the scale streams of an operation: ten bytes a channel. U65-512 has one stream per core, core k
// with the channels congruent to k.
func decodeScales(k *stream.Kernel, product stream.Product, streams [][]byte) ([]channelScale, error) {
	depth := k.OFM.Depth
	scales := make([]channelScale, depth)
	for c := range scales {
		src, at := streams[c%len(streams)], c/len(streams)*scaleBytes
		if at+scaleBytes > len(src) {
			return nil, fmt.Errorf("scale stream: want %d channels of %d bytes, have %d bytes", depth, scaleBytes, len(src))
		}
		r := bitReader{src: src[at : at+scaleBytes]}
		s := &scales[c]
		switch {
		case product != stream.U85:
			s.bias = signExtend(uint64(r.read(32))|uint64(r.read(8))<<32, 40)
			s.scale = uint32(r.read(32))
		case k.AccBits == 48:
			s.bias = signExtend(uint64(r.read(32))|uint64(r.read(16))<<32, 48)
			s.scale = uint32(r.read(16)) & 0x7fff
		default:
			s.bias = int64(int32(r.read(32)))
			s.scale = uint32(r.read(32)) & 0x7fffffff
		}
		s.shift = uint8(r.read(8) & 63)
	}
	return scales, nil
}

func signExtend(v uint64, bits uint) int64 { return int64(v<<(64-bits)) >> (64 - bits) }
