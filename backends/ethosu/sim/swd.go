package sim

import (
	"encoding/binary"
	"fmt"
	"math/bits"
)

// bitReader reads a weight stream, least significant bit first.
type bitReader struct {
	src  []byte
	next int    // byte of src that buf has not
	buf  uint64 // the next have bits
	have uint
}

// read returns the next n ≤ 32 bits; bits past the end are zero and show in over.
func (r *bitReader) read(n uint) uint {
	if r.have < n {
		r.refill()
	}
	v := uint(r.buf) & (1<<n - 1)
	r.buf >>= n
	r.have -= n
	return v
}

func (r *bitReader) refill() {
	if r.next+8 <= len(r.src) {
		r.buf |= binary.LittleEndian.Uint64(r.src[r.next:]) << r.have
		r.next += int(63-r.have) / 8
		r.have |= 56
		return
	}
	for r.have <= 56 {
		if r.next < len(r.src) {
			r.buf |= uint64(r.src[r.next]) << r.have
		}
		r.next++
		r.have += 8
	}
}

// pos returns the number of bits that were read.
func (r *bitReader) pos() int { return 8*r.next - int(r.have) }

func (r *bitReader) over() bool { return r.pos() > 8*len(r.src) }

// skip moves to a byte.
func (r *bitReader) skip(to int) { r.next, r.buf, r.have = to, 0, 0 }

const (
	swdEnd          = 7 // ZDIV: end of stream
	swdNoZeros      = 6 // ZDIV: no zero runs
	swdUncompressed = 7 // WDIV
	unaryBits       = 12
)

// palette maps weight symbols to values: the first count through entries, the rest directly above offset.
type palette struct {
	entries [32]int16
	count   int
	offset  int
	bits    uint
	values  [256]int16 // of the smallest symbols, looked up
}

func (p *palette) value(symbol int) int16 {
	if symbol < len(p.values) {
		return p.values[symbol]
	}
	return magnitude(symbol - p.count + p.offset)
}

// magnitude undoes the sign in bit 0.
func magnitude(v int) int16 {
	if v&1 == 1 {
		return int16(-(v >> 1))
	}
	return int16(v >> 1)
}

// decodeSWD decodes a stream of the standard weight decoder, which every product has, into dst. The stream must hold
// exactly len(dst) weights. The format is that of Vela's mlw_codec (ethosu/mlw_codec/mlw_decode.c).
func decodeSWD(src []byte, dst []int16) error {
	r := bitReader{src: src}
	var pal palette
	n := 0
	for first := true; ; first = false {
		zdiv := r.read(3)
		if zdiv == swdEnd {
			break
		}
		if zdiv > 3 && zdiv != swdNoZeros {
			return fmt.Errorf("weight stream: bit %d: want a zero divisor of 0 to 3, 6 or 7, have %d", r.pos()-3, zdiv)
		}
		s := swdSlice{zdiv: zdiv, weights: int(r.read(15)) + 1, wdiv: r.read(3), truncated: r.read(1) == 1, palette: &pal}
		newPalette := r.read(1) == 1
		if first && !newPalette {
			return fmt.Errorf("weight stream: bit %d: want a palette in the first slice", r.pos()-1)
		}
		if s.wdiv > 5 && s.wdiv != swdUncompressed {
			return fmt.Errorf("weight stream: bit %d: want a weight divisor of 0 to 5 or 7, have %d", r.pos()-5, s.wdiv)
		}
		if newPalette {
			pal.read(&r)
		}
		if zdiv != swdNoZeros {
			s.zeros = s.weights
			if newPalette {
				s.zeros++
				s.leadingZeros = true
			}
		}
		var err error
		if n, err = s.decode(&r, dst, n); err != nil {
			return err
		}
	}
	if r.over() {
		return fmt.Errorf("weight stream: want the end marker within %d bytes", len(src))
	}
	if n != len(dst) {
		return fmt.Errorf("weight stream: want %d weights, have %d", len(dst), n)
	}
	return nil
}

func (p *palette) read(r *bitReader) {
	p.offset = int(r.read(5))
	p.count = int(r.read(5))
	if p.count > 0 {
		p.count++
	}
	p.bits = r.read(3) + 2
	for i := 0; i < p.count; i++ {
		p.entries[i] = magnitude(int(r.read(p.bits)))
	}
	n := copy(p.values[:], p.entries[:p.count])
	for i := n; i < len(p.values); i++ {
		p.values[i] = magnitude(i - p.count + p.offset)
	}
}

// swdSlice is one slice of a stream: weights, each followed by a run of zeros, in interleaved chunks.
type swdSlice struct {
	zdiv, wdiv     uint
	weights, zeros int // symbols
	truncated      bool
	leadingZeros   bool // a run before the first weight
	palette        *palette
}

