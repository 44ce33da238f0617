package nxp

import (
	"encoding/binary"
	"fmt"
)

// Magic is the first word of every microcode, "nMCd" in memory order.
const Magic = 0x64434D6E

// Container is the way a converter generation writes its record stream.
type Container uint8

const (
	ByteTags   Container = iota // 8-bit tags and opcodes; payload version 0
	WordTags                    // 16-bit tags and opcodes, patch records; payload version 0
	SizedCalls                  // 16-bit tags, calls carry their size; payload version 1
)

func (c Container) String() string {
	return [...]string{"byte tags", "16-bit tags with patches", "16-bit tags with sized calls"}[c]
}

// Microcode is the header of one microcode with its bytes.
//
// Word numbers follow pytorch/executorch backends/nxp/runtime/NeutronBackend.cpp
// where that reads them; the meaning of Revision, Calls and Cost is inferred
// from published model files.
type Microcode struct {
	Bytes     []byte // header, record stream and I/O sizes
	Version   byte   // of the header layout, as in the payload
	Revision  uint32 // hash that changes with every build of the converter
	Converter string // "3.1.1", or empty where the file does not say

	StreamBytes      uint32
	MicrocodeBytes   uint32
	WeightBytes      uint32
	KernelBytes      uint32
	ScratchBytes     uint32
	ProfileBytes     uint32
	DebugBytes       uint32
	SRAMScratchBytes uint32 // where weights are prefetched to; 0 = the NPU reads them in place
	Inputs, Outputs  uint32
	Calls            uint32
	Cost             uint32 // the converter's own estimate; its unit is not published
}

func headerWords(version byte) int {
	if version == 0 {
		return 16
	}
	return 20
}

// ParseMicrocode reads a microcode that stands alone, as in a NeutronGraph
// operator of a TFLite file, and finds out which header layout it has.
// Trailing bytes are left out of the result, which aliases b.
func ParseMicrocode(b []byte) (*Microcode, error) {
	var first error
	for version := byte(0); version <= 1; version++ {
		m, err := parseHeader(b, 0, version)
		if err == nil {
			if _, err = take(&m.Bytes, b, 0, uint64(m.MicrocodeBytes), "microcode"); err == nil {
				if _, _, err = m.IOBytes(); err == nil {
					return m, nil
				}
			}
		}
		if first == nil {
			first = err
		}
	}
	return nil, first
}

// parseHeader reads the header words at byte start of b, and leaves Bytes empty.
func parseHeader(b []byte, start int, version byte) (*Microcode, error) {
	const part = "microcode header"
	n := headerWords(version)
	if len(b)-start < 4*n {
		return nil, damaged(part, start, fmt.Sprintf("%d bytes", 4*n), fmt.Sprint(len(b)-start))
	}
	w := func(i int) uint32 { return binary.LittleEndian.Uint32(b[start+4*i:]) }
	if w(0) != Magic {
		return nil, damaged(part, start, fmt.Sprintf("magic %#x", Magic), fmt.Sprintf("%#x", w(0)))
	}
	m := &Microcode{
		Version: version, Revision: w(1), StreamBytes: w(2),
		MicrocodeBytes: w(6), WeightBytes: w(7), KernelBytes: w(8), ScratchBytes: w(9),
	}
	if version == 0 {
		m.SRAMScratchBytes, m.Inputs, m.Outputs, m.Calls, m.Cost = w(10), w(11), w(12), w(13), w(14)
	} else {
		// Bit 31 of the profile word is a flag of converters from 2.2.3 on.
		m.ProfileBytes, m.DebugBytes, m.SRAMScratchBytes = w(10)&0x7FFFFFFF, w(11), w(12)
		m.Inputs, m.Outputs, m.Calls, m.Cost = w(13), w(14), w(15), w(16)
		if v := w(4) >> 20; v != 0 {
			m.Converter = fmt.Sprintf("%x.%x.%x", v>>8, v>>4&15, v&15)
		}
	}
	if uint64(m.MicrocodeBytes) < uint64(4*n) {
		return nil, damaged(part, start+6*4, fmt.Sprintf("microcode size of at least %d", 4*n), fmt.Sprint(m.MicrocodeBytes))
	}
	return m, nil
}

// stream returns the record stream and its offset in the microcode.
func (m *Microcode) stream() ([]byte, int, error) {
	start := 4 * headerWords(m.Version)
	end := uint64(start) + uint64(m.StreamBytes)
	if end > uint64(len(m.Bytes)) {
		return nil, 0, damaged("microcode header", 2*4, fmt.Sprintf("a record stream within %d bytes", len(m.Bytes)-start), fmt.Sprint(m.StreamBytes))
	}
	return m.Bytes[start:end], start, nil
}

// IOBytes returns the size in bytes of each input and output of the NPU, which
// the microcode states after its record stream.
func (m *Microcode) IOBytes() (in, out []uint32, err error) {
	stream, start, err := m.stream()
	if err != nil {
		return nil, nil, err
	}
	at := roundUp(start+len(stream), Alignment)
	n := uint64(m.Inputs) + uint64(m.Outputs)
	if uint64(at)+4*n != uint64(len(m.Bytes)) {
		return nil, nil, damaged("microcode I/O sizes", at, fmt.Sprintf("%d words up to the end of the microcode", n), fmt.Sprintf("%d bytes", len(m.Bytes)-at))
	}
	sizes := make([]uint32, n)
	for i := range sizes {
		sizes[i] = binary.LittleEndian.Uint32(m.Bytes[at+4*i:])
	}
	return sizes[:m.Inputs], sizes[m.Inputs:], nil
}

// Container is the generation of the record stream.
func (m *Microcode) Container() Container {
	if m.Version == 1 {
		return SizedCalls
	}
	// The second byte is the count of a "set spaces" record in one, the high half of its tag in the other.
	if stream, _, err := m.stream(); err == nil && len(stream) > 1 && stream[1] == 0 {
		return WordTags
	}
	return ByteTags
}
