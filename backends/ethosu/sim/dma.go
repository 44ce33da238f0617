package sim

import (
	"encoding/binary"
	"fmt"

	"github.com/ptero-rt/ptero/backends/ethosu/stream"
)

// dmaStep is a planned transfer.
type dmaStep struct {
	op *stream.Op
	t  *stream.Transfer
}

func (s *dmaStep) run(m *machine) error {
	t := s.t
	src, dst := m.regions[t.Src.Region], m.regions[t.Dst.Region]
	if t.SrcInternal {
		src = m.tables
	}
	if t.DstInternal {
		dst = m.tables
	}
	n := int64(t.Src.Bytes)
	index := int64(t.Index.Base)
	for plane := range int64(t.Planes) {
		for row := range int64(t.Rows) {
			srcRow, dstRow := row, row
			if t.Gather || t.Scatter {
				i := int64(int32(binary.LittleEndian.Uint32(m.regions[t.Index.Region][index:])))
				index += 4
				if i < 0 || i > t.IndexMax {
					return fmt.Errorf("DMA at byte %d of the stream: want an index of 0 to %d, have %d in row %d", s.op.Offset, t.IndexMax, i, row)
				}
				if t.Gather {
					srcRow = i
				} else {
					dstRow = i
				}
			}
			from := int64(t.Src.Base) + srcRow*t.SrcStride[0] + plane*t.SrcStride[1]
			to := int64(t.Dst.Base) + dstRow*t.DstStride[0] + plane*t.DstStride[1]
			copy(dst[to:to+n], src[from:from+n])
		}
		index += t.IndexSkip
	}
	return nil
}
