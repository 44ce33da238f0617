package flatverify_test

import (
	"encoding/binary"
	"strings"
	"testing"

	"github.com/ptero-rt/ptero/internal/fault"
	"github.com/ptero-rt/ptero/internal/flatverify"
	"github.com/stretchr/testify/require"

	flatbuffers "github.com/google/flatbuffers/go"
)

var leaf = &flatverify.Table{Name: "Leaf", Label: "leaf", Fields: []flatverify.Field{
	{Name: "number", Kind: flatverify.Scalar, Size: 8},
	{Name: "bytes", Kind: flatverify.Scalars, Size: 1},
	{Name: "wide", Kind: flatverify.Scalars, Size: 8},
	{Name: "text", Kind: flatverify.String},
}}

var root = &flatverify.Table{Name: "Root", Fields: []flatverify.Field{
	{Name: "child", Kind: flatverify.Child, Table: leaf},
	{Name: "items", As: "item", Kind: flatverify.Tables, Table: leaf},
	{Name: "val_type", Kind: flatverify.Scalar, Size: 1},
	{Name: "val", Kind: flatverify.Union, Union: []*flatverify.Table{nil, leaf}},
}}

// build makes a root with a child, n items and a union; fields adds that many fields which the schema does not have.
func build(n, fields int) []byte {
	b := flatbuffers.NewBuilder(0)
	leafTable := func() flatbuffers.UOffsetT {
		bytes := b.CreateByteVector([]byte{1, 2, 3})
		b.StartVector(8, 2, 8)
		b.PrependUint64(1)
		b.PrependUint64(2)
		wide := b.EndVector(2)
		text := b.CreateString("text")
		b.StartObject(4 + fields)
		b.PrependUint64Slot(0, 7, 0)
		b.PrependUOffsetTSlot(1, bytes, 0)
		b.PrependUOffsetTSlot(2, wide, 0)
		b.PrependUOffsetTSlot(3, text, 0)
		for i := range fields {
			b.PrependUint32Slot(4+i, 9, 0)
		}
		return b.EndObject()
	}
	var refs []flatbuffers.UOffsetT
	for range n {
		refs = append(refs, leafTable())
	}
	items := b.CreateVectorOfTables(refs)
	child, val := leafTable(), leafTable()
	b.StartObject(4)
	b.PrependUOffsetTSlot(0, child, 0)
	b.PrependUOffsetTSlot(1, items, 0)
	b.PrependByteSlot(2, 1, 0)
	b.PrependUOffsetTSlot(3, val, 0)
	b.FinishWithFileIdentifier(b.EndObject(), []byte("TEST"))
	return b.FinishedBytes()
}

func TestHonestBuffers(t *testing.T) {
	for n := range 5 {
		unknown, err := flatverify.Verify(build(n, 0), root, fault.InvalidProgram)
		require.NoError(t, err)
		require.Empty(t, unknown)
	}
}

func TestUnknownFieldsAreReportedNotRefused(t *testing.T) {
	unknown, err := flatverify.Verify(build(2, 2), root, fault.InvalidProgram)
	require.NoError(t, err)
	require.Equal(t, []string{"child.Leaf.field(4)", "child.Leaf.field(5)"}, unknown, "a vtable is reported where it is met first")
}

// Every read that accessors may do stays inside the buffer, whatever word is broken and wherever the buffer ends.
func TestBrokenBuffers(t *testing.T) {
	good := build(3, 0)
	refused := 0
	for at := range good {
		for _, v := range []byte{0x00, 0x01, 0x7f, 0x80, 0xff, good[at] ^ 0x04} {
			b := append([]byte{}, good...)
			b[at] = v
			if _, err := flatverify.Verify(b, root, fault.InvalidProgram); err != nil {
				refused++
			} else {
				read(b)
			}
		}
		_, err := flatverify.Verify(good[:at:at], root, fault.InvalidProgram)
		if err == nil {
			read(good[:at:at])
		}
	}
	require.Greater(t, refused, len(good))
}

