package flatverify

import (
	"encoding/binary"
	"errors"
	"fmt"
	"math"
	"strings"

	"github.com/ptero-rt/ptero/internal/fault"
)

const (
	maxProblems = 20
	maxUnknown  = 100
	maxDepth    = 64
	// An honest buffer holds every table once, so a walk touches at most as many bytes as it has. Shared strings and
	// vtables are allowed for.
	workPerByte = 2
	workSlack   = 4096
)

// Verify walks buf from its root table. It gives the paths of present fields that the schema does not know, and an error
// that joins the problems found, each with the given code. Several goroutines may share a schema.
func Verify(buf []byte, root *Table, code fault.Code) (unknown []string, err error) {
	v := verifier{buf: buf, code: code, budget: work(len(buf))}
	v.root(root)
	list := make([]error, len(v.problems))
	for i, p := range v.problems {
		list[i] = p
	}
	return v.unknown, errors.Join(list...)
}

func work(bytes int) int64 { return workPerByte*int64(bytes) + workSlack }

// vtable is one that was found to fit its table type. Most tables of a buffer share a few of them.
type vtable struct {
	at    int
	table *Table
	size  int // from a table's start to the end of its last known field
	refs  []reference
}

// reference is a present field that points elsewhere, at an offset of its table.
type reference struct {
	off   int
	tag   int // where the tag of a union is; 0 if that is absent
	kind  Kind
	size  int // of an element of a vector
	field *Field
	last  *vtable // of the table that was met here last: the next one is most likely alike
}

// verifier keeps the way to where it is, from which it makes the paths of what it finds: a sound buffer costs no paths.
type verifier struct {
	buf      []byte
	code     fault.Code
	depth    int
	way      [maxDepth + 1]step // by depth
	problems []*fault.Error
	unknown  []string
	budget   int64
	stop     bool
	seen     [256]*vtable // direct-mapped, by vtable position
}

// step is a reference that is being followed from the table at pos; ref is nil while the table itself is looked at.
type step struct {
	ref   *reference
	pos   int
	index int // of a list's element, −1 outside a list
}

// path is where the verifier is, and then last.
func (v *verifier) path(last string) string {
	var path []string
	for _, s := range v.way[:v.depth+1] {
		if s.ref == nil {
			break
		}
		name := v.name(s.pos, s.ref)
		if s.index >= 0 {
			name = fmt.Sprintf("%s[%d]", name, s.index)
		}
		path = append(path, name)
	}
	if last != "" {
		path = append(path, last)
	}
	return strings.Join(path, ".")
}

func (v *verifier) root(t *Table) {
	if len(v.buf) > math.MaxInt32 {
		v.problem("at most 2147483647 B of flatbuffer", fault.Bytes(uint64(len(v.buf))))
		return
	}
	if len(v.buf) < 12 {
		v.problem("at least 12 B of flatbuffer", fault.Bytes(uint64(len(v.buf))))
		return
	}
	at := binary.LittleEndian.Uint32(v.buf)
	if at < 8 || int64(at) > int64(len(v.buf))-4 {
		v.problem(fmt.Sprintf("root offset in [8, %d]", len(v.buf)-4), fmt.Sprint(at))
		return
	}
	v.table(int(at), t, new(*vtable), 0)
}

// table checks the table at pos, which is depth tables below the root; last is the vtable that it most likely has.
func (v *verifier) table(pos int, t *Table, last **vtable, depth int) {
	if depth > maxDepth {
		v.tooDeep()
		return
	}
	buf, here := v.buf, &v.way[depth]
	here.ref, v.depth = nil, depth
	if pos&3 != 0 || pos > len(buf)-4 {
		v.badTable(pos)
		return
	}
	// That the vtable is the expected one is a guess which the processor can check while it goes on: looked up each time,
	// it would have to wait for the table's first word.
	known, at := *last, pos-int(int32(binary.LittleEndian.Uint32(buf[pos:])))
	if known == nil || known.at != at || known.table != t {
		if known = v.lookUp(at, t); known == nil {
			return
		}
		*last = known
	}
	if known.size > len(buf)-pos {
		v.badExtent(pos, known.size)
		return
	}
	if !v.spend(known.size) {
		return
	}
	for i := range known.refs {
		r := &known.refs[i]
		*here = step{r, pos, -1}
		from := pos + r.off
		off := binary.LittleEndian.Uint32(buf[from:])
		if off-1 >= uint32(len(buf)-4-from) { // 0 as well
			v.badOffset(from, off)
			continue
		}
		to := from + int(off)
		switch r.kind {
		case String, Scalars, Tables:
			count := binary.LittleEndian.Uint32(buf[to:])
			bytes := uint64(count) * uint64(r.size)
			if to&3 != 0 || bytes > uint64(len(buf)-to-4) {
				v.badVector(to, r.size, count)
			} else if v.spend(4+int(bytes)) && r.kind == Tables {
				v.tables(to+4, int(count), r.field.Table, &r.last)
			}
		case Child:
			v.table(to, r.field.Table, &r.last, depth+1)
		case Union:
			if member := v.member(pos, r); member != nil { // the reader decides about a tag that it does not know
				v.table(to, member, &r.last, depth+1)
			}
		}
		v.depth = depth
		if v.stop {
			return
		}
	}
}

