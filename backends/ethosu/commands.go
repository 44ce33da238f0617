package ethosu

import (
	"encoding/binary"
	"fmt"

	"github.com/ptero-rt/ptero/backends/ethosu/stream"
)

// Commands is a driver payload: what ExecuTorch hands to the NPU's driver, with the command stream inside.
// COP1 is read as ethos-u-core-driver 1.0 does (src/ethosu_driver.c), COP2 as Vela 5.1 writes it.
type Commands struct {
	Version      int    // 1 (COP1) or 2 (COP2)
	Payload      []byte // the whole payload, as core drivers want it
	Stream       []byte // the command stream: little-endian 32-bit words, the last one NPU_OP_STOP
	StreamOffset int    // of Stream in Payload
	ConfigWord   uint32
	IDWord       uint32 // architecture the stream was made for, as the NPU's ID register lays it out
	Features     uint32 // COP2: bit 0 network wide, bit 1 local addressing
	StagingBytes uint64 // COP2: staging memory the stream uses
	Accelerator  stream.Accelerator
}

// idWords are what the ID registers of the products hold: architecture 1.0.6, and 2.0.0 for U85.
var idWords = map[stream.Product]uint32{stream.U55: 0x10064001, stream.U65: 0x10066001, stream.U85: 0x20007000}

// IDWord returns the ID register of an accelerator.
func IDWord(a stream.Accelerator) uint32 { return idWords[a.Product] }

// Wrap makes a COP1 driver payload of a bare command stream, as Vela lays it out: the stream begins at a multiple of 16.
func Wrap(a stream.Accelerator, words []byte) []byte {
	b := append([]byte("COP1"), actionConfig, 0, 0, 0)
	b = binary.LittleEndian.AppendUint32(b, a.ConfigWord())
	b = binary.LittleEndian.AppendUint32(b, IDWord(a))
	for len(b)%Alignment != Alignment-4 {
		b = append(b, actionNop, 0, 0, 0)
	}
	n := uint32(len(words) / 4)
	b = binary.LittleEndian.AppendUint32(b, actionStream|n>>16&255<<8|n<<16)
	return append(b, words...)
}

// ArchVersion returns the version of the NPU architecture in the ID word.
func (c Commands) ArchVersion() (major, minor, patch int) {
	return int(c.IDWord >> 28), int(c.IDWord >> 20 & 255), int(c.IDWord >> 16 & 15)
}

// Driver actions of COP1.
const (
	actionConfig  = 1
	actionStream  = 2
	actionReadReg = 3
	actionDump    = 4
	actionNop     = 5
)

const maxStreamBytes = 16 << 20

// ParseCommands reads a COP1 or COP2 driver payload. An error says at which byte of the payload it occurred.
func ParseCommands(b []byte) (Commands, error) {
	c := Commands{Payload: b}
	var err error
	switch {
	case len(b) >= 4 && string(b[:4]) == "COP1":
		c.Version, err = 1, c.parseCOP1(b)
	case len(b) >= 4 && string(b[:4]) == "COP2":
		c.Version, err = 2, c.parseCOP2(b)
	default:
		err = payloadErrorf(0, "want the magic COP1 or COP2, have %q", truncated(b, 4))
	}
	if err != nil {
		return c, err
	}
	if n := len(c.Stream); n == 0 || n%4 != 0 || n > maxStreamBytes {
		return c, payloadErrorf(c.StreamOffset, "want a command stream of whole words, at most 16 MiB, have %d bytes", n)
	}
	if c.Accelerator, err = stream.AcceleratorOf(c.ConfigWord); err != nil {
		return c, err
	}
	wantMajor := 1
	if c.Accelerator.Product == stream.U85 {
		wantMajor = 2
	}
	if major, minor, patch := c.ArchVersion(); major != wantMajor {
		return c, fmt.Errorf("command payload: want architecture %d.x for %s, have %d.%d.%d", wantMajor, c.Accelerator, major, minor, patch)
	}
	return c, nil
}

func payloadErrorf(offset int, format string, args ...any) error {
	return fmt.Errorf("command payload: byte %d: %s", offset, fmt.Sprintf(format, args...))
}