// read does what accessors do.
func read(b []byte) {
	top := flatbuffers.Table{Bytes: b, Pos: flatbuffers.GetUOffsetT(b)}
	leafTable := func(t *flatbuffers.Table) {
		t.GetUint64Slot(4, 0)
		if o := flatbuffers.UOffsetT(t.Offset(6)); o != 0 {
			_ = t.ByteVector(o + t.Pos)
		}
		if o := flatbuffers.UOffsetT(t.Offset(8)); o != 0 {
			start := t.Vector(o)
			for i := range t.VectorLen(o) {
				t.GetUint64(start + flatbuffers.UOffsetT(8*i))
			}
		}
		if o := flatbuffers.UOffsetT(t.Offset(10)); o != 0 {
			_ = t.String(o + t.Pos)
		}
	}
	if o := flatbuffers.UOffsetT(top.Offset(4)); o != 0 {
		leafTable(&flatbuffers.Table{Bytes: b, Pos: top.Indirect(o + top.Pos)})
	}
	if o := flatbuffers.UOffsetT(top.Offset(6)); o != 0 {
		start := top.Vector(o)
		for i := range top.VectorLen(o) {
			leafTable(&flatbuffers.Table{Bytes: b, Pos: top.Indirect(start + flatbuffers.UOffsetT(4*i))})
		}
	}
	if o := flatbuffers.UOffsetT(top.Offset(10)); o != 0 && top.GetByteSlot(8, 0) == 1 {
		var u flatbuffers.Table
		top.Union(&u, o)
		leafTable(&u)
	}
}

// A buffer whose items all point at one table with a long vector would take length × length steps.
func TestSharedTablesAreBounded(t *testing.T) {
	const n = 1 << 16
	b := flatbuffers.NewBuilder(0)
	bytes := b.CreateByteVector(make([]byte, n))
	b.StartObject(2)
	b.PrependUOffsetTSlot(1, bytes, 0)
	one := b.EndObject()
	refs := make([]flatbuffers.UOffsetT, n)
	for i := range refs {
		refs[i] = one
	}
	items := b.CreateVectorOfTables(refs)
	b.StartObject(2)
	b.PrependUOffsetTSlot(1, items, 0)
	b.FinishWithFileIdentifier(b.EndObject(), []byte("TEST"))
	_, err := flatverify.Verify(b.FinishedBytes(), root, fault.InvalidProgram)
	require.ErrorContains(t, err, "counted as often")
	require.Len(t, fault.All(err), 1)
	require.True(t, strings.HasPrefix(err.Error(), "item["), err)
}

// A schema may refer to itself; a file may then nest without end, or in a ring.
func TestDepthIsBounded(t *testing.T) {
	ring := &flatverify.Table{Name: "Ring"}
	ring.Fields = []flatverify.Field{{Name: "next", Kind: flatverify.Child, Table: ring}}
	b := flatbuffers.NewBuilder(0)
	var next flatbuffers.UOffsetT
	for range 1000 {
		b.StartObject(1)
		b.PrependUOffsetTSlot(0, next, 0)
		next = b.EndObject()
	}
	b.FinishWithFileIdentifier(next, []byte("TEST"))
	_, err := flatverify.Verify(b.FinishedBytes(), ring, fault.InvalidProgram)
	require.ErrorContains(t, err, "nested")
}

func TestProblemsAreBounded(t *testing.T) {
	b := build(200, 0)
	at := flatbuffers.Table{Bytes: b, Pos: flatbuffers.GetUOffsetT(b)}
	start := at.Vector(flatbuffers.UOffsetT(at.Offset(6)))
	for i := range 200 {
		binary.LittleEndian.PutUint32(b[int(start)+4*i:], 0xFFFFFFF0)
	}
	_, err := flatverify.Verify(b, root, fault.InvalidExternalData)
	require.Len(t, fault.All(err), 20)
	require.Equal(t, fault.InvalidExternalData, fault.CodeOf(err))
	require.Equal(t, "item[0]", fault.All(err)[0].(*fault.Error).Path)
}
