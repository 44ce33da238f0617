package pte

import (
	"fmt"
	"math/bits"
	"slices"

	"github.com/ptero-rt/ptero/internal/fault"
	"github.com/ptero-rt/ptero/pte/schema/program"
)

func (d *decoder) segments() {
	n := d.root.SegmentsLength()
	d.program.Segments = make([]Segment, n)
	d.used = make([]bool, n)
	var s program.DataSegment
	var common uint64
	for i := range n {
		d.root.Segments(&s, i)
		bytes, ok := d.file.segment(s.Offset(), s.Size())
		if !ok {
			d.add(invalid, fmt.Sprintf("a range inside the %d B of segments", len(d.file.segments)), fmt.Sprintf("%d B at %d", s.Size(), s.Offset()), "segments[%d]", i)
		}
		d.program.Segments[i] = Segment{Offset: s.Offset(), Bytes: bytes}
		common |= s.Offset()
	}
	if d.file.base != 0 {
		d.program.SegmentAlign = alignmentOf(common|d.file.base, 16, 1<<12)
	}
}

// alignmentOf guesses the alignment that a writer used from offsets, or-ed together, within bounds.
func alignmentOf(offsets, least, most uint64) uint64 {
	if offsets == 0 {
		return least
	}
	return min(max(1<<bits.TrailingZeros64(offsets), least), most)
}

// constants cuts the constants from their segment, or from the flatbuffer where an older exporter put them.
func (d *decoder) constants() {
	need := d.needs(func(t *Tensor) bool { return t.Alloc == nil })
	var sub program.SubsegmentOffsets
	if d.root.ConstantSegment(&sub) != nil && sub.OffsetsLength() > 0 {
		d.program.Constants = d.subsegments(&sub, need, "constant_segment")
		var all uint64
		for i := range sub.OffsetsLength() {
			all |= sub.Offsets(i)
		}
		d.program.ConstantAlign = alignmentOf(all, 16, 1<<12)
		if n := d.root.ConstantBufferLength(); n > 0 && sub.OffsetsLength() > 1 {
			d.add(invalid, "constants in the segment or in the flatbuffer", "both", "constant_buffer")
		}
		return
	}
	d.program.ConstantAlign = 16
	n := d.root.ConstantBufferLength()
	d.program.Constants = make([][]byte, max(1, n))
	var b program.Buffer
	for i := 1; i < n; i++ {
		d.root.ConstantBuffer(&b, i)
		d.program.Constants[i] = slices.Clip(b.StorageBytes())
	}
}

// state cuts the initial values of mutable buffers. The format has a list of such segments; only its first entry is used.
func (d *decoder) state() {
	var sub program.SubsegmentOffsets
	switch n := d.root.MutableDataSegmentsLength(); {
	case n == 0:
		return
	case n > 1:
		d.add(fault.NotSupported, "one segment of mutable data", fmt.Sprint(n), "mutable_data_segments")
	}
	d.root.MutableDataSegments(&sub, 0)
	d.program.State = d.subsegments(&sub, d.needs(func(t *Tensor) bool { return t.Alloc != nil }), "mutable_data_segments[0]")
}

// needs gives the bytes that tensors of a sort want of each data index.
func (d *decoder) needs(sort func(*Tensor) bool) map[uint32]uint64 {
	need := map[uint32]uint64{}
	for i := range d.program.Plans {
		values := d.program.Plans[i].Values
		for j := range values {
			t := values[j].Tensor
			if t == nil || t.DataIndex == 0 || t.Location == External || !sort(t) {
				continue
			}
			if n, ok := t.NBytes(); ok && n >= need[t.DataIndex] {
				need[t.DataIndex] = n
			}
		}
	}
	return need
}

// subsegments cuts a segment into blobs. The file has only their starts: a blob is as long as its users need, or reaches to
// the next start where nobody uses it. A blob that does not hold what its users need is left short, for check to report.
func (d *decoder) subsegments(sub *program.SubsegmentOffsets, need map[uint32]uint64, name string) [][]byte {
	segment := d.segment(sub.SegmentIndex(), "%s.segment_index", name)
	n := sub.OffsetsLength()
	starts := make([]uint64, n)
	for i := range n {
		starts[i] = sub.Offsets(i)
	}
	size := uint64(len(segment))
	sorted := slices.Clone(starts)
	slices.Sort(sorted)
	out := make([][]byte, n)
	for i, start := range starts {
		if start > size {
			d.add(fault.InvalidArgument, fmt.Sprintf("an offset in [0, %d]", size), fmt.Sprint(start), "%s.offsets[%d]", name, i)
			continue
		}
		if i == 0 {
			continue // a placeholder: index 0 says that a tensor has no data
		}
		length, ok := need[uint32(i)]
		if !ok {
			end := size
			if next, _ := slices.BinarySearch(sorted, start+1); next < n {
				end = min(end, sorted[next])
			}
			length = end - start
		}
		end := start + min(length, size-start)
		out[i] = segment[start:end:end]
	}
	return out
}

func (d *decoder) namedData() {
	n := d.root.NamedDataLength()
	if n == 0 {
		return
	}
	d.program.NamedData = make([]NamedData, n)
	var nd program.NamedData
	for i := range n {
		d.root.NamedData(&nd, i)
		if nd.Key() == nil {
			d.add(invalid, "a key", "none", "named_data[%d].key", i)
		}
		index := nd.SegmentIndex()
		out := NamedData{Key: string(nd.Key()), Segment: index, Bytes: d.segment(index, "named_data[%d].segment_index", i)}
		if uint64(index) < uint64(len(d.program.Segments)) {
			out.Align = alignmentOf(d.program.Segments[index].Offset, d.program.SegmentAlign, 1<<12)
		}
		d.program.NamedData[i] = out
	}
}

// unused notes segments that nothing refers to, so that a rewrite does not silently drop them.
func (d *decoder) unused() {
	for i, used := range d.used {
		if !used && len(d.program.Segments[i].Bytes) > 0 {
			d.program.Unknown = append(d.program.Unknown, fmt.Sprintf("segments[%d]", i))
		}
	}
}
