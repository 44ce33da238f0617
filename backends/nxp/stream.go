package nxp

import (
	"encoding/binary"
	"fmt"
)

// Space is the memory an operand offset counts in.
type Space uint8

// Spaces seen in published files. Which number a second input or output has,
// and the numbers of SRAM, profile and debug memory, are not known.
const (
	SpaceInput   Space = 0
	SpaceWeights Space = 1
	SpaceOutput  Space = 2
	SpaceKernels Space = 3
	SpaceScratch Space = 4
	SpaceNone    Space = 255 // no operand; 9 or 11 in the file
)

func (s Space) String() string {
	switch s {
	case SpaceInput:
		return "input"
	case SpaceWeights:
		return "weights"
	case SpaceOutput:
		return "output"
	case SpaceKernels:
		return "kernels"
	case SpaceScratch:
		return "scratch"
	case SpaceNone:
		return "none"
	}
	return fmt.Sprintf("space %d", uint8(s))
}

// Call is one kernel invocation of the record stream, with patches applied.
// The first len(Spaces) words are operand offsets, one per space.
type Call struct {
	Index   int // 0, 1, …
	Offset  int // byte offset in the microcode of the record that starts it
	Opcode  uint16
	Patches int // patch records applied to an earlier call of the same opcode
	Spaces  []Space
	Words   []uint32
}

func (c *Call) part() string { return fmt.Sprintf("record %d (opcode %#02x)", c.Index, c.Opcode) }

// Record tags; what a number means differs between containers.
const (
	tagEnd       = 1
	tagCall      = 2 // ByteTags, WordTags
	tagSpaces    = 3 // ByteTags, WordTags
	tagPatch     = 4 // WordTags
	tagRun       = 5 // ByteTags: wait for the call before it; WordTags: run it
	tagSpacesC   = 2 // SizedCalls
	tagCallSized = 6 // SizedCalls
)

// wordCounts are the lengths a call can have, longest first, by operand count;
// containers of payload version 0 do not state it.
var wordCounts = map[int][]int{
	2: {21},     // max pool
	3: {9, 8},   // pad, slice
	4: {10},     // global average pool
	5: {35, 14}, // convolutions, fully connected
}

// decoder walks one record stream.
type decoder struct {
	m      *Microcode
	b      []byte
	start  int // offset of b in the microcode
	at     int
	spaces []Space
	calls  []Call
}

// Records returns the kernel calls of the record stream in order.
func (m *Microcode) Records() ([]Call, error) {
	b, start, err := m.stream()
	if err != nil {
		return nil, err
	}
	d := &decoder{m: m, b: b, start: start}
	switch m.Container() {
	case ByteTags:
		err = d.byteTags()
	case WordTags:
		err = d.wordTags()
	default:
		err = d.sizedCalls()
	}
	if err != nil {
		return nil, err
	}
	if len(d.calls) != int(m.Calls) {
		return nil, damaged("record stream", start+d.at, fmt.Sprintf("%d calls as the header says", m.Calls), fmt.Sprint(len(d.calls)))
	}
	return d.calls, nil
}

func (d *decoder) fault(want, found string) error {
	return damaged(fmt.Sprintf("record stream (%s)", d.m.Container()), d.start+d.at, want, found)
}

// need reports whether n more bytes are there.
func (d *decoder) need(n int, what string) error {
	if n > len(d.b)-d.at {
		return d.fault(fmt.Sprintf("%d bytes of %s", n, what), fmt.Sprintf("%d left", len(d.b)-d.at))
	}
	return nil
}

func (d *decoder) u16(at int) int { return int(binary.LittleEndian.Uint16(d.b[at:])) }

func (d *decoder) unknownTag(tag int) error {
	return unsupported(fmt.Sprintf("record stream (%s), revision %08x", d.m.Container(), d.m.Revision), d.start+d.at, "", fmt.Sprintf("unknown record tag %d after %d calls", tag, len(d.calls)))
}

// setSpaces reads n operand spaces at d.at and steps over them and their padding.
func (d *decoder) setSpaces(n, align int, none Space) error {
	if err := d.need(n, "operand spaces"); err != nil {
		return err
	}
	d.spaces = make([]Space, n)
	for i := range d.spaces {
		d.spaces[i] = Space(d.b[d.at+i])
		if d.spaces[i] == none {
			d.spaces[i] = SpaceNone
		}
	}
	d.at += n
	// Records keep their alignment within the stream; padding at its very end may be missing.
	d.at = min(roundUp(d.at, align), len(d.b))
	return nil
}

// words reads n words at offset at.
func (d *decoder) words(at, n int) []uint32 {
	w := make([]uint32, n)
	for i := range w {
		w[i] = binary.LittleEndian.Uint32(d.b[at+4*i:])
	}
	return w
}

// unsizedCall reads the words of a call whose record does not state their
// number. ends says whether a plausible next record starts at an offset.
func (d *decoder) unsizedCall(offset, opcode int, ends func(at int) bool) (Call, error) {
	c := Call{Index: len(d.calls), Offset: d.start + offset, Opcode: uint16(opcode), Spaces: d.spaces}
	for _, n := range wordCounts[len(d.spaces)] {
		if end := d.at + 4*n; end <= len(d.b) && ends(end) {
			c.Words = d.words(d.at, n)
			d.at = end
			return c, nil
		}
	}
	return c, unsupported(c.part()+fmt.Sprintf(", revision %08x", d.m.Revision), d.start+offset,
		"a call of known length", fmt.Sprintf("%d operands and no record of opcode %#02x where one should follow", len(d.spaces), opcode))
}

