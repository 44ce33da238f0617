package ethosu

import (
	"encoding/binary"
	"errors"
	"fmt"
	"strings"
)

// Block is one named piece of a vela_bin_stream container, as its header states it.
type Block struct {
	Name   string
	Offset int    // of the block's data in the container
	Bytes  int    // without the padding to 16
	Key    string // of the named data that holds the content; empty: inline
}

// Tensor is an input or output record of the container: where the stream reads or writes it.
type Tensor struct {
	Shape     [6]int // leading axes are 1
	ElemBytes int
	Offset    uint64 // in its region
	Region    int
}

// Elements returns the product of the shape.
func (t Tensor) Elements() int {
	n := 1
	for _, d := range t.Shape {
		n *= d
	}
	return n
}

// Bytes returns the packed size of the tensor.
func (t Tensor) Bytes() uint64 {
	n := uint64(t.ElemBytes)
	for _, d := range t.Shape {
		n *= uint64(d)
	}
	return n
}

// Blob is a parsed vela_bin_stream, the payload that ExecuTorch's Arm backend stores for one delegate
// (pytorch/executorch backends/arm/runtime/VelaBinStream.cpp and backends/arm/arm_vela.py at cff6f4dd).
// Its slices alias the bytes it was parsed from and those that the look-up returned. Read only; safe for concurrent use.
type Blob struct {
	Blocks       []Block
	Commands     Commands
	Weights      []byte // region 0; a single byte where the network has none
	ScratchBytes uint64 // region 1
	Inputs       []Tensor
	Outputs      []Tensor
}

// BlobError is a fault of a container: at which byte of which block, what was wanted, and what was found.
type BlobError struct {
	Block  string // empty: between blocks
	Offset int    // in the container, or in the named data that holds the block
	Fault  string // "want …, have …"
}

func (e *BlobError) Error() string {
	if e.Block == "" {
		return fmt.Sprintf("vela_bin_stream: byte %d: %s", e.Offset, e.Fault)
	}
	return fmt.Sprintf("vela_bin_stream: block %s: byte %d: %s", e.Block, e.Offset, e.Fault)
}

// LookUp finds the content of an external block by its named-data key.
type LookUp func(key string) ([]byte, error)

// LookUpIn makes a look-up of what a program calls named data; nil stays nil.
func LookUpIn(named func(key string) ([]byte, bool)) LookUp {
	if named == nil {
		return nil
	}
	return func(key string) ([]byte, error) {
		if found, ok := named(key); ok {
			return found, nil
		}
		return nil, errors.New("not in the program's named data, nor in the external data given")
	}
}

// The conventional region numbers of a .pte's stream.
const (
	RegionWeights     = 0
	RegionScratch     = 1
	RegionFastScratch = 2
	RegionCount       = 8
)

const (
	headerBytes  = 32
	blockAlign   = 16
	keyBytes     = 64
	maxTensors   = 1 << 12
	maxRegion    = 1 << 40 // the stream's offsets have 40 bits
	streamMagic  = "vela_bin_stream"
	endOfStream  = "vela_end_stream"
	recordFields = 9
)

// IsBlob reports whether b begins with the container's magic block.
func IsBlob(b []byte) bool {
	return len(b) >= headerBytes && blockName(b) == streamMagic
}

// Parse reads a container. Content that lies outside is asked of lookUp, which may be nil where none is expected.
// Every length, count, offset and region is checked; the error joins all faults found, each a *BlobError.
func Parse(b []byte, lookUp LookUp) (*Blob, error) {
	p := parser{lookUp: lookUp, content: map[string][]byte{}, external: map[string]bool{}}
	if !p.blocks(b) {
		return nil, errors.Join(p.faults...)
	}
	p.fields()
	if len(p.faults) > 0 {
		return nil, errors.Join(p.faults...)
	}
	return &p.blob, nil
}

type parser struct {
	blob     Blob
	lookUp   LookUp
	content  map[string][]byte
	external map[string]bool
	faults   []error
}

func (p *parser) fail(block string, offset int, format string, args ...any) {
	p.faults = append(p.faults, &BlobError{Block: block, Offset: offset, Fault: fmt.Sprintf(format, args...)})
}

func blockName(header []byte) string {
	name := string(header[:16])
	if i := strings.IndexByte(name, 0); i >= 0 {
		name = name[:i]
	}
	return name
}

