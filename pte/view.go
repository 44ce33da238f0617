package pte

import "encoding/binary"

// viewer reads the tables of one type in a verified flatbuffer. It remembers the vtable that it met last, since a program has
// many thousand tensors and instructions that share a few: the generated accessors look the vtable up for each field, which
// is half the time of Parse. The numbers of the fields are those of schema/program.fbs.
type viewer struct {
	buf    []byte
	vtable int
	offset [10]uint16 // by field; 0 where the table does not have it
}

// view is one table.
type view struct {
	*viewer
	at int
}

func (r *viewer) table(at int) view {
	vtable := at - int(int32(binary.LittleEndian.Uint32(r.buf[at:])))
	if vtable != r.vtable { // no vtable is at 0, where the root offset lies
		r.vtable = vtable
		n := (int(binary.LittleEndian.Uint16(r.buf[vtable:])) - 4) / 2
		for i := range r.offset {
			r.offset[i] = 0
			if i < n {
				r.offset[i] = binary.LittleEndian.Uint16(r.buf[vtable+4+2*i:])
			}
		}
	}
	return view{r, at}
}

func (v view) byte(n int) byte {
	if off := int(v.offset[n]); off != 0 {
		return v.buf[v.at+off]
	}
	return 0
}

func (v view) uint32(n int) uint32 {
	if off := int(v.offset[n]); off != 0 {
		return binary.LittleEndian.Uint32(v.buf[v.at+off:])
	}
	return 0
}

func (v view) int32(n int) int32 { return int32(v.uint32(n)) }

// follow is where the thing lies that the nth field refers to; 0 where there is none.
func (v view) follow(n int) int {
	off := int(v.offset[n])
	if off == 0 {
		return 0
	}
	return v.at + off + int(binary.LittleEndian.Uint32(v.buf[v.at+off:]))
}

// vector gives the bytes of a list whose elements have size bytes; ok is false where the table does not have it.
func (v view) vector(n, size int) (list []byte, ok bool) {
	at := v.follow(n)
	if at == 0 {
		return nil, false
	}
	count := int(binary.LittleEndian.Uint32(v.buf[at:]))
	return v.buf[at+4 : at+4+count*size], true
}

// references gives a list of tables.
func (v view) references(n int) references {
	at := v.follow(n)
	if at == 0 {
		return references{}
	}
	return references{v.buf, at + 4, int(binary.LittleEndian.Uint32(v.buf[at:]))}
}

// references are a list of tables.
type references struct {
	buf      []byte
	start, n int
}

// at is where table i lies.
func (r *references) at(i int) int {
	from := r.start + 4*i
	return from + int(binary.LittleEndian.Uint32(r.buf[from:]))
}
