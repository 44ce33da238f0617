package sim

import "fmt"

const fwdHeaderBytes = 32

// decodeFWD decodes a stream of U85's fast weight decoder into dst: a header of 256 bits, then weights of a fixed
// width. The stream must hold at least len(dst) weights; the rest pads it to 32 bytes.
func decodeFWD(src []byte, dst []int16) error {
	if len(src) < fwdHeaderBytes {
		return fmt.Errorf("fast weight stream: want a header of %d bytes, have %d", fwdHeaderBytes, len(src))
	}
	r := bitReader{src: src}
	raw, twoBit := r.read(1) == 1, r.read(1) == 1
	r.skip(104 / 8)
	adjust := int16(int8(r.read(8)))
	var table [16]int16
	for i := range table {
		table[i] = magnitude(int(r.read(9)))
	}
	width := uint(4)
	if raw {
		width = 8
	} else if twoBit {
		width = 2
	}
	if have := (len(src) - fwdHeaderBytes) * 8 / int(width); have < len(dst) {
		return fmt.Errorf("fast weight stream: want %d weights, have %d", len(dst), have)
	}
	r.skip(fwdHeaderBytes)
	for i := range dst {
		v := r.read(width)
		if raw {
			dst[i] = int16(int8(v)) - adjust
		} else {
			dst[i] = table[v]
		}
	}
	return nil
}