func (d *decoder) byteTags() error {
	last := -1
	for {
		if err := d.need(2, "record"); err != nil {
			return err
		}
		offset, tag, x := d.at, int(d.b[d.at]), int(d.b[d.at+1])
		switch tag {
		case tagEnd:
			return nil
		case tagSpaces:
			d.at += 2
			if err := d.setSpaces(x, 2, 9); err != nil {
				return err
			}
		case tagCall:
			d.at += 2
			c, err := d.unsizedCall(offset, x, func(at int) bool {
				return at+2 <= len(d.b) && d.b[at] == tagRun && int(d.b[at+1]) == x
			})
			if err != nil {
				return err
			}
			d.calls, last = append(d.calls, c), x
		case tagRun:
			if x != last {
				return d.fault(fmt.Sprintf("a wait for opcode %#02x", last), fmt.Sprintf("%#02x", x))
			}
			d.at += 2
		default:
			return d.unknownTag(tag)
		}
	}
}

func (d *decoder) wordTags() error {
	pending := map[int]Call{} // last call of each opcode
	for {
		if err := d.need(8, "record"); err != nil {
			return err
		}
		offset, tag, x := d.at, d.u16(d.at), d.u16(d.at+2)
		switch tag {
		case tagEnd:
			return nil
		case tagSpaces:
			d.at += 8
			if err := d.setSpaces(x, 2, 9); err != nil {
				return err
			}
		case tagCall:
			d.at += 8
			c, err := d.unsizedCall(offset, x, func(at int) bool {
				return at+4 <= len(d.b) && (d.u16(at) == tagRun || d.u16(at) == tagPatch) && d.u16(at+2) == x
			})
			if err != nil {
				return err
			}
			pending[x] = c
		case tagPatch:
			c, ok := pending[x]
			if !ok {
				return d.fault("a patch of an earlier call", fmt.Sprintf("opcode %#02x, not called yet", x))
			}
			if err := d.patch(&c); err != nil {
				return err
			}
			pending[x] = c
		case tagRun:
			c, ok := pending[x]
			if !ok {
				return d.fault("a run of an earlier call", fmt.Sprintf("opcode %#02x, not called yet", x))
			}
			c.Index = len(d.calls)
			run := c
			run.Words = append([]uint32(nil), c.Words...)
			d.calls = append(d.calls, run)
			c.Patches, c.Offset = 0, 0
			pending[x] = c
			d.at += 8
		default:
			return d.unknownTag(tag)
		}
	}
}

// patch applies the patch record at d.at: a count, then eight word sizes,
// eight word indices and eight words, of which the first count are used.
func (d *decoder) patch(c *Call) error {
	const sizes, indices, words, size = 12, 20, 28, 60
	if err := d.need(size, "patch"); err != nil {
		return err
	}
	n := binary.LittleEndian.Uint32(d.b[d.at+8:])
	if n > 8 {
		return d.fault("a patch of at most 8 words", fmt.Sprint(n))
	}
	if len(c.Spaces) != len(d.spaces) {
		return d.fault(fmt.Sprintf("%d operand spaces for the patched call", len(c.Spaces)), fmt.Sprint(len(d.spaces)))
	}
	c.Spaces = d.spaces
	if c.Offset == 0 {
		c.Offset = d.start + d.at
	}
	c.Patches++
	for i := range int(n) {
		index := int(d.b[d.at+indices+i])
		if d.b[d.at+sizes+i] != 4 || index >= len(c.Words) {
			return d.fault(fmt.Sprintf("a patched word of 4 bytes below word %d", len(c.Words)), fmt.Sprintf("%d bytes at word %d", d.b[d.at+sizes+i], index))
		}
		c.Words[index] = binary.LittleEndian.Uint32(d.b[d.at+words+4*i:])
	}
	d.at += size
	return nil
}

func (d *decoder) sizedCalls() error {
	for {
		if err := d.need(8, "record"); err != nil {
			return err
		}
		offset, tag, x := d.at, d.u16(d.at), d.u16(d.at+2)
		switch tag {
		case tagEnd:
			return nil
		case tagSpacesC:
			d.at += 8
			if err := d.setSpaces(x, 4, 11); err != nil {
				return err
			}
		case tagCallSized:
			size := d.u16(d.at + 6)
			d.at += 8
			if size%4 != 0 || size < 4*len(d.spaces) {
				return d.fault(fmt.Sprintf("a call of whole words with %d operands", len(d.spaces)), fmt.Sprintf("%d bytes", size))
			}
			if err := d.need(size, "call"); err != nil {
				return err
			}
			d.calls = append(d.calls, Call{Index: len(d.calls), Offset: d.start + offset, Opcode: uint16(x), Spaces: d.spaces, Words: d.words(d.at, size/4)})
			d.at += size
		default:
			return d.unknownTag(tag)
		}
	}
}
