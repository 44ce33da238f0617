package ptebuild

import (
	"encoding/binary"

	flatbuffers "github.com/google/flatbuffers/go"

	"github.com/ptero-rt/ptero/pte"
	"github.com/ptero-rt/ptero/pte/schema/tensordata"
)

// TensorData makes a `.ptd` file, with a segment for each entry.
func TensorData(entries ...pte.Entry) []byte {
	const head, align = 48, 128
	b := flatbuffers.NewBuilder(1024)
	var segments, named []flatbuffers.UOffsetT
	var payload []byte
	for i, e := range entries {
		for len(payload)%align != 0 {
			payload = append(payload, 0)
		}
		tensordata.DataSegmentStart(b)
		tensordata.DataSegmentAddOffset(b, uint64(len(payload)))
		tensordata.DataSegmentAddSize(b, uint64(len(e.Bytes)))
		segments = append(segments, tensordata.DataSegmentEnd(b))
		payload = append(payload, e.Bytes...)

		key := b.CreateString(e.Key)
		var layout flatbuffers.UOffsetT
		if l := e.Layout; l != nil {
			sizes, order := int32s(b, l.Sizes), b.CreateByteVector(l.DimOrder)
			tensordata.TensorLayoutStart(b)
			tensordata.TensorLayoutAddScalarType(b, int8(l.DType))
			tensordata.TensorLayoutAddSizes(b, sizes)
			tensordata.TensorLayoutAddDimOrder(b, order)
			layout = tensordata.TensorLayoutEnd(b)
		}
		tensordata.NamedDataStart(b)
		tensordata.NamedDataAddKey(b, key)
		tensordata.NamedDataAddSegmentIndex(b, uint32(i))
		tensordata.NamedDataAddTensorLayout(b, layout)
		named = append(named, tensordata.NamedDataEnd(b))
	}
	segmentList, namedList := b.CreateVectorOfTables(segments), b.CreateVectorOfTables(named)
	tensordata.FlatTensorStart(b)
	tensordata.FlatTensorAddSegments(b, segmentList)
	tensordata.FlatTensorAddNamedData(b, namedList)
	b.FinishWithFileIdentifier(tensordata.FlatTensorEnd(b), []byte("FT01"))
	flat := b.FinishedBytes()

	// The header goes behind the identifier, as in the exporter's files.
	out := append([]byte{}, flat[:8]...)
	binary.LittleEndian.PutUint32(out, binary.LittleEndian.Uint32(out)+head-8)
	out = append(out, "FH01"...)
	out = binary.LittleEndian.AppendUint32(out, 40)
	size := uint64(head + len(flat) - 8)
	base := (size + align - 1) / align * align
	for _, n := range []uint64{head, size - head, base, uint64(len(payload))} {
		out = binary.LittleEndian.AppendUint64(out, n)
	}
	out = append(out, flat[8:]...)
	out = append(out, make([]byte, base-size)...)
	return append(out, payload...)
}