func (c *Commands) parseCOP1(b []byte) error {
	haveConfig := false
	for at := 4; at < len(b); {
		if len(b)-at < 4 {
			return payloadErrorf(at, "want a driver action of 4 bytes, have %d", len(b)-at)
		}
		action := binary.LittleEndian.Uint32(b[at:])
		start := at
		at += 4
		switch action & 255 {
		case actionConfig:
			if haveConfig {
				return payloadErrorf(start, "want one OPTIMIZER_CONFIG action, have a second")
			}
			if len(b)-at < 8 {
				return payloadErrorf(at, "want config and id words, have %d bytes", len(b)-at)
			}
			c.ConfigWord, c.IDWord = binary.LittleEndian.Uint32(b[at:]), binary.LittleEndian.Uint32(b[at+4:])
			haveConfig = true
			at += 8
		case actionStream:
			words := int(action>>8&255)<<16 | int(action>>16)
			if c.Stream != nil {
				return payloadErrorf(start, "want one COMMAND_STREAM action, have a second")
			}
			if len(b)-at < 4*words {
				return payloadErrorf(at, "want a command stream of %d words, have %d bytes", words, len(b)-at)
			}
			c.Stream, c.StreamOffset = b[at:at+4*words:at+4*words], at
			at += 4 * words
		case actionNop, actionReadReg, actionDump:
		default:
			return payloadErrorf(start, "want a driver action of 1 to 5, have %d (word %#08x)", action&255, action)
		}
	}
	if !haveConfig {
		return payloadErrorf(len(b), "want an OPTIMIZER_CONFIG action, have none")
	}
	if c.Stream == nil {
		return payloadErrorf(len(b), "want a COMMAND_STREAM action, have none")
	}
	return nil
}

const (
	cop2HeaderBytes   = 16
	cop2EntryBytes    = 8
	cop2CommandStream = 1
	cop2MetadataTag   = "VEUM"
	cop2MetadataBytes = 32 // with the length word itself not counted: tag, version, size, and 20 bytes of fields
)

func (c *Commands) parseCOP2(b []byte) error {
	if len(b) < cop2HeaderBytes {
		return payloadErrorf(0, "want a header of %d bytes, have %d", cop2HeaderBytes, len(b))
	}
	if major := binary.LittleEndian.Uint16(b[4:]); major != 1 {
		return payloadErrorf(4, "want COP2 version 1.x, have %d.%d", major, binary.LittleEndian.Uint16(b[6:]))
	}
	total := binary.LittleEndian.Uint64(b[8:])
	if total > uint64(len(b)-cop2HeaderBytes) {
		return payloadErrorf(8, "want %d bytes of actions, have %d", total, len(b)-cop2HeaderBytes)
	}
	end := cop2HeaderBytes + int(total)
	for at := cop2HeaderBytes; at < end; {
		if end-at < cop2EntryBytes {
			return payloadErrorf(at, "want an action header of %d bytes, have %d", cop2EntryBytes, end-at)
		}
		kind, size := binary.LittleEndian.Uint32(b[at:]), uint64(binary.LittleEndian.Uint32(b[at+4:]))
		at += cop2EntryBytes
		if size > uint64(end-at) {
			return payloadErrorf(at-4, "want an action of %d bytes, have %d", size, end-at)
		}
		if kind != cop2CommandStream {
			return payloadErrorf(at-cop2EntryBytes, "want a COMMAND_STREAM action (1), have type %d", kind)
		}
		if c.Stream != nil {
			return payloadErrorf(at-cop2EntryBytes, "want one COMMAND_STREAM action, have a second")
		}
		if err := c.parseStreamAction(b[at:at+int(size)], at); err != nil {
			return err
		}
		at += int(size)
	}
	if c.Stream == nil {
		return payloadErrorf(end, "want a COMMAND_STREAM action, have none")
	}
	return nil
}

func (c *Commands) parseStreamAction(b []byte, offset int) error {
	if len(b) < 4+cop2MetadataBytes {
		return payloadErrorf(offset, "want metadata of %d bytes, have %d", 4+cop2MetadataBytes, len(b))
	}
	metadata := uint64(binary.LittleEndian.Uint32(b))
	if metadata < cop2MetadataBytes || metadata > uint64(len(b)-4) {
		return payloadErrorf(offset, "want a metadata length of %d to %d, have %d", cop2MetadataBytes, len(b)-4, metadata)
	}
	if tag := string(b[4:8]); tag != cop2MetadataTag {
		return payloadErrorf(offset+4, "want the tag %q, have %q", cop2MetadataTag, tag)
	}
	if major := binary.LittleEndian.Uint16(b[8:]); major != 1 {
		return payloadErrorf(offset+8, "want metadata version 1.x, have %d", major)
	}
	if fields := binary.LittleEndian.Uint32(b[12:]); fields < 20 {
		return payloadErrorf(offset+12, "want 20 bytes of metadata fields, have %d", fields)
	}
	c.ConfigWord, c.IDWord = binary.LittleEndian.Uint32(b[16:]), binary.LittleEndian.Uint32(b[20:])
	c.Features, c.StagingBytes = binary.LittleEndian.Uint32(b[24:]), binary.LittleEndian.Uint64(b[28:])
	start := 4 + int(metadata)
	c.Stream, c.StreamOffset = b[start:len(b):len(b)], offset+start
	return nil
}
