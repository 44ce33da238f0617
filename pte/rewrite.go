package pte

import (
	"bytes"
	"crypto/sha256"
	"encoding/binary"
	"fmt"
	"math"
	"strings"

	"github.com/ptero-rt/ptero/internal/fault"
)

// Rewrite writes a program as a `.pte` file that ExecuTorch loads and runs, and that Parse turns into an equal program.
//
// The usual way is to Clone a parsed program, change the copy and rewrite it. The segment table is made anew from what the
// program holds, in the exporter's order: constants, initial state, delegate payloads, named data; equal payloads and equal
// named blobs are stored once. Program.Segments, Delegate.Index and NamedData.Segment are not read. Constants always go to a
// segment, also where the file that was parsed had them in the flatbuffer.
//
// A program with unknown fields is refused rather than stripped of them, and so is one that Check finds fault with.
func Rewrite(p *Program) ([]byte, error) {
	if len(p.Unknown) > 0 {
		return nil, fault.New(fault.NotSupported, "program", "only fields that this version knows", strings.Join(p.Unknown, ", "))
	}
	if err := Check(p); err != nil {
		return nil, err
	}
	return encode(p)
}

// encode writes a program without asking whether it makes sense.
func encode(p *Program) ([]byte, error) {
	var s segmentWriter
	s.align = or(p.SegmentAlign, 128)
	w := flatWriter{inlineAlign: or(p.InlineAlign, 16)}
	for _, a := range []uint64{s.align, w.inlineAlign, p.ConstantAlign} {
		if a&(a-1) != 0 || a > math.MaxInt32 {
			return nil, fault.New(fault.InvalidArgument, "program", "alignments that are powers of two", fmt.Sprint(a))
		}
	}

	w.constants = s.blobs(p.Constants, or(p.ConstantAlign, 16))
	if p.State != nil {
		state := s.blobs(p.State, 1)
		w.state = &state
	}
	inline, inSegment := storage{}, storage{}
	for i := range p.Plans {
		for j := range p.Plans[i].Delegates {
			d := &p.Plans[i].Delegates[j]
			if d.Inline {
				w.payloads = append(w.payloads, inline.index(d.Blob, func() uint32 {
					w.inline = append(w.inline, d.Blob)
					return uint32(len(w.inline) - 1)
				}))
			} else {
				w.payloads = append(w.payloads, inSegment.index(d.Blob, func() uint32 { return s.add(d.Blob, s.align) }))
			}
		}
	}
	named := storage{}
	for _, n := range p.NamedData {
		if n.Align&(n.Align-1) != 0 {
			return nil, fault.New(fault.InvalidArgument, fmt.Sprintf("named_data[%q]", n.Key), "an alignment that is a power of two", fmt.Sprint(n.Align))
		}
		w.named = append(w.named, named.index(n.Bytes, func() uint32 { return s.add(n.Bytes, max(s.align, n.Align)) }))
	}
	w.segments = s.list

	flat, err := w.program(p)
	if err != nil {
		return nil, err
	}
	return assemble(flat, &s, max(32, w.inlineAlign)), nil
}

func or(n, otherwise uint64) uint64 {
	if n == 0 {
		return otherwise
	}
	return n
}

// storage remembers where contents went, so that equal ones are stored once.
type storage struct {
	windows  map[window]uint32
	contents map[[32]byte]uint32
}

// window is a place in memory. Programs share payloads mostly by place, and then need no look at the bytes.
type window struct {
	first *byte
	n     int
}

func windowOf(b []byte) window {
	if len(b) == 0 {
		return window{}
	}
	return window{&b[0], len(b)}
}

// index gives where b went; put stores what was not there yet.
func (s *storage) index(b []byte, put func() uint32) uint32 {
	if s.windows == nil {
		s.windows, s.contents = map[window]uint32{}, map[[32]byte]uint32{}
	}
	at, ok := s.windows[windowOf(b)]
	if ok {
		return at
	}
	sum := sha256.Sum256(b)
	if at, ok = s.contents[sum]; !ok {
		at = put()
		s.contents[sum] = at
	}
	s.windows[windowOf(b)] = at
	return at
}

// assemble puts the extended header between the identifier and the tables, and the segments behind them. A program without
// segment bytes has neither.
func assemble(flat []byte, s *segmentWriter, headerAlign uint64) []byte {
	if s.end == 0 {
		return flat
	}
	length := up(32, headerAlign)
	size := uint64(len(flat)) + length
	base := up(size, s.align)
	out := make([]byte, base+s.end)
	copy(out, flat[:8])
	binary.LittleEndian.PutUint32(out, binary.LittleEndian.Uint32(flat)+uint32(length))
	copy(out[8:], "eh00")
	binary.LittleEndian.PutUint32(out[12:], 32)
	binary.LittleEndian.PutUint64(out[16:], size)
	binary.LittleEndian.PutUint64(out[24:], base)
	binary.LittleEndian.PutUint64(out[32:], s.end)
	copy(out[8+length:], flat[8:])
	for _, seg := range s.list {
		copy(out[base+seg.Offset:], seg.Bytes)
	}
	return out
}

// segmentWriter lays segments out.
type segmentWriter struct {
	align uint64
	list  []Segment
	end   uint64 // of the last segment, from the base
}

func (s *segmentWriter) add(b []byte, align uint64) uint32 {
	offset := up(s.end, align)
	if len(b) == 0 {
		offset = s.end // an empty segment needs no room
	}
	s.list = append(s.list, Segment{Offset: offset, Bytes: b})
	s.end = offset + uint64(len(b))
	return uint32(len(s.list) - 1)
}

// blobs joins a list of blobs to one segment, and gives where each starts. The list's first entry is a placeholder.
func (s *segmentWriter) blobs(list [][]byte, align uint64) subsegments {
	var out subsegments
	var joined bytes.Buffer
	out.offsets = append(out.offsets, 0)
	placed := map[window]uint64{}
	for _, b := range list[min(1, len(list)):] {
		at, ok := placed[windowOf(b)]
		if !ok {
			joined.Write(make([]byte, up(uint64(joined.Len()), align)-uint64(joined.Len())))
			at = uint64(joined.Len())
			joined.Write(b)
			placed[windowOf(b)] = at
		}
		out.offsets = append(out.offsets, at)
	}
	out.segment = s.add(joined.Bytes(), s.align)
	return out
}

// subsegments is a segment and the starts of the blobs in it.
type subsegments struct {
	segment uint32
	offsets []uint64
}

func up(n, align uint64) uint64 { return (n + align - 1) / align * align }