// blocks walks the headers and collects the contents by name.
func (p *parser) blocks(b []byte) bool {
	if !IsBlob(b) {
		p.fail("", 0, "want the magic block %q, have %q", streamMagic, truncated(b, 16))
		return false
	}
	for at := 0; ; {
		if len(b)-at < headerBytes {
			p.fail("", at, "want a block header of %d bytes or %s before, have %d bytes", headerBytes, endOfStream, len(b)-at)
			return false
		}
		header := b[at : at+headerBytes]
		block := Block{Name: blockName(header), Offset: at + headerBytes, Bytes: int(binary.LittleEndian.Uint32(header[16:]))}
		if block.Name == endOfStream {
			p.blob.Blocks = append(p.blob.Blocks, block)
			return true
		}
		if block.Name == "" {
			p.fail("", at, "want a block name, have an empty one")
			return false
		}
		if room := len(b) - block.Offset; block.Bytes > room {
			p.fail(block.Name, block.Offset, "want %d bytes of content, have %d", block.Bytes, room)
			return false
		}
		content := b[block.Offset : block.Offset+block.Bytes : block.Offset+block.Bytes]
		if header[20] > 1 {
			p.fail(block.Name, at+20, "want external flag 0 or 1, have %d", header[20])
		} else if header[20] == 1 {
			content = p.fetch(&block, content)
		}
		if block.Name != streamMagic {
			if _, twice := p.content[block.Name]; twice {
				p.fail(block.Name, at, "want one block of this name, have a second")
			}
			p.content[block.Name] = content
			p.external[block.Name] = header[20] == 1
		}
		p.blob.Blocks = append(p.blob.Blocks, block)
		at = block.Offset + (block.Bytes+blockAlign-1)/blockAlign*blockAlign
		if at >= len(b) { // older writers end without vela_end_stream
			return true
		}
	}
}

func (p *parser) fetch(block *Block, content []byte) []byte {
	if len(content) != keyBytes {
		p.fail(block.Name, block.Offset, "want a key of %d characters, have %d bytes", keyBytes, len(content))
		return nil
	}
	block.Key = string(content)
	if p.lookUp == nil {
		p.fail(block.Name, block.Offset, "want the named data %q, have no data file", block.Key)
		return nil
	}
	found, err := p.lookUp(block.Key)
	if err != nil {
		p.fail(block.Name, block.Offset, "want the named data %q: %v", block.Key, err)
	}
	return found
}

func truncated(b []byte, n int) []byte { return b[:min(len(b), n)] }

// offset returns where block's content begins, for error messages: its container offset, or 0 in named data.
func (p *parser) offset(name string) int {
	for _, b := range p.blob.Blocks {
		if b.Name == name && !p.external[name] {
			return b.Offset
		}
	}
	return 0
}

func (p *parser) require(name string) ([]byte, bool) {
	content, ok := p.content[name]
	if !ok {
		p.fail(name, 0, "want this block, have none")
	}
	return content, ok
}

func (p *parser) fields() {
	if c, ok := p.require("cmd_data"); ok {
		commands, err := ParseCommands(c)
		if err != nil {
			p.fail("cmd_data", p.offset("cmd_data"), "%v", err)
		}
		p.blob.Commands = commands
	}
	p.blob.Weights, _ = p.require("weight_data")
	haveScratch := false
	if c, ok := p.require("scratch_size"); ok {
		if haveScratch = len(c) == 4; haveScratch {
			p.blob.ScratchBytes = uint64(binary.LittleEndian.Uint32(c))
		} else {
			p.fail("scratch_size", p.offset("scratch_size"), "want 4 bytes, have %d", len(c))
		}
	}
	p.blob.Inputs = p.tensors("inputs", haveScratch)
	p.blob.Outputs = p.tensors("outputs", haveScratch)
}

func (p *parser) tensors(name string, haveScratch bool) []Tensor {
	c, ok := p.require(name)
	if !ok {
		return nil
	}
	base := p.offset(name)
	if len(c) < 4 {
		p.fail(name, base, "want a count of 4 bytes, have %d bytes", len(c))
		return nil
	}
	count := int(int32(binary.LittleEndian.Uint32(c)))
	if count < 0 || count > maxTensors || len(c) < 4+count*recordFields*4 {
		p.fail(name, base, "want %d records of %d bytes after the count, have %d bytes", count, recordFields*4, len(c)-4)
		return nil
	}
	list := make([]Tensor, count)
	for i := range list {
		at := 4 + i*recordFields*4
		field := func(k int) int64 { return int64(int32(binary.LittleEndian.Uint32(c[at+4*k:]))) }
		t, where := &list[i], base+at
		elements := int64(1)
		for k := range t.Shape {
			d := field(k)
			t.Shape[k] = int(d)
			if d < 1 || elements > maxRegion/d {
				p.fail(name, where+4*k, "record %d: want a shape of positive axes, have axis %d = %d", i, k, d)
				return nil
			}
			elements *= d
		}
		t.ElemBytes = int(field(6))
		switch t.ElemBytes {
		case 1, 2, 4, 8:
		default:
			p.fail(name, where+24, "record %d: want an element of 1, 2, 4 or 8 bytes, have %d", i, t.ElemBytes)
		}
		t.Offset, t.Region = uint64(field(7)), int(field(8))
		if field(7) < 0 {
			p.fail(name, where+28, "record %d: want an offset of at least 0, have %d", i, field(7))
		}
		if t.Region < 0 || t.Region >= RegionCount || t.Region == RegionWeights {
			p.fail(name, where+32, "record %d: want a region of 1 to %d, have %d", i, RegionCount-1, t.Region)
		}
		if t.Region == RegionScratch && haveScratch && field(7) >= 0 && t.Offset+t.Bytes() > p.blob.ScratchBytes {
			p.fail(name, where+28, "record %d: want the tensor within the scratch of %d bytes, have bytes %d to %d",
				i, p.blob.ScratchBytes, t.Offset, t.Offset+t.Bytes())
		}
	}
	return list
}