// member is the table that a union holds; nil where its tag is absent or unknown.
func (v *verifier) member(pos int, r *reference) *Table {
	if r.tag == 0 {
		return nil
	}
	if tag := int(v.buf[pos+r.tag]); tag < len(r.field.Union) {
		return r.field.Union[tag]
	}
	return nil
}

// name is how a path calls what a reference leads to.
func (v *verifier) name(pos int, r *reference) string {
	if r.kind == Union {
		if member := v.member(pos, r); member != nil {
			return member.Label
		}
	}
	return r.field.label()
}

// tables checks the tables that n offsets, the first of them at pos, refer to.
func (v *verifier) tables(pos, n int, t *Table, last **vtable) {
	depth := v.depth
	here := &v.way[depth]
	for i := range n {
		here.index, v.depth = i, depth
		from := pos + 4*i
		off := binary.LittleEndian.Uint32(v.buf[from:])
		if off-1 < uint32(len(v.buf)-4-from) {
			v.table(from+int(off), t, last, depth+1)
		} else {
			v.badOffset(from, off)
		}
		if v.stop {
			return
		}
	}
}

// lookUp gives the vtable at a place, which must fit tables of type t; nil after a problem.
func (v *verifier) lookUp(at int, t *Table) *vtable {
	slot := &v.seen[at>>1&255]
	if known := *slot; known != nil && known.at == at && known.table == t {
		return known
	}
	fresh, ok := v.vtable(at, t)
	if !ok {
		return nil
	}
	*slot = &fresh
	return &fresh
}

// vtable reports the fields that the schema does not know, and finds the extent and the references of those that it knows.
// The table size that a vtable states is of no use: the builders in Go and Python share a vtable among tables of different
// sizes.
func (v *verifier) vtable(at int, t *Table) (out vtable, ok bool) {
	if at < 0 || at > len(v.buf)-4 || at&1 != 0 {
		v.problem("a vtable at a multiple of 2 inside the flatbuffer", fmt.Sprintf("offset %d of %d", at, len(v.buf)))
		return out, false
	}
	length := int(binary.LittleEndian.Uint16(v.buf[at:]))
	if length < 4 || length&1 != 0 || length > len(v.buf)-at {
		v.problem("a vtable inside the flatbuffer", fmt.Sprintf("%d B at %d of %d", length, at, len(v.buf)))
		return out, false
	}
	if !v.spend(length) {
		return out, false
	}
	out = vtable{at: at, table: t, size: 4}
	previous := 0 // offset of the field before
	for i := range (length - 4) / 2 {
		off := int(binary.LittleEndian.Uint16(v.buf[at+4+2*i:]))
		switch {
		case off == 0:
		case i >= len(t.Fields):
			if len(v.unknown) < maxUnknown {
				v.unknown = append(v.unknown, v.path(fmt.Sprintf("%s.field(%d)", t.Name, i)))
			}
		case off < 4:
			v.problemAt(t.Fields[i].label(), "an offset of 4 or more in its table", fmt.Sprint(off))
			return out, false
		case t.Fields[i].Kind == Scalar:
			out.size = max(out.size, off+t.Fields[i].Size)
		default:
			out.size = max(out.size, off+4)
			out.refs = append(out.refs, reference{off: off, tag: previous, kind: t.Fields[i].Kind, size: t.Fields[i].element(), field: &t.Fields[i]})
		}
		previous = off
	}
	return out, true
}

func (v *verifier) spend(bytes int) bool {
	v.budget -= int64(bytes)
	return v.budget >= 0 || v.spent()
}

func (v *verifier) spent() bool {
	if !v.stop {
		v.problem(fmt.Sprintf("at most %d B of tables and lists, shared ones counted as often as they are met", work(len(v.buf))), "more")
		v.stop = true
	}
	return false
}

// What is wrong is told in functions of its own, so that those which find it stay short.

func (v *verifier) badTable(pos int) {
	v.problem("a table at a multiple of 4 inside the flatbuffer", fmt.Sprintf("offset %d of %d", pos, len(v.buf)))
}

func (v *verifier) badExtent(pos, size int) {
	v.problem(fmt.Sprintf("a table inside the flatbuffer of %d B", len(v.buf)), fmt.Sprintf("%d B at %d", size, pos))
}

func (v *verifier) tooDeep() { v.problem(fmt.Sprintf("at most %d nested tables", maxDepth), "more") }

// badOffset reports the offset at from.
func (v *verifier) badOffset(from int, off uint32) {
	v.problem(fmt.Sprintf("an offset in [1, %d]", len(v.buf)-4-from), fmt.Sprint(off))
}

func (v *verifier) badVector(pos, size int, count uint32) {
	if pos&3 != 0 {
		v.problem("a length at a multiple of 4", fmt.Sprintf("offset %d", pos))
		return
	}
	v.problem(fmt.Sprintf("at most %d elements of %d B", (len(v.buf)-pos-4)/size, size), fmt.Sprint(count))
}

func (v *verifier) problem(want, found string) { v.problemAt("", want, found) }

func (v *verifier) problemAt(field, want, found string) {
	if len(v.problems) == maxProblems {
		v.stop = true
		return
	}
	v.problems = append(v.problems, &fault.Error{Path: v.path(field), Rule: "flatbuffer", Want: want, Found: found, Code: v.code})
}