// symbols are the quotients that one chunk completed; their remainders follow in the next chunk.
type symbols struct {
	quotient [unaryBits]int
	count    int
}

// decode appends the slice to dst[n:] and returns the new n.
func (s *swdSlice) decode(r *bitReader, dst []int16, n int) (int, error) {
	uncompressed := s.wdiv == swdUncompressed
	width := s.wdiv
	perChunk := unaryBits
	if uncompressed {
		width = s.palette.bits
		if s.palette.count > 0 {
			width = uint(bits.Len(uint(s.palette.count - 1)))
		}
		if width > 5 {
			perChunk = 8
		}
	}
	zeroBits := uint(unaryBits)
	if s.zdiv == 3 {
		zeroBits = 8
	}
	var w, z [2]symbols // this chunk's and the previous one's
	wpos, zpos := 0, 0
	wq, zq := 0, 0       // quotients under way
	ring := [64]int{}    // weights or zero runs that wait for their counterpart
	wdone, zdone := 0, 0 // values known, remainders included
	emitted := 0         // weights written
	pendingLead := s.leadingZeros && s.zeros > 0
	zeroRing := [64]int{}
	emitZeros := func(run int) bool {
		if run > len(dst)-n {
			return false
		}
		clear(dst[n : n+run])
		n += run
		return true
	}
	for chunk := 0; ; chunk++ {
		now, before := &w[chunk&1], &w[chunk&1^1]
		znow, zbefore := &z[chunk&1], &z[chunk&1^1]
		now.count, znow.count = 0, 0
		balance := 0
		if s.zeros > 0 {
			balance = wpos - zpos
		}
		wOn := balance < 8 && wpos < s.weights
		zOn := balance >= 0 && zpos < s.zeros
		unary0 := uint(0)
		if wOn && !uncompressed {
			unary0 = r.read(unaryBits)
		}
		if zOn {
			unary := r.read(zeroBits)
			for i := uint(0); i < zeroBits && zpos < s.zeros; i++ {
				if unary>>i&1 == 1 {
					zq++
				} else {
					znow.quotient[znow.count] = zq
					znow.count++
					zpos++
					zq = 0
				}
			}
		}
		if wOn {
			unary1 := r.read(uint(bits.OnesCount(unary0)))
			for i := 0; i < perChunk && wpos < s.weights; i++ {
				code := 0
				if unary0>>i&1 == 1 {
					code = 1 + int(unary1&1)
					unary1 >>= 1
				}
				wq += code
				if code < 2 || s.truncated {
					now.quotient[now.count] = wq
					now.count++
					wpos++
					wq = 0
				}
			}
		}
		if s.zeros == 0 { // nothing to wait for
			if before.count > len(dst)-n {
				return n, fmt.Errorf("weight stream: want %d weights, have more", len(dst))
			}
			s.finish(r, before, width, dst[n:])
			n += before.count
		} else {
			for i := 0; i < before.count; i++ {
				ring[wdone&63] = before.quotient[i]<<width | int(r.read(width))
				wdone++
			}
		}
		for i := 0; i < zbefore.count; i++ {
			zeroRing[zdone&63] = zbefore.quotient[i]<<s.zdiv | int(r.read(s.zdiv))
			zdone++
		}
		if pendingLead && zdone > 0 {
			if !emitZeros(zeroRing[0]) {
				return n, fmt.Errorf("weight stream: want %d weights, have more zeros", len(dst))
			}
			pendingLead = false
		}
		lead := 0
		if s.leadingZeros {
			lead = 1
		}
		for emitted < wdone && emitted+lead < zdone {
			if n >= len(dst) {
				return n, fmt.Errorf("weight stream: want %d weights, have more", len(dst))
			}
			dst[n] = s.palette.value(ring[emitted&63])
			n++
			if !emitZeros(zeroRing[(emitted+lead)&63]) {
				return n, fmt.Errorf("weight stream: want %d weights, have more zeros", len(dst))
			}
			emitted++
		}
		if r.over() {
			return n, fmt.Errorf("weight stream: want the end marker within %d bytes", len(r.src))
		}
		if !wOn && !zOn {
			return n, nil
		}
	}
}

// finish reads the remainders of a chunk's symbols and writes their weights.
func (s *swdSlice) finish(r *bitReader, list *symbols, width uint, dst []int16) {
	mask := uint64(1)<<width - 1
	p := s.palette
	for i, q := range list.quotient[:list.count] {
		if r.have < width {
			r.refill()
		}
		symbol := q<<width | int(r.buf&mask)
		r.buf >>= width
		r.have -= width
		if symbol < len(p.values) {
			dst[i] = p.values[symbol]
		} else {
			dst[i] = p.value(symbol)
		}
	}
}
