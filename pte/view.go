package pte

import "encoding/binary"

// view reads one table of a verified flatbuffer, whose vtable it looks up once. A program has many thousand tensors and
// instructions, and the generated accessors look the vtable up for each field: for these tables alone that is half the
// time of Parse. The numbers of the fields are those of schema/program.fbs.
type view struct {
	buf    []byte
	at     int
	fields []byte // the vtable behind its two lengths
}

func viewOf(buf []byte, at int) view {
	vtable := at - int(int32(binary.LittleEndian.Uint32(buf[at:])))
	return view{buf, at, buf[vtable+4 : vtable+int(binary.LittleEndian.Uint16(buf[vtable:]))]}
}

// field is where the nth field lies; 0 where the table does not have it.
func (v *view) field(n int) int {
	if 2*n >= len(v.fields) {
		return 0
	}
	off := int(binary.LittleEndian.Uint16(v.fields[2*n:]))
	if off == 0 {
		return 0
	}
	return v.at + off
}

func (v *view) byte(n int) byte {
	if at := v.field(n); at != 0 {
		return v.buf[at]
	}
	return 0
}

func (v *view) uint32(n int) uint32 {
	if at := v.field(n); at != 0 {
		return binary.LittleEndian.Uint32(v.buf[at:])
	}
	return 0
}

func (v *view) int32(n int) int32 { return int32(v.uint32(n)) }

// follow is where the thing lies that the nth field refers to; 0 where there is none.
func (v *view) follow(n int) int {
	at := v.field(n)
	if at == 0 {
		return 0
	}
	return at + int(binary.LittleEndian.Uint32(v.buf[at:]))
}

// vector gives the bytes of a list whose elements have size bytes; ok is false where the table does not have it.
func (v *view) vector(n, size int) (list []byte, ok bool) {
	at := v.follow(n)
	if at == 0 {
		return nil, false
	}
	count := int(binary.LittleEndian.Uint32(v.buf[at:]))
	return v.buf[at+4 : at+4+count*size], true
}

// tables calls each with every table of a list.
func (v *view) tables(n int, each func(i, at int)) {
	list, _ := v.vector(n, 4)
	start := v.follow(n) + 4
	for i := range len(list) / 4 {
		each(i, start+4*i+int(binary.LittleEndian.Uint32(list[4*i:])))
	}
}
