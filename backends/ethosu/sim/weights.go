package sim

import (
	"fmt"

	"github.com/ptero-rt/ptero/backends/ethosu/stream"
)

// decodeWeights returns the weights of an operation as [OC][KH][KW][IC], from the bytes of its streams, one a core.
func decodeWeights(w *weightOrder, streams [][]byte) ([]int16, error) {
	total := 0
	for _, s := range streams {
		total += len(s)
	}
	if have := 64 * (total + 1); w.elements() > have {
		return nil, fmt.Errorf("weight stream: want %d weights, have %d bytes", w.elements(), total)
	}
	dense := make([]int16, w.elements())
	if w.kernel.FastWeights {
		return dense, w.decodeFast(streams[0], dense)
	}
	var symbols []int16
	for core, src := range streams {
		places, err := w.places(core, len(src))
		if err != nil {
			return nil, fmt.Errorf("core %d: %w", core, err)
		}
		symbols = resize(symbols, places)
		if err := decodeSWD(src, symbols); err != nil {
			return nil, fmt.Errorf("core %d: %w", core, err)
		}
		if err := w.place(dense, core, symbols); err != nil {
			return nil, fmt.Errorf("core %d: %w", core, err)
		}
	}
	return dense, nil
}

func resize(s []int16, n int) []int16 {
	if cap(s) < n {
		return make([]int16, n)
	}
	return s[:n]
}

// places returns the length of core's sequence, padding included. It is an error if a stream of so many bytes cannot
// hold as many: a bit gives at most eight zeros.
func (w *weightOrder) places(core, bytes int) (int, error) {
	n, most := 0, 64*bytes+64
	w.visit(core, func(_, _, width int) bool {
		n += width
		return n <= most
	})
	if n > most {
		return 0, fmt.Errorf("weight stream: want more than %d weights, have %d bytes", most, bytes)
	}
	return n, nil
}

// place moves core's sequence to where its weights belong.
func (w *weightOrder) place(dense []int16, core int, symbols []int16) (err error) {
	n := 0
	w.visit(core, func(index, valid, width int) bool {
		copy(dense[index:index+valid], symbols[n:])
		for i, v := range symbols[n+valid : n+width] {
			if v != 0 && err == nil {
				err = fmt.Errorf("weight stream: weight %d: want zero padding, have %d", n+valid+i, v)
			}
		}
		n += width
		return err == nil
	})
	return err
}

// decodeFast decodes the one stream in which FWD interleaves the cores' sequences.
func (w *weightOrder) decodeFast(src []byte, dense []int16) error {
	cores := make([][]int16, w.acc.Cores())
	total := 0
	for core := range cores {
		places, err := w.places(core, len(src))
		if err != nil {
			return err
		}
		cores[core] = make([]int16, places)
		total += len(cores[core])
	}
	symbols := make([]int16, total)
	if err := decodeFWD(src, symbols); err != nil {
		return err
	}
	run := total
	if len(cores) > 1 {
		run = w.fastRun()
	}
	for at, n := 0, 0; n < total; at += run {
		for _, c := range cores {
			n += copy(c[min(at, len(c)):min(at+run, len(c))], symbols[n:])
		}
	}
	for core, c := range cores {
		if err := w.place(dense, core, c); err != nil {
			return fmt.Errorf("core %d: %w", core, err)
		}
	}
	return nil
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
