package sim

import "encoding/binary"

// table replaces values by their table entries. 8-bit values select an entry; 16-bit values interpolate between 512
// points, each a base in the low half and a slope in the high half of its word.
func (s *kernelStep) table(m *machine, row []int32) {
	a := &s.k.Activation
	t := m.tables[a.TableAddr : a.TableAddr+a.TableBytes()]
	if a.TableIn == 16 {
		for i, v := range row {
			word := binary.LittleEndian.Uint32(t[int(v+32768)>>7&511*4:])
			base, slope := int32(int16(word)), int32(int16(word>>16))
			if a.TableBits == 32 {
				row[i] = base<<7 + slope*(v&127)
			} else {
				row[i] = base + (slope*(v&127)+64)>>7
			}
		}
		return
	}
	offset := int32(0)
	if a.ClipSigned {
		offset = 128
	}
	switch a.TableBits {
	case 8:
		if s.k.OFM.Signed {
			for i, v := range row {
				row[i] = int32(int8(t[uint8(v+offset)]))
			}
		} else {
			for i, v := range row {
				row[i] = int32(t[uint8(v+offset)])
			}
		}
	case 16:
		for i, v := range row {
			row[i] = int32(int16(binary.LittleEndian.Uint16(t[2*int(uint8(v+offset)):])))
		}
	default:
		for i, v := range row {
			row[i] = int32(binary.LittleEndian.Uint32(t[4*int(uint8(v+offset)):]))
		}
	}
}
